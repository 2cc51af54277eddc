"""How well pictures are read in another light than the calibration's: those of `tests.bench.bench_eyes`, relit.

What a lamp or a cloud does is done to the pixels as they are stored. So it is a stand-in for other light: shadows and
reflections stay where they were. Pictures with a hand over the board are left out.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from controller.arrays import Picture
from controller.vision.reader import read_board
from tests.bench.bench_eyes import painted, recorded

Pixels = npt.NDArray[np.float64]
"""A picture (h, w, 3), BGR, 0..255."""

NOISE = 6.0
"""Grey levels, standard deviation."""
BLUR_PX = 1.0
SEED = 1


def _side(pixels: Pixels) -> Pixels:
    """Light that falls off from the left side of the picture to its right one."""
    return pixels * np.linspace(1.15, 0.6, pixels.shape[1])[None, :, None]


def _grainy(pixels: Pixels) -> Pixels:
    noise = np.random.default_rng(SEED).normal(0, NOISE, pixels.shape)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), BLUR_PX), np.float64) + noise


LIGHTS: Final[dict[str, Callable[[Pixels], Pixels]]] = {
    "half the light": lambda pixels: pixels * 0.5,
    "warm light": lambda pixels: pixels * np.array([0.75, 1.0, 1.15]),
    "30 % more light": lambda pixels: pixels * 1.3,
    "noise and blur": _grainy,
    "light from one side": _side,
    "60 % more light": lambda pixels: pixels * 1.6,
}
TARGETS = {"60 % more light": None}
"""Of points right, per cent, where it is not 99.5."""


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows = list(_rows("painted", painted()))
    for folder in filter(None, os.environ.get("BOARDS", "").split(os.pathsep)):
        rows += _rows(Path(folder).name, recorded(Path(folder)))
    return rows


def relit(picture: Picture, light: str) -> Picture:
    """The picture in one of `LIGHTS`."""
    pixels = LIGHTS[light](picture.astype(np.float64))
    return np.clip(np.rint(pixels), 0, 255).astype(np.uint8)


def _rows(what: str, boards: Iterator[Any]) -> Iterator[dict[str, Any]]:
    counts: dict[str, Counter[str]] = {light: Counter() for light in LIGHTS}
    for _, board, shots in boards:
        for picture, truth in shots if board is not None else ():
            if truth["hand"] or truth.get("cup_on_board"):
                continue
            for light, count in counts.items():
                seen = read_board(relit(picture, light), board)
                count["pictures"] += 1
                if seen.fault is not None:
                    count["refused"] += 1
                    continue
                count["hands"] += seen.hand
                for point, (told, true) in enumerate(zip(seen.points, truth["points"], strict=True), start=1):
                    sure = point not in seen.unsure
                    count.update(points=1, right=told == true, sure=sure, wrong=sure and told != true)
    for light, count in counts.items():
        name = f"{what}, {light}, {count['pictures']} pictures"
        share = 100 * count["right"] / max(count["points"], 1)
        yield {
            "name": f"{name}: points right",
            "value": share,
            "unit": "%",
            "target": TARGETS.get(light, 99.5),
        }
        yield {
            "name": f"{name}: wrong and not marked unsure",
            "value": count["wrong"],
            "unit": f"of {count['sure']}",
            "target": 0,
        }
        yield {"name": f"{name}: refused", "value": count["refused"], "unit": "pictures"}
        yield {"name": f"{name}: hands imagined", "value": count["hands"], "unit": "pictures"}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
