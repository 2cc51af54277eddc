"""What every engine's analysis has in common."""

from collections.abc import Callable, Iterable, Iterator

from controller.errors import UserError
from controller.record.match.corrections import CorrectionError, after_moves
from controller.record.match.entries import Act, Turn
from controller.record.match.match import MatchRecord
from controller.rules.game.events import Doubled
from controller.rules.judging.judge import judge
from controller.rules.moves.movement import MovementRules
from controller.rules.notation import Move, format_play
from controller.rules.profile.keys import unknown_to_engines

Progress = Callable[[int, int], None]
"""Is told how many games of how many are done."""


class EngineError(UserError):
    """An engine that is not there or does not answer."""


def check_turns(match: MatchRecord) -> None:
    """Raise EngineError for a match without a single turn."""
    if not any(True for game in match.games for _ in game.played):
        raise EngineError("No turn of this match is recorded, so there is nothing to analyse.")


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


def worded(turn: Turn, moves: Iterable[tuple[int, int]], rules: MovementRules) -> str:
    """A play, told as places to leave and to go to from the mover's side, in our notation."""
    play = tuple(Move(source, max(target, 0), False) for source, target in moves)
    try:
        verdict = judge(
            turn.before, turn.player, turn.roll, after_moves(turn.before, turn.player, play), rules
        )
    except CorrectionError:
        return format_play(play)
    return format_play(verdict.play if verdict.play is not None else play)
