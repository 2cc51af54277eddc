"""The camera at the ribbon of a Raspberry Pi, through picamera2: the whole sensor, focused once, then left alone."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import LARGER, PendingStill, Size, StillTaken, StillWish

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
LEAST_FPS: Final = 10.0
"""Stills may make a camera slower than was wished for, but not slower than this: hands are followed in ten
pictures a second."""
STEP: Final = 32
"""Rows of a picture begin at a multiple of so many pixels."""
EXPOSED: Final = 0.05
"""A picture is exposed as was asked for if its time differs by no more than this share: sensors count in rows."""
LATE: Final = 7
"""So many pictures later at most a sensor exposes as it was told; usually it is three or four. Twice as many may not
take as long as a camera may be silent."""
# What makes blue, green and red of Y, U and V in ITU-R BT.709 with 16 for black and 235 for white, which picamera2
# asks for in videos of 1280 x 720 and more.
BT709: Final = np.array(
    [
        [1.16438, 2.11240, 0.0, -289.018],
        [1.16438, -0.21325, -0.53291, 76.878],
        [1.16438, 0.0, 1.79274, -248.101],
    ]
)


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


def choose_mode(modes: list[SensorMode], size: tuple[float, float], fps: float) -> SensorMode | None:
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
        self._asked = PendingStill()
        self._held: dict[str, Any] = {}
        self._size = wish.size or RIBBON_SIZE
        self.still_size = _begin(camera, wish, self._focus.controls)
        self._lock_at = clock() + SETTLE_S if wish.lock else float("inf")

    @property
    def lens_position(self) -> float | None:
        """See `FrameSource`."""
        return self._focus.position

    def grab(self) -> Picture:
        """See `FrameSource`."""
        wish = self._asked.next()
        if wish is not None and wish.stops:
            self._asked.answer(wish, self._exposed(wish.stops))
        with self._request() as request:
            picture = self._usual(request)
            if wish is not None and not wish.stops:
                self._asked.answer(wish, self._still(request))
            self._settle(request.get_metadata())
        return picture

    def ask_still(self, wish: StillWish) -> None:
        """See `StillSource`."""
        self._asked.ask(wish)

    def collect_still(self) -> StillTaken | None:
        """See `StillSource`."""
        return self._asked.collect()

    def close(self) -> None:
        """See `FrameSource`."""
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.stop()
        with contextlib.suppress(RuntimeError, OSError):
            self._camera.close()

    @contextlib.contextmanager
    def _request(self) -> Iterator[Any]:
        """The next picture in all its streams. Raises SourceError."""
        try:
            request = self._camera.capture_request()
            try:
                yield request
            finally:
                request.release()
        except (RuntimeError, OSError, ValueError) as error:
            raise SourceError(CameraCode.LOST, self.name) from error

    def _usual(self, request: Any) -> Picture:
        if self.still_size is not None:
            return yuv_to_bgr(request.make_array("lores"), self._size)
        # Its rows may be padded, and the buffer is the camera's.
        return np.ascontiguousarray(request.make_array("main")[:, :, :3], np.uint8)

    def _still(self, request: Any) -> Picture | None:
        return None if self.still_size is None else yuv_to_bgr(request.make_array("main"), self.still_size)

    def _exposed(self, stops: int) -> Picture | None:
        """A still that is exposed otherwise, where the exposure is held; then it is as it was before."""
        usual = self._held.get("ExposureTime")
        if usual is None or self.still_size is None:
            return None
        shortest, longest = self._camera.camera_controls["ExposureTime"][:2]
        wanted = int(min(max(usual * 2.0**stops, shortest), longest))
        try:
            return self._exposed_for(wanted, self._still)
        finally:
            self._exposed_for(usual, lambda _: None)

    def _exposed_for(self, wanted_us: int, take: Callable[[Any], Picture | None]) -> Picture | None:
        """What ``take`` makes of the first picture that is exposed for so long; None if none is."""
        self._camera.set_controls({"ExposureTime": wanted_us})
        for _ in range(LATE):
            with self._request() as request:
                exposed_us = request.get_metadata().get("ExposureTime", 0)
                if abs(exposed_us - wanted_us) <= EXPOSED * wanted_us:
                    return take(request)
        return None

    def _settle(self, metadata: Mapping[str, Any]) -> None:
        """Hold focus, exposure and white balance once they are found."""
        now = self._clock()
        controls = self._focus.follow(metadata, now)
        if now >= self._lock_at:
            self._lock_at = float("inf")
            self._held = _fixed(metadata)
            controls |= self._held
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


def yuv_to_bgr(planes: Picture, size: Size) -> Picture:
    """A picture in colour, (height, width, 3), of one in three planes, (height * 3 / 2, stride), below each other.

    The rows of U and V lie two in one row of the array, and all rows may be padded.
    """
    (width, height), stride = size, planes.shape[1]
    tones = planes[height:].reshape(2, height // 2, stride // 2)[:, :, : width // 2]
    u, v = (cv2.resize(tone, size, interpolation=cv2.INTER_LINEAR) for tone in tones)
    return np.asarray(cv2.transform(cv2.merge([planes[:height, :width], u, v]), BT709), np.uint8)


def _begin(camera: Any, wish: Wish, focus: dict[str, Any]) -> Size | None:
    """Configure and start a camera; the size of its stills, if it has any.

    Not every machine has the memory for them, for 12 megapixels about 100 MB with the raw pictures that picamera2
    keeps beside: then it goes without.
    """
    modes = _modes(camera)
    mode = still_mode(modes, wish) if wish.still else None
    if mode is not None:
        size = still_size(mode, wish.size or RIBBON_SIZE)
        with contextlib.suppress(RuntimeError, OSError):
            camera.configure(_with_still(camera, wish, focus, mode, size))
            camera.start()
            return size
    camera.configure(_configuration(camera, wish, focus, modes))
    camera.start()
    return None


def still_mode(modes: list[SensorMode], wish: Wish) -> SensorMode | None:
    """The mode with the most pixels of the whole sensor that is fast enough, if it has more than are wished for."""
    size, least = wish.size or RIBBON_SIZE, min(wish.fps, LEAST_FPS)
    most = choose_mode(modes, (math.inf, math.inf), least)
    if most is None or most.fps < least:
        return None
    return most if still_size(most, size)[0] >= LARGER * size[0] else None


def still_size(mode: SensorMode, size: Size) -> Size:
    """The largest size that has exactly the shape of another one and of which a mode has the pixels."""
    common = math.gcd(*size)
    across, down = size[0] // common, size[1] // common
    step = math.lcm(across, STEP) // across
    step *= 1 + (step * down) % 2
    times = min(mode.size[0] // (across * step), mode.size[1] // (down * step)) * step
    return across * times, down * times


def _configuration(camera: Any, wish: Wish, focus: dict[str, Any], modes: list[SensorMode]) -> Any:
    """The video configuration for a wish; its sensor mode is named, or a fast mode that crops would be taken."""
    size = wish.size or RIBBON_SIZE
    mode = choose_mode(modes, size, wish.fps)
    # "RGB888" of libcamera lies in memory as blue, green, red, which is what OpenCV wants.
    return camera.create_video_configuration(
        main={"size": size, "format": "RGB888"},
        controls={"FrameRate": wish.fps} | focus,
        buffer_count=3,
        queue=False,
        **({} if mode is None else {"sensor": _read_out(mode)}),
    )


def _with_still(camera: Any, wish: Wish, focus: dict[str, Any], mode: SensorMode, size: Size) -> Any:
    """The same with the whole sensor beside it, in half the memory that colours would take.

    Both streams show the same part of the sensor, as they have the same shape. The smaller one has to be YUV420.
    """
    return camera.create_video_configuration(
        main={"size": size, "format": "YUV420"},
        lores={"size": wish.size or RIBBON_SIZE, "format": "YUV420"},
        controls={"FrameRate": min(wish.fps, mode.fps)} | focus,
        buffer_count=3,
        queue=False,
        sensor=_read_out(mode),
    )


def _read_out(mode: SensorMode) -> dict[str, Any]:
    return {"output_size": mode.size, "bit_depth": mode.bit_depth}


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
