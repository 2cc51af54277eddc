"""Soft shadows of things on level planes, worked out on a grid of board points."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.simulation.setting import Lamp, Light

Array = NDArray[np.floating[Any]]
Mask = NDArray[np.uint8]

# How dark it gets right under a thing, of what comes from everywhere, and how far that reaches (mm).
CONTACT = 0.75
CONTACT_REACH_MM = 3.5
# Drawing precision: coordinates are given in 1/16 of a step.
FINE = 4


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of board points: ``left_mm``, ``near_mm`` is its first node, ``step_mm`` the distance of nodes."""

    left_mm: float
    near_mm: float
    rows: int
    columns: int
    step_mm: float

    @property
    def far_mm(self) -> float:
        """The y of the last row."""
        return self.near_mm + (self.rows - 1) * self.step_mm

    def cells(self, spots: NDArray[np.float64]) -> NDArray[np.int32]:
        """Board points (n, 2) in sixteenths of a step, for OpenCV's drawing functions."""
        scaled = (np.asarray(spots, float) - [self.left_mm, self.near_mm]) / self.step_mm
        return np.asarray(np.round(scaled * (1 << FINE)), np.int32)


@dataclass(frozen=True, slots=True)
class Rod:
    """Something that casts a shadow: a rod with round ends between two places (x, y, z), radii in mm.

    An upright checker is a rod from its underside to its upper face, which casts exactly its shadow.
    """

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    radius_mm: float


@dataclass(frozen=True)
class Block:
    """Something flat-sided that casts a shadow: its corners (n, 3)."""

    corners: NDArray[np.float64]


@dataclass(frozen=True)
class Casters:
    """What casts shadows: low things standing on the board, high ones above it."""

    low: Sequence[Rod | Block] = field(default_factory=tuple)
    high: Sequence[Rod | Block] = field(default_factory=tuple)


def shade(grid: Grid, light: Light, casters: Casters, plane_mm: float) -> Mask:
    """How much of the light reaches a level plane, 255 being all; shape (rows, columns)."""
    whole = light.ambient + sum(lamp.power for lamp in light.lamps)
    total = np.full((grid.rows, grid.columns), light.ambient, np.float32)
    contact = _contact(grid, casters.low, plane_mm)
    if contact is not None:
        total -= contact * np.float32(light.ambient * CONTACT)
    for lamp in light.lamps:
        reached = np.full((grid.rows, grid.columns), lamp.power, np.float32)
        for group in (casters.low, casters.high):
            dark = _cast(grid, lamp, group, plane_mm)
            if dark is not None:
                reached *= 1 - dark
        total += reached
    return np.asarray(np.clip(total * np.float32(255 / whole), 0, 255), np.uint8)


def _tops(things: Sequence[Rod | Block], plane_mm: float) -> list[tuple[Rod | Block, float]]:
    """Those things that rise above a plane, and how far."""
    found = []
    for thing in things:
        top = (
            max(thing.start[2], thing.end[2]) if isinstance(thing, Rod) else float(thing.corners[:, 2].max())
        )
        if top > plane_mm + 0.2:
            found.append((thing, top - plane_mm))
    return found


def _cast(grid: Grid, lamp: Lamp, things: Sequence[Rod | Block], plane_mm: float) -> Array | None:
    """How much of a lamp is hidden by things, 0..1, or ``None`` if nothing rises above the plane."""
    above = _tops(things, plane_mm)
    if not above:
        return None
    mask = np.zeros((grid.rows, grid.columns), np.uint8)
    for thing, _ in above:
        if isinstance(thing, Rod):
            _draw_rod(mask, grid, lamp, thing, plane_mm)
        else:
            _draw_block(mask, grid, lamp, thing, plane_mm)
    height = float(np.median([top for _, top in above]))
    distance = float(np.sqrt(lamp.x_mm**2 + lamp.y_mm**2 + lamp.z_mm**2))
    return _soften(mask, max(0.5, 0.5 * lamp.radius_mm * height / distance) / grid.step_mm)


def _contact(grid: Grid, things: Sequence[Rod | Block], plane_mm: float) -> Array | None:
    mask = np.zeros((grid.rows, grid.columns), np.uint8)
    drawn = False
    for thing, _ in _tops(things, plane_mm):
        if isinstance(thing, Rod):
            low = min(thing.start[2], thing.end[2])
            if low > plane_mm + 4:
                continue
            spot = grid.cells(np.array([thing.start[:2]]))[0]
            cv2.circle(mask, _pair(spot), _radius(grid, thing.radius_mm), 255, -1, cv2.LINE_AA, FINE)
        else:
            hull = cv2.convexHull(grid.cells(thing.corners[:, :2]))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, FINE)
        drawn = True
    return _soften(mask, CONTACT_REACH_MM / grid.step_mm) if drawn else None


def _soften(mask: Mask, sigma: float) -> Array:
    """Blurred, 0..1. Two running means are as good as a Gaussian here and do not get slower when wide."""
    if sigma > 0.3:
        size = max(1, round(np.sqrt(6 * sigma**2 + 1) / 2 - 0.5)) * 2 + 1
        mask = np.asarray(cv2.blur(cv2.blur(mask, (size, size)), (size, size)), np.uint8)
    return np.asarray(mask, np.float32) * np.float32(1 / 255)


def _draw_rod(mask: Mask, grid: Grid, lamp: Lamp, rod: Rod, plane_mm: float) -> None:
    spots = np.array([_thrown(lamp, place, plane_mm) for place in (rod.start, rod.end)])
    a, b = grid.cells(spots)
    radius = _radius(grid, rod.radius_mm)
    for spot in (a, b):
        cv2.circle(mask, _pair(spot), radius, 255, -1, cv2.LINE_AA, FINE)
    if np.abs(a - b).max() < 1 << FINE:
        return
    along = (spots[1] - spots[0]) / (np.linalg.norm(spots[1] - spots[0]) + 1e-6)
    side = rod.radius_mm * np.array([-along[1], along[0]])
    corners = np.array([spots[0] + side, spots[1] + side, spots[1] - side, spots[0] - side])
    cv2.fillConvexPoly(mask, grid.cells(corners), 255, cv2.LINE_AA, FINE)


def _draw_block(mask: Mask, grid: Grid, lamp: Lamp, block: Block, plane_mm: float) -> None:
    spots = np.array([_thrown(lamp, tuple(corner), plane_mm) for corner in block.corners])
    cv2.fillConvexPoly(mask, cv2.convexHull(grid.cells(spots)), 255, cv2.LINE_AA, FINE)


def _thrown(lamp: Lamp, place: tuple[float, ...], plane_mm: float) -> NDArray[np.float64]:
    """Where the shadow of a place falls on a plane; a place below the plane counts as lying in it."""
    x, y, z = place
    share = max(z - plane_mm, 0.0) / max(lamp.z_mm - z, 1.0)
    return np.array([x + (x - lamp.x_mm) * share, y + (y - lamp.y_mm) * share])


def _radius(grid: Grid, radius_mm: float) -> int:
    return round(radius_mm / grid.step_mm * (1 << FINE))


def _pair(spot: NDArray[np.int32]) -> tuple[int, int]:
    return int(spot[0]), int(spot[1])
