"""Plays that stood on the board for a while and were put right before the turn was over."""

from dataclasses import replace

import pytest

from controller.referee.belief.branches import EndedBy, Hypothesis, Throw, first_beam
from controller.referee.belief.trial import own_checkers, stood_illegal
from controller.referee.seeing.settled import SettledView, SettledViews
from controller.rules.position import START, Position, Side
from controller.rules.reasons import ReasonCode
from tests.referee.belief.looks import BESIDE, CAUTION, GOOD, WRONG, after, hypothesis, rest, rolled

TAKEN_UP = rolled(3, 1, ended_by=EndedBy.LIFTED)


def lay(*boards: tuple[Position, float]) -> SettledViews:
    """How the board lay, one board after the other, each for so many seconds, with a hand between."""
    views, t = list[SettledView](), 0.0
    for board, stood_s in boards:
        views.append(rest(board, t, t + stood_s))
        t += stood_s + 1.0
    return tuple(views)


def stood(views: SettledViews, entry: Hypothesis | None = None, throw: Throw = TAKEN_UP) -> Position | None:
    """The illegal play that stood, if any did; light ended with the usual 3-1 if not with another entry."""
    found = stood_illegal(first_beam(START, Side.LIGHT), entry or hypothesis(), views, throw, -1.0, CAUTION)
    return None if found is None else found[0].after


TRIED = lay((START, 5.0), (WRONG, 4.0), (GOOD, 3.0))


def test_an_illegal_play_that_stood_and_was_put_right_is_told_with_the_moment_in_which_it_stood() -> None:
    found = stood_illegal(first_beam(START, Side.LIGHT), hypothesis(), TRIED, TAKEN_UP, -1.0, CAUTION)
    assert found is not None
    made, when = found
    assert made.after == WRONG
    assert [reason.code for reason in made.reasons] == [ReasonCode.WRONG_DISTANCE]
    assert when is TRIED[1]


def test_what_was_tried_before_the_player_said_that_the_turn_is_over_is_no_play() -> None:
    assert stood(TRIED, throw=replace(TAKEN_UP, ended_by=EndedBy.ACT)) is None


@pytest.mark.parametrize(("stood_s", "told"), [(CAUTION.stood_s - 0.1, None), (CAUTION.stood_s, WRONG)])
def test_what_lay_there_too_shortly_was_a_try(stood_s: float, told: Position | None) -> None:
    assert stood(lay((START, 5.0), (WRONG, stood_s), (GOOD, 3.0))) == told


def test_a_play_that_lay_still_while_the_light_changed_stood_all_that_time() -> None:
    assert stood(lay((START, 5.0), (WRONG, 1.0), (WRONG, 1.4), (WRONG, 0.6), (GOOD, 3.0))) == WRONG
    assert stood(lay((START, 5.0), (WRONG, 1.0), (WRONG, 1.4), (GOOD, 3.0))) is None
    assert stood(lay((START, 5.0), (WRONG, 1.5), (START, 1.0), (WRONG, 1.5), (GOOD, 3.0))) is None


def test_a_single_picture_and_points_under_a_hand_tell_of_no_play() -> None:
    start, tried, end = TRIED
    assert stood((start, rest(WRONG, 6.0, 10.0, 1), end)) is None
    assert stood((start, replace(tried, covered=frozenset({5})), end)) is None


def test_another_legal_play_that_stood_was_a_change_of_mind() -> None:
    assert stood(lay((START, 5.0), (BESIDE, 6.0), (GOOD, 3.0))) is None


def test_what_the_final_play_completes_or_what_came_later_completes_was_the_play_begun() -> None:
    assert stood(lay((START, 5.0), (after((8, 5)), 6.0), (GOOD, 3.0))) is None
    later = lay((START, 5.0), (after((24, 23)), 6.0), (BESIDE, 6.0), (GOOD, 3.0))
    assert stood(later) is None
    without = lay((START, 5.0), (after((24, 23)), 6.0), (GOOD, 3.0))
    assert stood(without) == after((24, 23))


def test_of_two_that_stood_the_one_that_stood_longest_is_told() -> None:
    other = after((24, 20), (6, 5))
    assert stood(lay((START, 5.0), (WRONG, 4.0), (other, 6.0), (GOOD, 3.0))) == other
    assert stood(lay((START, 5.0), (WRONG, 6.0), (other, 4.0), (GOOD, 3.0))) == WRONG


def test_what_lay_on_the_board_before_the_roll_came_was_not_played_with_it() -> None:
    start = first_beam(START, Side.LIGHT)
    for rolled_t, told in ((5.5, True), (7.0, False)):
        found = stood_illegal(start, hypothesis(), TRIED, TAKEN_UP, rolled_t, CAUTION)
        assert (found is not None) == told


def test_it_is_weighed_as_a_play_of_the_side_that_was_to_play_whatever_else_is_thought_of() -> None:
    """Dice that were no roll leave a likelier way in which light's turn is over, and the same board lies for dark."""
    (over,), (light,) = first_beam(START, Side.DARK, 1), first_beam(START, Side.LIGHT)
    for beam, told in (((over, light), WRONG), ((over,), None)):
        found = stood_illegal(beam, hypothesis(), TRIED, TAKEN_UP, -1.0, CAUTION)
        assert (found and found[0].after) == told


def test_a_turn_without_a_moment_between_or_from_another_board_shows_no_try() -> None:
    assert stood(TRIED[1:]) is None
    assert stood(lay((BESIDE, 5.0), (WRONG, 4.0), (GOOD, 3.0))) is None


def test_a_turn_whose_side_is_open_or_that_others_followed_or_was_disturbed_shows_none() -> None:
    then = hypothesis(after=BESIDE, before=GOOD, side=Side.DARK, ply=1)
    for entry in (
        replace(hypothesis(), side=None),
        replace(hypothesis(), then=then),
        replace(hypothesis(), lies=BESIDE),
        hypothesis(after=after((13, 7), (8, 7))),
    ):
        assert stood(TRIED, entry) is None


def test_others_checkers_that_are_put_back_are_no_play_put_right() -> None:
    """Light's own play stays as it is; only dark's checker goes back."""
    pushed = after((24, 22), side=Side.DARK, of=GOOD)
    assert stood(lay((START, 5.0), (pushed, 6.0), (GOOD, 3.0))) is None


def test_who_changes_their_own_play_too_thereby_says_that_it_was_none() -> None:
    """The same board, but light's play is another one at last."""
    pushed = after((24, 22), side=Side.DARK, of=GOOD)
    assert stood(lay((START, 5.0), (pushed, 6.0), (BESIDE, 3.0)), hypothesis(after=BESIDE)) == pushed


def test_own_checkers_are_those_on_the_points_on_the_bar_and_under_others() -> None:
    assert own_checkers(START, Side.LIGHT)[5] == 5
    assert own_checkers(START, Side.LIGHT)[0] == 0
    assert own_checkers(START, Side.DARK)[0] == 2
    pinned = Position.from_compact("b....E.C...eD...c.e....B..").with_hidden([1])
    assert own_checkers(pinned, Side.LIGHT)[0] == 1
    assert sum(own_checkers(Position.from_counts([0] * 24, 2, 1), Side.LIGHT)) == 2
