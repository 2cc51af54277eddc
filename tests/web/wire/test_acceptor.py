"""A port that is closed in the moment in which somebody comes."""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Callable

from controller.web.wire.acceptor import Acceptor


class ClosingSocket(socket.socket):
    """A socket that listens; as soon as it has given a connection, `then` comes before everything else."""

    then: Callable[[], None]
    given: socket.socket | None = None

    def accept(self) -> tuple[socket.socket, object]:
        connection, address = super().accept()
        self.given = connection
        asyncio.get_running_loop().call_soon(self.then)
        return connection, address


def no_tls(address: str) -> ssl.SSLContext:
    raise AssertionError(f"nobody has begun to speak to {address}")


def test_a_connection_that_was_only_just_taken_is_closed_with_the_port() -> None:
    async def story() -> None:
        with contextlib.closing(ClosingSocket()) as listening, contextlib.closing(socket.socket()) as coming:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            acceptor = Acceptor(listening, no_tls, asyncio.Protocol)
            listening.then = acceptor.close
            acceptor.open()
            coming.connect(listening.getsockname())
            async with asyncio.timeout(20):
                while listening.given is None or listening.given.fileno() >= 0:
                    await asyncio.sleep(0)
            await acceptor.end()
            assert coming.recv(1) == b""

    asyncio.run(story())
