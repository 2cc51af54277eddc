"""Which camera is meant, and opening it; a film takes the place of a camera."""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource, Wish
from controller.devices.camera.ribbon import NAME as RIBBON
from controller.devices.camera.ribbon import open_ribbon
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.video import open_device, open_stream
from controller.devices.film import FilmError, FilmFrame, open_film

AUTO: Final = "auto"
BY_ID: Final = Path("/dev/v4l/by-id")
STREAMS: Final = ("http://", "https://", "rtsp://", "rtmp://", "tcp://", "udp://")


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
        """See `Source`."""
        for frame in self._frames:
            if frame.picture is None:
                continue
            if self._ahead is None:
                self._ahead = self._clock() - frame.t
            self._sleep(max(0.0, self._ahead + frame.t - self._clock()))
            return frame.picture
        raise SourceError(CameraCode.ENDED, self.name)

    def close(self) -> None:
        """See `Source`."""
        self._frames = iter(())


def _open_reel(path: Path) -> Iterator[FilmFrame]:
    try:
        return open_film(path)
    except FilmError as error:
        raise SourceError(CameraCode.BAD_FILM, str(path), why=str(error)) from error
