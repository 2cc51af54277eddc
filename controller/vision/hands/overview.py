"""A coarse look at the board and what lies round it: enough to see a hand, an arm or a cup."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.counting.appearance import BINS, Appearance, Shades, strongest, to_lab
from controller.vision.geometry.board_grid import BoardGrid, ground_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

# Nominal millimetres (the points are 44 apart): the surface of any board and a hand's breadth round it.
STEP_MM = 5.0
ROWS, COLUMNS = 120, 144
# Hands are above the board: seen on the plane of the checkers' upper faces rather than of the surface.
HEIGHT_MM = 12.0
# The outermost of the learned ground are no more than repeated.
EDGE = 2
# Log densities run from about -19 (strange) to -8 (usual): the middle and half the range.
DENSITY_MIDDLE, DENSITY_SCALE = -13.5, 5.5
# Grey levels that count as one in the layers of difference and doubt.
GAP_SCALE, DOUBT_SCALE = 64.0, 32.0
PLAN_BAR = 0.5
LAYERS = 11


@dataclass(frozen=True, eq=False)
class BareView:
    """The bare board on the coarse grid.

    ``picture`` is (``ROWS``, ``COLUMNS``, 3) BGR, ``doubt`` how many grey levels it may be wrong by, (``ROWS``,
    ``COLUMNS``); both mean something only in ``known``, a rectangle of rows and columns.
    """

    picture: Picture
    doubt: Picture
    known: tuple[slice, slice]


@lru_cache(maxsize=1)
def overview_grid() -> BoardGrid:
    """The grid of the coarse look, the same for every board, centred on it."""
    return BoardGrid(-(COLUMNS - 1) / 2 * STEP_MM, -(ROWS - 1) / 2 * STEP_MM, ROWS, COLUMNS, STEP_MM)


def look_over(image: Picture, camera: CameraModel) -> Picture:
    """A picture, (h, w, 3) uint8, on the coarse grid: shape (``ROWS``, ``COLUMNS``, 3)."""
    return overview_grid().flatten_coarsely(image, camera, HEIGHT_MM)


def bare_view(look: Appearance, camera: CameraModel, geometry: BoardGeometry) -> BareView:
    """What of the bare board is known, as the camera would see it."""
    grid, ground = overview_grid(), ground_grid(geometry)
    # Seen from a camera straight or aslant, one plane is an enlarged and shifted picture of another.
    away = float(camera.centre_mm[2] / (camera.centre_mm[2] - HEIGHT_MM))
    left, near = (1 - away) * camera.centre_mm[:2] + away * np.array([grid.left_mm, grid.near_mm])
    enlarged = away * grid.step_mm / ground.step_mm
    back = np.array([[enlarged, 0, ground.column(left)], [0, enlarged, ground.row(near)]])
    seen = cv2.warpAffine(
        _softened(look),
        back,
        (COLUMNS, ROWS),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    known = (
        _within(back[1, 2], enlarged, ground.rows, ROWS),
        _within(back[0, 2], enlarged, ground.columns, COLUMNS),
    )
    return BareView(np.ascontiguousarray(seen[..., :3]), np.ascontiguousarray(seen[..., 3]), known)


@lru_cache(maxsize=4)
def _softened(look: Appearance) -> Picture:
    """The bare board (3) and its doubt on the ground grid, fine details of the board smoothed."""
    return np.dstack([np.asarray(cv2.blur(look.bare, (3, 3)), np.uint8), look.doubt])


def _within(first: float, step: float, size: int, steps: int) -> slice:
    """Which of these steps from ``first`` on fall on a line of ``size`` pixels, its edges left out."""
    places = first + step * np.arange(steps)
    inside = np.flatnonzero((places >= EDGE) & (places <= size - 1 - EDGE))
    return slice(int(inside[0]), int(inside[-1]) + 1) if len(inside) else slice(0)


def layers(now: Picture, bare: BareView, look: Appearance, geometry: BoardGeometry) -> Float32Array:
    """What a network is shown, (``LAYERS``, ``ROWS``, ``COLUMNS``), each about -1 to 1.

    The picture (3), the bare board (3; the picture itself where it is not known), how much they differ, how
    doubtful that is, the plan of the board, and how well each pixel's colour suits light's and dark's checkers.
    ``now`` is on the coarse grid, in the light of the bare board.
    """
    then = now.copy()
    then[bare.known] = bare.picture[bare.known]
    stack = np.zeros((LAYERS, ROWS, COLUMNS), np.float32)
    for k, (one, other) in enumerate(zip(cv2.split(now), cv2.split(then), strict=True)):
        stack[k], stack[3 + k] = one, other
    stack[:6] *= np.float32(1 / 127.5)
    stack[:6] -= 1
    stack[6] = strongest(cv2.absdiff(now, then))
    stack[6] *= np.float32(1 / GAP_SCALE)
    stack[7][bare.known] = bare.doubt[bare.known] * np.float32(1 / DOUBT_SCALE)
    stack[8] = plan(geometry)
    stack[9], stack[10] = suits(to_lab(now), look)
    return stack


@lru_cache(maxsize=16)
def plan(geometry: BoardGeometry) -> Float32Array:
    """1 on the two halves of the surface, ``PLAN_BAR`` on the bar, 0 elsewhere; shape (``ROWS``, ``COLUMNS``)."""
    grid = overview_grid()
    x, y = np.abs(grid.x_mm), np.abs(grid.y_mm)
    across = np.where(x < geometry.bar_mm / 2, PLAN_BAR, (x < geometry.surface_width_mm / 2).astype(float))
    return np.asarray((y < geometry.surface_height_mm / 2)[:, None] * across[None], np.float32)


def suits(lab: Picture, look: Appearance) -> tuple[Float32Array, Float32Array]:
    """The log densities of each colour among light's and dark's checkers, scaled; shapes (rows, columns)."""
    first, second, third = cv2.split(lab // np.uint8(256 // BINS))
    index = (first.astype(np.int32) * BINS + second) * BINS + third
    return _scaled(look.light)[index], _scaled(look.dark)[index]


@lru_cache(maxsize=16)
def _scaled(shades: Shades) -> Float32Array:
    return np.asarray((shades.table - DENSITY_MIDDLE) / DENSITY_SCALE, np.float32)
