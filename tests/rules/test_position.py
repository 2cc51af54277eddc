"""Positions and rolls as values."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.position import (
    START,
    Direction,
    Position,
    PositionError,
    Roll,
    RollError,
    Side,
    side_point,
)
from tests.rows import each_row
from tests.rules.strategies import positions


def test_the_start_is_numbered_from_lights_side() -> None:
    assert START.compact() == "b....E.C...eE...c.e....B.."
    assert START.checkers(Side.LIGHT, 24) == 2
    assert START.checkers(Side.DARK, 1) == 2
    assert START.checkers(Side.DARK, 24) == 0
    assert [START.pips(side) for side in Side] == [167, 167]
    assert [START.off(side) for side in Side] == [0, 0]


def test_bars_and_tray_are_counted_by_side() -> None:
    position = Position.from_counts([1] + [0] * 22 + [-2], bar_light=3, bar_dark=1)
    assert (position.bar(Side.LIGHT), position.bar(Side.DARK)) == (3, 1)
    assert (position.off(Side.LIGHT), position.off(Side.DARK)) == (11, 12)
    assert position.compact() == "A......................bCa"
    assert position.pips(Side.LIGHT) == 1 + 3 * 25
    assert position.pips(Side.DARK) == 2 + 25


@given(positions())
def test_a_compact_position_comes_back_as_it_was(position: Position) -> None:
    again = Position.from_compact(position.compact())
    assert again == position
    assert hash(again) == hash(position)
    assert (
        Position.from_counts(position.points, position.bar(Side.LIGHT), position.bar(Side.DARK)) == position
    )
    assert pickle.loads(pickle.dumps(position)) == position


@given(positions())
def test_mirroring_exchanges_the_sides(position: Position) -> None:
    mirrored = position.mirrored()
    assert mirrored.mirrored() == position
    assert mirrored.points == tuple(-count for count in reversed(position.points))
    for side in Side:
        assert mirrored.bar(side) == position.bar(side.opponent)
        assert mirrored.off(side) == position.off(side.opponent)
        assert mirrored.pips(side) == position.pips(side.opponent)


@each_row(
    ("text", "reason"),
    [
        ("b....E.C...eE...c.e....B.", "26 characters"),
        ("b....E.C...eE...c.e....B...", "26 characters"),
        ("b....E.C...eE...c.e....P..", "26 characters"),
        ("b....E.C...eE...c.e....Ba.", "26 characters"),
        ("b....E.C...eE...c.e....B.A", "26 characters"),
        ("b....E.C...eE...c.e....C..", "16 light checkers"),
        ("c....E.C...eE...c.e....B..", "16 dark checkers"),
    ],
)
def test_a_wrong_compact_position_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        Position.from_compact(text)


@each_row(
    ("points", "bar", "reason"),
    [
        ([0] * 23, 0, "has 23 points"),
        ([16] + [0] * 23, 0, "Point 1 holds 16"),
        ([True] + [0] * 23, 0, "Point 1 holds True"),
        ([0.5] + [0] * 23, 0, "Point 1 holds 0.5"),
        ([0] * 24, -1, "bar holds -1 light"),
        ([8, 8] + [0] * 22, 0, "16 light checkers"),
    ],
)
def test_wrong_counts_are_refused(points: list[int], bar: int, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        Position.from_counts(points, bar)


def test_a_board_that_was_seen_may_hold_too_many() -> None:
    assert Position.seen_compact("OA........................").off(Side.LIGHT) == -1


def test_there_is_no_point_25() -> None:
    with pytest.raises(ValueError, match="no point 25"):
        START.checkers(Side.LIGHT, 25)


def test_a_roll_names_the_larger_number_first() -> None:
    assert Roll.from_dice(1, 3) == Roll(3, 1) == Roll(1, 3)
    assert Roll.from_dice(1, 3).dice == (3, 1)
    assert str(Roll.from_dice(1, 3)) == "3-1"
    assert not Roll.from_dice(1, 3).is_double
    assert Roll.from_dice(2, 2).numbers == (2, 2, 2, 2)


@each_row("die", [0, 7, -1, 1.0, "3", True, None])
def test_a_die_that_shows_no_number_is_refused(die: object) -> None:
    with pytest.raises(RollError, match="must show a number from 1 to 6"):
        Roll.from_dice(3, die)  # type: ignore[arg-type]


@given(positions(), st.sets(st.integers(1, 24)), st.integers(0, 15), st.integers(0, 15))
def test_pins_and_hands_come_back_as_they_were(
    position: Position, points: set[int], light: int, dark: int
) -> None:
    pinned = tuple(sorted(point for point in points if position.points[point - 1]))
    hidden = position.with_hidden(pinned, light, dark)
    assert (hidden.pinned, hidden.hand(Side.LIGHT), hidden.hand(Side.DARK)) == (pinned, light, dark)
    assert hidden.points == position.points
    assert hidden.compact().startswith(position.compact())
    assert Position.seen_compact(hidden.compact()) == hidden
    assert hidden.open_board() == position
    assert (hidden == position) == (hidden.compact() == position.compact())
    for direction in Direction:
        mirrored = hidden.mirrored(direction)
        assert mirrored.mirrored(direction) == hidden
        for side in Side:
            assert mirrored.off(side) == hidden.off(side.opponent)
            assert mirrored.pips(side, direction) == hidden.pips(side.opponent, direction)


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize("side", Side)
def test_a_side_counts_all_points_once_along_its_way(side: Side, direction: Direction) -> None:
    points = [side_point(point, side, direction) for point in range(1, 25)]
    assert sorted(points) == list(range(1, 25))
    assert [side_point(point, side, direction) for point in points] == list(range(1, 25))


def test_where_both_go_the_same_way_they_are_half_a_round_apart() -> None:
    assert side_point(24, Side.DARK, Direction.PARALLEL) == 12
    assert side_point(1, Side.DARK, Direction.PARALLEL) == 13
    assert side_point(24, Side.DARK, Direction.OPPOSED) == 1


@each_row(
    "suffix",
    ["/pinned=2", "/pinned=25", "/pinned=", "/hand=16,0", "/hand=3", "pinned=1", "/hand=1,1/pinned=1", "x"],
)
def test_pins_and_hands_that_cannot_be_are_refused(suffix: str) -> None:
    with pytest.raises(PositionError):
        Position.from_compact(START.compact() + suffix)
