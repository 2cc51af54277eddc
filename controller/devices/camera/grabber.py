"""The thread that opens a source and takes its pictures; it may hang in a driver without holding anything else up."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, Open
from controller.devices.camera.status import CameraCode, SourceError

FAREWELL_S: Final = 1.0
"""How long a source may take to close before its thread is left behind."""


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
