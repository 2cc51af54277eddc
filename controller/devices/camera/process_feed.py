"""A source in a process of its own, which can be killed when its driver hangs."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import Wish
from controller.devices.camera.feed import FAREWELL_S, Got
from controller.devices.camera.message import (
    TAKEN,
    PictureNews,
    decode_news,
    encode_still,
    encode_wishes,
    receive,
)
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.camera.stills import Size, StillTaken, StillWish

DRIVER: Final = ("-m", "controller.devices.camera.driver")
"""What Python runs in the process."""
KILLED_S: Final = 1.0
"""So soon a killed process is gone, unless the system itself waits for the device."""


class ProcessFeed:
    """A `Feed` in a process that begins at once, so that it is ready when it is asked to open something.

    A process opens one source; attempts that find nothing may be repeated.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        program: Sequence[str] = DRIVER,
    ) -> None:
        """Start the process. Raises OSError where the system gives none.

        Args:
            clock: monotonic seconds.
            program: what Python runs, before the numbers of the channel and the memory.
        """
        self._clock = clock
        self._asked, self._gave, self._ended, self._name = False, False, False, ""
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._memory = os.memfd_create("pointsman-camera")
        try:
            handed = (theirs.fileno(), self._memory)
            self._process = subprocess.Popen(
                [sys.executable, "-P", *program, *map(str, handed)],
                stdin=subprocess.DEVNULL,
                pass_fds=handed,
                start_new_session=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
            )
        except OSError:
            self._let_go()
            raise
        finally:
            theirs.close()

    @property
    def idle(self) -> bool:
        """See `Feed`."""
        return not (self._asked or self._gave or self._ended) and self._process.poll() is None

    def open(self, wishes: Sequence[Wish]) -> None:
        """See `Feed`."""
        self._name, self._asked = wishes[0].source, True
        with suppress(ConnectionError):  # `take` tells how the process ended
            self._channel.sendall(encode_wishes(wishes))

    def get(self, timeout_s: float) -> Got | None:
        """See `Feed`."""
        coming = select.poll()
        coming.register(self._channel, select.POLLIN)
        if not coming.poll(timeout_s * 1000):
            return None
        message = receive(self._channel)
        if not message:
            raise SourceError(CameraCode.DRIVER, self._name, why=self._end_in_words())
        try:
            news = decode_news(message)
        except SourceError:
            self._asked = False
            raise
        self._gave, self._name = True, news.name
        picture, still = self._picture((news.width, news.height), 0), self._still(news)
        with suppress(ConnectionError):
            self._channel.sendall(TAKEN)
        place = news.name, news.origin, news.lens_position
        return Got(picture, self._clock(), *place, news.still_size, still)

    def ask_still(self, wish: StillWish) -> None:
        """See `Feed`."""
        with suppress(ConnectionError):  # `get` tells how the process ended
            self._channel.sendall(encode_still(wish))

    def end(self) -> bool:
        """See `Feed`. What hangs is killed; only what hangs in the system itself is left behind."""
        if not self._ended:
            self._ended = True
            self._let_go()
            if not self._is_gone_within(FAREWELL_S):
                self._process.kill()
                self._is_gone_within(KILLED_S)
        return not self.is_alive()

    def is_alive(self) -> bool:
        """See `Feed`."""
        return self._process.poll() is None

    def _picture(self, size: Size, start: int) -> Picture:
        """The picture of this size that begins at a byte of the memory."""
        picture = np.empty((size[1], size[0], 3), np.uint8)
        rest, at = picture.data.cast("B"), 0
        while at < len(rest) and (read := os.preadv(self._memory, [rest[at:]], start + at)):
            at += read
        return picture

    def _still(self, news: PictureNews) -> StillTaken | None:
        if news.still is None or news.still_shown is None:
            return None if news.still is None else StillTaken(news.still, None)
        behind = 3 * news.width * news.height
        return StillTaken(news.still, self._picture(news.still_shown, behind))

    def _is_gone_within(self, seconds: float) -> bool:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return not self.is_alive()

    def _let_go(self) -> None:
        self._channel.close()
        os.close(self._memory)

    def _end_in_words(self) -> str:
        self._is_gone_within(FAREWELL_S)
        code = self._process.returncode
        if code is not None and code < 0:
            return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with {code}"
