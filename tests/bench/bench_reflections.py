"""How often a reflection is named where it hides a die, and where nothing is hidden.

A lamp's reflection is painted over one die of each pair that is read on the boards of `tests.bench.bench_eyes`: in
three sizes, each in three strengths. Where the other die alone is read then, it is to be named near its place; in the
pictures as they are none is to be. BOARDS=FOLDER python -m tests.bench.bench_reflections adds boards of one's own.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.dice.dice import lacks_die
from controller.vision.dice.views import DIE_VIEW
from controller.vision.geometry.camera import CameraModel
from controller.vision.reader import read_board
from controller.vision.reading import DieSeen, Reading
from tests.bench.bench_eyes import painted, recorded

SIZES_MM: Final = (12.0, 18.0, 26.0)
"""How wide reflections are: one standard deviation of their light."""
STRENGTHS: Final = {"weak": 130.0, "bright": 250.0, "very bright": 500.0}
"""How many levels they add in their middle; weak ones hardly burn out."""
NEAR_MM: Final = 60.0
"""A reflection that is named so near to its middle is named in its place."""
BOARDS: Final = 6
"""Painted ones; about half of their pictures show a pair of dice."""


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows = list(_rows("painted", painted(BOARDS)))
    for folder in filter(None, os.environ.get("BOARDS", "").split(os.pathsep)):
        rows += _rows(Path(folder).name, recorded(Path(folder)))
    return rows


def mirrored(
    picture: Picture, camera: CameraModel, x: float, y: float, width_mm: float, levels: float
) -> Picture:
    """The picture with a lamp that mirrors at a pixel."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    spread = width_mm * camera.pixels_per_mm(0.0)
    lamp = levels * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    return np.asarray((picture + lamp[..., None]).clip(0, 255), np.uint8)


def _rows(what: str, boards: Iterator[Any]) -> Iterator[dict[str, Any]]:
    count = Counter[str]()
    for _, board, shots in boards:
        for picture, _ in shots if board is not None else ():
            reading = read_board(picture, board)
            if reading.recognised:
                count["as they are"] += 1
                count["imagined"] += reading.reflection is not None
                count += _count_hidden(picture, board, reading)
    for strength in STRENGTHS:
        asked, target = count[f"{strength}: one die left"], None if strength == "weak" else 0.99
        for key in ("named", "near"):
            yield {
                "name": f"{what}, one die under a {strength} reflection: {key}",
                "value": count[f"{strength}: {key}"],
                "unit": f"of {asked} in which the other alone was read",
                "target": None if key == "near" or target is None else round(target * asked),
            }
    pictures = f"of {count['as they are']} pictures as they are"
    yield {"name": f"{what}: reflection imagined", "value": count["imagined"], "unit": pictures, "target": 0}


def _count_hidden(picture: Picture, board: Board, reading: Reading) -> Counter[str]:
    """What is named where a reflection lies over the first of two dice that are surely read."""
    count = Counter[str]()
    dice = sorted(reading.dice, key=lambda die: (die.x, die.y))
    if len(dice) != 2 or reading.hand or lacks_die(dice):
        return count
    for width_mm, (strength, levels) in product(SIZES_MM, STRENGTHS.items()):
        now = read_board(mirrored(picture, board.camera, dice[0].x, dice[0].y, width_mm, levels), board)
        if now.recognised and not now.hand and lacks_die(now.dice):
            count[f"{strength}: one die left"] += 1
            count[f"{strength}: named"] += now.reflection is not None
            count[f"{strength}: near"] += now.reflection is not None and _is_near(now, dice[0], board)
    return count


def _is_near(reading: Reading, die: DieSeen, board: Board) -> bool:
    assert reading.reflection is not None
    seen = board.camera.to_board(np.array([reading.reflection.x, reading.reflection.y]), 0.0)
    place = board.camera.to_board(np.array([die.x, die.y]), DIE_VIEW.height_mm)
    return float(np.hypot(*(seen - place))) <= NEAR_MM


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
