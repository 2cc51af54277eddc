"""The board in millimetres: where points, rows, layers, the bar and the trays are.

Lengths are in nominal millimetres: one picture cannot tell a small near board from a large far one,
so the pitch of the points is set to a usual size and all else is measured in proportion to it. The frame
is that of :mod:`controller.vision.geometry.camera`.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from controller.arrays import FloatArray

Home = Literal["right", "left"]
Colour = Literal["light", "dark"]
HOMES: tuple[Home, Home] = ("right", "left")
COLOURS: tuple[Colour, Colour] = ("light", "dark")

NOMINAL_PITCH_MM = 44.0
FLAT_ROW = 5


@dataclass(frozen=True)
class BoardGeometry:
    """Measures of a board, in nominal millimetres.

    ``home`` is the side on which light's home board lies as seen from light's seat; ``bar_mm`` is the gap
    between the two halves; ``surface_height_mm`` runs from light's edge to dark's edge; ``row_pitch_mm`` is
    the usual distance of neighbours in a row, a little more than a diameter.
    ``trays`` names the sides (seen from light's seat) that have a tray for borne-off checkers.
    """

    home: Home
    pitch_mm: float
    bar_mm: float
    surface_height_mm: float
    row_pitch_mm: float
    checker_diameter_mm: float
    checker_thickness_mm: float
    trays: tuple[Home, ...] = ()
    tray_width_mm: float = 50.0
    tray_gap_mm: float = 20.0

    @property
    def surface_width_mm(self) -> float:
        """Width of the playing surface, the bar included."""
        return 12 * self.pitch_mm + self.bar_mm

    def column_x(self, point: int) -> float:
        """The x (mm) of the middle line of a point, 1..24 in light's numbering."""
        if not 1 <= point <= 24:
            raise ValueError(f"there is no point {point}: points are 1 to 24")
        column = point if point <= 12 else 25 - point
        bar = self.bar_mm / 2 if column <= 6 else -self.bar_mm / 2
        distance = bar + (6.5 - column) * self.pitch_mm
        return distance if self.home == "right" else -distance

    def x_range(self, beyond_mm: float = 0.0) -> tuple[float, float]:
        """From which x to which (mm) surface and trays reach, and so much more at either end."""
        half, tray = self.surface_width_mm / 2 + beyond_mm, self.tray_gap_mm + self.tray_width_mm
        left, right = (half + (tray if side in self.trays else 0.0) for side in ("left", "right"))
        return -left, right

    def tray_x(self, side: Home) -> float:
        """The x (mm) of the middle line of the tray on a side, or where it would be."""
        x = self.surface_width_mm / 2 + self.tray_gap_mm + self.tray_width_mm / 2
        return x if side == "right" else -x

    def side_of(self, point: int) -> int:
        """-1 for the points on light's edge (1..12), +1 for those on dark's edge (13..24)."""
        return -1 if point <= 12 else 1

    def slot(self, point: int, place: int, layer: int = 0) -> FloatArray:
        """Centre (mm, shape (3,)) of the upper face of a checker on a point.

        ``place`` counts from the edge of the board, 0 being nearest to it; ``layer`` 0 lies on the surface.
        """
        inward = self.surface_height_mm / 2 - (place + 0.5) * self.row_pitch_mm
        return np.array(
            [
                self.column_x(point),
                self.side_of(point) * inward,
                (layer + 1) * self.checker_thickness_mm,
            ]
        )

    def corners(self) -> FloatArray:
        """Corners of the playing surface (mm, shape (4, 3), z = 0) by light's 1-, 12-, 13- and 24-point."""
        x = self.surface_width_mm / 2 * (1 if self.home == "right" else -1)
        y = self.surface_height_mm / 2
        return np.array([[x, -y, 0], [-x, -y, 0], [-x, y, 0], [x, y, 0]], float)
