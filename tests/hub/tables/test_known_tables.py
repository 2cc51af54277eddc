"""Which tables the hub comes to know, and which messages with entries it takes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.club.messages import ClubMessageError, EntryFlaw, EntryRefusal, JournalPart
from controller.hub.store import HubStore
from controller.hub.tables.known_tables import MOST_TABLES, KnownTables, TableKnown

NOW = 1_790_000_000_000
JOURNAL, CHAIN = "ab" * 8, "c" * 64


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[KnownTables]:
    with HubStore(
        str(tmp_path / "hub.db"), now_ms=lambda: NOW, told=lambda _: None, say=lambda _: None
    ) as store:
        yield KnownTables(store, lambda: NOW, pytest.fail)


def test_a_table_too_many_is_left_alone_and_those_that_are_known_still_count(tables: KnownTables) -> None:
    for number in range(MOST_TABLES):
        assert tables.know(f"t{number}", new=True) is not None
    assert tables.know("one-more", new=True) is None
    assert tables.know("t7", new=True) is tables.know("t7", new=False) is not None


@pytest.mark.parametrize(("before", "number"), [(CHAIN, 1), ("", 4), ("", 0)])
def test_entries_that_do_not_say_what_they_follow_on_are_not_taken(
    tables: KnownTables, before: str, number: int
) -> None:
    """The first one follows on nothing, and every other on the one before it."""
    part = JournalPart(JOURNAL, before, (), EntryRefusal(number, EntryFlaw.SIZE))
    with pytest.raises(ClubMessageError, match="does not say what it follows on"):
        tables.hear_part(TableKnown("t1"), part, NOW)


@pytest.mark.parametrize("why", [None, [], {}, 7, "another reason"])
def test_an_entry_refused_for_a_reason_that_nobody_knows_is_one_of_the_database(why: object) -> None:
    told = {"journal": JOURNAL, "before": CHAIN, "rows": [], "refused": {"entry": 4, "why": why}}
    part = JournalPart.decode(json.dumps(told).encode())
    assert part.refused == EntryRefusal(4, EntryFlaw.STORE)


@pytest.mark.parametrize(("before", "number"), [("", 1), (CHAIN, 4)])
def test_entries_that_say_so_are_taken(tables: KnownTables, before: str, number: int) -> None:
    part = JournalPart(JOURNAL, before, (), EntryRefusal(number, EntryFlaw.SIZE))
    assert tables.hear_part(TableKnown("t1"), part, NOW)
