"""Weighs what all points show together: every side has fifteen checkers.

The picture alone gives each point a log-likelihood for each signed count. Here they are joined: over all
ways to put at most fifteen of each side on 24 points and the bar, the rest being off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from controller.arrays import FloatArray

SIDE = 15
COUNTS = range(-SIDE, SIDE + 1)
NEVER = -1e9
# Choices less likely than the best by this (nats) are at first left out of the search for the best of all.
UNLIKELY = 6.0
GAP = np.subtract.outer(np.arange(SIDE + 1), np.arange(SIDE + 1))
# Sums up the diagonals i - j = 0, 1, ... of a square, taken as one row.
DIAGONALS = np.equal.outer(GAP.ravel(), np.arange(SIDE + 1)).astype(float)

# Light and dark checkers in one place and the log-likelihood of that.
CountChoice = tuple[int, int, float]


@dataclass(frozen=True)
class Joint:
    """Posterior of everything together.

    ``marginals``: for each point the probability of each signed count; ``best``: the most probable
    whole board, 24 signed counts, with ``bar`` (light, dark); ``chance``: that all its points are right, taken one by
    one; ``bar_chance``: that the bar is; ``side_chances``: that as many of light lie on points and bar together, and
    of dark.
    """

    marginals: tuple[Mapping[int, float], ...]
    best: tuple[int, ...]
    bar: tuple[int, int]
    chance: float
    bar_chance: float
    side_chances: tuple[float, float]

    @property
    def point_chances(self) -> tuple[float, ...]:
        """The probability of what is told of each point."""
        return tuple(
            float(marginal[count]) for marginal, count in zip(self.marginals, self.best, strict=True)
        )


def join(
    points: Sequence[Mapping[int, float]],
    bar: Mapping[tuple[int, int], float],
    off_light: FloatArray,
    off_dark: FloatArray,
) -> Joint:
    """Join log-likelihoods of points (signed count), bar ((light, dark)) and borne-off counts (16,) a side.

    The off arrays are log-likelihoods of 0..15 borne off.
    """
    table = _table(points)
    on_bar = [(light, dark, score) for (light, dark), score in bar.items()]
    off = np.add.outer((off_light - off_light.max())[::-1], (off_dark - off_dark.max())[::-1])
    shares = _marginals(table, on_bar, np.exp(off)).tolist()
    marginals = tuple(
        {count: share[count + SIDE] for count in point} for point, share in zip(points, shares, strict=True)
    )
    *best, (light, dark) = _best(table, on_bar, np.maximum(off, NEVER))
    board = tuple(light - dark for light, dark in best)
    chance = float(np.prod([marginal[count] for marginal, count in zip(marginals, board, strict=True)]))
    bar_chance, side_chances = _beside_points(table, on_bar, np.exp(off), board, (light, dark))
    return Joint(marginals, board, (light, dark), chance, bar_chance, side_chances)


def _table(points: Sequence[Mapping[int, float]]) -> FloatArray:
    """The log-likelihoods of all `COUNTS`, shape (points, 31); ``NEVER`` for those that a point leaves out."""
    return np.array([[point.get(count, NEVER) for count in COUNTS] for point in points])


def _marginals(table: FloatArray, on_bar: Sequence[CountChoice], off: FloatArray) -> FloatArray:
    """Probabilities of each of `COUNTS` on each point, shape (points, 31).

    ``off`` is how likely it is that so many light and dark checkers, (16, 16), are on the board.
    """
    weights = np.exp(table - table.max(axis=1, keepdims=True))
    light, dark = weights[:, SIDE:], weights[:, SIDE::-1]
    # No checkers at all is counted with light.
    add_light, add_dark = _slides(light), _slides(dark * (np.arange(SIDE + 1) > 0))
    before = [np.zeros((SIDE + 1, SIDE + 1))]
    before[0][0, 0] = 1.0
    for more_light, more_dark in zip(add_light[:-1], add_dark[:-1], strict=True):
        before.append(_scale(more_light @ before[-1] + before[-1] @ more_dark.T))
    after = [_scale(_before_bar(on_bar, off))]
    for more_light, more_dark in zip(add_light[:0:-1], add_dark[:0:-1], strict=True):
        after.append(_scale(more_light.T @ after[-1] + after[-1] @ more_dark))
    lower, upper = np.stack(before), np.stack(after[::-1])
    by_light = _by_gap(upper @ lower.swapaxes(1, 2))
    by_dark = _by_gap(upper.swapaxes(1, 2) @ lower)
    counts = weights * np.concatenate([by_dark[:, :0:-1], by_light], axis=1)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300), float)


def _beside_points(
    table: FloatArray,
    on_bar: Sequence[CountChoice],
    off: FloatArray,
    board: Sequence[int],
    bar: tuple[int, int],
) -> tuple[float, tuple[float, float]]:
    """How probable a bar (light, dark) is, and that light and dark have as many on ``board`` and bar together."""
    weights = np.exp(table - table.max(axis=1, keepdims=True))
    totals = np.zeros((SIDE + 1, SIDE + 1))
    totals[0, 0] = 1.0
    add_light, add_dark = (
        _slides(weights[:, SIDE:]),
        _slides(weights[:, SIDE::-1] * (np.arange(SIDE + 1) > 0)),
    )
    for more_light, more_dark in zip(add_light, add_dark, strict=True):
        totals = _scale(more_light @ totals + totals @ more_dark.T)
    on_board, right = np.zeros_like(off), 0.0
    top = max(score for _, _, score in on_bar)
    for light, dark, score in on_bar:
        here = totals[: SIDE + 1 - light, : SIDE + 1 - dark] * off[light:, dark:] * np.exp(score - top)
        on_board[light:, dark:] += here
        right += float(here.sum()) if (light, dark) == bar else 0.0
    whole = max(float(on_board.sum()), 1e-300)
    told = (
        sum(max(sign * count, 0) for count in board) + extra for sign, extra in zip((1, -1), bar, strict=True)
    )
    light_chance, dark_chance = (
        float(sums[number]) / whole if number <= SIDE else 0.0
        for sums, number in zip((on_board.sum(axis=1), on_board.sum(axis=0)), told, strict=True)
    )
    return right / whole, (light_chance, dark_chance)


def _before_bar(on_bar: Sequence[CountChoice], off: FloatArray) -> FloatArray:
    """How likely what follows is after totals (light, dark) of all points."""
    found, scores = np.zeros_like(off), np.array([score for _, _, score in on_bar])
    for (light, dark, _), weight in zip(on_bar, np.exp(scores - scores.max()), strict=True):
        found[: SIDE + 1 - light, : SIDE + 1 - dark] += weight * off[light:, dark:]
    return found


def _scale(mass: FloatArray) -> FloatArray:
    """The same mass, its largest part 1: only ratios matter."""
    return np.asarray(mass / max(float(mass.max()), 1e-300), float)


def _slides(weights: FloatArray) -> FloatArray:
    """The matrices that add counts: element (n, i, j) is the weight of i - j checkers in place n."""
    return np.where(GAP >= 0, weights[:, np.maximum(GAP, 0)], 0.0)


def _by_gap(pairs: FloatArray) -> FloatArray:
    """Sums over the diagonals i - j = 0, 1, ... of squares, shape (n, 16)."""
    return np.asarray(pairs.reshape(len(pairs), -1) @ DIAGONALS, float)


def _best(table: FloatArray, on_bar: Sequence[CountChoice], end: FloatArray) -> list[tuple[int, int]]:
    """Light and dark in each place, the bar last, with the largest sum.

    Where fifteen do not suffice for any choice, the likeliest of each place.
    """
    tops, top = table.max(axis=1), max(score for _, _, score in on_bar)
    likely = [choice for choice in on_bar if choice[2] > top - UNLIKELY]
    picks, total = _best_of([*_choices(table, tops - UNLIKELY), likely], end)
    # One of the choices left out costs as much by itself.
    if total > float(tops.sum()) + top + float(end.max()) - UNLIKELY:
        return picks
    choices = [*_choices(table, np.full(len(table), NEVER)), on_bar]
    picks, total = _best_of(choices, end)
    if total > NEVER / 2:
        return picks
    return [max(among, key=lambda choice: choice[2])[:2] for among in choices]


def _choices(table: FloatArray, least: FloatArray) -> list[list[CountChoice]]:
    """What may be on each point: all that is likelier than the ``least`` for it."""
    choices: list[list[CountChoice]] = [[] for _ in table]
    places, counts = np.nonzero(table > least[:, None])
    scores = table[places, counts]
    for place, count, score in zip(places.tolist(), (counts - SIDE).tolist(), scores.tolist(), strict=True):
        choices[place].append((max(count, 0), max(-count, 0), score))
    return choices


def _best_of(
    choices: Sequence[Sequence[CountChoice]], end: FloatArray
) -> tuple[list[tuple[int, int]], float]:
    """The best light and dark for each place among its choices, and their sum.

    Where all that is allowed is more than fifteen of a side there is none, and the sum is below ``NEVER / 2``.
    """
    state = np.full((SIDE + 1, SIDE + 1), NEVER)
    state[0, 0] = 0.0
    trail = []
    for among in choices:
        reached = np.full((len(among), SIDE + 1, SIDE + 1), NEVER)
        for totals, (light, dark, score) in zip(reached, among, strict=True):
            totals[light:, dark:] = state[: SIDE + 1 - light, : SIDE + 1 - dark] + score
        trail.append(reached)
        state = reached.max(axis=0)
    ended = state + end
    light, dark = (int(v) for v in np.unravel_index(int(ended.argmax()), end.shape))
    total = float(ended[light, dark])
    if total <= NEVER / 2:
        return [], total
    picks = []
    for among, reached in zip(reversed(choices), reversed(trail), strict=True):
        more_light, more_dark, _ = among[int(reached[:, light, dark].argmax())]
        picks.append((more_light, more_dark))
        light, dark = light - more_light, dark - more_dark
    return picks[::-1], total
