"""Weighs what all points show together: every side has fifteen checkers.

The picture alone gives each point a log-likelihood for each signed count. Here they are joined: over all
ways to put at most fifteen of each side on 24 points and the bar, the rest being off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
SIDE = 15
NEVER = -1e9


@dataclass(frozen=True)
class Joint:
    """Posterior of everything together.

    ``marginals``: for each point the probability of each signed count; ``best``: the most probable
    whole board, 24 signed counts, with ``bar`` (light, dark); ``chance``: its probability.
    ``off`` is the probability of each number of borne-off checkers, shape (2, 16): light, dark.
    """

    marginals: tuple[Mapping[int, float], ...]
    best: tuple[int, ...]
    bar: tuple[int, int]
    chance: float
    bar_marginals: Mapping[tuple[int, int], float]


def join(
    points: Sequence[Mapping[int, float]],
    bar: Mapping[tuple[int, int], float],
    off_light: FloatArray,
    off_dark: FloatArray,
) -> Joint:
    """Join log-likelihoods of points (signed count), bar ((light, dark)) and borne-off counts (16,) a side.

    The off arrays are log-likelihoods of 0..15 borne off.
    """
    factors: list[list[tuple[int, int, float]]] = [
        [(max(count, 0), max(-count, 0), score) for count, score in point.items()] for point in points
    ]
    factors.append([(light, dark, score) for (light, dark), score in bar.items()])
    end = off_light[::-1][:, None] + off_dark[::-1][None, :]
    forward = _sweep(factors, _start())
    backward = _sweep(factors[::-1], None, end)[-2::-1]
    total = _log_sum(forward[-1] + end)
    spreads = []
    for k, factor in enumerate(factors):
        before, after = forward[k], backward[k]
        scores = [
            score + _log_sum(before[: SIDE + 1 - a, : SIDE + 1 - b] + after[a:, b:]) for a, b, score in factor
        ]
        spreads.append(np.exp(np.array(scores) - total))
    marginals = tuple(
        dict(zip(point, (float(p) for p in spread), strict=True))
        for point, spread in zip(points, spreads[:-1], strict=True)
    )
    bar_marginals = dict(zip(bar, (float(p) for p in spreads[-1]), strict=True))
    picks, score = _best(factors, end)
    best = tuple(list(point)[pick] for point, pick in zip(points, picks[:-1], strict=True))
    chance = float(np.exp(min(score - total, 0.0)))
    return Joint(marginals, best, list(bar)[picks[-1]], chance, bar_marginals)


def _start() -> FloatArray:
    start = np.full((SIDE + 1, SIDE + 1), NEVER)
    start[0, 0] = 0.0
    return start


def _log_sum(values: FloatArray) -> float:
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))


def _sweep(
    factors: Sequence[Sequence[tuple[int, int, float]]],
    start: FloatArray | None,
    end: FloatArray | None = None,
) -> list[FloatArray]:
    """Log sums over used-up (light, dark) totals after 0, 1, ... factors; backwards when ``end`` is given."""
    state = end if start is None else start
    assert state is not None
    states = [state]
    for factor in factors:
        peak = float(state.max())
        mass = np.exp(state - peak)
        following = np.zeros_like(mass)
        top = max(score for _, _, score in factor)
        for a, b, score in factor:
            weight = np.exp(score - top)
            if start is None:
                following[: SIDE + 1 - a, : SIDE + 1 - b] += weight * mass[a:, b:]
            else:
                following[a:, b:] += weight * mass[: SIDE + 1 - a, : SIDE + 1 - b]
        with np.errstate(divide="ignore"):
            state = np.maximum(np.log(following) + peak + top, NEVER)
        states.append(state)
    return states


def _best(factors: Sequence[Sequence[tuple[int, int, float]]], end: FloatArray) -> tuple[list[int], float]:
    """The choice (index into each factor) with the largest sum, and that sum."""
    state = _start()
    trail = []
    for factor in factors:
        options = np.full((len(factor), SIDE + 1, SIDE + 1), NEVER)
        for k, (a, b, score) in enumerate(factor):
            options[k, a:, b:] = state[: SIDE + 1 - a, : SIDE + 1 - b] + score
        trail.append(options.argmax(axis=0))
        state = options.max(axis=0)
    final = state + end
    light, dark = (int(v) for v in np.unravel_index(int(final.argmax()), final.shape))
    score = float(final[light, dark])
    picks = []
    for factor, choice in zip(reversed(factors), reversed(trail), strict=True):
        pick = int(choice[light, dark])
        picks.append(pick)
        light, dark = light - factor[pick][0], dark - factor[pick][1]
    return picks[::-1], score
