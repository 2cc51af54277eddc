"""Where a lamp mirrors so strongly in the board that a die there cannot be seen."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from controller.arrays import Mask, Picture
from controller.vision.dice.spots import checker_faces
from controller.vision.geometry.board_grid import BoardGrid, surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.geometry.seen import ReflectionSeen

BURNT_FROM: Final = 245
"""Of all channels: JPEG lets levels that were cut off vary by so much."""
DIE_MM: Final = 12.0
"""A burnt-out patch so wide hides a die: one of 15 mm, whose rim may still show.

On 26 rendered boards reflections of three sizes, bright and very bright, were painted over one of two dice. Of 238
pictures in which the other die alone was read the reflection was found in 237, in 225 within 60 mm of its place; of
106 with weaker ones, which hardly burn out, in 71. In 272 pictures as they are none was found for a missing die.
``BOARDS=FOLDER python -m tests.bench.bench_reflections`` does so on painted boards and those of a folder.

Where no die is seen nothing is named: 20 of 143 pictures of 26 rendered boards have such a patch on the bare surface
though nothing is hidden. A table that waits for a roll would name it before anybody has rolled.
"""
BESIDE_CHECKER_MM: Final = 6.0
"""What is burnt out so near to a checker is its highlight, or its neighbours' that lie less neatly."""
MOST: Final = 0.25
"""Where so much of the surface is burnt out, all the picture is too bright."""


def find_reflection(
    image: Picture, camera: CameraModel, geometry: BoardGeometry, points: Sequence[int]
) -> ReflectionSeen | None:
    """The largest reflection on the bare surface that can hide a die, in a picture, (h, w, 3) BGR; None without one.

    ``points`` are the checkers that were read (24 signed counts): no die lies under them. The bar is left out.
    """
    grid = surface_grid(geometry)
    blue, green, red = cv2.split(grid.flatten(image, camera, 0.0))
    burnt = cv2.min(cv2.min(blue, green), red) >= BURNT_FROM
    burnt[~_field(grid, geometry)] = False
    if burnt.mean() > MOST:
        return None
    bare = burnt.astype(np.uint8)
    reach = geometry.checker_diameter_mm / 2 + BESIDE_CHECKER_MM
    for x, y in checker_faces(camera, geometry, points, 0.0).tolist():
        cv2.circle(bare, (round(grid.column(x)), round(grid.row(y))), round(reach / grid.step_mm), 0, -1)
    _, deepest, _, (column, row) = cv2.minMaxLoc(cv2.distanceTransform(bare, cv2.DIST_L2, 3))
    if 2 * deepest * grid.step_mm < DIE_MM:
        return None
    spot = float(grid.x_mm[column]), float(grid.y_mm[row])
    x, y = camera.project(np.array([*spot, 0.0])).tolist()
    return ReflectionSeen(x, y, _nearest_point(*spot, geometry))


def _field(grid: BoardGrid, geometry: BoardGeometry) -> Mask:
    """Where dice lie: the surface without the bar, (rows, columns)."""
    across, along = np.abs(grid.x_mm), np.abs(grid.y_mm)
    columns = (across > geometry.bar_mm / 2) & (across < geometry.surface_width_mm / 2)
    return np.asarray((along < geometry.surface_height_mm / 2)[:, None] & columns, bool)


def _nearest_point(x_mm: float, y_mm: float, geometry: BoardGeometry) -> int:
    side = 1 if y_mm > 0 else -1
    there = [point for point in range(1, 25) if geometry.side_of(point) == side]
    return min(there, key=lambda point: abs(geometry.column_x(point) - x_mm))
