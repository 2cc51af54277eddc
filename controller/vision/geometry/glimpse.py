"""A glimpse of a picture: the means of its cells about the board, by which two pictures are compared quickly."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

# Cells are about so large on the board (nominal mm, the points are 44 apart); a die fills four.
CELL_MM = 7.0
# What lies so far round the surface is looked at too: trays, a hand that comes in.
ROUND_MM = 90.0


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that is looked at, in pixels, and the side of a cell in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    cell: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of its cells."""
        return (self.bottom - self.top) // self.cell, (self.right - self.left) // self.cell


def window_of(
    camera: CameraModel, geometry: BoardGeometry, cell_mm: float = CELL_MM, round_mm: float = ROUND_MM
) -> Window:
    """Where in its pictures a camera sees the board and ``round_mm`` round it, in cells of about ``cell_mm``."""
    x, y = geometry.surface_width_mm / 2 + round_mm, geometry.surface_height_mm / 2 + round_mm
    ring = np.array([[a * x, b * y, 0.0] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    spots = camera.project(ring)
    inside = spots[np.isfinite(spots).all(axis=1)]
    cell = max(1, round(camera.pixels_per_mm() * cell_mm))
    low = np.clip(np.floor(inside.min(axis=0)), 0, (camera.width - cell, camera.height - cell)).astype(int)
    high = np.clip(np.ceil(inside.max(axis=0)), low + cell, (camera.width, camera.height)).astype(int)
    columns, rows = (high - low) // cell
    left, top = int(low[0]), int(low[1])
    return Window(left, top, left + int(columns) * cell, top + int(rows) * cell, cell)


def glimpse(image: Picture, window: Window) -> Picture:
    """The means of a picture's cells, (rows, columns, 3) BGR uint8."""
    part = image[window.top : window.bottom, window.left : window.right]
    rows, columns = window.shape
    return np.asarray(cv2.resize(part, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
