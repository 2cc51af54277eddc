"""Analysis by GNU Backgammon, which runs as a program of its own and is asked through files and pipes."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from controller.analysis.engine import (
    Analysis,
    EngineAnswer,
    EngineError,
    Mistake,
    Progress,
    Skill,
    analysis_of,
    check_turns,
    mistake_of,
    pair_turns,
    with_cube,
)
from controller.record import MatchRecord
from controller.record.files.mat import mat_text
from controller.record.files.match_text import mat_names
from controller.record.match.match import Turn
from controller.rules import Side

GAME_TIMEOUT_S: Final = 120.0
"""How long gnubg may take for a game at 0 plies, and for starting; deeper settings get more."""
PLACES: Final = ("/usr/games", "/usr/local/bin", "/usr/bin")
COMPLAINT: Final = re.compile(r"WARNING|Unrecognised|not a valid|Illegal or unparsable", re.IGNORECASE)
SCRIPT: Final = """
import json
import gnubg
for line in ("set sound enable off", "set analysis chequerplay evaluation plies {plies}",
             "set analysis cubedecision evaluation plies {plies}", "import mat match.mat", "first game"):
    gnubg.command(line)
games = len(gnubg.match(analysis=0)["games"])
for number in range(games):
    gnubg.command("analyse game")
    print("@analysed", number + 1, flush=True)
    if number + 1 < games:
        gnubg.command("next game")
with open("analysis.json", "w") as out:
    json.dump(gnubg.match(analysis=1, boards=1, statistics=1), out)
"""
"""Run inside gnubg, which carries a Python of its own."""


def analyse(match: MatchRecord, progress: Progress, plies: int = 0) -> Analysis:
    """Have a match analysed: error rates, luck and mistakes. Illegal plays are left out.

    `plies` is how far gnubg looks ahead, 0 to 3; each takes some twenty times as long as the one before.

    Raises:
        EngineError: if gnubg is not installed, does not take the match, or does not finish in time.
    """
    check_turns(match)
    with tempfile.TemporaryDirectory(prefix="pointsman-gnubg-") as folder:
        answer = _run(match, Path(folder), progress, plies)
    sides = _sides(match, answer)
    judged = list(pair_turns(match, (_answers(record["game"], sides) for record in answer["games"])))
    mistakes = [mistake for each in judged for mistake in _mistakes(match, *each)]
    skills = {side: _skill(answer["stats"][letter], match) for letter, side in sides.items()}
    return analysis_of(f"GNU Backgammon, {plies} plies", match, skills, mistakes, len(judged))


def binary() -> str:
    """Where gnubg is. Raises EngineError if nowhere."""
    found = shutil.which("gnubg") or shutil.which("gnubg", path=os.pathsep.join(PLACES))
    if found is None:
        raise EngineError("gnubg is not installed; install it with: sudo apt install gnubg")
    return found


def start(script: str, folder: Path) -> "subprocess.Popen[str]":
    """Start gnubg at a script in a working folder, where it neither reads nor changes the settings of its user.

    Raises EngineError if it is not installed.
    """
    (folder / "script.py").write_text(script, encoding="utf-8")
    return subprocess.Popen(
        [binary(), "-t", "-q", "-r", "-p", "script.py"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "LC_ALL": "C.UTF-8"},
    )


def _run(match: MatchRecord, folder: Path, progress: Progress, plies: int) -> dict[str, Any]:
    (folder / "match.mat").write_text(mat_text(match), encoding="utf-8")
    with start(SCRIPT.replace("{plies}", str(plies)), folder) as process:
        watch = threading.Timer(GAME_TIMEOUT_S * (1 + len(match.games)) * 20**plies, process.kill)
        watch.start()
        try:
            complaints = list(_follow_output(process, len(match.games), progress))
        finally:
            watch.cancel()
            process.kill()
    out = folder / "analysis.json"
    if complaints or not out.exists():
        why = complaints[0] if complaints else "it ended without an answer"
        raise EngineError(f"gnubg did not take the match ({why}); export it and look at it in gnubg.")
    answer: dict[str, Any] = json.loads(out.read_text(encoding="utf-8", errors="replace"))
    return answer


def _follow_output(process: "subprocess.Popen[str]", games: int, progress: Progress) -> Iterator[str]:
    """Listen to gnubg until it ends; gives its complaints."""
    for line in process.stdout or ():
        if line.startswith("@analysed"):
            progress(int(line.split()[1]), games)
        elif COMPLAINT.search(line):
            yield line.strip()


def _sides(match: MatchRecord, answer: Mapping[str, Any]) -> dict[str, Side]:
    """Which letter gnubg gave to which side."""
    light, _ = mat_names(match.light, match.dark)
    is_x = answer["match-info"]["X"]["name"] == light
    return {"X": Side.LIGHT, "O": Side.DARK} if is_x else {"X": Side.DARK, "O": Side.LIGHT}


def _skill(stats: Mapping[str, Any], match: MatchRecord) -> Skill:
    moves, cube = stats["moves"], stats["cube"]
    played = with_cube(match)
    lost = sum(
        float(value) for name, value in cube.items() if name.startswith("err-") and name.endswith("-skill")
    )
    return Skill(
        int(moves["total-moves"]),
        int(moves["unforced-moves"]),
        float(moves["error-skill"]),
        int(cube["close-cube"]) if played else 0,
        lost if played else 0.0,
        float(stats["dice"]["luck"]),
    )


def _answers(actions: Iterable[Mapping[str, Any]], sides: Mapping[str, Side]) -> Iterator[EngineAnswer]:
    for action in actions:
        if action["action"] == "move" and action.get("dice"):
            yield sides[action["player"]], action["dice"], action.get("analysis", {})


def _mistakes(match: MatchRecord, game: int, turn: Turn, analysis: Mapping[str, Any]) -> Iterator[Mistake]:
    """What was lost by a turn, if anything was."""
    candidates, chosen = analysis.get("moves", ()), analysis.get("imove")
    if not candidates or chosen is None or not 0 <= chosen < len(candidates):
        return
    loss = float(candidates[0]["score"]) - float(candidates[chosen]["score"])
    if loss > 0:
        yield mistake_of(match, game, turn, candidates[0]["move"], loss)
