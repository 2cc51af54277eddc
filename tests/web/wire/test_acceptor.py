"""A port that is closed in the moment in which somebody comes, and when somebody stays."""

import asyncio
import contextlib
import gc
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.referee import Phase
from controller.web.wire.acceptor import Acceptor
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse
from tests.web.wire.secure_table import secure_table, without_trust

ANSWERED = "GET /login HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
FOLLOWED = (
    "GET /api/v1/live HTTP/1.1\r\nhost: {host}\r\norigin: https://{host}\r\nconnection: Upgrade\r\n"
    "upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


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


@pytest.mark.parametrize(
    ("asks", "told"),
    [(ANSWERED, "200 OK"), (FOLLOWED, "101 Switching Protocols")],
    ids=["after an answer", "while it follows"],
)
def test_who_is_sent_away_and_says_no_goodbye_is_cut_off_when_the_table_ends(
    tmp_path: Path, asks: str, told: str
) -> None:
    """As a phone that has left the Wi-Fi: over TLS a table waits for its goodbye."""
    with contextlib.ExitStack() as left:
        gc.disable()  # which would cut it off too, some time or other
        left.callback(gc.enable)
        with secure_table(tmp_path, TableHouse(SCENES[Phase.TO_ROLL]())) as server:
            line = left.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=30))
            wire = left.enter_context(line.dup())
            phone = left.enter_context(without_trust().wrap_socket(line))
            phone.sendall(asks.format(host=f"127.0.0.1:{server.port}").encode())
            assert phone.recv(1 << 10).decode().startswith(f"HTTP/1.1 {told}")
        with contextlib.suppress(ConnectionResetError):
            wire.settimeout(30)
            while wire.recv(1 << 16):
                pass
