"""Whatever gives pictures: devices and streams through OpenCV, films, and the camera at the ribbon."""

import errno
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, PictureOrigin, Wish
from controller.devices.camera.choice import PHONE, STREAMS, device_path, is_film, is_ribbon
from controller.devices.camera.ribbon import SETTLE_S, open_ribbon
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.film import FilmError, FilmFrame, open_film
from controller.devices.pictures import hushed_opencv

CHANGED: Final = 1.5
"""If fixing the exposure makes pictures brighter or darker by this factor, the camera exposes by itself again."""
JUDGED_S: Final = 1.0
"""How long after fixing it that is looked at."""
STREAM_MS: Final = 5000
_MANUAL, _AUTO = 1, 3
"""V4L2's numbers: exposure by hand, and aperture priority."""
UNDECODED_S: Final = 1.0
"""How long no picture could be decoded: OpenCV 5 gives none where the end of a JPEG is lost."""
_EARLY: Final = 0.7
"""Pictures that come sooner than this share of the time between two are not decoded."""


def open_source(wish: Wish) -> FrameSource:
    """Open what a wish names, which is not `auto`. Raises SourceError."""
    source = wish.source
    if is_ribbon(source):
        return open_ribbon(source, wish)
    if source.startswith(STREAMS):
        return open_stream(source, wish)
    if source == PHONE:  # its pictures come through the pages, which another program has
        raise SourceError(CameraCode.PHONE_AWAY, source)
    if is_film(source):
        return ReelSource(Path(source))
    return open_device(device_path(source) or Path(source), wish)


class ReelSource:
    """A film as a device that gives its pictures when they are due; those that cannot be decoded are left out."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        """Raises SourceError if it is no film."""
        self.name, self.origin, self.lens_position = str(path), PictureOrigin.FILM, None
        self._frames = _open_reel(path)
        self._closing = threading.Event()
        self._clock, self._sleep = clock, sleep or self._closing.wait
        self._ahead: float | None = None

    def grab(self) -> Picture:
        """See `FrameSource`."""
        for frame in self._frames:
            if self._closing.is_set():
                break
            if frame.picture is None:
                continue
            if self._ahead is None:
                self._ahead = self._clock() - frame.t
            self._sleep(max(0.0, self._ahead + frame.t - self._clock()))
            return frame.picture
        raise SourceError(CameraCode.ENDED, self.name)

    def close(self) -> None:
        """See `FrameSource`; from any thread, and whoever waits for a picture learns that the film has ended."""
        self._closing.set()


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
        origin: PictureOrigin,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`capture` is open and belongs to this source from now on; the exposure of a device may be locked."""
        self.name, self.origin, self.lens_position = name, origin, None
        self._capture = capture
        self._pause_s = _EARLY / wish.fps
        self._clock = clock
        self._due = float("-inf")
        locks = wish.lock and origin is PictureOrigin.DEVICE
        self._lock = _Lock(capture, clock) if locks else None

    def grab(self) -> Picture:
        """See `FrameSource`."""
        undecoded_since: float | None = None
        while True:
            if not self._capture.grab():
                code = CameraCode.STALLED if self.origin.is_sent else CameraCode.LOST
                raise SourceError(code, self.name)
            now = self._clock()
            if undecoded_since is not None and now - undecoded_since >= UNDECODED_S:
                raise SourceError(CameraCode.INCOMPLETE, self.name)
            if now < self._due:
                continue
            self._due = now + self._pause_s
            decoded, picture = self._capture.retrieve()
            if decoded and picture is not None and picture.ndim == 3:
                whole = np.asarray(picture, np.uint8)
                if self._lock is not None:
                    self._lock.follow(whole)
                return whole
            if undecoded_since is None:
                undecoded_since = now

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
    return VideoSource(capture, name, wish, PictureOrigin.DEVICE)


def open_stream(address: str, wish: Wish) -> VideoSource:
    """The pictures that a sender gives out under an address. Raises SourceError."""
    # FFmpeg would write about every failed attempt beside what the status says.
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, STREAM_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, STREAM_MS]
    with hushed_opencv():
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
    if not capture.isOpened():
        raise SourceError(CameraCode.UNREACHABLE, address)
    single = int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")
    return VideoSource(capture, address, wish, PictureOrigin.STILLS if single else PictureOrigin.STREAM)


def _check_access(name: str, device: Path) -> None:
    """Find out why a device cannot be opened: OpenCV does not tell."""
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        raise SourceError(_ACCESS.get(error.errno or 0, CameraCode.ABSENT), name) from None


_ACCESS = {errno.EACCES: CameraCode.DENIED, errno.EPERM: CameraCode.DENIED, errno.EBUSY: CameraCode.TAKEN}
