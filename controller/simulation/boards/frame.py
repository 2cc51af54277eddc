"""The fixed parts of a board as level boxes: rails, bar, dividers and blocks, each with its material."""

from dataclasses import dataclass

import numpy as np

from controller.arrays import FloatArray
from controller.simulation.boards.setting import Material, Setting


@dataclass(frozen=True, slots=True)
class Part:
    """A box from (x0, y0) to (x1, y1) between two heights (mm)."""

    x0: float
    y0: float
    x1: float
    y1: float
    bottom_mm: float
    top_mm: float
    material: Material

    def corners(self) -> FloatArray:
        """The eight corners, shape (8, 3): first the four below, then the four above."""
        ring = [(self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)]
        return np.array([[x, y, z] for z in (self.bottom_mm, self.top_mm) for x, y in ring], float)


@dataclass(frozen=True, slots=True)
class Extent:
    """Half-open box of the whole board seen from above (mm)."""

    x0: float
    y0: float
    x1: float
    y1: float

    def corners(self, height_mm: float) -> FloatArray:
        """Its four corners at a height, shape (4, 3)."""
        ring = [(self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)]
        return np.array([[x, y, height_mm] for x, y in ring], float)


def extent(setting: Setting) -> Extent:
    """The outline of the whole board."""
    geometry, rail = setting.geometry, setting.frame.rail_mm
    (left, right), high = geometry.x_range(rail), geometry.surface_height_mm / 2
    return Extent(left, -high - rail, right, high + rail)


def parts(setting: Setting) -> tuple[Part, ...]:
    """All boxes that stand on the board's floor; a flush bar is one of no height."""
    geometry, frame = setting.geometry, setting.frame
    whole, top, wood = extent(setting), frame.rail_height_mm, frame.material
    half, high, rail = geometry.surface_width_mm / 2, geometry.surface_height_mm / 2, frame.rail_mm
    found = [
        Part(whole.x0, whole.y0, whole.x1, -high, 0, top, wood),
        Part(whole.x0, high, whole.x1, whole.y1, 0, top, wood),
        Part(whole.x0, -high, whole.x0 + rail, high, 0, top, wood),
        Part(whole.x1 - rail, -high, whole.x1, high, 0, top, wood),
        Part(
            -geometry.bar_mm / 2, -high, geometry.bar_mm / 2, high, 0, frame.bar_height_mm, frame.bar_material
        ),
    ]
    for side in geometry.trays:
        sign = 1 if side == "right" else -1
        inner, outer = sorted((sign * half, sign * (half + geometry.tray_gap_mm)))
        found.append(Part(inner, -high, outer, high, 0, top, wood))
        if frame.rest_mm > 0:
            gap, tray = geometry.tray_gap_mm, geometry.tray_width_mm
            near, far = sorted((sign * (half + gap), sign * (half + gap + tray)))
            found.append(Part(near, -frame.rest_mm / 2, far, frame.rest_mm / 2, 0, top, wood))
    return tuple(found)
