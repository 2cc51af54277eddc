"""What pictures say to each state of the table."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import CubeUnclear, FrameSkipped, Message, Phase
from controller.referee.belief.branches import Branch, EndedBy, Hypothesis, Kind, differing_points
from controller.referee.belief.decision import Outcome
from controller.referee.caution import Caution
from controller.referee.events import FrameLost, FrameMoving, FrameSame, FrameSeen
from controller.referee.seeing.cube_watch import Shown, Turned
from controller.referee.seeing.environment import survey
from controller.referee.seeing.evidence import evidence_of
from controller.referee.seeing.orientation import other_ways_round
from controller.referee.seeing.settled import SettledView, interrupt, with_hands, with_picture
from controller.referee.seeing.sightings import DICE, SURE, Sightings
from controller.referee.table.breaks import leave_set_up
from controller.referee.table.closing import judge_turn
from controller.referee.table.cubes import answer_offer, double_before_roll, offer_double
from controller.referee.table.games import open_game, start_of
from controller.referee.table.rolls import (
    release_early_roll,
    rests_until,
    see_roll_here,
    tell_turned,
    void_cocked,
)
from controller.referee.table.settings import DiceFrom, End
from controller.referee.table.state import (
    Answer,
    Table,
    at_rest,
    ends_of,
    is_seen_often,
    is_seen_since_end,
    shows,
    wrong_points,
)
from controller.referee.table.turns import (
    begin_anew,
    end_turn,
    go_on_playing,
    is_begun,
    look_again,
    look_back,
    settle_turn,
    watch_carrying,
    watch_correction,
)
from controller.rules import Position, Roll, Side
from controller.rules.game import events as ruled
from controller.rules.game.scoring import mother_lost

OTHER_REST: Final = 2.0
"""What is not legal has to lie still for this many times `Settings.rest_s`: players stop to think half way."""
LIFTED: Final = 2
"""In this many pictures at rest the dice of a roll must be gone to have been lifted: one may overlook them."""
SET_UP_ANEW: Final = 6
"""This many points must have left the start position before checkers set up anew begin another game: a play of two
numbers changes four at most."""
PLAYING: Final = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED})


def miss_picture(on: Answer, event: FrameMoving | FrameLost) -> None:
    """A picture that shows nothing of the board at rest."""
    if isinstance(event, FrameLost):
        on.do(FrameSkipped(event.t, event.frame, event.name, event.why))
    else:
        on.change(views=interrupt(on.table.views, event.t))


def see_same(on: Answer, event: FrameSame) -> None:
    """A picture that shows the board as it was read: a turn that was ended before it can be judged by that."""
    table = on.table
    awaited = at_rest(table) and not is_seen_since_end(table) and event.t >= table.ended_t
    if awaited or table.same_t is None:
        on.change(same_t=event.t)
    if awaited:
        settle_turn(on)
        release_early_roll(on)


def frame_seen(on: Answer, event: FrameSeen) -> None:
    """A picture that was read."""
    reading = event.reading
    if not reading.hand:
        environment, news = survey(on.table.environment, event, on.table.caution)
        on.change(environment=environment)
        on.do(*news)
    if reading.hand or not reading.recognised:
        on.change(views=interrupt(on.table.views, event.t), hands=with_hands(on.table.hands, reading.hands))
        return
    _pool(on, event)
    _look_at_cube(on, event)
    if on.table.settings.film and _is_set_up_anew(on.table):
        begin_anew(on)
    # A new roll first: what has changed on the board with it is its play, and no other end of the turn before.
    _look_at_dice(on, event)
    _look_at_board(on)


def _pool(on: Answer, event: FrameSeen) -> None:
    """The settled views after one more picture; it may show that the one before the roll was a glitch."""
    table = on.table
    evidence = evidence_of(event.reading, table.caution.rules.checkers)
    hands = with_hands(table.hands, event.reading.hands)
    picture = SettledView.of_picture(evidence, event.t, event.frame, event.reading.covered, hands)
    on.change(views=with_picture(table.views, picture), hands=())


def wait(on: Answer) -> None:
    """Time has gone by without a new picture: a board that has lain still for long enough ends a turn.

    Where it ends none it ends the game, if the last checker is off.
    """
    table = on.table
    if table.phase is not Phase.MOVING or not at_rest(table):
        return
    stood, rest_s = table.t - table.views[-1].resumed_t, table.settings.rest_s
    by_rest = End.REST in ends_of(table)
    if stood < rest_s or not (by_rest or _may_be_last(table)):
        return
    verdict = judge_turn(table)
    if verdict is None or verdict.outcome is Outcome.IDLE:
        return
    best, legal = verdict.entry, verdict.outcome is Outcome.LEGAL
    if by_rest:
        over = legal or (stood >= OTHER_REST * rest_s and not is_begun(best, table.caution))
    else:
        over = legal and _ends_game(table, best)
    if over:
        end_turn(on, EndedBy.REST)


def _ends_game(table: Table, entry: Hypothesis) -> bool:
    """Whether nothing is left to play after a turn: the last checker is off, or the mother is lost."""
    game = table.match.game.profile
    checkers = game.movement.checkers
    off = entry.side is not None and entry.after.off(entry.side, checkers) == checkers
    return off or (game.score.mother and bool(mother_lost(entry.after, game.movement)))


def _may_be_last(table: Table) -> bool:
    """Whether the play being made may be the last one of the game."""
    side, profile = table.on_turn, table.match.game.profile
    if side is None:
        return False
    checkers = profile.movement.checkers
    return profile.score.mother or checkers - table.position.off(side, checkers) <= 2 * DICE


def _look_at_board(on: Answer) -> None:
    """The board at rest, by what the table waits for."""
    match on.table.phase:
        case Phase.SET_UP | Phase.GAME_OVER:
            see_laid_out(on)
        case Phase.TO_ROLL | Phase.CUBE_OFFERED:
            look_again(on)
        case Phase.MOVING if on.table.announced is not None:
            watch_carrying(on)
        case Phase.MOVING:
            look_back(on)
        case Phase.TURN_ENDED:
            settle_turn(on)
            release_early_roll(on)
        case Phase.PUT_RIGHT:
            watch_correction(on)


def see_laid_out(on: Answer, *, said: bool = False) -> None:
    """Play begins, or goes on, when the board at rest shows the position that it is to be laid out as.

    Where somebody has ``said`` that it does, one point alone that looks otherwise is the reader's error: no checker
    leaves or comes to one point alone. How that point is misread is learned as of any look.
    """
    table = on.table
    if table.phase not in (Phase.SET_UP, Phase.GAME_OVER) or table.target is None or not table.views:
        return
    if not table.back and not is_seen_often(table):
        return
    right = (
        shows(table, table.target)
        or (said and len(wrong_points(table, table.target)) == 1)
        or _is_laid_out_as_played(table)
    )
    if not right:
        _guide(on, table.target)
    elif table.back:
        leave_set_up(on)
    else:
        open_game(on)


def _is_laid_out_as_played(table: Table) -> bool:
    """Whether people have laid out another board to which the game may have come.

    They lay out what was played, and the record may have what somebody said instead. Play goes on from there, and
    what follows tells which it was.
    """
    if not table.back or table.target != table.position or not is_seen_often(table):
        return False
    laid_out = table.views[-1].first_t > table.asked_t
    return laid_out and any(shows(table, branch.lies) for branch in table.beam)


def _is_set_up_anew(table: Table) -> bool:
    """Whether the board shows the start position where the game that is known has long left it."""
    if table.phase not in PLAYING or not table.views:
        return False
    if table.views[-1].covered or not is_seen_often(table):
        return False
    start = start_of(table)
    if table.position == start or not shows(table, start):
        return False
    played = (branch for branch in table.beam if not _is_heap(branch))
    return all(len(differing_points(branch.position, start)) >= SET_UP_ANEW for branch in played)


def _is_heap(branch: Branch) -> bool:
    """Whether a branch says that more was done in one turn than anybody does who plays, and against the rules."""
    if not branch.history or branch.last.kind not in (Kind.ILLEGAL, Kind.UNCLEAR):
        return False
    return len(differing_points(branch.last.before, branch.lies)) >= SET_UP_ANEW


def _guide(on: Answer, target: Position) -> None:
    """Say what is still to be laid out differently, or that all of it is the other way round."""
    points = wrong_points(on.table, target)
    if not at_rest(on.table) or not points:
        return
    ways = (message for message, position in other_ways_round(target) if shows(on.table, position))
    message = next(ways, None)
    if message is None:
        on.ask(points, Message.SET_UP)
    else:
        on.ask((), message)


def _look_at_cube(on: Answer, event: FrameSeen) -> None:
    table, game = on.table, on.table.match.game
    offered = None if game.offer is None else game.offer.value
    cube, turned = table.cube.with_cube(
        event.reading.cube, event.t, event.frame, Shown.due_for(game.cube), offered, table.caution
    )
    on.change(cube=cube)
    if table.phase in (Phase.SET_UP, Phase.GAME_OVER, Phase.MATCH_OVER):
        return
    if turned is not None and table.settings.remote is None:
        _follow_cube(on, turned)
    _ask_for_cube(on)


def _ask_for_cube(on: Answer) -> None:
    """Ask once for a cube that was not turned as agreed though there was time for it."""
    table = on.table
    game, watch, caution = table.match.game, table.cube, table.caution
    due = Shown.due_for(game.cube)
    if not game.has_cube or watch.told or watch.shown in (None, due) or table.phase is Phase.CUBE_OFFERED:
        return
    if watch.is_overdue(caution) and not watch.was_moved(caution):
        on.change(cube=replace(watch, told=True))
        on.tell(Message.CUBE_DUE, owner=due.owner, value=due.value)


def _follow_cube(on: Answer, turned: Turned) -> None:
    """The cube lies differently: as the rules say it should, as a double or a take, or as something to ask about."""
    table = on.table
    game, shown = table.match.game, turned.shown
    if shown == Shown.due_for(game.cube):
        return
    if game.offer is not None and table.phase is Phase.CUBE_OFFERED:
        if shown == Shown.due_for(game.offer):
            answer_offer(on, ruled.Taken(game.offer.to))
        if shown.value == game.offer.value:
            return
    doubler = _doubler(table, shown)
    if doubler is not None and doubler is game.turn:
        if table.phase is Phase.TO_ROLL:
            offer_double(on, doubler)
            return
        if table.thrown is not None and _may_be_before(turned, table.thrown.t, table.caution):
            double_before_roll(on)
            return
    if doubler is not None and doubler is not game.turn and shown.owner != "center" and _is_moved(table):
        offer_double(on, doubler)
        return
    if _offers_after_play(table, shown):
        assert game.turn is not None
        offer_double(on, game.turn.opponent)
        return
    if not table.cube.was_moved(table.caution):
        # On its way to where it was agreed to lie: it is asked for if it never gets there.
        return
    on.do(CubeUnclear(turned.t, turned.frame, shown.owner, shown.value))
    on.tell(Message.CUBE_MOVED, owner=shown.owner, value=shown.value)


def _is_moved(table: Table) -> bool:
    """Whether something was moved in the turn that is being played."""
    verdict = judge_turn(table)
    return verdict is not None and not verdict.entry.is_idle


def _offers_after_play(table: Table, shown: Shown) -> bool:
    """Whether the opponent doubles in the middle: a whole play lies there, and nothing else said that it was over.

    Whoever has rolled and played has no double; hardly anybody turns the cube then.
    """
    turn = table.match.game.turn
    if table.phase is not Phase.MOVING or turn is None or shown.owner != "center":
        return False
    if not _may_double(table, shown, turn.opponent):
        return False
    verdict = judge_turn(table)
    return verdict is not None and verdict.outcome is Outcome.LEGAL and not verdict.entry.is_idle


def _may_be_before(turned: Turned, rolled_t: float, caution: Caution) -> bool:
    """Whether the cube may have been turned before a roll: it was not seen to lie as before after it."""
    return turned.after_t <= rolled_t and turned.t <= rolled_t + caution.cube_late_s


def _doubler(table: Table, shown: Shown) -> Side | None:
    """Who doubled, if the cube was turned: it lies in the middle yet, or with the other side."""
    doubler = table.match.game.turn if shown.owner == "center" else Side(shown.owner).opponent
    return doubler if _may_double(table, shown, doubler) else None


def _may_double(table: Table, shown: Shown, side: Side | None) -> bool:
    """Whether the cube, lying so, counts twice what it did, and was this side's to turn."""
    cube = table.match.game.cube
    return shown.value == 2 * cube.value and cube.owner in (None, side)


def _look_at_dice(on: Answer, event: FrameSeen) -> None:
    """Dice seen in the picture: a new roll, the one being played, or that one lifted off the board."""
    before = on.table.sightings
    after, since = before.with_dice(event.reading.dice, event.t)
    if on.table.settings.dice is DiceFrom.CAMERA:
        moved = since is not None and after.repeats(before) and _were_moved(on.table, since)
        if since is not None and after.rolled and not moved and not _are_told(on.table, before, after, since):
            see_roll_here(on, after, since)
        on.change(sightings=after)
        _name_seen_roll(on)
        turned = None if after.turned == before.turned else after.turned
        if turned is not None and on.table.phase is Phase.MOVING and on.table.thrown is not None:
            tell_turned(on, turned)
    else:
        on.change(sightings=after)
    if any(die.cocked for die in event.reading.dice) and _shows_roll(on.table, event.t):
        void_cocked(on)
    if _is_lifted(on.table):
        end_turn(on, EndedBy.LIFTED)
    elif _are_not_lifted(on.table):
        go_on_playing(on)


def _are_told(table: Table, before: Sightings, after: Sightings, since: float) -> bool:
    """Whether dice that came in sight are those of the roll being played, which was told, and not seen until now.

    One of them may have come to lie where something lay before, and be taken for that.
    """
    thrown = table.thrown
    if thrown is None or thrown.dice is None or before.last_t >= thrown.t:
        return False
    came = after.came(since)
    if len(came) != DICE or min(die.trust for die in came) < SURE:
        return False
    one, other = (die.value for die in came)
    return Roll.from_dice(one, other) == thrown.roll


def _were_moved(table: Table, since: float) -> bool:
    """Whether dice like those of the turn, which came to lie elsewhere, were most likely moved while it went on."""
    if table.thrown is None:
        return False
    verdict = judge_turn(table, rests_until(table.views, since), EndedBy.ALIKE)
    return verdict is None or verdict.entry.kind in (Kind.VOID, Kind.UNFINISHED)


def _name_seen_roll(on: Answer) -> None:
    """The roll being played is what the pictures show by now."""
    table = on.table
    thrown = table.thrown
    if thrown is None or thrown.dice is not None or thrown.again or table.phase is not Phase.MOVING:
        return
    rolls = table.sightings.rolls(table.caution)
    if not rolls:
        return
    likeliest = max(rolls.items(), key=lambda one: one[1])[0]
    if likeliest != thrown.roll:
        game = table.match.game
        on.change_roll(roll=likeliest)
        if game.dice:
            on.change(match=replace(table.match, game=replace(game, dice=likeliest.dice)))


def _shows_roll(table: Table, t: float) -> bool:
    """Whether the roll being played has just come to lie, so that a leaning die is one of its own."""
    return table.thrown is not None and t - table.thrown.t <= table.caution.cube_late_s


def _are_not_lifted(table: Table) -> bool:
    """Whether a turn that ended with its dice taken up did not: they lie where they lay, and something hid them."""
    over = table.phase in (Phase.TURN_ENDED, Phase.PUT_RIGHT) and table.ended_by is EndedBy.LIFTED
    rolled = table.sightings.rolled
    return over and len(rolled) == DICE and not any(spot.missed for spot in rolled)


def _is_lifted(table: Table) -> bool:
    """Whether the dice of the roll being played were taken off the board, where that ends a turn."""
    if table.phase is not Phase.MOVING or table.thrown is None or End.DICE_LIFTED not in ends_of(table):
        return False
    if table.thrown.in_hand or not at_rest(table):
        return False
    seen: Sightings = table.sightings
    fresh = seen.first_seen_t >= table.thrown.t - table.caution.reported_late_s
    gone = bool(seen.rolled) and all(spot.missed >= LIFTED for spot in seen.rolled)
    return fresh and gone
