"""Counts the checkers on the bar: a network judges the strip along it."""

import numpy as np

from controller.arrays import Picture
from controller.vision.appearance import Appearance
from controller.vision.bar_strip import look_at_bar
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry
from controller.vision.network import load_network
from controller.vision.sheet import ground_sheet

# More checkers than this are never told of.
MOST = 5
# The network's answers, index by index: (light, dark).
PAIRS = tuple((light, dark) for light in range(MOST + 1) for dark in range(MOST + 1 - light))
# Nothing on the bar is more improbable than this: there is always something nobody thought of.
WORST = 9.0


def bar_likelihoods(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, look: Appearance
) -> dict[tuple[int, int], float]:
    """Log-likelihoods of (light, dark) checkers on the bar, the best 0.

    ``lit`` is in the light of the appearance, ``camera`` as it stands to the board now.
    """
    strip = look_at_bar(lit, camera, geometry, ground_sheet(geometry), look)
    scores = np.asarray(load_network("bar").run(strip)[0], np.float64)
    fallen = np.maximum(scores - scores.max(), -WORST)
    return {pair: float(score) for pair, score in zip(PAIRS, fallen, strict=True)}
