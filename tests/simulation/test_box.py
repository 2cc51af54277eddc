"""Boxes painted through a camera."""

import numpy as np
import pytest

from controller.simulation.painting.box import Box, DistantLight, leaning, paint_box, resting, upright
from controller.vision.geometry.camera import CameraModel
from tests.rows import each_row

ABOVE = CameraModel(400, 300, 400.0, 0.0, 0.0, (np.pi, 0.0, 0.0), (0.0, 0.0, 400.0))
SLANTED = CameraModel(400, 300, 400.0, 0.0, 0.0, (np.pi - 0.7, 0.0, 0.0), (0.0, 0.0, 400.0))
ZENITH = DistantLight((0.0, 0.0, 1.0), 0.05, 0.5)
COLOURS = ((200, 30, 30), (30, 200, 30), (30, 30, 200), (200, 200, 30), (200, 30, 200), (30, 200, 200))
FACES = [np.full((8, 8, 3), colour, np.uint8) for colour in COLOURS]
SIDE = 60.0


def box_at(turn: np.ndarray, **kwargs: float) -> Box:
    centre = resting(0.0, 0.0, 0.0, SIDE, turn)
    return Box((centre[0], centre[1], centre[2]), turn, SIDE, 0.05, FACES, gloss=0.0, **kwargs)


def ground() -> np.ndarray:
    return np.full((300, 400, 3), 120, np.uint8)


@each_row("angle", [0.0, 0.4, 2.0])
@each_row("camera", [ABOVE, SLANTED])
def test_the_upper_face_is_seen_where_the_camera_projects_it(camera: CameraModel, angle: float) -> None:
    picture = ground()
    box = box_at(upright(angle))
    paint_box(picture, camera, box, ZENITH)
    x, y = np.rint(camera.project(np.array([0.0, 0.0, SIDE]))).astype(int)
    assert np.abs(picture[y, x].astype(int) - COLOURS[4]).max() < 12


def test_from_straight_above_only_the_upper_face_is_seen() -> None:
    picture = ground()
    paint_box(picture, ABOVE, box_at(upright(0.3)), ZENITH)
    for colour in (*COLOURS[:4], COLOURS[5]):
        assert np.abs(picture.astype(int) - colour).max(axis=2).min() > 40


def test_a_slanted_camera_sees_a_side_face_too() -> None:
    picture = ground()
    paint_box(picture, SLANTED, box_at(upright(0.0)), DistantLight((0.0, 0.0, 1.0), 0.05, 0.0))
    # A side face gets less of the sky's light than the upper one.
    dimmed = [np.abs(picture - 0.6 * np.array(colour)).max(axis=2) < 25 for colour in COLOURS[:4]]
    assert sum(int(seen.sum()) > 200 for seen in dimmed) == 1


def test_the_shadow_falls_away_from_the_lamp() -> None:
    picture = ground()
    lamp = DistantLight((-0.6, 0.0, 0.8), 0.02, 0.6)
    paint_box(picture, ABOVE, box_at(upright(0.0)), lamp)
    left = ABOVE.project(np.array([-SIDE / 2 - 20, 0.0, 0.0]))
    right = ABOVE.project(np.array([SIDE / 2 + 20, 0.0, 0.0]))
    lit, dark = (int(picture[round(y), round(x), 0]) for x, y in (left, right))
    assert lit > 115
    assert dark < 90


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.6])
def test_a_leaning_box_rests_on_the_floor(tilt: float) -> None:
    turn = leaning(0.5, tilt, 1.2)
    centre = resting(3.0, 4.0, 10.0, SIDE, turn)
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    corners = centre + signs * SIDE / 2 @ turn.T
    assert corners[:, 2].min() == pytest.approx(10.0)
    assert turn[2, 2] == pytest.approx(np.cos(tilt))


def test_the_ground_shines_through_a_clear_box() -> None:
    clear, solid = ground(), ground()
    paint_box(clear, ABOVE, box_at(upright(0.0), clear=0.5), ZENITH)
    paint_box(solid, ABOVE, box_at(upright(0.0)), ZENITH)
    middle = (150, 200)
    assert 0 < abs(int(clear[middle][1]) - 120) < abs(int(solid[middle][1]) - 120)


def test_a_box_out_of_the_picture_leaves_it_alone() -> None:
    picture = ground()
    box = Box((5000.0, 0.0, 30.0), upright(0.0), SIDE, 0.05, FACES)
    paint_box(picture, ABOVE, box, ZENITH)
    assert np.array_equal(picture, ground())


def test_the_ground_beside_a_box_is_darkest_where_the_box_rests_on_it() -> None:
    def darkened(lift: float) -> float:
        picture = ground()
        x, y, z = resting(0.0, 0.0, 0.0, SIDE, upright(0.0))
        paint_box(picture, ABOVE, Box((x, y, z + lift), upright(0.0), SIDE, 0.05, FACES, gloss=0.0), ZENITH)
        spots = np.rint(ABOVE.project(np.array([[38.0, at, 0.0] for at in range(-20, 21, 4)]))).astype(int)
        return 120 - float(picture[spots[:, 1], spots[:, 0]].mean())

    assert darkened(5.0) < 0.6 * darkened(0.0)
