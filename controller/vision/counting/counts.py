"""Weighs what all points show together: each side has a known number of checkers.

The picture alone gives each point a log-likelihood for each signed count. Here they are joined: over all
ways to put the checkers of each side on 24 points and the bar, the rest being off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from controller.arrays import FloatArray
from controller.vision.geometry.geometry import Colour

SIDE = 15
"""Checkers of a side in most games, and the most in any."""
COUNTS = range(-SIDE, SIDE + 1)
IN_ORDER = itemgetter(*COUNTS)
NEVER = -1e9
# How improbable (nats) more checkers on the board are than the game has, where fewer than fifteen are played with:
# somebody may have put one there.
SURPLUS = 7.0
# Where the picture prefers one side by so much (nats), what was counted in trays does not count against it.
CLEAR = 3.0
# The price of each checker that lies where nobody sees it, in games that have such places.
CONCEALED = 1.0
# Choices less likely than the best by this (nats) are at first left out of the search for the best of all.
UNLIKELY = 6.0
# The weights of this many points are scaled at once: no four points are as unlikely as a number can be small.
SCALE_EVERY = 4
GAP = np.subtract.outer(np.arange(SIDE + 1), np.arange(SIDE + 1))
# Sums up the diagonals i - j = 0, 1, ... of a square, taken as one row.
DIAGONALS = np.equal.outer(GAP.ravel(), np.arange(SIDE + 1)).astype(float)

# Light and dark checkers in one place and the log-likelihood of that.
CountChoice = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class CheckerSet:
    """The checkers of a game, as far as pictures tell of them.

    ``each`` is how many a side has, 1 to 15. From the points (1..24) in ``dark_home`` dark bears off, as light does
    from 1 to 6. ``concealed``: some may lie on the board or beside it where no camera sees them, under others or in
    a hand.
    """

    each: int = SIDE
    dark_home: frozenset[int] = frozenset(range(19, 25))
    concealed: bool = False

    def home(self, colour: Colour) -> frozenset[int]:
        """The points, 1..24 in light's numbering, from which a side bears off."""
        return LIGHT_HOME if colour == "light" else self.dark_home


LIGHT_HOME = frozenset(range(1, 7))
FIFTEEN = CheckerSet()
"""Those of backgammon."""


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
    off: Sequence[FloatArray],
    usual: Sequence[FloatArray] | None = None,
    checkers: CheckerSet = FIFTEEN,
) -> Joint:
    """Join log-likelihoods of points (signed count), bar ((light, dark)) and borne-off counts, light's and dark's.

    ``off`` are log-likelihoods of 0..15 borne off, (16,) each; ``usual`` is what they would be if nothing were seen
    in the trays. Trays tell how many checkers are left for the points, not whose a checker is: where the picture is
    clear they never turn it, and where it is not, none is the surer for them.
    """
    table = tabulate(points)
    on_bar = [(light, dark, score) for (light, dark), score in bar.items()]
    end = _on_board(off, checkers)
    steps = _steps_of(table)
    totals = _totals(steps)
    shares = _marginals(steps, totals, _before_bar(on_bar, np.exp(end)))
    if usual is not None and not all(map(np.array_equal, off, usual)):
        without = _on_board(usual, checkers)
        others = _marginals(steps, totals, _before_bar(on_bar, np.exp(without)))
        shares = _with_owners(shares, others)
        table = _without_others(table, _best(table, on_bar, without))
        totals = _totals(_steps_of(table))
    marginals = tuple(
        {count: share[count + SIDE] for count in point}
        for point, share in zip(points, shares.tolist(), strict=True)
    )
    *best, (light, dark) = _best(table, on_bar, end)
    board = tuple(light - dark for light, dark in best)
    chance = float(np.prod([marginal[count] for marginal, count in zip(marginals, board, strict=True)]))
    bar_chance, side_chances = _beside_points(totals[-1], on_bar, np.exp(end), board, (light, dark))
    return Joint(marginals, board, (light, dark), chance, bar_chance, side_chances)


def borne_off(off: FloatArray, on_board: int, checkers: CheckerSet) -> int:
    """How many of a side are off, given how many are on board and bar: all others, or the likeliest part of them.

    ``off`` are log-likelihoods of 0..15 borne off. Some of the others may lie where nobody sees them if the set has
    ``concealed`` ones.
    """
    missing = max(0, checkers.each - on_board)
    if not checkers.concealed:
        return missing
    return int((off[: missing + 1] + CONCEALED * np.arange(missing + 1)).argmax())


def _on_board(off: Sequence[FloatArray], checkers: CheckerSet) -> FloatArray:
    """The log-likelihood of each number of light and dark checkers, (16, 16), on board and bar, the best 0."""
    light, dark = (_of_one_side(one, checkers) for one in off)
    return np.maximum(np.add.outer(light, dark), NEVER)


def _of_one_side(off: FloatArray, checkers: CheckerSet) -> FloatArray:
    """The log-likelihood of 0..15 checkers of a side on board and bar, from that of 0..15 off."""
    missing = off[: checkers.each + 1]
    if checkers.concealed:
        price = CONCEALED * np.arange(len(missing))
        missing = np.logaddexp.accumulate(missing + price) - price
    found = np.full(SIDE + 1, -SURPLUS)
    found[: checkers.each + 1] = (missing - missing.max())[::-1]
    return found


def _with_owners(shares: FloatArray, others: FloatArray) -> FloatArray:
    """The probabilities of `COUNTS`, (points, 31), with the odds of light against dark that the ``others`` have.

    Where the one has hardly anything of a side, how many of it there are follows from the other.
    """
    sides = (slice(0, SIDE), slice(SIDE + 1, None))
    here, there = (np.stack([each[:, side].sum(axis=1) for side in sides]) for each in (shares, others))
    wanted = here.sum(axis=0) * there / np.maximum(there.sum(axis=0), 1e-300)
    found = shares.copy()
    for side, weight, has, had in zip(sides, wanted, here, there, strict=True):
        known = (has > 1e-9)[:, None]
        counts = np.where(known, shares[:, side], others[:, side])
        total = np.maximum(np.where(known[:, 0], has, had), 1e-300)
        found[:, side] = counts * (weight / total)[:, None]
    return np.asarray(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-300), float)


def _without_others(table: FloatArray, best: Sequence[tuple[int, int]]) -> FloatArray:
    """The log-likelihoods of `COUNTS` without those of the other side where the picture is clear.

    That is where it tells light from dark by `CLEAR`, and the ``best`` board agrees.
    """
    kept = table.copy()
    lead = table[:, SIDE + 1 :].max(axis=1) - table[:, :SIDE].max(axis=1)
    for row, clear, (light, dark) in zip(kept, lead.tolist(), best, strict=False):
        if light and clear > CLEAR:
            row[:SIDE] = NEVER
        elif dark and clear < -CLEAR:
            row[SIDE + 1 :] = NEVER
    return kept


def tabulate(points: Sequence[Mapping[int, float]]) -> FloatArray:
    """The log-likelihoods of all `COUNTS`, shape (points, 31); ``NEVER`` for those that a point leaves out."""
    return np.array(
        [
            IN_ORDER(point) if len(point) == len(COUNTS) else [point.get(count, NEVER) for count in COUNTS]
            for point in points
        ]
    )


@dataclass(frozen=True, eq=False)
class PointSteps:
    """The matrices that add the checkers of each point, light's and dark's, (points, 16, 16), and the ``weights`` of
    its `COUNTS`, (points, 31), that they were made from.
    """

    weights: FloatArray
    light: FloatArray
    dark: FloatArray


def _steps_of(table: FloatArray) -> PointSteps:
    weights = np.exp(table - table.max(axis=1, keepdims=True))
    # No checkers at all is counted with light.
    dark = weights[:, SIDE::-1] * (np.arange(SIDE + 1) > 0)
    return PointSteps(weights, _slides(weights[:, SIDE:]), _slides(dark))


def _totals(steps: PointSteps) -> FloatArray:
    """How likely light and dark totals are before each point, and after the last, (points + 1, 16, 16).

    Only ratios within each of them mean anything.
    """
    found = np.zeros((len(steps.weights) + 1, SIDE + 1, SIDE + 1))
    found[0, 0, 0] = 1.0
    for number, (more_light, more_dark) in enumerate(zip(steps.light, steps.dark, strict=True), start=1):
        found[number] = _scale_at(number, more_light @ found[number - 1] + found[number - 1] @ more_dark.T)
    return found


def _marginals(steps: PointSteps, totals: FloatArray, after_all: FloatArray) -> FloatArray:
    """Probabilities of each of `COUNTS` on each point, shape (points, 31).

    ``totals`` are what `_totals` tells; ``after_all`` is how likely what follows is after those of all points.
    """
    weights, lower = steps.weights, totals[:-1]
    upper = np.empty_like(lower)
    upper[-1] = _scale(after_all)
    for number in range(len(upper) - 1, 0, -1):
        before = steps.light[number].T @ upper[number] + upper[number] @ steps.dark[number]
        upper[number - 1] = _scale_at(number, before)
    by_light = _by_gap(upper @ lower.swapaxes(1, 2))
    by_dark = _by_gap(upper.swapaxes(1, 2) @ lower)
    counts = weights * np.concatenate([by_dark[:, :0:-1], by_light], axis=1)
    return np.asarray(counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300), float)


def _beside_points(
    totals: FloatArray,
    on_bar: Sequence[CountChoice],
    off: FloatArray,
    board: Sequence[int],
    bar: tuple[int, int],
) -> tuple[float, tuple[float, float]]:
    """How probable a bar (light, dark) is, and that light and dark have as many on ``board`` and bar together.

    ``totals`` is how likely light and dark totals of all points are, (16, 16).
    """
    totals = _scale(totals)
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


def _scale_at(point: int, mass: FloatArray) -> FloatArray:
    """The mass at a point: scaled at every few, as it is at the others."""
    return mass if point % SCALE_EVERY else _scale(mass)


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
        state = reached[0] if len(among) == 1 else reached.max(axis=0)
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
