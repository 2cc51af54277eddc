"""Checkers that do not lie close: one that stands off the edge of its point, or apart from those before it."""

from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Final

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from controller.arrays import Float32Array
from controller.demo.preparing import Prepared, prepare
from controller.rules import Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.scene import Checker
from controller.vision import read_board
from controller.vision.counting.gaps import EDGE, WIDTH, close_gaps, orders_of
from controller.vision.counting.strips import COLUMNS, ROWS
from controller.vision.geometry.geometry import BoardGeometry
from tests.rows import each_row

BOARD: Final = BoardGeometry("right", 44.0, 50.0, 470.0, 41.5, 40.0, 12.0)
APART: Final = Position.from_counts(
    [1, 2, 0, -1, 0, 2, -2, 0, 0, 1, 0, 0, -1, 3, 0, -2, 0, 0, 1, -2, 0, 0, -1, 1]
)
"""A board of checkers that stand alone or in short rows; the others are off."""


def strip(*lying: tuple[float, float, float]) -> Float32Array:
    """How much the rows of a strip speak for a checker: what lies from, to (checkers' widths from the edge), so."""
    found = np.full((ROWS // 2, COLUMNS // 2), -1, np.float32)
    for start, end, speaks in lying:
        found[EDGE + round(start * WIDTH) : EDGE + round(end * WIDTH)] = speaks
    return found


def shown(there: Float32Array) -> Float32Array:
    """The rows of a strip in the order in which the network sees them."""
    return close_gaps(there[None, None], there[None], BOARD)[0, 0].mean(axis=1)


@cache
def table() -> Prepared:
    return prepare(117)


@each_row("apart", [0.6, 1.0, 1.5])
def test_checkers_that_stand_off_the_edge_of_the_board_are_counted(apart: float) -> None:
    geometry = table().board.geometry
    rng = np.random.default_rng(117)
    scene = arrange(table().setting, APART, rng)

    def pushed(one: Checker) -> Checker:
        if not isinstance(one.place, int):
            return one
        return replace(
            one, y_mm=one.y_mm - geometry.side_of(one.place) * apart * geometry.checker_diameter_mm
        )

    picture = table().painter.paint(replace(scene, checkers=tuple(map(pushed, scene.checkers))), rng).picture
    assert read_board(picture, table().board).points == APART.points


def test_two_checkers_with_a_gap_are_shown_as_if_they_lay_close() -> None:
    rows = shown(strip((0, 1, 1.0), (1.7, 2.7, 1.0)))
    together = rows[EDGE : EDGE + 2 * WIDTH + 1]
    assert np.count_nonzero(together > 0) == 2 * WIDTH
    assert (rows[EDGE + 2 * WIDTH + 1 :] < 0).all()


@each_row(
    "there",
    [
        strip(),
        strip((0, 1, 1.0)),
        strip((0, 0.95, 1.0), (1.05, 2, 1.0)),
        # What may well be a checker in the colour of the ground is no gap.
        strip((0, 1, 1.0), (1, 2, -0.2), (2, 3, 1.0)),
        # Dice further in, side by side, and what lies on the other side's half.
        strip((0, 1, 1.0), (2, 2.4, 0.2), (2.5, 2.9, 0.2)),
        strip((0, 1, 1.0), (5.9, 6.4, 1.0)),
    ],
)
def test_nothing_else_is_moved(there: Float32Array) -> None:
    assert list(orders_of(there[None], BOARD)) == [None]


def test_what_lies_behind_the_last_checker_of_a_row_stays_where_it_is() -> None:
    there = strip((0.8, 1.8, 1.0), (3, 3.9, 0.9), (5.7, 6.5, 1.0))
    rows, before = shown(there), there.mean(axis=1)
    assert len(rows) == len(before)
    assert np.array_equal(rows[EDGE + 5 * WIDTH :], before[EDGE + 5 * WIDTH :])


def test_what_stands_beside_a_gap_is_not_shown_behind_the_checkers() -> None:
    there = strip((1, 2, 1.0))
    there[EDGE : EDGE + WIDTH, :5] = 1
    (order,) = orders_of(there[None], BOARD)
    assert order is not None
    assert (there[order][EDGE + WIDTH + 1 :] < 0).all()


@example([(0.0, 0.125, 1.0), (1.0, 1.0, 1.0)], 300.0)
@given(
    st.lists(st.tuples(st.floats(0, 6), st.floats(0.1, 4), st.floats(-1, 1)), max_size=4),
    st.floats(300, 600),
)
def test_whatever_is_seen_as_many_rows_are_shown_as_there_are(
    things: list[tuple[float, float, float]], height_mm: float
) -> None:
    there = strip(*((start, start + length, speaks) for start, length, speaks in things))
    (order,) = orders_of(there[None], replace(BOARD, surface_height_mm=height_mm))
    if order is not None:
        assert there[order].shape == there.shape
        assert set(order.tolist()) >= plain_rows(there.mean(axis=1))


def plain_rows(row: Float32Array) -> set[int]:
    """Within the edge, the rows that speak plainly for a checker, but for what is smaller than a speck."""
    found: set[int] = set()
    for there, group in groupby(range(EDGE, len(row)), key=lambda at: row[at] > 0):
        block = list(group)
        if there and len(block) > 0.2 * WIDTH:
            found |= {at for at in block if row[at] >= 0.4}
    return found
