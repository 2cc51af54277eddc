"""The WebSocket by which another table comes in; what the two say to each other is no matter of the pages."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

PATH: Final = "/api/v1/partner"


class TableDoor(Protocol):
    """Where another table comes in."""

    async def admit(
        self, receive: Callable[[], Awaitable[str]], send: Callable[[str], Awaitable[None]]
    ) -> None:
        """Somebody has opened a connection; returns when nothing more is said."""


def partner_socket(door: TableDoor) -> WebSocketRoute:
    """The WebSocket of another table."""

    async def partner(socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError, KeyError):
            await door.admit(socket.receive_text, socket.send_text)
            await socket.close()

    return WebSocketRoute(PATH, partner)
