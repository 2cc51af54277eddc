"""Counts the checkers on the points: a network judges the strip along each of them.

What it says of its own certainty is taken as it is: on boards it never saw no other scale fitted better.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from controller.vision.counts import SIDE
from controller.vision.network import load_network
from controller.vision.strips import Map

# The network's answers, index by index.
COUNTS: Sequence[int] = range(-SIDE, SIDE + 1)
# Nothing on a point is more improbable than this: there is always something nobody thought of.
WORST = 9.0


def point_likelihoods(strips: Map) -> tuple[dict[int, float], ...]:
    """For each point the log-likelihood of every signed count, the best 0; ``strips`` as the network takes them."""
    scores = np.asarray(load_network("points").run(strips), np.float64)
    return tuple(_likelihoods(row) for row in scores)


def _likelihoods(scores: NDArray[np.float64]) -> dict[int, float]:
    fallen = np.maximum(scores - scores.max(), -WORST)
    return {count: float(score) for count, score in zip(COUNTS, fallen, strict=True)}
