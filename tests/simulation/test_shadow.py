"""The grid on which shadows are drawn."""

import numpy as np

from controller.simulation.painting.shadow import Grid

GRID = Grid(left_mm=-50.0, near_mm=-40.0, rows=81, columns=101, step_mm=1.0)


def test_a_part_of_a_grid_reaches_as_far_around_its_places_as_it_is_to() -> None:
    part = GRID.around(np.array([[-10.0, 5.0], [20.0, 30.0]]), 4.0)
    assert (part.left_mm, part.near_mm) == (-14.0, 1.0)
    assert (part.left_mm + part.columns - 1, part.near_mm + part.rows - 1) == (24.0, 34.0)


def test_a_part_of_a_grid_ends_where_the_grid_does() -> None:
    part = GRID.around(np.array([[-49.0, -39.0], [49.5, 39.5]]), 10.0)
    assert part == GRID
    beside = GRID.around(np.array([[500.0, 0.0]]), 1.0)
    assert beside.left_mm + beside.columns - 1 == 50.0
