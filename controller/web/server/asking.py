"""Asks an application for something without a server, as a program on the table's own machine would."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from starlette.types import ASGIApp

PATIENCE_S: Final = 60.0
"""After this time, whoever asked counts as gone."""


async def ask_app(
    app: ASGIApp,
    method: str,
    path: str,
    query: str = "",
    body: bytes = b"",
    cookies: Mapping[str, str] | None = None,
) -> int:
    """One request; the status of its answer, 0 without one. Raises what the application raises."""
    cookie = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", b"application/json"),
            *([(b"cookie", cookie.encode())] if cookie else []),
        ],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    told, status = False, 0

    async def receive() -> dict[str, Any]:
        nonlocal told
        if told:
            await asyncio.sleep(PATIENCE_S)
            return {"type": "http.disconnect"}
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(scope, receive, send)
    return status
