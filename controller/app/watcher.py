"""The thread that looks: pictures of the camera in, what is new in them into the inbox."""

import threading
from collections.abc import Callable

from controller.app.eyes import Eyes
from controller.app.inbox import Inbox
from controller.devices import FilmFrame
from controller.devices.camera.camera import Camera
from controller.devices.camera.status import CameraState
from controller.messages.device_words import Words, program_words
from controller.referee.events import FilmEnded

WAIT_S = 0.2
"""How long to wait for a picture before looking whether the table is closing."""


class Watcher:
    """Looks at the pictures of a camera until it is told to stop, or a film is through."""

    def __init__(
        self,
        camera: Camera,
        eyes: Eyes,
        inbox: Inbox,
        t: Callable[[float], float],
        tell: Callable[[Words], None],
    ) -> None:
        """``t`` turns the camera's seconds into those of the match; ``tell`` hears what people are to be told."""
        self._camera, self._eyes, self._inbox, self._t, self._tell = camera, eyes, inbox, t, tell
        self._stop = threading.Event()
        self._failed, self._last_t = "", 0.0
        self._thread = threading.Thread(target=self._work, name="pointsman-eyes", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; returns when the last picture was looked at."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def through(self) -> bool:
        """Whether there is nothing left to look at."""
        return not self._thread.is_alive() and self._thread.ident is not None

    def _work(self) -> None:
        while not self._stop.is_set():
            picture = self._camera.read(WAIT_S)
            if picture is not None:
                self._look(
                    FilmFrame(
                        picture.number, f"picture {picture.number}", self._t(picture.t_s), picture.picture
                    )
                )
            elif self._camera.status.state is CameraState.ENDED:
                self._inbox.put(FilmEnded(self._last_t))
                return

    def _look(self, picture: FilmFrame) -> None:
        self._last_t = picture.t
        try:
            for news, evidence in self._eyes.look(picture):
                self._inbox.put(news, evidence)
            self._failed = ""
        except Exception as error:  # whatever is wrong with one picture, the next one is looked at
            self._fail(f"{type(error).__name__}: {error}")

    def _fail(self, why: str) -> None:
        if why != self._failed:
            self._tell(program_words("picture_failed", why=why))
        self._failed = why
