"""Analysis by bgsage through GammonView's packages, where they are installed."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from controller.analysis.engine import (
    Analysis,
    EngineAnswer,
    EngineError,
    Progress,
    Skill,
    analysis_of,
    check_turns,
    mistake_of,
    pair_turns,
    with_cube,
)
from controller.record import MatchRecord
from controller.record.files.match_text import mat_names
from controller.record.files.ogxmfile import ogxm_bytes
from controller.rules import Side

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
    judged = list(pair_turns(match, (_answers(game["plies"]) for game in document["games"])))
    mistakes = [
        mistake_of(match, number, turn, _best(analysis, turn.player), lost)
        for number, turn, analysis in judged
        if (lost := _lost(analysis)) > 0
    ]
    skills = {
        side: _skill(totals[colour], [_lost(each) for _, turn, each in judged if turn.player is side], match)
        for side, colour in ((Side.LIGHT, "white"), (Side.DARK, "black"))
    }
    return analysis_of(f"bgsage, {PRESETS[depth]}", match, skills, mistakes, len(judged))


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


def _answers(plies: Iterable[Mapping[str, Any]]) -> Iterator[EngineAnswer]:
    for ply in plies:
        if "moves" in ply and "d1" in ply:
            yield _SIDES[ply["color"]], (ply["d1"], ply["d2"]), ply.get("analysis") or {}


def _lost(analysis: Mapping[str, Any]) -> float:
    return float(analysis["equity_loss"]) if analysis.get("decision") else 0.0


def _best(analysis: Mapping[str, Any], player: Side) -> Iterator[tuple[int, int]]:
    """Where checkers leave and go to, from the mover's side; the codec counts white's points the other way."""
    for move in analysis["alternatives"][0]["move"]:
        source = 25 - move["from"] if player is Side.LIGHT else move["from"]
        yield source, source - move["pips"]


def _skill(totals: Mapping[str, Any], losses: list[float], match: MatchRecord) -> Skill:
    decisions, play_error, cube = int(totals["cube_decisions"]), sum(losses), with_cube(match)
    return Skill(
        len(losses),
        int(totals["total_decisions"]) - decisions,
        play_error,
        decisions if cube else 0,
        max(float(totals["total_error"]) - play_error, 0.0) if cube else 0.0,
        float(totals["total_luck"]),
    )
