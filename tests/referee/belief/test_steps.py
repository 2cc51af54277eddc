"""Single steps of checkers, and what was begun with some of the dice."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief.branches import lawful
from controller.referee.belief.steps import begins, count, held, leads_to, middles, moves_between, steps
from controller.rules.moves.movement import STANDARD, Contact
from controller.rules.notation import format_play
from controller.rules.position import START, Direction, Position, Roll, Side, side_point
from tests.referee.belief.looks import GOOD, WRONG, after

LIGHT, DARK = Side.LIGHT, Side.DARK
rolls = st.builds(Roll.from_dice, st.integers(1, 6), st.integers(1, 6))


def test_checkers_are_counted_from_the_movers_side_and_the_opponents_are_negative() -> None:
    assert [count(START, side, 24) for side in Side] == [2, 2]
    assert count(START, LIGHT, 1) == count(START, DARK, 1) == -2
    assert held(START, LIGHT)[1] == 0
    assert held(START, DARK)[13] == 5


@pytest.mark.parametrize("direction", Direction)
def test_a_checker_under_those_of_the_opponent_is_held_too(direction: Direction) -> None:
    rules = replace(STANDARD, contact=Contact.PIN, direction=direction)
    position = Position.from_compact("..b...C...............aB../pinned=3,7,23")
    for side in Side:
        for point, own in enumerate(held(position, side, rules)[1:], start=1):
            place = side_point(point, side, direction)
            assert own == position.checkers(side, place) + (place in position.pins(side))


@settings(deadline=None, max_examples=30)
@given(rolls, st.sampled_from([*Side]))
def test_the_middle_of_a_play_is_a_play_begun(roll: Roll, side: Side) -> None:
    for middle in middles(START, side, roll):
        assert begins(START, side, roll, middle)
        moved = START.pips(side) - middle.pips(side)
        assert moved in {number * roll.high for number in range(1, 4)} | set(roll.dice)


@settings(deadline=None, max_examples=30)
@given(rolls, st.sampled_from([*Side]))
def test_whatever_a_begun_play_leads_to_both_dice_do(roll: Roll, side: Side) -> None:
    for middle in list(middles(START, side, roll))[:4]:
        for end in lawful(START, side, roll)[:10]:
            if leads_to(START, side, roll, middle, end):
                assert START.pips(side) - end.pips(side) > START.pips(side) - middle.pips(side)


def test_a_play_is_not_begun_by_a_number_that_was_not_rolled() -> None:
    assert begins(START, LIGHT, Roll(3, 1), after((8, 5)))
    assert not begins(START, LIGHT, Roll(3, 1), after((8, 4)))
    assert not begins(START, LIGHT, Roll(3, 1), GOOD)
    assert leads_to(START, LIGHT, Roll(3, 1), after((8, 5)), GOOD)
    assert not leads_to(START, LIGHT, Roll(3, 1), after((24, 21)), GOOD)


def test_a_double_is_begun_by_one_two_or_three_of_its_four_numbers() -> None:
    made = START
    for _ in range(3):
        made = after((13, 11), of=made)
        assert begins(START, LIGHT, Roll(2, 2), made)
    assert not begins(START, LIGHT, Roll(2, 2), after((13, 11), of=made))


def test_a_double_that_was_begun_is_completed_by_all_that_is_left_of_it() -> None:
    middle = after((13, 11))
    assert leads_to(START, LIGHT, Roll(2, 2), middle, after((13, 11), (13, 11), (6, 4), (6, 4)))
    assert leads_to(START, LIGHT, Roll(2, 2), middle, after((13, 11), (6, 4)))
    assert not leads_to(START, LIGHT, Roll(2, 2), middle, after((6, 4), (6, 4)))


@pytest.mark.parametrize(
    ("end", "text"),
    [
        (WRONG, "8/4 6/5"),
        (after((6, 0)), "6/off"),
        (after((13, 14)), "13/14"),
        # Two wrong numbers are likelier than one wrong number and a checker carried backwards.
        (after((13, 8), (6, 4)), "13/8 6/4"),
    ],
)
def test_a_change_is_written_with_the_moves_that_the_dice_explain_best(end: Position, text: str) -> None:
    assert format_play(moves_between(START, end, LIGHT, Roll(3, 1))) == text


def test_a_board_on_which_nothing_moved_has_no_moves() -> None:
    assert moves_between(START, START, LIGHT, Roll(3, 1)) == ()


def test_a_step_onto_a_blot_hits_it() -> None:
    exposed = Position.from_compact("b...aE.C...dE...c.e....B..")
    hits = [end for end in steps(exposed, LIGHT, 3) if end.bar(DARK)]
    assert hits == [after((8, 5), of=exposed)]
