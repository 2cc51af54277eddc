"""What truly happened at the table, turn by turn, to hold what the referee said against."""

from dataclasses import dataclass, field, replace
from typing import Final

from controller.referee.actions import (
    Acted,
    Action,
    CubeUnclear,
    Flagged,
    GameOpened,
    Message,
    Told,
    TurnJudged,
    Unsure,
)
from controller.rules.game.events import Doubled
from controller.rules.position import Position, Roll, Side
from controller.rules.reasons import Argument
from controller.simulation.players.cheating import OTHERS_MOVED, Cheat
from controller.simulation.players.temperament import Misdeed

OF_ROLLS: Final = frozenset({Message.NO_PLAY, Message.STARTS, Message.TIE, Message.ROLL_TO_START})
"""Messages with dice that do not say that a roll does not count."""
GAMES: Final = 1000
"""More games than this no match has."""
NOTHING_ENDED: Final = frozenset({Message.NOTHING_MOVED, Message.NOT_YOUR_CLOCK})


@dataclass(frozen=True, slots=True)
class Truth:
    """A turn as it was ended.

    Attributes:
        game, ply, side, roll: which turn it is.
        before, after: how the board truly lay.
        cheat: what was done wrong in it on purpose; None for a legal play.
        ended_t: when its player said that it was over.
        hidden: whether a hand lay over what was done.
    """

    game: int
    ply: int
    side: Side
    roll: Roll
    before: Position
    after: Position
    cheat: Cheat | None
    ended_t: float
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class LoggedDeed:
    """Something done that is no part of one's own play.

    Attributes:
        game, ply: the turn in which it was done.
        side: who did it.
        what: what was done.
        points: where, 1..24 from light's side; empty where no checker was touched.
        t: when.
        dice: what was thrown, with `Misdeed.ROLLS_AGAIN`.
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


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A turn as the referee told it: ``board`` is how it truly lay then, ``moved_t`` when something last moved."""

    game: int
    turn: TurnJudged
    flagged: bool
    board: Position
    moved_t: float

    @property
    def key(self) -> tuple[int, int]:
        """Its game and ply."""
        return self.game, self.turn.ply


@dataclass(slots=True)
class Ledger:
    """Truths and verdicts in their order.

    Attributes:
        truths: the turns as they were ended.
        verdicts: the referee's; also of illegal plays that can still be corrected.
        done: what was done beside the turns.
        told: what the device said, each with its game.
        cubes: when it said that the cube lies wrongly.
        doubles: when it took a double to be offered.
        unsure: game and ply of turns that count without being certain.
        rolls: when dice were thrown.
        helped: how often a person had to say how the board stands.
        stuck: how often a table stood still for good.
        moved_t: when something last moved over the table.
        game: the game being played, by a number that no game of another match has.
    """

    truths: list[Truth] = field(default_factory=list)
    verdicts: list[LoggedTurn] = field(default_factory=list)
    done: list[LoggedDeed] = field(default_factory=list)
    told: list[tuple[int, Told]] = field(default_factory=list)
    cubes: list[tuple[int, float]] = field(default_factory=list)
    doubles: list[tuple[int, float]] = field(default_factory=list)
    unsure: set[tuple[int, int]] = field(default_factory=set)
    rolls: list[tuple[int, float]] = field(default_factory=list)
    helped: int = 0
    stuck: int = 0
    moved_t: float = 0.0
    game: int = 0
    _matches: int = 0

    # --- what happens ---------------------------------------------------------------------------------------

    def begin_match(self) -> None:
        """Another match begins, whose games are counted from 1 again, and whose time from 0."""
        self._matches += 1

    def roll(self, t: float) -> None:
        """Dice were thrown."""
        self.rolls.append((self.game, t))

    def begin(self, done: LoggedDeed) -> None:
        """Something is being done that is no part of a play."""
        self.done.append(done)

    def end(self, done: LoggedDeed, t: float, noticed: bool | None = None) -> None:
        """From now on it cannot be noticed any more; ``noticed`` where that does not follow from what was said."""
        closed = replace(done, until=t)
        seen = self.notices(closed) if noticed is None else noticed
        self.done[self.done.index(done)] = replace(closed, noticed=seen)

    def hear(self, action: Action, board: Position) -> None:
        """The referee wants something done; ``board`` is how the checkers truly lie."""
        match action:
            case GameOpened(number=number):
                self.game = GAMES * self._matches + number
            case TurnJudged():
                self.verdicts.append(LoggedTurn(self.game, action, False, board, self.moved_t))
            case Flagged(turn=turn):
                self.verdicts.append(
                    LoggedTurn(self.game, replace(turn, t=action.t), True, board, self.moved_t)
                )
            case Unsure(ply=ply):
                self.unsure.add((self.game, ply))
            case Told():
                self.told.append((self.game, action))
                if action.message is Message.CUBE_MOVED:
                    self.cubes.append((self.game, action.t))
            case Acted(t=t, event=Doubled()):
                self.doubles.append((self.game, t))
            case CubeUnclear(t=t):
                self.cubes.append((self.game, t))

    # --- what the referee made of it ------------------------------------------------------------------------

    def accused(self) -> list[LoggedTurn]:
        """Turns called illegal in which nobody had done anything wrong, each once."""
        return [one for one in self._wrongly_accused() if not self._by_opponent(one)]

    def accused_for_other(self) -> list[LoggedTurn]:
        """Turns called illegal although only the other side had done something wrong, each once."""
        return [one for one in self._wrongly_accused() if self._by_opponent(one)]

    def noticed(self) -> list[tuple[Truth, bool]]:
        """Every illegal turn that no hand hid, and whether it was noticed with a right reason.

        Where only the opponent's checkers lie wrongly the board does not tell whose deed it was: there it is
        enough that somebody was asked to look where it was done.
        """
        return [
            (truth, self.told_right(truth) is not None)
            for truth in self.truths
            if truth.cheat is not None and not truth.hidden
        ]

    def told_right(self, truth: Truth) -> float | None:
        """When an illegal turn was told with a right reason; None if it never was."""
        assert truth.cheat is not None
        times = [
            one.turn.t
            for one in self.verdicts
            if one.key == (truth.game, truth.ply) and truth.cheat.labels & _codes(one.turn)
        ]
        times += [
            told.t
            for told in self._told_between(truth.game, truth.ended_t, self._next_end(truth))
            if told.message in truth.cheat.labels
            or (truth.cheat.wrong in OTHERS_MOVED and set(truth.cheat.points) & _points(told))
        ]
        return min(times, default=None)

    def told_in_time(self) -> tuple[int, int]:
        """How many of the illegal plays were told before the next roll, and how many there were."""
        told = [self.told_right(truth) for truth, _ in self.noticed()]
        in_time = 0
        for (truth, _), t in zip(self.noticed(), told, strict=True):
            later = (at for game, at in self.rolls if game == truth.game and at > truth.ended_t)
            rolled = min(later, default=float("inf"))
            in_time += t is not None and t < rolled
        return in_time, len(told)

    def concluded(self) -> tuple[int, int]:
        """How many turns were concluded as they truly ended, and how many there were."""
        told = {(*one.key, one.turn.after, one.turn.legal) for one in self.verdicts}
        right = sum((one.game, one.ply, one.after, one.cheat is None) in told for one in self.truths)
        return right, len(self.truths)

    def misplaced(self) -> list[LoggedTurn]:
        """Turns that count for certain with a position that was not the board's, neither then nor at their end."""
        ends: dict[tuple[int, int], set[Position]] = {}
        for truth in self.truths:
            ends.setdefault((truth.game, truth.ply), set()).add(truth.after)
        last = {
            one.key: one for one in self.verdicts if one.turn.legal or (one.turn.stands and not one.flagged)
        }
        return [
            one
            for key, one in last.items()
            if key not in self.unsure
            and one.turn.after != one.board
            and one.turn.after not in ends.get(key, ())
        ]

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

    # --- what was done beside the turns ---------------------------------------------------------------------

    def notices(self, done: LoggedDeed) -> bool:
        """Whether the device has said something about a deed so far."""
        told = self._told_between(done.game, done.t, done.until)
        match done.what:
            case Misdeed.ROLLS_AGAIN:
                wanted = list(done.dice or ())
                return any(
                    one.arguments.get("dice") == wanted and one.message not in OF_ROLLS for one in told
                )
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
        return any(set(done.points) & _points(one) for one in told)

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
        broken = {(truth.game, truth.ply) for truth in self.truths if truth.cheat is not None}
        found: dict[tuple[int, int], LoggedTurn] = {}
        for one in self.verdicts:
            if one.turn.legal or one.key in broken or self._done_by(one, one.turn.side):
                continue
            found.setdefault(one.key, one)
        return list(found.values())

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

    def _told_between(self, game: int, start: float, end: float) -> list[Told]:
        return [one for number, one in self.told if number == game and start <= one.t <= end]

    def _next_end(self, truth: Truth) -> float:
        later = (one.ended_t for one in self.truths if one.game == truth.game and one.ended_t > truth.ended_t)
        return min(later, default=float("inf"))


def _within(done: LoggedDeed, times: list[tuple[int, float]]) -> bool:
    """Whether one of these moments, each with its game, lies in the time in which a deed could be noticed."""
    return any(game == done.game and done.t <= t <= done.until for game, t in times)


def _codes(turn: TurnJudged) -> set[str]:
    return set() if turn.legal else {str(reason.code) for reason in (*turn.reasons, *turn.also)}


def _points(told: Told) -> set[int]:
    points: Argument = told.arguments.get("points")
    return {one for one in points if isinstance(one, int)} if isinstance(points, list) else set()
