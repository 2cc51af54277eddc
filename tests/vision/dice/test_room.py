"""Whether a die has room where something looks like one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.seeing.sightings import FAINT
from controller.vision.dice.dice import judge_dice
from controller.vision.dice.room import NO_ROOM, room_odds
from controller.vision.dice.spots import SpotTold
from tests.vision.dice.test_throw import ABOVE, GEOMETRY, ONE_PILE

RIM = GEOMETRY.checker_diameter_mm / 2
TOP = GEOMETRY.surface_height_mm / 2
X, Y = (float(place) for place in GEOMETRY.slot(6, 0)[:2])
LIKELY = np.array([0.03, 0.95, 0.004, 0.004, 0.004, 0.004, 0.004])
EMPTY = [0] * 24


def odds(x: float, y: float, points: list[int] = ONE_PILE) -> float:
    return room_odds((x, y), ABOVE, GEOMETRY, points)


def test_in_the_open_room_says_nothing() -> None:
    assert odds(-100.0, 0.0) == pytest.approx(1.0, abs=0.01)


@given(st.floats(0, 30), st.floats(0, 30))
def test_the_nearer_to_a_checker_the_less_likely_is_a_die(one: float, other: float) -> None:
    near, far = sorted((one, other))
    beside = [odds(X + RIM + off, Y) for off in (near, far)]
    assert NO_ROOM**2 <= beside[0] <= beside[1] + 1e-6 <= 1 + 1e-6


@given(st.floats(0, 30), st.floats(0, 30))
def test_the_nearer_to_a_rail_the_less_likely_is_a_die(one: float, other: float) -> None:
    near, far = sorted((one, other))
    assert odds(-100.0, TOP - near, EMPTY) <= odds(-100.0, TOP - far, EMPTY) + 1e-6


def test_a_die_that_touches_a_checker_or_stands_at_the_rail_stays_one() -> None:
    for x, y in ((X + RIM + 8.5, 0.0), (-100.0, TOP - 8.5)):
        (die, *_) = judge_dice([SpotTold(LIKELY, 0.0, (x, y), 0.8)], ABOVE, GEOMETRY, ONE_PILE)
        assert die.confidence > 0.9


def test_what_has_no_room_between_a_checker_and_the_rail_is_hardly_a_die() -> None:
    corner = SpotTold(LIKELY, 0.0, (X + 16.3, 5.0 - TOP), 0.6)
    fellow = replace(corner, middle=(-100.0, 0.0), peak=0.9)
    squeezed, free = (
        judge_dice([corner, fellow], ABOVE, GEOMETRY, points)[1] for points in (ONE_PILE, EMPTY)
    )
    assert squeezed.confidence < FAINT < free.confidence


def test_what_leans_needs_no_room() -> None:
    beside = SpotTold(LIKELY, 0.9, (X + RIM + 2.5, Y + 80.0), 0.8)
    level = replace(beside, cocked=0.0)
    (leaning,) = judge_dice([beside], ABOVE, GEOMETRY, ONE_PILE)
    told = judge_dice([level], ABOVE, GEOMETRY, ONE_PILE)
    assert leaning.cocked
    assert leaning.confidence > max((die.confidence for die in told), default=0.0)
