"""The store: what is in it is confirmed, what contradicts it is kept beside, and a refusing disk loses nothing."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.messages import JournalPart
from controller.hub.store import HubStore, KnownTable, StoreError
from controller.hub.stored_journals import PartKept
from controller.record.journal.journal import Journal
from tests.hub.hubs import until
from tests.hub.plain_tables import PlainTable, chained


class Told:
    """What a store says."""

    def __init__(self) -> None:
        self.kept: list[PartKept] = []
        self.sentences: list[str] = []

    def take(self, kept: Sequence[PartKept]) -> None:
        self.kept += kept


@contextmanager
def opened(place: object, told: Told | None = None, locked_s: float = 5.0) -> Iterator[HubStore]:
    hears = told or Told()
    store = HubStore(
        str(place), now_ms=lambda: 7, told=hears.take, say=hears.sentences.append, locked_s=locked_s
    )
    with store:
        yield store


def part(table: PlainTable, first: int, last: int) -> JournalPart:
    message = table.part(first, last)
    return JournalPart(message["journal"], message["before"], tuple(map(tuple, message["rows"])))


def stored(store: HubStore, table: PlainTable) -> list[list[object]]:
    return [list(event.row) for event in store.events(table.name)]


def test_entries_come_back_as_they_went_in(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(3, text="Élő, žiť 🎲\u2028"), Told()
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 3))
    with opened(tmp_path / "hub.db") as store:
        assert stored(store, table) == table.rows
        assert [event.number for event in store.events("t")] == [1, 2, 3]
    (kept,) = told.kept
    assert (kept.confirmation.upto, kept.confirmation.chain) == (3, table.rows[-1][-1])


def test_a_store_takes_more_in_its_life_than_may_wait_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.waiting_work.MOST_WAITING", 10)
    table, told = PlainTable("t").write(60), Told()
    with opened(tmp_path / "hub.db", told) as store:
        for first in range(1, 61, 3):
            assert store.keep("t", part(table, first, first + 2)), f"entry {first} was turned away"
            until(lambda upto=first + 2: told.kept and told.kept[-1].confirmation.upto == upto)
        assert stored(store, table) == table.rows


def test_what_is_too_much_at_once_is_turned_away_until_the_rest_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.hub.waiting_work.MOST_WAITING", 10)
    table, told = PlainTable("t").write(12), Told()
    with opened(tmp_path / "hub.db", told) as store:
        assert not store.keep("t", part(table, 1, 11))
        assert store.keep("t", part(table, 1, 10))
        until(lambda: told.kept)
        assert store.keep("t", part(table, 11, 12))
        until(lambda: len(told.kept) == 2)
        assert stored(store, table) == table.rows


def test_what_does_not_follow_yet_is_not_stored_and_answered_with_what_is_there(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(5), Told()
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 2))
        store.keep("t", part(table, 4, 5))
        store.look_up("t", "0123456789abcdef")
    assert [(each.confirmation.upto, each.told) for each in told.kept] == [(2, 2), (2, 5), (0, 0)]


def test_an_entry_that_contradicts_is_kept_beside_and_never_instead(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(6), Told()
    other = PlainTable("t")
    other.rows = [*table.rows[:3]]
    other.write(3, other=True)
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 6))
        store.keep("t", part(other, 2, 6))
        store.keep("t", part(other, 2, 6))
        store.keep("t", part(other, 5, 6))
        store.keep("t", part(table, 2, 6))
    with opened(tmp_path / "hub.db") as store:
        assert stored(store, table) == table.rows
        assert [(number, chain) for _, number, chain in store.contradictions("t")] == [
            (row[0], row[-1]) for row in other.rows[3:]
        ]
    assert [each.contradicting for each in told.kept] == [0, 4, 4, 5, 0]
    assert [each.confirmation.fault for each in told.kept] == ["", *["other_chain"] * 3, ""]


def test_what_goes_on_from_another_entry_than_the_newest_contradicts(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(3), Told()
    other = PlainTable("t")
    other.rows = [*table.rows[:2], chained(table.rows[1][-1], 3, other=True)]
    other.write()
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 3))
        store.keep("t", part(other, 4, 4))
    assert [each.contradicting for each in told.kept] == [0, 4]


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)), min_size=1, max_size=20))
def test_any_parts_in_any_order_leave_a_beginning_of_the_journal(
    tmp_path_factory: pytest.TempPathFactory, sent: list[tuple[int, int]]
) -> None:
    table, told = PlainTable("t").write(12), Told()
    have = 0
    with opened(tmp_path_factory.mktemp("s") / "hub.db", told) as store:
        for one, other in sent:
            first, last = min(one, other), max(one, other)
            store.keep("t", part(table, first, last))
            have = max(have, last) if first <= have + 1 else have
        until(lambda: len(told.kept) == len(sent))
        assert stored(store, table) == table.rows[:have]
    assert told.kept[-1].confirmation.upto == have


def test_reading_page_by_page_misses_nothing_while_entries_come_in(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(600), Told()
    found: list[int] = []
    with opened(tmp_path / "hub.db", told) as store:

        def send() -> None:
            for first in range(1, 601, 7):
                store.keep("t", part(table, first, min(first + 6, 600)))

        sending = threading.Thread(target=send)
        sending.start()
        while len(found) < 600:
            events = store.events("t", after=found[-1] if found else 0, most=11)
            found += [event.number for event in events]
        sending.join()
    assert found == list(range(1, 601))


def test_a_locked_store_is_told_and_confirms_nothing_until_it_works_again(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(4), Told()
    with opened(tmp_path / "hub.db", told, locked_s=0.05) as store:
        store.keep("t", part(table, 1, 2))
        until(lambda: told.kept)
        holder = sqlite3.connect(tmp_path / "hub.db", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        store.keep("t", part(table, 3, 4))
        until(lambda: store.trouble)
        assert len(told.kept) == 1
        holder.execute("ROLLBACK")
        holder.close()
        store.keep("t", part(table, 3, 4))
        until(lambda: len(told.kept) == 2)
        assert stored(store, table) == table.rows
    failed, mended = told.sentences
    assert "takes nothing (database is locked)" in failed
    assert "close that" in failed
    assert mended.endswith("works again.")


def test_a_full_disk_is_told_and_confirms_nothing(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(2000), Told()
    with opened(tmp_path / "hub.db", told) as store:
        with store._engine.connect() as connection:  # the pool has one connection so far: the writer's
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 3}")
        for first in range(1, 2001, 100):
            store.keep("t", part(table, first, first + 99))
        until(lambda: store.trouble)
        upto = max((each.confirmation.upto for each in told.kept), default=0)
        with store._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        assert upto < 2000
        assert len(stored(store, table)) == min(upto, 1000)
        store.keep("t", part(table, upto + 1, 2000))
        until(lambda: not store.trouble)
    assert "is full" in told.sentences[0]
    assert "free some space" in told.sentences[0]


def not_a_store(path: Path) -> str:
    path.write_text("no database at all, but long enough to be taken for one" * 40)
    return str(path)


def newer_store(path: Path) -> str:
    with opened(path):
        pass
    with sqlite3.connect(path) as database:
        database.execute("UPDATE store_version SET version = 99")
    database.close()
    return str(path)


def journal(path: Path) -> str:
    with Journal(path):
        pass
    return str(path)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (lambda folder: str(folder / "nowhere" / "hub.db"), "There is no folder"),
        (lambda folder: str(folder), "cannot be used"),
        (lambda folder: not_a_store(folder / "text.db"), "file is not a database"),
        (lambda folder: newer_store(folder / "new.db"), "newer Pointsman"),
        (lambda folder: journal(folder / "journal.db"), "is a database of something else"),
        (lambda _: "mysql://root:secret@localhost/x", "postgresql\\+psycopg://"),
        (lambda _: "postgresql+psycopg://nobody:secret@127.0.0.1:9/none", "postgresql"),
        (lambda _: "://", "is none that can be used"),
    ],
)
def test_a_store_that_cannot_be_used_is_told_in_one_sentence(
    tmp_path: Path, place: Callable[[Path], str], said: str
) -> None:
    given = place(tmp_path)
    with pytest.raises(Exception, match=said) as refused, opened(given):
        pass
    assert isinstance(refused.value, StoreError) or "newer" in said
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_tables_are_known_as_they_called_themselves_last(tmp_path: Path) -> None:
    with opened(tmp_path / "hub.db") as store:
        store.keep_table(KnownTable("table-1", "One", heard_ms=1))
        store.keep_table(KnownTable("table-1", "The first", "http://t", "2.0", "run", 2))
    with opened(tmp_path / "hub.db") as store:
        assert list(store.tables()) == [KnownTable("table-1", "The first", "http://t", "2.0", "run", 2)]


def test_the_journals_of_a_table_come_back_the_newest_first(tmp_path: Path) -> None:
    with opened(tmp_path / "hub.db") as store:
        tables = [PlainTable("t").write(3, match=number) for number in range(4)]
        for table in (*tables, PlainTable("other").write(1)):
            store.keep(table.name, part(table, 1, len(table.rows)))
        until(lambda: len(store.journals("t", most=9)) == 4)
        assert store.journals("t", most=3) == [each.journal for each in reversed(tables)][:3]
