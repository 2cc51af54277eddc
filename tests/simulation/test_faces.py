"""Painted faces of dice and cubes."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.simulation.boards.faces import (
    CUBE_VALUES,
    brightness,
    cube_face,
    die_face,
    random_cube_style,
    random_die_style,
)
from controller.simulation.boards.numerals import HERSHEY, draw_number, random_lettering
from tests.rows import each_row


@each_row("value", range(1, 7))
@each_row("seed", range(6))
def test_a_die_face_shows_as_many_pips_as_it_is_worth(value: int, seed: int) -> None:
    style = replace(random_die_style(np.random.default_rng(seed)), marble=0.0, drilled=False)
    face = cv2.cvtColor(die_face(style, value, 96), cv2.COLOR_BGR2GRAY).astype(float)
    body, pips = brightness(style.body), brightness(style.pips)
    inked = np.abs(face - pips) < np.abs(face - body)
    count, _ = cv2.connectedComponents(inked.astype(np.uint8))
    assert count - 1 == value


@pytest.mark.parametrize("seed", range(4))
def test_a_style_always_gives_the_same_faces_and_no_two_alike(seed: int) -> None:
    style = random_cube_style(np.random.default_rng(seed))
    faces = [cube_face(style, value) for value in CUBE_VALUES]
    again = [cube_face(style, value) for value in CUBE_VALUES]
    for face, same in zip(faces, again, strict=True):
        assert np.array_equal(face, same)
    for one in range(len(faces)):
        for other in range(one):
            assert not np.array_equal(faces[one], faces[other])


@each_row("value", CUBE_VALUES)
@each_row("font", range(len(HERSHEY) + 1))
def test_numbers_stay_within_the_room_they_are_given(value: int, font: int) -> None:
    lettering = replace(random_lettering(np.random.default_rng(value)), font=font)
    mask = draw_number(str(value), lettering, 0.6, 0.7, 200)
    rows, columns = np.nonzero(mask > 128)
    assert len(rows)
    assert np.ptp(rows) <= 0.6 * 200 + 2
    assert np.ptp(columns) <= 0.7 * 200 + 2
