"""What learned faces are worth where the camera stands elsewhere: shown on one painted table, read on another.

The makes of dice are those of `tests.bench.bench_own_dice`, small and large in the pictures when they are shown and
when they are read. Board, camera and light are others: python -m tests.bench.bench_kept_faces.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

import cv2

from calibration.faces import FaceError, learn_faces, look_at_faces
from controller.simulation.boards.makes import DieMake, kept_back_makes
from controller.vision.fitted.last_layer import LastLayer
from tests.bench.bench_own_dice import OwnTable, count_dice, own_table, row

SMALL: Final = "8"
WIDTHS: Final = {SMALL: (7.5, 8.5), "13": (12.5, 13.5)}
"""How many pixels wide the dice are."""
FIRST_SHOWN, FIRST_READ = 500, 700
"""Numbers of painted tables that no other benchmark uses."""


Tallies = dict[str, Counter[str]]


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    tallies: Tallies = {}
    for number, make in enumerate(kept_back_makes()):
        _count_make(make, number, tallies)
    return [one for name, tally in tallies.items() for one in _rows(name, tally)]


def _count_make(make: DieMake, number: int, tallies: Tallies) -> None:
    """Show dice of a make at each width and read them at each width."""
    places = list(enumerate(WIDTHS.values(), start=number * len(WIDTHS)))
    learned = [_learned(own_table(make, widths, FIRST_SHOWN + seed)) for seed, widths in places]
    tables = [own_table(make, widths, FIRST_READ + seed) for seed, widths in places]
    befores: list[Counter[str]] = []
    for table in tables:
        befores.append(Counter())
        count_dice(befores[-1], table.read, table.board, "before")
    for (then, layer), (now, (table, before)) in product(
        zip(WIDTHS, learned, strict=True), zip(WIDTHS, zip(tables, befores, strict=True), strict=True)
    ):
        if layer is not None:
            tally = tallies.setdefault(f"shown {_size(then)}, read {_size(now)}", Counter())
            tally.update(before)
            count_dice(tally, table.read, replace(table.board, dice=layer), "after")


def _size(width: str) -> str:
    return "small" if width == SMALL else "large"


def _learned(table: OwnTable) -> LastLayer | None:
    """What a table learned of its dice; None where they could not be used."""
    try:
        return learn_faces([look_at_faces(one, table.board) for one in table.shown], table.board).board.dice
    except FaceError as error:
        print(f"refused: {error}", file=sys.stderr)
        return None


def _rows(name: str, tally: Counter[str]) -> Iterator[dict[str, Any]]:
    asked = f"of {tally['before asked']}"
    for key in ("right", "wrong"):
        words = "read right" if key == "right" else "told wrong with 0.9 and more"
        for when in ("before", "after"):
            worst = tally[f"before {key}"] if when == "after" else None
            yield row(f"kept faces, {name}: {words} {when}", tally[f"{when} {key}"], asked, worst)


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
