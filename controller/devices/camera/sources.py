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
from controller.devices.camera.ribbon import LEAST_FPS, SETTLE_S, open_ribbon
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import PendingStill, Size, StillTaken, StillWish
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
STILL_SIZES: Final = ((1920, 1080), (1600, 1200))
"""What a device at USB is run at to have stills. Each picture is decoded and made smaller, which takes 4 ms
more of one x86-64 core than one of 1280 x 720; larger ones would leave a small machine no time."""
FIRST: Final = 5
"""So many pictures after a device was opened one shows what it sees."""
VIEW: Final = (160, 90)
SAME_VIEW: Final = 0.9
PLAIN: Final = 4.0
"""How alike two pictures of the same scene are (correlation) at the size at which they are compared, and how much
their grey levels have to differ for that to mean anything. Of eight rendered boards a cut of three
quarters had 0.27 at most, the same picture 0.99."""
LATE: Final = 4
"""So many pictures later a device exposes as it was told: two lie in its buffers, and one is being taken."""
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

    Pictures that come faster than was wished for are passed over without being decoded. Those of a device may come
    larger than they were wished for: they are made smaller, and are stills before that.
    """

    def __init__(
        self,
        capture: cv2.VideoCapture,
        name: str,
        wish: Wish,
        origin: PictureOrigin,
        clock: Callable[[], float] = time.monotonic,
        *,
        still_size: Size | None = None,
    ) -> None:
        """`capture` is open and belongs to this source from now on; the exposure of a device may be locked.

        ``still_size`` is that of its pictures where they come larger than they were wished for.
        """
        self.name, self.origin, self.lens_position = name, origin, None
        self.still_size = still_size
        self._asked, self._size = PendingStill(), wish.size
        self._capture = capture
        self._pause_s = _EARLY / wish.fps
        self._clock = clock
        self._due = float("-inf")
        locks = wish.lock and origin is PictureOrigin.DEVICE
        self._lock = _Lock(capture, clock) if locks else None

    def grab(self) -> Picture:
        """See `FrameSource`."""
        wish = self._asked.next()
        if wish is not None and wish.stops:
            self._asked.answer(wish, self._exposed(wish.stops))
        picture = self._next()
        if wish is not None and not wish.stops:
            self._asked.answer(wish, None if self.still_size is None else picture)
        return picture if self.still_size is None or self._size is None else reduced(picture, self._size)

    def ask_still(self, wish: StillWish) -> None:
        """See `StillSource`."""
        self._asked.ask(wish)

    def collect_still(self) -> StillTaken | None:
        """See `StillSource`."""
        return self._asked.collect()

    def _exposed(self, stops: int) -> Picture | None:
        """A picture that is exposed otherwise, where the exposure is held; then it is as it was before."""
        if self._lock is None or not self._lock.expose(stops):
            return None
        try:
            for _ in range(LATE):
                picture = self._next()
            return picture
        finally:
            self._lock.restore()
            for _ in range(LATE):
                self._next()

    def _next(self) -> Picture:
        """The next picture, as large as it comes. Raises SourceError."""
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
        self._exposure: float | None = None

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
            self._exposure = None
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO)
            self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)

    def expose(self, stops: int) -> bool:
        """Expose so many stops otherwise from now on; whether the camera does so, as it does only what it holds."""
        if not self._done or self._exposure is None:
            return False
        wanted = max(1.0, round(self._exposure * 2.0**stops))
        self._capture.set(cv2.CAP_PROP_EXPOSURE, wanted)
        if self._capture.get(cv2.CAP_PROP_EXPOSURE) == wanted != self._exposure:
            return True
        self.restore()
        return False

    def restore(self) -> None:
        """Expose as before."""
        if self._exposure is not None:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, self._exposure)

    def _fix(self) -> None:
        exposure = self._capture.get(cv2.CAP_PROP_EXPOSURE)
        if self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL) and exposure > 0:
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
            self._exposure = exposure
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
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 2)
        larger = still_size_at(capture, wish)
    return VideoSource(capture, name, wish, PictureOrigin.DEVICE, still_size=larger)


def still_size_at(capture: cv2.VideoCapture, wish: Wish) -> Size | None:
    """Have a device give pictures as wished for, or larger ones: the size of those, None for as wished for.

    Larger ones have the same shape, come fast enough, and show the same: some cameras cut a part out of their sensor
    for one size and not for another.
    """
    _run_at(capture, wish.size, wish.fps)
    if wish.size is None or not wish.still:
        return None
    size = larger_size(wish.size)
    usual = None if size is None else _first_picture(capture)
    if size is None or usual is None:
        return None
    runs = _run_at(capture, size, wish.fps) >= min(wish.fps, LEAST_FPS)
    larger = _first_picture(capture) if runs else None
    if larger is not None and larger.shape[1::-1] == size and is_same_view(usual, larger):
        return size
    _run_at(capture, wish.size, wish.fps)
    return None


def larger_size(size: Size) -> Size | None:
    """The stills of a device whose usual ones are of a size; None where those are no smaller."""
    fitting = (
        still for still in STILL_SIZES if still[0] * size[1] == still[1] * size[0] and still[0] > size[0]
    )
    return next(fitting, None)


def is_same_view(usual: Picture, larger: Picture) -> bool:
    """Whether two pictures of different sizes show the same part of a scene; not where that cannot be told."""
    one, other = (
        cv2.cvtColor(cv2.resize(picture, VIEW, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        for picture in (usual, larger)
    )
    if min(float(one.std()), float(other.std())) < PLAIN:
        return False
    return float(cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED)[0, 0]) >= SAME_VIEW


def reduced(picture: Picture, size: Size) -> Picture:
    """The picture made smaller."""
    # By less than half no pixel is passed over, and this takes a quarter of the time: 1.3 ms in place of 5.3.
    way = cv2.INTER_LINEAR if 2 * size[0] >= picture.shape[1] else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, size, interpolation=way), np.uint8)


def _run_at(capture: cv2.VideoCapture, size: Size | None, fps: float) -> float:
    """Have a device give pictures of a size; how many a second it says that it gives then."""
    if size is not None:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    return float(capture.get(cv2.CAP_PROP_FPS))


def _first_picture(capture: cv2.VideoCapture) -> Picture | None:
    """One of the first pictures of a device, once it has found its exposure well enough to show something."""
    shown: Picture | None = None
    for _ in range(FIRST):
        came, picture = capture.read()
        shown = np.asarray(picture, np.uint8) if came and picture is not None and picture.ndim == 3 else shown
    return shown


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
