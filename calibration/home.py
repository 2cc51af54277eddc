"""Where light's home board lies in the picture, and whether that is where somebody said it does."""

from collections.abc import Sequence

import numpy as np

from calibration.finder import QUADRANTS, Found, Quadrant, is_alike
from controller.arrays import FloatArray

# Checkers so much lighter (CIE L*) than the others are light's. On 26 rendered boards light's were by 13 to 75.
CLEARLY_LIGHTER = 8.0
# A home board so near to the line between two corners (share of its distance from the middle) may be said to lie in
# either: the board is turned by about 45 degrees.
BETWEEN = 0.2


def misplaced_home(found: Found, points: Sequence[int], told: Quadrant | None) -> Quadrant | None:
    """The corner in which light's home lies where it cannot lie in the one that was told; else ``None``.

    ``points`` are 24 signed counts. Of a position that looks the same from both seats, whoever has the paler checkers
    is light: then a board numbered from the other seat is misplaced, too, if no corner was ``told``.
    """
    home = _home(found, light=not (is_alike(points) and found.sides.lightness < -CLEARLY_LIGHTER))
    wanted = _home(found, light=True) if told is None else np.array(QUADRANTS[told], float)
    within = BETWEEN * float(np.linalg.norm(home))
    if all(way * place > -within for way, place in zip(wanted / np.abs(wanted).max(), home, strict=True)):
        return None
    return max(QUADRANTS, key=lambda corner: float(home @ np.array(QUADRANTS[corner])))


def paler_home_place(found: Found) -> FloatArray:
    """The middle of the home board of the paler checkers in the picture, pixels, shape (2,)."""
    return _place(found, light=found.sides.lightness >= 0)


def _home(found: Found, light: bool) -> FloatArray:
    """The way from the middle of the board to a side's home board, in pixels, shape (2,)."""
    middle = found.fit.camera.project(np.zeros(3))
    return np.asarray(_place(found, light) - middle, float)


def _place(found: Found, light: bool) -> FloatArray:
    camera, geometry = found.fit.camera, found.fit.geometry
    x = (geometry.column_x(3) + geometry.column_x(4)) / 2
    y = geometry.surface_height_mm / 4
    return camera.project(np.array([x, -y if light else y, 0.0]))
