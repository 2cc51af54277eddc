"""From pictures to a board that can be trusted, or to a reason."""

import numpy as np
import pytest

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.rules.position import Position
from controller.vision.reader import read_board
from tests.calibration.pictures import GAME, START, picture

import cv2  # isort: skip


def game_view(number: int, points: tuple[int, ...] = START) -> CalibrationPicture:
    name = f"{number:05d}.jpg"
    return CalibrationPicture(name, np.asarray(cv2.imread(str(GAME / "frames" / name)), np.uint8), points)


def test_a_calibrated_board_reads_the_picture_it_was_not_calibrated_with() -> None:
    board = calibrate([game_view(0)]).board
    assert read_board(game_view(1).picture, board).points == START


def test_any_known_position_will_do() -> None:
    known = Position.from_compact("CBBBB.....B..c.bbBb.a.ca.a")
    board = calibrate([game_view(62, known.points)]).board
    reading = read_board(game_view(63).picture, board)
    assert reading.points == known.points


def test_a_position_that_is_not_on_the_board_is_refused_with_a_point_to_look_at() -> None:
    after_one_play = list(START)
    after_one_play[12] -= 1
    after_one_play[6] += 1
    with pytest.raises(CalibrationError, match=r"point \d+ I see"):
        calibrate([game_view(0, tuple(after_one_play))])


def test_pictures_of_different_sizes_are_refused() -> None:
    with pytest.raises(CalibrationError, match="differ in size"):
        calibrate([game_view(0), CalibrationPicture("other.jpg", picture("small_turned"), START)])


def test_a_camera_that_was_moved_between_the_pictures_is_noticed() -> None:
    moved = np.roll(game_view(1).picture, 60, axis=1)
    with pytest.raises(CalibrationError, match="same place"):
        calibrate([game_view(0), CalibrationPicture("moved.jpg", moved, START)])


def test_a_first_picture_that_shows_nothing_does_not_keep_the_second_from_being_used() -> None:
    dark = CalibrationPicture("dark.jpg", np.zeros((540, 960, 3), np.uint8), START)
    with pytest.raises(CalibrationError, match="same place") as refused:
        calibrate([dark, game_view(0)])
    assert refused.value.view.name == "dark.jpg"
