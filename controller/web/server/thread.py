"""The web server of a table or of a hub: one thread that starts and stops in order."""

import asyncio
import socket
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from controller.closing import Closeable
from controller.web.port import ServerError, listen
from controller.web.server.connections import (
    ConnectionLimits,
    LimitedListener,
    OrderlyWebSocket,
    TimedProtocol,
)
from controller.web.settings import WebSettings
from controller.web.wire.acceptor import Acceptor
from controller.web.wire.certificates import Certificates

START_S: Final = 30.0
STOP_S: Final = 5.0
PIECE: Final = 1 << 16
"""Bytes of a message by WebSocket. Only a phone that is the camera sends so many, its pictures in pieces."""
DESCRIPTORS: Final = 1024
"""All of a table's stay below this number: the drivers of its devices wait with select, which knows no higher one."""


class WebServer(Closeable):
    """Offers pages from a thread of its own, until it is closed.

    Attributes:
        port: at which it listens.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: WebSettings,
        listening: socket.socket | None = None,
        certificate: tuple[Path, Path] | None = None,
        limits: ConnectionLimits | None = None,
    ) -> None:
        """Listen and serve an application.

        Args:
            app: the application.
            settings: where to listen.
            listening: the socket, if it listens there already; it belongs to the server from now on.
            certificate: the files of a certificate and its key, to speak TLS and nothing else; None to do as the
                settings say.
            limits: how many connections there may be; None for as many as a table may have.

        Raises:
            ServerError: if the address cannot be listened at.
        """
        self.settings = settings
        self._socket = LimitedListener(
            listening or listen(settings.host, settings.port), limits or ConnectionLimits.within(DESCRIPTORS)
        )
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            app,
            http=TimedProtocol,
            ws=OrderlyWebSocket,
            # As everywhere but on Windows, whose usual loop waits for no socket.
            loop="asyncio:SelectorEventLoop",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws_max_size=PIECE,
            ws_per_message_deflate=False,
            ws_ping_interval=20.0,
            ws_ping_timeout=20.0,
            timeout_keep_alive=10,
            timeout_graceful_shutdown=1,
            ssl_certfile=None if certificate is None else certificate[0],
            ssl_keyfile=None if certificate is None else certificate[1],
        )
        self._server = _Threaded(config, settings.certificates if certificate is None else None)
        self._thread = threading.Thread(target=self._serve, name="pointsman-web", daemon=True)
        self._thread.start()
        if not self._server.up.wait(START_S) or self._server.failed:
            self.close()
            raise ServerError("The pages cannot be offered: the web server does not start.")

    @property
    def address(self) -> str:
        """The address to open."""
        host = self.settings.host
        shown = "localhost" if host in ("0.0.0.0", "::") else host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}"

    def listen_at(self, host: str) -> None:
        """Listen at another address of this machine, at the same port; whoever is connected stays so.

        Raises:
            ServerError: if it cannot be listened there; the server listens where it did then.
        """
        asyncio.run_coroutine_threadsafe(self._move(host), self._server.loop).result(START_S)

    async def _move(self, host: str) -> None:
        before = self._socket.getsockname()[0]
        self._server.close_acceptors()
        self._socket.close()
        for wanted in (host, before):
            try:
                listening = listen(wanted, self.port)
            except ServerError:
                if wanted == before:
                    raise
                continue
            self._socket = LimitedListener(listening, ConnectionLimits.within(DESCRIPTORS))
            self._server.open_acceptors([self._socket])
            return

    def close(self) -> None:
        """Send everybody away and stop listening."""
        self._server.should_exit = True
        self._thread.join(STOP_S)
        self._socket.close()

    def _serve(self) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self._server.failed = not self._server.started
            self._server.up.set()


class _Threaded(uvicorn.Server):
    """A server that leaves the signals to the program, and tells when it is up.

    With certificates it speaks TLS and plain HTTP at the same port, as each browser begins.
    """

    def __init__(self, config: uvicorn.Config, certificates: Certificates | None) -> None:
        super().__init__(config)
        self.up = threading.Event()
        self.loop: asyncio.AbstractEventLoop
        self.failed = False
        self._certificates = certificates
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        if self._certificates is None:
            await super().startup(sockets=sockets)
        else:
            await super().startup(sockets=[])
            self.open_acceptors(sockets or [])
        self.up.set()

    def open_acceptors(self, sockets: Sequence[socket.socket]) -> None:
        """Take what comes at these sockets, in either way; for the loop, with certificates."""
        if self._certificates is not None:
            opened = [Acceptor(each, self._certificates.context, self._make_protocol) for each in sockets]
            self._acceptors += opened
            for acceptor in opened:
                acceptor.open()

    def close_acceptors(self) -> None:
        """Take nothing more; for the loop."""
        for acceptor in self._acceptors:
            acceptor.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.close_acceptors()
        await super().shutdown(sockets=sockets)
        self._abort_left()
        for acceptor in self._acceptors:
            await acceptor.end()
        await asyncio.sleep(0)  # what was aborted is closed by the loop

    def _abort_left(self) -> None:
        """Cut off whoever is still there: uvicorn leaves those that came while it ended, or took too long."""
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    def _make_protocol(self) -> asyncio.Protocol:
        return TimedProtocol(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
