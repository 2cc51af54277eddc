"""Whose hands were over the points of a change when it came about."""

from math import log

import pytest

from controller.referee.belief import rates
from controller.referee.belief.branches import Passage, Touched, TurnLook
from controller.referee.belief.touches import (
    blame,
    by_itself,
    came_without_hands,
    is_over_all,
    tells_hands,
    touched_while,
)
from controller.referee.seeing.evidence import Evidence
from controller.rules.position import START, Position, Side
from tests.referee.belief.looks import GOOD, after, seen

LIGHT, DARK = Side.LIGHT, Side.DARK
PUSHED = after((24, 22), side=DARK, of=START)
PLAYED = after((24, 22), side=DARK, of=GOOD)
BY_DARK: Touched = {DARK: frozenset({1, 3})}
BY_LIGHT: Touched = {LIGHT: frozenset(range(1, 25))}


def look_at(*passages: tuple[Position, Touched | None]) -> TurnLook:
    """A turn from the start in which these boards were seen one after the other, with the hands before each."""
    shown = tuple(Passage(seen(board), touched) for board, touched in passages)
    return TurnLook(shown[-1].after, seen(START), passages=shown)


def test_the_hands_that_count_are_those_that_were_there_when_a_point_changed() -> None:
    first = look_at((PUSHED, BY_DARK), (PLAYED, BY_LIGHT))
    assert touched_while(first, 1, GOOD, PLAYED) == BY_DARK
    assert touched_while(first, 5, START, GOOD) == BY_LIGHT
    assert blame(first, DARK, GOOD, PLAYED) == 0.0
    assert blame(first, LIGHT, GOOD, PLAYED) == rates.NOT_THERE.log
    assert by_itself(first, DARK, GOOD, PLAYED, of=DARK) == rates.BY_ITSELF.log


def test_what_was_not_seen_in_between_may_be_the_deed_of_every_hand_since() -> None:
    at_once = look_at((PLAYED, {**BY_DARK, **BY_LIGHT}))
    assert blame(at_once, DARK, GOOD, PLAYED) == blame(at_once, LIGHT, GOOD, PLAYED) == 0.0
    assert is_over_all(at_once, LIGHT, GOOD, PLAYED)
    assert by_itself(at_once, DARK, GOOD, PLAYED, of=DARK) == 0.0


def test_hands_that_are_not_known_say_nothing_of_what_changed_then_and_leave_the_rest_as_it_is() -> None:
    later = look_at((PUSHED, BY_DARK), (PLAYED, None))
    assert touched_while(later, 1, GOOD, PLAYED) == BY_DARK
    assert touched_while(later, 5, START, GOOD) == {}
    first = look_at((PUSHED, None), (PLAYED, BY_LIGHT))
    assert blame(first, LIGHT, GOOD, PLAYED) == 0.0
    assert tells_hands(first)
    assert not tells_hands(look_at((PLAYED, None)))


def test_of_a_change_that_came_and_went_the_last_time_counts() -> None:
    again = look_at((PUSHED, BY_DARK), (START, BY_LIGHT), (PUSHED, BY_DARK), (PLAYED, BY_LIGHT))
    assert touched_while(again, 1, GOOD, PLAYED) == BY_DARK


def test_a_hidden_point_may_have_changed_under_any_hand_since_it_was_seen() -> None:
    hidden: Evidence = seen(PUSHED).blinded(0).blinded(2)
    passages = (Passage(hidden, BY_DARK), Passage(seen(PLAYED), BY_LIGHT))
    look = TurnLook(seen(PLAYED), seen(START), passages=passages)
    assert touched_while(look, 1, GOOD, PLAYED) == {**BY_DARK, **BY_LIGHT}
    assert blame(look, LIGHT, GOOD, PLAYED) == 0.0


def test_a_hand_of_which_nobody_could_tell_whose_it_is_may_be_the_other_sides() -> None:
    everywhere = frozenset(range(1, 25))
    over = look_at((PUSHED, {LIGHT: everywhere, None: frozenset({1, 3})}))
    assert blame(over, LIGHT, START, PUSHED) == 0.0
    either = log(rates.NOT_THERE.share + rates.UNTOLD.share)
    assert blame(over, DARK, START, PUSHED) == pytest.approx(either)
    assert by_itself(over, LIGHT, START, PUSHED, of=DARK) == log(rates.BY_ITSELF.share + rates.UNTOLD.share)
    elsewhere = look_at((PUSHED, {LIGHT: everywhere, None: frozenset[int]()}))
    assert rates.NOT_THERE.log < blame(elsewhere, DARK, START, PUSHED) < either
    assert by_itself(elsewhere, LIGHT, START, PUSHED, of=DARK) == rates.BY_ITSELF.log


UNDONE = after((5, 6), of=GOOD)


def test_what_changed_while_nobodys_hand_was_there_is_told_with_what_the_points_may_hold() -> None:
    came = came_without_hands(look_at((GOOD, BY_LIGHT), (UNDONE, {})))
    assert came.keys() == {5, 6}
    assert (came[5], 5 in came[6], 4 in came[6]) == ({1}, True, False)


def test_what_changed_under_hands_before_or_after_that_is_told_of_none() -> None:
    nowhere: Touched = {LIGHT: frozenset()}
    for touched in (BY_LIGHT, None, nowhere):
        assert not came_without_hands(look_at((GOOD, {LIGHT: frozenset({5, 6, 8})}), (UNDONE, touched)))
    again = look_at((GOOD, BY_LIGHT), (UNDONE, {}), (GOOD, BY_LIGHT))
    assert not came_without_hands(again)


def test_a_point_that_changes_alone_while_nobodys_hand_was_there_was_misread() -> None:
    points = list(GOOD.points)
    points[7] = 1
    assert not came_without_hands(look_at((GOOD, BY_LIGHT), (Position.from_counts(points), {}), (GOOD, {})))
