"""What is wrong with the hub itself is told to programs and on the director's pages until it is mended."""

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

from controller.club.transport import BrokerAddress
from controller.hub import service
from controller.hub.hall import HubFault, HubTrouble
from controller.hub.hub import Hub, HubSettings
from tests.browser import browser
from tests.club.broker import Broker
from tests.hub.desk_hall import PIN, desk_hall
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.web.walk.visitor import Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


def troubles(hub: Hub, language: str = "en") -> list[dict[str, object]]:
    answer = httpx.get(f"{hub.addresses[0]}api/v1/trouble", params={"language": language})
    found: list[dict[str, object]] = answer.json()["troubles"]
    return found


def test_a_store_that_takes_nothing_is_told_until_it_works_again_though_nobody_sends_then(
    tmp_path: Path,
) -> None:
    table = PlainTable("table-1").write(3)
    with running_hub(tmp_path) as hub:
        with PlainTables(hub.service._address.port, [table]) as tables:
            until(tables.are_confirmed)
            assert troubles(hub) == []
            holder = sqlite3.connect(tmp_path / "hub.db", isolation_level=None)
            holder.execute("BEGIN IMMEDIATE")
            table.write(1)
            until(lambda: troubles(hub))
        (told,) = troubles(hub, "sk")
        assert (told["fault"], told["reason"]) == ("store_locked", "database is locked")
        assert "Zatvorte ho" in str(told["text"])
        holder.execute("ROLLBACK")
        holder.close()
        until(lambda: not troubles(hub))


def test_a_part_of_the_hub_that_fails_at_a_table_is_told_once_and_keeps_no_entry_out(tmp_path: Path) -> None:
    said: list[str] = []
    table = PlainTable("table-1").write(1)

    def fail(_: object) -> None:
        raise ValueError("made to fail")

    with running_hub(tmp_path, said) as hub:
        hub.service.subscribe(fail)
        with PlainTables(hub.service._address.port, [table]) as tables:
            until(tables.are_confirmed)
            table.write(1)
            until(tables.are_confirmed)
    assert said == ["The hub failed at a table (ValueError: made to fail)."]


def test_a_broker_that_is_gone_is_told_until_it_is_there_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "START_S", 0.1)
    with Broker(tmp_path) as broker:
        address = BrokerAddress("127.0.0.1", broker.port)
        with Hub(HubSettings(tmp_path / "hub", port=0, broker=address), lambda _: None) as hub:
            until(lambda: hub.service._transport is not None)
            broker.kill()
            until(lambda: troubles(hub))
            (told,) = troubles(hub)
            assert told["fault"] == "broker"
            assert str(broker.port) in str(told["text"])
            broker.start()
            until(lambda: not troubles(hub))


def test_a_contradiction_is_told_after_a_restart_of_the_hub(tmp_path: Path) -> None:
    table = PlainTable("table-1").write(5)
    other = PlainTable("table-1")
    other.rows = [*table.rows[:3]]
    other.write(2, other=True)

    def faults(hub: Hub) -> list[tuple[str, dict[str, str]]]:
        return [
            (str(each.fault), dict(each.arguments))
            for shown in hub.service.tables()
            for each in shown.faults
            if each.fault == "other_chain"
        ]

    with running_hub(tmp_path) as hub, PlainTables(hub.service._address.port, [table]) as tables:
        until(tables.are_confirmed)
        tables.say("table-1", "events", other.part(4, 5))
        until(lambda: faults(hub))
        told = faults(hub)
    assert told == [("other_chain", {"journal": table.journal, "event": "4"})]
    with running_hub(tmp_path) as hub:
        until(lambda: faults(hub) == told)


@pytest.mark.parametrize("page", ["director", "tournament"])
def test_the_directors_pages_say_what_is_wrong_with_the_hub_and_spectators_see_nothing(
    browser: "Browser", tmp_path: Path, page: str
) -> None:
    trouble = HubTrouble(HubFault.STORE_FULL, 5, "database or disk is full")
    with desk_hall(tmp_path, tables=2) as running:
        running.hall.wrong = (replace(trouble, reason="first"),)
        with (
            visiting(browser, running.address, Device(1280, 800, "et")) as director,
            visiting(browser, running.address, Device(1280, 800)) as guest,
        ):
            director.open(f"/{page}")
            director.page.locator("input[name=pin]").fill(PIN)
            director.page.keyboard.press("Enter")
            director.page.wait_for_url(f"**/{page}")
            banner = director.page.get_by_role("alert").filter(has_text="Keskuse ketas on täis (first)")
            banner.wait_for()
            running.hall.wrong = (trouble,)
            director.page.get_by_role("alert").filter(has_text="(database or disk is full)").wait_for()
            guest.open("/")
            guest.page.locator("main").wait_for()
            assert "disk is full" not in guest.page.inner_text("body")
            running.hall.wrong = ()
            director.page.get_by_role("alert").filter(has_text="Keskuse").wait_for(state="detached")
