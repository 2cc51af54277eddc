"""How coarsely a picture was packed, and how often dice are misread in it, however clear a number seems.

JPEG and video pack pictures in blocks and round what is in each. Pips are the first to suffer: of a small die in a
coarse picture another number may be left, sharp and clear. No look at the face tells, and the next picture shows the
same; but the edges of the blocks show how coarse the rounding was.
"""

from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike

from controller.arrays import Picture
from controller.vision.dice.patches import Sight
from controller.vision.dice.touching import WIDE_MM
from controller.vision.dice.views import DIE_VIEW
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.camera import CameraModel

BLOCK: Final = 8
"""Blocks have so many pixels along each side."""
ENOUGH_PX: Final = 1024
"""A part so high and wide tells as much as a whole picture; one of 12 megapixels takes twenty times as long."""
RATE, USUAL_PX, MOST = fitted("coarse", "rate", "usual_px", "most")


def misread_share(sight: Sight) -> float:
    """How many dice that show a number clearly are misread in such a picture, as a share of them."""
    return share_of_misread(block_jump(sight.picture), _die_pixels(sight.camera))


def share_of_misread(jump: float, die_px: float) -> float:
    """The same where brightness jumps by so many grey levels at blocks, and dice are so many pixels wide."""
    return min(MOST, RATE * max(jump, 0.0) ** 2 * (USUAL_PX / die_px) ** 3)


def _die_pixels(camera: CameraModel) -> float:
    """How many pixels wide a usual die is in the middle of the board."""
    ends = np.array([[-WIDE_MM / 2, 0.0, DIE_VIEW.height_mm], [WIDE_MM / 2, 0.0, DIE_VIEW.height_mm]])
    left, right = camera.project(ends)
    return float(np.hypot(*(right - left)))


def block_jump(picture: Picture) -> float:
    """By how many grey levels brightness differs more at the edges of blocks than at other places.

    Wherever the blocks begin: a picture may have been cut out of a larger one.
    """
    grey = cv2.cvtColor(_middle_of(picture), cv2.COLOR_BGR2GRAY)
    return (_jump_across(grey) + _jump_across(cv2.transpose(grey))) / 2


def _middle_of(picture: Picture) -> Picture:
    """As much about the middle of a picture as is worth measuring."""
    top, left = (max(0, (size - ENOUGH_PX) // 2) for size in picture.shape[:2])
    return picture[top : top + ENOUGH_PX, left : left + ENOUGH_PX]


def _jump_across(grey: MatLike) -> float:
    """The same from column to column."""
    steps = cv2.reduce(cv2.absdiff(grey[:, 1:], grey[:, :-1]), 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    if steps.size < BLOCK:
        return 0.0
    levels = np.array([steps[first::BLOCK].mean() for first in range(BLOCK)])
    return float((levels.max() - levels.mean()) * BLOCK / (BLOCK - 1))
