"""The one seam that all cameras are behind."""

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
