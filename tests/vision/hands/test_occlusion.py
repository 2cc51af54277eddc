"""Hands over the board, told from checkers, dice and glare, and the points they hide."""

import numpy as np
import pytest

from controller.arrays import Float32Array
from controller.demo.preparing import prepare
from controller.rules.position import START
from controller.simulation.boards.arranging import arrange
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.hands.occlusion import CELL, find_occlusion, judge_occlusion, point_shares
from controller.vision.hands.overview import COLUMNS, ROWS, STEP_MM
from controller.vision.reader import read_board
from tests.rows import each_row
from tests.vision.boards import frames, learned, picture, with_arm

BOARD = BoardGeometry("right", 44.0, 50.0, 470.0, 41.5, 40.0, 12.0)
RAIL_MM = 210.0
"""How far from the middle a cube lies on the bar at a player's rail."""


def hidden(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Float32Array:
    """Cells of which a rectangle about a place on the board hides its share."""
    fine = np.zeros((ROWS, COLUMNS), np.float32)
    x, y = x_mm / STEP_MM + COLUMNS / 2, y_mm / STEP_MM + ROWS / 2
    left, right = round(x - width_mm / 2 / STEP_MM), round(x + width_mm / 2 / STEP_MM)
    top, bottom = round(y - height_mm / 2 / STEP_MM), round(y + height_mm / 2 / STEP_MM)
    fine[max(top, 0) : bottom, max(left, 0) : right] = 1
    return np.asarray(fine.reshape(ROWS // CELL, CELL, COLUMNS // CELL, CELL).mean(axis=(1, 3)), np.float32)


def test_an_empty_board_is_covered_by_nothing() -> None:
    occlusion = judge_occlusion(np.zeros((ROWS // CELL, COLUMNS // CELL), np.float32), BOARD)
    assert not occlusion.hand
    assert occlusion.points == frozenset()


@each_row("point", range(1, 25))
def test_a_hand_over_a_point_hides_it_and_not_the_other_side(point: int) -> None:
    occlusion = judge_occlusion(hidden(BOARD.column_x(point), BOARD.side_of(point) * 150.0, 80, 170), BOARD)
    assert occlusion.hand
    assert point in occlusion.points
    assert 25 - point not in occlusion.points
    assert len(occlusion.points) <= 4


def test_what_is_smaller_than_a_finger_is_no_hand() -> None:
    assert not judge_occlusion(hidden(60, 0, 25, 25), BOARD).hand


def test_a_hand_beside_the_board_is_none_over_it() -> None:
    assert not judge_occlusion(hidden(0, 285, 100, 40), BOARD).hand


def test_a_finger_tip_is_a_hand_when_the_rest_of_it_is_over_the_rail() -> None:
    tip = hidden(60, 225, 20, 40)
    assert not judge_occlusion(tip, BOARD).hand
    assert judge_occlusion(np.maximum(tip, hidden(60, 270, 70, 60)), BOARD).hand


def test_a_cube_that_is_seen_there_is_no_hand_and_hides_none() -> None:
    about = hidden(90, 0, 70, 60)
    assert judge_occlusion(about, BOARD).hand
    assert not judge_occlusion(about, BOARD, (85.0, 8.0)).hand
    assert judge_occlusion(about, BOARD, (90.0, 120.0)).hand
    arm = hidden(90, 120, 80, 250)
    assert judge_occlusion(np.maximum(about, arm), BOARD, (85.0, 8.0)).hand


@each_row("y_mm", [0.0, RAIL_MM, -RAIL_MM])
def test_what_lies_where_the_cube_mostly_lies_is_no_hand_though_no_cube_was_told_there(y_mm: float) -> None:
    about = hidden(0, y_mm, 80, 60)
    assert not judge_occlusion(about, BOARD).hand
    assert judge_occlusion(about, BOARD, (0.0, 60.0)).hand
    arm = hidden(0, y_mm + np.copysign(120, y_mm), 80, 250)
    assert judge_occlusion(np.maximum(about, arm), BOARD).hand


def test_a_board_whose_vivid_cube_was_taken_for_a_hand_is_played_on() -> None:
    table = prepare(22)
    rng = np.random.default_rng(1)
    shown = table.painter.paint(arrange(table.setting, START, rng), rng).picture
    reading = read_board(shown, table.board)
    assert (reading.hand, reading.points) == (False, START.points)


def test_each_point_lies_in_cells_of_its_own_side() -> None:
    shares = point_shares(BOARD)
    assert shares.sum(axis=(1, 2)) == pytest.approx(np.ones(24), abs=1e-5)
    middle = ROWS // CELL // 2
    assert not shares[:12, middle + 1 :].any()
    assert not shares[12:, :middle].any()


@each_row("name", [name for name in frames() if not frames()[name].truth.get("hand")])
def test_on_boards_without_a_hand_none_is_imagined(name: str) -> None:
    board = learned(frames()[name].board)
    assert not find_occlusion(picture(name), board.camera, board).hand


@each_row("point", [3, 4, 10, 16, 21])
@each_row("skin", [(150, 180, 228), (50, 75, 120)])
def test_an_arm_that_reaches_over_a_point_is_noticed(point: int, skin: tuple[int, int, int]) -> None:
    board = learned("board1")
    side, x = board.geometry.side_of(point), board.geometry.column_x(point)
    image = with_arm(picture("board1_002"), x, side, side * 90.0, skin)
    occlusion = find_occlusion(image, board.camera, board)
    assert occlusion.hand
    assert point in occlusion.points


def test_a_reflection_that_hides_much_but_little_surely_is_no_hand_unless_an_arm_leads_to_it() -> None:
    wide, spot = 0.6 * hidden(60, 150, 120, 120), hidden(50, 150, 20, 20)
    assert not judge_occlusion(wide, BOARD).hand
    assert not judge_occlusion(np.maximum(wide, spot), BOARD).hand
    arm = 0.6 * hidden(60, 280, 100, 100)
    assert judge_occlusion(np.maximum(np.maximum(wide, spot), arm), BOARD).hand


def test_a_cup_that_stands_on_the_board_hides_it_without_an_arm() -> None:
    assert judge_occlusion(hidden(60, 60, 70, 70), BOARD).hand
