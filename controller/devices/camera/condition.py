"""What is the matter with the pictures of a camera that does give some."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.arrays import Mask, Picture
from controller.devices.camera.camera import PictureOrigin
from controller.devices.camera.status import CameraCode

STEP: Final = 8
"""Step between the pixels that are looked at, across and down."""
FROZEN_S: Final[Mapping[PictureOrigin, float]] = {
    PictureOrigin.DEVICE: 1.5,
    PictureOrigin.STILLS: 3.0,
    PictureOrigin.PHONE: 3.0,
    PictureOrigin.STREAM: 20.0,
}
"""Pictures that repeat themselves do so for that long. A sender may give each picture of a slow sensor several times.
One that tells what has changed repeats a scene at rest until its next whole picture, up to 10 s later.
"""
FROZEN_PICTURES: Final = 4
"""And at least this many times."""
DARK_S: Final = 1.5
DARK_LEVEL: Final = 12
BRIGHT_SHARE: Final = 0.01
"""Pictures are black if no more than this share of them reaches that level (of 255)."""
INCOMPLETE_S: Final = 1.5
"""For how long no picture has been complete."""
MISSING_SHARE: Final = 0.1
"""A picture without so much of it is not used; where less is missing, no board lies."""
ALIVE_SHARE: Final = 0.9
"""This many of the rows above differ from the picture before, if what is below them is missing and not at rest."""
CLIPPED: Final = (16, 239)
"""What is darker or brighter may be the same everywhere and all the time: a black cloth, a lamp, a black margin."""


@dataclass(frozen=True, slots=True)
class PictureState:
    """How one more picture is.

    Attributes:
        usable: whether anybody should look at it.
        flaw: what has been the matter for long enough to be reported; None if nothing.
    """

    usable: bool
    flaw: CameraCode | None = None


class Condition:
    """Follows the pictures of one camera. Pure: each comes with its time in seconds.

    A sensor has noise, so the same bytes again for a while are a driver or a sender that repeats itself; films may do
    anything. A picture whose end was lost on its way is decoded all the same. Its lower rows are grey (libjpeg), or
    green or those of the picture before (FFmpeg).
    """

    def __init__(self, origin: PictureOrigin) -> None:
        """No picture has come yet."""
        self._origin, self._frozen_s = origin, FROZEN_S.get(origin)
        self._each_alone = origin in (PictureOrigin.DEVICE, PictureOrigin.STILLS, PictureOrigin.PHONE)
        self._last: Picture | None = None
        self._before: Picture | None = None
        self._since, self._repeats = 0.0, 0
        self._dark_since: float | None = None
        self._incomplete_since: float | None = None

    def assess(self, picture: Picture, t_s: float) -> PictureState:
        """How one more picture is, which must not change any more.

        Black pictures of some cameras are the same to the last bit; that is the cover on the lens all the same.
        """
        frozen, incomplete = self._is_frozen(picture, t_s), self._is_incomplete(picture)
        if self._is_dark(picture[::STEP, ::STEP], t_s):
            return PictureState(False, CameraCode.DARK)
        if frozen:
            return PictureState(False, CameraCode.FROZEN)
        if not incomplete:
            self._incomplete_since = None
            return PictureState(True)
        if self._incomplete_since is None:
            self._incomplete_since = t_s
        lasts = t_s - self._incomplete_since >= INCOMPLETE_S
        return PictureState(False, CameraCode.INCOMPLETE if lasts else None)

    def _is_frozen(self, picture: Picture, t_s: float) -> bool:
        if self._frozen_s is None:
            return False
        if self._last is None or not _same(self._last, picture):
            self._last, self._since, self._repeats = picture, t_s, 0
            return False
        self._repeats += 1
        return self._repeats >= FROZEN_PICTURES and t_s - self._since >= self._frozen_s

    def _is_incomplete(self, picture: Picture) -> bool:
        """Whether the lower part of a picture was lost."""
        if self._origin is PictureOrigin.FILM:
            return False
        few = picture[:, ::STEP]
        before, self._before = self._before, few
        shows = ((few > CLIPPED[0]) & (few < CLIPPED[1])).any((1, 2))
        flat = (few == few[:, :1]).all((1, 2)) & shows
        if _lower(flat) >= MISSING_SHARE:
            return True
        if not self._each_alone or before is None or before.shape != few.shape:
            return False
        same = (few == before).all((1, 2))
        missing = _lower(same & shows)
        above = same[: round(len(same) * (1 - missing))]
        return MISSING_SHARE <= missing < 1 and 1 - float(above.mean()) >= ALIVE_SHARE

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


def _lower(rows: Mask) -> float:
    """Which share of all rows the lowest ones are that are all so, without a gap."""
    others = np.flatnonzero(~rows)
    return 1.0 if not others.size else 1 - (int(others[-1]) + 1) / len(rows)
