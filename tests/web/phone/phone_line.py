"""The WebSocket of a phone, for tests that say one thing after the other.

One thread does all of it. The library's own client for threads reads in one and writes in another, and OpenSSL
breaks a connection off now and then if both happen at once ("internal error", Python before 3.13).
"""

import asyncio
import json
from types import TracebackType
from typing import Self

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.web.wire.secure_table import without_trust

ANSWER_S = 60
PIECE = 60_000


class PhoneLine:
    """What a phone says to the table at a port, and what it hears."""

    def __init__(self, port: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._opened = connect(
            f"wss://127.0.0.1:{port}/api/v1/camera", ssl=without_trust(), proxy=None, ping_interval=None
        )

    def __enter__(self) -> Self:
        self._line = self._loop.run_until_complete(self._opened.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run_until_complete(self._line.close())
        self._loop.close()

    def send(self, said: str | bytes) -> None:
        self._loop.run_until_complete(self._line.send(said))

    def send_picture(self, jpeg: bytes) -> None:
        """As the page does: how many bytes, then the bytes in pieces."""
        self.send(json.dumps({"bytes": len(jpeg)}))
        for at in range(0, len(jpeg), PIECE):
            self.send(jpeg[at : at + PIECE])

    def recv(self) -> str | bytes:
        return self._loop.run_until_complete(asyncio.wait_for(self._line.recv(), ANSWER_S))

    def closed_with(self) -> int:
        """The code with which the table ends the line; 0 if it only breaks off."""
        try:
            said = self.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0
        raise AssertionError(said)
