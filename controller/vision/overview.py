"""A coarse look at the board and what lies round it: enough to see a hand, an arm or a cup."""

from dataclasses import dataclass, replace

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
# The outermost of the learned ground are no more than repeated.
EDGE = 2
# Pixels of the reduced picture for one step of the grid.
PIXELS_PER_STEP = 1.6
# Log densities run from about -19 (strange) to -8 (usual): the middle and half the range.
DENSITY_MIDDLE, DENSITY_SCALE = -13.5, 5.5
# Grey levels that count as one in the layers of difference and doubt.
GAP_SCALE, DOUBT_SCALE = 64.0, 32.0
PLAN_BAR = 0.5
LAYERS = 11


@dataclass(frozen=True, eq=False)
class BareView:
    """The bare board on the coarse grid.

    ``picture`` is (``ROWS``, ``COLUMNS``, 3) BGR, ``doubt`` how many grey levels it may be wrong by, ``known`` 1
    where it is known and else 0, both (``ROWS``, ``COLUMNS``).
    """

    picture: Picture
    doubt: Picture
    known: Picture


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


def bare_view(look: Appearance, camera: Camera, geometry: BoardGeometry) -> BareView:
    """What of the bare board is known, as the camera would see it."""
    sheet, ground = overview_sheet(), ground_sheet(geometry)
    smooth = np.asarray(cv2.blur(look.bare, (3, 3)), np.uint8)
    inside = np.zeros((ground.rows, ground.columns), np.uint8)
    inside[EDGE:-EDGE, EDGE:-EDGE] = 1
    return BareView(
        sheet.lift(smooth, ground, camera, HEIGHT_MM),
        sheet.lift(look.doubt, ground, camera, HEIGHT_MM),
        sheet.lift(inside, ground, camera, HEIGHT_MM),
    )


def layers(now: Picture, bare: BareView, look: Appearance, geometry: BoardGeometry) -> Layers:
    """What a network is shown, (``LAYERS``, ``ROWS``, ``COLUMNS``), each about -1 to 1.

    The picture (3), the bare board (3; the picture itself where it is not known), how much they differ, how
    doubtful that is, the plan of the board, and how well each pixel's colour suits light's and dark's checkers.
    ``now`` is on the coarse grid, in the light of the bare board.
    """
    then = np.where(bare.known[..., None] > 0, bare.picture, now)
    gap = cv2.absdiff(now, np.asarray(then, np.uint8)).max(axis=2)
    lab = to_lab(now)
    stack = [
        *np.moveaxis(now.astype(np.float32) / 127.5 - 1, 2, 0),
        *np.moveaxis(then.astype(np.float32) / 127.5 - 1, 2, 0),
        gap.astype(np.float32) / GAP_SCALE,
        bare.doubt * (bare.known > 0) / DOUBT_SCALE,
        plan(geometry),
        suits(lab, look.light),
        suits(lab, look.dark),
    ]
    return np.stack(stack).astype(np.float32)


def plan(geometry: BoardGeometry) -> Layers:
    """1 on the two halves of the surface, ``PLAN_BAR`` on the bar, 0 elsewhere; shape (``ROWS``, ``COLUMNS``)."""
    sheet = overview_sheet()
    x, y = np.abs(sheet.x_mm), np.abs(sheet.y_mm)
    across = np.where(x < geometry.bar_mm / 2, PLAN_BAR, (x < geometry.surface_width_mm / 2).astype(float))
    return np.asarray((y < geometry.surface_height_mm / 2)[:, None] * across[None], np.float32)


def suits(lab: Picture, shades: Shades) -> Layers:
    """The log density of each colour of a kind of checkers, scaled; shape (rows, columns)."""
    index = (lab // (256 // BINS)).astype(np.int32)
    density = shades.table[(index[..., 0] * BINS + index[..., 1]) * BINS + index[..., 2]]
    return np.asarray((density - DENSITY_MIDDLE) / DENSITY_SCALE, np.float32)
