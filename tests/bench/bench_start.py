"""How long the command line takes to start: time of the processor, of a child process.

Beside the seconds, which depend on the machine, stands how much more that is than importing OpenCV and NumPy alone.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import cv2

from controller.vision.board.board import dump_board
from tests.vision.test_film import board, shot

Row = dict[str, Any]
RUNS = 9
MOST_S = 0.25
COMMANDS: tuple[tuple[str, ...], ...] = (("--version",), ("plays",), ("--help",))
ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("-c", "import cv2, numpy")
TABLE = """
[camera]
source = "{film}"
[board]
port = "none"
[web]
use = {pages}
port = 0
"""
UNTIL_SET_UP = """
import os, sys
from pathlib import Path
import controller.cli.run as command
def put(text):
    if "set up" in text:
        os._exit(0)
command.put = put
command.run(Path(sys.argv[1]), False, False)
"""
"""A real table, until the camera has shown that the checkers are set up."""


def run() -> list[Row]:
    """The median of several runs of each command with nothing to do, its modules compiled before."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        } | {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), "PYTHONPATH": str(ROOT)}
        asked: list[tuple[str, tuple[str, ...], float | None]] = [
            ("importing OpenCV and NumPy alone", LIBRARIES, None)
        ]
        for command in COMMANDS:
            target = None if command == ("--help",) else MOST_S
            asked.append((f"pointsman {' '.join(command)}", ("-m", "controller", *command), target))
        for what, pages in (("without pages", "false"), ("with pages", "true")):
            table = _table(folder / what.replace(" ", "-"), pages)
            told = f"pointsman run until the checkers are seen set up, {what}"
            asked.append((told, ("-c", UNTIL_SET_UP, str(table)), None))
        rows: list[Row] = []
        for told, arguments, target in asked:
            spent = statistics.median([_spent_s(arguments, environment, folder) for _ in range(RUNS + 1)][1:])
            alone = rows[0]["value"] if rows else spent
            row = {"name": f"{told}, processor", "value": spent, "unit": "s", "target": target}
            rows.append(row | {"ratio": spent / alone})
        return rows


def _table(folder: Path, pages: str) -> Path:
    """The configuration of a table whose camera is a film of a board that is set up."""
    film = folder / "film"
    film.mkdir(parents=True)
    for number in range(40):
        cv2.imwrite(str(film / f"{number:05d}.jpg"), shot(number % 2))
    (folder / "board.toml").write_text(dump_board(board()))
    config = folder / "pointsman.toml"
    config.write_text(TABLE.format(film=film, pages=pages))
    return config


def _spent_s(arguments: tuple[str, ...], environment: dict[str, str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
