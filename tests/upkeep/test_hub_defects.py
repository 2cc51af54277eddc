"""A defect of the hub leaves its traceback, and happens again from the bundle alone."""

import asyncio
import json
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest

from controller.club.messages import JournalPart, TablePresence, journal_name
from controller.club.topics import TableAddress, Topic
from controller.club.transport import BrokerAddress, ClubMessage, ClubTransport
from controller.hub.broker import BrokerOffer
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.figures import HubFigures
from controller.hub.folder import KEY, PAGE_KEYS, STORE, TOURNAMENT
from controller.hub.pairing import PairingDesk
from controller.hub.server.application import make_hall_app
from controller.hub.server.site import HallSite
from controller.hub.service import HubService
from controller.hub.store import HubStore
from controller.logs.level import LogLevel
from controller.logs.log import DEFECT_FILE, LOG_FILE, begin_log
from controller.record.journal.journal import Journal
from controller.record.journal.seal import SigningKey
from controller.record.match.match_log import MatchLog
from controller.rules import Side
from controller.upkeep.hub_support import write_hub_support
from controller.upkeep.reproduction import reproduce
from controller.web.keys import PageKeys
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from tests.hub.stand_in import match_record
from tests.upkeep.tables import UTC
from tests.upkeep.test_defects import Planted, packed

PATIENCE_S = 60.0
TABLE = TableAddress("club", "table-1")


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


class Line(ClubTransport):
    """A connection over which the test speaks."""

    def __init__(self, messages: Sequence[ClubMessage]) -> None:
        self._messages = list(messages)

    @property
    def here(self) -> str:
        return ""

    async def publish(self, topic: str, payload: bytes, **_: object) -> None:  # type: ignore[override]
        pass

    async def subscribe(self, topics: Sequence[str], *, qos: int = 1) -> None:
        pass

    async def messages(self) -> AsyncIterator[ClubMessage]:
        for message in self._messages:
            yield message
        self._messages = []
        await asyncio.Event().wait()


def messages_of(folder: Path) -> list[ClubMessage]:
    """What a table sends of a match that is over."""
    with Journal(folder / "sent.db") as journal:
        record = match_record(("Anna Kovács", "Béla"), 3, Side.LIGHT, 1, "Club Cup")
        MatchLog(journal, "1", lambda: UTC).write(record)
        rows = tuple(journal.rows())
    name = journal_name(rows[0][-1])
    presence = TablePresence(True, "1", name, {name: len(rows)}, "Table 1")
    part = JournalPart(name, "", rows)
    return [
        ClubMessage(TABLE.topic(Topic.PRESENCE), presence.encode()),
        ClubMessage(TABLE.topic(Topic.EVENTS), part.encode()),
    ]


@contextmanager
def hub(folder: Path, messages: Sequence[ClubMessage]) -> Iterator[str]:
    """A hub without a broker; the address of its pages."""

    @asynccontextmanager
    async def connect(*_: object, **__: object) -> AsyncIterator[ClubTransport]:
        yield Line(messages)

    def now_ms() -> int:
        return time.time_ns() // 1_000_000

    with ExitStack() as stack:
        service = stack.enter_context(
            HubService(
                "club",
                BrokerAddress("localhost", 1),
                store=lambda told: HubStore(
                    str(folder / STORE), now_ms=now_ms, told=told, say=lambda _: None
                ),
                key=SigningKey.make(folder / KEY),
                connect=connect,
                now_ms=now_ms,
                say=lambda _: None,
            )
        )
        evening = stack.enter_context(ClubEvening(service, folder / TOURNAMENT, lambda: UTC, now_ms))
        pairing = PairingDesk("club", BrokerOffer(1883, None), lambda _: "", "00" * 32, time.monotonic)
        figures = HubFigures(service, folder)
        keys = PageKeys.load(folder / PAGE_KEYS)
        site = HallSite(service, pairing, keys, evening=evening, health=figures.health)
        server = stack.enter_context(WebServer(make_hall_app(site), WebSettings()))
        yield server.address


def has_failed(folder: Path) -> bool:
    return (folder / DEFECT_FILE).exists()


def watch(folder: Path, messages: Sequence[ClubMessage]) -> None:
    """People look at a hub to which a table sends a match, until something has gone wrong."""
    with hub(folder, messages) as address:
        until(lambda: has_failed(folder) or b"table-1" in read(f"{address}/api/v1/tables"))
        read(f"{address}/api/v1/evening")
        until(lambda: has_failed(folder))


def read(address: str) -> bytes:
    with suppress(OSError):
        return bytes(urllib.request.urlopen(address, timeout=PATIENCE_S).read())
    return b""


PLANTS = [
    "controller.hub.tables.known_tables._check_journal",
    "controller.hub.tables.watch.TableWatch.hear_presence",
    "controller.hub.evening.given_matches.GivenMatches.tell_scores",
    "controller.hub.evening.record_watch.RecordWatch.look_back",
    "controller.hub.server.api.table_content",
    "controller.hub.server.evening_api.evening_content",
]


@pytest.mark.parametrize("plant", PLANTS)
def test_a_defect_of_the_hub_is_logged_and_reproduced(
    plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hub"
    folder.mkdir()
    planted, messages = Planted(plant), messages_of(tmp_path)
    with monkeypatch.context() as patch, begin_log(LogLevel.INFO, folder):
        patch.setattr(plant, planted)
        watch(folder, messages)
    bundle = tmp_path / "support.tar.gz"
    write_hub_support(folder, bundle, now_s=0.0, made=UTC, ask=lambda _: None)
    files = packed(bundle)
    assert f"planted in {plant}" in files[LOG_FILE]
    assert "Traceback" in files[LOG_FILE]
    defect = json.loads(files[DEFECT_FILE].splitlines()[0])
    for name in ("Anna", "Kovács", "Béla"):
        assert name not in "".join(files.values())

    with monkeypatch.context() as patch:
        patch.setattr(plant, Planted(plant))
        again = reproduce(bundle, _folder(tmp_path / "again"))
    signature = (defect["kind"], defect["file"], defect["function"])
    assert signature in [outcome.found.signature for outcome in again if outcome.found is not None]


def test_the_hub_tells_its_figures(tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    folder.mkdir()
    with hub(folder, messages_of(tmp_path)) as address:
        until(lambda: b"pointsman_tables_connected 1.0" in read(f"{address}/metrics"))
        text = read(f"{address}/metrics").decode()
        told = json.loads(read(f"{address}/health"))
    assert told["status"] == "ok"
    assert told["disk_free_bytes"] > 0
    for name in ("Anna", "Béla", "table-1"):
        assert name not in text


def _folder(path: Path) -> Path:
    path.mkdir()
    return path
