"""Cameras to test with: sources that do what they are told, and a sender of pictures in the network."""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import numpy as np

from controller.arrays import Picture
from controller.devices.camera.camera import PictureOrigin, Wish
from controller.devices.camera.status import CameraCode, SourceError
from controller.devices.pictures import encode_jpeg

SIZE = (320, 240)


def noise(seed: int, size: tuple[int, int] = SIZE, level: int = 255) -> Picture:
    """A picture unlike any other; `size` is width and height."""
    drawn = np.random.default_rng(seed).integers(0, level, (size[1], size[0], 3))
    return np.asarray(drawn, np.uint8)


def at_rest(seed: int, size: tuple[int, int] = SIZE) -> Picture:
    """A scene at rest as a sensor sees it: the same each time but for a little noise."""
    across = np.linspace(40, 200, size[0])[None, :, None]
    down = np.linspace(0, 40, size[1])[:, None, None]
    seen = across + down + np.random.default_rng(seed).normal(0, 2.5, (size[1], size[0], 3))
    return np.asarray(np.clip(seen, 0, 255), np.uint8)


def until(condition: Callable[[], bool]) -> None:
    """Wait for it, however slow the machine is."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < 180, "it did not come to that"
        time.sleep(0.002)


class Bench:
    """A camera on a test bench: it can be unplugged, made to hang, to freeze, to go dark, to change its size."""

    def __init__(self) -> None:
        self.plugged = True
        self.hanging = threading.Event()
        self.repeated: Picture | None = None
        self.level = 255
        self.size = SIZE
        self.open_now = 0
        self.opened = 0
        self.failure: Exception | None = None

    def open(self, _: Wish) -> "BenchSource":
        if not self.plugged:
            raise SourceError(CameraCode.ABSENT, "bench")
        self.opened += 1
        self.open_now += 1
        return BenchSource(self)


class BenchSource:
    """What the camera on the bench gives."""

    def __init__(self, bench: Bench) -> None:
        self.name, self.origin, self.lens_position = "bench", PictureOrigin.DEVICE, None
        self._bench = bench
        self._count = 0

    def grab(self) -> Picture:
        time.sleep(0.001)
        while self._bench.hanging.is_set():
            time.sleep(0.001)
        if self._bench.failure is not None:
            raise self._bench.failure
        if not self._bench.plugged:
            raise SourceError(CameraCode.LOST, "bench")
        self._count += 1
        if self._bench.repeated is not None:
            return self._bench.repeated
        return noise(self._count, self._bench.size, self._bench.level)

    def close(self) -> None:
        self._bench.open_now -= 1


class Sender:
    """A sender of JPEG pictures at http://127.0.0.1.

    `sending` cleared, it falls silent without hanging up; with `repeating` set it sends its picture over and over;
    with `cutting` set every picture but each so many-th (`whole_every`) ends early, as where packets are lost.
    """

    def __init__(self, *, repeat: bool = False, paint: Callable[[int], Picture] = noise) -> None:
        """``paint`` makes the picture of a number."""
        self.sending, self.repeating, self.cutting = threading.Event(), threading.Event(), threading.Event()
        self.sending.set()
        if repeat:
            self.repeating.set()
        self.whole_every = 0
        self.closing = threading.Event()
        sender = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=shot")
                self.end_headers()
                number, sent = 1, 0
                while not sender.closing.is_set():
                    if not sender.sending.wait(0.05):
                        continue
                    number, sent = number + (not sender.repeating.is_set()), sent + 1
                    jpeg = encode_jpeg(paint(number), SIZE[0], 80)
                    if sender.cutting.is_set() and not (
                        sender.whole_every and sent % sender.whole_every == 0
                    ):
                        jpeg = jpeg[: int(len(jpeg) * (0.35 + 0.1 * (sent % 5)))]
                    head = f"--shot\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + jpeg + b"\r\n")
                    except OSError:
                        return
                    time.sleep(0.02)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/shots.mjpg"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
