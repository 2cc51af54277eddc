"""The catalogue of real dice, and dice of its makes as they are painted."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.faces import brightness, die_face, pip_places
from controller.simulation.boards.makes import DieMake, all_makes, die_of, kept_back_makes, taught_makes
from controller.simulation.boards.scene import Die
from controller.simulation.boards.setting import DieLook
from controller.simulation.painting.solids import die_box
from tests.amounts import amount
from tests.rows import each_row

MAKES = all_makes()
SIZE = 96


def _pips(make: DieMake, value: int, seed: int) -> int:
    """How many separate pips a painted face has."""
    style = replace(die_of(make, np.random.default_rng(seed)), marble=0.0, drilled=False)
    face = die_face(style, value, SIZE).astype(float)
    ink = np.array(dict(style.inks).get(value, style.pips))
    inked = np.linalg.norm(face - ink, axis=2) < np.linalg.norm(face - np.array(style.body), axis=2)
    return cv2.connectedComponents(inked.astype(np.uint8), connectivity=4)[0] - 1


def test_the_catalogue_has_forty_makes_to_learn_and_eight_to_measure_on() -> None:
    assert len(taught_makes()) >= 40
    assert len(kept_back_makes()) == 8
    assert not {make.name for make in taught_makes()} & {make.name for make in kept_back_makes()}


@pytest.mark.parametrize("make", MAKES, ids=lambda make: make.name)
def test_a_make_says_where_it_comes_from_and_is_as_large_as_dice_are(make: DieMake) -> None:
    assert len(make.source) > 10
    assert 10 <= make.side_mm <= 20
    assert 0 < make.pips <= make.one <= 0.25
    for body, pips in make.colours:
        assert abs(brightness(body) - brightness(pips)) > 40


@each_row("value", range(1, 7))
@each_row("make", MAKES)
def test_every_face_of_every_make_shows_as_many_pips_as_it_is_worth(make: DieMake, value: int) -> None:
    assert {_pips(make, value, seed) for seed in range(amount(1, 3))} == {value}


@pytest.mark.parametrize("make", MAKES, ids=lambda make: make.name)
def test_pips_stay_on_the_face(make: DieMake) -> None:
    for seed in range(20):
        style = die_of(make, np.random.default_rng(seed))
        for value in range(1, 7):
            radius = style.one_radius if value == 1 else style.pip_radius
            assert all(max(map(abs, place)) + radius < 0.48 for place in pip_places(style, value))


def test_rows_of_the_six_come_from_near_to_far() -> None:
    across = [make.six[1] for make in MAKES]
    assert min(across) <= 0.145
    assert max(across) >= 0.28
    kept_back = [make.six[1] for make in kept_back_makes()]
    assert min(kept_back) < 0.15
    assert max(kept_back) >= 0.2


def test_the_rows_of_a_six_lie_apart_from_the_pips_of_a_four() -> None:
    style = replace(die_of(MAKES[0], np.random.default_rng(1)), spread=0.25, six=(0.22, 0.14))
    assert {abs(x) for x, _ in pip_places(style, 4)} == {0.25}
    assert {abs(x) for x, _ in pip_places(style, 6)} == {0.14}
    assert sorted({y for _, y in pip_places(style, 6)}) == [-0.22, 0.0, 0.22]


def test_a_die_without_rows_of_its_own_has_them_as_far_as_its_corners() -> None:
    style = replace(die_of(MAKES[0], np.random.default_rng(1)), spread=0.25, six=None)
    assert {abs(x) for x, _ in pip_places(style, 6)} == {0.25}


def test_red_numbers_are_red_and_the_others_are_not() -> None:
    make = next(make for make in MAKES if make.name == "chinese_16")
    style = replace(die_of(make, np.random.default_rng(2)), drilled=False)
    red = {value for value in range(1, 7) if _redness(die_face(style, value, SIZE)) > 60}
    assert red == {1, 4}


@each_row("make", MAKES[:6])
def test_the_painter_shows_the_faces_of_a_make(make: DieMake) -> None:
    rng = np.random.default_rng(6)
    setting, style = random_setting(rng, (640, 360)), die_of(make, rng)
    look = DieLook(make.side_mm, style)
    die = Die("light", 6, 0.0, 0.0)
    box = die_box(replace(setting, dice={"light": look, "dark": look}), die)
    assert box.side == make.side_mm
    assert np.array_equal(box.faces[4], die_face(style, 6))
    assert np.array_equal(box.faces[5], die_face(style, 1))


def _redness(face: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> int:
    return int((face[..., 2].astype(int) - face[..., 1]).max())
