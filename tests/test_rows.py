"""A table that is one test is tried to its end, and its failure names the rows."""

import inspect
from enum import Enum

import pytest

from tests.rows import each_row


class Place(Enum):
    BAR, OFF = range(2)


def notes(test: object) -> list[str]:
    with pytest.raises(AssertionError) as caught:
        test()  # type: ignore[operator]
    return caught.value.__notes__


def test_rows_behind_one_that_fails_are_tried_and_all_that_failed_are_named() -> None:
    tried = []

    @each_row("number", [1, 2, 3, 4], ids=lambda number: f"row {number}")
    def odd(number: int) -> None:
        tried.append(number)
        assert number % 2

    assert notes(odd) == ["2 of 4 rows failed; this is the first of them:", "  row 2", "  row 4"]
    assert tried == [1, 2, 3, 4]


def test_rows_are_taken_apart_and_may_have_names_of_their_own() -> None:
    @each_row(("a", "b"), [(1, 1), pytest.param(1, 2, id="unlike")])
    def alike(a: int, b: int) -> None:
        assert a == b

    assert notes(alike)[1:] == ["  unlike"]


def test_tables_may_stand_in_each_other() -> None:
    tried = []

    @each_row("a", [1, 2])
    @each_row("b", [3, 4])
    def pairs(a: int, b: int) -> None:
        tried.append((a, b))

    pairs()
    assert tried == [(1, 3), (1, 4), (2, 3), (2, 4)]


def test_a_table_without_rows_fails() -> None:
    @each_row("a", list)
    def none(a: int) -> None:
        pass

    assert not hasattr(none, "__wrapped__")
    with pytest.raises(AssertionError, match="no rows"):
        none()


def test_what_pytest_s_own_way_to_fail_says_counts_as_a_failure() -> None:
    @each_row("a", [1])
    def fails(a: int) -> None:
        pytest.fail(f"{a} is wrong")

    with pytest.raises(pytest.fail.Exception, match="1 is wrong"):
        fails()


def test_other_arguments_stay_fixtures() -> None:
    @each_row("a", [1])
    def uses(a: int, tmp_path: object) -> None:
        assert (a, tmp_path) == (1, "here")

    assert list(inspect.signature(uses).parameters) == ["tmp_path"]
    uses(tmp_path="here")


def test_an_enum_is_a_table_of_its_members() -> None:
    tried = []

    @each_row("place", Place)
    def place(place: Place) -> None:
        tried.append(place)

    place()
    assert tried == [*Place]
