"""A cheap look at each picture of a film: whether anything moves, and what is another than it was."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry

# Cells are about so large on the board (nominal mm, the points are 44 apart); a die fills four.
CELL_MM = 7.0
# What lies so far round the surface is looked at too: trays, a hand that comes in.
ROUND_MM = 90.0
# Four cells are others than they were from so many grey levels on, or from so many times the noise of all.
LEAST_CHANGE = 6.0
NOISE_FACTOR = 7.0
# Light that changes evenly by less than this factor is not worth looking again.
LIGHT_FACTOR = 1.04


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that is looked at, in pixels, and the side of a cell in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    cell: int


@dataclass(frozen=True, slots=True)
class SceneChange:
    """What differs between two glimpses: the number of cells, and the factor by which all light changed."""

    cells: int
    light: float

    @property
    def any(self) -> bool:
        """Whether anything worth another look is different."""
        return self.cells > 0 or not 1 / LIGHT_FACTOR < self.light < LIGHT_FACTOR


def window_of(camera: CameraModel, geometry: BoardGeometry) -> Window:
    """Where in its pictures a camera sees the board and what is round it."""
    x, y = geometry.surface_width_mm / 2 + ROUND_MM, geometry.surface_height_mm / 2 + ROUND_MM
    ring = np.array([[a * x, b * y, 0.0] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    spots = camera.project(ring)
    inside = spots[np.isfinite(spots).all(axis=1)]
    ends = camera.project(np.array([[-100.0, 0.0, 0.0], [100.0, 0.0, 0.0]]))
    cell = max(1, round(float(np.hypot(*(ends[1] - ends[0]))) / 200 * CELL_MM))
    low = np.clip(np.floor(inside.min(axis=0)), 0, (camera.width - cell, camera.height - cell)).astype(int)
    high = np.clip(np.ceil(inside.max(axis=0)), low + cell, (camera.width, camera.height)).astype(int)
    columns, rows = (high - low) // cell
    left, top = int(low[0]), int(low[1])
    return Window(left, top, left + int(columns) * cell, top + int(rows) * cell, cell)


def glimpse(image: Picture, window: Window) -> Picture:
    """The means of a picture's cells, (rows, columns, 3) BGR uint8."""
    part = image[window.top : window.bottom, window.left : window.right]
    size = part.shape[1] // window.cell, part.shape[0] // window.cell
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def change_between(before: Picture, now: Picture) -> SceneChange:
    """What is another in the second of two glimpses through the same window."""
    light = (float(now.mean()) + 1) / (float(before.mean()) + 1)
    gap = cv2.scaleAdd(before.astype(np.float32), -light, now.astype(np.float32))
    gap = np.abs(cv2.blur(gap, (2, 2))).max(axis=2)
    usual = float(np.median(gap))
    return SceneChange(int((gap > max(LEAST_CHANGE, NOISE_FACTOR * usual)).sum()), light)
