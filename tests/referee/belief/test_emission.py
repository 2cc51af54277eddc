"""Errors of a reader that stay: learned, carried along with the checkers, and never beyond belief."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief import emission as eyes
from controller.referee.belief.emission import (
    FLOOR,
    LOOK_ONLY,
    SHIFTS,
    UNSEEN_CHANGE,
    Bias,
    emission,
    learned,
)
from controller.referee.seeing.evidence import MOST, PILE, Evidence
from controller.rules.position import START, Position
from tests.referee.belief.looks import GOOD, HONEST, after, look, seen, sure

RIGHT = HONEST
SAID_EIGHT = {6: sure(8)}
"""The pile of five on light's 6-point reads as eight."""
ADDED = {14: {1: 0.0, 0: -40.0}}
"""On the empty point 14 a checker of light's is read."""


def row(evidence: Evidence, point: int, count: int) -> float:
    """How much less likely so many checkers are on a point than the likeliest number."""
    return float(evidence.points[point - 1, count + MOST])


def probable(bias: Bias, point: int, shift: int) -> float:
    """How probable it is that a point reads as so many too many."""
    return float(np.exp(bias.points[point - 1, RIGHT + shift]))


def taught(number: int = 1, opinions: dict[int, dict[int, float]] | None = None) -> Bias:
    """The biases after so many turns in which a place of the start position was misread."""
    bias = Bias.fresh(START)
    for _ in range(number):
        bias = learned(bias, look(START, 2, opinions or SAID_EIGHT), START, START, 15)
    return bias


def test_a_pile_that_reads_too_high_is_learned_to_read_so() -> None:
    assert probable(Bias.fresh(START), 6, 3) == pytest.approx(eyes.PILE_SHARES[0])
    once, soon = taught(1), taught(3)
    assert probable(once, 6, 3) > 10 * eyes.PILE_SHARES[0]
    assert probable(soon, 6, 3) > 0.9
    assert all(probable(soon, 6, shift) < 0.05 for shift in (-3, -2, -1, 0, 1, 2))


def test_a_pile_that_is_known_to_read_as_eight_speaks_for_five() -> None:
    told = emission(look(START, 2, SAID_EIGHT), None, START, taught(4))
    assert row(told, 6, 5) > row(told, 6, 8) + 1
    believed = emission(look(START, 2, SAID_EIGHT), None, START, Bias.fresh(START))
    assert row(believed, 6, 5) < row(believed, 6, 8) - 2


def test_who_was_read_rightly_is_trusted() -> None:
    bias = learned(Bias.fresh(START), seen(START), START, START, 15)
    assert all(probable(bias, point, 0) > 0.95 for point in range(1, 25))


def test_a_bias_stays_with_the_checkers_that_stay() -> None:
    """A checker less, and the pile still reads three too high."""
    four = after((6, 5))
    lower = {6: sure(7)}
    told = emission(look(four, 2, lower), None, START, taught(4))
    assert row(told, 6, 4) > row(told, 6, 7) + 0.5
    again = learned(taught(4), look(four, 2, lower), START, four, 15)
    assert probable(again, 6, 3) > 0.9


def test_a_bias_goes_with_the_checkers() -> None:
    """Where all have left and one of the other side has come, the reader starts anew."""
    cleared = Position.from_compact("b....a.C...eE...c.d..E.B..")
    bias = learned(taught(4), look(cleared, 2, {6: dict.fromkeys(range(-15, 16), 0.0)}), START, cleared, 15)
    assert probable(bias, 6, 3) < 0.01


def test_of_each_count_that_may_lie_there_now_a_place_is_known_as_before_fading_or_anew() -> None:
    known = Bias.fresh(START).points + np.linspace(-1.0, 1.0, 24)[:, None]
    fresh_board = Bias.fresh(START)
    every = np.indices((24, 2 * MOST + 1)).reshape(2, -1)
    bias = Bias(known, fresh_board.off, fresh_board.bar)
    biases = eyes._biases_at(START, bias, *every).reshape(24, 2 * MOST + 1, len(SHIFTS))
    for place, lies in enumerate(START.points):
        for count in range(-MOST, MOST + 1):
            fresh = Bias.fresh(Position.from_counts([count, *[0] * 23])).points[0]
            fading = np.log(eyes.KEPT * np.exp(known[place]) + (1 - eyes.KEPT) * np.exp(fresh))
            became_pile = abs(count) >= PILE > abs(lies)
            stays = count * lies > 0 and not became_pile
            expected = known[place] if count == lies else fading if stays else fresh
            assert biases[place, count + MOST] == pytest.approx(expected)


def test_a_checker_that_is_read_where_none_lies_is_learned_too() -> None:
    bias = taught(3, ADDED)
    assert probable(bias, 14, 1) > 0.5
    look_again = look(START, 2, ADDED)
    believed = emission(look_again, None, START, Bias.fresh(START))
    assert row(believed, 14, 0) < row(believed, 14, 1) - 5
    told = emission(look_again, None, START, bias)
    assert row(told, 14, 0) == pytest.approx(row(told, 14, 1), abs=0.1)
    compared = emission(look_again, look_again, START, bias)
    assert row(compared, 14, 0) > row(compared, 14, 1) + 2


def test_a_dark_checker_is_imagined_on_an_empty_point_as_well_as_a_light_one() -> None:
    bias = taught(3, {14: {-1: 0.0, 0: -40.0}})
    assert probable(bias, 14, -1) > 0.5


def test_piles_are_misread_for_good_oftener_than_few_checkers_and_empty_points_rarest() -> None:
    fresh = Bias.fresh(START)
    off = [1 - probable(fresh, point, 0) for point in (6, 8, 14)]
    assert off[0] > 20 * off[1] > 20 * off[2] * 0.99
    assert probable(fresh, 8, 1) == probable(fresh, 8, -1)
    for point in range(1, 25):
        assert sum(probable(fresh, point, int(shift)) for shift in SHIFTS) == pytest.approx(1)


def test_what_is_known_of_a_reader_fades_where_nothing_speaks() -> None:
    bias = taught(3)
    known = probable(bias, 6, 3)
    covered = look(START, 2, hidden=range(1, 25))
    for _ in range(5):
        bias = learned(bias, covered, START, START, 15)
    assert known * 0.9 < probable(bias, 6, 3) < known


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 24), st.integers(-8, 8)), max_size=6))
def test_biases_stay_probabilities_whatever_is_read(misread: list[tuple[int, int]]) -> None:
    bias = Bias.fresh(START)
    opinions = {point: sure(count) for point, count in misread}
    for before, board in ((START, GOOD), (GOOD, GOOD)):
        bias = learned(bias, look(board, 2, opinions), before, board, 15)
    assert np.exp(bias.points).sum(axis=1) == pytest.approx(np.ones(24))
    assert np.exp(bias.off).sum(axis=1) == pytest.approx(np.ones(2))


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(1, 24), st.integers(-15, 15)), max_size=6), st.booleans())
def test_no_single_place_outweighs_the_floor(misread: list[tuple[int, int]], compared: bool) -> None:
    opinions = {point: sure(count) for point, count in misread}
    told = emission(
        look(GOOD, 3, opinions),
        seen(START) if compared else None,
        START,
        learned(Bias.fresh(START), seen(START), START, START, 15),
    )
    for table in (told.points, told.bar, told.off):
        assert table.min() >= FLOOR - 1e-9
        assert table.max() <= 1e-9
    assert told.points.max(axis=1) == pytest.approx(np.zeros(24))


def test_many_pictures_of_a_place_weigh_no_more_than_the_floor_and_come_close_to_it() -> None:
    told = emission(look(START, 9), None, START, Bias.fresh(START))
    assert FLOOR <= row(told, 24, 0) < FLOOR + 2
    assert FLOOR <= told.bar.min() < FLOOR + 2


def test_a_covered_point_and_a_tray_that_nobody_sees_say_nothing() -> None:
    told = emission(look(START, 2, hidden={6}, trays=(None, {0: 0.0})), seen(START), START, Bias.fresh(START))
    assert not told.points[5].any()
    assert not told.off[0].any()
    assert told.points[0].any()
    assert told.off[1].any()


def test_a_point_that_looks_as_before_holds_as_many_as_before() -> None:
    """However it reads: the same error in both looks is no play."""
    one_less = {13: sure(4)}
    start, end = look(START, 2, one_less), look(START, 2, one_less)
    alone = emission(end, None, START, Bias.fresh(START))
    compared = emission(end, start, START, Bias.fresh(START))
    gained = (row(compared, 13, 5) - row(compared, 13, 4)) - (row(alone, 13, 5) - row(alone, 13, 4))
    assert gained == pytest.approx(UNSEEN_CHANGE, abs=0.3)


def test_a_point_that_looks_otherwise_does_not_hold_as_many_as_before() -> None:
    start, end = look(START, 2, {13: sure(4)}), look(START, 2, {13: sure(5)})
    alone = emission(end, None, START, Bias.fresh(START))
    compared = emission(end, start, START, Bias.fresh(START))
    lost = (row(alone, 13, 5) - row(alone, 13, 6)) - (row(compared, 13, 5) - row(compared, 13, 6))
    assert lost == pytest.approx(LOOK_ONLY, abs=0.2)


def test_a_tray_that_says_nothing_is_found_out_and_not_heard_any_more() -> None:
    """It shows four of light's although none is off."""
    shows_four = ({7: 0.0}, {0: 0.0})
    bias = Bias.fresh(START)
    first = emission(look(START, 2, trays=shows_four), None, START, bias)
    for _ in range(3):
        bias = learned(bias, look(START, 2, trays=shows_four), START, START, 15)
    assert np.exp(bias.off[0, -1]) > 0.9
    assert np.exp(bias.off[1, -1]) < 0.05
    later = emission(look(START, 2, trays=shows_four), None, START, bias)
    assert first.off[0].max() - first.off[0, 0] > 3
    assert later.off[0].max() - later.off[0, 0] < 1.5
    assert later.off[1, 0] - later.off[1, 1] > 3


def test_a_tray_that_reads_one_too_many_for_good_is_corrected() -> None:
    one_more = ({1: 0.0}, {0: 0.0})
    bias = Bias.fresh(START)
    for _ in range(3):
        bias = learned(bias, look(START, 2, trays=one_more), START, START, 15)
    assert int(np.argmax(bias.off[0])) == RIGHT + 1
    told = emission(look(START, 2, trays=({3: 0.0}, {0: 0.0})), None, START, bias)
    assert int(np.argmax(told.off[0])) == 2


def with_bar(evidence: Evidence, light: int, dark: int) -> Evidence:
    """The same with a bar that is read so, and sworn to."""
    bar = np.full((MOST + 1, MOST + 1), -8.0)
    bar[light, dark] = 0.0
    return replace(evidence, bar=bar)


def test_a_cube_on_the_bar_that_reads_as_a_checker_is_found_out() -> None:
    bias, shown = Bias.fresh(START), with_bar(seen(START), 0, 1)
    first = emission(shown, None, START, bias).bar
    for _ in range(3):
        bias = learned(bias, shown, START, START, 15)
    later = emission(shown, None, START, bias).bar
    assert first[0, 1] - first[0, 0] > 2
    assert later[0, 0] - later[0, 1] > 3
    entered = emission(with_bar(seen(START), 1, 1), None, START, bias).bar
    assert int(np.argmax(entered[:, 0])) == 1


def test_a_bar_that_was_read_rightly_is_trusted() -> None:
    bias = Bias.fresh(START)
    for _ in range(3):
        bias = learned(bias, with_bar(seen(START), 0, 0), START, START, 15)
    told = emission(with_bar(seen(START), 0, 1), None, START, bias).bar
    assert told[0, 1] - told[0, 0] > 6


def test_a_checker_on_the_bar_is_hardly_ever_passed_over() -> None:
    told = emission(with_bar(seen(START), 0, 0), None, START, Bias.fresh(START)).bar
    assert told[0, 0] - told[0, 1] > 6
    assert np.exp(Bias.fresh(START).bar).sum() == pytest.approx(1)


def test_a_bar_that_nobody_sees_teaches_nothing() -> None:
    unseen = replace(seen(START), bar=np.zeros((MOST + 1, MOST + 1)))
    bias = Bias.fresh(START)
    assert not emission(unseen, None, START, bias).bar.any()
    assert learned(bias, unseen, START, START, 15).bar == pytest.approx(bias.bar)


def test_trays_are_misread_oftener_than_points() -> None:
    fresh = Bias.fresh(START)
    assert np.exp(fresh.off).sum(axis=1) == pytest.approx([1, 1])
    assert np.exp(fresh.off[0, RIGHT]) < 0.9 < probable(fresh, 6, 0)
    assert np.exp(fresh.off[0, -1]) == pytest.approx(eyes.USELESS_TRAY)


def test_small_places_are_misread_so_rarely_that_half_of_such_trials_would_show_none() -> None:
    """None of 3,736 on rendered boards was, nor any of 2,659 on stranger ones."""
    places = 3736 + 2659
    assert (1 - 2 * sum(eyes.FLAT_SHARES)) ** places == pytest.approx(0.5, abs=0.02)
