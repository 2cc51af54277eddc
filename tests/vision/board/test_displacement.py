"""Boards that were moved, turned round or exchanged, and cameras that were tilted, are told by name."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.vision.board import displacement
from controller.vision.board.board import Board
from controller.vision.board.displacement import explain_picture, is_plainly_in_place
from controller.vision.board.drift import Settled, settle
from controller.vision.counting.appearance import encode
from controller.vision.geometry.board_grid import BoardGrid, ground_grid, moved, surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.amounts import amount, pairs
from tests.rows import each_row
from tests.vision.boards import frames, learned, picture, seen_from, tilted, with_arm

# Equally light, BGR.
GREEN, AS_LIGHT_BROWN = (40, 150, 60), (40, 97, 164)
NAMES = ("board1_002", "board3_002", "board6_000")


def board_of(name: str) -> Board:
    return learned(frames()[name].board)


def pushed(name: str, x_mm: float, y_mm: float, turn: float = 0.0) -> Reading:
    """What is read of a picture in which the board was pushed and turned."""
    board = board_of(name)
    there = moved(board.camera, x_mm, y_mm, turn)
    return read_board(seen_from(picture(name), board.camera, there), board)


@cache
def in_place(name: str) -> Reading:
    """What is read of a picture as it is."""
    return read_board(picture(name), board_of(name))


def shown_by(camera: CameraModel, flat: Picture, grid: BoardGrid) -> Picture:
    """How a camera sees a flat picture that lies on a grid."""
    columns, rows = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    there = camera.to_board(np.stack([columns, rows], axis=-1).reshape(-1, 2).astype(float), 0.0)
    x, y = (there[:, axis].reshape(camera.height, camera.width) for axis in (0, 1))
    ways = (grid.column(x).astype(np.float32), grid.row(y).astype(np.float32))
    return np.asarray(cv2.remap(flat, *ways, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def settled(image: Picture, board: Board) -> Settled:
    grid = surface_grid(board.geometry)
    return settle(image, board, grid, board.appearance.bare_surface(board.geometry))


PUSHES = [(-50, -50), (-140, 30), (0, 62), (88, 0)]


@each_row("name, push", pairs(NAMES, amount(PUSHES, [(44, 5), (100, -20), *PUSHES])))
def test_a_board_that_was_moved_by_a_point_or_more_is_told_with_how_far(
    name: str, push: tuple[float, float]
) -> None:
    reading = pushed(name, *push, turn=0.02)
    assert reading.fault == "moved"
    assert reading.displacement is not None
    assert reading.displacement.shift_mm == pytest.approx(float(np.hypot(*push)), abs=8)
    assert reading.unsure == frozenset(range(1, 25))
    assert not reading.hand


@each_row("name, push", pairs(NAMES, [(0, 0, 0.0), (12, -9, 0.02), (-20, 20, -0.01), (28, 4, 0.0)]))
def test_a_nudge_is_followed_as_ever(name: str, push: tuple[float, float, float]) -> None:
    reading, before = pushed(name, *push), in_place(name)
    assert reading.fault is None
    wrong = {p for p in range(1, 25) if reading.points[p - 1] != before.points[p - 1]}
    assert not wrong - reading.unsure - before.unsure


@each_row("name, push", pairs(NAMES, [(0, 0), (15, -10)]))
def test_a_board_that_was_turned_round_is_told(name: str, push: tuple[float, float]) -> None:
    assert pushed(name, *push, turn=np.pi + 0.01).fault == "turned"


@each_row("name, degrees", pairs(NAMES, [3.0, -4.0]))
def test_a_camera_that_was_tilted_is_told(name: str, degrees: float) -> None:
    board = board_of(name)
    image = seen_from(picture(name), board.camera, tilted(board.camera, degrees, nearer=0.04))
    assert read_board(image, board).fault == "tilted"


def test_another_board_is_told() -> None:
    board, other = board_of("board1_002"), picture("board6_000")
    size = board.camera.width, board.camera.height
    assert read_board(np.asarray(cv2.resize(other, size), np.uint8), board).fault == "other_board"


def test_a_place_that_looks_alike_only_from_afar_is_not_where_the_board_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    board = board_of("board1_002")
    stands_elsewhere = displacement._stands_elsewhere

    def blunt(image: Picture, board: Board) -> list[displacement.Stand]:
        return [
            replace(one, settled=replace(one.settled, drift=replace(one.settled.drift, sharpness=0.1)))
            for one in stands_elsewhere(image, board)
        ]

    monkeypatch.setattr(displacement, "_stands_elsewhere", blunt)
    image = seen_from(picture("board1_002"), board.camera, moved(board.camera, 88, 0, 0.0))
    found = explain_picture(image, board, settled(image, board)).displacement
    assert found is None or found.kind == "other_board"


def test_an_empty_picture_is_no_other_board() -> None:
    board = board_of("board1_002")
    assert read_board(np.full_like(picture("board1_002"), 90), board).fault == "no_board"


@each_row("name", NAMES)
def test_the_explanations_of_a_picture_sum_to_one(name: str) -> None:
    board = board_of(name)
    for image in (picture(name), seen_from(picture(name), board.camera, moved(board.camera, 70, 0, 0.0))):
        explained = explain_picture(image, board, settled(image, board))
        assert sum(explained.chances.values()) == pytest.approx(1)
        assert max(explained.chances.values()) > 0.9


@each_row("name", NAMES)
def test_a_board_in_its_place_is_known_at_a_glance(name: str) -> None:
    board = board_of(name)
    assert is_plainly_in_place(picture(name), board, settled(picture(name), board))


def test_an_arm_over_the_board_does_not_move_it() -> None:
    board = board_of("board1_002")
    reading = read_board(with_arm(picture("board1_002"), -100.0, -1, 60.0), board)
    assert reading.fault is None
    assert reading.hand


@each_row("name", amount(NAMES[::2], NAMES))
def test_a_board_is_read_where_it_was_found(name: str) -> None:
    reading = pushed(name, 70, -30, turn=0.03)
    assert reading.elsewhere is not None
    board = replace(board_of(name), camera=reading.elsewhere)
    there = moved(board_of(name).camera, 70, -30, 0.03)
    again = read_board(seen_from(picture(name), board_of(name).camera, there), board)
    before = in_place(name)
    wrong = {p for p in range(1, 25) if again.points[p - 1] != before.points[p - 1]}
    assert not wrong - again.unsure - before.unsure


def test_points_that_differ_from_the_ground_in_colour_alone_are_found_under_dark_checkers() -> None:
    board = learned("board1")
    ground = ground_grid(board.geometry)
    bare = np.full((ground.rows, ground.columns, 3), GREEN, np.uint8)
    for left in (20, 50, 95, 150, 180, 260, 300, 330):
        bare[left // 2 : left // 2 + 60, left : left + 12] = AS_LIGHT_BROWN
    laid = bare.copy()
    for row, column in np.random.default_rng(5).integers(
        (10, 10), (ground.rows - 10, ground.columns - 10), (40, 2)
    ):
        cv2.circle(laid, (int(column), int(row)), 9, (10, 10, 10), -1)
    look = replace(board.appearance, bare_jpeg=encode(bare))
    plain = replace(board, appearance=look)
    x_mm, y_mm = 60.0, -24.0
    there = moved(board.camera, x_mm, y_mm, 0.0)
    best = displacement._best_poses(shown_by(there, laid, ground), plain)[0]
    assert (best.x_mm, best.y_mm) == pytest.approx((x_mm, y_mm), abs=8)
