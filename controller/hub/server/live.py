"""The WebSocket of the hall: first every table, then whatever changes of one."""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.hub.hall import HubTrouble, TableShown, table_order
from controller.hub.server.content import screen_of, table_content, trouble_content
from controller.hub.server.site import HallSite
from controller.record.journal.journal import Json
from controller.web.channel import Follower, changes, encode
from controller.web.server.access import Person
from controller.web.server.live import GONE, MOST, STALLED, close_socket, read_until_gone, until_one_ends
from controller.web.table_service import Role

VERSION: Final = 1
TOGETHER_S: Final = 0.05
"""Changes of one table that come closer together are sent together."""
BEAT_S: Final = 2.0
"""After this time without a change, the hub tells the pages that it is still there."""
BEAT: Final = encode({"v": VERSION, "kind": "beat"})
Content = Mapping[str, Json]


class HallChannel:
    """What one role gets of the hall. For the thread of the web server."""

    def __init__(self, role: Role) -> None:
        """Nothing has been sent yet."""
        self._role = role
        self._told: dict[str, tuple[Content, Content | None]] = {}
        self._troubles: list[Json] = []
        self.followers: set[Follower] = set()

    def first(self) -> str:
        """The message that holds everything."""
        tables: list[Json] = [
            {**content, "screen": None if screen is None else dict(screen)}
            for _, (content, screen) in sorted(self._told.items(), key=lambda each: table_order(each[0]))
        ]
        return encode({"v": VERSION, "kind": "hall", "tables": tables, "troubles": self._troubles})

    def show_troubles(self, troubles: Iterable[HubTrouble]) -> None:
        """What is wrong with the hub itself, if that is for this role and is another thing than before."""
        told: list[Json] = [trouble_content(each) for each in troubles if self._role is Role.DIRECTOR]
        if told != self._troubles:
            self._troubles = told
            self.give(encode({"v": VERSION, "kind": "troubles", "troubles": told}))

    def change(self, tables: Iterable[TableShown]) -> None:
        """Some tables are others now."""
        changed: list[Json] = [each for each in map(self._changed, tables) if each is not None]
        if changed and self.followers:
            self.give(encode({"v": VERSION, "kind": "tables", "tables": changed}))

    def _changed(self, table: TableShown) -> Json:
        """The keys of a table, and of its screen, that are different; None if none are."""
        content, screen = table_content(table, self._role), screen_of(table, self._role)
        before, shown = self._told.get(table.name, ({}, None))
        self._told[table.name] = content, screen
        set_ = changes(dict(before), content)
        moved = {} if screen is None else changes(dict(shown or {}), dict(screen))
        return {"name": table.name, "set": set_, "screen": moved} if set_ or moved else None

    def give(self, text: str) -> None:
        """Tell everybody who follows."""
        for follower in tuple(self.followers):
            follower.give(text)


class HallFeed:
    """Hears of changes in any thread, and tells them to the channels in the server's loop."""

    def __init__(self, site: HallSite) -> None:
        """Nobody follows yet."""
        self._site = site
        self._channels = {role: HallChannel(role) for role in (Role.VIEWER, Role.DIRECTOR)}
        self._changed: dict[str, TableShown] = {}
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.following = 0

    def channel(self, role: Role) -> HallChannel:
        """What somebody follows."""
        return self._channels[role if role is Role.DIRECTOR else Role.VIEWER]

    def on_table(self, table: TableShown) -> None:
        """A table has changed; from any thread."""
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the server is ending
                loop.call_soon_threadsafe(self._add, table)

    def _add(self, table: TableShown) -> None:
        self._changed[table.name] = table
        self._wake.set()

    async def run(self) -> None:
        """Tell what changes, until cancelled."""
        self._loop = asyncio.get_running_loop()
        self._site.hall.subscribe(self.on_table)
        for table in self._site.hall.tables():
            self._add(table)
        while True:
            for channel in self._channels.values():
                channel.show_troubles(self._site.hall.troubles())
            try:
                await asyncio.wait_for(self._wake.wait(), BEAT_S)
            except TimeoutError:
                for channel in self._channels.values():
                    channel.give(BEAT)
                continue
            self._wake.clear()
            changed, self._changed = self._changed, {}
            for channel in self._channels.values():
                channel.change(changed.values())
            await asyncio.sleep(TOGETHER_S)


def hall_live_routes(site: HallSite, feed: HallFeed) -> list[WebSocketRoute]:
    """The live channel of the hall."""

    async def live(socket: WebSocket) -> None:
        person, role = site.person(socket), site.role(socket)
        if feed.following >= MOST or not site.may(person, "WS", "/api/v1/hall"):
            await socket.close(1013 if feed.following >= MOST else GONE)
            return
        channel, follower = feed.channel(role), Follower()
        follower.give(channel.first())
        channel.followers.add(follower)
        feed.following += 1
        try:
            await tell_follower(site, socket, person, follower)
        finally:
            channel.followers.discard(follower)
            feed.following -= 1

    return [WebSocketRoute("/api/v1/hall", live)]


async def tell_follower(site: HallSite, socket: WebSocket, person: Person, follower: Follower) -> None:
    """Send a page what waits for it, as long as it is there, keeps up and may follow; then close its socket."""
    await socket.accept()

    async def write() -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await follower.queue.get()
                if not site.access.is_open(person.session, ""):
                    return
                await socket.send_text(text)

    await until_one_ends(write, lambda: read_until_gone(socket), follower.cut.wait)
    await close_socket(socket, STALLED if follower.cut.is_set() else GONE)
