"""What a network sees of each point: a strip along it, upright, its outer end at the edge of the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import Float32Array, FloatArray, IndexArray, Picture
from controller.vision.counting.appearance import Appearance, bare_densities, densities, to_lab
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

Level = TypeVar("Level", np.uint8, np.float32)

# Pixels to a checker's diameter, and how far a strip reaches, in pixels.
SCALE = 32
ROWS, COLUMNS = 216, 48
# This many rows lie outside the edge of the board.
OUTSIDE = 8
POINTS = 24
# What is told of every pixel, and what is told of squares of four; a network is given the four pixels of a square
# one after the other, so that all of its layers work on squares.
FINE, COARSE = 3, 5
CHANNELS = 4 * FINE + COARSE
# Every this many pixels the way into the picture is computed, and interpolated between.
NODE = 8
# Local contrast is what is bright or dark against this many pixels around; differences of less than this many
# levels are told in proportion, larger ones less and less.
AROUND = 17
FAINTEST = 3.0
# Differences are told in steps of 1 / FINELY levels.
FINELY = 4
CURVE = np.arcsinh((np.arange(2 * 256 * FINELY) / FINELY - 256) / FAINTEST).astype(np.float32)
# A pixel's likelihood speaks for or against a colour by no more than this (nats).
LIMIT = 6.0
# A strip on which the middle of nothing half a checker high looks less like the bare board than this is empty. Few
# points with checkers come below (see hardware_docs/networks.md), and these look like the bare board to anybody.
BARE = -0.5
PIECE = SCALE // 4
# Grey levels to lightness as in CIE LAB.
LIGHTNESS = np.rint(2.55 * (116 * np.cbrt(np.linspace(0, 1, 256) ** 2.2) - 16).clip(0)).astype(np.uint8)


def _between(size: int, step: int = 1) -> Float32Array:
    """Interpolates pixels, or the middles of groups of them, from every ``NODE``-th: shape (size / step, nodes)."""
    place = (np.arange(0, size, step) + (step - 1) / 2)[:, None] / NODE - np.arange(size // NODE + 1)[None]
    return np.asarray(np.maximum(1 - np.abs(place), 0), np.float32)


DOWN, ACROSS = _between(ROWS), _between(COLUMNS)
# The middles of squares of four pixels.
HALVED = (_between(ROWS, 2), _between(COLUMNS, 2))


@dataclass(frozen=True)
class Strips:
    """Where the strips of a board lie: board coordinates (mm) of coarse nodes, shape (24, rows, columns)."""

    x_mm: FloatArray
    y_mm: FloatArray


@lru_cache(maxsize=4)
def lay_strips(geometry: BoardGeometry) -> Strips:
    """The strips of the 24 points, point 1 first: row 0 outside the edge, rows run inwards."""
    step = geometry.checker_diameter_mm / SCALE
    inward = step * (NODE * np.arange(ROWS // NODE + 1) - OUTSIDE + 0.5)
    across = step * (NODE * np.arange(COLUMNS // NODE + 1) - (COLUMNS - 1) / 2)
    x, y = [], []
    for point in range(1, POINTS + 1):
        side = geometry.side_of(point)
        depth = side * (geometry.surface_height_mm / 2 - inward)
        along, beside = np.meshgrid(depth, geometry.column_x(point) - side * across, indexing="ij")
        x.append(beside)
        y.append(along)
    return Strips(np.stack(x), np.stack(y))


@dataclass(frozen=True, eq=False)
class FirstLook:
    """All strips on the plane of one checker's upper face, in half their size: (24, ``ROWS`` / 2, ``COLUMNS`` / 2).

    How much the colour speaks for a checker against the bare board, and for light against dark, -1 to 1, and the
    ``bare`` board's lightness, uint8.
    """

    checker: Float32Array
    lighter: Float32Array
    bare: Picture

    def strange(self) -> IndexArray:
        """The strips, from 0, that show anything but the bare board: somewhere a good part of a checker's width."""
        rows = self.checker[:, :, COLUMNS // 8 : -(COLUMNS // 8)].mean(axis=2)
        pieces = rows.reshape(POINTS, -1, PIECE // 2).mean(axis=2)
        return np.flatnonzero(((pieces[:, 1:] + pieces[:, :-1]) / 2).max(axis=1) > BARE)


def look_first(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, ground: BoardGrid, look: Appearance
) -> FirstLook:
    """The first look at all strips.

    ``lit`` is a picture in the light of the appearance, ``camera`` as it stands to the board now, ``ground``
    the grid of the appearance's pictures.
    """
    strips = lay_strips(geometry)
    upper = camera.map_plane(strips.x_mm, strips.y_mm, geometry.checker_thickness_mm)
    seen = to_lab(colours_of(lit, camera, geometry, upper))
    bare, doubt = bare_strips(camera, geometry, ground, look)
    checker, lighter = (planes_of(ratio, 2) for ratio in ratios_of(seen, bare, doubt, look))
    return FirstLook(checker, lighter, planes_of(bare[..., 0], 2))


def look_at_strips(
    lit: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    first: FirstLook,
    which: Sequence[int] | IndexArray,
) -> Float32Array:
    """What the network is given of these strips, from 0: float32 (n, ``CHANNELS``, ``ROWS`` / 2, ``COLUMNS`` / 2).

    Channels, four of each of the first three, for the pixels of a square row by row: lightness and local contrast
    on the plane of one checker's upper face; local contrast on the plane of two. Then how much the colour speaks
    for a checker against the bare board and for light against dark, -1 to 1; lightness of the bare board; how far
    the second plane is shifted against the first along the strip and across.
    """
    strips, chosen = lay_strips(geometry), np.asarray(which, np.intp)
    x, y, thickness = strips.x_mm[chosen], strips.y_mm[chosen], geometry.checker_thickness_mm
    grey = np.asarray(cv2.LUT(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), LIGHTNESS), np.uint8)
    lower, upper = (planes_of(_remap(grey, camera.map_plane(x, y, layers * thickness))) for layers in (1, 2))
    rise = _rise(camera, geometry)
    found = np.empty((len(chosen), CHANNELS, ROWS // 2, COLUMNS // 2), np.float32)
    for strip, number, below, above in zip(found, chosen, lower, upper, strict=True):
        strip[0:4] = _squares(below / np.float32(64) - 2)
        strip[4:8] = _squares(_contrast(below))
        strip[8:12] = _squares(_contrast(above))
        strip[12] = first.checker[number]
        strip[13] = first.lighter[number]
        strip[14] = first.bare[number] / np.float32(64) - 2
        strip[15:] = rise[number, :, None, None]
    return found


@lru_cache(maxsize=4)
def bare_strips(
    camera: CameraModel, geometry: BoardGeometry, ground: BoardGrid, look: Appearance
) -> tuple[Picture, Picture]:
    """The bare board in LAB and its doubts on all strips in half their size: the same while nothing is pushed."""
    on_ground = _on_ground(lay_strips(geometry), camera, geometry.checker_thickness_mm, ground)
    return to_lab(_remap(look.bare, on_ground, HALVED)), _remap(look.doubt, on_ground, HALVED)


def _on_ground(
    strips: Strips, camera: CameraModel, height_mm: float, ground: BoardGrid
) -> tuple[Float32Array, Float32Array]:
    """Where on the ground's grid lies what is seen at a height, in its pixels."""
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    away = eye / (eye - height_mm)
    x = ground.column(0) + (foot[0] + away * (strips.x_mm - foot[0])) / ground.step_mm
    y = ground.row(0) + (foot[1] + away * (strips.y_mm - foot[1])) / ground.step_mm
    return x.astype(np.float32), y.astype(np.float32)


def colours_of(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, nodes: tuple[Float32Array, Float32Array]
) -> Picture:
    """The colours seen on all strips, in half their size, of a picture halved if it shows more than that."""
    if camera.focal * geometry.checker_diameter_mm < SCALE * float(camera.centre_mm[2]):
        return _remap(lit, nodes, HALVED)
    size = (lit.shape[1] // 2, lit.shape[0] // 2)
    half = np.asarray(cv2.resize(lit, size, interpolation=cv2.INTER_AREA), np.uint8)
    x, y = (np.float32(0.5) * place - np.float32(0.25) for place in nodes)
    return _remap(half, (x, y), HALVED)


def _remap(
    picture: Picture,
    nodes: tuple[Float32Array, Float32Array],
    grid: tuple[Float32Array, Float32Array] = (DOWN, ACROSS),
) -> Picture:
    """The picture on all strips, one below the other: shape (24 * ROWS, COLUMNS[, 3]), or half of that."""
    down, across = grid
    x, y = (
        np.ascontiguousarray((down @ coarse @ across.T).reshape(-1, len(across)), np.float32)
        for coarse in nodes
    )
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def planes_of(stacked: NDArray[Level], share: int = 1) -> NDArray[Level]:
    """What lies one below the other apart again; ``share`` of its rows and columns are there."""
    return np.ascontiguousarray(stacked).reshape(-1, ROWS // share, COLUMNS // share)


def _squares(plane: Float32Array) -> Float32Array:
    """The four pixels of each square one after the other: shape (4, ROWS / 2, COLUMNS / 2)."""
    squares = plane.reshape(ROWS // 2, 2, COLUMNS // 2, 2).transpose(1, 3, 0, 2)
    return squares.reshape(4, ROWS // 2, COLUMNS // 2)


def _contrast(lightness: Picture) -> Float32Array:
    """Lightness against its surroundings, faint differences enlarged: shape (ROWS, COLUMNS)."""
    strip = lightness.astype(np.float32)
    around = cv2.blur(strip, (AROUND, AROUND), borderType=cv2.BORDER_REPLICATE)
    level = cv2.addWeighted(strip, FINELY, around, -FINELY, FINELY * 256.0, dtype=cv2.CV_16S)
    return np.take(CURVE, np.asarray(level, np.int16))


def ratios_of(
    seen: Picture, bare: Picture, doubt: Picture, look: Appearance
) -> tuple[Float32Array, Float32Array]:
    """How much each pixel speaks for a checker against the bare board, and for light against dark."""
    ground = bare_densities(seen, bare, doubt)
    light, dark = densities(seen, look.light), densities(seen, look.dark)
    checker, lighter = np.maximum(light, dark) - ground, light - dark
    return np.clip(checker, -LIMIT, LIMIT) / LIMIT, np.clip(lighter, -LIMIT, LIMIT) / LIMIT


def _rise(camera: CameraModel, geometry: BoardGeometry) -> Float32Array:
    """How far (checker thicknesses are told in diameters / 4) a second layer seems shifted: shape (24, 2)."""
    thickness = geometry.checker_thickness_mm
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    unit = thickness / (eye - 2 * thickness) / (geometry.checker_diameter_mm / 4)
    shifts = []
    for point in range(1, POINTS + 1):
        side = geometry.side_of(point)
        x, y, _ = geometry.slot(point, 2)
        shifts.append((-side * (y - foot[1]) * unit, -side * (x - foot[0]) * unit))
    return np.asarray(shifts, np.float32)
