"""Dice that touch: whether a face is that of a second die or the first one's side, and looks for a die beside one."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from controller.arrays import FloatArray
from controller.vision.dice.patches import CloseLook, Sight
from controller.vision.dice.spots import SpotTold, is_side_of, look_closely
from controller.vision.dice.views import DIE_VIEW, Spot
from controller.vision.geometry.camera import CameraModel

# How much seldomer a face that the network calls a die's is a second die that touches the first on the side of the
# camera than the first one's own side, before it is asked how large the dice would be. On rendered boards that are
# seen aslant sides were called so in 6 of 78 pictures, up to 0.999.
TOUCHES = 0.001
# How wide dice are (mm, the points 44 apart): the mean, and by how much most differ. 54 makes have 10 to 19 mm.
WIDE_MM, WIDE_SPREAD_MM = 15.5, 2.5
# The middles of dice that touch are so many of their widths apart, as a rule: some stand askew.
APART = 1.06
# Where a die that touches another is looked for: so far from its middle (mm), and in so many directions. A look finds
# a face 3.5 mm beside it.
BESIDE_MM, DIRECTIONS = (10.5, 15.5), 8
# Faces no further from each other than this (mm) are one.
SAME_MM = 6.0


def side_odds(spot: Spot, other: Spot, camera: CameraModel) -> float:
    """By what factor the odds that a face at a spot (mm) is a die's are changed by the die at the other one.

    It is 1 where that die does not show its side there. Else the factor is the larger, the better their width would
    suit two dice, and the worse that of one die whose side it is.
    """
    if not is_side_of(spot, other, camera, DIE_VIEW):
        return 1.0
    away = camera.centre_mm[:2] - np.array(other)
    far = float(np.hypot(*away))
    along = float(np.subtract(spot, other) @ away) / max(far, 1e-6)
    as_side, as_two = 2 * along / (1 + far / float(camera.centre_mm[2])), along / APART
    return float(min(1.0, TOUCHES * np.exp(_misfit(as_side) - _misfit(as_two))))


def _misfit(wide_mm: float) -> float:
    """How badly a width suits a die: minus the logarithm of its likelihood but for a constant."""
    return ((wide_mm - WIDE_MM) / WIDE_SPREAD_MM) ** 2 / 2


def look_beside(
    how: CloseLook, sight: Sight, dice: Sequence[Spot], told: Sequence[SpotTold]
) -> dict[Spot, SpotTold]:
    """What looks round some dice (mm) find besides what was ``told``: the map shows small dice that touch as one."""
    spots = [(x, y) for die in dice for x, y in (np.array(die) + _around()).tolist()]
    known = [one.middle for one in told if one.chances[0] < 0.5]
    found: dict[Spot, SpotTold] = {}
    fresh = look_closely(how, sight, spots)
    for spot, one in sorted(fresh.items(), key=lambda pair: float(pair[1].chances[0])):
        places = [*known, *(other.middle for other in found.values())]
        if all(_apart(one.middle, place) > SAME_MM for place in places):
            found[spot] = one
    return found


def _around() -> FloatArray:
    """The places about a die, (n, 2) mm."""
    turns = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    ways = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    return np.asarray(np.array(BESIDE_MM)[:, None, None] * ways, float).reshape(-1, 2)


def _apart(one: Spot, other: Spot) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
