"""Analysis by bgsage through GammonView's packages, where they are installed."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from controller.analysis.engine import (
    Analysis,
    CubeAction,
    CubeDecision,
    Decision,
    EngineAnswer,
    EngineError,
    PlayDecision,
    Progress,
    RatedPlay,
    Skill,
    cautions,
    check_turns,
    left_out,
    rated_play,
    with_cube,
)
from controller.record import MatchRecord
from controller.record.files.match_text import mat_names
from controller.record.files.ogxmfile import is_told_as_play, ogxm_bytes
from controller.record.match.match import Turn
from controller.record.match.playthrough import Moment, by_game, moment_state, moments
from controller.rules import Side

PRESETS: Final = ("very_quick", "fast", "deep", "world_class")
"""GammonView's names for how hard it thinks, for depths 0 to 3."""
MOST: Final = 5
"""Candidates that are kept of each play."""
_SIDES: Final = {1: Side.LIGHT, 0: Side.DARK}
"""OGXM's colours; light is written as white."""


def analyse(match: MatchRecord, progress: Progress, depth: int | None = 0) -> Analysis:
    """Have a match analysed: error rates, luck, plays and missed doubles.

    Illegal plays, and those that nobody confirmed, are left out.

    `depth` is 0 to 3, see `PRESETS`; `None` is the quickest. Wrong doubles, takes and passes count in the
    figures, but are not among the decisions.

    Raises:
        EngineError: if the packages are not installed, or do not take the match.
        UserError: if the match cannot be written as OGXM.
    """
    check_turns(match)
    depth = depth or 0
    light, dark = mat_names(match.light, match.dark)
    document, totals = _ask(ogxm_bytes(replace(match, light=light, dark=dark)), PRESETS[depth])
    judged = tuple(_decisions(match, document))
    progress(len(judged), len(judged))
    not_theirs = {
        (number, turn.ply)
        for number, game in enumerate(match.games, start=1)
        for turn in game.played
        if not turn.legal
    }
    doubted = [
        each for each in judged if isinstance(each, PlayDecision) and (each.game, each.ply) in not_theirs
    ]
    decisions = tuple(each for each in judged if each not in doubted)
    skills = {
        side: _skill(
            totals[colour],
            [each for each in decisions if each.player is side],
            [each for each in doubted if each.player is side],
            match,
        )
        for side, colour in ((Side.LIGHT, "white"), (Side.DARK, "black"))
    }
    return Analysis(
        f"bgsage ({PRESETS[depth]})",
        depth,
        skills[Side.LIGHT],
        dark=skills[Side.DARK],
        decisions=decisions,
        left_out=left_out(match, decisions),
        cautions=tuple(cautions(match)),
    )


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


def _decisions(match: MatchRecord, document: Mapping[str, Any]) -> Iterator[Decision]:
    for game, plies in zip(by_game(moments(match)), document["games"], strict=True):
        yield from _decisions_of(match, game, _answers(plies["plies"]))


def _decisions_of(
    match: MatchRecord, game: Iterable[Moment], answers: Iterable[EngineAnswer]
) -> Iterator[Decision]:
    """The decisions of a game: of each answer the next turn with its dice that bgsage was told as a play."""
    left = iter(game)
    for side, dice, analysis in answers:
        for moment in left:
            turn = moment.entry
            if not isinstance(turn, Turn) or not is_told_as_play(turn):
                continue
            if (turn.player, sorted(turn.roll.dice)) == (side, sorted(dice)):
                yield from _judged(match, moment, turn, analysis)
                break


def _judged(
    match: MatchRecord, moment: Moment, turn: Turn, analysis: Mapping[str, Any]
) -> Iterator[Decision]:
    state = moment_state(moment)
    cube = analysis.get("cube_decision")
    if cube and with_cube(match):
        yield CubeDecision(
            moment.game + 1,
            turn.ply,
            turn.player,
            state=replace(state, roll=None),
            before=turn.before,
            action=CubeAction.ROLL,
            no_double=float(cube["no_double_equity"]),
            double_take=float(cube["double_take_equity"]),
        )
    rules = match.profile(moment.game).movement
    played = RatedPlay(turn.after, turn.text, float(analysis.get("played_equity") or 0.0))
    choices = analysis.get("alternatives", ())
    named = (
        rated_play(turn, _places(each, side=turn.player), each["equity"], rules) for each in choices[:MOST]
    )
    lost = float(analysis.get("equity_loss") or 0.0) > 0
    best = tuple(each for each in named if each is not None) if lost else ()
    yield PlayDecision(
        moment.game + 1,
        turn.ply,
        turn.player,
        state=state,
        before=turn.before,
        best=best or (played,),
        played=played,
        choices=len(choices) if analysis.get("decision") else 1,
        luck=float(analysis.get("luck") or 0.0),
    )


def _answers(plies: Iterable[Mapping[str, Any]]) -> Iterator[EngineAnswer]:
    for ply in plies:
        if "moves" in ply and "d1" in ply:
            yield _SIDES[ply["color"]], (ply["d1"], ply["d2"]), ply.get("analysis") or {}


def _places(alternative: Mapping[str, Any], side: Side) -> Iterator[tuple[int, int]]:
    """Where checkers leave and go to, from the mover's side; the codec counts white's points the other way."""
    for move in alternative["move"]:
        source = 25 - move["from"] if side is Side.LIGHT else move["from"]
        yield source, source - move["pips"]


def _skill(
    totals: Mapping[str, Any], made: Sequence[Decision], doubted: Sequence[PlayDecision], match: MatchRecord
) -> Skill:
    """The figures as bgsage counts its decisions, without the plays that nobody confirmed."""
    decisions, cube = int(totals["cube_decisions"]), with_cube(match)
    plays = [each for each in made if isinstance(each, PlayDecision)]
    play_error = sum(each.loss for each in plays if each.counts)
    doubted_error = sum(each.loss for each in doubted if each.counts)
    return Skill(
        len(plays),
        int(totals["total_decisions"]) - decisions - sum(each.counts for each in doubted),
        play_error,
        decisions if cube else 0,
        max(float(totals["total_error"]) - play_error - doubted_error, 0.0) if cube else 0.0,
        float(totals["total_luck"]),
    )
