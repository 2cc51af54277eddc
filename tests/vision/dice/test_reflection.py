"""A lamp that mirrors in the board is named where it may hide a die."""

from dataclasses import replace

import cv2
import numpy as np

from controller.arrays import Picture
from controller.rules.position import START
from controller.vision.board.board import Board
from controller.vision.dice.reflection import find_reflection
from controller.vision.looks import join_looks
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import IVORY, throw

HERE, THERE = (-140.0, 10.0), (150.0, -10.0)
"""Where dice lie: in the middle between light's and dark's points, left and right of the bar."""


def shown(*dice: tuple[float, float]) -> tuple[Picture, Board]:
    """The start position with dice at places (mm)."""
    image, board = picture("board1_start").copy(), learned("board1")
    for x, y in dice:
        throw(image, board, IVORY, 4, x, y, 0.4)
    return image, board


def mirrored(image: Picture, board: Board, spot: tuple[float, float], width_mm: float = 18.0) -> Picture:
    """The picture with a lamp that mirrors at a spot (mm)."""
    x, y = board.camera.project(np.array([*spot, 0.0]))
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    spread = width_mm * board.camera.pixels_per_mm(0.0)
    lamp = 400 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * spread**2))
    return np.asarray((image + lamp[..., None]).clip(0, 255), np.uint8)


def read(image: Picture, board: Board) -> Reading:
    return read_board(image, board)


def test_a_reflection_over_one_of_two_dice_is_named_with_the_point_next_to_it() -> None:
    image, board = shown(HERE, THERE)
    assert read(image, board).reflection is None
    reading = read(mirrored(image, board, HERE), board)
    assert [die.value for die in reading.dice if die.confidence > 0.5] == [4]
    seen = reading.reflection
    assert seen is not None
    x, y = board.camera.project(np.array([*HERE, 0.0]))
    assert abs(seen.x - x) + abs(seen.y - y) < 10
    assert abs(board.geometry.column_x(seen.point) - HERE[0]) <= board.geometry.pitch_mm / 2


def test_a_reflection_is_no_reason_where_no_die_is_missing() -> None:
    beside = (60.0, 20.0)
    both, board = shown(HERE, THERE)
    assert read(mirrored(both, board, beside), board).reflection is None
    none, board = shown()
    assert read(mirrored(none, board, beside), board).reflection is None


def test_what_cannot_hide_a_die_is_no_reflection() -> None:
    image, board = shown()
    geometry = board.geometry
    x_mm, y_mm, _ = geometry.slot(6, 2)

    def found(spot: tuple[float, float], width_mm: float) -> bool:
        lamp = mirrored(image, board, spot, width_mm)
        return find_reflection(lamp, board.camera, geometry, START.points) is not None

    assert found(HERE, 12.0)
    assert not found(HERE, 3.0)
    assert not found((x_mm, y_mm), 12.0)
    assert not found((0.0, 0.0), 8.0)
    assert not found(HERE, 400.0)


def test_a_picture_that_goes_on_from_another_one_names_it_too_and_in_its_own_pixels() -> None:
    image, board = shown(HERE, THERE)
    before = read(image, board)
    now = mirrored(image, board, HERE)
    later = read_board(now, board, before.baseline)
    assert later.reflection is not None
    larger = replace(board, camera=board.camera.resized(2 * board.camera.width, 2 * board.camera.height))
    twice = np.asarray(cv2.resize(now, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    seen = read(twice, larger).reflection
    assert seen is not None
    assert abs(seen.x - 2 * later.reflection.x) + abs(seen.y - 2 * later.reflection.y) < 20


def test_of_several_looks_at_a_scene_what_they_tell_together_decides_whether_a_die_is_missing() -> None:
    image, board = shown(HERE, THERE)
    both = read(image, board)
    one = read(mirrored(image, board, HERE), board)
    assert join_looks((both, one), board).reflection == one.reflection
    assert join_looks((one, both), board).reflection is None
