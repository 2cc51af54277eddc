"""What every request from another machine passes: a table that is not open to the network shows itself to nobody."""

from typing import Final

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.web.server.access import is_loopback
from controller.web.server.guard import SAFE
from controller.web.server.site import Site
from controller.web.welcome.desk import Admission, WelcomeDesk

WELCOME: Final = "/welcome"
STATIC: Final = "/static/"
NEW: Final = "This table is new. Its screen shows a code: open /welcome and type it there."
CLOSED: Final = "This table is not open to the network; whoever sits at it can open it on the page /setup."


class NetworkGate:
    """Lets requests pass to an application that come from this machine, or to a table that is open."""

    def __init__(self, app: ASGIApp, site: Site, desk: WelcomeDesk | None) -> None:
        """Without a desk everybody may come."""
        self._app, self._site, self._desk = app, site, desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "not open"})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        if (
            self._desk is None
            or scope["type"] not in ("http", "websocket")
            or _is_here(HTTPConnection(scope))
        ):
            return None
        admission = self._desk.admission(has_director=bool(self._site.access.director_hash))
        if admission is Admission.OPEN:
            return None
        if admission is Admission.CLOSED:
            return PlainTextResponse(CLOSED, 403)
        path = scope["path"]
        if path == WELCOME or path.startswith(STATIC):
            return None
        return _to_welcome(scope)


def _is_here(asking: HTTPConnection) -> bool:
    return is_loopback(asking.client.host if asking.client else None, asking.headers)


def _to_welcome(scope: Scope) -> Response:
    """A page leads to where the code is typed; programs are told in a sentence."""
    is_page = scope["type"] == "http" and scope["method"] in SAFE
    if is_page and "text/html" in Request(scope).headers.get("accept", ""):
        return RedirectResponse(WELCOME, 303)
    return PlainTextResponse(NEW, 403)
