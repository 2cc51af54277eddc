"""Six points in a row, which some of the family's games forbid."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from controller.rules.moves.movement import STANDARD
from controller.rules.moves.restrictions import primes
from controller.rules.packed import BAR, EMPTY
from controller.rules.position import Direction

AROUND = replace(STANDARD, direction=Direction.PARALLEL)


def holding(points: Iterable[int]) -> bytes:
    """A board on which the mover has a checker on each of these points, and nobody another one."""
    held = set(points)
    return bytes(EMPTY + (point in held) for point in range(BAR + 1))


@pytest.mark.parametrize("lowest", [1, 4, 19])
def test_six_in_a_row_are_told_once_the_highest_first(lowest: int) -> None:
    held = range(lowest, lowest + 6)
    assert primes(holding(held), AROUND) == primes(holding(held), STANDARD) == [tuple(reversed(held))]


def test_of_seven_in_a_row_any_six_are_told() -> None:
    assert primes(holding(range(4, 11)), AROUND) == [(9, 8, 7, 6, 5, 4), (10, 9, 8, 7, 6, 5)]


def test_the_row_goes_on_behind_the_last_point_where_both_sides_go_the_same_way_round() -> None:
    held = (23, 24, 1, 2, 3, 4)
    assert primes(holding(held), AROUND) == [(4, 3, 2, 1, 24, 23)]
    assert primes(holding(held), STANDARD) == []


def test_five_in_a_row_are_no_prime() -> None:
    assert primes(holding([*range(1, 6), *range(7, 12)]), AROUND) == []
