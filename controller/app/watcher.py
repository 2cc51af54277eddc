"""The thread that looks: pictures of the camera in, what is new in them into the inbox."""

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from controller.app.eyes import Eyes, NewsWithPicture
from controller.app.inbox import Inbox
from controller.devices import FilmFrame
from controller.devices.camera.camera import Camera, Frame
from controller.devices.camera.status import CameraState
from controller.logs.defect import DefectScene
from controller.messages.device_words import LocalText, program_words
from controller.referee import FrameSeen
from controller.referee.events import FilmEnded, FrameMoving
from controller.vision import Reading

_LOGGER: Final = logging.getLogger(__name__)
WAIT_S: Final = 0.2
"""How long to wait for a picture before looking whether the table is closing."""
BEHIND_S: Final = 1.0
"""After so many seconds with one thing the thread that steps is left alone until it has done it: where the processor
is short, reading pictures takes from it just what it needs, and what is read piles up behind it. Beside six programs
that were busy on one processor a long step took 34 s while pictures were read, and 16 s when it was left alone."""
LEFT_ALONE_S: Final = 0.02
"""How often to look whether it has."""


@dataclass(frozen=True, slots=True)
class LastLook:
    """The newest picture, and what was read last: of it, or of an earlier one.

    Attributes:
        frame: the picture.
        reading: what was read last; None if nothing was.
        read_t_s: when the last picture was taken that the reading holds for, in the camera's seconds.
        moving: whether something has been moving since.
    """

    frame: Frame
    reading: Reading | None = None
    read_t_s: float = 0.0
    moving: bool = False


class Watcher:
    """Looks at the pictures of a camera until it is told to stop, or a film has ended.

    Attributes:
        last: the newest picture; None before there is one.
    """

    def __init__(
        self,
        camera: Camera,
        inbox: Inbox,
        t: Callable[[float], float],
        tell: Callable[[LocalText], None],
        count: Callable[[], None] = lambda: None,
    ) -> None:
        """Nothing is looked at yet.

        Args:
            camera: gives the pictures.
            inbox: is given what is new in them.
            t: turns the camera's seconds into those of the match.
            tell: called with what people are to be told.
            count: is called for each picture.
        """
        self._count = count
        self._camera, self._inbox, self._t, self._tell = camera, inbox, t, tell
        self._eyes: Eyes | None = None
        self._turn = threading.Lock()
        self._stop = threading.Event()
        self._failed, self._last_t = "", 0.0
        self._thread = threading.Thread(target=self._work, name="pointsman-eyes", daemon=True)
        self.last: LastLook | None = None

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look_with(self, eyes: Eyes | None) -> None:
        """Read pictures with these eyes from now on; with None only the newest picture is kept.

        Of a picture that is being read just now nothing is told: it was read for what was before.
        """
        with self._turn:
            self._eyes = eyes

    def stop(self) -> None:
        """Look no more; returns when the last picture was looked at."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to look at."""
        return not self._thread.is_alive() and self._thread.ident is not None

    def _work(self) -> None:
        while not self._stop.is_set():
            if self._inbox.behind_s > BEHIND_S:
                self._stop.wait(LEFT_ALONE_S)
                if self._eyes is not None:
                    self._eyes.blink()
                continue
            frame = self._camera.read(WAIT_S)
            if frame is not None:
                self._count()
                with self._inbox.looking():
                    self._read_frame(frame)
            elif self._camera.status.state is CameraState.ENDED:
                self._inbox.put(FilmEnded(self._last_t))
                return

    def _read_frame(self, frame: Frame) -> None:
        eyes, before = self._eyes, self.last
        if eyes is None or before is None:
            self.last = LastLook(frame)
        else:
            self.last = replace(before, frame=frame)
        if eyes is None:
            return
        self._last_t = t = self._t(frame.t_s)
        try:
            found = eyes.read_frame(FilmFrame(frame.number, f"picture {frame.number}", t, frame.picture))
            with self._turn:
                if self._eyes is eyes:
                    self._tell_of(frame, eyes, found)
            self._failed = ""
        except Exception as error:  # whatever is wrong with one picture, the next one is looked at
            scene = DefectScene("camera", task={"picture": frame.number, "size": list(frame.picture.shape)})
            _LOGGER.exception("Picture %d could not be looked at.", frame.number, extra=scene.extra)
            self._fail(f"{type(error).__name__}: {error}")

    def _tell_of(self, frame: Frame, eyes: Eyes, found: Iterable[NewsWithPicture]) -> None:
        last = self.last or LastLook(frame)
        for news, evidence in found:
            if isinstance(news, FrameSeen):
                last = replace(last, reading=news.reading)
            elif isinstance(news, FrameMoving):
                last = replace(last, moving=True)
            self._inbox.put(news, evidence)
        self.last = replace(last, read_t_s=frame.t_s, moving=False) if eyes.holds else last

    def _fail(self, why: str) -> None:
        if why != self._failed:
            self._tell(program_words("picture_failed"))
        self._failed = why
