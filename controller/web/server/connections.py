"""Connections: how many there may be, and how long each may take to say what it wants."""

import asyncio
import contextlib
import socket
import weakref
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, Self, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

HEAD_S: Final = 10.0
"""How long a request's first lines may take, from the moment of the connection or from their first letter."""
BODY_S: Final = 60.0
"""How long the rest of a request may take: 1 MiB over the slowest line of a club."""
PER_ADDRESS: Final = 256
"""This many connections one address may have. A page has one or two, and a router may hide a hall full of phones."""
KEPT_FREE: Final = 256
"""This many descriptors are left to journals, devices, the broker and the way in for tables."""
IN_FRONT: Final = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
"""Where programs on this machine come from. One in front of the pages brings the requests of everybody."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections a server takes; others are closed at once.

    Attributes:
        total: all together.
        per_address: from one address. This machine's own is limited by ``total`` alone.
    """

    total: int
    per_address: int

    @classmethod
    def within(cls, descriptors: int) -> Self:
        """The limits of a server that may use this many descriptors, or as many as its process if those are fewer."""
        there = _allowed(descriptors)
        total = max(there - KEPT_FREE, there // 2)
        return cls(total, min(PER_ADDRESS, total // 3))


def _allowed(descriptors: int) -> int:
    """So many, or as many as this process may have; Windows limits connections otherwise."""
    try:
        import resource
    except ImportError:  # Windows
        return descriptors
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return descriptors if allowed == resource.RLIM_INFINITY else min(allowed, descriptors)


class LimitedListener(socket.socket):
    """A socket that listens, and takes as many connections as the limits allow.

    It counts them where they are accepted, so that those count, too, that never begin to speak TLS or HTTP.
    """

    def __init__(self, listening: socket.socket, limits: ConnectionLimits) -> None:
        """Take over a socket that listens."""
        super().__init__(listening.family, listening.type, listening.proto, listening.detach())
        self._limits = limits
        self._held: Counter[str] = Counter()

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection. Raises BlockingIOError if there is none, or if it is one too many."""
        accepted, address = super().accept()
        host = str(address[0])
        if not self._has_room(host):
            accepted.close()
            # As if nobody had come: the loop sees to all others before it looks for the next one.
            raise BlockingIOError
        self._held[host] += 1
        return _HeldConnection(accepted, weakref.ref(self), host), address

    def _has_room(self, host: str) -> bool:
        if self._held.total() >= self._limits.total:
            return False
        return host in IN_FRONT or self._held[host] < self._limits.per_address

    def let_go(self, host: str) -> None:
        """A connection of this address is closed."""
        self._held[host] -= 1
        if not self._held[host]:
            del self._held[host]


class _HeldConnection(socket.socket):
    """A connection that counts until it is closed."""

    def __init__(self, accepted: socket.socket, listener: "weakref.ref[LimitedListener]", host: str) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, accepted.detach())
        self._let_go = weakref.finalize(self, _let_go, listener, host)
        self._let_go.atexit = False

    def close(self) -> None:
        super().close()
        self._let_go()


def _let_go(listener: "weakref.ref[LimitedListener]", host: str) -> None:
    found = listener()
    if found is not None:
        found.let_go(host)


class OnceClosed:
    """A transport that is closed once, however often somebody does so.

    That of asyncio for TLS lets go of its connection when it is closed again (seen in Python 3.11). Nobody can cut it
    off any more then, although the other side may be gone, and never says goodbye.
    """

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def close(self) -> None:
        """See `asyncio.Transport`."""
        if not self._transport.is_closing():
            self._transport.close()

    def __getattr__(self, name: str) -> Any:
        """Everything else is done by the transport."""
        return getattr(self._transport, name)


class TimedProtocol(H11Protocol):
    """HTTP that waits for a request as long as one may take, and no longer. uvicorn itself has no such limit."""

    _awaited: object = None
    _timer: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come: they are to say what they want."""
        super().connection_made(cast("asyncio.Transport", OnceClosed(transport)))
        self._watch_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._stop()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Take what has come, and wait for what is missing."""
        super().handle_events()
        self._watch_request()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It is a page that follows: pings show whether it is there."""
        self._upgraded = True
        self._stop()
        super().handle_websocket_upgrade(event)

    def _watch_request(self) -> None:
        """See to it that time runs where the request is not whole yet."""
        awaited: object = None if self._upgraded else self.conn.their_state
        # Between two requests uvicorn's own limit holds, until the first letter of the next one.
        if awaited is h11.IDLE and self.cycle is not None and not self.conn.trailing_data[0]:
            awaited = None
        if awaited is self._awaited:
            return
        self._stop()
        self._awaited = awaited
        if awaited is h11.IDLE:
            self._timer = self.loop.call_later(HEAD_S, self.transport.abort)
        elif awaited is h11.SEND_BODY:
            self._timer = self.loop.call_later(BODY_S, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class OrderlyWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket that may be closing when the server ends. uvicorn itself then fails, and leaves all others open."""

    def shutdown(self) -> None:
        """The server ends."""
        with contextlib.suppress(InvalidState):
            super().shutdown()
        self.transport.close()
