"""The WebSockets: what happens at the table, and the pictures of its camera."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.web.channel import Follower, encode
from controller.web.jpeg import jpeg_of
from controller.web.server.access import Person
from controller.web.server.site import Site

PATIENCE_S: Final = 2.0
"""How long a page that is cut off may take to hear of it."""
GONE: Final = 4401
"""The code for a page whose session has ended."""
STALLED: Final = 4408
"""The code for a page that does not take what it is told."""
LOOK_S: Final = 0.1
"""How often a newer picture is looked for."""
PICTURE_WIDTH: Final = 960
MOST: Final = 400
"""This many pages may follow at once; more are refused and try again."""


def live_routes(site: Site) -> list[WebSocketRoute]:
    """The live channel and the pictures."""
    following: set[Follower] = set()

    async def live(socket: WebSocket) -> None:
        person = site.person(socket)
        if len(following) >= MOST or not site.may(person, "WS", "/api/v1/live"):
            await socket.close(1013 if len(following) >= MOST else GONE)
            return
        await socket.accept()
        channel = site.outlet.channel(site.audience(socket, person))
        follower = Follower()
        missing = channel.since(socket.query_params.get("run", ""), _number(socket.query_params.get("seq")))
        first = [encode(site.outlet.snapshot(site.audience(socket, person)))] if missing is None else missing
        channel.followers.add(follower)
        following.add(follower)
        try:
            await until_one_ends(
                lambda: _write(socket, site, person, first, follower),
                lambda: read_until_gone(socket),
                follower.cut.wait,
            )
        finally:
            channel.followers.discard(follower)
            following.discard(follower)
        await close_socket(socket, STALLED if follower.cut.is_set() else GONE)

    async def pictures(socket: WebSocket) -> None:
        person = site.person(socket)
        if not site.may(person, "WS", "/api/v1/pictures"):
            await socket.close(GONE)
            return
        await socket.accept()
        shown: int | None = None
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while site.may(site.person(socket), "WS", "/api/v1/pictures"):
                await socket.receive()
                shown = await _send_newer(socket, site, shown)
        await close_socket(socket, GONE)

    return [WebSocketRoute("/api/v1/live", live), WebSocketRoute("/api/v1/pictures", pictures)]


async def _write(socket: WebSocket, site: Site, person: Person, first: list[str], follower: Follower) -> None:
    """Send what was missed, and then each message, as long as the page may follow."""
    for text in first:
        await socket.send_text(text)
    while True:
        text = await follower.queue.get()
        if not site.access.is_open(person.session, site.match):
            return
        await socket.send_text(text)


async def read_until_gone(socket: WebSocket) -> None:
    """Take whatever the page sends, until it leaves."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def _send_newer(socket: WebSocket, site: Site, shown: int | None) -> int:
    """Send the newest picture, as soon as there is a newer one than the one shown; returns its number."""
    while True:
        glimpse = site.house.glimpse()
        if glimpse is not None and glimpse.number != shown:
            loop = asyncio.get_running_loop()
            data = await loop.run_in_executor(site.pool, jpeg_of, glimpse.picture, PICTURE_WIDTH)
            await socket.send_bytes(data)
            return glimpse.number
        await asyncio.sleep(LOOK_S)


async def until_one_ends(*works: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Do several things at once until the first of them is over."""
    tasks = [asyncio.create_task(work()) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def close_socket(socket: WebSocket, code: int) -> None:
    """Close a socket that may be closed already, or stuck."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        await asyncio.wait_for(socket.close(code), PATIENCE_S)


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 16 else -1
