"""Which of the things that look like dice are a throw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.dice.dice import PLAIN_PEAK, judge_dice, likeliest_number, weigh
from controller.vision.dice.spots import SpotTold, checker_faces, lies_on, overlaps_checker
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from tests.rows import each_row

GEOMETRY = BoardGeometry("right", 44.0, 44.0, 430.0, 41.0, 40.0, 9.0)
ABOVE = CameraModel(1280, 720, 1000.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 900.0))
ONE_PILE = [0] * 5 + [7] + [0] * 18


@each_row(
    ("chances", "number"),
    [
        ([], 0),
        ([0.99, 0.99], 2),
        ([0.99, 0.5], 2),
        ([0.99, 0.98, 0.7], 2),
        ([0.99, 0.98, 0.7, 0.6], 2),
        ([0.99, 0.98, 0.95, 0.9], 4),
        ([0.2], 0),
        ([0.2, 0.1], 0),
        ([0.99] * 6, 4),
    ],
)
def test_a_throw_has_two_dice_unless_more_are_clearly_there(chances: list[float], number: int) -> None:
    assert likeliest_number(chances) == number


@given(st.floats(0, 1), st.floats(0, 1))
def test_what_lies_on_a_checker_must_look_more_like_a_die(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert weigh(low, on_checker=True) <= weigh(high, on_checker=True)
    assert weigh(low, on_checker=True) <= weigh(low, on_checker=False)


@given(st.floats(0.01, 0.99), st.floats(0, 1), st.floats(0, 1))
def test_the_higher_the_map_peaks_the_surer_is_a_die(chance: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    lower, higher = (weigh(chance, on_checker=False, peak=peak) for peak in (low, high))
    assert 0 < lower <= higher < 1


@given(st.floats(0.01, 0.99), st.floats(0, 1))
def test_on_a_checker_no_peak_speaks_for_a_die(chance: float, peak: float) -> None:
    assert weigh(chance, on_checker=True, peak=peak) <= weigh(chance, on_checker=True)


def test_a_usual_peak_neither_adds_nor_takes_away() -> None:
    assert weigh(0.7, on_checker=False, peak=PLAIN_PEAK) == pytest.approx(weigh(0.7, on_checker=False))


def test_a_spot_over_a_checker_is_told_from_one_beside_it() -> None:
    faces = checker_faces(ABOVE, GEOMETRY, ONE_PILE, 14.0)
    assert faces.shape == (7, 2)
    x, y, _ = GEOMETRY.slot(6, 0)
    assert lies_on((float(x), float(y)), faces, GEOMETRY)
    assert not lies_on((float(x) + 44.0, float(y)), faces, GEOMETRY)
    assert not lies_on((float(x), -float(y)), faces, GEOMETRY)


def test_an_empty_board_has_no_checkers_to_lie_on() -> None:
    faces = checker_faces(ABOVE, GEOMETRY, [0] * 24, 14.0)
    assert not lies_on((0.0, 0.0), faces, GEOMETRY)


def test_higher_layers_are_seen_further_from_under_the_camera() -> None:
    faces = checker_faces(ABOVE, GEOMETRY, ONE_PILE, 14.0)
    foot = ABOVE.centre_mm[:2]
    assert np.hypot(*(faces[5] - foot)) > np.hypot(*(faces[0] - foot))


def test_no_die_lies_level_between_checkers_that_nearly_touch() -> None:
    (x, first, _), (_, second, _) = GEOMETRY.slot(6, 0), GEOMETRY.slot(6, 1)
    for beside in (-6.0, 0.0, 6.0):
        assert overlaps_checker((float(x) + beside, float(first + second) / 2), GEOMETRY, ONE_PILE)


@given(st.sampled_from([-1.0, 1.0]), st.floats(0, 180))
def test_beside_a_pile_is_room_for_a_die(side: float, along: float) -> None:
    x, y, _ = GEOMETRY.slot(6, 0)
    beside = (x + side * (GEOMETRY.checker_diameter_mm / 2 + 5.0), y + along)
    assert not overlaps_checker(beside, GEOMETRY, ONE_PILE)


def test_of_things_that_look_alike_those_are_dice_that_the_map_shows_clearly() -> None:
    looks = np.array([0.2, 0.0, 0.0, 0.0, 0.0, 0.8, 0.0])
    told = [SpotTold(looks, 0.0, (60.0 * k, 0.0), peak) for k, peak in enumerate((0.8, 0.42, 0.78, 0.45))]
    dice = judge_dice(told, ABOVE, GEOMETRY, [0] * 24)
    places = [ABOVE.to_board(np.array([die.x, die.y]), 15.0)[0] for die in dice]
    assert sorted(places) == pytest.approx([0.0, 120.0], abs=0.1)


def test_a_die_that_the_map_shows_is_heard_where_the_close_look_doubts_it() -> None:
    sure, doubtful = (
        np.array([0.01, 0.0, 0.0, 0.0, 0.0, 0.99, 0.0]),
        np.array([0.7, 0.0, 0.28, 0.02, 0.0, 0.0, 0.0]),
    )
    told = [SpotTold(sure, 0.0, (0.0, 0.0), 0.8), SpotTold(doubtful, 0.0, (60.0, 0.0), 0.9)]
    dice = judge_dice(told, ABOVE, GEOMETRY, [0] * 24)
    assert [die.value for die in dice] == [5, 2]
    assert dice[1].confidence > 0.5


def test_what_is_plainly_nothing_is_no_die_whatever_the_map_shows() -> None:
    nothing = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    assert not judge_dice([SpotTold(nothing, 0.0, (0.0, 0.0), 0.95)], ABOVE, GEOMETRY, [0] * 24)
