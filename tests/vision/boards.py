"""Pictures of boards with their truth, and boards learned from them."""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fit import Sighting, fit_board
from controller.arrays import Picture
from controller.vision.appearance import learn_appearance
from controller.vision.board import Board

DATA = Path(__file__).resolve().parent.parent / "data" / "vision"


@dataclass(frozen=True)
class Frame:
    file: str
    board: str
    points: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    truth: dict[str, Any]


@cache
def frames() -> dict[str, Frame]:
    found = {}
    for line in (DATA / "truth.jsonl").read_text().splitlines():
        truth = json.loads(line)
        found[truth["file"].removesuffix(".jpg")] = Frame(
            truth["file"],
            truth["board"],
            tuple(truth["points"]),
            (truth["bar"]["light"], truth["bar"]["dark"]),
            (truth["off"]["light"], truth["off"]["dark"]),
            truth,
        )
    return found


def picture(name: str) -> Picture:
    image = cv2.imread(str(DATA / frames()[name].file))
    assert image is not None
    return np.asarray(image, np.uint8)


@cache
def learned(name: str) -> Board:
    """A board learned from its start picture, its geometry fitted to the known checkers."""
    start = frames()[f"{name}_start"]
    image = picture(f"{name}_start")
    fit = fit_board(_sightings(start), start.truth["home"], (image.shape[1], image.shape[0]))
    geometry = replace(fit.geometry, trays=tuple(start.truth["trays"]))
    return Board(fit.camera, geometry, learn_appearance([image], fit.camera, geometry, start.points))


def with_arm(
    image: Picture, x_mm: float, edge: int, tip_mm: float, skin: tuple[int, int, int] = (150, 180, 228)
) -> Picture:
    """A picture of board1 with a bare arm over a long edge (-1 light's, 1 dark's), lit from one side.

    It is at ``x_mm``, its tips at the y ``tip_mm``.
    """
    reached, outer = image.copy(), edge * 330.0
    for half, shade in ((34.0, 0.75), (26.0, 0.95), (14.0, 1.05)):
        left, right = x_mm - half, x_mm + half
        ring = [(left, outer), (left, tip_mm), (right, tip_mm), (right, outer)]
        corners = learned("board1").camera.project(np.array([(*spot, 40.0) for spot in ring]))
        colour = [float(min(255, c * shade)) for c in skin]
        cv2.fillConvexPoly(reached, np.round(corners).astype(np.int32), colour, cv2.LINE_AA)
    return reached


def _sightings(start: Frame) -> list[Sighting]:
    corners = np.array(start.truth["corners"])
    found = []
    for point in range(24):
        a, b = (corners[0], corners[1]) if point < 12 else (corners[3], corners[2])
        inward = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a))
        here = [c for c in start.truth["checkers"] if c["point"] == point]
        places = sorted(abs((np.array([c["x"], c["y"]]) - a) @ inward) for c in here)
        found += [
            Sighting(point + 1, places.index(abs((np.array([c["x"], c["y"]]) - a) @ inward)), c["x"], c["y"])
            for c in here
        ]
    return found
