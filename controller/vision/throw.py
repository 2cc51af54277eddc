"""How many of the things that look like dice are: a throw has two, and dice hardly ever lie on checkers."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from controller.arrays import FloatArray
from controller.vision.camera import CameraModel
from controller.vision.geometry import FLAT_ROW, BoardGeometry

SHARES: Final = (0.25, 0.03, 0.6, 0.02, 0.1)
"""How often a board at rest shows no die, one, two, three and four (both players' pairs); estimated, not counted."""
ON_CHECKER: Final = 0.03
"""How much likelier a glossy checker's highlight or dish is than a die that lies on a checker."""
FACE_SHARE: Final = 0.95
"""What is seen over so much of a checker's radius lies on it; further out it may lie beside."""
SUREST: Final = 0.999


def weighed(chance: float, *, on_checker: bool) -> float:
    """The chance (0..1) that something is a die, by how it looks (``chance``) and by where it is."""
    odds = _odds(chance) * (ON_CHECKER if on_checker else 1.0)
    return odds / (1 + odds)


def likeliest_number(chances: Sequence[float]) -> int:
    """How many of the things with these chances of being dice, the highest first, most likely are dice."""
    odds = [_odds(chance) for chance in chances[: len(SHARES) - 1]]
    likely = [SHARES[count] * float(np.prod(odds[:count])) for count in range(len(odds) + 1)]
    return int(np.argmax(likely))


def checker_faces(
    camera: CameraModel, geometry: BoardGeometry, points: Sequence[int], height_mm: float
) -> FloatArray:
    """Where the upper faces of checkers are seen on the plane at ``height_mm``: middles (n, 2) in mm.

    ``points`` are 24 signed counts; rows are taken as laid neatly, upper layers as lying on the checkers below.
    """
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    middles = []
    for point, count in enumerate(points, start=1):
        for number in range(abs(count)):
            spot = geometry.slot(point, number % FLAT_ROW, number // FLAT_ROW)
            middles.append(foot + (eye - height_mm) / (eye - spot[2]) * (spot[:2] - foot))
    return np.array(middles, float).reshape(-1, 2)


def lies_on(spot: tuple[float, float], faces: FloatArray, geometry: BoardGeometry) -> bool:
    """Whether a spot (mm) is seen within one of the ``faces`` of `checker_faces`."""
    if not len(faces):
        return False
    nearest = float(np.hypot(*(faces - np.array(spot)).T).min())
    return nearest < FACE_SHARE * geometry.checker_diameter_mm / 2


def _odds(chance: float) -> float:
    bounded = min(max(chance, 1 - SUREST), SUREST)
    return bounded / (1 - bounded)
