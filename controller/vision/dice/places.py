"""Which cells of a glimpse show which place of the board: points, bar, trays, and small squares of all the ground."""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import cv2
import numpy as np

from controller.arrays import FloatArray, IndexArray, IntArray, Mask
from controller.vision.counting.trays import ALL_TRAYS
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry, Colour, Home
from controller.vision.geometry.glimpse import Window, window_of

# Cells are about so large (nominal mm): a checker more on a pile shifts the edges of its face by less.
CELL_MM = 3.5
# The ground reaches so far beside the surface and beyond its edges: as far as the cube is looked for.
BESIDE_MM, BEYOND_MM = 168.0, 30.0
# The side of a square of the ground (mm), and the height at which things on the ground are seen.
SQUARE_MM = 12.0
SEEN_MM = 18.0
# So far beyond the edges of the surface nothing of checkers is seen; a cup hides this many squares along and across.
RIM_MM = 12.0
CUP_SQUARES = 5
# A point's cells: this share of the pitch to either side of its middle line, and this many checkers of a row. The rim
# of a checker that lies further off still crosses them.
HALF_COLUMN, ROW = 0.2, 5.5
# Places are numbered: the points from 0, the bar, the trays, then the squares.
POINTS, BAR, FIRST_TRAY = 24, 24, 25
FIRST_SQUARE = FIRST_TRAY + len(ALL_TRAYS)


@dataclass(frozen=True, eq=False)
class GroundChange:
    """Which squares of the ground look different, (rows, columns), from ``left_mm`` and ``near_mm`` on."""

    squares: Mask
    left_mm: float
    near_mm: float

    def near(self, spot: tuple[float, float], reach_mm: float) -> bool:
        """Whether anything changed within this distance (mm), along and across, of a spot (mm)."""
        rows, columns = self._squares(
            spot[0] - reach_mm, spot[0] + reach_mm, spot[1] - reach_mm, spot[1] + reach_mm
        )
        return bool(self.squares[rows, columns].any())

    def may_hide(self, geometry: BoardGeometry) -> bool:
        """Whether a hand, an arm or a cup can be what changed.

        That is something beyond the edges of the surface, over which hands come in, or as large as a cup.
        """
        rows, columns = self.squares.shape
        x = self.left_mm + SQUARE_MM * (np.arange(columns) + 0.5)
        y = self.near_mm + SQUARE_MM * (np.arange(rows) + 0.5)
        beside = np.abs(x) > geometry.surface_width_mm / 2 + RIM_MM
        beyond = np.abs(y) > geometry.surface_height_mm / 2 + RIM_MM
        large = cv2.erode(self.squares.astype(np.uint8), np.ones((CUP_SQUARES, CUP_SQUARES), np.uint8))
        return bool(self.squares[beyond].any() or self.squares[:, beside].any() or large.any())

    def over(self, grid: BoardGrid, block: int) -> Mask:
        """The blocks of a grid (``block`` pixels along each side) that show a changed square or are next to one."""
        step = block * grid.step_mm
        rows, columns = (
            np.clip(
                (low + step * (np.arange(size // block) + 0.5) - first) // SQUARE_MM, 0, count - 1
            ).astype(int)
            for low, first, size, count in (
                (grid.near_mm, self.near_mm, grid.rows, self.squares.shape[0]),
                (grid.left_mm, self.left_mm, grid.columns, self.squares.shape[1]),
            )
        )
        shown = self.squares[rows[:, None], columns[None]].astype(np.uint8)
        return np.asarray(cv2.dilate(shown, np.ones((3, 3), np.uint8)), bool)

    def _squares(self, left: float, right: float, near: float, far: float) -> tuple[slice, slice]:
        rows, columns = (
            slice(max(0, int((low - first) // SQUARE_MM)), max(0, int((high - first) // SQUARE_MM) + 1))
            for low, high, first in ((near, far, self.near_mm), (left, right, self.left_mm))
        )
        return rows, columns


@dataclass(frozen=True, eq=False)
class PlaceCells:
    """Numbers of a glimpse's ``cells``, place by place.

    Those of the ``seen`` places begin at ``starts``, and those of squares at ``of_ground``. A place outside of the
    picture is not seen.
    """

    cells: IndexArray
    seen: IndexArray
    starts: IndexArray
    of_ground: int


@dataclass(frozen=True, eq=False)
class Places:
    """The places of a board as one ``camera`` sees them in the ``window`` of a glimpse.

    Squares lie in ``rows`` and ``columns``, `SQUARE_MM` wide, from ``left_mm`` and ``near_mm`` on.
    """

    camera: CameraModel
    geometry: BoardGeometry
    window: Window
    left_mm: float
    near_mm: float
    rows: int
    columns: int

    @property
    def count(self) -> int:
        """How many places there are."""
        return FIRST_SQUARE + self.rows * self.columns

    @cached_property
    def lying(self) -> PlaceCells:
        """Which cells show which place: worked out when a second picture of the board is compared with the first."""
        return _lay(self)

    def ground(self, changed: Mask) -> GroundChange:
        """The squares among the places that changed, shape (``count``,)."""
        squares = changed[FIRST_SQUARE:].reshape(self.rows, self.columns)
        return GroundChange(squares, self.left_mm, self.near_mm)

    def holding(self, above: Mask, ground: Mask, least: int) -> Mask:
        """The places, shape (``count``,), that hold at least this many of the cells that are true in a glimpse,
        (rows, columns): squares of the ``ground``, the other places of what lies ``above``.
        """
        found, lying = np.zeros(self.count, bool), self.lying
        cells = np.concatenate(
            [above.ravel()[lying.cells[: lying.of_ground]], ground.ravel()[lying.cells[lying.of_ground :]]]
        )
        found[lying.seen] = np.add.reduceat(cells, lying.starts, dtype=np.int32) >= least
        return found

    def cells_of(self, places: Mask) -> tuple[Mask, Mask]:
        """The cells of a glimpse, (rows, columns), that any of these places, shape (``count``,), holds.

        First those of points, bar and trays, then those of squares.
        """
        lying, (rows, columns) = self.lying, self.window.shape
        lengths = np.diff(lying.starts, append=len(lying.cells))
        wanted = np.repeat(places[lying.seen], lengths)
        found = np.zeros((2, rows * columns), bool)
        for mask, part in zip(found, (slice(lying.of_ground), slice(lying.of_ground, None)), strict=True):
            mask[lying.cells[part][wanted[part]]] = True
        above, ground = found.reshape(2, rows, columns)
        return above, ground


@lru_cache(maxsize=4)
def places_of(camera: CameraModel, geometry: BoardGeometry) -> Places:
    """The places of a board that a camera sees."""
    window = window_of(camera, geometry, CELL_MM, BESIDE_MM)
    left, near = -geometry.surface_width_mm / 2 - BESIDE_MM, -geometry.surface_height_mm / 2 - BEYOND_MM
    across, down = int(np.ceil(-2 * left / SQUARE_MM)), int(np.ceil(-2 * near / SQUARE_MM))
    return Places(camera, geometry, window, left_mm=left, near_mm=near, rows=down, columns=across)


def _lay(places: Places) -> PlaceCells:
    """Which cells of a glimpse show which place."""
    camera, geometry, window = places.camera, places.geometry, places.window
    found = [_inside(_column(point, geometry), camera, window) for point in range(1, POINTS + 1)]
    found.append(_inside(_bar(geometry), camera, window))
    found += [_inside(_tray(home, colour, geometry), camera, window) for home, colour in ALL_TRAYS]
    square = _squares(places)
    order = np.argsort(square, kind="stable")
    bounds = np.searchsorted(square[order], np.arange(places.rows * places.columns + 1))
    found += [order[a:b] for a, b in pairwise(bounds)]
    sizes = np.array([len(cells) for cells in found])
    seen = np.flatnonzero(sizes)
    starts = np.concatenate([[0], np.cumsum(sizes[seen])[:-1]])
    of_ground = int(sizes[:FIRST_SQUARE].sum())
    return PlaceCells(np.concatenate(found), seen, starts.astype(np.intp), of_ground)


def _column(point: int, geometry: BoardGeometry) -> FloatArray:
    """The corners of what a point's checkers are seen in (mm)."""
    side, x = geometry.side_of(point), geometry.column_x(point)
    edge = geometry.surface_height_mm / 2
    inner = edge - ROW * geometry.row_pitch_mm
    half = HALF_COLUMN * geometry.pitch_mm
    return _box((x - half, x + half), (side * inner, side * edge), geometry.checker_thickness_mm)


def _bar(geometry: BoardGeometry) -> FloatArray:
    half, edge = HALF_COLUMN * geometry.pitch_mm, geometry.surface_height_mm / 2
    return _box((-half, half), (-edge, edge), geometry.checker_thickness_mm)


def _tray(home: Home, colour: Colour, geometry: BoardGeometry) -> FloatArray:
    """One side's end of a tray, or of where it would be."""
    x, half, edge = geometry.tray_x(home), geometry.tray_width_mm / 2, geometry.surface_height_mm / 2
    ends = (-edge, 0.0) if colour == "light" else (0.0, edge)
    return _box((x - half, x + half), ends, geometry.checker_diameter_mm)


def _box(x: tuple[float, float], y: tuple[float, float], height: float) -> FloatArray:
    return np.array([[a, b, z] for a in x for b in y for z in (0.0, height)], float)


def _inside(corners: FloatArray, camera: CameraModel, window: Window) -> IndexArray:
    """The cells within the outline of a body whose corners (n, 3) are given in mm."""
    spots = camera.project(corners)
    if not np.isfinite(spots).all():
        return np.empty(0, np.intp)
    cells = (spots - [window.left, window.top]) / window.cell - 0.5
    outline = cv2.convexHull(np.clip(cells, -1e4, 1e4).astype(np.float32))
    drawn = cv2.fillConvexPoly(np.zeros(window.shape, np.uint8), np.rint(outline).astype(np.int32), 1)
    return np.flatnonzero(drawn)


def _squares(places: Places) -> IntArray:
    """The number of the square that each cell shows, -1 for what lies beyond all of them."""
    window = places.window
    row, column = np.mgrid[: window.shape[0], : window.shape[1]]
    middles = np.stack(
        [window.left + (column + 0.5) * window.cell, window.top + (row + 0.5) * window.cell], -1
    )
    ground = places.camera.to_board(middles - 0.5, SEEN_MM)
    across, down = (
        np.floor((np.nan_to_num(ground[..., axis], nan=-1e6) - first) / SQUARE_MM)
        for axis, first in enumerate((places.left_mm, places.near_mm))
    )
    within = (across >= 0) & (across < places.columns) & (down >= 0) & (down < places.rows)
    return np.where(within, down * places.columns + across, -1).astype(np.int64).ravel()
