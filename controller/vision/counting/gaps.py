"""Rows of checkers that do not touch: what lies apart on a point is shown to the network as if it lay close.

Networks learned from rows as most people lay them, with little between checkers. Where one lies a good part of a
checker's width further in they count the room between as one more, and are as sure of it as of anything.
"""

from collections.abc import Iterator

import numpy as np

from controller.arrays import Float32Array, IndexArray, Mask
from controller.vision.counting.strips import COLUMNS, OUTSIDE, SCALE
from controller.vision.geometry.geometry import BoardGeometry

# Rows of strips in half their size: those outside the edge, and of a checker's width.
EDGE, WIDTH = OUTSIDE // 2, SCALE // 2
# A gap is at least this share of a checker's width, and looks so bare on the mean, the rims of what lies before and
# behind left out: of 784 points with gaps 98.7 % are right so (`tests/bench/bench_gaps.py`). A checker in the colour
# of the ground, on the worst of 20 rendered boards, looks bare by -0.41. What is smaller than a speck is not there.
LEAST_GAP, RIM, PLAINLY_BARE, SPECK = 0.3, 2, -0.5, 0.2
# Before a checker lies its shadow, or its side is seen: no more than this share of its width.
SHADOW = 0.25
# What lies behind a gap is a checker if rows that speak for one so plainly are this share of its width: of a disc
# eight in ten do, of dice side by side none.
PLAINLY_THERE, LEAST_THERE = 0.4, 0.5


def close_gaps(strips: Float32Array, checker: Float32Array, geometry: BoardGeometry) -> Float32Array:
    """The same strips, (n, channels, rows, columns), each row of checkers pushed together and out to the edge.

    ``checker`` is how much each pixel speaks for a checker, (n, rows, columns), as in a `FirstLook`.
    """
    closed = strips
    for number, order in enumerate(orders_of(checker, geometry)):
        if order is not None:
            closed = closed.copy() if closed is strips else closed
            closed[number] = strips[number][:, order]
    return closed


def orders_of(checker: Float32Array, geometry: BoardGeometry) -> Iterator[IndexArray | None]:
    """The order in which the rows of each strip are to be shown; ``None`` where it is the order they have."""
    rows = checker[:, :, COLUMNS // 8 : -(COLUMNS // 8)].mean(axis=2)
    half = EDGE + round(WIDTH * geometry.surface_height_mm / 2 / geometry.checker_diameter_mm)
    for row in rows:
        yield _order(row, half)


def _order(row: Float32Array, half: int) -> IndexArray | None:
    """The rows of a strip in the order to be shown: without what is bare between checkers.

    ``row`` is how much each row speaks for a checker; from the row ``half`` on lies the other half of the board. What
    lies behind the last checker stays where it is: what is bare there is shown more than once.
    """
    kept, missing, done, behind = list(range(EDGE)), 0, EDGE, len(row)
    for start, end in _blocks(row > 0):
        there = start + np.flatnonzero(row[start:end] >= PLAINLY_THERE)
        is_other = start > half - WIDTH // 2 or end > half + WIDTH // 2 or end == len(row)
        if len(there) < LEAST_THERE * WIDTH or is_other:
            behind = start
            break
        # A row is left between checkers.
        begin = min(int(there[0]), start + round(SHADOW * WIDTH)) - 1 if _is_gap(row[done:start]) else done
        missing += begin - done
        kept.extend(range(begin, end))
        done = end
    if not missing:
        return None
    bare = np.pad(np.arange(done, behind), (0, missing), mode="reflect")
    return np.array([*kept, *bare, *range(behind, len(row))], np.intp)


def _is_gap(row: Float32Array) -> bool:
    """Whether these rows are plainly bare, and enough for a gap."""
    return len(row) >= LEAST_GAP * WIDTH and float(row[RIM:-RIM].mean()) <= PLAINLY_BARE


def _blocks(there: Mask) -> Iterator[tuple[int, int]]:
    """Where stretches of rows begin and end on which something larger than a speck is there."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there[EDGE:], [False]]).astype(np.int8))) + EDGE
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start > SPECK * WIDTH:
            yield start, end
