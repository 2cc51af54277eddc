"""A WLED that is not there, from its documentation (kno.wled.ge): its JSON over HTTP, DDP over UDP, DNS-SD."""

import contextlib
import json
import socket
import struct
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Self

from controller.devices.lights.ddp import DDP_PORT
from controller.devices.lights.render import Rgb

VERSION: Final = "0.15.0"
_HEADER: Final = struct.Struct(">BBBBIH")
_PUSH: Final = 0x01
_THREE_CHANNELS: Final = (0x01, 0x0B)
"""Types of data that are red, green and blue with 8 bits each: of old senders, and as the protocol has it now."""
_HOSTS: Final = tuple(f"127.77.1.{each}" for each in range(1, 255))
MOST_PACKET: Final = 2048
WAKE_S: Final = 0.05
"""Its threads look this often whether it still has its power."""


class SimulatedWled:
    """A WLED with a strip; `power_off` and `power_on` do what a plug would.

    DDP has one port, so each has a loopback address of its own: the first that no other has, of this run or of one
    beside it.

    Attributes:
        address: where its pages are, ``host:port``.
        pictures: how many pictures were pushed.
    """

    def __init__(self, pixels: int, title: str = "WLED") -> None:
        """It has its power."""
        self._host, self._title = "", title
        self._strip: list[Rgb] = [(0, 0, 0)] * pixels
        self._shown: tuple[Rgb, ...] = tuple(self._strip)
        self.pictures = 0
        self._http: ThreadingHTTPServer | None = None
        self._udp: socket.socket | None = None
        self._port = 0
        self.power_on()

    @property
    def address(self) -> str:
        """Where its pages are."""
        return f"{self._host}:{self._port}"

    @property
    def shown(self) -> tuple[Rgb, ...]:
        """What the strip shows, a colour for each pixel."""
        return self._shown

    def power_on(self) -> None:
        """Start as after a power cut: dark, at the same address."""
        self._strip = [(0, 0, 0)] * len(self._strip)
        self._shown = tuple(self._strip)
        self._udp = self._bind(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._http = ThreadingHTTPServer((self._host, self._port), self._pages())
        self._port = self._http.server_address[1]
        self._udp.settimeout(WAKE_S)
        self._listener = threading.Thread(target=self._listen, name="simulated-wled", daemon=True)
        self._listener.start()
        serve = partial(self._http.serve_forever, WAKE_S)
        threading.Thread(target=serve, name="simulated-wled", daemon=True).start()

    def __enter__(self) -> Self:
        """It is there as long as the block lasts."""
        return self

    def __exit__(self, *_: object) -> None:
        """It loses its power, whatever happened: the next one may want the address."""
        self.power_off()

    def power_off(self) -> None:
        """It is gone: nothing answers any more."""
        if self._http is not None and self._udp is not None:
            self._http.shutdown()
            self._http.server_close()
            line, self._udp = self._udp, None
            # A socket that somebody waits at keeps its port.
            self._listener.join()
            line.close()
        self._http = None

    def info(self) -> dict[str, Any]:
        """What `/json/info` tells, as far as anybody here asks."""
        leds = {"count": len(self._strip), "rgbw": False, "fps": 42, "pwr": 0, "maxpwr": 850}
        return {
            "ver": VERSION,
            "name": self._title,
            "brand": "WLED",
            "product": "FOSS",
            "leds": leds,
            "live": False,
        }

    def take(self, packet: bytes) -> None:
        """Take a packet of DDP; one that is damaged or of another kind is left alone."""
        if len(packet) < _HEADER.size:
            return
        flags, _, kind, _, offset, length = _HEADER.unpack_from(packet)
        data = packet[_HEADER.size :]
        if kind not in _THREE_CHANNELS or len(data) != length:
            return
        for at in range(0, length - 2, 3):
            pixel = (offset + at) // 3
            if pixel < len(self._strip):
                self._strip[pixel] = (data[at], data[at + 1], data[at + 2])
        if flags & _PUSH:
            self._shown = tuple(self._strip)
            self.pictures += 1

    def _bind(self, line: socket.socket) -> socket.socket:
        """Take its address, or one that is free where it has none yet."""
        for host in (self._host,) if self._host else _HOSTS:
            with contextlib.suppress(OSError):
                line.bind((host, DDP_PORT))
                self._host = host
                return line
        line.close()
        raise OSError(f"the address of {self._title} is taken")

    def _listen(self) -> None:
        line = self._udp
        assert line is not None
        while line is self._udp:
            with contextlib.suppress(TimeoutError):
                self.take(line.recv(MOST_PACKET))

    def _pages(self) -> type[BaseHTTPRequestHandler]:
        wled = self

        class Pages(BaseHTTPRequestHandler):
            """Its one page that matters here."""

            def do_GET(self) -> None:
                """Answer."""
                if self.path != "/json/info":
                    self.send_error(404)
                    return
                body = json.dumps(wled.info()).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Pages
