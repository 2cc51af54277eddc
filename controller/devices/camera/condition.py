"""What is the matter with the pictures of a camera that does give some."""

from typing import Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin
from controller.devices.camera.status import CameraCode

STEP: Final = 8
"""Every so many-th pixel is looked at, across and down."""
FROZEN_S: Final = 1.5
FROZEN_PICTURES: Final = 4
"""Pictures that repeat themselves do so for that long, and so many times at least."""
DARK_S: Final = 1.5
DARK_LEVEL: Final = 12
BRIGHT_SHARE: Final = 0.01
"""Pictures are black if no more than this share of them reaches that level (of 255)."""


class Condition:
    """Follows the pictures of one camera. Pure: each comes with its time in seconds.

    A sensor has noise, so the same bytes again for `FROZEN_S` seconds are a driver that repeats itself. Streams are
    compressed and may repeat a scene at rest, films may do anything.
    """

    def __init__(self, origin: PictureOrigin) -> None:
        """No picture has come yet."""
        self._noisy = origin is PictureOrigin.DEVICE
        self._last: Picture | None = None
        self._since, self._repeats = 0.0, 0
        self._dark_since: float | None = None

    def flaw(self, picture: Picture, t_s: float) -> CameraCode | None:
        """What is the matter after one more picture, which must not change any more: `DARK`, `FROZEN`, or nothing.

        Black pictures of some cameras are the same to the last bit; that is the cover on the lens all the same.
        """
        frozen = self._is_frozen(picture, t_s)
        if self._is_dark(picture[::STEP, ::STEP], t_s):
            return CameraCode.DARK
        return CameraCode.FROZEN if frozen else None

    def _is_frozen(self, picture: Picture, t_s: float) -> bool:
        if not self._noisy:
            return False
        if self._last is None or not _same(self._last, picture):
            self._last, self._since, self._repeats = picture, t_s, 0
            return False
        self._repeats += 1
        return self._repeats >= FROZEN_PICTURES and t_s - self._since >= FROZEN_S

    def _is_dark(self, few: Picture, t_s: float) -> bool:
        blue, green, red = cv2.split(few)
        brightest = np.asarray(cv2.max(cv2.max(blue, green), red))
        if (brightest >= DARK_LEVEL).mean() > BRIGHT_SHARE:
            self._dark_since = None
            return False
        if self._dark_since is None:
            self._dark_since = t_s
        return t_s - self._dark_since >= DARK_S


def _same(one: Picture, other: Picture) -> bool:
    """Whether two pictures agree to the last bit; most that do not are told apart by few pixels."""
    few = np.array_equal(one[::STEP, ::STEP], other[::STEP, ::STEP])
    return few and np.array_equal(one, other)
