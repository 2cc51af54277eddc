"""How long writing things down takes."""

import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.record.files.formats import Format, format_match
from controller.record.journal.journal import Draft, Journal
from controller.record.match.json_values import turn_record
from controller.record.match.match_log import read_match
from tests.record.matches import random_match
from tests.record.simulated import Habits, simulated

EVENTS = 300
LONG = Habits(double=0.02, resign=0.0, longest=500)
MATCHES = 10_000
UTC = "2026-11-21T12:00:00Z"


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    match = simulated(1, "standard-match", 25, LONG)
    turns = sum(len(game.turns) for game in match.games)
    exports = [
        {
            "name": f"25-point match of {len(match.games)} games and {turns} turns as {form}",
            "value": _taken(lambda form=form: format_match(match, form)),
            "unit": "s",
            "target": 1,
        }
        for form in Format
    ]
    with tempfile.TemporaryDirectory(dir=".") as folder:
        append_s = _append_s(Path(folder) / "journal.db")
        opening = _opening(Path(folder) / "large.db")
    return [
        {"name": "journal: one event on disk, median", "value": 1000 * append_s, "unit": "ms", "target": 5},
        *opening,
        *exports,
    ]


def _taken(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _append_s(path: Path) -> float:
    turn = turn_record(random_match(1, games=1).games[0].turns[0])
    with Journal(path) as journal:
        return statistics.median(
            _taken(lambda: journal.append("m", "turn", turn, utc=UTC)) for _ in range(EVENTS)
        )


def _opening(path: Path) -> list[dict[str, Any]]:
    with Journal(path) as journal:
        drafts = _many_matches()
        while batch := list(itertools.islice(drafts, 20_000)):
            journal.append_all(batch)

    def opened() -> None:
        with Journal(path) as journal:
            assert len(journal.matches()) == MATCHES

    def one_more() -> None:
        with Journal(path) as journal:
            journal.append("m", "note", {}, utc=UTC)
            assert read_match(journal, f"match {MATCHES - 1}").games

    size = f"{MATCHES:,} matches"
    return [
        {
            "name": f"journal: open one of {size} and list them",
            "value": _taken(opened),
            "unit": "s",
            "target": 1,
        },
        {
            "name": f"journal: open one of {size}, write, read the last",
            "value": _taken(one_more),
            "unit": "s",
        },
    ]


def _many_matches() -> Iterator[Draft]:
    """Short matches of real turns, twenty events each."""
    turns = random_match(2, games=1).games[0].turns[:17]
    records = [turn_record(turn) for turn in turns]
    heading: Any = {"light": "Anna", "dark": "Béla", "length": 1, "played_on": None}
    start: Any = {"start": turns[0].before.compact(), "light_score": 0, "dark_score": 0}
    for number in range(MATCHES):
        name = f"match {number}"
        yield Draft(name, "match", heading, UTC)
        yield Draft(name, "game", start, UTC)
        for record in records:
            yield Draft(name, "turn", record, UTC, 0.0)
        yield Draft(name, "result", {"winner": "light", "points": 1}, UTC)


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
