"""What truly happened at the table, turn by turn, to hold what the referee said against."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from controller.referee import Action, Flagged, Told, TurnJudged
from controller.referee.actions import GameOpened
from controller.rules import Position, Roll, Side
from controller.rules.reasons import Argument
from controller.simulation.players.cheating import OTHERS_MOVED, Cheat

GAMES: Final = 1000
"""More games than this no match has."""
ROUNDED_S: Final = 0.01
"""The referee rounds its times: what it says at the moment at which a turn ends may seem to come before that."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A turn as it was ended.

    Attributes:
        game, ply, side, roll: which turn it is.
        before, after: how the board truly lay.
        cheat: what was done wrong in it on purpose; None for a legal play.
        ended_t: when its player said that it was over.
    """

    game: int
    ply: int
    side: Side
    roll: Roll
    before: Position
    after: Position
    cheat: Cheat | None
    ended_t: float


@dataclass(frozen=True, slots=True)
class LoggedTurn:
    """A turn as the referee reported it: ``board`` is how it truly lay then, ``moved_t`` the last movement."""

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
        told: what the device said, each with its game.
        rolls: when dice were thrown.
        helped: how often a person had to say how the board stands.
        moved_t: when something last moved over the table.
        people: the sides that somebody at a page plays, of whose plays nobody knows how they were meant.
        game: the game being played, by a number that no game of another match has.
    """

    truths: list[Truth] = field(default_factory=list)
    verdicts: list[LoggedTurn] = field(default_factory=list)
    told: list[tuple[int, Told]] = field(default_factory=list)
    rolls: list[tuple[int, float]] = field(default_factory=list)
    helped: int = 0
    people: set[Side] = field(default_factory=set)
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

    def on_action(self, action: Action, board: Position) -> None:
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
            case Told():
                self.told.append((self.game, action))

    # --- what the referee made of it ------------------------------------------------------------------------

    def list_accused(self) -> list[LoggedTurn]:
        """Turns called illegal in which nobody had done anything wrong, each once."""
        found: dict[tuple[int, int], LoggedTurn] = {}
        for one in self.verdicts:
            honest = all(truth.cheat is None for truth in self.truths_of(one))
            if one.turn.legal is False and honest and one.turn.side not in self.people:
                found.setdefault(one.key, one)
        return list(found.values())

    def truths_of(self, verdict: LoggedTurn) -> list[Truth]:
        """What was truly done in the turn that a verdict is about.

        The number tells it, with the side. Once a turn was missed the numbers differ: then it is what this side had
        ended last when the verdict was told.
        """
        return _truths_of(verdict.turn, self._turns_of(verdict.game, verdict.turn.side))

    def verdicts_on(self, truth: Truth) -> list[LoggedTurn]:
        """What was told of a turn, as `truths_of` has it."""
        turns = self._turns_of(truth.game, truth.side)
        own = (one for one in self.verdicts if (one.game, one.turn.side) == (truth.game, truth.side))
        return [one for one in own if truth in _truths_of(one.turn, turns)]

    def _turns_of(self, game: int, side: Side | None) -> list[Truth]:
        return [one for one in self.truths if (one.game, one.side) == (game, side)]

    def list_noticed(self) -> list[tuple[Truth, bool]]:
        """Every illegal turn, and whether it was noticed with a right reason.

        Where only the opponent's checkers lie wrongly the board does not tell whose deed it was: there it is
        enough that somebody was asked to look where it was done.
        """
        return [
            (truth, self.time_told(truth) is not None) for truth in self.truths if truth.cheat is not None
        ]

    def time_told(self, truth: Truth) -> float | None:
        """When an illegal turn was reported with a right reason; None if it never was."""
        assert truth.cheat is not None
        times = [one.turn.t for one in self.verdicts_on(truth) if truth.cheat.labels & _codes(one.turn)]
        times += [
            told.t
            for told in self.messages_between(truth.game, truth.ended_t, self.next_end(truth))
            if told.message in truth.cheat.labels
            or (truth.cheat.wrong in OTHERS_MOVED and set(truth.cheat.points) & points_of(told))
        ]
        return min(times, default=None)

    def count_concluded(self) -> tuple[int, int]:
        """How many turns were concluded as they truly ended, and how many there were."""
        told = (
            ((one.turn.after, one.turn.legal) for one in self.verdicts_on(truth)) for truth in self.truths
        )
        right = sum(
            (one.after, one.cheat is None) in said for one, said in zip(self.truths, told, strict=True)
        )
        return right, len(self.truths)

    def messages_between(self, game: int, start: float, end: float) -> list[Told]:
        """What the device said in a stretch of a game."""
        return [one for number, one in self.told if number == game and start - ROUNDED_S <= one.t <= end]

    def next_end(self, truth: Truth) -> float:
        """When the next turn of its game was over; never if it was the last."""
        later = (one.ended_t for one in self.truths if one.game == truth.game and one.ended_t > truth.ended_t)
        return min(later, default=float("inf"))


def _truths_of(told: TurnJudged, turns: Sequence[Truth]) -> list[Truth]:
    """Those of the ``turns`` of one side in a game that a verdict is about; see `Ledger.truths_of`."""
    numbered = [one for one in turns if one.ply == told.ply]
    return numbered or [one for one in turns if one.ended_t <= told.t + ROUNDED_S][-1:]


def _codes(turn: TurnJudged) -> set[str]:
    return set() if turn.legal else {str(reason.code) for reason in (*turn.reasons, *turn.also)}


def points_of(told: Told) -> set[int]:
    """The points that a message is about."""
    points: Argument = told.arguments.get("points")
    return {one for one in points if isinstance(one, int)} if isinstance(points, list) else set()
