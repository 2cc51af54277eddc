"""The camera at the ribbon of a Raspberry Pi, through picamera2: the whole sensor, focused once, then left alone."""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.status import CameraCode, SourceError

RIBBON_SIZE: Final = (1280, 720)
"""If nobody wishes for another one."""
SETTLE_S: Final = 2.0
"""A camera finds its exposure and white balance within that time."""
FOCUS_S: Final = 3.0
"""A camera that has not said by then that it found its focus keeps the one it has."""
WHOLE_SHARE: Final = 0.95
"""A mode whose crop has at least this share of the largest one sees the whole sensor but for a rim."""
# Of libcamera's control_ids: AfMode, AfTrigger, AfState.
AF_MANUAL, AF_AUTO, AF_CONTINUOUS = 0, 1, 2
AF_START: Final = 0
AF_FOCUSED, AF_FAILED = 2, 3


@dataclass(frozen=True, slots=True)
class SensorMode:
    """One of the ways in which a sensor can be read out, as picamera2's `sensor_modes` lists them.

    Attributes:
        size: width and height in pixels of what the sensor gives out.
        bit_depth: bits of each pixel.
        fps: pictures a second at most.
        crop: x, y, width and height of what it looks at, in pixels of the whole sensor.
    """

    size: tuple[int, int]
    bit_depth: int
    fps: float
    crop: tuple[int, int, int, int]

    @property
    def field(self) -> int:
        """How much of the sensor it looks at, in pixels."""
        return self.crop[2] * self.crop[3]


def choose_mode(modes: list[SensorMode], size: tuple[int, int], fps: float) -> SensorMode | None:
    """The mode that sees the whole sensor with the fewest pixels that are enough; None where there are no modes.

    One that is large enough comes before one that is not, and then one that is fast enough.

    Args:
        modes: all that the sensor has.
        size: wished width and height in pixels.
        fps: wished pictures a second.
    """
    largest = max((mode.field for mode in modes), default=0)
    whole = [mode for mode in modes if mode.field >= WHOLE_SHARE * largest]

    def rank(mode: SensorMode) -> tuple[bool, bool, int, int]:
        slow = mode.fps < fps
        small = mode.size[0] < size[0] or mode.size[1] < size[1]
        pixels = mode.size[0] * mode.size[1]
        return small, slow, -pixels if small else pixels, -mode.bit_depth

    return min(whole, key=rank, default=None)


class _Focus:
    """Focuses once and then holds the lens, or keeps focusing, where the module has a lens that moves.

    Attributes:
        position: where the lens is once it is in focus, in dioptres; None as long as it is not.
        controls: what the camera is started with.
    """

    def __init__(self, camera_controls: Mapping[str, Any], wish: Wish, now_s: float) -> None:
        self.position: float | None = None
        self.controls: dict[str, Any] = {}
        self._until = now_s + FOCUS_S
        self._looks_once = self._follows = False
        if "AfMode" not in camera_controls:
            return
        if wish.lens_position is not None:
            self.position = wish.lens_position
            self.controls = _held_at(wish.lens_position)
        elif wish.lock:
            self.controls, self._looks_once = {"AfMode": AF_AUTO, "AfTrigger": AF_START}, True
        else:
            self.controls, self._follows = {"AfMode": AF_CONTINUOUS}, True

    def follow(self, metadata: Mapping[str, Any], now_s: float) -> dict[str, Any]:
        """The controls to set after one more picture."""
        position, state = metadata.get("LensPosition"), metadata.get("AfState")
        if position is None:
            return {}
        if self._follows:
            self.position = float(position) if state == AF_FOCUSED else None
        if self._looks_once and (state in (AF_FOCUSED, AF_FAILED) or now_s >= self._until):
            self._looks_once, self.position = False, float(position)
            return _held_at(self.position)
        return {}


def _held_at(position: float) -> dict[str, Any]:
    return {"AfMode": AF_MANUAL, "LensPosition": position}


class RibbonSource:
    """An open camera at the ribbon."""

    def __init__(
        self,
        camera: Any,
        name: str,
        wish: Wish,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Configure and start `camera`, a Picamera2, which belongs to this source from now on.

        Raises RuntimeError and OSError as picamera2 does.
        """
        self.name, self.origin = name, PictureOrigin.DEVICE
        self._camera, self._clock = camera, clock
        self._focus = _Focus(camera.camera_controls, wish, clock())
        camera.configure(_configuration(camera, wish, self._focus.controls))
        camera.start()
        self._lock_at = clock() + SETTLE_S if wish.lock else float("inf")

    @property
    def lens_position(self) -> float | None:
        """See `FrameSource`."""
        return self._focus.position

    def grab(self) -> Picture:
        """See `FrameSource`."""
        try:
            request = self._camera.capture_request()
            try:
                picture = request.make_array("main")
                self._settle(request.get_metadata())
            finally:
                request.release()
        except (RuntimeError, OSError, ValueError) as error:
            raise SourceError(CameraCode.LOST, self.name) from error
        # Its rows may be padded, and the buffer is the camera's.
        return np.ascontiguousarray(picture[:, :, :3], np.uint8)

    def close(self) -> None:
        """See `FrameSource`."""
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.stop()
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.close()

    def _settle(self, metadata: Mapping[str, Any]) -> None:
        """Hold focus, exposure and white balance once they are found."""
        now = self._clock()
        controls = self._focus.follow(metadata, now)
        if now >= self._lock_at:
            self._lock_at = float("inf")
            controls |= _fixed(metadata)
        if controls:
            self._camera.set_controls(controls)


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


def start_ribbon(
    make: Callable[[int], Any],
    number: int,
    source: str,
    wish: Wish,
    clock: Callable[[], float] = time.monotonic,
) -> RibbonSource:
    """A camera that `make` gives by its number, giving pictures as wished for. Raises SourceError."""
    try:
        camera = make(number)
    except IndexError as error:
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=f"there is no camera {number}") from error
    except (RuntimeError, OSError) as error:
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=_first_line(error)) from error
    try:
        return RibbonSource(camera, source, wish, clock)
    except (RuntimeError, OSError) as error:
        with contextlib.suppress(RuntimeError, OSError):
            camera.close()  # else it would be taken for the next attempt
        raise SourceError(CameraCode.NO_PI_CAMERA, source, why=_first_line(error)) from error


def _configuration(camera: Any, wish: Wish, focus: dict[str, Any]) -> Any:
    """The video configuration for a wish; its sensor mode is named, or a fast mode that crops would be taken."""
    size = wish.size or RIBBON_SIZE
    mode = choose_mode(_modes(camera), size, wish.fps)
    sensor = {} if mode is None else {"sensor": {"output_size": mode.size, "bit_depth": mode.bit_depth}}
    # "RGB888" of libcamera lies in memory as blue, green, red, which is what OpenCV wants.
    return camera.create_video_configuration(
        main={"size": size, "format": "RGB888"},
        controls={"FrameRate": wish.fps} | focus,
        buffer_count=3,
        queue=False,
        **sensor,
    )


def _modes(camera: Any) -> list[SensorMode]:
    """What picamera2 lists; cameras at USB that it lists as well have no crops."""
    return [
        SensorMode(tuple(mode["size"]), mode["bit_depth"], mode["fps"], tuple(mode["crop_limits"]))
        for mode in camera.sensor_modes
        if "crop_limits" in mode
    ]


def _fixed(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Exposure and white balance as they are now, no longer automatic."""
    fixed: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    kept = ("ExposureTime", "AnalogueGain", "ColourGains")
    return fixed | {name: metadata[name] for name in kept if name in metadata}


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
