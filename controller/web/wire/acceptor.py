"""One port for two ways to speak: TLS for browsers elsewhere, plain HTTP for this machine and for old bookmarks."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from functools import partial
from typing import Final
from weakref import WeakSet

FIRST_S: Final = 10.0
"""How long a connection may take to begin to speak, and again to agree on TLS."""
AT_ONCE: Final = 64
"""This many connections are taken before anything else is seen to."""
PAUSE_S: Final = 1.0
"""How long no connection is taken after the system could give none, such as for want of descriptors."""
HANDSHAKE: Final = b"\x16"
"""The first byte of everybody who begins with TLS (RFC 8446, 5.1); no method of HTTP begins with it."""


class Acceptor:
    """Takes the connections of a socket that listens, and answers each in the way it begins. For one loop."""

    def __init__(
        self,
        listening: socket.socket,
        context_for: Callable[[str], ssl.SSLContext],
        make_protocol: Callable[[], asyncio.Protocol],
    ) -> None:
        """``context_for`` gives what TLS is spoken with, for an address of this machine."""
        self._listening, self._context_for, self._make_protocol = listening, context_for, make_protocol
        self._coming: set[asyncio.Task[None]] = set()
        self._taken: WeakSet[asyncio.BaseTransport] = WeakSet()
        self._pause: asyncio.TimerHandle | None = None
        listening.setblocking(False)

    def open(self) -> None:
        """Begin to take connections."""
        self._pause = None
        asyncio.get_running_loop().add_reader(self._listening, self._take)

    def close(self) -> None:
        """Take no more; those that have not begun to speak are closed. Calling it again does nothing."""
        if self._listening.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self._listening)
        if self._pause is not None:
            self._pause.cancel()
        for task in self._coming:
            task.cancel()

    async def end(self) -> None:
        """Cut whoever has not said goodbye: with TLS both sides may, and a phone that is gone never does."""
        for transport in self._taken:
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
        await asyncio.sleep(0)

    def _take(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, _address = self._listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError:
                self._rest()
                return
            task = asyncio.get_running_loop().create_task(self._let_in(connection))
            self._coming.add(task)
            task.add_done_callback(partial(self._on_let_in, connection))

    def _on_let_in(self, connection: socket.socket, task: asyncio.Task[None]) -> None:
        self._coming.discard(task)
        if task.cancelled():  # perhaps before its first step, and then nothing in it has run
            connection.close()

    def _rest(self) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listening)
        self._pause = loop.call_later(PAUSE_S, self.open)

    async def _let_in(self, connection: socket.socket) -> None:
        try:
            connection.setblocking(False)
            async with asyncio.timeout(FIRST_S):
                first = await _first_byte(connection)
            context = self._context_for(connection.getsockname()[0]) if first == HANDSHAKE else None
            transport, _ = await asyncio.get_running_loop().connect_accepted_socket(
                self._make_protocol,
                connection,
                ssl=context,
                ssl_handshake_timeout=None if context is None else FIRST_S,
            )
            self._taken.add(transport)
        except OSError:  # they were too slow, do not trust the certificate, or went away
            connection.close()
        except BaseException:
            connection.close()
            raise


async def _first_byte(connection: socket.socket) -> bytes:
    """The first byte that comes, left where it is; empty where they go without a word."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(connection, _settle, ready)
    try:
        await ready
    finally:
        loop.remove_reader(connection)
    return connection.recv(1, socket.MSG_PEEK)


def _settle(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)
