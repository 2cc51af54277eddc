"""The one seam that all cameras are behind."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
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
        lens_position: where the lens was, in dioptres (one over the distance in metres); None where the camera does
            not tell, or still looks for its focus.
    """

    number: int
    t_s: float
    picture: Picture
    lens_position: float | None = None


class Camera(Protocol):
    """A camera of any kind. Nothing here raises because a device is away."""

    @property
    def status(self) -> CameraStatus:
        """How it stands now."""

    def read(self, timeout_s: float) -> Frame | None:
        """The newest picture that was not read yet; None if there is none when this many seconds are over."""

    def close(self) -> None:
        """Let go of the device; calling it again does nothing."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a camera is to be run, as far as it can be.

    Attributes:
        source: `auto`, a device (`0`, `/dev/video0`, `/dev/v4l/by-id/...`), `picamera2` (`picamera2:1` for the second
            one), the address of a stream (`http://...`, `rtsp://...`), `phone`, or the path of a film.
        size: width and height in pixels; None takes what comes.
        fps: pictures a second.
        lock: exposure, white balance and focus stay as they are once the camera has settled; else they follow.
        lens_position: where the lens is to be held, in dioptres; None has the camera look for its focus.
        still: whether stills will be asked for, too, so that the camera is to run in a way that has them.
    """

    source: str = "auto"
    size: tuple[int, int] | None = None
    fps: float = 15.0
    lock: bool = True
    lens_position: float | None = None
    still: bool = False


class PictureOrigin(StrEnum):
    """Where pictures come from, and with that what may be expected of them."""

    DEVICE = "device"
    """A sensor: they come all the time, and its noise makes each differ from the one before."""
    STILLS = "stills"
    """A sender of single pictures (Motion JPEG): each is compressed by itself, so the sensor's noise shows in it."""
    PHONE = "phone"
    """The page on a phone: it sends single pictures, too, and asks to be heard."""
    STREAM = "stream"
    """A sender that tells what has changed: pictures come all the time, but one may repeat to the last bit."""
    FILM = "film"
    """A recording: they come when they are due, and end."""

    @property
    def is_sent(self) -> bool:
        """Whether a sender in the network gives them: it has no cable to check, and its line may falter."""
        return self in (PictureOrigin.STILLS, PictureOrigin.PHONE, PictureOrigin.STREAM)

    @property
    def ends_at_once(self) -> bool:
        """Whether it can be closed while somebody waits for its next picture."""
        return self in (PictureOrigin.FILM, PictureOrigin.PHONE)


class FrameSource(Protocol):
    """Something open that gives pictures."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def origin(self) -> PictureOrigin:
        """Where its pictures come from."""

    @property
    def lens_position(self) -> float | None:
        """Where its lens is, in dioptres; None as long as that is not known."""

    def grab(self) -> Picture:
        """The next picture, (height, width, 3) BGR uint8, as soon as there is one. Raises SourceError."""

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""


Open = Callable[[Wish], FrameSource]
"""Opens the source that a wish names, never `auto`; raises SourceError."""
