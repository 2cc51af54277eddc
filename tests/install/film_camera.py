"""A film as the camera of Chromium: one picture stands in its file, and another takes its place when it is time."""

import bisect
import json
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2
import numpy as np

HEADER: Final = b"YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420\n"
FRAME: Final = b"FRAME\n"
COPIES: Final = 2
"""Chromium reads the file round and round, so it holds the same picture twice."""
LOOK_S: Final = 0.05


class FilmCamera:
    """Pictures of a folder with their times, shown to Chromium as what its camera sees.

    The first one stands there until the film is begun; the last one stays.

    Attributes:
        path: the file, for ``--use-file-for-fake-video-capture``.
    """

    def __init__(self, folder: Path, path: Path) -> None:
        """Show the first picture.

        Args:
            folder: numbered pictures of one size, and ``times.jsonl`` with each one's seconds.
            path: the file to write.
        """
        told = [json.loads(line) for line in (folder / "times.jsonl").read_text().splitlines()]
        self._pictures = [folder / each["file"] for each in told]
        self._times = [float(each["t"]) for each in told]
        self.path = path
        self._shown = -1
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._show(0)

    def begin(self) -> None:
        """Let the film run, in the time that it was taken in."""
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        """The camera."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the film."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        began = time.monotonic() - self._times[0]
        while not self._stop.wait(LOOK_S):
            self._show(max(0, bisect.bisect_right(self._times, time.monotonic() - began) - 1))

    def _show(self, number: int) -> None:
        """Write a picture over the one that stands there; a file that Chromium has open stays the same file."""
        if number == self._shown:
            return
        picture = cv2.imread(str(self._pictures[number]))
        assert picture is not None, self._pictures[number]
        height, width = picture.shape[:2]
        frame = FRAME + np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)).tobytes()
        with self.path.open("r+b" if self._shown >= 0 else "wb") as file:
            file.write(HEADER % (width, height) + COPIES * frame)
        self._shown = number
