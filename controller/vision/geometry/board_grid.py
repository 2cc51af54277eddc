"""The board laid flat: pictures resampled on a millimetre grid at a chosen height above the surface."""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import cv2
import numpy as np
from cv2.typing import MatLike

from controller.arrays import FloatArray, Picture, triple
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

STEP_MM = 1.5
# The grid reaches a little past the surface: rows may start under the rail's edge, boards get bumped.
MARGIN_MM = 12.0
# Steps to either side of that in which borne-off checkers may lie.
BESIDE_STEPS = 56
# As long as more pixels than this make one step, a picture that is looked at coarsely is halved.
PIXELS_PER_STEP = 2.2
# The way into the picture is computed at every fourth pixel of a grid, and interpolated between.
NODE = 4
# This many of these ways are kept: more than one picture needs, so that the next one of a board at rest finds them.
KEPT = 24


@dataclass(frozen=True)
class BoardGrid:
    """A grid of board points: columns run along x, rows along y (mm), ``step_mm`` apart.

    Pixel (row, column) = (0, 0) lies at ``left_mm``, ``near_mm``; the shape is (``rows``, ``columns``).
    """

    left_mm: float
    near_mm: float
    rows: int
    columns: int
    step_mm: float = STEP_MM

    @cached_property
    def x_mm(self) -> FloatArray:
        """The x of each column, shape (columns,)."""
        return np.asarray(self.left_mm + self.step_mm * np.arange(self.columns), float)

    @cached_property
    def y_mm(self) -> FloatArray:
        """The y of each row, shape (rows,)."""
        return np.asarray(self.near_mm + self.step_mm * np.arange(self.rows), float)

    def column(self, x_mm: float) -> float:
        """The (fractional) column of an x."""
        return (x_mm - self.left_mm) / self.step_mm

    def row(self, y_mm: float) -> float:
        """The (fractional) row of a y."""
        return (y_mm - self.near_mm) / self.step_mm

    def flatten(self, image: Picture, camera: CameraModel, height_mm: float) -> Picture:
        """The picture, shape (h, w, 3), as seen on the plane at ``height_mm``; shape (rows, columns, 3).

        Every fourth node is projected and the rest interpolated: the error stays below 0.01 px.
        """
        fixed, fraction = self._way(camera, height_mm)
        flat = cv2.remap(image, fixed, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8)

    def flatten_coarsely(self, image: Picture, camera: CameraModel, height_mm: float) -> Picture:
        """The same for steps of many pixels: the picture is halved first, which is quick, as often as that serves."""
        per_step = camera.pixels_per_mm(height_mm) * self.step_mm
        while per_step > PIXELS_PER_STEP:
            camera = camera.resized(camera.width // 2, camera.height // 2)
            image = np.asarray(cv2.resize(image, (camera.width, camera.height), interpolation=cv2.INTER_AREA))
            per_step /= 2
        return self.flatten(image, camera, height_mm)

    def part(self, rows: slice, columns: slice) -> "BoardGrid":
        """Some of this grid's rows and columns, as a grid: what it flattens is equal to the whole one's part."""
        height, width = rows.stop - rows.start, columns.stop - columns.start
        left, near = float(self.x_mm[columns.start]), float(self.y_mm[rows.start])
        corner = rows.start, columns.start
        return BoardGridPart(left, near, height, width, self.step_mm, whole=self, corner=corner)

    def _way(self, camera: CameraModel, height_mm: float) -> tuple[MatLike, MatLike]:
        return _maps(self, camera, height_mm)

    def crop(self, flat: Picture, source: "BoardGrid") -> Picture:
        """This grid's part of a picture that is laid flat on a larger grid of the same steps."""
        row, column = round(source.row(self.near_mm)), round(source.column(self.left_mm))
        return np.asarray(flat[row : row + self.rows, column : column + self.columns], np.uint8)

    def lift(self, flat: Picture, source: "BoardGrid", camera: CameraModel, height_mm: float) -> Picture:
        """What a picture of the ground, laid out on ``source`` at height 0, shows here at ``height_mm``."""
        foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
        away = eye / (eye - height_mm)
        left = source.column(foot[0] + away * (self.left_mm - foot[0]))
        near = source.row(foot[1] + away * (self.near_mm - foot[1]))
        step = away * self.step_mm / source.step_mm
        there = np.array([[step, 0, left], [0, step, near]])
        flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (self.columns, self.rows)
        lifted = cv2.warpAffine(flat, there, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(lifted, np.uint8)


@dataclass(frozen=True, kw_only=True)
class BoardGridPart(BoardGrid):
    """A part of a ``whole`` grid, from its row and column ``corner`` on: the way into the picture is the same."""

    whole: BoardGrid
    corner: tuple[int, int]

    def _way(self, camera: CameraModel, height_mm: float) -> tuple[MatLike, MatLike]:
        row, column = self.corner
        there = slice(row, row + self.rows), slice(column, column + self.columns)
        fixed, fraction = self.whole._way(camera, height_mm)
        return fixed[there], fraction[there]


@lru_cache(maxsize=KEPT)
def _maps(grid: BoardGrid, camera: CameraModel, height_mm: float) -> tuple[MatLike, MatLike]:
    """Where the camera sees a grid's pixels on a plane, as ``cv2.remap`` is fastest with.

    The nodes are where a picture that is enlarged has the middles of its pixels.
    """
    columns, rows = (NODE * (np.arange(n // NODE + 3) - 0.5) - 0.5 for n in (grid.columns, grid.rows))
    x_mm = np.asarray(grid.left_mm + grid.step_mm * columns, float)
    y_mm = np.asarray(grid.near_mm + grid.step_mm * rows, float)
    nodes = camera.map_plane(x_mm[None], y_mm[:, None], height_mm)
    x, y = (
        cv2.resize(coarse, None, fx=NODE, fy=NODE)[NODE:, NODE:][: grid.rows, : grid.columns]
        for coarse in nodes
    )
    fixed, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return fixed, fraction


def surface_grid(geometry: BoardGeometry) -> BoardGrid:
    """The grid over the playing surface of a board, bar included."""
    return _grid(geometry, 0)


def ground_grid(geometry: BoardGeometry) -> BoardGrid:
    """The grid over the playing surface and what lies to its left and right: trays, or the table."""
    return _grid(geometry, BESIDE_STEPS)


@lru_cache(maxsize=16)
def _grid(geometry: BoardGeometry, beside: int) -> BoardGrid:
    width = geometry.surface_width_mm + 2 * MARGIN_MM
    height = geometry.surface_height_mm + 2 * MARGIN_MM
    rows, columns = round(height / STEP_MM) + 1, round(width / STEP_MM) + 1 + 2 * beside
    return BoardGrid(-width / 2 - beside * STEP_MM, -height / 2, rows, columns)


def moved(camera: CameraModel, x_mm: float, y_mm: float, turn: float = 0.0) -> CameraModel:
    """The camera in the frame of a board that was pushed by (x, y) mm and turned by ``turn`` radians."""
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    rotation = cv2.Rodrigues(camera.rotation_matrix @ spin)[0].ravel()
    shift = np.array(camera.translation) + camera.rotation_matrix @ np.array([x_mm, y_mm, 0.0])
    return replace(camera, rotation=triple(rotation), translation=triple(shift))


def push_between(before: CameraModel, now: CameraModel) -> tuple[float, float, float]:
    """By how much a board was pushed, x and y in mm of its frame, and turned, degrees, to be seen so differently."""
    spots = before.to_board(now.project(np.array([[0.0, 0, 0], [100.0, 0, 0]])), 0.0)
    ahead = spots[1] - spots[0]
    return float(spots[0, 0]), float(spots[0, 1]), float(np.degrees(np.arctan2(ahead[1], ahead[0])))
