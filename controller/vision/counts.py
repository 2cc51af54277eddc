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
# Choices less likely than the best by this (nats) are at first left out of the search for the best of all.
UNLIKELY = 6.0
GAP = np.subtract.outer(np.arange(SIDE + 1), np.arange(SIDE + 1))


@dataclass(frozen=True)
class Joint:
    """Posterior of everything together.

    ``marginals``: for each point the probability of each signed count; ``best``: the most probable
    whole board, 24 signed counts, with ``bar`` (light, dark); ``chance``: that all its points are right.
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
    last = np.exp(off_light - off_light.max())[::-1, None] * np.exp(off_dark - off_dark.max())[None, ::-1]
    weights = [_weights(factor) for factor in factors]
    forward = [_start()]
    for weight in weights:
        forward.append(_scaled(_spread(forward[-1], weight)))
    backward = [last]
    for weight in reversed(weights[1:]):
        backward.append(_scaled(_spread(backward[-1][::-1, ::-1], weight)[::-1, ::-1]))
    shares = [
        _share(before, after, weight)
        for before, after, weight in zip(forward[:-1], reversed(backward), weights, strict=True)
    ]
    marginals = tuple(
        {count: float(share[max(count, 0), max(-count, 0)]) for count in point}
        for point, share in zip(points, shares[:-1], strict=True)
    )
    bar_marginals = {key: float(shares[-1][key]) for key in bar}
    with np.errstate(divide="ignore"):
        picks = _best(factors, np.maximum(np.log(last), NEVER))
    best = tuple(list(point)[pick] for point, pick in zip(points, picks[:-1], strict=True))
    return Joint(marginals, best, list(bar)[picks[-1]], _chance(marginals, best), bar_marginals)


def _chance(marginals: Sequence[Mapping[int, float]], best: Sequence[int]) -> float:
    """How probable it is that every point is right, taking them one by one."""
    return float(np.prod([marginal[count] for marginal, count in zip(marginals, best, strict=True)]))


def _start() -> FloatArray:
    start = np.zeros((SIDE + 1, SIDE + 1))
    start[0, 0] = 1.0
    return start


def _weights(factor: Sequence[tuple[int, int, float]]) -> FloatArray:
    """Likelihoods by (light, dark) count, the best 1."""
    top = max(score for _, _, score in factor)
    weights = np.zeros((SIDE + 1, SIDE + 1))
    for light, dark, score in factor:
        weights[light, dark] = np.exp(score - top)
    return weights


def _scaled(mass: FloatArray) -> FloatArray:
    """The same mass, its largest part 1: only ratios matter."""
    return np.asarray(mass / max(float(mass.max()), 1e-300), float)


def _spread(mass: FloatArray, weights: FloatArray) -> FloatArray:
    """Totals (light, dark) after one more place: the convolution of totals before with the place's counts."""
    out = _slide(weights[:, 0]) @ mass
    only_dark = weights[0].copy()
    only_dark[0] = 0
    out += mass @ _slide(only_dark).T
    for light, dark in np.argwhere(weights[1:, 1:]) + 1:
        out[light:, dark:] += weights[light, dark] * mass[: SIDE + 1 - light, : SIDE + 1 - dark]
    return np.asarray(out, float)


def _by_gap(pairs: FloatArray) -> FloatArray:
    """Sums over the diagonals i - j = 0, 1, ... of a square."""
    sums = np.bincount(GAP.ravel() + SIDE, weights=pairs.ravel(), minlength=2 * SIDE + 1)
    return np.asarray(sums[SIDE:], float)


def _slide(weights: FloatArray) -> FloatArray:
    """The matrix that adds a count: element (i, j) is the weight of i - j checkers."""
    return np.where(GAP >= 0, weights[np.maximum(GAP, 0)], 0.0)


def _share(before: FloatArray, after: FloatArray, weights: FloatArray) -> FloatArray:
    """Probability of each (light, dark) count at one place, given totals before and what is left after it."""
    found = np.zeros((SIDE + 1, SIDE + 1))
    found[:, 0] = _by_gap(after @ before.T)
    found[0, :] = _by_gap(after.T @ before)
    for a, b in np.argwhere(weights[1:, 1:]) + 1:
        found[a, b] = (after[a:, b:] * before[: SIDE + 1 - a, : SIDE + 1 - b]).sum()
    found *= weights
    return np.asarray(found / max(float(found.sum()), 1e-300), float)


def _best(factors: Sequence[Sequence[tuple[int, int, float]]], end: FloatArray) -> list[int]:
    """The choice (index into each factor) with the largest sum; each likeliest one where fifteen do not suffice."""
    tops = [max(score for _, _, score in factor) for factor in factors]
    likely = [
        [k for k, (_, _, score) in enumerate(factor) if score > top - UNLIKELY]
        for factor, top in zip(factors, tops, strict=True)
    ]
    picks, total = _best_of(factors, likely, end)
    # One of the choices left out costs as much by itself.
    if total > sum(tops) + float(end.max()) - UNLIKELY:
        return picks
    picks, total = _best_of(factors, [list(range(len(factor))) for factor in factors], end)
    if total > NEVER / 2:
        return picks
    return [int(np.argmax([score for _, _, score in factor])) for factor in factors]


def _best_of(
    factors: Sequence[Sequence[tuple[int, int, float]]], allowed: Sequence[Sequence[int]], end: FloatArray
) -> tuple[list[int], float]:
    """The best choice (index into each factor) among those allowed, and its sum.

    Where all that is allowed is more than fifteen of a side there is none, and the sum is below ``NEVER / 2``.
    """
    state = np.full((SIDE + 1, SIDE + 1), NEVER)
    state[0, 0] = 0.0
    trail = []
    for factor, among in zip(factors, allowed, strict=True):
        options = np.full((len(among), SIDE + 1, SIDE + 1), NEVER)
        for place, k in enumerate(among):
            a, b, score = factor[k]
            options[place, a:, b:] = state[: SIDE + 1 - a, : SIDE + 1 - b] + score
        trail.append(options.argmax(axis=0))
        state = options.max(axis=0)
    light, dark = (int(v) for v in np.unravel_index(int((state + end).argmax()), end.shape))
    total = float((state + end)[light, dark])
    if total <= NEVER / 2:
        return [], total
    picks = []
    for factor, among, choice in zip(reversed(factors), reversed(allowed), reversed(trail), strict=True):
        pick = among[int(choice[light, dark])]
        picks.append(pick)
        light, dark = light - factor[pick][0], dark - factor[pick][1]
    return picks[::-1], total
