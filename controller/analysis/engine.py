"""What an engine says of a match: each decision with what it lost, and the figures of both players."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Any, Final, Literal

from controller.errors import UserError
from controller.record import MatchRecord
from controller.record.files.games import foreign_games
from controller.record.match.corrections import CorrectionError, after_moves
from controller.record.match.match import Act, Turn
from controller.rules import Move, MovementRules, Position, Side, format_play, judge
from controller.rules.forms.xgid import MatchState
from controller.rules.game.events import Doubled
from controller.rules.position import CHECKERS
from controller.rules.profile.keys import unknown_to_engines

Progress = Callable[[int, int], None]
"""Called with how many decisions are judged, and of how many."""
Caution = tuple[Literal["rules", "no_double"], str]
"""Why figures may not hold: the engine does not know these rules, or no double is recorded."""
EngineAnswer = tuple[Side, Sequence[int], Mapping[str, Any]]
"""Whose turn an engine judged, the dice, and what it says."""

SMALLEST: Final = 0.0005
"""Points of equity below which a loss is none: it would be shown as 0.000."""
BLUNDER: Final = 0.1
"""Points of equity from which a mistake is called a blunder, as eXtreme Gammon and most players do."""
CLOSE: Final = 0.16
"""Points of equity: gnubg 1.07 counts a roll without a double if doubling would have lost less than this."""
PASSED: Final = 1.0
"""What a passed double is worth to the doubler, in points of equity."""


class EngineError(UserError):
    """An engine that is not there or does not answer."""


def check_turns(match: MatchRecord) -> None:
    """Raise EngineError for a match without a single turn, or of games that no engine plays.

    GNU Backgammon 1.07 knows hypergammon by name, but judges not one play without a database that its package
    leaves out (`makehyper` makes it).
    """
    if games := " and ".join(foreign_games(match)):
        raise EngineError(f"No engine plays {games}, so there is nothing that it could say of this match.")
    few = {profile.title for profile in match.terms.profiles if profile.movement.checkers < CHECKERS}
    if few:
        raise EngineError(
            f"No engine that is installed can judge {' and '.join(sorted(few))}, which has fewer checkers than "
            "backgammon, so there is nothing that it could say of this match."
        )
    if not _turns(match):
        raise EngineError("No turn of this match is recorded, so there is nothing to analyse.")


def _turns(match: MatchRecord) -> int:
    return sum(1 for game in match.games for _ in game.played)


def cautions(match: MatchRecord) -> Iterator[Caution]:
    """Why the figures may not hold."""
    for profile in match.terms.profiles:
        if unknown_to_engines(profile):
            yield "rules", profile.name
    acts = (entry for game in match.games for entry in game.entries if isinstance(entry, Act))
    if with_cube(match) and not any(isinstance(act.event, Doubled) for act in acts):
        yield "no_double", ""


def with_cube(match: MatchRecord) -> bool:
    """Whether any of its games is played with a cube."""
    return any(profile.cube.enabled for profile in match.terms.profiles)


@dataclass(frozen=True, slots=True)
class Skill:
    """One player's figures. Errors and luck are in points of equity (for a match, of its normalised equity).

    Attributes:
        moves: turns that were analysed.
        unforced: those of them in which there was a choice.
        play_error: what was lost by checker plays.
        cube_decisions: cube decisions that were made or were close; 0 where no cube was played.
        cube_error: what was lost by them.
        luck: what the dice gave.
    """

    moves: int
    unforced: int
    play_error: float
    cube_decisions: int
    cube_error: float
    luck: float

    def __add__(self, other: "Skill") -> "Skill":
        """The figures of two matches together."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Skill(*(mine + theirs for mine, theirs in pairs))

    @property
    def rate(self) -> float | None:
        """Thousandths of a point lost for each decision, plays and cube together; `None` without decisions.

        gnubg's `mEMG` (its manual, "Overall rating"): of the plays those that were not forced, of the cube those
        that were made, missed or close.
        """
        return _rate(self.play_error + self.cube_error, self.unforced + self.cube_decisions)

    @property
    def pr(self) -> float | None:
        """The performance rating: points lost for each decision times 500, which is half of `rate`.

        The scale is that of eXtreme Gammon, the decisions are those that gnubg counts.
        """
        return None if self.rate is None else self.rate / 2

    @property
    def play_rate(self) -> float | None:
        """The same for checker plays alone."""
        return _rate(self.play_error, self.unforced)


@dataclass(frozen=True, slots=True)
class RatedPlay:
    """A legal play: the position after it, in notation from the mover's side, and what it is worth to the mover."""

    after: Position
    text: str
    equity: float


@dataclass(frozen=True, slots=True)
class PlayDecision:
    """A turn whose play an engine judged.

    Attributes:
        game: the number of the game, from 1; `ply` that of the turn in it.
        player: who played, from `before`.
        state: score, cube and dice before the play.
        best: the best plays, the best first; some of them only.
        played: what was played.
        choices: how many plays the engine weighed; 1 where the play was forced.
        luck: what the roll gave, in points of equity.
        chance: how likely the player wins the match after the play; `None` for money, or if it is not known.
    """

    game: int
    ply: int
    player: Side
    state: MatchState
    before: Position
    best: tuple[RatedPlay, ...]
    played: RatedPlay
    choices: int
    luck: float = 0.0
    chance: float | None = None

    @property
    def loss(self) -> float:
        """By how many points of equity a better play was missed."""
        return max(self.best[0].equity - self.played.equity, 0.0)

    @property
    def counts(self) -> bool:
        """Whether there was a choice."""
        return self.choices > 1


class CubeAction(StrEnum):
    """What a player did with the cube, or should have done."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class CubeDecision:
    """A decision about the cube that an engine judged.

    Attributes:
        game: the number of the game, from 1; `ply` that of the turn before which it was made.
        player: whose decision it was, in `before`.
        state: score and cube before it; for an answer the offer is in it.
        action: what was done: rolled without a double, doubled, took, passed.
        no_double: what the position is worth to the doubler if there is no double.
        double_take: the same if the double is taken, both in points of the cube before it.
    """

    game: int
    ply: int
    player: Side
    state: MatchState
    before: Position
    action: CubeAction
    no_double: float
    double_take: float

    @property
    def answers(self) -> bool:
        """Whether it was the answer to a double."""
        return self.action in (CubeAction.TAKE, CubeAction.PASS)

    @property
    def best(self) -> CubeAction:
        """What should have been done."""
        if self.answers:
            return CubeAction.PASS if self.double_take > PASSED else CubeAction.TAKE
        return CubeAction.DOUBLE if self._doubled > self.no_double else CubeAction.ROLL

    @property
    def options(self) -> tuple[tuple[CubeAction, float], ...]:
        """What could be done and what it is worth to the player, the best first."""
        worth = (
            {CubeAction.TAKE: -self.double_take, CubeAction.PASS: -PASSED}
            if self.answers
            else {CubeAction.ROLL: self.no_double, CubeAction.DOUBLE: self._doubled}
        )
        return tuple(sorted(worth.items(), key=lambda each: -each[1]))

    @property
    def loss(self) -> float:
        """By how many points of equity a better decision was missed."""
        worth = dict(self.options)
        return worth[self.best] - worth[self.action]

    @property
    def counts(self) -> bool:
        """Whether it was made, missed or close: rolls on without a thought of doubling are left out."""
        if self.action is not CubeAction.ROLL:
            return True
        return max(self.no_double, self._doubled) - self._doubled < CLOSE

    @property
    def _doubled(self) -> float:
        return min(self.double_take, PASSED)


Decision = PlayDecision | CubeDecision


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine says of a match.

    Attributes:
        engine: its name and version; `plies` is how far it looked ahead.
        light: figures of light; `dark` those of dark.
        decisions: all that it judged, in their order.
        left_out: illegal plays and turns that do not follow from the ones before, which no engine can judge, and
            those that nobody confirmed, which nobody is to be judged by.
        cautions: why the figures may not hold.
        deeper_s: how many seconds looking further ahead would have taken, where that was left for this reason.
    """

    engine: str
    plies: int
    light: Skill
    dark: Skill
    decisions: tuple[Decision, ...]
    left_out: int
    cautions: tuple[Caution, ...]
    deeper_s: float | None = None

    @property
    def mistakes(self) -> tuple[Decision, ...]:
        """The decisions that lost something, the worst first."""
        lost = (each for each in self.decisions if each.loss >= SMALLEST)
        return tuple(sorted(lost, key=lambda each: -each.loss))

    def skill(self, side: Side) -> Skill:
        """The figures of a side."""
        return self.light if side is Side.LIGHT else self.dark


def skill_of(decisions: Iterable[Decision], luck: float) -> Skill:
    """The figures of a player whose decisions these are; ``luck`` is what all rolls gave, illegal plays' too."""
    made = list(decisions)
    plays = [each for each in made if isinstance(each, PlayDecision)]
    cube = [each for each in made if isinstance(each, CubeDecision)]
    return Skill(
        len(plays),
        sum(each.counts for each in plays),
        sum(each.loss for each in plays),
        sum(each.counts for each in cube),
        sum(each.loss for each in cube),
        luck,
    )


def _rate(lost: float, decisions: int) -> float | None:
    return 1000 * lost / decisions if decisions else None


def left_out(match: MatchRecord, decisions: Iterable[Decision]) -> int:
    """How many turns of a match were not judged."""
    return _turns(match) - sum(isinstance(each, PlayDecision) for each in decisions)


def rated_play(
    turn: Turn, moves: Iterable[tuple[int, int]], equity: float, rules: MovementRules
) -> RatedPlay | None:
    """A play that an engine names by the places to leave and to go to, from the mover's side; None if it is none."""
    play = tuple(Move(source, max(target, 0), False) for source, target in moves)
    try:
        after = after_moves(turn.before, turn.player, play)
    except CorrectionError:
        return None
    verdict = judge(turn.before, turn.player, turn.roll, after, rules)
    return RatedPlay(after, format_play(verdict.play if verdict.play is not None else play), equity)
