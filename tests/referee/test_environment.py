"""Pushes of the board and changes of light are told once each, when they have come to rest."""

from dataclasses import replace
from random import Random

from controller.referee.actions import Action, BoardBack, BoardLost, Bumped, Covered, LightChanged, TurnJudged
from controller.referee.events import FrameSeen
from controller.referee.seeing.environment import Environment, survey
from controller.rules.position import START
from controller.vision.reading import BoardDrift
from tests.referee.staging import Film, judged

USUAL = BoardDrift(0.0, 0.0, 0.0, (1.0, 1.0, 1.0), 0.8)
READING = Film(Random(1)).read(START)


def seen(*stances: BoardDrift | None) -> list[Action]:
    """What is told of pictures with these stances; ``None`` for one in which the board is not recognised."""
    known, told = Environment(), list[Action]()
    for number, drift in enumerate(stances):
        reading = replace(READING, drift=drift, fault=None if drift is not None else "no_board")
        known, more = survey(known, FrameSeen(number * 0.5, number, reading))
        told += more
    return told


def pushed(x_mm: float, y_mm: float = 0.0, turn_deg: float = 0.0) -> BoardDrift:
    return replace(USUAL, x_mm=x_mm, y_mm=y_mm, turn_deg=turn_deg)


def lit(*bgr: float) -> BoardDrift:
    return replace(USUAL, light=(bgr[0], bgr[1], bgr[2]))


def test_a_board_that_stands_still_is_nothing_to_tell() -> None:
    assert seen(*[pushed(0.3 * (-1) ** k, 0.2) for k in range(20)]) == []


def test_a_bump_is_told_once_with_its_size() -> None:
    bumps = seen(USUAL, USUAL, *[pushed(3.0, -4.0, 0.5)] * 5)
    assert bumps == [Bumped(1.5, 3, shift_mm=5.0, turn_deg=0.5, x_mm=3.0, y_mm=-4.0)]


def test_a_bump_is_told_by_the_second_picture_at_rest() -> None:
    told = seen(USUAL, pushed(9.0), pushed(5.0), pushed(5.0))
    assert [(bump.frame, bump.shift_mm) for bump in told if isinstance(bump, Bumped)] == [(3, 5.0)]


def test_a_single_wrong_measurement_is_no_bump() -> None:
    assert seen(USUAL, USUAL, pushed(12.0), USUAL, USUAL) == []


def test_a_second_bump_is_measured_against_the_first() -> None:
    told = seen(*[pushed(5.0)] * 2, *[pushed(5.0, 3.0)] * 2)
    assert [bump.shift_mm for bump in told if isinstance(bump, Bumped)] == [5.0, 3.0]


def test_a_camera_that_sags_slowly_is_told_in_steps() -> None:
    told = seen(*[pushed(0.0, 0.1 * k) for k in range(60)])
    assert [round(bump.shift_mm) for bump in told if isinstance(bump, Bumped)] == [2, 2]


def test_a_turned_board_is_a_bump() -> None:
    assert [bump.frame for bump in seen(USUAL, *[pushed(0.0, 0.0, 1.0)] * 3)] == [2]


def test_light_that_goes_down_is_told_once() -> None:
    told = seen(USUAL, USUAL, *[lit(0.7, 0.7, 0.7)] * 5)
    assert told == [LightChanged(1.5, 3, red=0.7, green=0.7, blue=0.7)]


def test_warmer_light_is_told_though_it_is_as_bright() -> None:
    told = seen(USUAL, *[lit(0.8, 1.0, 1.1)] * 2)
    assert told == [LightChanged(1.0, 2, red=1.1, green=1.0, blue=0.8)]


def test_light_that_flickers_is_nothing_to_tell() -> None:
    assert seen(*[lit(*[1 + 0.04 * (-1) ** k] * 3) for k in range(20)]) == []


def test_a_board_that_is_carried_away_and_brought_back_is_told_so() -> None:
    told = seen(USUAL, *[None] * 7, USUAL, USUAL)
    assert told == [BoardLost(2.5, 5), BoardBack(4.0, 8)]


def test_a_moment_without_the_board_is_nothing_to_tell() -> None:
    assert seen(USUAL, *[None] * 4, USUAL) == []


def test_what_lies_on_the_board_is_told_once_until_it_is_taken_away() -> None:
    known, told = Environment(), list[Action]()
    lie = [(), (6,), (6, 7), (6,), (7,), (), (7,)]
    for number, points in enumerate(lie):
        reading = replace(READING, drift=USUAL, covered=frozenset(points))
        known, more = survey(known, FrameSeen(float(number), number, reading))
        told += more
    assert told == [Covered(1.0, 1, (6,)), Covered(2.0, 2, (6, 7)), Covered(6.0, 6, (7,))]


def test_pictures_without_the_board_conclude_nothing() -> None:
    film = Film(Random(3))
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    blind = replace(READING, fault="no_board", points=(0,) * 24)
    film.events += [FrameSeen(film.t + k, 90 + k, blind) for k in range(1, 5)]
    film.t += 6
    told = judged(film, START)
    assert [type(action) for action in told if isinstance(action, BoardLost)] == [BoardLost]
    assert not [action for action in told if isinstance(action, TurnJudged)]
