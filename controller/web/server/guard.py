"""What every request passes: whose page sent it, to which name, how large it is; and the headers of every answer."""

import logging
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.logs.defect import doing
from controller.web.server.access import is_own_host, is_same_origin

_LOGGER: Final = logging.getLogger(__name__)

LARGEST: Final = 16 * 1024
"""This many bytes a request may have."""
POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "media-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
PERMISSIONS: Final = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"
WITH_CAMERA: Final = PERMISSIONS.replace("camera=()", "camera=(self)")
"""For the one page that is a camera itself."""
OPENER: Final = "Cross-Origin-Opener-Policy"
# With "no-referrer" browsers send forms without the name of their page, and nobody could log in.
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS,
    OPENER: "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
TOLD: Final = ("/api/v1/commands", "/api/v1/learn/answer", "/api/v1/learn/course/answer")
"""Where what a request brought along is kept with a defect; nowhere else, since PINs come in other requests."""
LONGEST_PART: Final = 16
"""Parts of an address with more letters are names of matches or of files."""
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Lets requests pass to an application."""

    def __init__(
        self,
        app: ASGIApp,
        names: frozenset[str],
        largest: int = LARGEST,
        larger: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """``names`` are those that this machine goes by; a request may have ``largest`` bytes, some paths more."""
        self._app, self._names, self._largest, self._larger = app, names, largest, larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused[1]})
        elif refused is not None:
            status, text = refused
            await PlainTextResponse(text, status)(scope, receive, _with_headers(send, scope))
        elif scope["type"] == "websocket":
            with doing("pages", _request(scope)):
                await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the application says itself that it failed, and the next request is answered."""
        task = _request(scope)
        if scope["path"] in TOLD:
            receive = _kept(receive, task)
        with doing("pages", task):
            try:
                await self._app(scope, _limited(receive, self._most(scope)), _with_headers(send, scope))
            except Exception:
                _LOGGER.exception("A defect in the answer to %s %s.", scope["method"], _shape(scope["path"]))

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if not is_own_host(headers.get("host", ""), self._names):
            return 421, "This is not a name of this table; open it by the address that it shows."
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE
        if changes and not is_same_origin(headers, secure=scope["scheme"] in ("https", "wss")):
            return 403, "This request comes from a page of somebody else."
        if scope["type"] == "http" and _length(headers.getlist("content-length")) > self._most(scope):
            return 413, f"A request may have {self._most(scope)} bytes at most."
        return None

    def _most(self, scope: Scope) -> int:
        return self._larger.get(scope["path"], self._largest)


def _request(scope: Scope) -> dict[str, Any]:
    """A request as plain values, to ask the same again; neither cookies nor addresses are in it."""
    query = scope.get("query_string", b"").decode("ascii", "replace")
    return {"method": scope.get("method", "WS"), "path": scope["path"], "query": query}


def _is_loopback(scope: Scope) -> bool:
    """Whether this machine asks itself by an address that browsers trust without TLS."""
    host = Headers(scope=scope).get("host", "").rpartition(":")[0]
    return host in ("localhost", "127.0.0.1", "[::1]")


def _shape(path: str) -> str:
    """An address for the log: what is in it of a match, and with that of its players, is left out."""
    return "/".join(part if len(part) <= LONGEST_PART else "..." for part in path.split("/"))


def _kept(receive: Receive, task: dict[str, Any]) -> Receive:
    """The same request; what it brings along goes into ``task``."""

    async def kept() -> Message:
        message = await receive()
        task["body"] = task.get("body", "") + message.get("body", b"").decode("utf-8", "replace")
        return message

    return kept


def _length(given: Iterable[str]) -> int:
    return max((int(each) for each in given if each.isdecimal()), default=0)


def _limited(receive: Receive, largest: int) -> Receive:
    """The same request, cut off where it becomes too large without having said so."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > largest:
            return {"type": "http.disconnect"}
        return message

    return limited


def _with_headers(send: Send, scope: Scope) -> Send:
    # Browsers complain of this one where they cannot trust who sends it: at an address of the network without TLS.
    left_out = () if scope.get("scheme") == "https" or _is_loopback(scope) else (OPENER,)

    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name in HEADERS.keys() - left_out:
                headers.setdefault(name, HEADERS[name])
        await send(message)

    return with_headers
