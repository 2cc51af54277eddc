"""What was done beside the turns, and how the referee's words compare with it: for measurements and tests."""

from dataclasses import dataclass, field, replace
from typing import Final

from controller.demo.ledger import Ledger, LoggedTurn, points_of
from controller.referee.actions import Acted, Action, CubeUnclear, Message, Told, Unsure
from controller.rules.game.events import Doubled
from controller.rules.position import Position, Side
from controller.simulation.players.temperament import Misdeed

OF_ROLLS: Final = frozenset({Message.NO_PLAY, Message.STARTS, Message.TIE, Message.ROLL_TO_START})
"""Messages with dice that do not say that a roll does not count."""
NOTHING_ENDED: Final = frozenset({Message.NOTHING_MOVED, Message.NOT_YOUR_CLOCK})


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


@dataclass(slots=True)
class MeasuringLedger(Ledger):
    """A ledger that also holds what is no part of a turn.

    Attributes:
        done: what was done beside the turns.
        cubes: when the referee said that the cube lies wrongly.
        doubles: when it took a double to be offered.
        unsure: game and ply of turns that count without being certain.
        stuck: how often a table stood still for good.
    """

    done: list[LoggedDeed] = field(default_factory=list)
    cubes: list[tuple[int, float]] = field(default_factory=list)
    doubles: list[tuple[int, float]] = field(default_factory=list)
    unsure: set[tuple[int, int]] = field(default_factory=set)
    stuck: int = 0

    def begin(self, done: LoggedDeed) -> None:
        """Something is being done that is no part of a play."""
        self.done.append(done)

    def end(self, done: LoggedDeed, t: float, noticed: bool | None = None) -> None:
        """From now on it cannot be noticed any more; ``noticed`` where that does not follow from what was said."""
        closed = replace(done, until=t)
        seen = self.notices(closed) if noticed is None else noticed
        self.done[self.done.index(done)] = replace(closed, noticed=seen)

    def hear(self, action: Action, board: Position) -> None:
        """See `Ledger`."""
        Ledger.hear(self, action, board)
        match action:
            case Unsure(ply=ply):
                self.unsure.add((self.game, ply))
            case Told(t=t, message=Message.CUBE_MOVED) | CubeUnclear(t=t):
                self.cubes.append((self.game, t))
            case Acted(t=t, event=Doubled()):
                self.doubles.append((self.game, t))

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

    def notices(self, done: LoggedDeed) -> bool:
        """Whether the device has said something about a deed so far."""
        told = self.messages_between(done.game, done.t, done.until)
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
        return any(set(done.points) & points_of(one) for one in told)

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


def _within(done: LoggedDeed, times: list[tuple[int, float]]) -> bool:
    """Whether one of these moments, each with its game, lies in the time in which a deed could be noticed."""
    return any(game == done.game and done.t <= t <= done.until for game, t in times)
