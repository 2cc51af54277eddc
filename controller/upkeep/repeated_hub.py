"""A hub that hears again what a bundle recorded: messages of tables, records of matches, requests of pages."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from controller.club.messages import TableReply
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress, ClubMessage, ClubTransport
from controller.errors import UserError
from controller.hub.broker import BrokerOffer
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.folder import KEY, PAGE_KEYS, TOURNAMENT
from controller.hub.hall import Hall, HubTrouble, StoredEvent, TableShown
from controller.hub.pairing import PairingDesk
from controller.hub.server.application import make_hall_app
from controller.hub.server.site import HallSite
from controller.hub.service import HubService
from controller.hub.store import HubStore
from controller.logs.defect import Defect
from controller.record.journal.seal import SigningKey
from controller.web.keys import PageKeys
from controller.web.server.access import COOKIE, hash_pin
from controller.web.server.asking import ask_app

UTC: Final = "1970-01-01T00:00:00.000+00:00"
PIN: Final = "000000"
"""The director's, at this hub alone, which nobody else can reach."""
HEARD_S: Final = 1.0
"""How long the hub may take over a message."""
LOOKED_S: Final = 3.0
"""How long the evening may take over a record; it looks every two seconds."""
TASKS: Final = frozenset({"topic", "record", "path"})


class RepeatedHub:
    """A hub in a folder of its own, with what a bundle has of the store and of the tournament."""

    def __init__(self, entries: str, tournament: str, place: Path) -> None:
        """``entries`` and ``tournament`` are the texts in the bundle, ``place`` is an empty folder."""
        self._place = place
        self._hall = RecordedHall(entries)
        if tournament:
            (place / TOURNAMENT).write_text(tournament, encoding="utf-8")

    def do_all(self, defects: Iterable[Defect]) -> set[tuple[str, str, str]]:
        """Do again what the hub was doing when defects came; which could be tried."""
        tried = [each for each in defects if TASKS & each.task.keys() or each.during == "evening"]
        messages = [each.task for each in tried if "topic" in each.task]
        if messages:
            self._repeat_messages(messages)
        if any(each.during == "evening" for each in tried):
            with self._evening():
                time.sleep(LOOKED_S)
        for each in tried:
            if "path" in each.task and each.task.get("method") != "WS":
                asyncio.run(self._ask(each.task))
        return {each.signature for each in tried}

    def _evening(self) -> ClubEvening:
        return ClubEvening(self._hall, self._place / TOURNAMENT, lambda: UTC, _now_ms)

    def _repeat_messages(self, tasks: Sequence[Mapping[str, Any]]) -> None:
        """Have the hub hear messages of tables."""
        place = TableAddress.parse(str(tasks[0]["topic"]))
        if place is None:
            return
        club = place[0].club
        messages = [
            ClubMessage(str(task["topic"]), str(task["payload"]).encode(), bool(task.get("retained")))
            for task in tasks
        ]
        heard = threading.Event()

        @asynccontextmanager
        async def connect(*_: object, **__: object) -> AsyncIterator[ClubTransport]:
            yield _Recorded(messages, heard)

        with HubService(
            club,
            BrokerAddress("localhost", 1),
            store=lambda told: HubStore(
                str(self._place / "hub.db"), now_ms=_now_ms, told=told, say=lambda _: None
            ),
            key=SigningKey.make(self._place / KEY),
            connect=connect,
            now_ms=_now_ms,
            say=lambda _: None,
        ):
            until = time.monotonic() + HEARD_S * (1 + len(messages))
            while not heard.is_set() and time.monotonic() < until:
                time.sleep(0.01)

    async def _ask(self, task: Mapping[str, Any]) -> None:
        """Ask the hub's pages for the same again, as its director."""
        keys = PageKeys.load(self._place / PAGE_KEYS)
        keys.keep_director(hash_pin(PIN))
        with ExitStack() as stack:
            evening = stack.enter_context(self._evening())
            pairing = PairingDesk("club", BrokerOffer(1883, None), lambda _: "", "00" * 32, time.monotonic)
            site = HallSite(self._hall, pairing, PageKeys.load(self._place / PAGE_KEYS), evening=evening)
            stack.callback(site.close)
            login = await site.access.log_in(PIN, "", "127.0.0.1", loopback=True)
            body = str(task.get("body", "")).encode()
            await ask_app(
                make_hall_app(site),
                str(task["method"]),
                str(task["path"]),
                str(task.get("query", "")),
                body,
                {COOKIE: login.session},
            )


class _Recorded(ClubTransport):
    """A connection over which each message comes once; then it is silent."""

    def __init__(self, messages: list[ClubMessage], heard: threading.Event) -> None:
        self._messages, self._heard = messages, heard

    @property
    def here(self) -> str:
        return ""

    async def publish(self, *_: object, **__: object) -> None:
        """Nobody hears it."""

    async def subscribe(self, *_: object, **__: object) -> None:
        """All that is recorded comes."""

    async def messages(self) -> AsyncIterator[ClubMessage]:
        while self._messages:
            yield self._messages.pop(0)
        self._heard.set()
        await asyncio.Event().wait()


class RecordedHall(Hall):
    """The tables of which a bundle has entries, as they stood then; nothing can be said to them."""

    def __init__(self, entries: str) -> None:
        """``entries`` are the lines of the bundle, see `entry_line`."""
        self._stored: dict[str, list[StoredEvent]] = {}
        for line in entries.splitlines():
            with suppress(ValueError, KeyError, TypeError):
                told = json.loads(line)
                self._stored.setdefault(told["table"], [])
                event = StoredEvent(told["number"], told["journal"], tuple(told["row"]), told["stored_ms"])
                self._stored[told["table"]].append(event)

    def tables(self) -> tuple[TableShown, ...]:
        """See `Hall`."""
        return tuple(
            TableShown(
                name, name, True, _now_ms(), *((stored[-1].journal, stored[-1].row[0]) if stored else ())
            )
            for name, stored in self._stored.items()
        )

    def troubles(self) -> tuple[HubTrouble, ...]:
        """See `Hall`."""
        return ()

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """See `Hall`."""

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        """See `Hall`."""
        return [
            each
            for each in self._stored.get(table, ())
            if each.number > after and journal in ("", each.journal)
        ][:most]

    def newest_number(self, table: str) -> int:
        """See `Hall`."""
        return max((each.number for each in self._stored.get(table, ())), default=0)

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        """See `Hall`."""
        return list(dict.fromkeys(each.journal for each in reversed(self._stored.get(table, ()))))[:most]

    def ask(self, *_: object, **__: object) -> "Future[TableReply]":
        """See `Hall`."""
        answer = Future[TableReply]()
        answer.set_exception(UserError("A table that is replayed takes no commands."))
        return answer


def entry_line(table: str, stored: StoredEvent) -> str:
    """An entry of the store as a line for a bundle."""
    told = {
        "table": table,
        "number": stored.number,
        "journal": stored.journal,
        "stored_ms": stored.stored_ms,
        "row": list(stored.row),
    }
    return json.dumps(told, ensure_ascii=False)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
