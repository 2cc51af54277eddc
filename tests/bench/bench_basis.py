"""How far readings of what changed lie from full ones, over films: `python -m tests.bench.bench_basis [FOLDER]`.

The game that ships is followed as a live table follows it, and every film in the folder that is named here or by the
environment variable FILMS (`tests.bench.films`). Each picture that is read going on from an earlier reading is read
in full, too; the two are compared, and their processor times.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.devices.film import open_film
from controller.vision.baseline import Baseline
from controller.vision.board.board import Board
from controller.vision.reader import SURE, read_board
from controller.vision.reading import DieSeen, Reading
from tests.bench.films import FilmFolder, FilmsError, films, pictures_of

PLAY = (2, 4)
"""A play changes so many points, at least and at most."""
SAME_PIXELS = 3.0
"""Dice nearer to each other than this are the same."""
CERTAIN = 0.9
"""A die whose number is surer than this is surely seen."""


@dataclass
class Comparison:
    """Reads pictures of a film both ways, and counts what differs.

    ``gap`` is the most by which the probabilities of a point's count differed where both readings were sure of it,
    ``spent`` the processor seconds of readings of plays, of what changed and in full.
    """

    counted: Counter[str] = field(default_factory=Counter)
    gap: float = 0.0
    spent: list[tuple[float, float]] = field(default_factory=list)

    def read(self, picture: Picture, board: Board, baseline: Baseline | None = None) -> Reading:
        """The reading of what changed since a basis, after it was compared with a full one."""
        began = time.process_time()
        found = read_board(picture, board, baseline)
        between = time.process_time()
        if baseline is None or found.baseline is None or found.baseline.readings == 0:
            self.counted["full"] += 1
            return found
        full = read_board(picture, board)
        ended = time.process_time()
        self._compare(found, full)
        before = [max(likely, key=lambda count: likely[count]) for likely in baseline.points]
        changed = sum(one != other for one, other in zip(before, full.points, strict=True))
        if PLAY[0] <= changed <= PLAY[1] and not full.hand:
            self.spent.append((between - began, ended - between))
        return found

    def _compare(self, found: Reading, full: Reading) -> None:
        self.counted["readings"] += 1
        for point in range(24):
            pair = found.point_confidence[point], full.point_confidence[point]
            differ = found.points[point] != full.points[point]
            self.counted["points"] += 1
            self.counted["points differ"] += differ
            self.counted["sure points differ"] += differ and max(pair) >= SURE
            if min(pair) >= SURE:
                self.gap = max(self.gap, abs(pair[0] - pair[1]))
        self.counted["bars differ"] += found.bar != full.bar
        self.counted["sets of dice differ"] += not _same_dice(found.dice, full.dice, 0.0)
        self.counted["surely seen dice differ"] += not _same_dice(found.dice, full.dice, CERTAIN)
        self.counted["cubes differ"] += _cube(found) != _cube(full)
        self.counted["hands differ"] += found.hand != full.hand


def _same_dice(ones: Sequence[DieSeen], others: Sequence[DieSeen], least: float) -> bool:
    """Whether each die that either reading is so sure of is in the other, too: its number, whether cocked, where."""
    return all(
        any(_same_die(die, other) for other in all_others)
        for dice, all_others in ((ones, others), (others, ones))
        for die in dice
        if die.confidence >= least
    )


def _same_die(one: DieSeen, other: DieSeen) -> bool:
    near = np.hypot(one.x - other.x, one.y - other.y) <= SAME_PIXELS
    return bool(near and (one.value, one.cocked) == (other.value, other.cocked))


def _cube(reading: Reading) -> tuple[int, str] | None:
    return None if reading.cube is None else (reading.cube.value, reading.cube.owner)


def run(named: str | None = None) -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    return [row for folder in films(named) for row in _rows(folder)]


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    film, comparison = FilmFolder.of(folder), Comparison()
    eyes = Eyes(film.board, comparison.read)
    for frame in open_film(pictures_of(folder)):
        eyes.read_frame(frame)
    counted = comparison.counted
    asked = f"of {counted['points']}"
    yield _row(folder, "read in full", counted["full"], "readings")
    yield _row(folder, "read as far as it changed, and compared", counted["readings"], "readings")
    yield _row(folder, "points that differ", counted["points differ"], asked)
    yield _row(folder, "points that differ and either is sure of", counted["sure points differ"], asked, 0)
    yield _row(folder, "most by which sure points' probabilities differ", comparison.gap, "")
    of_all = f"of {counted['readings']}"
    for what in ("bars", "sets of dice"):
        yield _row(folder, f"{what} that differ", counted[f"{what} differ"], of_all)
    for what in ("surely seen dice", "cubes", "hands"):
        yield _row(folder, f"{what} that differ", counted[f"{what} differ"], of_all, 0)
    if comparison.spent:
        changed, full = (sum(one) for one in zip(*comparison.spent, strict=True))
        yield _row(folder, "readings of plays of two to four points", len(comparison.spent), "readings")
        yield _row(folder, "their processor time against full readings", changed / full, "", 0.35)


def _row(folder: Path, name: str, value: float, unit: str, target: float | None = None) -> dict[str, Any]:
    return {"name": f"{folder.name}: {name}", "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    try:
        rows = run(*sys.argv[1:2])
    except FilmsError as error:
        sys.exit(str(error))
    json.dump(rows, sys.stdout, indent=1)
