"""A camera as the program holds it: a thread that finds it, keeps its newest picture, and never gives up."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import Frame, FrameSource, Open, Wish
from controller.devices.camera.sources import open_source
from controller.devices.camera.status import CameraCode, CameraState, CameraStatus, SourceError

FIRST_S: Final = 10.0
"""How long a camera may take for its first picture: streams and the Pi's own camera begin slowly."""
STALL_S: Final = 3.0
"""A camera that gave pictures before and gives none for that long is taken for lost; a film may have gaps."""
WAIT_S: Final = 0.5
"""Between two looks for a camera that is not there."""
BACKOFF_S: Final = (0.5, 1.0, 2.0, 5.0)
"""Between two tries to use a camera that is there; the last one repeats."""
LOOK_S: Final = 0.1
"""How often it is looked at whether the camera is to be closed."""
MOST_HUNG: Final = 3
"""So many attempts may hang in the driver before no further one is made."""
FAREWELL_S: Final = 1.0
"""How long a source may take to close before its thread is left behind."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Got:
    """A picture as it came, when, and from what."""

    picture: Picture
    t_s: float
    name: str
    live: bool


class Grabber:
    """Opens a source once and keeps its newest picture until it breaks or is told to end."""

    def __init__(self, name: str, open_it: Open, clock: Callable[[], float]) -> None:
        """Nothing is opened before `start`; `name` is what messages call the source until it is open."""
        self._name, self._open, self._clock = name, open_it, clock
        self._newest: Got | None = None
        self._broken: SourceError | None = None
        self._news = threading.Condition()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work, name="pointsman-camera-driver", daemon=True)

    def start(self) -> None:
        """Begin to open the source."""
        self._thread.start()

    def take(self, timeout_s: float) -> Got | None:
        """The newest picture that was not taken yet, None if none comes in time. Raises SourceError when it broke."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None or self._broken is not None, timeout_s)
            newest, self._newest = self._newest, None
            if newest is None and self._broken is not None:
                raise self._broken
            return newest

    def end(self) -> bool:
        """Close the source; False if its driver hangs, which then closes it whenever it comes back."""
        self._ending.set()
        self._thread.join(FAREWELL_S)
        return not self._thread.is_alive()

    def is_alive(self) -> bool:
        """Whether its driver still holds it."""
        return self._thread.is_alive()

    def _work(self) -> None:
        source: FrameSource | None = None
        try:
            source = self._open()
            while not self._ending.is_set():
                picture = source.grab()
                with self._news:
                    self._newest = Got(picture, self._clock(), source.name, source.live)
                    self._news.notify_all()
        except SourceError as error:
            self._break(error)
        except Exception as error:  # whatever a driver comes up with, the camera is opened anew
            name = self._name if source is None else source.name
            self._break(SourceError(CameraCode.DRIVER, name, why=f"{type(error).__name__}: {error}"))
        finally:
            if source is not None:
                source.close()

    def _break(self, error: SourceError) -> None:
        with self._news:
            self._broken = error
            self._news.notify_all()


Tell = Callable[[CameraStatus], None]


class LiveCamera:
    """A camera that may come and go; use it in a `with` block or call `start` and `close`.

    A driver may hang for ever when a cable is pulled. So opening and reading happen in a thread of its own, which is
    left behind when nothing comes out of it any more, and ends by itself when the driver lets go of it.

    All methods may be called from any thread. `tell` is called from the camera's own thread.
    """

    def __init__(
        self,
        wish: Wish,
        *,
        tell: Tell = lambda _: None,
        open_it: Open | None = None,
        clock: Callable[[], float] = time.monotonic,
        first_s: float = FIRST_S,
        stall_s: float = STALL_S,
    ) -> None:
        """Nothing is opened before `start`.

        Args:
            wish: which camera, and how it is to be run; with a size, pictures of another one are refused.
            tell: hears of every change of the status.
            open_it: opens the source in another way than by the wish.
            clock: monotonic seconds.
            first_s: how long the first picture may take.
            stall_s: how long every further one may take; those of a film come when they are due.
        """
        self._wish, self._tell, self._clock = wish, tell, clock
        self._open: Open = open_it or partial(open_source, wish)
        self._first_s, self._stall_s = first_s, stall_s
        self._status = CameraStatus(CameraCode.STARTING, wish.source)
        self._number = 0
        self._newest: Frame | None = None
        self._fresh = threading.Condition()
        self._ending = threading.Event()
        self._hung: list[Grabber] = []
        self._seen_from, self._condition = "", Condition(live=True)
        self._thread = threading.Thread(target=self._work, name="pointsman-camera", daemon=True)

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def start(self) -> None:
        """Begin to look for the camera."""
        self._thread.start()

    def close(self) -> None:
        """Let go of the camera; returns when that is done, unless its driver hangs."""
        self._ending.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def status(self) -> CameraStatus:
        """How it stands now."""
        return self._status

    def read(self, timeout_s: float) -> Frame | None:
        """See `Camera`; while the status is not `ok` there are no pictures."""
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None or self._ending.is_set(), timeout_s)
            newest, self._newest = self._newest, None
            return newest

    # --- the thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        tries = 0
        while not self._ending.is_set():
            self._hung = [grabber for grabber in self._hung if grabber.is_alive()]
            if len(self._hung) >= MOST_HUNG:
                self._set(CameraStatus(CameraCode.STUCK, self._wish.source))
                self._ending.wait(WAIT_S)
                continue
            outcome, gave = self._try()
            self._set(outcome)
            if outcome.state is CameraState.ENDED:
                self._ending.wait()
            tries = 0 if gave else tries + 1
            gone = outcome.state is CameraState.ABSENT
            self._ending.wait(WAIT_S if gone else BACKOFF_S[min(tries, len(BACKOFF_S) - 1)])
        self._set(CameraStatus(CameraCode.CLOSED, self._wish.source))

    def _try(self) -> tuple[CameraStatus, bool]:
        """Open the camera and take its pictures until that breaks. Returns why, and whether there were any."""
        grabber = Grabber(self._wish.source, self._open, self._clock)
        grabber.start()
        gave, name, frozen = False, self._wish.source, 0
        patience_s = self._first_s
        try:
            while (got := self._next(grabber, patience_s)) is not None:
                gave, name = True, got.name
                patience_s = self._stall_s if got.live else math.inf
                frozen = frozen + 1 if self._take(got) is CameraCode.FROZEN else 0
                if frozen >= FROZEN_PICTURES:
                    return CameraStatus(CameraCode.FROZEN, name), gave
            why = CameraCode.LOST if gave else CameraCode.SILENT
            return CameraStatus(CameraCode.CLOSED if self._ending.is_set() else why, name), gave
        except SourceError as error:
            return error.status, gave
        finally:
            if not grabber.end():
                self._hung.append(grabber)

    def _next(self, grabber: Grabber, patience_s: float) -> Got | None:
        """The next picture; None if it takes too long, or if the camera is to be closed."""
        end = self._clock() + patience_s
        while not self._ending.is_set() and (left := end - self._clock()) > 0:
            if (got := grabber.take(min(left, LOOK_S))) is not None:
                return got
        return None

    def _take(self, got: Got) -> CameraCode | None:
        """Hand a picture out if it is any good, and tell how the camera is; returns what is wrong with it."""
        height, width = got.picture.shape[:2]
        self._number += 1
        if self._wish.size not in (None, (width, height)):
            wanted = "x".join(map(str, self._wish.size or ()))
            sizes = {"size": f"{width}x{height}", "wanted": wanted}
            self._set(CameraStatus(CameraCode.WRONG_SIZE, got.name, sizes))
            return None
        if self._seen_from != got.name:
            self._seen_from, self._condition = got.name, Condition(live=got.live)
        flaw = self._condition.flaw(got.picture, got.t_s)
        if flaw is not None:
            self._set(CameraStatus(flaw, got.name))
            return flaw
        with self._fresh:
            self._newest = Frame(self._number, got.t_s, got.picture)
            self._fresh.notify_all()
        self._set(CameraStatus(CameraCode.OK, got.name, {"size": f"{width}x{height}"}))
        return None

    def _set(self, now: CameraStatus) -> None:
        if now.state not in (CameraState.OK, CameraState.ENDED):
            with self._fresh:
                self._newest = None
        if now != self._status:
            self._status = now
            self._tell(now)
