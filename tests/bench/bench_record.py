"""How long writing things down takes."""

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from controller.record.journal import Journal
from controller.record.mat import mat_text
from tests.record.matches import random_match

EVENTS = 300


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    match = random_match(1, games=7, illegal=0.02)
    began = time.perf_counter()
    mat_text(match)
    export_s = time.perf_counter() - began
    return [
        {
            "name": "journal: one event on disk, median",
            "value": 1000 * _append_s(),
            "unit": "ms",
            "target": 5,
        },
        {"name": "match.mat of 7 games", "value": export_s, "unit": "s", "target": 1},
    ]


def _append_s() -> float:
    times: list[float] = []
    with tempfile.TemporaryDirectory(dir=".") as folder, Journal(Path(folder) / "journal.db") as journal:
        for number in range(EVENTS):
            began = time.perf_counter()
            journal.append("m", "turn", {"ply": number, "move": "8/5 6/5"}, utc="2026-11-21T12:00:00Z")
            times.append(time.perf_counter() - began)
    return statistics.median(times)
