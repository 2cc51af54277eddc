"""The same store on PostgreSQL, where its server and its driver are there (Debian: postgresql-common; psycopg)."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from controller.club.messages import EntryFlaw, EntryRefusal
from controller.hub.store import HubStore, KnownTable, StoreError
from tests.hub.hubs import HubProcess, running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.hub.strange_rows import BEFORE, STRANGE, check_refusal, strange_table
from tests.hub.test_store import Told, opened, part, stored

pytest.importorskip("psycopg")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of its own for this test, with the address of an empty database."""
    program = shutil.which("pg_virtualenv")
    if program is None:
        pytest.skip("there is no pg_virtualenv (Debian: postgresql-common, postgresql)")
    script = "env | grep ^PG; echo ready; read line"
    with subprocess.Popen(
        [program, "-t", "sh", "-c", script],  # a folder of its own, whatever an earlier run left behind
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdout is not None
        told = {}
        for line in running.stdout:
            if line.strip() == "ready":
                break
            name, _, value = line.strip().partition("=")
            told[name] = value
        if "PGHOST" not in told:
            pytest.skip("pg_virtualenv does not start a server")
        yield (
            f"postgresql+psycopg://{told['PGUSER']}:{told['PGPASSWORD']}@{told['PGHOST']}:{told['PGPORT']}/postgres"
        )
        assert running.stdin is not None
        running.stdin.close()


def test_postgresql_keeps_what_sqlite_keeps(server: str) -> None:
    table, told = PlainTable("t").write(120, text="Élő, žiť 🎲\u2028"), Told()
    other = PlainTable("t")
    other.rows = [*table.rows[:3]]
    other.write(2, other=True)
    with opened(server, told) as store:
        for first, last in ((1, 50), (70, 90), (40, 120)):
            store.keep("t", part(table, first, last))
        store.keep("t", part(other, 2, 5))
        store.keep_table(KnownTable("t", "Table", run="a", heard_ms=1))
        store.keep_table(KnownTable("t", "The table", run="b", heard_ms=2))
        store.keep_table(KnownTable(f"{'c' * 32}.{'t' * 32}", "Of another club"))
    assert [(each.confirmation.upto, each.confirmation.fault) for each in told.kept] == [
        (50, ""),
        (50, ""),
        (120, ""),
        (120, "other_chain"),
    ]
    with opened(server) as store:
        assert stored(store, table) == table.rows
        assert [event.number for event in store.events("t", after=110)] == list(range(111, 121))
        assert [(number, chain) for _, number, chain in store.contradictions("t")] == [
            (row[0], row[-1]) for row in other.rows[3:]
        ]
        assert list(store.tables()) == [
            KnownTable(f"{'c' * 32}.{'t' * 32}", "Of another club"),
            KnownTable("t", "The table", run="b", heard_ms=2),
        ]
        assert [found[:3] for found in store.first_contradictions(0)] == [("t", table.journal, 4)]
        assert store.newest() == {("t", table.journal): 120}
        assert "***" in store.place


def test_a_server_that_drops_its_connections_loses_nothing(server: str) -> None:
    table, told = PlainTable("dropped").write(40), Told()
    with opened(server, told) as store:
        store.keep("dropped", part(table, 1, 20))
        until(lambda: told.kept)
        engine = create_engine(server, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(
                text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            )
        engine.dispose()
        store.keep("dropped", part(table, 21, 40))
        until(lambda: len(told.kept) == 2)
        assert stored(store, table) == table.rows


def test_a_hub_that_is_given_the_address_of_a_database_keeps_everything_there(
    server: str, tmp_path: Path
) -> None:
    table = PlainTable("given").write(60)
    hub = HubProcess(tmp_path / "hub", "--store", server)
    try:
        with PlainTables(hub.broker_port, [table]) as tables:
            until(tables.are_confirmed)
            hub.kill()
            table.write(60)
            hub.start()
            until(tables.are_confirmed)
        assert hub.end() == 0
    finally:
        hub.kill()
    with opened(server) as store:
        assert stored(store, table) == table.rows
    assert not (tmp_path / "hub" / "hub.db").exists()


@pytest.mark.parametrize("name", STRANGE)
def test_postgresql_refuses_what_sqlite_refuses_and_keeps_all_else(
    name: str, server: str, tmp_path: Path
) -> None:
    said: list[str] = []
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.execute(
            text("DROP TABLE IF EXISTS entry, contradiction, known_table, command, store_version")
        )
    engine.dispose()
    with running_hub(tmp_path / "hub", said, server) as hub:
        check_refusal(hub, name)
    assert said == []


def test_what_only_the_server_refuses_holds_nobody_up(server: str) -> None:
    """Entries that came past the checks, as none does: SQLite keeps the character NUL, PostgreSQL does not."""
    strange, other = strange_table("past", STRANGE["the character NUL in a payload"][1]), PlainTable("by")
    other.write(50)
    told = Told()
    with opened(server, told) as store:
        store.keep("by", part(other, 1, 20))
        store.keep("past", part(strange, 1, 30))
        store.keep_table(KnownTable("past", "a\0b"))
        store.keep("by", part(other, 21, 50))
        until(lambda: store.newest().get(("by", other.journal)) == 50)
        assert stored(store, strange) == strange.rows[:BEFORE]
        assert store.trouble is None
    last = [each.confirmation for each in told.kept if each.table == "past"][-1]
    assert (last.upto, last.refused) == (BEFORE, EntryRefusal(BEFORE + 1, EntryFlaw.STORE))
    assert "cannot keep entry 5 of journal" in told.sentences[0]


def test_a_database_that_lacks_letters_is_refused_before_anything_is_written(server: str) -> None:
    engine = create_engine(server, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(
            text("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
        )
    engine.dispose()
    with pytest.raises(StoreError, match=r"keeps texts as LATIN1.*createdb --encoding UTF8"):
        HubStore(
            f"{server.rpartition('/')[0]}/latin", now_ms=lambda: 7, told=lambda _: None, say=lambda _: None
        )
