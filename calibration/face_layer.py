"""Fits the last layer of a network to faces that were shown, and tells what it makes of other faces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.arrays import FloatArray, IntArray

PULL: Final = 0.04
"""How strongly weights are held where they were. On 120 painted tables with dice of 5.5 to 9.5 pixels, 3,759 dice
were read after a pair was shown once: 3,237 right, and 28 told wrong with 90 % or more. Before it was 3,122 and 38;
held at 0.01, as earlier versions did, 3,228 and 54. On 28 tables with dice of 9 to 15
pixels all strengths from 0.01 to 0.08 do alike. The makes are those of `tests/bench/bench_own_dice.py`."""
STEPS: Final = 600
STEPS_TO_CHECK: Final = 200
"""What is only compared needs no more."""
PLAIN: Final = 10
"""So many looks are at the very place of a thing, the others beside it, nearer or from further."""


@dataclass(frozen=True, eq=False)
class ThingSeen:
    """What a network made of one thing, looked at in many ways, all of one class (0 for nothing).

    ``features``, (looks, n), are what its last layer makes answers from; a column of ones ends each row. ``answers``
    are those that it gave, (looks, classes). ``picture`` numbers the picture, ``thing`` the thing in it.
    """

    features: FloatArray
    answers: FloatArray
    kind: int
    picture: int = 0
    thing: int = 0

    @property
    def plain(self) -> "ThingSeen":
        """The first looks, at its very place: enough to compare."""
        return replace(self, features=self.features[:PLAIN], answers=self.answers[:PLAIN])


def layer_of(examples: Sequence[ThingSeen]) -> FloatArray:
    """The last layer that is in the network, (classes, features): what it answers is linear."""
    seen = np.concatenate([one.features for one in examples])
    told = np.concatenate([one.answers for one in examples])
    return np.asarray(np.linalg.lstsq(seen, told, rcond=None)[0].T, float)


def fit_examples(examples: Sequence[ThingSeen], start: FloatArray, steps: int = STEPS) -> FloatArray:
    """`fit_layer` of things that were looked at."""
    kinds = np.concatenate([np.full(len(one.features), one.kind) for one in examples])
    return fit_layer(np.concatenate([one.features for one in examples]), kinds, start, steps)


def fit_layer(features: FloatArray, kinds: IntArray, start: FloatArray, steps: int = STEPS) -> FloatArray:
    """Weights, (classes, features), that tell the kinds of examples, (n, features), and stay near those at the start.

    Classes that are shown count alike, however often each is. The most likely weights under a bell-shaped prior about
    the start are found by accelerated descent.
    """
    wanted = np.eye(len(start))[kinds]
    often = np.bincount(kinds, minlength=len(start))
    worth = 1 / often[kinds]
    worth /= worth.sum()
    steepest = np.linalg.eigvalsh((features * worth[:, None]).T @ features)[-1] / 2 + PULL
    weights = ahead = start
    momentum = 1.0
    for _ in range(steps):
        gap = (shares_of(features @ ahead.T) - wanted) * worth[:, None]
        onward = ahead - (gap.T @ features + PULL * (ahead - start)) / steepest
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = onward + (momentum - 1) / following * (onward - weights)
        weights, momentum = onward, following
    return np.asarray(weights, float)


def shares_of(scores: FloatArray) -> FloatArray:
    """The probabilities of classes from their scores, (n, classes)."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), float)


def chances_of(one: ThingSeen, weights: FloatArray) -> FloatArray:
    """The mean probabilities of the classes, (classes,), over the looks at a thing."""
    return np.asarray(shares_of(one.features @ weights.T).mean(axis=0), float)
