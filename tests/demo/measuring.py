"""What was done beside the turns, and how the referee's words compare with it: for measurements and tests."""

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from controller.demo.ledger import ROUNDED_S, Ledger, LoggedTurn, Truth, points_of
from controller.referee.actions import Acted, Action, CubeUnclear, Message, Told, TurnJudged, Unsure
from controller.rules.game.events import Doubled
from controller.rules.moves.plays import is_result
from controller.rules.position import Position, Side
from tests.bench.reliability import Stated
from tests.demo.accidents import Accident
from tests.demo.measured_player import MeasuredIntent
from tests.demo.rogues import OUT_OF_TURN, Misdeed

OF_ROLLS: Final = frozenset({Message.NO_PLAY, Message.STARTS, Message.TIE, Message.ROLL_TO_START})
"""Messages with dice that do not say that a roll does not count."""
PLAYED: Final = frozenset({Misdeed.HIDES, Misdeed.ROLLS_AGAIN, Misdeed.TURNS_DIE})
"""These end in a play, which is illegal."""
QUESTIONS: Final = frozenset({Message.LOOK, Message.WHICH_ROLL, Message.MOVED_OUT_OF_TURN, Message.PUT_BACK})
"""Messages after which somebody looks at the board."""
NOTHING_ENDED: Final = frozenset({Message.NOTHING_MOVED, Message.NOT_YOUR_CLOCK})


class Answer(StrEnum):
    """What the referee made of something that was done wrong."""

    NAMED = "named"
    OTHER_NAME = "other_name"
    """Somebody was told that a rule was broken, but not the right one."""
    ASKED = "asked"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class LoggedDeed:
    """Something done that is no part of one's own play.

    Attributes:
        game, ply: the turn in which it was done.
        side: who did it.
        what: what was done.
        points: where, 1..24 from light's side; empty where no checker was touched.
        t: when.
        dice: what was thrown or turned up, with `Misdeed.ROLLS_AGAIN` and `Misdeed.TURNS_DIE`.
        until: when the time in which it could be noticed was over; infinity before.
        noticed: whether it was noticed, once that is known.
    """

    game: int
    ply: int
    side: Side
    what: Misdeed
    points: tuple[int, ...]
    t: float
    dice: tuple[int, int] | None = None
    until: float = float("inf")
    noticed: bool = False


@dataclass(slots=True)
class MeasuringLedger(Ledger):
    """A ledger that also holds what is no part of a turn.

    Attributes:
        done: what was done beside the turns.
        cubes: when the referee said that the cube lies wrongly.
        doubles: when it took a double to be offered.
        unsure: game and ply of turns that count without being certain.
        stuck: how often a table stood still for good.
        unreadable: how often what was told is no match that other programs could read.
        boards: how the checkers truly lay whenever something was told, with the game and the time.
        hidden: the turns over which a hand lay.
        befell: what befell turns, by game and ply.
    """

    done: list[LoggedDeed] = field(default_factory=list)
    cubes: list[tuple[int, float]] = field(default_factory=list)
    doubles: list[tuple[int, float]] = field(default_factory=list)
    unsure: set[tuple[int, int]] = field(default_factory=set)
    stuck: int = 0
    unreadable: int = 0
    boards: list[tuple[int, float, Position]] = field(default_factory=list)
    hidden: list[Truth] = field(default_factory=list)
    befell: dict[tuple[int, int], Accident] = field(default_factory=dict)

    def remark(self, truths: Iterable[Truth], intent: MeasuredIntent) -> None:
        """Note of turns what was meant by them."""
        for truth in truths:
            if intent.hidden:
                self.hidden.append(truth)
            if intent.accident is not None:
                self.befell[truth.game, truth.ply] = intent.accident

    def begin(self, done: LoggedDeed) -> None:
        """Something is being done that is no part of a play."""
        self.done.append(done)

    def end(self, done: LoggedDeed, t: float, noticed: bool | None = None) -> None:
        """From now on it cannot be noticed any more; ``noticed`` where that does not follow from what was said."""
        closed = replace(done, until=t)
        seen = self.notices(closed) if noticed is None else noticed
        self.done[self.done.index(done)] = replace(closed, noticed=seen)

    def on_action(self, action: Action, board: Position) -> None:
        """See `Ledger`."""
        Ledger.on_action(self, action, board)
        if isinstance(action, TurnJudged | Told):
            self.boards.append((self.game, action.t, board))
        match action:
            case Unsure(ply=ply):
                self.unsure.add((self.game, ply))
            case Told(t=t, message=Message.CUBE_MOVED) | CubeUnclear(t=t):
                self.cubes.append((self.game, t))
            case Acted(t=t, event=Doubled()):
                self.doubles.append((self.game, t))

    def list_noticed(self) -> list[tuple[Truth, bool]]:
        """See `Ledger`; without what was hidden."""
        return [each for each in Ledger.list_noticed(self) if each[0] not in self.hidden]

    def list_accused(self) -> list[LoggedTurn]:
        """See `Ledger`."""
        return [one for one in self._wrongly_accused() if not self._by_opponent(one)]

    def list_accused_for_other(self) -> list[LoggedTurn]:
        """Turns called illegal although only the other side had done something wrong, each once."""
        return [one for one in self._wrongly_accused() if self._by_opponent(one)]

    def count_told_in_time(self) -> tuple[int, int]:
        """How many of the illegal plays were told before the next roll, and how many there were."""
        told = [self.time_told(truth) for truth, _ in self.list_noticed()]
        in_time = 0
        for (truth, _), t in zip(self.list_noticed(), told, strict=True):
            later = (at for game, at in self.rolls if game == truth.game and at > truth.ended_t)
            rolled = min(later, default=float("inf"))
            in_time += t is not None and t < rolled
        return in_time, len(told)

    def list_misplaced(self) -> list[LoggedTurn]:
        """Turns that count for certain with a position that the board did not have between their end and then."""
        last = {
            one.key: one for one in self.verdicts if one.turn.legal or (one.turn.stands and not one.flagged)
        }
        return [one for key, one in last.items() if key not in self.unsure and not self._lay_so(one)]

    def waits(self) -> list[float]:
        """Seconds from the end of each turn, and the hand gone, to its first verdict."""
        found = []
        for truth in self.truths:
            first = next(
                (
                    one
                    for one in self.verdicts
                    if one.key == (truth.game, truth.ply) and one.turn.t >= truth.ended_t
                ),
                None,
            )
            if first is not None:
                found.append(first.turn.t - max(truth.ended_t, min(first.moved_t, first.turn.t)))
        return found

    def notices(self, done: LoggedDeed) -> bool:
        """Whether the device has said something about a deed so far."""
        told = self.messages_between(done.game, done.t, done.until)
        match done.what:
            case Misdeed.ROLLS_AGAIN | Misdeed.TURNS_DIE:
                wanted = sorted(done.dice or ())
                return any(_dice_of(one) == wanted and one.message not in OF_ROLLS for one in told)
            case Misdeed.DOUBLES_LATE:
                refused = any(one.message is Message.REFUSED for one in told)
                return refused or (_within(done, self.cubes) and not _within(done, self.doubles))
            case Misdeed.TURNS_CUBE:
                return _within(done, self.cubes) and not _within(done, self.doubles)
            case Misdeed.PRESSES_CLOCK:
                return any(one.message in NOTHING_ENDED for one in told)
            case Misdeed.LETS_OWN_STAND:
                return not any(one.turn.stands and not one.flagged for one in self.since(done))
            case Misdeed.DOES_NOT_ROLL:
                return done.noticed
            case Misdeed.HIDES if any(not one.turn.legal for one in self._own(done)):
                return True
        return any(set(done.points) & points_of(one) for one in told)

    # --- how it was answered ---------------------------------------------------------------------------------

    def answer_to_play(self, truth: Truth) -> Answer:
        """What the referee made of an illegal play before the next turn was ended, or later of this one."""
        assert truth.cheat is not None
        key, end = (truth.game, truth.ply), self.next_end(truth)
        told = self.messages_between(truth.game, truth.ended_t, end)
        verdicts = [one.turn for one in self.verdicts_on(truth)]
        broken = [turn for turn in verdicts if turn.legal is False]
        codes = {str(reason.code) for turn in broken for reason in (*turn.reasons, *turn.also)}
        if codes & truth.cheat.labels or any(one.message in truth.cheat.labels for one in told):
            return Answer.NAMED
        if broken:
            return Answer.OTHER_NAME
        doubted = key in self.unsure or any(turn.legal is None for turn in verdicts)
        asked = any(one.message in QUESTIONS or set(truth.cheat.points) & points_of(one) for one in told)
        return Answer.ASKED if doubted or asked else Answer.SILENT

    def answer_to_deed(self, done: LoggedDeed) -> Answer:
        """What the referee made of a deed beside a play: who moved checkers is named where a message says who."""
        if done.what in OUT_OF_TURN:
            told = self.messages_between(done.game, done.t, done.until + ROUNDED_S)
            there = [one for one in told if set(done.points) & points_of(one)]
            if any(one.arguments.get("side") == str(done.side) for one in there):
                return Answer.NAMED
            doubted = any((done.game, ply) in self.unsure for ply in (done.ply, done.ply + 1))
            return Answer.ASKED if there or doubted else Answer.SILENT
        if done.noticed or (done.what in PLAYED and any(one.turn.legal is False for one in self._own(done))):
            return Answer.NAMED
        doubted = any(
            (done.game, ply) in self.unsure
            or any(one.turn.legal is None for one in self.verdicts if one.key == (done.game, ply))
            for ply in (done.ply, done.ply + 1)
        )
        return Answer.ASKED if doubted else Answer.SILENT

    def list_invented(self) -> tuple[list[LoggedTurn], list[LoggedTurn]]:
        """Turns in the record whose position the board never had: those that are told as certain, and the others."""
        last = {
            one.key: one
            for one in self.verdicts
            if not one.flagged and (one.turn.legal is not False or one.turn.stands)
        }
        wrong = [one for one in last.values() if not self._lay_so(one)]
        unsure = [one for one in wrong if one.key in self.unsure or one.turn.legal is None]
        return [one for one in wrong if one not in unsure], unsure

    def count_unconfirmed(self) -> tuple[int, int]:
        """How many turns were not confirmed in the end, and how many were told in all."""
        last = {one.key: one.turn for one in self.verdicts if not one.flagged}
        return sum(turn.legal is None for turn in last.values()), len(last)

    def list_stated(self) -> list[Stated]:
        """How surely the last word on each turn was told, and whether play, roll and verdict are so.

        Turns that are not confirmed are left out: nobody was told what they were. So are those beside which something
        else was done: what their board is to be is another question.
        """
        truths: dict[tuple[int, int], list[Truth]] = {}
        for truth in self.truths:
            truths.setdefault((truth.game, truth.ply), []).append(truth)
        last = {one.key: one for one in self.verdicts if not one.flagged}
        beside = {(one.game, one.ply + later) for one in self.done for later in range(2)}
        return [
            Stated(one.turn.probability, any(_is_so(one, truth, since) for truth in truths[key]))
            for key, one in last.items()
            for since in [self._boards_since(one)]
            if key in truths and key not in beside and one.turn.legal is not None
        ]

    def _lay_so(self, one: LoggedTurn) -> bool:
        """Whether the board lay as a turn is told at its end, when it was told, or in between."""
        return one.turn.after in {*(truth.after for truth in self.truths_of(one)), *self._boards_since(one)}

    def _boards_since(self, one: LoggedTurn) -> set[Position]:
        """How the board lay from the end of a turn until it was told."""
        ended = min((truth.ended_t for truth in self.truths_of(one)), default=one.turn.t) - ROUNDED_S
        meanwhile = (board for game, t, board in self.boards if game == one.game and ended <= t <= one.turn.t)
        return {one.board, *meanwhile}

    def since(self, done: LoggedDeed) -> list[LoggedTurn]:
        """The verdicts on the turn in which something was done, and on later ones, from then on."""
        return [
            one
            for one in self.verdicts
            if one.game == done.game and one.turn.t >= done.t and one.turn.ply >= done.ply
        ]

    def _own(self, done: LoggedDeed) -> list[LoggedTurn]:
        return [one for one in self.since(done) if one.turn.side is done.side]

    def _wrongly_accused(self) -> list[LoggedTurn]:
        return [one for one in Ledger.list_accused(self) if not self._done_by(one, one.turn.side)]

    def _by_opponent(self, verdict: LoggedTurn) -> bool:
        return self._done_by(verdict, verdict.turn.side.opponent)

    def _done_by(self, verdict: LoggedTurn, side: Side) -> bool:
        """Whether a side had done something in this turn or in the one before."""
        return any(
            one.side is side
            and one.game == verdict.game
            and one.ply in (verdict.turn.ply, verdict.turn.ply - 1)
            and one.t <= verdict.turn.t
            for one in self.done
        )


def _is_so(one: LoggedTurn, truth: Truth, since: Set[Position]) -> bool:
    """Whether what is told of a turn is what was done. An illegal play is one with whatever roll.

    A board that was knocked after the turn is told as it lies then: ``since`` is how it lay until the turn was told.
    An illegal play that was put right, because of what was told or asked, is told as the legal one that lies in its
    place.
    """
    turn = one.turn
    if turn.side is not truth.side or turn.after not in since | {truth.after}:
        return False
    if not turn.legal:
        return truth.cheat is not None
    put_right = turn.after == one.board and is_result(truth.before, truth.side, truth.roll, turn.after)
    return turn.roll == truth.roll and (truth.cheat is None or put_right)


def _dice_of(told: Told) -> list[object]:
    dice = told.arguments.get("dice")
    return sorted(dice, key=str) if isinstance(dice, list) else []


def _within(done: LoggedDeed, times: list[tuple[int, float]]) -> bool:
    """Whether one of these moments, each with its game, lies in the time in which a deed could be noticed."""
    return any(game == done.game and done.t <= t <= done.until for game, t in times)
