"""Whatever gives pictures: devices and streams through OpenCV, the Pi's own camera, films; and which one is meant."""

import contextlib
import errno
import os
import re
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, Wish
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.film import FilmError, FilmFrame, open_film
from controller.devices.pictures import hushed_opencv

AUTO: Final = "auto"
BY_ID: Final = Path("/dev/v4l/by-id")
STREAMS: Final = ("http://", "https://", "rtsp://", "rtmp://", "tcp://", "udp://")
RIBBON: Final = "picamera2"
"""The package that reaches the Pi's own camera at the ribbon, and what the configuration calls that camera."""
RIBBON_SIZE: Final = (1280, 720)
"""If nobody wishes for another one."""
SETTLE_S: Final = 2.0
"""A camera finds its exposure and white balance within that time."""
CHANGED: Final = 1.5
"""If fixing the exposure makes pictures so many times brighter or darker, it is taken back."""
JUDGED_S: Final = 1.0
"""So long after fixing it that is looked at."""
STREAM_MS: Final = 5000
_MANUAL, _AUTO = 1, 3
"""V4L2's numbers: exposure by hand, and aperture priority."""
_EARLY: Final = 0.7
"""Pictures that come sooner than this share of the time between two are not decoded."""


def cameras(by_id: Path = BY_ID) -> tuple[str, ...]:
    """The cameras at USB that are there now, by names that stay the same over replugging."""
    try:
        found = sorted(path for path in by_id.iterdir() if path.name.endswith("-video-index0"))
    except OSError:
        return ()
    return tuple(map(str, found))


def is_film(source: str) -> bool:
    """Whether this names recorded pictures, no camera and no stream."""
    return not (source == AUTO or _is_ribbon(source) or source.startswith(STREAMS) or _device(source))


def gives_its_own_size(source: str) -> bool:
    """Whether this is a film or a stream, whose pictures are of the size that they are of."""
    return is_film(source) or source.startswith(STREAMS)


def open_source(wish: Wish, find: Callable[[], tuple[str, ...]] = cameras) -> FrameSource:
    """Open what a wish names; for `auto` the cameras that `find` lists, then the ribbon. Raises SourceError."""
    source = wish.source
    if source == AUTO:
        return _open_any(wish, find())
    if _is_ribbon(source):
        return open_ribbon(source, wish)
    if source.startswith(STREAMS):
        return open_stream(source, wish)
    device = _device(source)
    return ReelSource(Path(source)) if device is None else open_device(device, wish)


def _open_any(wish: Wish, found: tuple[str, ...]) -> FrameSource:
    trouble: SourceError | None = None
    for source in found:
        try:
            return open_device(Path(source), wish)
        except SourceError as error:
            trouble = trouble or error
    if find_spec(RIBBON) is not None:
        try:
            return open_ribbon(RIBBON, wish)
        except SourceError as error:
            trouble = trouble or error
    raise trouble or SourceError(CameraCode.NO_CAMERA, AUTO)


def _is_ribbon(source: str) -> bool:
    return source.partition(":")[0] == RIBBON


def _device(source: str) -> Path | None:
    if source.isascii() and source.isdigit():
        return Path(f"/dev/video{source}")
    return Path(source) if source.startswith("/dev/") else None


class ReelSource:
    """A film as a device that gives its pictures when they are due; those that cannot be decoded are left out."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises SourceError if it is no film."""
        self.name, self.live = str(path), False
        self._frames = _open_reel(path)
        self._clock, self._sleep = clock, sleep
        self._ahead: float | None = None

    def grab(self) -> Picture:
        """See `FrameSource`."""
        for frame in self._frames:
            if frame.picture is None:
                continue
            if self._ahead is None:
                self._ahead = self._clock() - frame.t
            self._sleep(max(0.0, self._ahead + frame.t - self._clock()))
            return frame.picture
        raise SourceError(CameraCode.ENDED, self.name)

    def close(self) -> None:
        """See `FrameSource`."""
        self._frames = iter(())


def _open_reel(path: Path) -> Iterator[FilmFrame]:
    try:
        return open_film(path)
    except FilmError as error:
        raise SourceError(CameraCode.BAD_FILM, str(path), why=str(error)) from error


class VideoSource:
    """An open device or stream.

    Pictures that come faster than was wished for are passed over without being decoded.
    """

    def __init__(
        self,
        capture: cv2.VideoCapture,
        name: str,
        wish: Wish,
        *,
        lock: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`capture` is open and belongs to this source from now on; `lock` fixes its exposure when it has settled."""
        self.name, self.live = name, True
        self._capture = capture
        self._pause_s = _EARLY / wish.fps
        self._clock = clock
        self._due = float("-inf")
        self._lock = _Lock(capture, clock) if lock else None

    def grab(self) -> Picture:
        """See `FrameSource`."""
        while True:
            if not self._capture.grab():
                raise SourceError(CameraCode.LOST, self.name)
            now = self._clock()
            if now < self._due:
                continue
            self._due = now + self._pause_s
            decoded, picture = self._capture.retrieve()
            if decoded and picture is not None and picture.ndim == 3:
                whole = np.asarray(picture, np.uint8)
                if self._lock is not None:
                    self._lock.follow(whole)
                return whole

    def close(self) -> None:
        """See `FrameSource`."""
        self._capture.release()


class _Lock:
    """Fixes exposure, white balance and focus of a V4L2 camera once it has settled, if that spoils nothing.

    What a camera makes of that differs: some go back to a value of long ago. So the brightness before and after
    is compared, and the automatic comes back where they differ.
    """

    def __init__(self, capture: cv2.VideoCapture, clock: Callable[[], float]) -> None:
        self._capture, self._clock = capture, clock
        self._at = clock() + SETTLE_S
        self._level: float | None = None
        self._done = False

    def follow(self, picture: Picture) -> None:
        """One more picture has come."""
        if self._done or self._clock() < self._at:
            return
        level = float(picture[::16, ::16].mean()) + 1
        if self._level is None:
            self._level, self._at = level, self._clock() + JUDGED_S
            self._fix()
            return
        self._done = True
        if not 1 / CHANGED < level / self._level < CHANGED:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)

    def _fix(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL) and exposure > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)


def open_device(path: Path, wish: Wish) -> VideoSource:
    """A V4L2 device, such as `/dev/video0`. Raises SourceError."""
    name = str(path)
    device = path.resolve()
    _check_access(name, device)
    digits = re.fullmatch(r"/dev/video(\d+)", str(device))
    if digits is None:
        raise SourceError(CameraCode.ABSENT, name)
    with hushed_opencv():
        capture = cv2.VideoCapture(int(digits[1]), cv2.CAP_V4L2)
        if not capture.isOpened():
            raise SourceError(CameraCode.TAKEN, name)
        # Cameras give their larger sizes at a useful rate only as JPEG.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        if wish.size is not None:
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, wish.size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, wish.size[1])
        capture.set(cv2.CAP_PROP_FPS, wish.fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 2)
    return VideoSource(capture, name, wish, lock=wish.lock)


def open_stream(address: str, wish: Wish) -> VideoSource:
    """The pictures that a sender gives out under an address. Raises SourceError."""
    # FFmpeg would write about every failed attempt beside what the status says.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_MS]
    with hushed_opencv():
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        raise SourceError(CameraCode.UNREACHABLE, address)
    return VideoSource(capture, address, wish, lock=False)


def _check_access(name: str, device: Path) -> None:
    """Find out why a device cannot be opened: OpenCV does not tell."""
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        raise SourceError(_ACCESS.get(error.errno or 0, CameraCode.ABSENT), name) from None


_ACCESS = {errno.EACCES: CameraCode.DENIED, errno.EPERM: CameraCode.DENIED, errno.EBUSY: CameraCode.TAKEN}


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
        """See `FrameSource`."""
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
        """See `FrameSource`."""
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
        main={"size": wish.size or RIBBON_SIZE, "format": "RGB888"},
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
