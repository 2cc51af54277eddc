"""Counts the checkers on the points: a network judges the strip along each of them.

What it says of its own certainty is taken as it is: on boards it never saw no other scale fitted better.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from controller.vision.counts import SIDE
from controller.vision.network import load_network
from controller.vision.strips import CHECKER, COLUMNS, SCALE, Map

# The network's answers, index by index.
COUNTS: Sequence[int] = range(-SIDE, SIDE + 1)
# Nothing on a point is more improbable than this: there is always something nobody thought of.
WORST = 9.0
# A strip on which the middle of no half checker's height looks less like the bare board than this is empty. Of
# painted and rendered points with checkers none came below -0.45.
BARE = -0.6
PIECE, MIDDLE = SCALE // 4, slice(COLUMNS // 4, -(COLUMNS // 4))


def point_likelihoods(strips: Map) -> tuple[dict[int, float], ...]:
    """For each point the log-likelihood of every signed count, the best 0; ``strips`` as the network takes them."""
    asked = np.flatnonzero(_anything(strips))
    scores = np.full((len(strips), len(COUNTS)), -WORST)
    scores[:, SIDE] = 0.0
    if len(asked):
        scores[asked] = load_network("points").run(strips[asked])
    return tuple(_likelihoods(row) for row in scores)


def _anything(strips: Map) -> NDArray[np.bool_]:
    """Whether a strip shows anything but the bare board: somewhere a good part of a checker's width."""
    rows = strips[:, CHECKER, :, MIDDLE].mean(axis=2)
    pieces = rows.reshape(len(strips), -1, PIECE).mean(axis=2)
    return np.asarray(((pieces[:, 1:] + pieces[:, :-1]) / 2).max(axis=1) > BARE)


def _likelihoods(scores: NDArray[np.float64]) -> dict[int, float]:
    fallen = np.maximum(scores - scores.max(), -WORST)
    return {count: float(score) for count, score in zip(COUNTS, fallen, strict=True)}
