"""What is said of how large dice are in the pictures of a board."""

from dataclasses import replace

import numpy as np

from controller.vision import Board
from controller.vision.dice.dice_size import ASKED, dice_size, known_dice
from controller.vision.fitted.last_layer import LastLayer
from tests.rows import each_row
from tests.vision.boards import learned


def smaller(share: float) -> Board:
    board = learned("board1")
    size = round(board.camera.width * share), round(board.camera.height * share)
    return replace(board, camera=board.camera.resized(*size))


def test_a_die_is_as_wide_as_its_share_of_the_picture() -> None:
    whole, half = dice_size(smaller(1)), dice_size(smaller(0.5))
    assert abs(whole.pixels - 2 * half.pixels) <= 1


@each_row(("share", "rolls"), [(2.0, None), (0.7, 10), (0.5, 4), (0.3, 2)])
def test_the_smaller_dice_are_the_more_rolls_are_asked_for(share: float, rolls: int | None) -> None:
    size = dice_size(smaller(share))
    assert size.rolls == rolls
    assert (rolls is None) == (size.pixels >= ASKED[-1][0])


def test_larger_pictures_are_only_advised_where_there_may_be_some() -> None:
    assert dice_size(smaller(0.5)).larger
    assert not dice_size(smaller(2)).larger


def test_what_tiny_dice_taught_loosely_is_not_used() -> None:
    loose, firm = (LastLayer.from_weights("0123", np.zeros((7, 3)), held) for held in (0.01, 0.04))
    large, small = smaller(1), smaller(0.5)
    assert known_dice(large) is None
    assert known_dice(replace(large, dice=loose)) == loose
    assert known_dice(replace(small, dice=loose)) is None
    assert known_dice(replace(small, dice=firm)) == firm
