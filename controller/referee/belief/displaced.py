"""Checkers that somebody displaced: pushed, knocked on by a bump of the board, or moved by the side not on turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, factorial, log, prod
from typing import Final

import numpy as np

from controller.arrays import IntArray
from controller.referee.belief import rates
from controller.referee.seeing.evidence import counts_of
from controller.rules import Position, Side
from controller.rules.packed import PLACES

MOST: Final = 3
"""This many displaced checkers are thought of."""
SLIPS: Final = 60
"""Thirty checkers may each slip to one of two points."""
SLIP_AT_BEST: Final = log(15 / SLIPS)
"""All checkers of a side lie on one point, and one of them slipped."""
AT_BEST: Final = max(
    rates.PUSHED.log,
    rates.PUSHED_OWN.log,
    rates.BUMPED.log + SLIP_AT_BEST,
    rates.BRUSHED.log + SLIP_AT_BEST,
)
"""No displacement is likelier."""
SIDE_ROW: Final = {Side.LIGHT: 0, Side.DARK: 1}
EDGES: Final = (6, 12, 18)
"""Points between which and the next lies the bar or the length of the rim: hardly any checker slips over those."""


@dataclass(frozen=True, slots=True)
class Displacement:
    """Checkers that somebody displaced.

    Attributes:
        end: how the board stood without that.
        board: how it lies.
        by: who did it; None where nobody meant to.
        prior: the log-probability of just that.
    """

    end: Position
    board: Position
    by: Side | None
    prior: float


def displacements(
    ends: Sequence[Position], boards: Sequence[Position], mover: Side
) -> Iterator[Displacement]:
    """Which of the ``ends`` of a turn of ``mover`` became which of the ``boards``, and by whose deed."""
    if not ends or not boards:
        return
    stood = _counts(ends)
    gained = _counts(boards)[:, None] - stood
    whole = (gained.sum(axis=-1) == 0).all(axis=-1)
    moved = np.maximum(gained, 0).sum(axis=(-1, -2))
    for lies, end in np.argwhere(whole & (moved > 0) & (moved <= MOST)).tolist():
        for by, prior in _ways(stood[end].tolist(), gained[lies, end].tolist(), mover):
            yield Displacement(ends[end], boards[lies], by, prior)


def hit_where_pushed(before: Position, end: Position, side: Side) -> Iterator[Position]:
    """The boards from which ``end`` may come if ``side`` had pushed one checker, and it was hit where it then lay.

    So may the one that it had left alone.
    """
    was, now = _counts([before])[0, SIDE_ROW[side]], _counts([end])[0]
    own, other = now[SIDE_ROW[side]], now[1 - SIDE_ROW[side]]
    bar = PLACES - 1 if side is Side.LIGHT else 0
    hits = int(own[bar] - was[bar])
    if hits <= 0:
        return
    points = range(1, PLACES - 1)
    taken = [point for point in points if other[point] and not own[point]]
    joined = [point for point in points if own[point] == was[point] + 1]
    pushes = [(source, target) for target in taken if not was[target] for source in points if was[source]]
    pushes += [(source, target) for source in taken if was[source] == 2 for target in joined]
    for source, target in pushes:
        pushed = was.copy()
        pushed[source] -= 1
        pushed[target] += 1
        left = [point for point in points if pushed[point] != own[point]]
        lost = all(pushed[point] == 1 and not own[point] and other[point] for point in left)
        if lost and len(left) == hits:
            counts = list(before.points)
            sign = 1 if side is Side.LIGHT else -1
            counts[source - 1] -= sign
            counts[target - 1] += sign
            yield Position.from_counts(counts, before.bar(Side.LIGHT), before.bar(Side.DARK))


def _ways(
    stood: Sequence[Sequence[int]], gained: Sequence[Sequence[int]], mover: Side
) -> Iterator[tuple[Side | None, float]]:
    """Who may have displaced just these checkers of those that stood so, each with the log-probability of it."""
    moved = [sum(count for count in each if count > 0) for each in gained]
    slips = [_slip(each, change) for each, change in zip(stood, gained, strict=True)]
    if all(slip.steps == number for slip, number in zip(slips, moved, strict=True)):
        ways = factorial(sum(moved)) * prod(slip.ways for slip in slips)
        over = any(slip.over for slip in slips)
        slipped = over * rates.OVER_EDGE.log + log(ways) - sum(moved) * log(SLIPS)
        yield None, rates.BUMPED.log + slipped
        if moved[SIDE_ROW[mover.opponent]]:
            # By its own checkers a player would only have played another number.
            yield mover, rates.BRUSHED.log + slipped
    for row, side in enumerate(Side):
        if moved[row] and not moved[1 - row]:
            whose = rates.PUSHED_OWN if side is mover else rates.PUSHED
            yield mover.opponent, whose.log + (moved[row] - 1) * rates.PUSHED_CHECKER.log


@dataclass(frozen=True, slots=True)
class _Slip:
    """Checkers of a side that slipped to the point beside theirs.

    Attributes:
        steps: how many points they went in all; -1 where they cannot have slipped so.
        over: how many of these steps went over an edge.
        ways: how many choices there are of the checkers that slipped: of five on a point any one may have.
    """

    steps: int
    over: int
    ways: int


def _slip(stood: Sequence[int], gained: Sequence[int]) -> _Slip:
    """How the checkers of a side that stood so would have slipped."""
    left, steps, over, ways = list(gained), 0, 0, 1
    for place in range(1, PLACES - 2):
        crossed = left[place]
        if crossed:
            steps += abs(crossed)
            over += abs(crossed) if place in EDGES else 0
            ways *= comb(stood[place + 1 if crossed > 0 else place], abs(crossed))
            left[place + 1] += crossed
            left[place] = 0
    return _Slip(-1 if any(left) else steps, over, ways)


def _counts(boards: Sequence[Position]) -> IntArray:
    """(N, 2, 26) checkers of light and of dark on dark's bar, the points and light's bar."""
    counts = counts_of(board.code for board in boards)
    return np.stack([np.maximum(counts, 0), np.maximum(-counts, 0)], axis=1)
