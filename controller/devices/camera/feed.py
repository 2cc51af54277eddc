"""Opens a source and keeps its pictures coming, so that whoever waits for them never hangs with the driver."""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, Open, PictureOrigin, Wish
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import Size, StillSource, StillTaken, StillWish

_LOGGER: Final = logging.getLogger(__name__)

FAREWELL_S: Final = 1.0
"""How long a source may take to close before it is abandoned."""


@dataclass(frozen=True, slots=True, eq=False)
class Got:
    """A picture as it came, when, and from what; with the answer to a wish for a still, if that came, too."""

    picture: Picture
    t_s: float
    name: str
    origin: PictureOrigin
    lens_position: float | None = None
    still_size: Size | None = None
    still: StillTaken | None = None


class Feed(Protocol):
    """One source that is opened and grabbed from elsewhere: in another thread, or in another process."""

    def open(self, wishes: Sequence[Wish]) -> None:
        """Begin to open the first of these that can be opened; for a feed that is `idle`."""

    def get(self, timeout_s: float) -> Got | None:
        """The newest picture that was not taken yet, None if none comes in time.

        Raises:
            SourceError: when nothing can be opened, or the source broke.
        """

    def ask_still(self, wish: StillWish) -> None:
        """Have the source take a still, if it can; the answer comes with one of the next pictures."""

    @property
    def idle(self) -> bool:
        """Whether it can be asked to open something."""

    def end(self) -> bool:
        """Close the source and let go of everything; False if its driver hangs and something is left behind.

        A feed that has ended opens nothing any more.
        """

    def is_alive(self) -> bool:
        """Whether something of it is left behind."""


def open_first(wishes: Sequence[Wish], open_it: Open) -> FrameSource:
    """The first of these that can be opened. Raises the SourceError of the first one where none can."""
    trouble: SourceError | None = None
    for wish in wishes:
        try:
            return open_it(wish)
        except SourceError as error:
            trouble = trouble or error
    raise trouble or SourceError(CameraCode.NO_CAMERA, "auto")


def fault_of(error: Exception, name: str) -> SourceError:
    """Whatever a driver comes up with, as a reason for which the camera is opened anew."""
    if isinstance(error, SourceError):
        return error
    if not isinstance(error, OSError):
        _LOGGER.error("A defect in the driver of the camera %s.", name, exc_info=error)
    return SourceError(CameraCode.DRIVER, name, why=f"{type(error).__name__}: {error}")


def still_size_of(source: FrameSource) -> Size | None:
    """The size of a source's stills; None where it has none."""
    return source.still_size if isinstance(source, StillSource) else None


def collected_from(source: FrameSource) -> StillTaken | None:
    """The still that a source has taken meanwhile."""
    return source.collect_still() if isinstance(source, StillSource) else None


class ThreadFeed:
    """A `Feed` in a thread, for films, which do not hang. A driver that hangs leaves the thread behind."""

    def __init__(self, open_it: Open, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing is opened before `open`."""
        self._open, self._clock = open_it, clock
        self._newest: Got | None = None
        self._wanted: StillWish | None = None
        self._broken: SourceError | None = None
        self._news = threading.Condition()
        self._ending = threading.Event()
        self._source: FrameSource | None = None
        self._thread: threading.Thread | None = None

    @property
    def idle(self) -> bool:
        """See `Feed`."""
        return not self._ending.is_set() and not self.is_alive() and self._source is None

    def open(self, wishes: Sequence[Wish]) -> None:
        """See `Feed`."""
        self._broken = None
        self._thread = threading.Thread(
            target=self._work, args=(wishes,), name="pointsman-camera-driver", daemon=True
        )
        self._thread.start()

    def get(self, timeout_s: float) -> Got | None:
        """See `Feed`."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._broken is not None, timeout_s)
            newest, self._newest = self._newest, None
            if newest is None and self._broken is not None:
                raise self._broken
            return newest

    def ask_still(self, wish: StillWish) -> None:
        """See `Feed`."""
        with self._news:
            self._wanted = wish

    def end(self) -> bool:
        """See `Feed`; a driver that comes back later closes its source then."""
        self._ending.set()
        if self._source is not None and self._source.origin.ends_at_once:
            self._source.close()  # it may wait for a picture that comes much later
        if self._thread is not None:
            self._thread.join(FAREWELL_S)
        return not self.is_alive()

    def is_alive(self) -> bool:
        """See `Feed`."""
        return self._thread is not None and self._thread.is_alive()

    def _work(self, wishes: Sequence[Wish]) -> None:
        try:
            self._source = source = open_first(wishes, self._open)
            try:
                while not self._ending.is_set():
                    self._pass_on_wish(source)
                    self._put(source.grab(), source)
            finally:
                source.close()
        except Exception as error:  # noqa: BLE001 - `fault_of` logs it
            with self._news:
                self._broken = fault_of(
                    error, wishes[0].source if self._source is None else self._source.name
                )
                self._news.notify_all()

    def _pass_on_wish(self, source: FrameSource) -> None:
        with self._news:
            wish, self._wanted = self._wanted, None
        if wish is not None and isinstance(source, StillSource):
            source.ask_still(wish)

    def _put(self, picture: Picture, source: FrameSource) -> None:
        still, size = collected_from(source), still_size_of(source)
        with self._news:
            if still is None and self._newest is not None:
                still = self._newest.still  # nobody has taken it yet
            place = source.name, source.origin, source.lens_position
            self._newest = Got(picture, self._clock(), *place, size, still)
            self._news.notify_all()
