"""How large dice are in the pictures of a board, and how many rolls that leaves to be asked for."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.vision.board.board import Board
from controller.vision.fitted.last_layer import LOOSELY, LastLayer

DIE_SHARE: Final = 0.36
"""A die's width in widths of a point: 15 mm to 42 mm, as hardware_docs/camera.md reckons."""
ASKED: Final = ((7, 2), (9, 4), (14, 10))
"""Below so many pixels about one roll in so many is not read right with 90 % or more. Of pairs of dice on 28 rendered
boards, at up to three sizes each, 25 of 38 were not below 7 pixels, 26 of 96 below 9, 18 of 164 below 14. Of larger
ones it is 9 of 101, all of them read right: there the dice themselves are the cause, and more pixels no remedy."""
WIDE: Final = 1920
"""Most cameras give pictures so wide."""
LOOSE_PX: Final = 9.0
"""What dice of fewer pixels taught is not used if the weights were held loosely. On 105 painted tables with dice of 6
to 9 pixels it told 60 of 3,196 dice wrong with 90 % or more, for 45 without it; on 181 with larger ones 18 of 5,650,
for 22."""


@dataclass(frozen=True, slots=True)
class DiceSize:
    """How wide a die is in pictures of a board.

    Attributes:
        pixels: its width.
        rolls: one roll in so many will have to be asked for; None where that is seldom.
        larger: whether the camera may give larger pictures.
    """

    pixels: int
    rolls: int | None
    larger: bool


def dice_size(board: Board) -> DiceSize:
    """The size of dice in the middle of a board."""
    pixels = round(die_pixels(board))
    rolls = next((rolls for below, rolls in ASKED if pixels < below), None)
    return DiceSize(pixels, rolls, board.camera.width < WIDE)


def known_dice(board: Board) -> LastLayer | None:
    """What was learned of a table's own dice; None where nothing was, or nothing that may be used."""
    return None if passes_over_dice(board) else board.dice


def passes_over_dice(board: Board) -> bool:
    """Whether something was learned of a table's own dice, by an older version, that must not be used."""
    layer = board.dice
    return layer is not None and layer.held <= LOOSELY and die_pixels(board) < LOOSE_PX


def die_pixels(board: Board) -> float:
    """How many pixels wide a die is in the middle of a board."""
    half = board.geometry.pitch_mm / 2
    left, right = board.camera.project(np.array([[-half, 0.0, 0.0], [half, 0.0, 0.0]]))
    return float(np.hypot(*(right - left))) * DIE_SHARE
