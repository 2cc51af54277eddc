"""Rows of checkers that do not touch: what lies apart on a point is shown to the network as if it lay close.

Networks learned from rows as most people lay them, with little between checkers. Where one lies a good part of a
checker's width further in they count the room between as one more, and are as sure of it as of anything.
"""

from collections.abc import Iterator

import numpy as np

from controller.arrays import Float32Array, IndexArray, Mask
from controller.vision.geometry import BoardGeometry
from controller.vision.strips import COLUMNS, OUTSIDE, SCALE

# Rows of strips in half their size: those outside the edge, and of a checker's width.
EDGE, WIDTH = OUTSIDE // 2, SCALE // 2
# A gap is at least this share of a checker's width, and this bare on the mean. What is smaller than a speck is not
# there.
LEAST_GAP, PLAINLY_BARE, SPECK = 0.2, -0.4, 0.2
# What lies behind a gap is a checker if rows that speak for one so plainly are this share of its width: of a disc
# eight in ten do, of dice side by side none.
PLAINLY_THERE, LEAST_THERE = 0.4, 0.55


def close_gaps(strips: Float32Array, checker: Float32Array, geometry: BoardGeometry) -> Float32Array:
    """The same strips, (n, channels, rows, columns), with each row of checkers pushed together.

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
    """The order of a strip's rows with what is bare between checkers moved behind the last of them.

    ``row`` is how much each row speaks for a checker; from the row ``half`` on lies the other half of the board.
    """
    kept, moved, done = list(range(EDGE)), list[int](), EDGE
    for start, end in _blocks(row > 0):
        there = start + np.flatnonzero(row[start:end] >= PLAINLY_THERE)
        if len(there) < LEAST_THERE * WIDTH or start > half - WIDTH // 2:
            break
        # What speaks less for a checker before that is its shadow, or its side; a row is left between checkers.
        begin = int(there[0]) - 1 if _is_gap(row[done:start]) else done
        moved.extend(range(done, begin))
        kept.extend(range(begin, end))
        done = end
    return np.array([*kept, *moved, *range(done, len(row))], np.intp) if moved else None


def _is_gap(row: Float32Array) -> bool:
    """Whether these rows are plainly bare, and enough for a gap."""
    return len(row) >= LEAST_GAP * WIDTH and float(row.mean()) <= PLAINLY_BARE


def _blocks(there: Mask) -> Iterator[tuple[int, int]]:
    """Where stretches of rows begin and end on which something larger than a speck is there."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], there[EDGE:], [False]]).astype(np.int8))) + EDGE
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - start > SPECK * WIDTH:
            yield start, end
