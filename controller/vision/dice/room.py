"""Whether a die that lies level has room at a spot: between checkers, and before the rails."""

from collections.abc import Sequence
from math import erf, sqrt
from typing import Final

import numpy as np

from controller.vision.dice.spots import gap_to_checkers
from controller.vision.dice.touching import WIDE_MM, WIDE_SPREAD_MM
from controller.vision.dice.views import DIE_VIEW, Spot
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

LAID_MM: Final = 1.5
"""So far most checkers lie beside their places, and rails and middles of faces where they are reckoned to be:
estimated. Of 2,944 dice read in a film, its stills and eight rendered boards, sharp and as JPEG of 60 and 25, one
lay nearer than 8 mm to a checker, none nearer than 9 to a rail. What was taken for dice in corners lay 1 to 6 mm
from either."""
NO_ROOM: Final = 0.03
"""What is left of the odds where no die has room: one may lie on what is there, as `dice.ON_CHECKER` has it."""


def room_odds(spot: Spot, camera: CameraModel, geometry: BoardGeometry, points: Sequence[int]) -> float:
    """By what factor the odds that a level die's face lies at a spot (mm) are changed by the room there.

    It is the share of dice that are small enough, once for the nearest checker and once for the nearest rail.
    ``points`` are 24 signed counts; rows are taken as laid neatly.
    """
    slant = float(
        np.hypot(*(camera.centre_mm[:2] - np.array(spot))) / (camera.centre_mm[2] - DIE_VIEW.height_mm)
    )
    rail = min(geometry.surface_width_mm / 2 - abs(spot[0]), geometry.surface_height_mm / 2 - abs(spot[1]))
    # A larger die is as much higher, and seen further from under the camera.
    return _share_that_fits(gap_to_checkers(spot, geometry, points), slant) * _share_that_fits(rail, slant)


def _share_that_fits(room_mm: float, slant: float) -> float:
    """The share of dice whose middles may be so far from something, as the place of a face tells it."""
    spread = sqrt((WIDE_SPREAD_MM / 2) ** 2 + (WIDE_SPREAD_MM * slant) ** 2 + LAID_MM**2)
    share = (1 + erf((room_mm - WIDE_MM / 2) / (spread * sqrt(2)))) / 2
    return NO_ROOM + (1 - NO_ROOM) * share
