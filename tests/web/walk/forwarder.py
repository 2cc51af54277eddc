"""A line between pages and a table that can fall dead: what is sent gets lost, and neither end is told."""

import contextlib
import socket
import threading
from types import TracebackType
from typing import Self

CHUNK = 65536


class Forwarder:
    """Passes on to a port of this machine whatever comes to a port of its own, until it is closed."""

    def __init__(self, to_port: int) -> None:
        self._to = to_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        self._cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def lose(self) -> None:
        """Nothing comes through any more on the connections that there are; new ones are as before."""
        self._dead.update(self._open)

    def cut(self) -> None:
        """Nothing comes through, on connections that are made from now on either, until it is mended."""
        self._cut = True
        self.lose()

    def mend(self) -> None:
        """New connections are as before; those that were there stay lost."""
        self._cut = False

    def close(self) -> None:
        self._listening.close()
        for end in self._open:
            end.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open += [near, far]
                if self._cut:
                    self._dead.update((near, far))
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(CHUNK):
                if source not in self._dead:
                    self._send(target, data)
            if source not in self._dead:
                target.shutdown(socket.SHUT_WR)

    def _send(self, target: socket.socket, data: bytes) -> None:
        target.sendall(data)
