"""How surely the numbers of dice are told in pictures that were packed coarsely, and how many of those are right.

Each roll of the films of `tests.bench.films` is read in one picture at rest, as it is and as JPEG of several
qualities; the pictures of the start position are packed likewise. By itself:
``python -m tests.bench.bench_coarse [FOLDER]``.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration.calibrate import CalibrationPicture, calibrate
from controller.arrays import Picture
from controller.devices.film import open_film
from controller.rules.position import START
from controller.vision.reader import read_board
from controller.vision.reading import DieSeen
from tests.bench.alterations import packed
from tests.bench.films import films, home_of, lines_of, pictures_of, start_pictures_of
from tests.bench.reliability import Stated

QUALITIES: Final = (None, 75, 60, 40, 25, 15)
AT_REST_S: Final = 0.3
"""So long after a roll the dice are looked at."""
SURE: Final = (0.9, 0.98, 0.99)


def run(named: str | None = None) -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    rows: list[dict[str, Any]] = []
    for film in films(named):
        rolls = list(rolls_of(film))
        for quality in QUALITIES:
            rows += _rows(f"{film.name}, {_how(quality)}", told_of(film, rolls, quality))
    return rows


def rolls_of(film: Path) -> Iterator[tuple[Picture, Counter[int]]]:
    """A picture of each roll of a film, and its numbers."""
    due: list[tuple[float, Counter[int]]] = [
        (line["t_roll"] + AT_REST_S, Counter(line["dice"])) for line in lines_of(film / "events.jsonl")
    ]
    for frame in open_film(pictures_of(film)):
        if due and frame.t >= due[0][0] and frame.picture is not None:
            yield frame.picture, due.pop(0)[1]


def told_of(film: Path, rolls: Sequence[tuple[Picture, Counter[int]]], quality: int | None) -> list[Stated]:
    """What is told of each die."""
    starts = [np.asarray(cv2.imread(str(file)), np.uint8) for file in start_pictures_of(film)]
    views = [CalibrationPicture(f"{n}", _as(one, quality), START.points) for n, one in enumerate(starts)]
    board = calibrate(views, home_of(film)).board
    return [
        stated
        for picture, numbers in rolls
        for stated in _compared(read_board(_as(picture, quality), board).dice, numbers)
    ]


def _compared(dice: Sequence[DieSeen], numbers: Counter[int]) -> Iterator[Stated]:
    """Which dice of a roll are right, the surest first: the roll has each of its numbers once."""
    left = numbers.copy()
    for die in sorted(dice, key=lambda die: -die.confidence):
        right = left[die.value] > 0
        left[die.value] -= right
        yield Stated(die.confidence, right)


def _as(picture: Picture, quality: int | None) -> Picture:
    return picture if quality is None else packed(picture, quality)


def _how(quality: int | None) -> str:
    return "as it is" if quality is None else f"JPEG of quality {quality}"


def _rows(how: str, told: Sequence[Stated]) -> Iterator[dict[str, Any]]:
    for least in SURE:
        sure = [one for one in told if one.confidence >= least]
        yield {"name": f"{how}: dice told with {least:.2f} and more", "value": len(sure), "unit": "dice"}
        if sure:
            right = sum(one.right for one in sure) / len(sure)
            yield {"name": f"{how}: right of these", "value": right, "unit": "", "target": least}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1] if len(sys.argv) > 1 else None), indent=1))
