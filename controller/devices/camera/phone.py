"""A phone as the camera: its page sends pictures to the table's server, which puts them down here.

Whoever reads takes the newest and no other, so it never runs behind; what nobody took in time is replaced.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.choice import PHONE
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import LARGER, Size, StillTaken, StillWish
from controller.devices.pictures import LARGEST_PIXELS, claimed_size, decode

QUIET_S: Final = 1.5
"""A phone that sends nothing for so long is taken for lost. It sends eight pictures a second; a busy Wi-Fi holds some
of them up for half a second."""
UNDER_WAY_S: Final = 1.0
"""A picture that has been coming for so long, with no pause as long as that, comes slowly: its phone is not lost."""


class PhoneLine:
    """Where the newest picture of a phone lies. All methods may be called from any thread.

    Attributes:
        wanted: width and height of the pictures that are asked for, in pixels; None as long as any will do.
        lock: whether exposure, white balance and focus are to stay as they are.
        still: the still that the phone is to take; None where none is wanted.
        still_size: the size of those that it can take, as it says; None as long as it has not.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """No picture has come yet. ``clock`` gives monotonic seconds."""
        self._clock = clock
        self._news = threading.Condition()
        self._newest: bytes | None = None
        self._came: float | None = None
        self._begun: float | None = None
        self._heard = float("-inf")
        self._late = False
        self._still: tuple[StillWish, bytes] | None = None
        self.wanted: tuple[int, int] | None = None
        self.lock = False
        self.still: StillWish | None = None
        self.still_size: Size | None = None

    @property
    def quiet(self) -> bool:
        """Whether no phone sends anything."""
        return self._came is None or self._clock() - self._came > QUIET_S

    @property
    def slow(self) -> bool:
        """Whether a phone sends pictures, but they take so long on their way that none comes in time."""
        with self._news:
            if not self.quiet:
                return self._late
            now, begun = self._clock(), self._begun
            return begun is not None and now - begun >= UNDER_WAY_S >= now - self._heard

    def note(self) -> None:
        """Some of a picture has come, or is about to."""
        with self._news:
            now = self._clock()
            if self._begun is None or now - self._heard > QUIET_S:
                self._begun = now
            self._heard = now

    def put(self, jpeg: bytes) -> None:
        """One more picture has come."""
        with self._news:
            now = self._clock()
            self._late = self._begun is not None and now - self._begun > QUIET_S
            self._newest, self._came, self._begun = jpeg, now, None
            self._news.notify_all()

    def put_still(self, number: int, jpeg: bytes) -> None:
        """The still of this number has come; one that is not wanted any more is let go of.

        No bytes: the phone cannot take it.
        """
        with self._news:
            if self.still is not None and self.still.number == number:
                self._still, self.still = (self.still, jpeg), None

    def take_still(self) -> tuple[StillWish, bytes] | None:
        """The still that came, once, with the wish that it answers."""
        with self._news:
            still, self._still = self._still, None
            return still

    def take(self, timeout_s: float, given_up: Callable[[], bool] = lambda: False) -> bytes | None:
        """The newest picture that was not taken yet; None if none comes in time, or the wait is given up."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or given_up(), timeout_s)
            newest, self._newest = self._newest, None
            return None if given_up() else newest

    def wake(self) -> None:
        """Have those that wait look whether they are to give up."""
        with self._news:
            self._news.notify_all()

    def open(self, wish: Wish) -> "PhoneSource":
        """The pictures as a camera's. Raises SourceError where no phone sends any, or none comes in time."""
        self.wanted, self.lock = wish.size, wish.lock
        if self.slow:
            raise SourceError(CameraCode.PHONE_SLOW, PHONE)
        if self.quiet:
            raise SourceError(CameraCode.PHONE_AWAY if self._came is None else CameraCode.PHONE_LOST, PHONE)
        return PhoneSource(self, wish)


class PhoneSource:
    """See `FrameSource`; pictures come in the size that was wished for, whatever size the phone sends just now."""

    def __init__(self, line: PhoneLine, wish: Wish) -> None:
        """``line`` is where they lie."""
        self.name, self.origin, self.lens_position = PHONE, PictureOrigin.PHONE, None
        self._line, self._size, self._width = line, wish.size, 0
        self._closing = threading.Event()

    def grab(self) -> Picture:
        """See `FrameSource`."""
        while (jpeg := self._line.take(QUIET_S, self._closing.is_set)) is not None:
            picture = _decoded(jpeg)
            if picture is not None:
                picture = _in_size(picture, self._size)
                self._width = picture.shape[1]
                return picture
        raise SourceError(CameraCode.PHONE_SLOW if self._line.slow else CameraCode.PHONE_LOST, self.name)

    @property
    def still_size(self) -> Size | None:
        """See `StillSource`."""
        size = self._line.still_size
        return None if size is None or size[0] < LARGER * self._width else size

    def ask_still(self, wish: StillWish) -> None:
        """See `StillSource`."""
        self._line.still = wish

    def collect_still(self) -> StillTaken | None:
        """See `StillSource`."""
        came = self._line.take_still()
        return None if came is None else StillTaken(came[0], _decoded(came[1]))

    def close(self) -> None:
        """See `FrameSource`; from any thread, and whoever waits for a picture waits no more."""
        self._closing.set()
        self._line.wake()


def _decoded(jpeg: bytes) -> Picture | None:
    """The picture; None for what is none, or has more pixels than any phone's."""
    width, height = claimed_size(jpeg) or (0, 0)
    return None if width * height > LARGEST_PIXELS else decode(np.frombuffer(jpeg, np.uint8))


def _in_size(picture: Picture, size: tuple[int, int] | None) -> Picture:
    """The picture in another size of the same shape; one of another shape stays as it is, and the camera says so."""
    height, width = picture.shape[:2]
    if size is None or size == (width, height) or abs(width * size[1] - height * size[0]) > max(size):
        return picture
    way = cv2.INTER_AREA if width > size[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)
