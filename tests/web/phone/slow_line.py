"""A line between a phone and a table over which only so many bytes a second go."""

import socket
import time
from typing import Final

from tests.web.walk.forwarder import Forwarder

FAST: Final = 100_000_000
HELD_BYTES: Final = 8192
"""What the machine itself may hold of a connection: more, and whoever sends would not feel the slow line."""


class SlowLine(Forwarder):
    """See `Forwarder`."""

    def __init__(self, to_port: int, bytes_a_second: int = FAST) -> None:
        super().__init__(to_port)
        self.bytes_a_second = bytes_a_second
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, HELD_BYTES)

    def _send(self, target: socket.socket, data: bytes) -> None:
        for at in range(0, len(data), HELD_BYTES):
            piece = data[at : at + HELD_BYTES]
            time.sleep(len(piece) / self.bytes_a_second)
            super()._send(target, piece)
