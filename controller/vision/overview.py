"""A coarse look at the board and what lies round it: enough to see a hand, an arm or a cup."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import BINS, Appearance, Shades, to_lab
from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Picture, Sheet, ground_sheet

Layers = NDArray[np.float32]

# Nominal millimetres (the points are 44 apart): the surface of any board and a hand's breadth round it.
STEP_MM = 5.0
ROWS, COLUMNS = 120, 144
# Hands are above the board: seen on the plane of the checkers' upper faces rather than of the surface.
HEIGHT_MM = 12.0
# Pixels of the reduced picture for one step of the grid.
PIXELS_PER_STEP = 1.6
# Log densities are brought to about -1 to 1 by this.
DENSITY_SCALE = 12.0
PLAN_BAR = 0.5
LAYERS = 10


def overview_sheet() -> Sheet:
    """The grid of the coarse look, the same for every board, centred on it."""
    return Sheet(-(COLUMNS - 1) / 2 * STEP_MM, -(ROWS - 1) / 2 * STEP_MM, ROWS, COLUMNS, STEP_MM)


def look_over(image: Picture, camera: Camera) -> Picture:
    """A picture, (h, w, 3) uint8, on the coarse grid: shape (``ROWS``, ``COLUMNS``, 3)."""
    sheet = overview_sheet()
    ends = camera.project(np.array([[-100.0, 0, HEIGHT_MM], [100.0, 0, HEIGHT_MM]]))
    per_step = float(np.hypot(*(ends[1] - ends[0]))) / 200 * STEP_MM
    shrink = max(1.0, per_step / PIXELS_PER_STEP)
    size = round(camera.width / shrink), round(camera.height / shrink)
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA) if shrink > 1 else image
    reduced = replace(camera, width=size[0], height=size[1], focal=camera.focal * size[0] / camera.width)
    return sheet.flatten(np.asarray(small, np.uint8), reduced, HEIGHT_MM)


def bare_view(look: Appearance, camera: Camera, geometry: BoardGeometry) -> tuple[Picture, Picture]:
    """The bare board on the coarse grid, (``ROWS``, ``COLUMNS``, 3), and where it is known: 1, else 0."""
    ground = ground_sheet(geometry)
    smooth = cv2.blur(look.bare, (3, 3))
    bare = overview_sheet().lift(np.asarray(smooth, np.uint8), ground, camera, HEIGHT_MM)
    inside = np.zeros((ground.rows, ground.columns), np.uint8)
    inside[2:-2, 2:-2] = 1
    wide = cv2.copyMakeBorder(inside, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)[1:-1, 1:-1]
    known = overview_sheet().lift(np.asarray(wide, np.uint8), ground, camera, HEIGHT_MM)
    return bare, known


def layers(now: Picture, bare: Picture, known: Picture, look: Appearance, geometry: BoardGeometry) -> Layers:
    """What a network is shown, (``LAYERS``, ``ROWS``, ``COLUMNS``), each about -1 to 1.

    The picture (3), the bare board (3; the picture itself where it is not known), how much they differ, the plan
    of the board, and how well each pixel's colour suits light's and dark's checkers. ``now`` is in the light of
    the bare board; pictures are on the coarse grid.
    """
    then = np.where(known[..., None] > 0, bare, now)
    gap = cv2.absdiff(now, np.asarray(then, np.uint8)).max(axis=2)
    lab = to_lab(now)
    stack = [
        *np.moveaxis(now.astype(np.float32) / 127.5 - 1, 2, 0),
        *np.moveaxis(then.astype(np.float32) / 127.5 - 1, 2, 0),
        gap.astype(np.float32) / 64,
        plan(geometry),
        _suits(lab, look.light),
        _suits(lab, look.dark),
    ]
    return np.stack(stack).astype(np.float32)


def plan(geometry: BoardGeometry) -> Layers:
    """1 on the two halves of the surface, ``PLAN_BAR`` on the bar, 0 elsewhere; shape (``ROWS``, ``COLUMNS``)."""
    sheet = overview_sheet()
    x, y = np.abs(sheet.x_mm), np.abs(sheet.y_mm)
    across = np.where(x < geometry.bar_mm / 2, PLAN_BAR, (x < geometry.surface_width_mm / 2).astype(float))
    return np.asarray((y < geometry.surface_height_mm / 2)[:, None] * across[None], np.float32)


def _suits(lab: Picture, shades: Shades) -> Layers:
    """The log density of each colour of a kind of checkers, scaled; shape (rows, columns)."""
    index = (lab // (256 // BINS)).astype(np.int32)
    density = shades.table[(index[..., 0] * BINS + index[..., 1]) * BINS + index[..., 2]]
    return np.asarray(density / DENSITY_SCALE + 1, np.float32)
