"""Nobody takes the place of the hub, or of another table, at the broker by naming its client id."""

import asyncio
import gc
import logging
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from controller.hub import broker, name_conflict
from controller.hub.hub import Hub, HubSettings
from tests.club.writing import Joined, WritingTable
from tests.club.writing import until as until_it
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.hub.test_troubles import troubles
from tests.ports import free_port


def text(words: str) -> bytes:
    """A text as MQTT writes it."""
    written = words.encode()
    return struct.pack(">H", len(written)) + written


def greeting(client: str, user: str, password: str) -> bytes:
    """What a client of MQTT 5 says first, with a clean start."""
    flags = 0x02 | (0xC0 if user else 0)
    body = text("MQTT") + bytes([5, flags]) + struct.pack(">H", 60) + b"\0" + text(client)
    body += text(user) + text(password) if user else b""
    return b"\x10" + bytes([len(body)]) + body


@contextmanager
def intruder(
    port: int, clients: Sequence[str], user: str = "", password: str = "", authority: Path | None = None
) -> Iterator[list[str]]:
    """Somebody who logs in under other names than his own, again and again; the addresses that he came from."""
    over, came = threading.Event(), list[str]()
    trust = None if authority is None else ssl.create_default_context(cafile=str(authority))

    def intrude(client: str) -> None:
        while not over.wait(0.02):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as raw:
                host, own = raw.getsockname()
                came.append(f"{host}:{own}")
                said = raw if trust is None else trust.wrap_socket(raw, server_hostname="127.0.0.1")
                with said:
                    said.sendall(greeting(client, user, password))
                    said.recv(64)
                    over.wait(0.05)

    threads = [threading.Thread(target=intrude, args=(client,)) for client in clients]
    for each in threads:
        each.start()
    try:
        yield came
    finally:
        over.set()
        for each in threads:
            each.join()


def grumbled(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What would stand in the hub's terminal without anybody having written it for people."""
    gc.collect()
    return [each.getMessage() for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_paired_table_that_takes_the_hubs_client_id_or_another_tables_disturbs_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    port, said = free_port(), list[str]()
    monkeypatch.setattr(broker, "TLS_PORT", port)
    with Hub(HubSettings(tmp_path / "hub", port=0, open_to_all=True), said.append) as hub:
        assert hub.broker is not None
        own, bad = hub.broker.add("table-1"), hub.broker.add("table-99")
        authority = tmp_path / "hub" / "authority.crt"

        async def story() -> None:
            table = WritingTable(tmp_path / "table-1")
            table.begin()
            async with Joined(table, port, password=own, authority=authority) as joined:
                await until_it(lambda: bool(table.shown) and joined.client.outbox.waiting == 0)
                with intruder(port, ["hub-club", "hub", "table-1"], "table-99", bad, authority) as came:
                    await until_it(lambda: len(came) > 9)
                    for _ in range(20):
                        table.write(1)
                        await asyncio.sleep(0.05)
                    await until_it(lambda: joined.client.outbox.waiting == 0)
                    await until_it(lambda: len(came) > 60)
                assert {str(each) for each in table.told} <= {"connecting", "connected"}

        until(lambda: hub.service.connected)
        asyncio.run(story())
        assert hub.service.troubles() == ()
    assert said == []
    assert grumbled(caplog) == []


def test_who_takes_the_hubs_name_at_a_broker_without_logins_is_told_with_his_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(name_conflict, "ALONE_S", 3.0)
    said: list[str] = []
    table = PlainTable("table-1").write(3)
    with running_hub(tmp_path, said) as hub:
        port = hub.service._address.port
        until(lambda: hub.service.connected)
        with intruder(port, ["hub-club"]) as came:
            until(lambda: any(each["fault"] == "taken_over" for each in troubles(hub)))
            (told,) = troubles(hub, "sk")
            name, _, address = str(told["reason"]).partition(", ")
            assert (name, address in came) == ("hub-club", True)
            assert str(told["reason"]) in str(told["text"])
            # While it goes on it stays told, though the hub is back for a moment each time.
            end = time.monotonic() + 3
            while time.monotonic() < end:
                assert [each["fault"] for each in troubles(hub)] == ["taken_over"]
                time.sleep(0.1)
        with PlainTables(port, [table]) as tables:
            until(tables.are_confirmed)
        until(lambda: not troubles(hub))
    assert len(said) == 2
    assert "hub-club, 127.0.0.1:" in said[0]
    assert "Nobody else" in said[1]
    assert grumbled(caplog) == []
