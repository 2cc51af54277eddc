"""Analysis by bgsage through GammonView's packages, where they are installed."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from controller.analysis.engine import (
    Analysis,
    EngineError,
    Mistake,
    Progress,
    Skill,
    analysis_of,
    check_turns,
    judged_turns,
    play_text,
    with_cube,
)
from controller.record.files.match_text import mat_names
from controller.record.files.ogxmfile import ogxm_bytes
from controller.record.match.match import MatchRecord, Turn
from controller.rules.moves.movement import MovementRules
from controller.rules.position import Side

PRESETS: Final = ("very_quick", "fast", "deep", "world_class")
"""GammonView's names for how hard it thinks, for depths 0 to 3."""
_SIDES: Final = {1: Side.LIGHT, 0: Side.DARK}
"""OGXM's colours; light is written as white."""


def analyse(match: MatchRecord, progress: Progress, depth: int = 0) -> Analysis:
    """Have a match analysed: error rates, luck and mistakes. Illegal plays are left out.

    `depth` is 0 to 3, see `PRESETS`.

    Raises:
        EngineError: if the packages are not installed, or do not take the match.
        UserError: if the match cannot be written as OGXM.
    """
    check_turns(match)
    light, dark = mat_names(match.light, match.dark)
    document, totals = _ask(ogxm_bytes(replace(match, light=light, dark=dark)), PRESETS[depth])
    progress(len(match.games), len(match.games))
    mistakes: list[Mistake] = []
    judged = {side: [0, 0.0] for side in Side}
    for number, (game, answer) in enumerate(zip(match.games, document["games"], strict=True), start=1):
        rules = match.profile(number - 1).movement
        answers = (
            (_SIDES[ply["color"]], (ply["d1"], ply["d2"]), ply.get("analysis") or {})
            for ply in answer["plies"]
            if "moves" in ply and "d1" in ply
        )
        for turn, analysis in judged_turns(game, answers):
            lost = float(analysis["equity_loss"]) if analysis.get("decision") else 0.0
            judged[turn.player][0] += 1
            judged[turn.player][1] += lost
            if lost > 0:
                mistakes.append(_mistake(number, turn, analysis, rules))
    skills = {
        side: _skill(totals[colour], int(judged[side][0]), judged[side][1], with_cube(match))
        for side, colour in ((Side.LIGHT, "white"), (Side.DARK, "black"))
    }
    number_judged = sum(int(number) for number, _ in judged.values())
    return analysis_of(f"bgsage, {PRESETS[depth]}", match, skills, mistakes, number_judged)


def _ask(data: bytes, preset: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The match with what bgsage says of each ply, and the totals of both players."""
    try:
        from gvanalysis import analyze_match
        from gvformat import compute_aggregates, read_gvab
    except (ImportError, OSError) as error:
        raise EngineError(
            f"bgsage cannot be loaded here ({error}); install gammonview and bgsage with pip, or use gnubg."
        ) from None
    with tempfile.TemporaryDirectory(prefix="pointsman-bgsage-") as folder:
        path = Path(folder) / "match.ogxm"
        path.write_bytes(data)
        try:
            document = read_gvab(analyze_match(str(path), preset=preset))
        except (ValueError, RuntimeError, OSError) as error:
            raise EngineError(f"bgsage did not take the match ({error}); use gnubg instead.") from error
    return document, compute_aggregates(document)["match"]


def _mistake(game: int, turn: Turn, analysis: Mapping[str, Any], rules: MovementRules) -> Mistake:
    best = [_places(move, turn.player) for move in analysis["alternatives"][0]["move"]]
    return Mistake.of(game, turn, play_text(turn, best, rules), float(analysis["equity_loss"]))


def _places(move: Mapping[str, int], player: Side) -> tuple[int, int]:
    """Where a checker leaves and goes to, from the mover's side; the codec counts white's points the other way."""
    source = 25 - move["from"] if player is Side.LIGHT else move["from"]
    return source, source - move["pips"]


def _skill(totals: Mapping[str, Any], moves: int, play_error: float, cube: bool) -> Skill:
    decisions = int(totals["cube_decisions"])
    return Skill(
        moves,
        int(totals["total_decisions"]) - decisions,
        play_error,
        decisions if cube else 0,
        max(float(totals["total_error"]) - play_error, 0.0) if cube else 0.0,
        float(totals["total_luck"]),
    )
