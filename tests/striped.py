"""Pictures that carry a number in broad stripes, for films whose readings are scripted."""

from typing import cast

import numpy as np

from controller.arrays import Picture
from controller.vision.board.board import Board
from controller.vision.counting.appearance import Appearance
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

BOARD = Board(
    CameraModel(160, 128, 160.0, 0.0, 0.0, (0.0, np.pi, 0.0), (0.0, 0.0, 700.0)),
    BoardGeometry("right", 44.0, 44.0, 430.0, 41.0, 40.0, 9.0),
    cast(Appearance, None),
)
"""What the pictures show is scripted, so how the board looks does not matter."""


def picture_of(number: int) -> Picture:
    """A picture with a number in eight broad stripes, one for each bit: others differ in much of the board."""
    bits = [255 * (number >> bit & 1) for bit in range(8)]
    return np.asarray(np.tile(np.repeat(bits, 20)[None, :, None], (128, 1, 3)), np.uint8)


def number_in(picture: Picture) -> int:
    """The number that `picture_of` put into a picture."""
    return sum(1 << bit for bit in range(8) if picture[64, 20 * bit + 10, 0] > 127)
