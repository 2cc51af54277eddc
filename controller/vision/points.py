"""Counts the checkers on the points: a network judges the strip along each of them.

What it says of its own certainty is taken as it is: on boards it never saw no other scale fitted better.
"""

from collections.abc import Sequence

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.appearance import Appearance
from controller.vision.camera import CameraModel
from controller.vision.counts import SIDE
from controller.vision.geometry import BoardGeometry
from controller.vision.network import load_network
from controller.vision.sheet import ground_sheet
from controller.vision.strips import POINTS, look_at_strips, look_first

# The network's answers, index by index.
COUNTS: Sequence[int] = range(-SIDE, SIDE + 1)
# Nothing on a point is more improbable than this: there is always something nobody thought of.
WORST = 9.0


def point_likelihoods(
    lit: Picture, camera: CameraModel, geometry: BoardGeometry, look: Appearance
) -> tuple[dict[int, float], ...]:
    """For each point the log-likelihood of every signed count, the best 0.

    ``lit`` is in the light of the appearance, ``camera`` as it stands to the board now. Points that plainly show
    the bare board are not asked about.
    """
    first = look_first(lit, camera, geometry, ground_sheet(geometry), look)
    scores = np.full((POINTS, len(COUNTS)), -WORST)
    scores[:, SIDE] = 0.0
    asked = first.strange()
    if len(asked):
        strips = look_at_strips(lit, camera, geometry, first, asked)
        scores[asked] = load_network("points").run(strips)
    return tuple(_likelihoods(row) for row in scores)


def _likelihoods(scores: FloatArray) -> dict[int, float]:
    fallen = np.maximum(scores - scores.max(), -WORST)
    return {count: float(score) for count, score in zip(COUNTS, fallen, strict=True)}
