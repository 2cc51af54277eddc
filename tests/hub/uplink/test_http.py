"""A club's hub and a federation's: what the tables sent arrives there once, in order, whatever breaks in between."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from controller.club.messages import JournalPart
from controller.errors import UserError
from controller.hub.hub import Hub, HubSettings
from controller.hub.uplink.desk import confirmed
from controller.hub.uplink.http import HttpHub
from controller.hub.uplink.other_hub import UplinkError
from controller.hub.uplink.uplink import Uplink
from tests.hub.hubs import running_hub, stored_rows, until
from tests.hub.plain_tables import PlainTable, PlainTables, Row
from tests.ports import free_port


@contextmanager
def federation(folder: Path, port: int) -> Iterator[Hub]:
    """A hub that others send to."""
    folder.mkdir(exist_ok=True)
    (folder / "hub.json").write_text(
        (folder / "hub.json").read_text() if (folder / "hub.json").exists() else "{}"
    )
    with Hub(HubSettings(folder, port=port), lambda _: None) as hub:
        yield hub


def rows_there(folder: Path, club: str, table: PlainTable) -> list[Row]:
    """What the federation has of a table."""
    there = PlainTable(f"{club}.{table.name}")
    there.rows = table.rows
    return stored_rows(folder / "hub.db", there)


def test_what_a_club_has_arrives_at_the_federation_once_and_in_order_over_cuts(tmp_path: Path) -> None:
    port, far = free_port(), tmp_path / "far"
    tables = [PlainTable("table-1").write(300), PlainTable("table-2").write(5)]
    said: list[str] = []
    with (
        running_hub(tmp_path / "club") as club,
        PlainTables(int(club.broker_address.rpartition(":")[2]), tables) as playing,
    ):
        with federation(far, port) as other:
            key = other.uplinks.let_in("club")
            uplink = Uplink(club.service, HttpHub(f"http://127.0.0.1:{port}/", key), said.append, 0.5)
            until(lambda: len(rows_there(far, "club", tables[0])) == 300)
        tables[0].write(40)
        tables[1].write(40)
        until(playing.are_confirmed)
        until(lambda: said)
        with federation(far, port) as other:
            until(lambda: rows_there(far, "club", tables[0]) == tables[0].rows)
            until(lambda: rows_there(far, "club", tables[1]) == tables[1].rows)
            until(lambda: len(said) > 1)
            shown = {each.name: each for each in other.service.tables()}
            assert shown["club.table-1"].faults == ()
        uplink.close()
    assert "cannot be reached" in said[0]
    assert "takes entries again" in said[1]


def test_a_club_with_another_key_sends_nothing_and_is_told(tmp_path: Path) -> None:
    port = free_port()
    said: list[str] = []
    table = PlainTable("table-1").write(3)
    with running_hub(tmp_path / "club") as club, federation(tmp_path / "far", port) as other:
        other.uplinks.let_in("club")
        part = JournalPart(table.journal, "", tuple(map(tuple, table.rows)))
        confirmed(club.service.store_part("table-1", part))
        with Uplink(club.service, HttpHub(f"http://127.0.0.1:{port}/", "another key"), said.append):
            until(lambda: said)
        assert "have its director make a new one" in said[0]
        assert other.service.tables() == ()


def test_an_entry_that_was_changed_on_the_way_is_refused(tmp_path: Path) -> None:
    table = PlainTable("table-1").write(3)
    table.rows[1][5] = '{"n":2,"table":"table-9"}'
    with federation(tmp_path / "far", 0) as hub:
        part = JournalPart(table.journal, "", tuple(map(tuple, table.rows)))
        with pytest.raises(UserError, match="do not hold together"):
            confirmed(hub.uplinks.store_part("club", "table-1", part))
        assert hub.uplinks.heads("club") == {}


def test_the_name_of_a_club_is_checked(tmp_path: Path) -> None:
    with federation(tmp_path / "far", 0) as hub, pytest.raises(UserError, match="no name for a club"):
        hub.uplinks.let_in("Our Club")


@pytest.mark.parametrize(
    "answer",
    [b"[]", b'{"tables": []}', b'{"tables": {"t": 1}}', b'{"tables": {"t": {"j": 1e999}}}', b"[" * 60_000],
)
def test_what_answers_as_no_hub_does_is_told_and_tried_again(answer: bytes) -> None:
    """Whatever comes, it is an error that the uplink knows, and goes on after."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(UplinkError):
            HttpHub(f"http://127.0.0.1:{server.server_port}/", "key").heads([("t", "j")])
        server.shutdown()
