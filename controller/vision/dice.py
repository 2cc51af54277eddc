"""Dice on the playing surface: where they lie and which number is up.

Strays of about the size of a die are looked at closely: first the square in which they differ from the bare board,
then which pips fit into it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.reading import DieSeen
from controller.vision.sheet import Picture, Sheet
from controller.vision.strays import CHANGE, FACE_HEIGHT_MM

FloatArray = NDArray[np.float64]
Single = NDArray[np.float32]

# Nominal millimetres (the points are 44 apart).
SIDES_MM = (13.0, 14.5, 16.0, 17.5)
LEAST_AREA_MM2 = 70.0
MOST_AREA_MM2 = 750.0
MOST_LENGTH_MM = 36.0
MOST_THINGS = 10

ZOOM_MM = 0.6
HALF_PATCH = 28
ANGLES_DEG = np.arange(0.0, 90.0, 6.0)
# Least correlation with a face, and with a square.
LEAST_LIKENESS = 0.5
LEAST_SQUARE = 0.8
# How often a value was right, as logistic in its likeness and lead: fitted to 276 dice on eight boards.
CHANCE = (-2.05, 2.99, 7.97)

# Pips in quarters of a side from the middle of the face; values 2, 3 and 6 may lie either way.
_CORNERS = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
FACES: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (1, ((0, 0),)),
    (2, ((-1, -1), (1, 1))),
    (2, ((-1, 1), (1, -1))),
    (3, ((-1, -1), (0, 0), (1, 1))),
    (3, ((-1, 1), (0, 0), (1, -1))),
    (4, tuple(_CORNERS)),
    (5, (*_CORNERS, (0, 0))),
    (6, (*_CORNERS, (-1, 0), (1, 0))),
    (6, (*_CORNERS, (0, -1), (0, 1))),
)
# In sides of the die. The rim of the face is left out: there the ground shines through.
PIP_RADIUS = 0.1
PIP_SPREAD = 0.27
FACE_SHARE = 0.8
CELLS = 17


@dataclass(frozen=True)
class Face:
    """A face laid over a thing: how well each value fits, how well the square fits, and where it lies."""

    likeness: Mapping[int, float]
    square: float
    x_mm: float
    y_mm: float

    @property
    def value(self) -> int:
        """The value that fits best."""
        return max(self.likeness, key=lambda value: self.likeness[value])

    @property
    def lead(self) -> float:
        """By how much the best value beats the next."""
        best, second = sorted(self.likeness.values(), reverse=True)[:2]
        return best - second

    @property
    def chance(self) -> float:
        """The probability that the best value is the one that is up, 0..1."""
        base, of_likeness, of_lead = CHANCE
        return float(
            1 / (1 + np.exp(-(base + of_likeness * self.likeness[self.value] + of_lead * self.lead)))
        )


def find_dice(
    lit: Picture,
    camera: Camera,
    sheet: Sheet,
    bare: Picture,
    strays: Picture,
) -> tuple[DieSeen, ...]:
    """Find the dice in a picture, (h, w, 3) BGR uint8, that is in the light of the bare board.

    ``bare`` is the bare board on ``sheet``; ``strays`` (see :mod:`controller.vision.strays`) is where to look. At
    most four are returned, the most certain first.
    """
    found = []
    for x_mm, y_mm in _things(strays, sheet):
        face = lay_faces(lit, bare, sheet, camera, x_mm, y_mm)
        if face.square < LEAST_SQUARE or face.likeness[face.value] < LEAST_LIKENESS:
            continue
        x, y = camera.project(np.array([face.x_mm, face.y_mm, FACE_HEIGHT_MM]))
        found.append((face.square, DieSeen(face.value, float(x), float(y), face.chance)))
    found.sort(key=lambda item: -item[0])
    return tuple(die for _, die in found[:4])


def _things(strays: Picture, sheet: Sheet) -> list[tuple[float, float]]:
    """Middles (mm, at the height of a face) of the strays that may be dice, likeliest first."""
    count, _, stats, middles = cv2.connectedComponentsWithStats(strays, connectivity=8)
    things = []
    for k in range(1, count):
        area = float(stats[k, cv2.CC_STAT_AREA]) * sheet.step_mm**2
        length = max(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT]) * sheet.step_mm
        if LEAST_AREA_MM2 < area < MOST_AREA_MM2 and length < MOST_LENGTH_MM:
            column, row = middles[k]
            x, y = sheet.left_mm + column * sheet.step_mm, sheet.near_mm + row * sheet.step_mm
            things.append((abs(np.log(area / 240.0)), (float(x), float(y))))
    things.sort(key=lambda item: item[0])
    return [spot for _, spot in things[:MOST_THINGS]]


def lay_faces(lit: Picture, bare: Picture, sheet: Sheet, camera: Camera, x_mm: float, y_mm: float) -> Face:
    """Find the square of a face near a spot, then tell how well each value fits on it.

    ``lit`` is the picture, ``bare`` the bare board on ``sheet``.
    """
    reach, size = HALF_PATCH * ZOOM_MM, 2 * HALF_PATCH + 1
    near = Sheet(x_mm - reach, y_mm - reach, size, size, ZOOM_MM)
    maps = camera.map_plane(*np.meshgrid(near.x_mm, near.y_mm), FACE_HEIGHT_MM)
    patch = np.asarray(cv2.remap(lit, *maps, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    face = fit_patch(patch, near.lift(bare, sheet, camera, FACE_HEIGHT_MM))
    return replace(face, x_mm=x_mm + face.x_mm, y_mm=y_mm + face.y_mm)


def fit_patch(patch: Picture, ground: Picture) -> Face:
    """``lay_faces`` on a flattened patch; the face's place is in mm from the middle of the patch."""
    change = cv2.absdiff(patch, ground).max(axis=2).astype(np.float32)
    square = _square(np.minimum(change, 3.0 * CHANGE))
    likeness: dict[int, float] = {}
    for turn in (-6.0, -3.0, 0.0, 3.0, 6.0):
        for grow in (0.76, 0.82, 0.88, 0.94, 1.0):
            for row in (-1.0, 0.0, 1.0):
                for column in (-1.0, 0.0, 1.0):
                    placed = Square(
                        square.column + column, square.row + row, square.side * grow, square.angle + turn
                    )
                    for value, fit in _values(patch, placed).items():
                        likeness[value] = max(likeness.get(value, 0.0), fit)
    return Face(
        likeness,
        square.fit,
        (square.column - HALF_PATCH) * ZOOM_MM,
        (square.row - HALF_PATCH) * ZOOM_MM,
    )


@dataclass(frozen=True, slots=True)
class Square:
    """A square in a patch: middle and side in pixels of the patch, angle in degrees, how well it fits."""

    column: float
    row: float
    side: float
    angle: float
    fit: float = 0.0


def _square(change: Single) -> Square:
    """The square, of a die's size, inside of which a patch differs most from the ground, and around which least."""
    best = Square(HALF_PATCH, HALF_PATCH, SIDES_MM[1] / ZOOM_MM, 0.0, -1.0)
    for side in SIDES_MM:
        for angle in ANGLES_DEG:
            template = _outline(side, float(angle))
            score = np.asarray(cv2.matchTemplate(change, template, cv2.TM_CCOEFF_NORMED))
            row, column = np.unravel_index(np.argmax(score), score.shape)
            if score[row, column] > best.fit:
                half = (template.shape[0] - 1) / 2
                fit = float(score[row, column])
                best = Square(float(column) + half, float(row) + half, side / ZOOM_MM, float(angle), fit)
    return best


@cache
def _outline(side_mm: float, angle_deg: float) -> Single:
    """A filled square with some ground around it, softened."""
    size = round(1.75 * side_mm / ZOOM_MM) | 1
    grid = np.arange(size) - (size - 1) / 2
    angle = np.radians(angle_deg)
    along = np.abs(grid[None] * np.cos(angle) + grid[:, None] * np.sin(angle))
    across = np.abs(-grid[None] * np.sin(angle) + grid[:, None] * np.cos(angle))
    edge = side_mm / ZOOM_MM / 2
    inside = np.clip(edge - np.maximum(along, across) + 0.5, 0, 1).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(inside, (0, 0), 1.0), np.float32)


def _values(patch: Picture, square: Square) -> dict[int, float]:
    """How well each value fits on a square: the correlation of its pips with the face, body taken as even."""
    angle = np.radians(square.angle)
    reach = (np.arange(CELLS) - (CELLS - 1) / 2) / CELLS * square.side * FACE_SHARE
    x = square.column + reach[None] * np.cos(angle) - reach[:, None] * np.sin(angle)
    y = square.row + reach[None] * np.sin(angle) + reach[:, None] * np.cos(angle)
    face = cv2.remap(
        patch, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cells = np.asarray(face, float).reshape(-1, 3)
    cells = cells - SLOPES @ (SLOPES.T @ cells)
    _, axes = np.linalg.eigh(cells.T @ cells)
    tone = cells @ axes[:, 2]
    tone = tone / (np.linalg.norm(tone) + 1e-6)
    fits = np.abs(FACE_CELLS @ tone)
    likeness: dict[int, float] = {}
    for (value, _), fit in zip(FACES, fits, strict=True):
        likeness[value] = max(likeness.get(value, 0.0), float(fit))
    return likeness


def _slopes() -> FloatArray:
    """Orthonormal even shade and slopes over a face, shape (cells, 3): light falls off across a die."""
    grid = np.arange(CELLS) - (CELLS - 1) / 2
    across, along = np.meshgrid(grid, grid)
    basis = np.stack([np.ones(CELLS**2), across.ravel(), along.ravel()], axis=1)
    return np.asarray(np.linalg.qr(basis)[0], float)


def _face_cells(slopes: FloatArray) -> FloatArray:
    """The faces as unit vectors free of shade and slopes, shape (faces, cells)."""
    grid = (np.arange(CELLS) - (CELLS - 1) / 2) / CELLS * FACE_SHARE
    rows = []
    for _, pips in FACES:
        face = np.zeros((CELLS, CELLS))
        for px, py in pips:
            distance = np.hypot(grid[None] - px * PIP_SPREAD, grid[:, None] - py * PIP_SPREAD)
            face = np.maximum(face, np.exp(-0.5 * (distance / PIP_RADIUS) ** 2))
        cells = face.ravel() - slopes @ (slopes.T @ face.ravel())
        rows.append(cells / np.linalg.norm(cells))
    return np.array(rows)


SLOPES = _slopes()
FACE_CELLS = _face_cells(SLOPES)
