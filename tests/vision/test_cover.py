"""Hands over the board, told from dice and glare."""

import cv2
import numpy as np

from controller.vision.cover import find_cover
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Picture, surface_sheet
from controller.vision.strays import Strays

BOARD = BoardGeometry("right", 44.0, 50.0, 470.0, 41.5, 40.0, 12.0)
SHEET = surface_sheet(BOARD)
NOTHING = np.zeros((SHEET.rows, SHEET.columns), np.uint8)


def blob(x_mm: float, y_mm: float, width_mm: float, height_mm: float) -> Picture:
    mask = NOTHING.copy()
    low = round(SHEET.column(x_mm - width_mm / 2)), round(SHEET.row(y_mm - height_mm / 2))
    high = round(SHEET.column(x_mm + width_mm / 2)), round(SHEET.row(y_mm + height_mm / 2))
    cv2.rectangle(mask, low, high, 1, -1)
    return mask


def test_an_empty_board_is_covered_by_nothing() -> None:
    cover = find_cover(Strays(NOTHING, NOTHING), BOARD, SHEET)
    assert not cover.hand
    assert cover.points == frozenset()


def test_a_hand_over_a_point_hides_that_point_and_leaves_the_far_ones() -> None:
    x = BOARD.column_x(4)
    cover = find_cover(Strays(blob(x, -150, 70, 160), NOTHING), BOARD, SHEET)
    assert cover.hand
    assert 4 in cover.points
    assert not cover.points & {7, 8, 9, 10, 11, 12, 13, 19, 20, 21, 22}


def test_two_dice_are_no_hand() -> None:
    dice = blob(60, 0, 15, 15) | blob(90, 20, 15, 15)
    assert not find_cover(Strays(dice, NOTHING), BOARD, SHEET).hand


def test_a_narrow_streak_is_no_hand() -> None:
    assert not find_cover(Strays(blob(100, 0, 16, 220), NOTHING), BOARD, SHEET).hand


def test_glare_is_no_hand() -> None:
    lamp = blob(120, 40, 90, 90)
    assert not find_cover(Strays(lamp, lamp), BOARD, SHEET).hand
