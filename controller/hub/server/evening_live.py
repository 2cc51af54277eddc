"""The WebSocket of the tournament: all of it after each change; for the director also what the tables need."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.content import evening_content, needs_content
from controller.hub.evidence.content import evidence_content
from controller.hub.need import tables_by_need
from controller.hub.server.confirming import pins_of
from controller.hub.server.live import tell_follower
from controller.hub.server.site import HallSite
from controller.web.channel import Follower, encode
from controller.web.server.api import aside
from controller.web.server.live import GONE, MOST
from controller.web.table_service import Role

_LOGGER: Final = logging.getLogger(__name__)

LOOK_S: Final = 0.5
"""How often the feed checks whether there is something to send to the pages."""
BEAT_S: Final = 2.0
"""How often a page is told that the hub is there, and what time it is by the hub's clock."""


@dataclass(slots=True)
class _EveningChannel:
    """The pages that get the same messages.

    Attributes:
        language: of the messages.
        director: whether they get what only the director may see.
        followers: those that are there now.
        text: the last message; empty before that.
        beat_at: when they were last told that the hub is there.
    """

    language: str
    director: bool
    followers: set[Follower] = field(default_factory=set)
    text: str = ""
    beat_at: float = -BEAT_S

    def give(self, text: str) -> None:
        """Tell all of them."""
        for follower in tuple(self.followers):
            follower.give(text)


class EveningFeed:
    """Tells pages what has changed; it is worked out once for all that get the same. For the loop of the web server.

    Attributes:
        following: how many pages follow.
    """

    def __init__(self, site: HallSite, evening: ClubEvening) -> None:
        """Nobody follows yet."""
        self._site, self._evening = site, evening
        self._channels: dict[tuple[str, bool], _EveningChannel] = {}
        self._wake = asyncio.Event()
        self.following = 0

    def join(self, follower: Follower, language: str, *, director: bool) -> None:
        """One more page: it gets at once what the others got last."""
        key = (language, director)
        channel = self._channels.setdefault(key, _EveningChannel(language, director))
        channel.followers.add(follower)
        self.following += 1
        if channel.text:
            follower.give(channel.text)
        else:
            self._wake.set()

    def leave(self, follower: Follower) -> None:
        """A page has gone."""
        for key, channel in tuple(self._channels.items()):
            if follower in channel.followers:
                channel.followers.discard(follower)
                self.following -= 1
                if not channel.followers:
                    del self._channels[key]

    async def run(self) -> None:
        """Tell what changes, until cancelled."""
        while True:
            for channel in tuple(self._channels.values()):
                await self._update_channel(channel)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK_S)
            self._wake.clear()

    async def _update_channel(self, channel: _EveningChannel) -> None:
        """Tell one channel what is another than before, and now and then what time it is."""
        loop = asyncio.get_running_loop()
        try:
            news = await aside(
                self._site, _news, self._site, self._evening, channel.language, channel.director
            )
            text = encode({"kind": "evening", **news})
        except Exception:  # a defect: the pages are cut off, say so, and come back to try again
            _LOGGER.exception("The evening cannot be shown.")
            for follower in tuple(channel.followers):
                follower.cut.set()
            return
        if text != channel.text:
            channel.text = text
            channel.give(text)
        if loop.time() - channel.beat_at >= BEAT_S:
            channel.beat_at = loop.time()
            channel.give(encode({"kind": "beat", "at_ms": self._evening.now_ms()}))


def evening_live_routes(site: HallSite, feed: EveningFeed) -> list[WebSocketRoute]:
    """The live channel of the tournament."""

    async def follow(socket: WebSocket) -> None:
        person = site.person(socket)
        if feed.following >= MOST or not site.may(person, "WS", "/api/v1/evening/live"):
            await socket.close(1013 if feed.following >= MOST else GONE)
            return
        director = site.role(socket) is Role.DIRECTOR
        follower = Follower()
        feed.join(follower, site.language(socket), director=director)
        try:
            await tell_follower(site, socket, person, follower)
        finally:
            feed.leave(follower)

    return [WebSocketRoute("/api/v1/evening/live", follow, name="evening-live")]


def _news(site: HallSite, evening: ClubEvening, language: str, director: bool) -> Mapping[str, Any]:
    """What a page is to show; a file that cannot be read is reported, and the tables are shown nevertheless."""
    try:
        content = evening_content(evening, language, director=director, pins=pins_of(site))
        unconfirmed = evening.unconfirmed()
    except UserError as error:
        content, unconfirmed = {"tournament": None}, frozenset()
        if director:
            content["trouble"] = str(error)
    content["phones"] = bool(site.address)
    if director:
        content["reports"] = site.reports is not None
        order = tables_by_need(evening.hall.tables(), evening.now_ms(), unconfirmed)
        content["order"] = needs_content(order, language)
        if site.evidence is not None:
            content["evidence"] = evidence_content(site.evidence, evening.hall.tables(), language)
    return content
