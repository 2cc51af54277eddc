"""A server that runs, and browsers of people at the table's own machine, in the hall, and strangers."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import httpx
from argon2 import PasswordHasher
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.sync.client import ClientConnection, connect

from controller.rules import Side
from controller.web.server.application import make_inner_app
from controller.web.server.guard import Guard
from controller.web.server.site import Site
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from tests.web.served_table import TableHouse

TABLE = "127.0.0.1"
HALL = "192.168.7.20"
SEAT = "x-test-seat"
PIN = "482913"
HASH = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1).hash(PIN)
"""Of the director's PIN; weak, so that tests need not wait for it."""
SETTINGS = WebSettings(director_hash=HASH, secret=b"a secret of thirty-two bytes ...")


class Seated:
    """Has requests come from the address that they name, so that tests need no second machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            scope = {**scope, "client": (Headers(scope=scope).get(SEAT, HALL), 50000)}
        await self._app(scope, receive, send)


class Browser(httpx.Client):
    """Somebody's browser."""

    def __init__(self, address: str, seat: str) -> None:
        super().__init__(
            base_url=address, headers={SEAT: seat, "origin": address}, timeout=30, trust_env=False
        )
        self.headers.pop("accept-language", None)
        self._at = address.replace("http", "ws")

    def follow(self, query: str = "", path: str = "/api/v1/live", **headers: str) -> ClientConnection:
        """The live channel, as this person gets it."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {SEAT: self.headers[SEAT], "cookie": cookies, **headers}
        return connect(f"{self._at}{path}{query}", additional_headers=sent, proxy=None)

    def state(self) -> dict[str, Any]:
        """The state of the table."""
        state: dict[str, Any] = self.get("/api/v1/state").json()["state"]
        return state

    def say(self, what: str, **keys: object) -> httpx.Response:
        """Give a command."""
        return self.post("/api/v1/commands", json={"id": str(uuid4()), "what": what, **keys})


class Hall:
    """A server with everybody who comes to it."""

    def __init__(self, house: TableHouse, settings: WebSettings = SETTINGS) -> None:
        self.house = house
        self.site = Site(house, settings)
        app = Guard(make_inner_app(self.site), frozenset({"localhost"}))
        self.server = WebServer(Seated(app), settings)
        self._browsers: list[Browser] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for browser in self._browsers:
            browser.close()
        self.server.close()

    def browser(self, seat: str = HALL) -> Browser:
        """A browser without a PIN."""
        self._browsers.append(Browser(self.server.address, seat))
        return self._browsers[-1]

    def director(self) -> Browser:
        """The director's browser."""
        return self.with_pin(PIN)

    def player(self, side: Side) -> Browser:
        """A player's phone."""
        return self.with_pin(self.site.access.pin_of("m1", side))

    def with_pin(self, pin: str) -> Browser:
        """A browser in the hall with a PIN."""
        browser = self.browser()
        answer = browser.post("/login", data={"pin": pin})
        assert answer.status_code == 303, answer.text
        return browser


@contextmanager
def opened(house: TableHouse, settings: WebSettings = SETTINGS) -> Iterator[Hall]:
    """A server that runs."""
    with Hall(house, settings) as hall:
        yield hall
