"""When a still is asked for, and what becomes of it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.app.closer.fit import Framing, fit_still
from controller.arrays import Picture
from controller.devices.camera.stills import StillCamera, StillTaken
from controller.vision import Reading
from controller.vision.reader import SURE
from controller.vision.reading import DieSeen

_LOGGER: Final = logging.getLogger(__name__)

LATE_S: Final = 6.0
"""A still that is not there after this time is not waited for: a phone needs one or two seconds."""
CLEAR_PX: Final = 14.0
"""Dice as wide as this in the usual pictures are looked at closer only where they are in doubt: of 101 pairs on 28
rendered boards none was misread."""
SMALL_PX: Final = 8.0
"""Of smaller dice the usual pictures show next to nothing, and a still tells their numbers alone. Of larger ones
both tell, on average. On six rendered boards, of 44 rolls below 6 pixels 3 were told in the usual pictures, 11 with
both on average, 33 by the still alone; below 8 it was 42, 46, 48 of 59, and of larger ones 64, 65, 60 of 73."""
STOPS: Final = 2
"""How many stops darker, or lighter, a second exposure is."""
BURNT: Final = 250
BURNT_SHARE: Final = 0.03
"""A die is burnt out if so much of it is as bright as that: a pip is 0.02 of a face."""
DARK: Final = 45
"""A die is dark if most of it is no brighter."""
SAME_PX: Final = 4.0
"""A die that lies no further from where one lay is that one."""


@dataclass(frozen=True, slots=True, eq=False)
class CloserPicture:
    """A picture to read dice in; ``beside`` what was read before, where that tells as much."""

    picture: Picture
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Pending:
    """A still that was asked for: the number of the wish, its exposure, and until when it serves."""

    number: int
    stops: int
    until_s: float


class Closer:
    """Asks a camera for stills of dice that lie at rest; for the thread that looks.

    In each scene one is asked for, if dice lie there that were not looked at so before, or are in doubt; and where it
    leaves a doubt another one, exposed otherwise. What comes after something has moved is let go of.
    """

    def __init__(self, camera: StillCamera, die_px: float, clock: Callable[[], float]) -> None:
        """Nothing was asked for. ``die_px``: how wide dice are in usual pictures; ``clock``: monotonic seconds."""
        self._camera, self._clock = camera, clock
        self._die_px = die_px
        self._pending: Pending | None = None
        self._asked: set[bool] = set()
        self._scene: object = None
        self._seen: tuple[DieSeen, ...] = ()
        self._framing: Framing | None = None
        self._refused = False
        self._newest: Picture | None = None

    def forget(self) -> None:
        """Something moves, or no picture came: whatever is on its way shows another scene."""
        if self._pending is not None:
            _LOGGER.info("A still is let go of: something has moved, or was lost, before it came.")
        self._pending, self._scene, self._newest = None, None, None
        self._asked = set()

    def ask(self, reading: Reading, usual: Picture) -> None:
        """Ask for what is needed now that this was read in a usual picture."""
        if self._is_waiting() or self._camera.still_size is None or reading.hand or not reading.recognised:
            return
        if False not in self._asked:
            if self._is_worth_it(reading):
                self._ask(0)
        elif True not in self._asked and self._newest is not None and _is_doubtful(reading.dice):
            self._ask(_other_exposure(reading.dice, usual, self._die_px))

    def follow(self, scene: object) -> None:
        """The pictures show this scene now, which is the same one as long as nothing moves."""
        if scene is not self._scene:
            self.forget()
            self._scene = scene

    def collect(self, usual: Picture) -> CloserPicture | None:
        """The still that was asked for in this scene, if it has come and shows what the usual one shows."""
        taken = self._camera.collect_still()
        pending = self._pending
        if taken is None or pending is None or taken.wish.number != pending.number:
            return None
        self._pending = None
        return self._fitted(taken, usual)

    def looked(self, reading: Reading) -> None:
        """This was read in a still."""
        self._seen = reading.dice

    def _fitted(self, taken: StillTaken, usual: Picture) -> CloserPicture | None:
        fitted = None if taken.picture is None else fit_still(taken.picture, usual, self._framing)
        if fitted is None:
            if taken.picture is not None and not self._refused:
                _LOGGER.warning("A still does not show what the pictures show, and is not used.")
            self._refused = self._refused or taken.picture is not None
            return None
        self._refused, self._framing = False, fitted.framing
        self._newest = fitted.picture
        return CloserPicture(fitted.picture, beside=taken.wish.stops != 0 or self._die_px >= SMALL_PX)

    def _is_waiting(self) -> bool:
        return self._pending is not None and self._clock() < self._pending.until_s

    def _is_worth_it(self, reading: Reading) -> bool:
        """Whether there are dice to look at closer, and they were not looked at before."""
        if not reading.dice:
            return False
        if _is_doubtful(reading.dice):
            return True
        return self._die_px < CLEAR_PX and not all(self._is_known(die) for die in reading.dice)

    def _is_known(self, die: DieSeen) -> bool:
        return any(
            other.value == die.value and np.hypot(other.x - die.x, other.y - die.y) <= SAME_PX
            for other in self._seen
        )

    def _ask(self, stops: int) -> None:
        self._asked.add(stops != 0)
        self._pending = Pending(self._camera.ask_still(stops), stops, self._clock() + LATE_S)


def _is_doubtful(dice: tuple[DieSeen, ...]) -> bool:
    """Whether a number is not sure, or a die was overlooked: nobody rolls one or three."""
    return len(dice) % 2 == 1 or min((die.confidence for die in dice), default=1.0) < SURE


def _other_exposure(dice: tuple[DieSeen, ...], usual: Picture, die_px: float) -> int:
    """How many stops to expose otherwise: lighter where all dice are dark and none is burnt out, else darker.

    A lamp that is mirrored in a small die is spread over pixels that are not burnt out any more.
    """
    half = max(2, round(die_px / 2))
    looks = [_about(usual, die, half) for die in dice]
    if any((look.max(axis=2) >= BURNT).mean() > BURNT_SHARE for look in looks):
        return -STOPS
    return STOPS if all(float(np.median(look)) < DARK for look in looks) else -STOPS


def _about(picture: Picture, die: DieSeen, half: int) -> Picture:
    x, y = round(die.x), round(die.y)
    return picture[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1]
