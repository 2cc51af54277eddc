"""The Pi's own camera at the ribbon, through picamera2, which exists on a Raspberry Pi only."""

import contextlib
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import Wish
from controller.devices.camera.status import CameraCode, SourceError

NAME: Final = "picamera2"
SIZE: Final = (1280, 720)
"""If nobody wishes for another one."""
SETTLE_S: Final = 2.0
"""Exposure and white balance are found within that time."""


class RibbonSource:
    """An open camera at the ribbon."""

    def __init__(
        self, camera: Any, name: str, wish: Wish, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`camera` is a started Picamera2 and belongs to this source from now on."""
        self.name, self.live = name, True
        self._camera, self._clock = camera, clock
        self._lock_at = clock() + SETTLE_S if wish.lock else float("inf")

    def grab(self) -> Picture:
        """See `Source`."""
        try:
            request = self._camera.capture_request()
            try:
                picture = request.make_array("main")
                if self._clock() >= self._lock_at:
                    self._lock_at = float("inf")
                    self._camera.set_controls(_fixed(request.get_metadata()))
            finally:
                request.release()
        except (RuntimeError, OSError, ValueError) as error:
            raise SourceError(CameraCode.LOST, self.name) from error
        # Its rows may be padded, and the buffer is the camera's.
        return np.ascontiguousarray(picture[:, :, :3], np.uint8)

    def close(self) -> None:
        """See `Source`."""
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.stop()
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.close()


def open_ribbon(source: str, wish: Wish) -> RibbonSource:
    """The camera `picamera2` or `picamera2:NUMBER`. Raises SourceError."""
    number = source.partition(":")[2] or "0"
    if not (number.isascii() and number.isdigit()):
        raise SourceError(CameraCode.ABSENT, source)
    try:
        from picamera2 import Picamera2
    except (ImportError, OSError, ValueError) as error:  # ValueError: built on another NumPy
        raise SourceError(CameraCode.NO_LIBRARY, source, why=_first_line(error)) from error
    return start_ribbon(Picamera2, int(number), source, wish)


def start_ribbon(make: Callable[[int], Any], number: int, source: str, wish: Wish) -> RibbonSource:
    """A camera that `make` gives by its number, giving pictures as wished for. Raises SourceError."""
    try:
        camera = make(number)
    except IndexError as error:
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=f"there is no camera {number}") from error
    except (RuntimeError, OSError) as error:
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=_first_line(error)) from error
    try:
        camera.configure(_configuration(camera, wish))
        camera.start()
    except (RuntimeError, OSError) as error:
        with contextlib.suppress(RuntimeError, OSError):
            camera.close()  # else it would be taken for the next attempt
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=_first_line(error)) from error
    return RibbonSource(camera, source, wish)


def _configuration(camera: Any, wish: Wish) -> Any:
    # "RGB888" of libcamera lies in memory as blue, green, red, which is what OpenCV wants.
    return camera.create_video_configuration(
        main={"size": wish.size or SIZE, "format": "RGB888"},
        controls={"FrameRate": wish.fps},
        buffer_count=3,
        queue=False,
    )


def _fixed(metadata: dict[str, Any]) -> dict[str, Any]:
    """Exposure and white balance as they are now, no longer automatic."""
    fixed: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    kept = ("ExposureTime", "AnalogueGain", "ColourGains")
    return fixed | {name: metadata[name] for name in kept if name in metadata}


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
