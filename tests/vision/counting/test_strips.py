import numpy as np
import pytest

from controller.arrays import Float32Array
from controller.vision.counting.strips import (
    CHANNELS,
    COLUMNS,
    OUTSIDE,
    ROWS,
    SCALE,
    FirstLook,
    look_at_strips,
    look_first,
)
from controller.vision.geometry.board_grid import ground_grid
from tests.rows import each_row
from tests.vision.boards import frames, learned, picture

CHECKER, LIGHTER, ALONG = 12, 13, 15


def first_look(name: str) -> FirstLook:
    board = learned(frames()[name].board)
    ground = ground_grid(board.geometry)
    return look_first(picture(name), board.camera, board.geometry, ground, board.appearance)


def strips_of(name: str) -> Float32Array:
    board = learned(frames()[name].board)
    return look_at_strips(picture(name), board.camera, board.geometry, first_look(name), range(24))


def around(strip: Float32Array, row: float) -> float:
    """The mean of one channel around a place on the middle line."""
    middle, square = COLUMNS // 4, int(row / 2)
    return float(strip[square - 2 : square + 2, middle - 2 : middle + 2].mean())


@pytest.mark.parametrize("name", ["board1_start", "board3_start", "board6_start"])
def test_every_checker_of_a_row_shows_at_its_place_on_the_strip(name: str) -> None:
    strips = strips_of(name)
    assert strips.shape == (24, CHANNELS, ROWS // 2, COLUMNS // 2)
    geometry = learned(frames()[name].board).geometry
    pitch = geometry.row_pitch_mm / geometry.checker_diameter_mm * SCALE
    for strip, count in zip(strips, frames()[name].points, strict=True):
        for place in range(5):
            row = OUTSIDE + (place + 0.5) * pitch
            if place < abs(count):
                assert around(strip[CHECKER], row) > 0
                assert np.sign(around(strip[LIGHTER], row)) == np.sign(count)
            elif place > abs(count):
                assert around(strip[CHECKER], row) < 0


def test_the_second_plane_is_shifted_away_from_the_foot_of_the_camera() -> None:
    board = learned("board1")
    strips = strips_of("board1_start")
    inward = [strip[ALONG, 0, 0] for strip in strips]
    foot = board.camera.centre_mm[1]
    for point in range(1, 25):
        slot = board.geometry.slot(point, 2)
        away = np.sign(slot[1] - foot) == board.geometry.side_of(point)
        assert (inward[point - 1] < 0) == away


@each_row("name", sorted(frames()))
def test_every_point_with_checkers_looks_strange_and_many_without_do_not(name: str) -> None:
    strange = set(first_look(name).strange().tolist())
    points = frames()[name].points
    assert {number for number, count in enumerate(points) if count} <= strange
    assert len(strange) < 24


def test_some_strips_are_the_same_as_those_among_all() -> None:
    board, first = learned("board1"), first_look("board1_start")
    some = look_at_strips(picture("board1_start"), board.camera, board.geometry, first, (20, 3))
    assert np.array_equal(some, strips_of("board1_start")[[20, 3]])
