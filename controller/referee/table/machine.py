"""The step of the table's referee: a state and an event in, the next state and the actions out."""

from dataclasses import replace
from typing import Final

from controller.devices import Button
from controller.referee import events
from controller.referee.actions import (
    Action,
    BestPlayWanted,
    Cause,
    ClockRuns,
    DiceVoid,
    Lit,
    Message,
    Phase,
    PhaseBegun,
    RollAllowed,
)
from controller.referee.belief.branches import EndedBy
from controller.referee.events import DIRECTOR, OTHER_TABLE, Event
from controller.referee.table import breaks, cubes, sights, undo
from controller.referee.table.carrying import announce, ask_for_announced
from controller.referee.table.elsewhere import (
    ask_other_table,
    awaits_other_table,
    can_let_stand,
    is_played_elsewhere,
    refuses_words,
    tell_illegal,
)
from controller.referee.table.games import allow, end_game, refuse_event, stop, void_roll
from controller.referee.table.lamps import frame_of
from controller.referee.table.lesson import follow_lesson, teaches
from controller.referee.table.rolls import (
    can_roll_be_played,
    is_of_other,
    is_roll_due,
    pass_closed_out,
    release_early_roll,
    roll_here,
    say_opening,
    take_opening_die,
    take_roll,
    tell_other_dice,
)
from controller.referee.table.sequels import is_double_due, name_double, read_double
from controller.referee.table.settings import MOST_HINT, DiceFrom
from controller.referee.table.state import Answer, Rated, Table, can_be_counted, conduct_of, mover_of
from controller.referee.table.turns import (
    count_as_likeliest,
    count_elsewhere,
    end_correction,
    end_film,
    end_turn,
    let_stand,
    reopen_turn,
    say_played,
)
from controller.rules import Roll, Side, is_result
from controller.rules.game import events as ruled
from controller.rules.moves.movement import STANDARD_FAMILY
from controller.rules.position import CHECKERS

JUST_S: Final = 2.0
"""Who has played presses within this many seconds, also where the opponent was quicker to roll."""
CLOCKS = {Button.CLOCK_LIGHT: Side.LIGHT, Button.CLOCK_DARK: Side.DARK}


def step(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
    """What becomes of the table, and what is to be done.

    An event from before the latest one counts as now: no clock runs backwards.
    """
    now = replace(table, t=max(table.t, event.t))
    on = Answer(now)
    _handle(on, event)
    on.table = follow_lesson(now, on.table, event)
    see_to_consequences(on, now)
    return on.table, tuple(on.actions)


def _handle(on: Answer, event: Event) -> None:
    match event:
        case events.FrameSeen():
            sights.frame_seen(on, event)
            _answer_held(on)
        case events.FrameSame():
            sights.see_same(on, event)
        case events.FrameMoving() | events.FrameLost():
            sights.miss_picture(on, event)
        case events.Ticked():
            sights.wait(on)
        case events.RollReported():
            on.change(allowed=False)
            _roll(on, event)
        case events.Pressed(button=button, side=side):
            _press_here(on, button, side)
        case events.Said(event=saying, by=by):
            _say(on, saying, by)
        case events.FilmEnded():
            end_film(on)
        case _:
            _ask(on, event)


def _roll(on: Answer, rolled: events.RollReported) -> None:
    """A roll of the electronic dice; one of which a die leans is void, whatever it shows."""
    if rolled.owner is not None and is_of_other(on.table, rolled.owner, rolled.t):
        tell_other_dice(on, rolled.owner, rolled.dice)
    elif rolled.cocked:
        on.do(DiceVoid(rolled.t, rolled.roll))
        on.tell(Message.COCKED, side=str(on.table.on_turn or ""), dice=list(rolled.dice))
    else:
        roll_here(on, rolled.dice, rolled.t)


def _press_here(on: Answer, button: Button, side: Side | None) -> None:
    """A button at this table; with the other side at another table none here is theirs."""
    remote = on.table.settings.remote
    if remote is None:
        _press(on, button, side)
        return
    whose = CLOCKS.get(button, side) or remote.opponent
    if button is not Button.PAUSE and (
        whose is remote or (button is Button.DONE and awaits_other_table(on.table))
    ):
        on.refuse(Cause.OTHER_TABLE)
    else:
        _press(on, button, whose)


def _press(on: Answer, button: Button, side: Side | None) -> None:
    match button:
        case Button.CLOCK_LIGHT | Button.CLOCK_DARK:
            _press_clock(on, CLOCKS[button])
        case Button.DONE if not _ends_turn_before(on.table, side):
            _press_done(on, side)
        case Button.DOUBLE:
            cubes.offer_double(on, side)
        case Button.TAKE:
            _accept(on, side)
        case Button.DROP:
            _decline(on, side)
        case Button.PAUSE:
            if on.table.phase in breaks.BROKEN_OFF:
                breaks.go_on(on)
            else:
                breaks.pause(on)


def _press_clock(on: Answer, side: Side) -> None:
    """A side pressed its clock: that ends its own turn, or has the other's illegal play stand."""
    table = on.table
    # Where only the camera saw the opening roll nobody is known to be on turn: whoever presses has played it.
    own, closed_out = table.on_turn in (side, None), _is_closed_out(table)
    if table.phase is Phase.PUT_RIGHT and table.flagged is not None and side is not table.flagged.side:
        let_stand(on)
    elif table.phase is Phase.MOVING and (own or closed_out):
        end_turn(on, EndedBy.ACT)
    elif table.phase is Phase.TO_ROLL and own and (closed_out or is_double_due(table)):
        _press_done(on)
    elif own and _is_roll_coming(table):
        on.change(held=table.t)
    elif table.phase is Phase.TO_ROLL and own:
        on.refuse()
    elif table.phase in (Phase.MOVING, Phase.TO_ROLL):
        on.tell(Message.NOT_YOUR_CLOCK, side=str(side))


def _is_roll_coming(table: Table) -> bool:
    """Whether a roll is due, and what may be its dice is seen but not read yet."""
    by_camera = table.settings.dice is DiceFrom.CAMERA
    return table.phase is Phase.TO_ROLL and by_camera and table.sightings.coming


def _answer_held(on: Answer) -> None:
    """A clock pressed while its roll was being read ends that turn, if it was a roll: who dances presses at once."""
    table = on.table
    if table.held is None:
        return
    if table.phase is Phase.MOVING and table.thrown is not None and table.thrown.t <= table.held:
        on.change(held=None)
        end_turn(on, EndedBy.ACT)
    elif table.phase is not Phase.TO_ROLL:
        on.change(held=None)
    elif not table.sightings.coming:
        on.change(held=None)
        on.refuse()


def _is_closed_out(table: Table) -> bool:
    """Whether the side on turn can enter with no number, and leaves its turn to the other without rolling."""
    return table.on_turn is not None and not can_roll_be_played(table, table.on_turn)


def _ends_turn_before(table: Table, side: Side | None) -> bool:
    """Whether a press belongs to the turn before, which the opponent's roll has ended already."""
    last = table.last_turn
    if last is None or last.throw.ended_by is not EndedBy.ROLL or table.thrown is None:
        return False
    just_rolled = table.t - table.thrown.t <= JUST_S and len(table.views) == 1
    return table.phase is Phase.MOVING and (
        side is table.on_turn.opponent if side and table.on_turn else just_rolled
    )


def _press_done(on: Answer, side: Side | None = None) -> None:
    """The button that says a turn is over; where the board stays unclear, that it is as it should be.

    ``side`` is whose button it is, None for one that both use.
    """
    table = on.table
    match table.phase:
        case Phase.MOVING:
            end_turn(on, EndedBy.ACT)
        case Phase.TURN_ENDED if can_be_counted(table):
            count_as_likeliest(on, table.ended_by)
            release_early_roll(on)
        case Phase.PUT_RIGHT if table.views and end_correction(on, EndedBy.ACT):
            return
        case Phase.SET_UP | Phase.GAME_OVER if not table.back:
            sights.see_laid_out(on, said=True)
        case Phase.DISPUTE | Phase.PAUSED:
            breaks.go_on(on)
        case Phase.TO_ROLL if is_double_due(table):
            _end_named(on)
        case Phase.TO_ROLL if _is_closed_out(table):
            pass_closed_out(on)
        case Phase.TO_ROLL if side is not None and side is table.on_turn and _is_roll_coming(table):
            on.change(held=table.t)
        case _:
            on.refuse()


def _end_named(on: Answer) -> None:
    """A turn is ended in which a double was due that nobody named: the board may show which one was played."""
    if read_double(on):
        end_turn(on, EndedBy.ACT)
    else:
        on.tell(Message.NAME_DOUBLE, side=mover_of(on.table))


def _accept(on: Answer, side: Side | None) -> None:
    """The button that takes a cube, accepts a resignation, lets a play stand, or allows a second roll."""
    table = on.table
    thrown, flagged = table.thrown, table.flagged
    if (answer := _answer_to_offer(table, ruled.Taken, ruled.ResignationAccepted)) is not None:
        _say(on, answer, str(side or ""))
    elif table.phase is Phase.PUT_RIGHT and flagged is not None:
        # A button that is shared does not tell who pressed it: it may have been the player.
        _ask(on, events.LetStand(table.t, str(side or flagged.side)))
    elif table.phase is not Phase.MOVING or thrown is None or thrown.again is None:
        on.refuse(Cause.NOTHING_OFFERED)
    elif side is not None and side is thrown.side:
        on.tell(Message.ANSWER_IS_OTHERS, side=str(side.opponent))
    else:
        _say_void(on)


def _decline(on: Answer, side: Side | None) -> None:
    """The button that passes a cube, refuses a resignation, or has the turn before corrected."""
    if (answer := _answer_to_offer(on.table, ruled.Passed, ruled.ResignationRefused)) is not None:
        _say(on, answer, str(side or ""))
    elif on.table.phase is Phase.TO_ROLL:
        reopen_turn(on)
    else:
        on.refuse(Cause.NOTHING_OFFERED)


def _answer_to_offer(
    table: Table,
    to_cube: type[ruled.Taken | ruled.Passed],
    to_resignation: type[ruled.ResignationAccepted | ruled.ResignationRefused],
) -> ruled.RulesEvent | None:
    """The words that a button stands for while a cube or a resignation is offered; None while nothing is."""
    game = table.match.game
    if table.phase is Phase.CUBE_OFFERED and game.offer is not None:
        return to_cube(game.offer.to)
    if table.phase is Phase.RESIGNATION_OFFERED and game.resignation is not None:
        return to_resignation(game.resignation.by.opponent)
    return None


BINDING: Final = (
    ruled.Doubled
    | ruled.Taken
    | ruled.Passed
    | ruled.Beavered
    | ruled.Raccooned
    | ruled.Resigned
    | ruled.ResignationAccepted
    | ruled.ResignationRefused
)
"""What nobody but the side itself, and the director for it, may say: it may cost that side the game."""
OF_DIRECTOR: Final = ruled.GameAwarded | ruled.MatchForfeited


def _may_say(on: Answer, saying: ruled.RulesEvent, by: str) -> bool:
    """Whether whoever speaks may say this; if not, it is said who may. Where nobody knows who spoke, they may."""
    if by not in set(Side):
        return True
    if isinstance(saying, OF_DIRECTOR):
        on.tell(Message.DIRECTOR_ONLY)
        return False
    if isinstance(saying, BINDING) and saying.side != by:
        on.tell(Message.ANSWER_IS_OTHERS, side=str(saying.side))
        return False
    return True


def _say(on: Answer, saying: ruled.RulesEvent, by: str) -> None:
    table = on.table
    if refuses_words(on, saying, by) or not _may_say(on, saying, by):
        return
    interrupted = table.phase in breaks.BROKEN_OFF or (table.phase is Phase.SET_UP and table.back)
    if interrupted and not isinstance(saying, OF_DIRECTOR):
        on.refuse()
        return
    match saying:
        case ruled.OpeningRoll(light, dark):
            _say_opening(on, light, dark)
        case ruled.Rolled(roll=roll):
            _say_roll(on, saying, roll)
        case ruled.DoubleNamed():
            name_double(on, saying)
        case ruled.RollVoided():
            _say_void(on)
        case ruled.Played():
            _say_played(on, saying, by)
        case ruled.TakenBack():
            undo.take_back(on, str(saying.side) if by == OTHER_TABLE else by)
            _see_rebuilt(on)
        case ruled.Doubled(side=side):
            cubes.offer_double(on, side)
        case ruled.Taken() | ruled.Passed() | ruled.Beavered() | ruled.Raccooned():
            cubes.answer_offer(on, saying)
        case ruled.Resigned():
            cubes.resign(on, saying)
        case ruled.ResignationAccepted() | ruled.ResignationRefused():
            cubes.answer_resignation(on, saying)
        case ruled.GameAwarded() | ruled.MatchForfeited():
            _award(on, saying, by)


def _say_opening(on: Answer, light: int, dark: int) -> None:
    """Somebody types the opening roll; where the other side rolls elsewhere, only the die of the side here counts."""
    remote = on.table.settings.remote
    if remote is None:
        say_opening(on, light, dark)
    else:
        take_opening_die(on, remote.opponent, light if remote is Side.DARK else dark)


def _say_roll(on: Answer, saying: ruled.RulesEvent, roll: Roll) -> None:
    """A roll that somebody typed, who says whose it was."""
    if on.table.phase is not Phase.TO_ROLL or allow(on, saying):
        take_roll(on, roll.dice, on.table.t)


def _say_void(on: Answer) -> None:
    """The roll being played does not count; the one that was thrown after it does."""
    thrown = on.table.thrown
    if on.table.phase is not Phase.MOVING or thrown is None:
        on.refuse(Cause.NO_ROLL)
        return
    void_roll(on)
    if thrown.again is not None:
        take_roll(on, thrown.again, on.table.t, seen=thrown.dice is None)


def _say_played(on: Answer, saying: ruled.Played, by: str) -> None:
    """A person says how the board stands: that settles what the pictures leave open."""
    table = on.table
    playing = table.phase in (Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT)
    if not playing or table.thrown is None or table.thrown.side not in (None, saying.side):
        refuse_event(on, saying)
        return
    if table.announced is not None and saying.after != table.announced:
        ask_for_announced(on)
        return
    say_played(on, saying.side, saying.after, by)
    release_early_roll(on)


def _ask(on: Answer, event: Event) -> None:
    table = on.table
    match event:
        case events.LetStand(by=by):
            if can_let_stand(table):
                return  # The play lies on the other board: the referee there has it stand.
            if table.phase is not Phase.PUT_RIGHT or table.flagged is None:
                on.refuse(Cause.NOTHING_ILLEGAL)
            elif by != OTHER_TABLE and table.flagged.side.opponent is table.settings.remote:
                on.refuse(Cause.OTHER_TABLE)
            elif by == str(table.flagged.side):
                on.tell(Message.ANSWER_IS_OTHERS, side=str(table.flagged.side.opponent))
            else:
                let_stand(on)
        case events.Correct():
            if table.phase is not Phase.PUT_RIGHT:
                reopen_turn(on)
        case events.RollStands(stands=stands):
            _decide_early(on, stands)
        case events.Pause():
            breaks.pause(on)
        case events.GoOn():
            breaks.go_on(on)
        case events.Disputed():
            breaks.dispute(on)
        case events.PositionRuled(by=by) if by in set(Side):
            on.tell(Message.DIRECTOR_ONLY)
        case events.PositionRuled():
            if event.by != DIRECTOR or not ask_other_table(on):
                _rule_position(on, event)
        case events.Rebuild(position=position):
            breaks.rebuild(on, position)
        case events.HintAsked(level=level):
            _hint(on, level)
        case events.BestPlayFound():
            _take_advice(on, event)
        case events.PlayAnnounced():
            _announce(on, event)
        case events.OpeningDie(side=side, die=die):
            take_opening_die(on, side, die)
        case events.IllegalElsewhere():
            tell_illegal(on, event)
        case events.UndoneElsewhere(ply=ply, word=word):
            undo.undo_as_told(on, ply, word)
        case events.CameTooLate():
            on.tell(Message.TOO_LATE)
        case events.ConsentGiven(given=given):
            on.change(consent=given)
        case events.ProfileChosen(profile=profile):
            if profile != table.match.game.profile:
                on.tell(Message.PROFILE_FIXED, profile=profile.name)
        case events.Stopped(by=by):
            if by == OTHER_TABLE or not ask_other_table(on):
                stop(on)
        case events.FlagFell(side=side):
            on.tell(Message.TIME_OVER, side=str(side))
        case events.DeviceChanged():
            breaks.change_device(on, event)
        case events.BoardTroubled():
            breaks.tell_trouble(on, event)
        case events.Resumed():
            breaks.resume(on)
        case events.Corrected(ended=ended):
            on.tell(Message.CORRECTED)
            if ended:
                match = on.table.match
                end_game(on, replace(match, results=match.results[:-1], winner=None))
    _see_rebuilt(on)


def _see_rebuilt(on: Answer) -> None:
    """What is to be laid out again may lie there already."""
    if on.table.back:
        sights.see_laid_out(on)


def _rule_position(on: Answer, event: events.PositionRuled) -> None:
    """A ruling, which comes after what was played at the other table, if the game is not over by that."""
    later = event.ply is None or event.ply > on.table.ply
    if not later or count_elsewhere(on):
        breaks.rule_position(on, event)


def _award(on: Answer, event: ruled.GameAwarded | ruled.MatchForfeited, by: str) -> None:
    """The director ends the game, after what was played at the other table, or the match."""
    if by != OTHER_TABLE and ask_other_table(on):
        return
    if count_elsewhere(on) or isinstance(event, ruled.MatchForfeited):
        breaks.award(on, event)


def _announce(on: Answer, event: events.PlayAnnounced) -> None:
    """An engine or the other table says how it plays; where nothing can be moved there is nothing to carry out."""
    table = on.table
    if event.side is not table.settings.remote or event.after != table.position:
        announce(on, event)
    elif table.phase is Phase.TO_ROLL and table.on_turn is event.side:
        pass_closed_out(on)
    elif is_played_elsewhere(table) and event.ply == table.ply:
        say_played(on, event.side, event.after, OTHER_TABLE)


def _decide_early(on: Answer, stands: bool) -> None:
    """Whether a premature roll stands: then the turn that it cut short is over."""
    if on.table.early is None or on.table.phase is not Phase.MOVING:
        on.refuse(Cause.NO_EARLY_ROLL)
    elif not stands:
        on.change(early=None)
    else:
        end_turn(on, EndedBy.ROLL)
        release_early_roll(on)


def _hint(on: Answer, level: int) -> None:
    if level > 0 and not conduct_of(on.table).shows_landing_points():
        on.tell(Message.NO_AIDS)
    else:
        on.change(hint=max(0, min(level, MOST_HINT)))


def _take_advice(on: Answer, found: events.BestPlayFound) -> None:
    """What an engine would play is shown, as far as it is legal here: it does not know every rule of a house.

    What comes when the turn is over is still worth telling of it.
    """
    table = on.table
    last = table.last_turn
    if table.phase is Phase.MOVING and table.thrown is not None and table.thrown.side is not None:
        before, side, roll = table.position, table.thrown.side, table.thrown.roll
    elif last is not None and last.turn is not None and last.turn.ply == found.ply:
        before, side, roll = last.turn.before, last.turn.side, last.turn.roll
    else:
        return
    rated = ((found.after, 0.0), *zip(found.others, found.losses, strict=False))
    rules = table.match.game.profile.movement
    legal = tuple(each for each in rated if is_result(before, side, roll, each[0], rules))
    if legal and legal[0][0] == found.after and (table.phase is not Phase.MOVING or found.ply == table.ply):
        on.change(rated=Rated(found.ply, before, roll, legal))


RUNNING = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT, Phase.CUBE_OFFERED})


def see_to_consequences(on: Answer, before: Table) -> None:
    """Have everything seen to that changed since ``before``."""
    after, actions = on.table, list[Action]()
    t = after.t
    if after.phase is not before.phase or after.on_turn is not before.on_turn:
        actions.append(PhaseBegun(t, after.phase, after.on_turn))
    if after.match.game.cube != before.match.game.cube:
        on.change(cube=after.cube.after_agreement(t))
    if before.undo_asked is not None and _stage_of(before) != _stage_of(after):
        on.change(undo_asked=None)
    running = clock_of(after)
    if after.settings.clock and running is not after.clock:
        actions.append(ClockRuns(t, running))
    allowed = after.settings.dice is DiceFrom.ELECTRONIC and (
        after.allowed or (_changed(before, after) and is_roll_due(after))
    )
    if allowed and not after.allowed:
        actions.append(RollAllowed(t))
    thrown = after.thrown
    if thrown is not None and thrown.side is not None and _wants_best(after) and not _wanted(before, after):
        actions.append(BestPlayWanted(t, after.ply, after.position, thrown.side, thrown.roll.dice))
    frame = frame_of(after)
    if frame == before.lit:
        frame = before.lit  # the same object, by which whoever compares two tables sees that nothing changed
    else:
        actions.append(Lit(frame))
    on.change(clock=running, allowed=allowed, lit=frame)
    on.do(*actions)


def _stage_of(table: Table) -> tuple[object, ...]:
    """Where play has come to: past this a wish to take back the last turn, to which nobody agreed, is forgotten."""
    return table.phase, table.ply, table.thrown is None, table.match.number


def clock_of(table: Table) -> Side | None:
    """Whose clock runs: who has to act; after a turn that is not judged yet the opponent."""
    if table.phase not in RUNNING:
        return None
    turn = table.on_turn
    if turn is table.settings.remote and table.announced is not None:
        return (
            None  # The turn is over at the other table, and nobody thinks while its checkers are moved here.
        )
    return turn.opponent if turn is not None and table.phase is Phase.TURN_ENDED else turn


def _changed(before: Table, after: Table) -> bool:
    """Whether anything happened that a roll may be due for: asking is not cheap."""
    return (
        before.phase is not after.phase
        or before.views is not after.views
        or before.thrown is not after.thrown
        or before.warned != after.warned
        or before.allowed
    )


def _wants_best(table: Table) -> bool:
    """Whether a learner is to be told of the best play, now or after their own, in a game that engines play."""
    rules = table.match.game.profile.movement
    known = rules.variant in STANDARD_FAMILY and rules.checkers == CHECKERS
    return known and teaches(table)


def _wanted(before: Table, after: Table) -> bool:
    """Whether the best play of the roll was asked for before, in the same place of the game."""
    was, now = before.thrown, after.thrown
    if was is None or now is None or not _wants_best(before):
        return False
    return (was.side, was.roll, before.position) == (now.side, now.roll, after.position)
