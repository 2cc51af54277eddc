"""Pictures with more pixels than reading needs."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from controller.vision.reader import read_board
from controller.vision.reduction import NEEDED_PIXELS, move_pixels, reduce_picture, reduce_size
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import IVORY, throw

SIDES = st.integers(120, 9000)


@given(width=SIDES, height=SIDES)
@example(width=1767, height=1811)  # too many by 37, which is less than a row
def test_no_picture_keeps_more_pixels_than_needed_and_small_ones_keep_theirs(width: int, height: int) -> None:
    smaller = reduce_size((width, height))
    assert smaller[0] * smaller[1] <= NEEDED_PIXELS
    assert (smaller == (width, height)) == (width * height <= NEEDED_PIXELS)
    assert smaller[0] / smaller[1] == pytest.approx(width / height, rel=0.02)


@given(x=st.floats(-0.5, 639.5), y=st.floats(-0.5, 479.5), times=st.integers(1, 6))
def test_places_move_with_their_picture_and_back(x: float, y: float, times: int) -> None:
    size, other = (640, 480), (640 * times, 480 * times)
    there = move_pixels(np.array([x, y]), size, other)
    assert np.allclose(move_pixels(there, other, size), [x, y])
    assert np.allclose(move_pixels(np.array([-0.5, -0.5]), size, other), [-0.5, -0.5])


def test_a_camera_with_larger_pictures_sees_the_same_things_in_the_same_places() -> None:
    camera = learned("board1").camera
    size, other = (camera.width, camera.height), (3 * camera.width, 3 * camera.height)
    spots = np.random.default_rng(1).uniform(-200, 200, (20, 3))
    seen = move_pixels(camera.project(spots), size, other)
    assert np.allclose(camera.resized(*other).project(spots), seen)


def test_a_large_picture_reads_as_a_small_one_does_and_tells_places_in_its_own_pixels() -> None:
    board, small = learned("board1"), picture("board1_002")
    known = read_board(small, board)
    size = board.camera.width, board.camera.height
    times = int(np.ceil(np.sqrt(NEEDED_PIXELS / (size[0] * size[1])))) + 1
    large = np.asarray(cv2.resize(small, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC), np.uint8)
    assert reduce_picture(large).shape != large.shape
    other = size[0] * times, size[1] * times
    reading = read_board(large, replace(board, camera=board.camera.resized(*other)))
    assert reading.points == known.points
    assert known.dice
    places = move_pixels(np.array([(die.x, die.y) for die in known.dice]), size, other)
    for place in places:
        assert min(np.hypot(*(place - [die.x, die.y])) for die in reading.dice) < 3 * times


def test_numbers_that_a_small_picture_does_not_show_are_read_in_the_still() -> None:
    board, whole = learned("board1"), picture("board1_start").copy()
    for value, x in ((6, -140.0), (5, 140.0)):
        throw(whole, board, IVORY, value, x, 5.0, 0.4)
    size = board.camera.width // 4, board.camera.height // 4
    small = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)
    there = replace(board, camera=board.camera.resized(*size))
    assert {die.value for die in read_board(small, there).dice if die.confidence > 0.9} != {5, 6}
    darker = np.asarray(0.8 * whole, np.uint8)
    for picture_of_all in (whole, darker):
        reading = read_board(small, there, still=picture_of_all)
        assert {die.value for die in reading.dice if die.confidence > 0.9} == {5, 6}
        assert all(die.x < size[0] and die.y < size[1] for die in reading.dice)
