"""A camera as the program holds it: a thread that finds it, keeps its newest picture, and never gives up."""

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Self

from controller.devices.camera.camera import Frame, Open, PictureOrigin, Wish
from controller.devices.camera.choice import AUTO, PHONE, STREAMS, CameraChoice, Mark
from controller.devices.camera.condition import Condition
from controller.devices.camera.feed import Feed, Got, ThreadFeed, fault_of
from controller.devices.camera.feed_holder import FeedHolder
from controller.devices.camera.process_feed import DRIVER, ProcessFeed
from controller.devices.camera.sources import open_source
from controller.devices.camera.status import CameraCode, CameraState, CameraStatus, SourceError
from controller.devices.camera.stills import Size, StillTaken, StillWish

FIRST_S: Final = 10.0
"""How long a camera may take for its first picture: streams and the Pi's own camera begin slowly."""
AGAIN_S: Final = 2.0
"""One that gave pictures before may take twice as long as then, and that long at least, to give some again."""
GROWTH: Final = 1.5
"""How much longer it may take after each attempt that was too short."""
STALL_S: Final = 1.5
"""A camera that gave pictures before and gives none for that long is taken for lost; a film may have gaps."""
STREAM_STALL_S: Final = 5.0
"""Over a radio link that is busy pictures stay away for some seconds and come again."""
STALL_PICTURES: Final = 3
"""Where few pictures a second are asked for, at least this many have to be missing."""
WAIT_S: Final = 0.5
"""Between two looks for a camera that is not there."""
BACKOFF_S: Final = (0.5, 1.0, 2.0)
"""Between two tries to use a camera that is there; the last one repeats."""
LOOK_S: Final = 0.1
"""How often it is looked at whether the device is still the same, and whether the camera is to be closed."""
UNUSABLE_S: Final = 1.0
"""A camera that gives only frozen or incomplete pictures, or some of another size, is opened anew after that time."""
UNUSABLE: Final = (CameraCode.FROZEN, CameraCode.INCOMPLETE, CameraCode.WRONG_SIZE)

Tell = Callable[[CameraStatus], None]


class LiveCamera:
    """A camera that may come and go; use it in a `with` block or call `start` and `close`.

    A driver may hang for ever when a cable is pulled. So opening and reading happen in a process of its own, which is
    killed and replaced when nothing comes out of it any more. Films do not hang, and are read in a thread.

    All methods may be called from any thread. `tell` is called from the camera's own thread.
    """

    def __init__(
        self,
        wish: Wish,
        *,
        tell: Tell = lambda _: None,
        open_it: Open | None = None,
        choice: CameraChoice | None = None,
        driver: Sequence[str] = DRIVER,
        clock: Callable[[], float] = time.monotonic,
        first_s: float = FIRST_S,
        stall_s: float | None = None,
    ) -> None:
        """Nothing is opened before `start`.

        Args:
            wish: which camera, and how it is to be run; with a size, pictures of another one are refused.
            tell: called at every change of the status.
            open_it: opens the source here, in a thread, and not in a process.
            choice: finds the camera.
            driver: what Python runs in the process that opens the source.
            clock: monotonic seconds.
            first_s: how long the first picture may take.
            stall_s: how long every further one may take; None: as long as is usual. Those of a film come when due.
        """
        self._wish, self._tell, self._clock = wish, tell, clock
        self._choice = choice or CameraChoice(wish.source)
        in_thread = open_it is not None or self._choice.film
        self._holder = FeedHolder(
            (lambda: ThreadFeed(open_it or open_source, clock))
            if in_thread
            else (lambda: ProcessFeed(clock, driver))
        )
        self._first_s, self._chosen_stall_s = first_s, stall_s
        self._status = CameraStatus(CameraCode.STARTING, wish.source)
        self._number = 0
        self._newest: Frame | None = None
        self._wishes = 0
        self._wanted: StillWish | None = None
        self._still: StillTaken | None = None
        self._still_size: Size | None = None
        self._fresh = threading.Condition()
        self._ending = threading.Event()
        self._opened_in_s: float | None = None
        self._seen_from, self._condition = "", Condition(PictureOrigin.DEVICE)
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
        """Let go of the camera; returns when that is done, or its driver is abandoned."""
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

    @property
    def still_size(self) -> Size | None:
        """See `StillCamera`."""
        return self._still_size if self._status.state is CameraState.OK else None

    def ask_still(self, stops: int = 0) -> int:
        """See `StillCamera`."""
        with self._fresh:
            self._wishes += 1
            self._wanted, self._still = StillWish(self._wishes, stops), None
            return self._wishes

    def collect_still(self) -> StillTaken | None:
        """See `StillCamera`."""
        with self._fresh:
            still, self._still = self._still, None
            return still

    # --- the thread ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        tries = 0
        while not self._ending.is_set():
            if self._holder.stuck:
                self._set(CameraStatus(CameraCode.STUCK, self._wish.source))
                self._ending.wait(WAIT_S)
                continue
            gave = self._try(tries)
            state = self._status.state
            if state is CameraState.ENDED or self._ending.is_set():
                break
            self._holder.renew()
            tries = 0 if gave else tries + 1
            gone = state is CameraState.ABSENT
            self._ending.wait(WAIT_S if gone else BACKOFF_S[min(tries, len(BACKOFF_S) - 1)])
        self._holder.end()
        self._ending.wait()
        self._set(CameraStatus(CameraCode.CLOSED, self._wish.source))

    def _try(self, tries: int) -> bool:
        """Open the camera and take its pictures until that breaks. Returns whether there were any.

        Why it broke is told before the driver is let go of, which may take a while.
        """
        number, names = self._number, self._choice.candidates()
        try:
            if not names:
                raise SourceError(CameraCode.NO_CAMERA, AUTO)
            feed = self._holder.idle_feed()
            feed.open([replace(self._wish, source=name) for name in names])
            why = self._follow(feed, names, self._patience_s(tries))
        except Exception as error:  # noqa: BLE001 - `fault_of` logs it; tried again
            why = fault_of(error, self._wish.source).status
        if not self._ending.is_set():
            self._set(why)
        return self._number > number

    def _patience_s(self, tries: int) -> float:
        """How long the first picture may take; one whose time is known is not waited for as long as a stranger."""
        if self._opened_in_s is None:
            return self._first_s
        return min(self._first_s, max(AGAIN_S, 2 * self._opened_in_s) * GROWTH ** min(tries, 10))

    def _follow(self, feed: Feed, names: Sequence[str], patience_s: float) -> CameraStatus:
        """Take the pictures of a feed until that breaks, and say why it did. Raises SourceError."""
        marks = {name: mark for name in names if (mark := self._choice.mark(name)) is not None}
        name, gave, began = names[0], False, self._clock()
        unusable_since: float | None = None
        while (got := self._next(feed, patience_s, marks)) is not None:
            if not gave:
                gave, name, self._opened_in_s = True, got.name, self._clock() - began
                marks = {known: mark for known, mark in marks.items() if known == name}
                self._choice.settle(name)
            is_film = got.origin is PictureOrigin.FILM
            patience_s = self._stall_s(got.origin)
            flaw = self._deliver(got)
            if flaw not in UNUSABLE or is_film:
                unusable_since = None
            elif unusable_since is None:
                unusable_since = got.t_s
            elif got.t_s - unusable_since >= UNUSABLE_S:
                return self._status
        if name == PHONE:
            return CameraStatus(CameraCode.PHONE_LOST if gave else CameraCode.PHONE_AWAY, name)
        if name.startswith(STREAMS):
            return CameraStatus(CameraCode.STALLED if gave else CameraCode.UNREACHABLE, name)
        lost = gave or self._is_pulled(marks)
        return CameraStatus(CameraCode.LOST if lost else CameraCode.SILENT, name)

    def _stall_s(self, origin: PictureOrigin) -> float:
        """How long the next picture may take."""
        if origin is PictureOrigin.FILM:
            return math.inf
        usual_s = STREAM_STALL_S if origin.is_sent else STALL_S
        return max(
            usual_s if self._chosen_stall_s is None else self._chosen_stall_s, STALL_PICTURES / self._wish.fps
        )

    def _next(self, feed: Feed, patience_s: float, marks: Mapping[str, Mark]) -> Got | None:
        """The next picture; None if it takes too long, the device is another one, or the camera is to be closed."""
        end = self._clock() + patience_s
        while not self._ending.is_set() and (left := end - self._clock()) > 0:
            self._pass_on_wish(feed)
            if (got := feed.get(min(left, LOOK_S))) is not None:
                return got
            if self._is_pulled(marks):
                return None
        return None

    def _pass_on_wish(self, feed: Feed) -> None:
        with self._fresh:
            wish, self._wanted = self._wanted, None
        if wish is not None:
            feed.ask_still(wish)

    def _is_pulled(self, marks: Mapping[str, Mark]) -> bool:
        """Whether one of these devices is gone, or another one since."""
        return any(self._choice.mark(name) != mark for name, mark in marks.items())

    def _deliver(self, got: Got) -> CameraCode | None:
        """Hand a picture out if it is any good, and tell how the camera is; returns what is wrong with it.

        A still that came with it counts in any case: nobody sends it again.
        """
        if got.still is not None:
            with self._fresh:
                self._still = got.still
        height, width = got.picture.shape[:2]
        if self._seen_from != got.name:
            self._seen_from, self._condition = got.name, Condition(got.origin)
        state = self._condition.assess(got.picture, got.t_s)
        if not state.usable and state.flaw is None:
            return None  # one that was lost on its way; the next one will do
        self._number += 1
        if self._wish.size not in (None, (width, height)):
            wanted = "x".join(map(str, self._wish.size or ()))
            sizes = {"size": f"{width}x{height}", "wanted": wanted}
            self._set(CameraStatus(CameraCode.WRONG_SIZE, got.name, sizes))
            return CameraCode.WRONG_SIZE
        if state.flaw is not None:
            self._set(CameraStatus(state.flaw, got.name))
            return state.flaw
        with self._fresh:
            self._newest = Frame(self._number, got.t_s, got.picture, got.lens_position)
            self._still_size = got.still_size
            self._fresh.notify_all()
        self._set(_giving(got))
        return None

    def _set(self, now: CameraStatus) -> None:
        if now.state not in (CameraState.OK, CameraState.ENDED):
            with self._fresh:
                self._newest = None
        if now != self._status:
            self._status = now
            self._tell(now)


def _giving(got: Got) -> CameraStatus:
    """That a camera gives pictures, and of which size."""
    height, width = got.picture.shape[:2]
    sizes = {"size": f"{width}x{height}"}
    if got.still_size is None:
        return CameraStatus(CameraCode.OK, got.name, sizes)
    return CameraStatus(
        CameraCode.OK_STILLS, got.name, {**sizes, "stills": "x".join(map(str, got.still_size))}
    )
