"""The one seam that all cameras are behind."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from controller.arrays import Picture
from controller.devices.camera.status import CameraStatus


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture that a camera took.

    Attributes:
        number: counts the pictures of this camera since the program started; those that nobody asked for leave gaps.
        t_s: when it came, in seconds on a clock that never runs backwards: the host's monotonic one, or a film's own.
        picture: (height, width, 3) BGR uint8, the reader's to keep.
    """

    number: int
    t_s: float
    picture: Picture


class Camera(Protocol):
    """A camera of any kind. Nothing here raises because a device is away."""

    @property
    def status(self) -> CameraStatus:
        """How it stands now."""

    def read(self, timeout_s: float) -> Frame | None:
        """The newest picture that was not read yet; None if there is none after so many seconds."""

    def close(self) -> None:
        """Let go of the device; calling it again does nothing."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a camera is to be run, as far as it can be.

    Attributes:
        source: `auto`, a device (`0`, `/dev/video0`, `/dev/v4l/by-id/...`), `picamera2` (`picamera2:1` for the second
            one), the address of a stream (`http://...`, `rtsp://...`), or the path of a film.
        size: width and height in pixels; None takes what comes.
        fps: pictures a second.
        lock: exposure, white balance and focus stay as they are once the camera has settled.
    """

    source: str = "auto"
    size: tuple[int, int] | None = None
    fps: float = 15.0
    lock: bool = True


class FrameSource(Protocol):
    """Something open that gives pictures.

    Attributes:
        name: what messages call it.
        live: the pictures come from a sensor, so that no two of them are the same to the last bit.
    """

    name: str
    live: bool

    def grab(self) -> Picture:
        """The next picture, (height, width, 3) BGR uint8, as soon as there is one. Raises SourceError."""

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""


Open = Callable[[], FrameSource]
"""Opens a source, raising SourceError."""
