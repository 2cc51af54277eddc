"""Rolls: due and not due, too early, again, and to start."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from controller.referee.actions import Message, Phase
from controller.referee.belief import rates
from controller.referee.belief.branches import EndedBy, Kind, lawful
from controller.referee.belief.decision import Outcome, Verdict
from controller.referee.seeing.cube_watch import Shown
from controller.referee.seeing.evidence import WITNESS
from controller.referee.seeing.settled import SettledViews
from controller.referee.seeing.sightings import DICE, Sightings
from controller.referee.table.closing import (
    close_void,
    finish_turn,
    hand_over,
    judge_turn,
    tell_disturbed,
    tell_pass,
)
from controller.referee.table.cubes import answer_offer
from controller.referee.table.elsewhere import is_played_elsewhere, may_roll_here
from controller.referee.table.games import act, allow, at_game_start, open_game, refusal, void_roll
from controller.referee.table.sequels import is_double_due, name_double, read_double
from controller.referee.table.settings import End, Premature
from controller.referee.table.state import (
    Answer,
    Table,
    Thrown,
    conduct_of,
    ends_of,
    mover_of,
    wrong_points,
)
from controller.referee.table.turns import count_as_likeliest, end_correction, let_stand
from controller.rules import Position, Roll, Side, advance
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import Pairs, Reroll

CERTAINLY_OTHER: Final = 12.0
"""A board so much unlike the position to be laid out (log-likelihood) is certainly another one: who rolls then has
not set up, and in any smaller doubt has."""


def take_roll(on: Answer, dice: tuple[int, int], t: float, *, seen: bool = False) -> None:
    """Two dice were thrown at ``t``, in their order: at the opening light's comes first.

    ``seen`` tells that they were seen in pictures, which show them better as time goes on and whose order
    means nothing.
    """
    match on.table.phase:
        case Phase.SET_UP | Phase.GAME_OVER:
            _begin_with_roll(on, dice, t, seen)
        case Phase.OPENING_ROLL:
            _open_with_roll(on, dice, t, seen)
        case Phase.TO_ROLL:
            _roll_after_turn(on, dice, t, seen)
        case Phase.MOVING:
            _roll_while_moving(on, dice, t, seen)
        case Phase.TURN_ENDED:
            _overtake(on, dice, t, seen)
        case Phase.PUT_RIGHT:
            if not end_correction(on, EndedBy.ROLL) or on.table.phase is Phase.PUT_RIGHT:
                let_stand(on)
            take_roll(on, dice, t, seen=seen)
        case Phase.CUBE_OFFERED:
            _roll_before_answer(on, dice, t, seen)
        case _:
            on.tell(Message.ROLL_NOT_DUE, dice=list(dice))


def roll_here(on: Answer, dice: tuple[int, int], t: float) -> None:
    """The dice at this table were thrown; with the other side at another table that may be no roll that is due.

    At the opening each side rolls one die at its own table: of two that are reported in their order its own counts.
    """
    own = _own_side(on.table)
    if own is None or (on.table.phase is not Phase.OPENING_ROLL and may_roll_here(on.table)):
        take_roll(on, dice, t)
    elif on.table.phase is Phase.OPENING_ROLL:
        take_opening_die(on, own, dice[own is Side.DARK])
    elif is_played_elsewhere(on.table):
        on.tell(Message.ROLL_TOO_EARLY, side=mover_of(on.table), dice=list(dice))
    else:
        on.tell(Message.ROLL_NOT_DUE, dice=list(dice))


def see_roll_here(on: Answer, sightings: Sightings, t: float) -> None:
    """Dice that came to lie on this board; they are a roll if one was due here."""
    own = _own_side(on.table)
    if own is not None and on.table.phase is Phase.OPENING_ROLL:
        if len(sightings.rolled) == 1:
            take_opening_die(on, own, sightings.rolled[0].value)
        else:
            dice = [die.value for die in sightings.rolled]
            on.tell(Message.OPENING_DICE, owner=str(own), dice=dice)
    elif may_roll_here(on.table):
        likeliest = max(sightings.rolls(on.table.caution).items(), key=lambda one: one[1])[0]
        take_roll(on, likeliest.dice, t, seen=True)


def take_opening_die(on: Answer, side: Side, die: int) -> None:
    """A side rolled its die to start, at its own table; the first one counts. With both of them play begins."""
    opening = on.table.opening
    if on.table.settings.remote is None:
        return
    if on.table.phase is not Phase.OPENING_ROLL or side in opening:
        on.tell(Message.ROLL_NOT_DUE, dice=[die])
        return
    known = {**opening, side: die}
    on.change(opening=known)
    if len(known) == len(Side):
        on.change(opening={})
        take_roll(on, (known[Side.LIGHT], known[Side.DARK]), on.table.t)


def _own_side(table: Table) -> Side | None:
    """The side that sits here, where the other one sits at another table."""
    return None if table.settings.remote is None else table.settings.remote.opponent


def is_of_other(table: Table, owner: Side, t: float) -> bool:
    """Whether a roll at ``t`` with the own dice of ``owner`` is not the one that is due, by rules of a pair a side.

    A player who rolls again before anything was moved is asked about that, and not about the dice. Where the side to
    roll can enter with no number, the other one may roll at once.
    """
    if conduct_of(table).pairs is Pairs.SHARED:
        return False
    match table.phase:
        case Phase.OPENING_ROLL:
            return at_game_start(table)
        case Phase.TO_ROLL:
            side = table.match.game.turn
            return side is owner.opponent and can_roll_be_played(table, side)
        case Phase.TURN_ENDED | Phase.PUT_RIGHT:
            return table.thrown is not None and table.thrown.side is owner
        case Phase.MOVING if table.thrown is not None and table.thrown.side is owner and can_move(table):
            verdict = judge_turn(table, rests_until(table.views, t), ended_by_roll(table))
            return verdict is not None and not _is_untouched(verdict)
    return False


def tell_other_dice(on: Answer, owner: Side, dice: tuple[int, int]) -> None:
    """A roll with the dice of ``owner`` was not the one that is due; it does not count."""
    if on.table.phase is Phase.OPENING_ROLL:
        on.tell(Message.OPENING_DICE, owner=str(owner), dice=list(dice))
    else:
        on.tell(Message.OTHER_DICE, side=str(owner.opponent), owner=str(owner), dice=list(dice))


def release_early_roll(on: Answer) -> None:
    """The premature roll that was waiting counts now, if there is one and it is its turn."""
    early = on.table.early
    if early is not None and on.table.phase is Phase.TO_ROLL:
        on.change(early=None)
        take_roll(on, early, on.table.t)


def say_opening(on: Answer, light: int, dark: int) -> None:
    """Somebody tells the opening roll, or whose die of the one that was seen was the higher one."""
    thrown, game = on.table.thrown, on.table.match.game
    seen = thrown is not None and thrown.side is None and thrown.roll == Roll.from_dice(light, dark)
    if on.table.phase is not Phase.MOVING or not seen or game.turn is not None or light == dark:
        take_roll(on, (light, dark), on.table.t)
        return
    _name_starter(on, (light, dark))
    if on.table.match.game.dice:
        on.change_roll(side=on.table.match.game.turn)


def is_roll_due(table: Table) -> bool:
    """Whether somebody may roll now.

    Where nothing but the next roll ends a turn, it may be made as soon as a complete play lies there, or
    nobody can say that none does.
    """
    if not may_roll_here(table):
        return False
    if table.phase in (Phase.OPENING_ROLL, Phase.TO_ROLL):
        return not is_double_due(table)
    if table.phase is Phase.TURN_ENDED:
        return bool(table.warned)
    if table.phase is not Phase.MOVING or ends_of(table) & {End.CLOCK} or table.announced is not None:
        return False
    verdict = judge_turn(table)
    return verdict is not None and verdict.outcome in (Outcome.LEGAL, Outcome.UNSURE, Outcome.DISTURBED)


def can_move(table: Table) -> bool:
    """Whether there is a legal play of the roll being played."""
    if table.thrown is None or table.thrown.side is None:
        return table.thrown is not None
    ends = lawful(table.position, table.thrown.side, table.thrown.roll, table.caution.rules)
    return ends != (table.position,)


def can_roll_be_played(table: Table, side: Side) -> bool:
    """Whether any roll at all would let ``side`` move: a player who is closed out need not roll."""
    position, rules = table.position, table.caution.rules
    if not position.bar(side):
        return True
    return any(lawful(position, side, Roll.from_dice(die, die), rules) != (position,) for die in range(1, 7))


def pass_closed_out(on: Answer) -> None:
    """The side to roll cannot enter with any number, and leaves its turn to the other without rolling."""
    table, game = on.table, on.table.match.game
    assert game.turn is not None
    finish_turn(on)
    side = game.turn
    tell_pass(on, side)
    on.change(
        match=replace(table.match, game=replace(game, turn=side.opponent, undo=None)),
        ply=table.ply + 1,
        beam=tuple(replace(branch, side=side.opponent, ply=branch.ply + 1) for branch in on.table.beam),
        warned=(),
    )


def _think_of_pass(on: Answer, side: Side) -> None:
    """The roll may be the other side's, since the one to roll cannot enter with any number: the play will show it."""
    table = on.table
    passed = tuple(
        replace(branch, side=side.opponent, ply=branch.ply + 1, score=branch.score + rates.PASSED.log)
        for branch in table.beam
        if branch.side is side
    )
    on.change(beam=table.beam + passed)


def void_cocked(on: Answer) -> None:
    """A die of the roll leans: it is void and is rolled again, unless something was played already."""
    table = on.table
    if table.phase is not Phase.MOVING or table.thrown is None:
        return
    verdict = judge_turn(table)
    if verdict is not None and len(table.views) > 1 and verdict.outcome is not Outcome.IDLE:
        return
    on.tell(Message.COCKED, side=mover_of(table), dice=list(table.thrown.roll.dice))
    void_roll(on)


def _begin_with_roll(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """A roll before the checkers were seen to stand rightly: in doubt they do."""
    table = on.table
    target = table.target or table.position
    if table.back and not table.views:
        on.change(phase=table.back[-1], back=table.back[:-1], target=None)
        take_roll(on, dice, t, seen=seen)
        return
    if table.back or (table.views and _is_wrong(table, target)):
        points = wrong_points(table, target) if table.views else ()
        on.tell(Message.SET_UP_WRONG, points=list(points))
        return
    open_game(on)
    take_roll(on, dice, t, seen=seen)


def _is_wrong(table: Table, target: Position) -> bool:
    last = table.views[-1]
    return last.until is None and float(last.visible.scores([target])[0]) < -CERTAINLY_OTHER


def _open_with_roll(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    if seen or on.table.settings.film or not at_game_start(on.table):
        _begin_play(on, None, dice, t, seen)
        return
    _name_starter(on, dice)
    game = on.table.match.game
    if game.dice:
        _begin_play(on, game.turn, dice, t, seen)


def _name_starter(on: Answer, dice: tuple[int, int]) -> None:
    """The dice of the opening roll, light's first, tell who starts; where that side rolls again, it is to roll."""
    act(on, ruled.OpeningRoll(*dice))
    game = on.table.match.game
    if game.turn is None:
        on.tell(Message.TIE, dice=list(dice), value=game.cube.value)
        return
    on.tell(Message.STARTS, side=str(game.turn), dice=list(dice))
    on.name_next(game.turn)
    if not game.dice:
        on.change(phase=Phase.TO_ROLL, thrown=None)


def _roll_after_turn(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """The next turn begins; what changed on the board since the last one may belong to that one, or to neither."""
    if is_double_due(on.table):
        _roll_before_double(on, dice, t, seen)
        return
    finish_turn(on)
    table = on.table
    side = table.match.game.turn
    if side is None or on.table.phase is not Phase.TO_ROLL:
        _begin_play(on, side, dice, t, seen)
        return
    if not can_roll_be_played(table, side) and not seen:
        _think_of_pass(on, side)
    match = on.table.match
    if refusal(match, ruled.Rolled(side, Roll.from_dice(*dice))) is None:
        match = advance(match, ruled.Rolled(side, Roll.from_dice(*dice)))
    on.change(match=match)
    _begin_play(on, side, dice, t, seen)


def _roll_before_double(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """Dice before the double was named: turned to it in sight of the camera, or it was played without being named."""
    side = on.table.match.game.turn
    assert side is not None
    high, low = dice
    if seen and high == low:
        name_double(on, ruled.DoubleNamed(side, high))
    elif read_double(on):
        take_roll(on, dice, t, seen=seen)
    elif not seen:
        allow(on, ruled.Rolled(side, Roll.from_dice(high, low)))


def _begin_play(on: Answer, side: Side | None, dice: tuple[int, int], t: float, seen: bool) -> None:
    """The roll is to be played from how the board lies."""
    views = on.table.views
    over = rests_until(views, t)
    if len(over) > 1 and not _has_changed(on.table, over):
        views = views[len(over) - 1 :]
    on.change(
        phase=Phase.MOVING,
        thrown=Thrown(side, Roll.from_dice(*dice), t, None if seen else dice),
        views=views,
        ended_by=EndedBy.NOTHING,
        warned=(),
    )
    points = wrong_points(replace(on.table, views=over), on.table.position) if over else ()
    if points and _has_changed(on.table, over):
        tell_disturbed(on, points, hand_over(over[1:], points), over[-1])
    if not can_move(on.table):
        on.tell(Message.NO_PLAY, side=str(side), dice=list(dice))


def _has_changed(table: Table, over: SettledViews) -> bool:
    """Whether checkers lie otherwise before a roll than they did when the turn before was judged."""
    if len(over) < 2 or table.settings.film:
        return len(over) > 1
    was, now = over[0].visible.by_place(table.position), over[-1].visible.by_place(table.position)
    changed = (now[:24] < -WITNESS) & (was[:24] > -WITNESS)
    return bool(changed.any())


def rests_until(views: SettledViews, t: float) -> SettledViews:
    """The settled views that had begun at ``t``."""
    return tuple(view for view in views if view.first_t <= t)


def _roll_while_moving(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """Another roll while one is being played: the turn is over, or the first one did not count."""
    table = on.table
    over = rests_until(table.views, t)
    verdict = judge_turn(table, over, ended_by_roll(table))
    if (verdict is None and can_move(table)) or (verdict is not None and _is_untouched(verdict)):
        if _own_side(table) is not None and table.match.game.opening_dice:
            _refuse_opening_dice(on, dice, seen)
        else:
            _roll_again(on, verdict, dice, t, seen)
        return
    if table.settings.remote is not None:
        # The other side rolls at its own table: these dice end no turn.
        if not seen:
            on.tell(Message.ROLL_NOT_DUE, dice=list(dice))
        return
    if table.settings.clock and End.CLOCK in ends_of(table):
        early = table.settings.premature
        if early is Premature.VOID:
            on.tell(Message.ROLL_TOO_EARLY, side=mover_of(table), dice=list(dice))
            return
        if early is Premature.ASK:
            on.change(early=dice)
            on.tell(Message.ROLL_TOO_EARLY, side=mover_of(table), dice=list(dice), ask=1)
            return
    _overtake(on, dice, t, seen)


def _refuse_opening_dice(on: Answer, dice: tuple[int, int], seen: bool) -> None:
    """Each side has rolled its die to start at its own table: two dice of one table take the place of neither.

    Whoever wants another opening roll says that this one is void, and both sides roll.
    """
    if not seen or len(on.table.sightings.rolled) == DICE:
        on.tell(Message.OPENING_DICE, owner=str(mover_of(on.table)), dice=list(dice))


def _is_untouched(verdict: Verdict) -> bool:
    """Whether most likely nothing was played, and nothing displaced; who rolled again is another question."""
    return verdict.entry.kind is Kind.VOID and not verdict.entry.displaced


def ended_by_roll(table: Table) -> EndedBy:
    """What ended a turn in which the next roll has come: the player may have said before that it was over.

    Whoever said so when nothing was moved may have begun to play since.
    """
    said = table.phase is not Phase.MOVING and table.ended_by is EndedBy.ACT
    return EndedBy.ACT if said else EndedBy.ROLL


def _roll_again(on: Answer, verdict: Verdict | None, dice: tuple[int, int], t: float, seen: bool) -> None:
    """Nothing was moved: the roll before was void, if that is allowed, and this one takes its place.

    Where the rules have people asked, the first roll stands until they allow the second one or play it.
    """
    table, reroll = on.table, conduct_of(on.table).reroll
    thrown = table.playing
    free = table.settings.film or thrown.side is None or reroll is Reroll.FREE
    certain = not seen or len(table.sightings.rolled) == DICE
    if not free and certain and Roll.from_dice(*dice) != thrown.roll:
        first = thrown.first or (table.sightings.rolls(table.caution) if seen else None)
        _tell_second_roll(on, dice, first)
        return
    if verdict is None:
        void_roll(on)
    else:
        close_void(on, verdict)
    take_roll(on, dice, t, seen=seen)


def tell_turned(on: Answer, dice: tuple[int, int]) -> None:
    """A die of the roll being played was turned over by hand: the roll stands, and that is told."""
    _tell_second_roll(on, dice, on.table.playing.first)


def _tell_second_roll(on: Answer, dice: tuple[int, int], first: Mapping[Roll, float] | None) -> None:
    """Other dice are shown than were rolled ``first``: where the rules have people asked, they may yet count."""
    rolled = list(on.table.playing.roll.dice)
    if conduct_of(on.table).reroll is Reroll.ASK:
        on.change_roll(again=dice, first=first)
    on.tell(Message.ROLLED_AGAIN, side=mover_of(on.table), dice=list(dice), first=rolled)


def _overtake(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """The opponent rolled before the turn was judged: it is judged now, and is final with it."""
    table = on.table
    if not table.views:
        on.change(phase=Phase.TURN_ENDED, early=dice)
        on.tell(Message.LOOK, points=[])
        return
    over = rests_until(table.views, t) or table.views
    later = table.views[len(over) :]
    on.change(views=over)
    count_as_likeliest(on, ended_by_roll(table))
    if on.table.announced is not None:
        # An engine's play is not carried out yet: what the person rolls for themselves comes after it.
        on.change(views=on.table.views + later)
        on.tell(Message.ROLL_TOO_EARLY, side=mover_of(table), dice=list(dice))
        return
    on.change(views=on.table.views[-1:] + later)
    take_roll(on, dice, t, seen=seen)


def _roll_before_answer(on: Answer, dice: tuple[int, int], t: float, seen: bool) -> None:
    """A cube that was seen to be taken lies with its new owner: then the roll is the doubler's."""
    offer = on.table.match.game.offer
    if offer is None or on.table.cube.shown != Shown.due_for(offer):
        on.tell(Message.ROLL_BEFORE_ANSWER, dice=list(dice))
        return
    answer_offer(on, ruled.Taken(offer.to))
    take_roll(on, dice, t, seen=seen)
