"""The lights lead people back to a position, whatever became of the board."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights.frame import LightFrame, Place, Signal
from controller.referee.seeing.evidence import Evidence, evidence_of
from controller.referee.table.restore import Differences, between, differences, next_steps, restoring_frame
from controller.rules.position import START, Position, Side
from tests.referee.staging import Film
from tests.rules.strategies import positions

EMPTY = Position.from_counts([0] * 24)
HIT = Position.from_compact("b....E.C...eD...c.e....BA.")


def lies(
    position: Position, seed: int = 1, tray_seen: bool = True, hidden: frozenset[int] = frozenset()
) -> Evidence:
    film = Film(Random(seed), tray_seen=tray_seen)
    one, other = (evidence_of(film.read(position, hidden=hidden)) for _ in range(2))
    return one.pooled(other).weighed()


def carried_out(board: dict[tuple[Place, Side], int], found: Differences) -> None:
    for step in next_steps(found):
        board[step.place, step.side] -= step.number


def checkers(position: Position) -> dict[tuple[Place, Side], int]:
    board: dict[tuple[Place, Side], int] = {}
    for side in Side:
        board.update({(point, side): position.checkers(side, point) for point in range(1, 25)})
        board[f"bar-{side}", side] = position.bar(side)
        board[f"tray-{side}", side] = position.off(side)
    return {(place, side): board.get((place, side), 0) for place in places() for side in Side}


def places() -> tuple[Place, ...]:
    return (*range(1, 25), *(f"{kind}-{side}" for kind in ("bar", "tray") for side in Side))


def position_of(board: dict[tuple[Place, Side], int]) -> Position:
    counts = [board[point, Side.LIGHT] - board[point, Side.DARK] for point in range(1, 25)]
    return Position.from_counts(counts, board["bar-light", Side.LIGHT], board["bar-dark", Side.DARK])


@settings(max_examples=50)
@given(positions(), positions())
def test_who_does_what_the_lights_say_arrives_at_the_position(now: Position, target: Position) -> None:
    board = checkers(now)
    for _ in range(3):
        left = between(position_of(board), target)
        if left.none:
            break
        carried_out(board, left)
    assert position_of(board) == target


@settings(max_examples=50)
@given(positions(), st.integers(0, 2**32))
def test_a_board_that_lies_as_it_should_needs_nothing(position: Position, seed: int) -> None:
    found = differences(lies(position, seed), position)
    assert not found.surplus
    assert set(found.unsure) <= {point for point in range(1, 25) if abs(position.points[point - 1]) >= 5}


@settings(max_examples=50)
@given(positions(), positions(), st.integers(0, 2**32))
def test_what_lies_wrong_in_plain_sight_is_named(now: Position, target: Position, seed: int) -> None:
    found = differences(lies(now, seed), target)
    for point, (count, wanted) in enumerate(zip(now.points, target.points, strict=True), start=1):
        if count != wanted and max(abs(count), abs(wanted)) < 5:
            assert point in found.points
        if count == wanted:
            assert point not in found.points


def test_one_checker_too_far_shows_from_where_to_where() -> None:
    wrong = Position.from_compact("b....EAC...eD...c.e....B..")
    found = differences(lies(wrong), START)
    assert [(each.place, each.number) for each in found.surplus] == [(7, 1), (13, -1)]
    assert (found.to_remove, found.points) == ((7,), (7, 13))
    frame = restoring_frame(found)
    assert (frame[7], frame[13], frame["status"]) == (Signal.TAKE, Signal.PUT, Signal.WAITING)


def test_a_checker_on_the_bar_that_should_be_on_a_point_is_shown() -> None:
    frame = restoring_frame(differences(lies(HIT), START))
    assert (frame["bar-light"], frame[13]) == (Signal.TAKE, Signal.PUT)


def test_a_place_to_clear_and_to_fill_is_cleared_first() -> None:
    swapped = Position.from_compact("B....E.C...eE...c.e....b..")
    frame = restoring_frame(differences(lies(swapped), START))
    assert frame[1] is frame[24] is Signal.TAKE


def test_an_empty_board_is_filled_one_side_after_the_other() -> None:
    found = differences(lies(EMPTY, tray_seen=False), START)
    assert {step.side for step in next_steps(found)} == {Side.LIGHT}
    assert [place for place in places() if restoring_frame(found)[place] is Signal.PUT] == [6, 8, 13, 24]
    light_stands = Position.from_compact(".....E.C....E..........B..")
    found = differences(lies(light_stands, tray_seen=False), START)
    assert [place for place in places() if restoring_frame(found)[place] is Signal.PUT] == [1, 12, 17, 19]


def test_a_heap_is_cleared_before_anything_is_put() -> None:
    heap = Position.from_compact(".EEE...............aebbd..")
    frame = restoring_frame(differences(lies(heap), START))
    assert Signal.TAKE in frame.signals()
    assert Signal.PUT not in frame.signals()


@pytest.mark.parametrize("point", [1, 12, 24])
def test_a_hidden_point_is_not_certain(point: int) -> None:
    found = differences(lies(START, hidden=frozenset({point})), START)
    assert found.unsure == (point,)
    assert not found.none
    assert restoring_frame(found)[point] is Signal.UNSURE


def test_a_checker_left_in_the_tray_is_to_be_taken_from_there() -> None:
    one_off = Position.from_compact("b....E.C...eE...c.e....A..")
    found = differences(lies(one_off), START)
    assert [(each.place, each.number) for each in found.surplus] == [("tray-light", 1), (24, -1)]


def test_nothing_is_lit_where_nothing_is_to_be_done() -> None:
    assert restoring_frame(between(START, START)) == LightFrame()
