"""Whose hands were over the points of a change when it came about."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import dropwhile, pairwise
from math import log
from typing import Final

import numpy as np

from controller.referee.belief import rates
from controller.referee.belief.branches import Passage, Touched, TurnLook, differing_points
from controller.referee.seeing.evidence import MOST, WITNESS, Evidence
from controller.rules import Position, Side

MISSED: Final = 2
"""This many points over which no hand was seen are counted at most: one hand that was missed misses several."""
NOTHING: Final[Touched] = {}
Counts = frozenset[int]
"""Numbers of checkers that a point may hold: light's above 0, dark's below."""


def tells_hands(look: TurnLook) -> bool:
    """Whether it is known of any change whose hands were over the board."""
    return any(passage.touched for passage in look.passages)


def touched_while(look: TurnLook, point: int, before: Position, after: Position) -> Touched:
    """The points that hands covered while a point came to hold what it does in ``after``; empty if not known.

    That is from the last settled view in which it was seen to hold what it did ``before``.
    """
    found: list[Touched | None] = []
    for earlier, passage in reversed(_steps(look)):
        speaks = _speaks_for(earlier, point, before, after)
        if speaks > WITNESS:
            found.clear()
            continue
        found.append(passage.touched)
        if speaks < -WITNESS:
            break
    return _joined(found)


@lru_cache(maxsize=2)
def came_without_hands(look: TurnLook) -> Mapping[int, Counts]:
    """The points that came to look as they do while nobody's hand was over the board, with what they may hold.

    A point that changed alone was misread: a checker that goes from one place comes to another.
    """
    found: dict[int, Counts] = {}
    for earlier, passage in dropwhile(lambda step: step[1].touched != NOTHING, _steps(look)):
        shown = zip(_shown(earlier), _shown(passage.after), strict=True)
        came = {point: now for point, (was, now) in enumerate(shown, start=1) if was.isdisjoint(now)}
        found = {point: counts for point, counts in found.items() if point not in came}
        if passage.touched == NOTHING and len(came) > 1:
            found |= came
    return found


def blame(look: TurnLook, by: Side, before: Position, after: Position, of: Iterable[Side] = Side) -> float:
    """What the hands say (log-likelihood, 0 at best) of a side having changed the board so.

    Of the points over which they were asked are those on which checkers ``of`` these sides came or went.
    """
    if not tells_hands(look):
        return 0.0
    handled = {
        point: touched
        for point in differing_points(before, after)
        if (touched := touched_while(look, point, before, after))
    }
    if not handled:
        return 0.0
    moved = {
        point: touched
        for point, touched in handled.items()
        if any(_changed(before, after, point, side) for side in of)
    }
    if any(by in touched for touched in handled.values()):
        return _missed(moved, by)
    if all(None not in touched for touched in handled.values()):
        return rates.NOT_THERE.log
    return float(np.logaddexp(rates.NOT_THERE.log, rates.UNTOLD.log + _missed(moved, None)))


def is_over_all(look: TurnLook, by: Side, before: Position, after: Position) -> bool:
    """Whether hands of a side were over every point of a change when it came about."""
    return tells_hands(look) and all(
        point in touched_while(look, point, before, after).get(by, frozenset())
        for point in differing_points(before, after)
    )


def by_itself(look: TurnLook, by: Side, before: Position, after: Position, of: Side) -> float:
    """What the hands say (log-likelihood, 0 at best) of checkers ``of`` a side having come or gone without ``by``.

    They speak against it where hands of ``by``, and no other, were over these points.
    """
    points = [point for point in differing_points(before, after) if _changed(before, after, point, of)]
    over = [touched_while(look, point, before, after) for point in points]
    whose = [
        {side for side, covered in touched.items() if point in covered}
        for point, touched in zip(points, over, strict=True)
    ]
    if not points or any(sides - {None} != {by} for sides in whose):
        return 0.0
    untold = rates.UNTOLD.share if all(None in sides for sides in whose) else 0.0
    return log(rates.BY_ITSELF.share + untold)


def _missed(moved: Mapping[int, Touched], by: Side | None) -> float:
    """What it costs (log-likelihood) that hands of ``by`` were not seen over all of these points."""
    missed = sum(point not in touched.get(by, frozenset()) for point, touched in moved.items())
    return rates.NOT_OVER.log * min(missed, MISSED)


def _changed(before: Position, after: Position, point: int, side: Side) -> bool:
    """Whether checkers of a side came to a point, or went from it."""
    return before.checkers(side, point) != after.checkers(side, point)


def _steps(look: TurnLook) -> list[tuple[Evidence, Passage]]:
    """Each passage with the look of the board before it."""
    if look.start is None or not look.passages:
        return []
    first, *_ = look.passages
    return [(look.start, first), *((one.after, then) for one, then in pairwise(look.passages))]


def _speaks_for(look: Evidence, point: int, before: Position, after: Position) -> float:
    """How much (log-odds) a look speaks for what a point holds ``after`` a change, against ``before``."""
    row = look.points[point - 1]
    return float(row[after.points[point - 1] + MOST] - row[before.points[point - 1] + MOST])


def _shown(look: Evidence) -> list[Counts]:
    """What each point may hold as it looks."""
    told = look.points > look.points.max(axis=1, keepdims=True) - WITNESS
    return [frozenset((np.flatnonzero(row) - MOST).tolist()) for row in told]


def _joined(found: Iterable[Touched | None]) -> Touched:
    """All these hands together; none where some are not known, or cover nothing."""
    joined: dict[Side | None, frozenset[int]] = {}
    for touched in found:
        if touched is None:
            return NOTHING
        for side, points in touched.items():
            joined[side] = joined.get(side, frozenset()) | points
    return joined if any(joined.values()) else NOTHING
