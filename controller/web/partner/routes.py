"""The WebSocket by which another table comes in; what the two say to each other is no matter of the pages."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from fastapi import APIRouter
from pydantic import BaseModel
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

PATH: Final = "/api/v1/partner"


class TableAdmission(Protocol):
    """Lets the other table of a match in."""

    async def admit(
        self, receive: Callable[[], Awaitable[str]], send: Callable[[str], Awaitable[None]]
    ) -> None:
        """Somebody has opened a connection; returns when nothing more is said."""

    def prepare(self) -> str:
        """The code for the other table of the next match; empty where none could come."""


class TableCodeShown(BaseModel):
    """The code that the other table is to be given."""

    code: str


def partner_router(admission: TableAdmission) -> APIRouter:
    """The code for another table, for whoever may set this one up."""
    router = APIRouter(tags=["setup"])

    @router.post("/api/v1/setup/partner")
    async def show_code() -> TableCodeShown:
        """The code by which another table finds this one; it holds for the match that is begun next."""
        return TableCodeShown(code=admission.prepare())

    return router


def partner_socket(admission: TableAdmission) -> WebSocketRoute:
    """The WebSocket of another table."""

    async def partner(socket: WebSocket) -> None:
        await socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError, KeyError):
            await admission.admit(socket.receive_text, socket.send_text)
            await socket.close()

    return WebSocketRoute(PATH, partner)
