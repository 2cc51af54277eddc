"""Films as cameras: recorded pictures, at their own pace."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.arrays import Picture
from controller.devices.camera import status
from controller.devices.camera.status import SourceError
from controller.devices.film import FilmError, FilmFrame, open_film


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
        self._frames = _opened(path)
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
        raise SourceError(status.ended(self.name))

    def close(self) -> None:
        """See `Source`."""
        self._frames = iter(())


def _opened(path: Path) -> Iterator[FilmFrame]:
    try:
        return open_film(path)
    except FilmError as error:
        raise SourceError(status.bad_film(str(path), str(error))) from error
