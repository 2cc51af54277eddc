"""Pictures of boards with their truth, and boards learned from them."""

import json
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.fit import Sighting, fit_board
from controller.arrays import FloatArray, Picture, triple
from controller.vision.board.board import Board
from controller.vision.counting.appearance import learn_appearance
from controller.vision.geometry.camera import CameraModel

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


@lru_cache(maxsize=16)
def picture(name: str) -> Picture:
    """A picture, which nobody may change: other tests see it, too."""
    image = cv2.imread(str(DATA / frames()[name].file))
    assert image is not None
    image.setflags(write=False)
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


def in_bands_of_shadow(image: Picture, left: float = 0.6) -> Picture:
    """A picture in light that falls through a blind aslant: every other band is stored at so much of its level."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    bands = (columns * 0.825 + rows * 0.565) * 15 / image.shape[1]
    shade = cv2.blur(np.where(np.floor(bands) % 2 > 0, left, 1.0), (15, 15))
    return np.asarray(image * np.asarray(shade)[..., None], np.uint8)


def seen_from(image: Picture, before: CameraModel, now: CameraModel) -> Picture:
    """A picture of a board by one camera as another one sees it, as if all lay on the plane of the surface."""
    directions = _directions(replace(now, rotation=(0.0, 0.0, 0.0), translation=(0.0, 0.0, 0.0)))
    right, away, up = np.moveaxis(directions @ now.rotation_matrix, -1, 0)
    x_mm, y_mm, z_mm = now.centre_mm
    ways = before.map_plane(x_mm - z_mm / up * right, y_mm - z_mm / up * away, 0.0)
    grey = (80, 80, 80)
    return np.asarray(
        cv2.remap(image, *ways, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=grey), np.uint8
    )


@lru_cache(maxsize=3)
def _directions(camera: CameraModel) -> FloatArray:
    """The rays through all pixels, (h, w, 3), of a camera without a pose: of each board pushed about they are one."""
    columns, rows = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    return camera.rays(np.stack([columns, rows], axis=-1).astype(float))


def tilted(camera: CameraModel, degrees: float, nearer: float) -> CameraModel:
    """The camera tilted about its own axis to the right, and this share of its distance nearer."""
    bend = cv2.Rodrigues(np.array([np.radians(degrees), 0.0, 0.0]))[0]
    rotation = cv2.Rodrigues(bend @ camera.rotation_matrix)[0].ravel()
    translation = bend @ (np.array(camera.translation) * (1, 1, 1 - nearer))
    return replace(camera, rotation=triple(rotation), translation=triple(translation))


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
