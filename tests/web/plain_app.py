"""A few pages, to try a server with."""

import asyncio
import contextlib

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

SLOW_S = 2.0
"""How long no page but one takes to answer."""


def here(_: Request) -> Response:
    """The quickest."""
    return PlainTextResponse("here")


async def slow(_: Request) -> Response:
    """The slowest."""
    await asyncio.sleep(1.2 * SLOW_S)
    return PlainTextResponse("slow")


async def sent(request: Request) -> Response:
    """What was sent."""
    return PlainTextResponse(await request.body())


async def echo(socket: WebSocket) -> None:
    """What is said."""
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(await socket.receive_text())


APP = Starlette(
    routes=[
        Route("/", here),
        Route("/slow", slow),
        Route("/sent", sent, methods=["POST"]),
        WebSocketRoute("/echo", echo),
    ]
)
