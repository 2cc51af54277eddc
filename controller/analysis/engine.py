"""What an engine says of a match: figures of both players and their mistakes; and what all engines have in common."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from controller.errors import UserError
from controller.record import MatchRecord
from controller.record.match.corrections import CorrectionError, after_moves
from controller.record.match.match import Act, Turn
from controller.rules import Move, MovementRules, Position, Roll, Side, format_play, judge
from controller.rules.game.events import Doubled
from controller.rules.profile.keys import unknown_to_engines

Progress = Callable[[int, int], None]
"""Is told how many games of how many are done."""
EngineAnswer = tuple[Side, Sequence[int], Mapping[str, Any]]
"""Whose turn an engine judged, the dice, and what it says."""
Judged = tuple[int, Turn, Mapping[str, Any]]
"""The number of a game, from 1, a turn of it, and what an engine says of that."""


class EngineError(UserError):
    """An engine that is not there or does not answer."""


def check_turns(match: MatchRecord) -> None:
    """Raise EngineError for a match without a single turn."""
    if not _turns(match):
        raise EngineError("No turn of this match is recorded, so there is nothing to analyse.")


def _turns(match: MatchRecord) -> int:
    return sum(1 for game in match.games for _ in game.played)


def pair_turns(match: MatchRecord, answers: Iterable[Iterable[EngineAnswer]]) -> Iterator[Judged]:
    """The legal turns that an engine judged; ``answers`` has its plays of each game, in their order."""
    for number, (game, plays) in enumerate(zip(match.games, answers, strict=True), start=1):
        turns = iter([turn for turn in game.played if turn.legal])
        for side, dice, analysis in plays:
            wanted = (side, sorted(dice))
            found = next((turn for turn in turns if (turn.player, sorted(turn.roll.dice)) == wanted), None)
            if found is None:
                break
            yield number, found, analysis


def cautions(match: MatchRecord) -> Iterator[str]:
    """Why the figures may not hold, as sentences."""
    for profile in match.terms.profiles:
        if unknown_to_engines(profile):
            yield f"The engine does not know the rules {profile.name}: these figures do not hold for them."
    acts = (entry for game in match.games for entry in game.entries if isinstance(entry, Act))
    if with_cube(match) and not any(isinstance(act.event, Doubled) for act in acts):
        yield "No double is recorded: if there was no cube, mind the figures of checker plays alone."


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
        """Thousandths of a point lost for each decision, plays and cube together; `None` without decisions."""
        return _rate(self.play_error + self.cube_error, self.unforced + self.cube_decisions)

    @property
    def play_rate(self) -> float | None:
        """The same for checker plays alone."""
        return _rate(self.play_error, self.unforced)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A play that lost something.

    Attributes:
        game: the number of the game, from 1; `ply` that of the turn in it.
        player: who made it, with `roll` from `before`.
        played: the play in notation; `best` what would have been better.
        loss: by how many points of equity.
    """

    game: int
    ply: int
    player: Side
    roll: Roll
    before: Position
    played: str
    best: str
    loss: float


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an engine says of a match.

    Attributes:
        engine: its name and how it was set.
        light: figures of light; `dark` those of dark.
        mistakes: the plays that lost something, the worst first.
        left_out: illegal plays and turns that do not follow from the ones before, which no engine can judge.
        cautions: why the figures may not hold for these rules, as sentences.
    """

    engine: str
    light: Skill
    dark: Skill
    mistakes: tuple[Mistake, ...]
    left_out: int
    cautions: tuple[str, ...]


def _rate(lost: float, decisions: int) -> float | None:
    return 1000 * lost / decisions if decisions else None


def analysis_of(
    engine: str, match: MatchRecord, skills: Mapping[Side, Skill], mistakes: Iterable[Mistake], judged: int
) -> Analysis:
    """What an engine says of a match of which it judged so many turns."""
    return Analysis(
        engine,
        skills[Side.LIGHT],
        skills[Side.DARK],
        tuple(sorted(mistakes, key=lambda each: -each.loss)),
        _turns(match) - judged,
        tuple(cautions(match)),
    )


def mistake_of(
    match: MatchRecord, game: int, turn: Turn, best: Iterable[tuple[int, int]], loss: float
) -> Mistake:
    """What was lost by a turn of a game; ``best`` has the places to leave and to go to, from the mover's side."""
    text = _worded(turn, best, match.profile(game - 1).movement)
    return Mistake(game, turn.ply, turn.player, turn.roll, turn.before, turn.text, text, loss)


def _worded(turn: Turn, moves: Iterable[tuple[int, int]], rules: MovementRules) -> str:
    play = tuple(Move(source, max(target, 0), False) for source, target in moves)
    try:
        after = after_moves(turn.before, turn.player, play)
    except CorrectionError:
        return format_play(play)
    verdict = judge(turn.before, turn.player, turn.roll, after, rules)
    return format_play(verdict.play if verdict.play is not None else play)
