"""Over the network the pages speak TLS only: whoever comes without it reads how to go on, and learns nothing else."""

from collections.abc import Mapping
from typing import Any, Final, Protocol
from urllib.parse import quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.web.server.access import is_loopback
from controller.web.server.guard import POLICY, SAFE
from controller.web.wire.certificates import Certificates
from controller.web.wire.download import kept_as

TRUST: Final = "/trust"
"""Where the page that explains the browser's warning is, with and without TLS."""
AUTHORITY: Final = "/authority.crt"
"""Where phones get the certificate that they install."""
OPEN: Final = ("/static/",)
"""What is given out without TLS, too: files that are the same for everybody."""
DER: Final = "application/x-x509-ca-cert"
"""By this name phones know a certificate that can be installed."""


class Rendering(Protocol):
    """What draws a page in the reader's language."""

    def language(self, asking: HTTPConnection) -> str:
        """The language to answer in."""

    def render(self, page: str, language: str, **more: Any) -> str:
        """A page with its texts."""


class SecureEntry:
    """Lets requests pass to an application that came over TLS, or from this machine itself.

    A program on this machine that passes on what others send, such as nginx, is taken for this machine here: between
    the two nobody can listen.
    """

    def __init__(
        self,
        app: ASGIApp,
        certificates: Certificates | None,
        pages: Rendering,
        plain: frozenset[str] = frozenset(),
    ) -> None:
        """``plain`` are addresses that programs may get without TLS; without certificates all are."""
        self._app, self._certificates, self._pages, self._plain = app, certificates, pages, plain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        if self._certificates is None or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] in (TRUST, AUTHORITY) and scope["method"] in SAFE:
            answer = self._about(Request(scope), self._certificates)
            await answer(scope, receive, send)
        elif _is_safe(scope) or self._is_open(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "wss only"})
        else:
            answer = self._lead_on(Request(scope), self._certificates)
            await answer(scope, receive, send)

    def _is_open(self, scope: Scope) -> bool:
        known = scope["path"] in self._plain or scope["path"].startswith(OPEN)
        return scope["type"] == "http" and scope["method"] in SAFE and known

    def _about(self, request: Request, certificates: Certificates) -> Response:
        if request.url.path == TRUST:
            return self._page(request, certificates, "/")
        named = kept_as("pointsman.crt")
        return Response(certificates.authority.der, media_type=DER, headers=named)

    def _lead_on(self, request: Request, certificates: Certificates) -> Response:
        if request.method not in SAFE:
            where = _over_tls(request, "/")
            return PlainTextResponse(f"This needs https; open {where} and do it there.", 403)
        path = quote(request.url.path)
        if "text/html" in request.headers.get("accept", ""):
            return self._page(request, certificates, path)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(_over_tls(request, f"{path}{query}"), 308)

    def _page(self, request: Request, certificates: Certificates, path: str) -> Response:
        where = _over_tls(request, path)
        text = self._pages.render(
            "trust",
            self._pages.language(request),
            where=where,
            authority=AUTHORITY,
            title_of=certificates.authority.title,
            fingerprint=certificates.authority.fingerprint,
        )
        return HTMLResponse(text, headers=_headers(_over_tls(request, "")))


def _headers(origin: str) -> Mapping[str, str]:
    """The page may ask whether the browser trusts the certificate already, by asking for itself over TLS."""
    policy = POLICY.replace("connect-src 'self'", f"connect-src 'self' {origin}")
    return {
        "Content-Security-Policy": policy,
        "Cache-Control": "no-store",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }


def _over_tls(request: Request, path: str) -> str:
    """The same server over TLS, which is at the same port."""
    return f"https://{request.headers.get('host', '')}{path}"


def _is_safe(scope: Scope) -> bool:
    client = scope.get("client")
    return scope["scheme"] in ("https", "wss") or is_loopback(client[0] if client else None, {})
