"""Measures of a camera that is being aimed."""

import cv2
import numpy as np
import pytest

from calibration.aim import (
    FLAT,
    AimWord,
    aim_of,
    flatten_board,
    frame_of,
    guessed_corners,
    order_corners,
)
from controller.arrays import Picture
from tests.calibration.pictures import TRUTH, corners, picture
from tests.rows import each_row

BOARDS = ("game", "oblique_wood", "small_turned", "wide_marked")


def blurred(image: Picture, sigma: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


@pytest.mark.parametrize("name", BOARDS)
def test_pictures_that_are_read_well_are_sharp_and_blurred_ones_are_not(name: str) -> None:
    image = picture(name)
    levels = [aim_of(blurred(image, sigma), corners(name)).sharpness.level for sigma in (0.1, 1.5, 3, 6)]
    assert levels == sorted(levels, reverse=True)
    assert aim_of(image, corners(name)).sharpness.enough
    worst = aim_of(blurred(image, 3), corners(name)).sharpness
    assert worst.word is AimWord.BLURRED
    assert not worst.enough


@pytest.mark.parametrize("name", BOARDS)
def test_sharpness_is_told_before_the_board_is_found(name: str) -> None:
    aim = aim_of(picture(name))
    assert aim.size is None
    assert aim.sharpness.enough


def test_a_picture_without_anything_in_it_is_neither_sharp_nor_bright() -> None:
    aim = aim_of(np.full((480, 640, 3), 4, np.uint8))
    assert aim.sharpness.level == 0
    assert aim.light.word is AimWord.DARK
    assert aim.light.level == 0


@pytest.mark.parametrize(("scale", "word"), [(1.0, AimWord.LARGE), (0.7, AimWord.CLOSER), (0.3, AimWord.FAR)])
def test_the_size_is_that_of_the_board_in_the_picture(scale: float, word: AimWord) -> None:
    spots = guessed_corners((1280, 720))
    middle = spots.mean(axis=0)
    size = aim_of(np.zeros((720, 1280, 3), np.uint8), middle + scale * (spots - middle)).size
    assert size is not None
    assert size.word is word
    assert size.enough is (word is AimWord.LARGE)


def test_a_corner_outside_of_the_picture_is_told_however_large_the_board() -> None:
    size = aim_of(picture("game"), corners("game") + np.array([0, 200])).size
    assert size is not None
    assert size.word is AimWord.CUT_OFF
    assert not size.enough


def test_a_lamp_that_mirrors_and_a_shadow_are_told_apart() -> None:
    calm = np.full((720, 1280, 3), 120, np.uint8)
    assert aim_of(calm).light.word is AimWord.EVEN
    glaring, shaded = calm.copy(), calm.copy()
    glaring[250:450, 400:800] = 255
    shaded[:, :640] = 35
    assert aim_of(glaring).light.word is AimWord.GLARING
    assert aim_of(shaded).light.word is AimWord.UNEVEN


@each_row("name", BOARDS)
@each_row("turn", range(4))
@each_row("back", [False, True])
def test_corners_in_any_order_around_the_board_come_by_lights_points(
    name: str, turn: int, back: bool
) -> None:
    truth = corners(name)
    shuffled = np.roll(truth[::-1] if back else truth, turn, axis=0)
    assert np.array_equal(order_corners(shuffled, TRUTH[name]["light_home"]), truth)


@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (480, 640)])
def test_the_frame_and_the_corners_to_begin_with_lie_in_the_picture(size: tuple[int, int]) -> None:
    left, top, width, height = frame_of(size)
    assert left >= 0
    assert top >= 0
    assert left + width <= size[0]
    assert top + height <= size[1]
    spots = guessed_corners(size)
    assert ((spots > [left, top]) & (spots < [left + width, top + height])).all()


def test_a_board_drawn_straight_has_its_corners_in_the_corners_and_up_is_up() -> None:
    image = picture("game")
    truth = corners("game")
    marked = image.copy()
    top_left = truth[int(np.argmin(truth.sum(axis=1)))]
    cv2.circle(marked, tuple(int(v) for v in np.round(top_left)), 12, (255, 0, 255), -1)
    flat = flatten_board(marked, truth)
    assert flat.shape == (FLAT[1], FLAT[0], 3)
    assert tuple(flat[2, 2]) == (255, 0, 255)
