"""A table that phones in the network reach over TLS, and a line to it on which everything can be overheard."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from controller.web.server.application import make_app
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.wire.authority import OwnAuthority
from controller.web.wire.certificates import Certificates, utc_now
from tests.web.browsers import SETTINGS, Seated
from tests.web.served_table import TableHouse
from tests.web.walk.forwarder import Forwarder

NAME = "table4.local"
NAMES = (NAME, "localhost", "127.0.0.1")
MAPPED = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
"""For Chromium: to it `localhost` is safe without TLS, and it sends cookies there that it sends nowhere else."""


class Overheard(Forwarder):
    """A line that keeps what goes over it.

    Attributes:
        heard: all that was said, in both directions.
    """

    def __init__(self, to_port: int) -> None:
        self.heard = bytearray()
        super().__init__(to_port)

    def _send(self, target: socket.socket, data: bytes) -> None:
        self.heard += data
        super()._send(target, data)


def certified(folder: Path, settings: WebSettings = SETTINGS) -> WebSettings:
    """Settings of a table with an authority in a folder."""
    authority = OwnAuthority.make(folder, "Pointsman table test", utc_now(), NAMES)
    return replace(
        settings, certificates=Certificates(authority, folder, NAMES), names=(NAME,), reached_at=lambda: NAME
    )


@contextmanager
def secure_table(folder: Path, house: TableHouse) -> Iterator[WebServer]:
    """A table whose visitors come from the network, whatever their address really is."""
    settings = certified(folder)
    with WebServer(Seated(make_app(house, settings)), settings) as server:
        yield server


def without_trust() -> ssl.SSLContext:
    """TLS for whoever has gone past the warning."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
