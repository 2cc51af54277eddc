"""The coarse look at a board: the same board whatever the picture's size, the bare board laid beside it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.vision.geometry.board_grid import ground_grid
from controller.vision.hands.overview import (
    COLUMNS,
    EDGE,
    GAP_SCALE,
    HEIGHT_MM,
    LAYERS,
    ROWS,
    BareView,
    bare_view,
    layers,
    look_over,
    overview_grid,
    plan,
)
from tests.vision.boards import learned, picture


def enlarged(image: Picture, times: int) -> Picture:
    return np.asarray(np.repeat(np.repeat(image, times, axis=0), times, axis=1), np.uint8)


@pytest.mark.parametrize("times", [2, 4])
def test_a_finer_picture_of_the_same_gives_the_same_look(times: int) -> None:
    camera, image = learned("board1").camera, picture("board1_002")
    finer = replace(
        camera, width=times * camera.width, height=times * camera.height, focal=times * camera.focal
    )
    gap = cv2.absdiff(look_over(image, camera), look_over(enlarged(image, times), finer))
    assert float(gap.mean()) < 0.5


def test_the_look_has_the_grid_of_every_board() -> None:
    assert look_over(picture("board1_002"), learned("board1").camera).shape == (ROWS, COLUMNS, 3)


def test_the_bare_board_lies_where_a_camera_aslant_sees_it_at_the_height_of_hands() -> None:
    board = learned("board1")
    ground = ground_grid(board.geometry)
    view = bare_view(board.appearance, board.camera, board.geometry)
    smooth = np.asarray(cv2.blur(board.appearance.bare, (3, 3)), np.uint8)
    lifted = overview_grid().lift(smooth, ground, board.camera, HEIGHT_MM)
    assert int(cv2.absdiff(view.picture, lifted)[view.known].max()) <= 12
    assert float(cv2.absdiff(view.picture, lifted)[view.known].mean()) < 0.5


def test_all_of_the_learned_ground_is_known_but_its_edge_and_nothing_beyond() -> None:
    board = learned("board1")
    grid, ground = overview_grid(), ground_grid(board.geometry)
    rows, columns = bare_view(board.appearance, board.camera, board.geometry).known
    eye = board.camera.centre_mm
    away = eye[2] / (eye[2] - HEIGHT_MM)
    x = eye[0] + away * (grid.x_mm - eye[0])
    y = eye[1] + away * (grid.y_mm - eye[1])
    inside_x = (ground.column(x) >= EDGE) & (ground.column(x) <= ground.columns - 1 - EDGE)
    inside_y = (ground.row(y) >= EDGE) & (ground.row(y) <= ground.rows - 1 - EDGE)
    assert list(range(COLUMNS))[columns] == np.flatnonzero(inside_x).tolist()
    assert list(range(ROWS))[rows] == np.flatnonzero(inside_y).tolist()


def test_where_the_bare_board_is_not_known_nothing_differs_from_it() -> None:
    board = learned("board1")
    now = look_over(picture("board1_002"), board.camera)
    black = np.zeros((ROWS, COLUMNS, 3), np.uint8)
    doubt = np.full((ROWS, COLUMNS), 200, np.uint8)
    known = (slice(10, 20), slice(30, 50))
    shown = layers(now, BareView(black, doubt, known), board.appearance, board.geometry)
    assert shown.shape == (LAYERS, ROWS, COLUMNS)
    outside = np.ones((ROWS, COLUMNS), bool)
    outside[known] = False
    assert not shown[6][outside].any()
    assert not shown[7][outside].any()
    assert (shown[:3, outside] == shown[3:6, outside]).all()
    assert shown[6][known] == pytest.approx(now[known].max(axis=2) / GAP_SCALE, rel=1e-6)
    assert (shown[3:6][:, *known] == -1).all()


def test_the_plan_shows_both_halves_and_the_bar_between_them() -> None:
    shown = plan(learned("board1").geometry)
    assert shown[ROWS // 2, COLUMNS // 2] == 0.5
    assert shown[ROWS // 2, COLUMNS // 2 - 30] == shown[ROWS // 2, COLUMNS // 2 + 30] == 1
    assert not shown[0].any()
    assert not shown[:, 0].any()
