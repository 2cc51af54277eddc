"""How long the command line takes to start: time of the processor, of a child process."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

Row = dict[str, Any]
RUNS = 9
MOST_S = 0.25
COMMANDS: tuple[tuple[str, ...], ...] = (("--version",), ("plays",), ("--help",))
ROOT = Path(__file__).resolve().parents[2]


def run() -> list[Row]:
    """The median of several runs of each command with nothing to do, its modules compiled before."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        } | {"PYTHONPYCACHEPREFIX": folder, "PYTHONPATH": str(ROOT)}
        rows: list[Row] = []
        for command in COMMANDS:
            spent = [_spent_s(command, environment) for _ in range(RUNS + 1)][1:]
            name = f"pointsman {' '.join(command)}, processor"
            target = None if command == ("--help",) else MOST_S
            rows.append({"name": name, "value": statistics.median(spent), "unit": "s", "target": target})
        return rows


def _spent_s(command: tuple[str, ...], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "controller", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env=environment,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
