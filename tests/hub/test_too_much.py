"""A table that goes wild, or means harm, fills neither memory nor disk, and holds up no other table."""

import asyncio
import socket
import threading
from pathlib import Path

import aiomqtt
import httpx
import pytest

from controller.club import mqtt
from controller.club.messages import EntryFlaw, EntryRefusal, JournalPart, TablePresence
from controller.club.mqtt import UnheardMessages
from controller.hub.hall import TableFault
from controller.hub.hub import Hub
from controller.hub.stored_journals import MOST_REMEMBERED, StoredJournals
from controller.hub.tables import known_tables
from controller.hub.tables.allowance import Allowance
from controller.hub.tables.watch import MOST_FAULTY, MOST_JOURNALS, TableWatch
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.hub.test_store import Told, opened, part


def faults(hub: Hub, name: str) -> list[TableFault]:
    shown = {each.name: each for each in hub.service.tables()}
    return [each.fault for each in shown[name].faults] if name in shown else []


def test_a_flood_of_one_table_is_left_alone_and_told_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_tables, "MESSAGES", 300_000)
    wild, honest = PlainTable("wild"), PlainTable("honest").write(50)
    with running_hub(tmp_path / "hub") as hub:
        assert hub.broker is not None
        until(lambda: hub.service.connected)
        with PlainTables(hub.broker.address.port, [wild, honest]) as tables:
            for _ in range(20):
                tables.say("wild", "state", {"screen": {"text": "x" * 40_000}})
            until(lambda: TableFault.TOO_MUCH in faults(hub, "wild"))
            until(lambda: honest.confirmed == 50)
            honest.write(50)
            until(lambda: honest.confirmed == 100)
        assert TableFault.TOO_MUCH not in faults(hub, "honest")
        with httpx.Client(base_url=hub.addresses[0]) as director:
            director.post("/login", data={"pin": "135790"})
            listed = {each["name"]: each for each in director.get("/api/v1/tables").json()["tables"]}
        assert "too_much" in [each["fault"] for each in listed["wild"]["faults"]]


def test_one_table_fills_the_disk_only_so_far_and_the_others_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_tables, "STORED", 300_000)
    wild, honest = PlainTable("wild").write(400, text="x" * 10_000), PlainTable("honest").write(20)
    with running_hub(tmp_path / "hub") as hub:
        assert hub.broker is not None
        until(lambda: hub.service.connected)
        with PlainTables(hub.broker.address.port, [wild]):
            until(lambda: TableFault.TOO_MUCH in faults(hub, "wild"))
        with PlainTables(hub.broker.address.port, [honest]):
            until(lambda: honest.confirmed == 20)
        # What was under way when there was no room left was let in, no more.
        assert 0 < hub.service.head("wild", wild.journal) < 330


def test_a_table_that_brings_along_more_than_it_may_send_at_once_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_tables, "MESSAGES", 1_000_000)
    table = PlainTable("table").write(3_000, text="x" * 1_000)
    with running_hub(tmp_path / "hub") as hub:
        assert hub.broker is not None
        until(lambda: hub.service.connected)
        with PlainTables(hub.broker.address.port, [table]):
            seen: set[TableFault] = set()
            until(lambda: seen.update(faults(hub, "table")) or table.confirmed == 3_000)
    assert TableFault.TOO_MUCH not in seen


def test_a_message_that_is_larger_than_any_of_its_kind_is_not_taken(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        assert hub.broker is not None
        until(lambda: hub.service.connected)
        with PlainTables(hub.broker.address.port, [PlainTable("wild")]) as tables:
            until(lambda: faults(hub, "wild") == [] and hub.service.tables())
            tables.say("wild", "presence", {"up": True, "name": "n" * 100_000})
            until(lambda: faults(hub, "wild") == [TableFault.UNREADABLE])
        assert hub.service.tables()[0].title == "Board wild"


def test_what_waits_of_one_table_is_bounded_in_bytes_and_leaves_room_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.waiting_work.MOST_BYTES_OF_TABLE", 500_000)
    wild, honest, told = (
        PlainTable("wild").write(40, text="x" * 100_000),
        PlainTable("honest").write(2),
        Told(),
    )
    held = threading.Event()
    with opened(tmp_path / "hub.db", told) as store:
        written = store._journals.keep
        monkeypatch.setattr(store._journals, "keep", lambda *given: (held.wait(60), written(*given))[1])
        # The first is with the writer, who has to wait.
        assert store.keep("wild", part(wild, 1, 1))
        until(lambda: store.waiting == 0)
        taken = sum(store.keep("wild", part(wild, number, number)) for number in range(2, 41))
        assert taken == 4
        assert store.keep("honest", part(honest, 1, 2))
        held.set()
        until(lambda: len(told.kept) == 6)
        assert store.keep("wild", part(wild, 6, 6)), "what is written makes room"


def message(topic: str, size: int) -> aiomqtt.Message:
    return aiomqtt.Message(topic, bytes(size), 1, False, 1, None)


def test_what_came_under_one_address_and_is_not_heard_yet_leaves_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mqtt, "MOST_OF_ADDRESS", 100_000)
    inbox = UnheardMessages(maxsize=100)
    for _ in range(2):
        inbox.put_nowait(message("club/wild/events", 40_000))
    with pytest.raises(asyncio.QueueFull):
        inbox.put_nowait(message("club/wild/events", 40_000))
    inbox.put_nowait(message("club/honest/events", 40_000))
    for _ in range(3):
        inbox.get_nowait()
    inbox.put_nowait(message("club/wild/events", 40_000))
    assert inbox.qsize() == 1


def test_a_client_that_hears_nothing_takes_little_of_the_brokers_memory(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub:
        until(lambda: hub.service.connected)
        assert hub.broker is not None
        port = hub.broker.address.port

        async def flood() -> int:
            # A client that has subscribed and reads no more, as MQTT 3.1.1 has it.
            deaf = socket.create_connection(("127.0.0.1", port))
            deaf.sendall(
                b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04deaf" + b"\x82\x06\x00\x01\x00\x01#\x01"
            )
            await asyncio.sleep(0.5)
            async with aiomqtt.Client("127.0.0.1", port, timeout=60) as speaker:
                for _ in range(300):
                    await speaker.publish("any/where", bytes(1_000_000), qos=1)
            assert hub.broker is not None
            status = Path(f"/proc/{hub.broker.pid}/status").read_text()
            deaf.close()
            return int(status.split("VmRSS:")[1].split()[0])

        assert asyncio.run(flood()) < 150_000, "kB of memory"


def test_a_table_that_names_journals_without_end_is_remembered_within_bounds() -> None:
    watch = TableWatch()
    for number in range(MOST_JOURNALS + 500):
        journal = f"{number:016x}"
        watch.hear_presence(TablePresence(True, journals={journal: 7}, run="a"), 1_000, kept=False)
        watch.hear_stored(journal, 7, 0, 1_000)
        watch.hear_refused(journal, EntryRefusal(1, EntryFlaw.FORM), 1_000)
        watch.hear_contradiction(journal, 1, 1_000)
    assert len(watch.told) == MOST_JOURNALS
    assert not watch.stored
    assert len(watch.faults(1_000)) <= 2 * MOST_FAULTY + 1


def test_journals_without_end_are_remembered_within_bounds_by_the_store(tmp_path: Path) -> None:
    with opened(tmp_path / "hub.db") as store:
        journals = StoredJournals(lambda: 7)
        with store._engine.begin() as connection:
            for number in range(MOST_REMEMBERED + 10):
                refused = EntryRefusal(1, EntryFlaw.FORM)
                journals.keep(connection, "wild", JournalPart(f"{number:016x}", "", (), refused))
        assert max(len(journals._heads), len(journals._refused)) <= MOST_REMEMBERED


def test_what_was_used_up_grows_again_and_never_beyond_its_bound() -> None:
    allowance = Allowance(1_000, 10_000)
    allowance.take(1_500, 0)
    assert not allowance.is_left(5_000)
    assert allowance.is_left(5_100)
    allowance.take(5, 1_000_000)
    assert allowance.is_left(0), "a clock that is set back takes nothing away"
    allowance.take(1_000, 0)
    assert not allowance.is_left(0)
