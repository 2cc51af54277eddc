"""Pictures of boards with their truth."""

import json
from pathlib import Path

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from tests.amounts import amount

DATA = Path(__file__).parent.parent / "data"
BOARDS = DATA / "boards"
GAME = DATA / "game"
TRUTH = json.loads((BOARDS / "truth.json").read_text())
START = (-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)


def picture(name: str) -> Picture:
    path = GAME / "frames" / "00000.jpg" if name == "game" else BOARDS / f"{name}.jpg"
    return np.asarray(cv2.imread(str(path)), np.uint8)


def corners(name: str) -> FloatArray:
    return np.array(TRUTH[name]["corners"])


def corner_words(corners: FloatArray) -> tuple[str, str]:
    """What a command is told of corners that are known: for tests of something else than how a board is found."""
    return "--corners", ",".join(map(str, corners.ravel().tolist()))


def known_corners(name: str) -> FloatArray | None:
    """The corners, where the search for a board is not what is tested; `make test-long` searches all the same."""
    return amount(corners(name), None)


def width_px(name: str) -> float:
    near, far = corners(name)[0], corners(name)[1]
    return float(np.linalg.norm(near - far))
