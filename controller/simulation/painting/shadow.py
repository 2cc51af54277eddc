"""Soft shadows of things on level planes, worked out on a grid of board points and brought into the picture."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import Float32Array, FloatArray, GreyPicture, Picture
from controller.simulation.boards.setting import Extent, Lamp, Light
from controller.simulation.painting.stage import PixelBox, around
from controller.vision import CameraModel

# How dark it gets right under a thing, of what comes from everywhere, and how far that reaches (mm).
CONTACT = 0.75
CONTACT_REACH_MM = 3.5
# What rises less above a plane throws no shadow on it; what is lifted more does not touch it.
RISE_MM = 0.2
LIFTED_MM = 4.0
# A circle is drawn with this many corners.
CORNERS = 28
ANGLES = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
RING = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=-1)
# Drawing precision: coordinates are given in 1/16 of a step.
FINE = 4

# A grey level goes with the root of the light.
ROOTS = np.asarray(np.rint(255 * np.sqrt(np.arange(256) / 255)), np.uint8)
# Places are worked out for one pixel in this many along each side and are even enough in between.
COARSE = 8


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of board points: ``left_mm``, ``near_mm`` is its first node, ``step_mm`` the distance of nodes."""

    left_mm: float
    near_mm: float
    rows: int
    columns: int
    step_mm: float

    def around(self, spots: FloatArray, margin_mm: float) -> "Grid":
        """The part of the grid around some places (n, 2); places off the grid count as lying on its edge."""
        far = np.array([self.columns, self.rows]) - 2
        cells = (spots - [self.left_mm, self.near_mm]) / self.step_mm
        reach = margin_mm / self.step_mm
        low = np.clip(np.floor(cells.min(0) - reach), 0, far).astype(int)
        high = np.clip(np.ceil(cells.max(0) + reach), low + 1, far + 1).astype(int)
        left, near = self.left_mm + low[0] * self.step_mm, self.near_mm + low[1] * self.step_mm
        columns, rows = high - low + 1
        return Grid(float(left), float(near), int(rows), int(columns), self.step_mm)

    def cells(self, spots: FloatArray) -> NDArray[np.int32]:
        """Board points (..., 2) in sixteenths of a step, for OpenCV's drawing functions."""
        scaled = (np.asarray(spots, float) - [self.left_mm, self.near_mm]) / self.step_mm
        return np.asarray(np.round(scaled * (1 << FINE)), np.int32)


def grid_over(whole: Extent, margin_mm: float, step_mm: float) -> Grid:
    """The grid over a whole board and so much round it."""
    rows = round((whole.y1 - whole.y0 + 2 * margin_mm) / step_mm)
    columns = round((whole.x1 - whole.x0 + 2 * margin_mm) / step_mm)
    return Grid(whole.x0 - margin_mm, whole.y0 - margin_mm, rows, columns, step_mm)


@dataclass(frozen=True, slots=True)
class Rod:
    """Something that casts a shadow: a rod with round ends between two places (x, y, z), radius in mm.

    An upright checker is a rod from its underside to its upper face, which casts exactly its shadow.
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius_mm: float


class Solids:
    """Some rods, and some flat-sided blocks of eight corners each, in arrays."""

    def __init__(self, rods: Sequence[Rod] = (), blocks: Sequence[FloatArray] = ()) -> None:
        """``blocks`` are corners, each of shape (8, 3)."""
        self.ends = np.array([(rod.start, rod.end) for rod in rods], float).reshape(-1, 2, 3)
        self.radii = np.array([rod.radius_mm for rod in rods], float)
        self.corners = np.array(blocks, float).reshape(-1, 8, 3)

    def __len__(self) -> int:
        """How many there are."""
        return len(self.ends) + len(self.corners)

    def above(self, plane_mm: float) -> "Solids":
        """Those that rise above a plane."""
        kept = Solids()
        rods = self.ends[..., 2].max(axis=1) > plane_mm + RISE_MM
        kept.ends, kept.radii = self.ends[rods], self.radii[rods]
        kept.corners = self.corners[self.corners[..., 2].max(axis=1) > plane_mm + RISE_MM]
        return kept

    def height_mm(self) -> float:
        """The median height of their tops, the upper one of two."""
        tops = np.sort(np.concatenate([part[..., 2].max(axis=1) for part in (self.ends, self.corners)]))
        return float(tops[len(tops) // 2])


@dataclass(frozen=True)
class Casters:
    """What casts shadows: low things standing on the board, high ones above it."""

    low: Solids = field(default_factory=Solids)
    high: Solids = field(default_factory=Solids)


def shade(grid: Grid, light: Light, casters: Casters, plane_mm: float) -> GreyPicture:
    """How much of the light reaches a level plane, 255 being all; shape (rows, columns)."""
    whole = light.ambient + sum(lamp.power for lamp in light.lamps)
    low, high = casters.low.above(plane_mm), casters.high.above(plane_mm)
    groups = [group for group in (low, high) if len(group)]
    dark = np.zeros((grid.rows, grid.columns), np.uint8)
    if len(low):
        near = _contact(grid, low, plane_mm)
        cv2.addWeighted(dark, 1, near, light.ambient * CONTACT / whole, 0, dark)
    for lamp in light.lamps if groups else ():
        hidden = _cast(grid, lamp, groups[0], plane_mm)
        for group in groups[1:]:
            rest = cv2.bitwise_not(_cast(grid, lamp, group, plane_mm))
            passed = cv2.multiply(cv2.bitwise_not(hidden), rest, scale=1 / 255)
            hidden = np.asarray(cv2.bitwise_not(passed), np.uint8)
        cv2.addWeighted(dark, 1, hidden, lamp.power / whole, 0, dark)
    return np.asarray(cv2.bitwise_not(dark), np.uint8)


def _cast(grid: Grid, lamp: Lamp, things: Solids, plane_mm: float) -> GreyPicture:
    """How much of a lamp is hidden by things that rise above the plane, 255 being all."""
    mask = np.zeros((grid.rows, grid.columns), np.uint8)
    _draw(mask, grid.cells(_capsules(_throw(lamp, things.ends, plane_mm), things.radii)))
    _draw(mask, [cv2.convexHull(one) for one in grid.cells(_throw(lamp, things.corners, plane_mm))])
    distance = float(np.sqrt(lamp.x_mm**2 + lamp.y_mm**2 + lamp.z_mm**2))
    height = things.height_mm() - plane_mm
    return _soften(mask, max(0.5, 0.5 * lamp.radius_mm * height / distance) / grid.step_mm)


def _contact(grid: Grid, things: Solids, plane_mm: float) -> GreyPicture:
    """How close right under or beside things a place is, 255 being closest."""
    mask = np.zeros((grid.rows, grid.columns), np.uint8)
    near = things.ends[..., 2].min(axis=1) <= plane_mm + LIFTED_MM
    spots = things.ends[near, 0, None, :2] + things.radii[near, None, None] * RING
    _draw(mask, grid.cells(spots))
    _draw(mask, [cv2.convexHull(one) for one in grid.cells(things.corners[..., :2])])
    return _soften(mask, CONTACT_REACH_MM / grid.step_mm)


def _draw(mask: GreyPicture, outlines: Iterable[NDArray[Any]]) -> None:
    for outline in outlines:
        cv2.fillConvexPoly(mask, outline, 255, cv2.LINE_AA, FINE)


def _soften(mask: GreyPicture, sigma: float) -> GreyPicture:
    """Blurred. Two running means are as good as a Gaussian here and do not get slower when wide."""
    if sigma > 0.3:
        size = max(1, round(np.sqrt(6 * sigma**2 + 1) / 2 - 0.5)) * 2 + 1
        mask = np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)), np.uint8)
    return mask


def _capsules(ends: FloatArray, radii: FloatArray) -> FloatArray:
    """Outlines (n, 2k, 2) of rods with round ends between two spots each, (n, 2, 2)."""
    along = ends[:, 1] - ends[:, 0]
    first = np.arctan2(along[:, 1], along[:, 0])[:, None] + np.pi / 2
    half = np.linspace(0, np.pi, len(RING) // 2 + 1)
    angles = np.stack([first + half, first + half + np.pi], axis=1)
    arcs = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(
        (ends[:, :, None] + radii[:, None, None, None] * arcs).reshape(-1, 2 * len(half), 2), float
    )


def _throw(lamp: Lamp, places: FloatArray, plane_mm: float) -> FloatArray:
    """Where the shadows of places (..., 3) fall on a plane, (..., 2); a place below it counts as lying in it."""
    flat, z = places[..., :2], places[..., 2:]
    share = np.maximum(z - plane_mm, 0.0) / np.maximum(lamp.z_mm - z, 1.0)
    return np.asarray(flat + (flat - [lamp.x_mm, lamp.y_mm]) * share, float)


@dataclass(frozen=True)
class Plane:
    """Where the pixels of a patch lie on a grid of board points at some height, worked out once.

    ``apart`` (h, w) is 255 at pixels that show something else than this plane, 0 at its own.
    """

    grid: Grid
    camera: CameraModel
    height_mm: float
    patch: PixelBox
    x: Float32Array
    y: Float32Array
    apart: GreyPicture

    def darken(self, picture: Picture, mask: GreyPicture) -> None:
        """Let the light on the grid, 255 being all, fall on the picture's pixels that show this plane."""
        patch = self._dark(mask)
        if patch.empty:
            return
        rows = slice(patch.top - self.patch.top, patch.bottom - self.patch.top)
        columns = slice(patch.left - self.patch.left, patch.right - self.patch.left)
        x, y = self.x[rows, columns], self.y[rows, columns]
        factor = cv2.remap(cv2.LUT(mask, ROOTS), x, y, cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, 255)
        factor = cv2.cvtColor(cv2.bitwise_or(factor, self.apart[rows, columns]), cv2.COLOR_GRAY2BGR)
        part = picture[patch.slices()]
        cv2.multiply(part, factor, part, 1 / 255)

    def _dark(self, mask: GreyPicture) -> PixelBox:
        """The part of the picture on which less than all light may fall."""
        x, y, width, height = cv2.boundingRect(cv2.bitwise_not(mask))
        if not width:
            return PixelBox(0, 0, 0, 0)
        grid = self.grid
        across = grid.left_mm + grid.step_mm * np.linspace(x - 1, x + width, 5)
        along = grid.near_mm + grid.step_mm * np.linspace(y - 1, y + height, 5)
        places = np.stack(np.meshgrid(across, along, [self.height_mm]), axis=-1).reshape(-1, 3)
        near = around(self.camera.project(places), 4.0, self.camera.width, self.camera.height)
        return near.within(self.patch)


def plane_of(grid: Grid, camera: CameraModel, height: float, shown: GreyPicture) -> Plane:
    """The plane at a height under a camera; ``shown`` (h, w) is 255 at pixels that show it, else 0."""
    left, top, width, height_px = cv2.boundingRect(shown)
    patch = PixelBox(left, top, left + width, top + height_px)
    x, y = np.meshgrid(
        np.arange(left, patch.right + COARSE, float(COARSE)),
        np.arange(top, patch.bottom + COARSE, float(COARSE)),
    )
    where = camera.to_board(np.stack([x, y], -1), height)
    back = np.array([[1 / COARSE, 0, 0], [0, 1 / COARSE, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cells = ((where - [grid.left_mm, grid.near_mm]) / grid.step_mm).astype(np.float32)
    map_x, map_y = (
        np.asarray(cv2.warpAffine(one, back, (width, height_px), flags=flags), np.float32)
        for one in cv2.split(cells)
    )
    apart = np.asarray(cv2.bitwise_not(shown[patch.slices()]), np.uint8)
    return Plane(grid, camera, height, patch=patch, x=map_x, y=map_y, apart=apart)
