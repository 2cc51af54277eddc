"""What an engine would play: every legal play of a roll with its equity, the best first."""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from controller.analysis.engine import EngineError, RatedPlay
from controller.analysis.gnubg import start
from controller.analysis.kept import CubeEquities, KeptGnubg
from controller.record.match.corrections import CorrectionError, after_moves
from controller.rules import (
    Position,
    Roll,
    Side,
    format_play,
    packed,
    parse_play,
    play_between,
    results,
    xgid,
)
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.plays import resolve
from controller.rules.notation import NotationError

EngineName = Literal["auto", "gnubg", "bgsage"]

TIMEOUT_S: Final = 30.0
SCRIPT: Final = """
import json
import gnubg
gnubg.command("set evaluation chequerplay evaluation plies {plies}")
gnubg.command("set xgid {xgid}")
print("@plays", json.dumps(gnubg.hint(9999)), flush=True)
"""
"""Run inside gnubg, which carries a Python of its own."""
LEVELS: Final = ("1ply", "2ply", "3ply", "4ply")
"""bgsage's names for looking 0 to 3 plies ahead."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What an engine says of a roll.

    Attributes:
        engine: its name and how it was set.
        plays: those it looked at, the best first; never empty.
    """

    engine: str
    plays: tuple[RatedPlay, ...]

    @property
    def best(self) -> RatedPlay:
        """The play it would make."""
        return self.plays[0]

    def loss(self, after: Position) -> float | None:
        """What a play loses against the best one, in points of equity; None if the engine did not look at it."""
        found = next((each for each in self.plays if each.after == after), None)
        return None if found is None else self.best.equity - found.equity


def advise(
    position: Position,
    state: MatchState,
    engine: EngineName = "auto",
    plies: int = 0,
    kept: KeptGnubg | None = None,
) -> Advice:
    """Ask an engine for the plays of ``state.roll`` by ``state.on_roll``; ``auto`` takes gnubg, else bgsage.

    ``plies`` is how far it looks ahead, 0 to 3. Only for the standard rules of movement, which engines know. Who asks
    often has ``kept``: a gnubg that goes on running.

    Raises:
        EngineError: there is no roll, nothing can be played, or no engine is installed or answers.
    """
    if state.roll is None:
        raise EngineError("There is no roll to ask an engine about.")
    if results(position, state.on_roll, state.roll)[0] == {position.code}:
        raise EngineError("Nothing can be played with this roll.")
    if engine == "bgsage":
        return _sort_plays(_bgsage(position, state, state.roll, plies))
    try:
        return _sort_plays(_gnubg(position, state, state.roll, plies, kept))
    except EngineError:
        if engine == "gnubg":
            raise
    return _sort_plays(_bgsage(position, state, state.roll, plies))


def advise_cube(
    position: Position,
    state: MatchState,
    engine: EngineName = "auto",
    plies: int = 0,
    kept: KeptGnubg | None = None,
) -> CubeEquities:
    """Ask an engine what a double of ``state.on_roll`` is worth before its roll; as `advise` otherwise.

    Raises:
        EngineError: no engine is installed or answers.
        IdError: as `xgid`, where the position cannot be told to gnubg.
    """
    asked = replace(state, roll=None)
    if engine == "bgsage":
        return _bgsage_cube(position, asked, plies)
    try:
        return (kept or KeptGnubg()).cube(xgid(position, asked), plies)
    except EngineError:
        if engine == "gnubg":
            raise
    return _bgsage_cube(position, asked, plies)


def _sort_plays(advice: Advice) -> Advice:
    if not advice.plays:
        raise EngineError("The engine names no play for this roll.")
    return replace(advice, plays=tuple(sorted(advice.plays, key=lambda each: -each.equity)))


def _gnubg(position: Position, state: MatchState, roll: Roll, plies: int, kept: KeptGnubg | None) -> Advice:
    told: Mapping[str, Any]
    if kept is not None:
        told = kept.plays(xgid(position, state), plies)
    else:
        told = _hint(SCRIPT.replace("{xgid}", xgid(position, state)).replace("{plies}", str(plies)), plies)
    plays = tuple(_candidates(position, state.on_roll, roll, told.get("hint", ())))
    return Advice(f"GNU Backgammon, {plies} plies", plays)


def _candidates(
    position: Position, side: Side, roll: Roll, told: Iterable[Mapping[str, Any]]
) -> Iterator[RatedPlay]:
    lawful, _ = results(position, side, roll)
    for each in told:
        try:
            play = parse_play(str(each["move"]))
            after = after_moves(position, side, play)
            if after.code not in lawful:
                after = resolve(position, side, roll, play).after
        except (NotationError, CorrectionError):
            continue
        yield RatedPlay(after, format_play(play), float(each["equity"]))


def _hint(script: str, plies: int) -> dict[str, Any]:
    """What gnubg says to a script. Raises EngineError."""
    with (
        tempfile.TemporaryDirectory(prefix="pointsman-gnubg-") as folder,
        start(script, Path(folder)) as process,
    ):
        try:
            said, _ = process.communicate(timeout=TIMEOUT_S * 20**plies)
        except subprocess.TimeoutExpired:
            process.kill()
            raise EngineError("gnubg did not answer in time; let it look fewer plies ahead.") from None
    answer = next((line for line in said.splitlines() if line.startswith("@plays ")), None)
    if answer is None:
        raise EngineError("gnubg did not take the position; try bgsage instead.")
    told = json.loads(answer.removeprefix("@plays "))
    return told if isinstance(told, dict) else {}


def _bgsage(position: Position, state: MatchState, roll: Roll, plies: int) -> Advice:
    side, level = state.on_roll, LEVELS[plies]
    dark = side is Side.DARK
    found = _sage(level).checker_play(
        _sage_board(position, dark=dark), *roll.dice, *_sage_cube(state), **_sage_score(state)
    )
    plays = []
    for move in found.moves:
        after = _from_sage(move.board, dark=dark)
        play = play_between(position, side, roll, after)
        plays.append(RatedPlay(after, format_play(play or ()), float(move.equity)))
    return Advice(f"bgsage, {level}", tuple(plays))


def _bgsage_cube(position: Position, state: MatchState, plies: int) -> CubeEquities:
    board = _sage_board(position, dark=state.on_roll is Side.DARK)
    found = _sage(LEVELS[plies]).cube_action(board, *_sage_cube(state), **_sage_score(state))
    return CubeEquities(float(found.equity_nd), float(found.equity_dt), float(found.equity_dp))


def _sage(level: str) -> Any:
    """bgsage at one of its levels. Raises EngineError where it is not installed."""
    try:
        import bgsage
    except (ImportError, OSError) as error:
        raise EngineError(
            f"No engine can be asked here ({error}); install Debian's gnubg, or bgsage with pip."
        ) from None
    return bgsage.create_analyzer(level)


def _sage_cube(state: MatchState) -> tuple[int, str]:
    """The cube as bgsage is told of it: its value, and whose it is as the side on roll sees it."""
    return state.cube, {None: "centered", state.on_roll: "player"}.get(state.owner, "opponent")


def _sage_score(state: MatchState) -> dict[str, Any]:
    """The score as bgsage is told of it: how many points each side is away, none for money."""
    mine, theirs = state.score if state.on_roll is Side.LIGHT else state.score[::-1]
    away = (state.length - mine, state.length - theirs) if state.length else (0, 0)
    return {
        "away1": away[0],
        "away2": away[1],
        "is_crawford": state.crawford,
        "jacoby": state.jacoby,
        "beaver": state.beavers,
    }


def _sage_board(position: Position, *, dark: bool) -> list[int]:
    """The 26 places as the mover sees them; its bar is 25, the opponent's 0, where bgsage counts them positive."""
    counts = [value - packed.EMPTY for value in packed.view(position.code, dark=dark)]
    return [-counts[0], *counts[1:]]


def _from_sage(board: list[int], *, dark: bool) -> Position:
    seen = Position.from_counts(board[1:25], board[25], board[0])
    return seen.mirrored() if dark else seen
