"""WebSockets as streams of events: for phones that open no WebSocket where they do not trust the certificate.

Safari goes on where its reader has accepted a certificate, but refuses WebSockets there without a word. A page that
could open none asks for the same address as a stream of server-sent events, which is an ordinary answer.
"""

import asyncio
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STREAM: Final = "text/event-stream"
HEADERS: Final = [
    (b"content-type", STREAM.encode()),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class SocketsAsEvents:
    """Lets a page that asks for a stream of events follow the WebSocket at that address; it cannot say anything."""

    def __init__(self, app: ASGIApp) -> None:
        """``app`` has the WebSockets."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        if not _asks_for_events(scope):
            await self._app(scope, receive, send)
            return
        stream = _Stream(receive, send)
        await self._app(_as_socket(scope), stream.receive, stream.send)


def _asks_for_events(scope: Scope) -> bool:
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and STREAM in Headers(scope=scope).get("accept", "")
    )


def _as_socket(scope: Scope) -> dict[str, Any]:
    """The same request as the beginning of a WebSocket."""
    told = {key: value for key, value in scope.items() if key != "method"}
    return {**told, "type": "websocket", "scheme": scope["scheme"].replace("http", "ws"), "subprotocols": []}


class _Stream:
    """The application's side is a WebSocket, the browser's side an answer that goes on."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._begun, self._answered = False, False

    async def receive(self) -> Message:
        if not self._begun:
            self._begun = True
            return {"type": "websocket.connect"}
        while (await self._receive())["type"] != "http.disconnect":
            await asyncio.sleep(0)
        return {"type": "websocket.disconnect", "code": 1001}

    async def send(self, message: Message) -> None:
        if message["type"] == "websocket.accept":
            self._answered = True
            await self._send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            # Something has to come before the browser says that the stream is open.
            await self._write(":\n\n")
        elif message["type"] == "websocket.send":
            await self._write("".join(f"data: {line}\n" for line in message["text"].split("\n")) + "\n")
        elif message["type"] == "websocket.close":
            await self._end()

    async def _write(self, text: str) -> None:
        await self._send({"type": "http.response.body", "body": text.encode(), "more_body": True})

    async def _end(self) -> None:
        if not self._answered:
            await self._send({"type": "http.response.start", "status": 403, "headers": []})
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
