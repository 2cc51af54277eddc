"""Whether the pictures of a camera are worth looking at: not black, not one and the same over and over."""

from typing import Final

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.status import CameraCode

STEP: Final = 8
"""Every so many-th pixel is looked at, across and down."""
FROZEN_S: Final = 5.0
FROZEN_PICTURES: Final = 10
DARK_S: Final = 2.0
DARK_LEVEL: Final = 12
BRIGHT_SHARE: Final = 0.01
"""Pictures are black if no more than this share of them reaches that level (of 255)."""


class Condition:
    """Follows the pictures of one camera. Pure: each comes with its time in seconds.

    A sensor has noise, so the same bytes again for `FROZEN_S` seconds are a driver that repeats itself.
    """

    def __init__(self, *, live: bool) -> None:
        """Pictures that are not `live` may repeat themselves."""
        self._live = live
        self._last: Picture | None = None
        self._since, self._repeats = 0.0, 0
        self._dark_since: float | None = None

    def flaw(self, picture: Picture, t_s: float) -> CameraCode | None:
        """What is the matter after one more picture: `FROZEN`, `DARK`, or nothing."""
        few = picture[::STEP, ::STEP].copy()
        if self._is_frozen(few, t_s):
            return CameraCode.FROZEN
        return CameraCode.DARK if self._is_dark(few, t_s) else None

    def _is_frozen(self, few: Picture, t_s: float) -> bool:
        if self._last is None or not np.array_equal(self._last, few):
            self._last, self._since, self._repeats = few, t_s, 0
            return False
        self._repeats += 1
        return self._live and self._repeats >= FROZEN_PICTURES and t_s - self._since >= FROZEN_S

    def _is_dark(self, few: Picture, t_s: float) -> bool:
        if (few >= DARK_LEVEL).any(axis=2).mean() > BRIGHT_SHARE:
            self._dark_since = None
            return False
        if self._dark_since is None:
            self._dark_since = t_s
        return t_s - self._dark_since >= DARK_S
