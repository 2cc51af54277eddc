"""Hands, sleeves and cups over the board: whether there are any, and which points they hide."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.board.board import Board
from controller.vision.counting.appearance import Appearance
from controller.vision.dice.cube import BY_RAIL_MM
from controller.vision.dice.views import Spot
from controller.vision.fitted.fitted import fitted
from controller.vision.fitted.network import load_network
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import FLAT_ROW, BoardGeometry
from controller.vision.hands.overview import (
    COLUMNS,
    PLAN_BAR,
    ROWS,
    STEP_MM,
    BareView,
    bare_view,
    layers,
    look_over,
    overview_grid,
    plan,
)

# The network answers for cells of this many steps of the coarse grid.
CELL = 4
# What is hidden within this many cells of the surface counts as beside it.
RIM_CELLS = 3
LIKELY, LEAST_AREA_MM2, RIM_WORTH, LEAST_OVER_MM2, HIDDEN_SHARE = fitted(
    "occlusion", "likely", "least_area_mm2", "rim_worth", "least_over_mm2", "hidden_share"
)
SURELY, LEAST_SURELY_MM2, ARM_MM2 = fitted("occlusion", "surely", "least_surely_mm2", "arm_mm2")
ABOUT_CUBE_MM: Final = 55.0
"""A cube in a colour that no lesson had may be taken for a hand. What it seems to hide lies no further than this from
its middle: up to 48 mm on the one of 22 painted boards where it was. A hand that turns the cube reaches further."""


@dataclass(frozen=True, slots=True)
class Occlusion:
    """What of the board something large hides: the points (1..24), and whether that is a hand.

    ``cells`` tells what share of each cell it hides, as `hidden_cells` does; ``None`` where nothing is hidden.
    ``hand`` is false where things hide it that lie there; ``bar`` tells whether they hide a part of the bar, too.
    """

    hand: bool
    points: frozenset[int]
    cells: Float32Array | None = field(default=None, compare=False)
    bar: bool = False


NOTHING = Occlusion(False, frozenset())


def find_occlusion(lit: Picture, camera: CameraModel, board: Board, cube: Spot | None = None) -> Occlusion:
    """Look for what hides the board in a picture, (h, w, 3) in the light of the calibration.

    ``camera`` is the camera as it stands to the board now, ``cube`` where the cube lies if it is seen. Raises
    ``NetworkError`` without the network.
    """
    return judge_occlusion(hidden_cells(look_over(lit, camera), camera, board), board.geometry, cube)


def hidden_cells(now: Picture, camera: CameraModel, board: Board) -> Float32Array:
    """What share of each cell something hides, (``ROWS`` / ``CELL``, ``COLUMNS`` / ``CELL``).

    ``now`` is on the coarse grid, in the light of the calibration. Raises ``NetworkError`` without the network.
    """
    bare = _bare(board.appearance, camera, board.geometry)
    shown = layers(now, bare, board.appearance, board.geometry)
    odds = load_network("hands").run(shown[None])[0, 0]
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


@lru_cache(maxsize=4)
def _bare(look: Appearance, camera: CameraModel, geometry: BoardGeometry) -> BareView:
    """The bare board on the coarse grid: the same while nothing is pushed."""
    return bare_view(look, camera, geometry)


def judge_occlusion(hidden: Float32Array, geometry: BoardGeometry, cube: Spot | None = None) -> Occlusion:
    """What it means that these shares of cells are hidden, shape (``ROWS`` / ``CELL``, ``COLUMNS`` / ``CELL``).

    Nothing, where all of it lies about a ``cube`` that is seen there; or, where none is seen, about a place where the
    cube mostly lies: no hand is over the middle of the board without an arm.
    """
    spots = usual_cube_spots(geometry) if cube is None else (cube,)
    if not is_hand(hidden, geometry) or any(_is_cube(hidden, geometry, spot) for spot in spots):
        return NOTHING
    return Occlusion(True, hidden_points(hidden, geometry, HIDDEN_SHARE), hidden)


def hidden_points(hidden: Float32Array, geometry: BoardGeometry, share: float) -> frozenset[int]:
    """The points (1..24) of which these cells hide more than a ``share`` of where checkers lie."""
    shares = point_shares(geometry).reshape(24, -1) @ hidden.ravel()
    return frozenset(int(point) + 1 for point in np.flatnonzero(shares > share))


def is_hand(
    hidden: Float32Array,
    geometry: BoardGeometry,
    least_surely_mm2: float = LEAST_SURELY_MM2,
    arm_mm2: float = ARM_MM2,
) -> bool:
    """Whether what these cells hide is large enough for a hand, and sure enough or with an arm beside the board."""
    surface, rim = (share(geometry) * (CELL * STEP_MM) ** 2 for share in (surface_share, rim_share))
    likely, surely = (np.where(hidden > least, hidden, 0) for least in (LIKELY, SURELY))
    over, beside = float((likely * surface).sum()), float((likely * rim).sum())
    sure = float((surely * (surface + RIM_WORTH * rim)).sum())
    enough = over >= LEAST_OVER_MM2 and over + RIM_WORTH * beside >= LEAST_AREA_MM2
    return enough and (sure >= least_surely_mm2 or (sure > 0 and beside >= arm_mm2))


def _is_cube(hidden: Float32Array, geometry: BoardGeometry, cube: Spot) -> bool:
    """Whether all that these cells hide lies about the cube."""
    grid = overview_grid()
    x, y = (np.asarray(along).reshape(-1, CELL).mean(axis=1) for along in (grid.x_mm, grid.y_mm))
    beyond = np.hypot(x[None] - cube[0], y[:, None] - cube[1]) > ABOUT_CUBE_MM
    away = np.where(beyond & (hidden > LIKELY), hidden, 0)
    shown = away * (surface_share(geometry) + rim_share(geometry))
    return float(shown.sum()) * (CELL * STEP_MM) ** 2 < LEAST_OVER_MM2


def usual_cube_spots(geometry: BoardGeometry) -> tuple[Spot, ...]:
    """Where the cube mostly lies on the board (mm): in the middle of the bar, or on it at a player's rail."""
    rail = geometry.surface_height_mm / 2 - BY_RAIL_MM / 2
    return (0.0, 0.0), (0.0, -rail), (0.0, rail)


@lru_cache(maxsize=16)
def surface_share(geometry: BoardGeometry) -> Float32Array:
    """How much of each cell is surface or bar, (rows, columns)."""
    return mean_cells((plan(geometry) > 0).astype(np.float32))


@lru_cache(maxsize=16)
def rim_share(geometry: BoardGeometry) -> Float32Array:
    """How much of each cell lies beside the surface, but near it, (rows, columns)."""
    surface = surface_share(geometry)
    around = np.ones((2 * RIM_CELLS + 1, 2 * RIM_CELLS + 1), np.uint8)
    return np.asarray(cv2.dilate(surface, around) - surface, np.float32)


@lru_cache(maxsize=16)
def point_shares(geometry: BoardGeometry) -> Float32Array:
    """What part of where each point's checkers lie is in each cell, (24, rows, columns); sums to 1 for a point."""
    grid = overview_grid()
    half = geometry.checker_diameter_mm / 2
    shares = np.zeros((24, ROWS // CELL, COLUMNS // CELL), np.float32)
    for point in range(1, 25):
        outer = geometry.side_of(point) * geometry.surface_height_mm / 2
        inner = outer - geometry.side_of(point) * FLAT_ROW * geometry.row_pitch_mm
        rows = (grid.y_mm > min(outer, inner)) & (grid.y_mm < max(outer, inner))
        columns = np.abs(grid.x_mm - geometry.column_x(point)) < half
        shares[point - 1] = mean_cells(np.outer(rows, columns).astype(np.float32))
    return np.asarray(shares / shares.sum(axis=(1, 2), keepdims=True), np.float32)


@lru_cache(maxsize=16)
def bar_share(geometry: BoardGeometry) -> Float32Array:
    """What part of the bar is in each cell, (rows, columns); sums to 1."""
    share = mean_cells((plan(geometry) == PLAN_BAR).astype(np.float32))
    return np.asarray(share / share.sum(), np.float32)


def mean_cells(layer: Float32Array) -> Float32Array:
    """The means over cells of a layer on the coarse grid."""
    return np.asarray(layer.reshape(ROWS // CELL, CELL, COLUMNS // CELL, CELL).mean(axis=(1, 3)), np.float32)
