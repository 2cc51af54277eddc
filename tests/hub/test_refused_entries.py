"""An entry that no hub can keep is named to table and director, and holds up nothing but its own journal."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.messages import (
    LARGEST_ENTRY,
    ClubMessageError,
    EntryFlaw,
    EntryRefusal,
    JournalPart,
    TableCommand,
    TableReply,
)
from controller.club.status import ClubState
from controller.hub.evening.content import needs_content
from controller.hub.need import tables_by_need
from controller.hub.store import KnownTable, StoreError
from controller.record.journal.journal import Draft, Journal
from tests.amounts import amount
from tests.club.writing import UTC, Joined, WritingTable
from tests.club.writing import until as until_there
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.hub.strange_rows import BEFORE, STRANGE, check_refusal, strange_table
from tests.hub.test_store import Told, opened, part, stored


@pytest.mark.parametrize("name", STRANGE)
def test_one_refused_entry_is_named_and_all_else_is_stored(name: str, tmp_path: Path) -> None:
    said: list[str] = []
    with running_hub(tmp_path / "hub", said) as hub:
        check_refusal(hub, name)
    assert said == []


def test_the_director_reads_which_entry_of_which_match_it_is_and_why(tmp_path: Path) -> None:
    strange = strange_table("strange", STRANGE["the character NUL in a payload"][1])
    with running_hub(tmp_path / "hub") as hub, httpx.Client(base_url=hub.addresses[0]) as director:
        director.post("/login", data={"pin": "135790"})
        assert hub.broker is not None
        with PlainTables(hub.broker.address.port, [strange]):
            until(lambda: strange.fault)
            until(lambda: hub.service.tables()[0].faults)
        (listed,) = director.get("/api/v1/tables").json()["tables"]
        assert listed["faults"][0]["fault"] == "entry_refused"
        texts = {}
        for language in ("en", "hu", "et", "sk"):
            (content,) = needs_content(tables_by_need(hub.service.tables(), 0, frozenset()), language)
            texts[language] = content["faults"][0]["text"]
    assert texts["en"] == (
        f"Entry 5 of match {strange.journal} cannot be kept (it holds characters that no database keeps). All before "
        "it is stored; the table sends no more of that match, and all others. Enter the result by hand; the whole "
        "record is at the table."
    )
    assert len(set(texts.values())) == 4


@pytest.mark.parametrize(("size", "why"), [(0, "characters"), (600_000, "size")])
def test_a_table_tells_of_the_entry_and_sends_its_next_match(tmp_path: Path, size: int, why: str) -> None:
    async def story() -> None:
        with running_hub(tmp_path / "hub") as hub:
            table = WritingTable(tmp_path / "table")
            path = table.begin(10)
            with Journal(path) as journal:
                journal.append_all([Draft("1", "turn" if size else "tu\0rn", {"text": "x" * size}, UTC, 0.5)])
            table.write(30)
            assert hub.broker is not None
            async with Joined(table, hub.broker.address.port) as joined:
                status = await joined.until_state(ClubState.ENTRY_REFUSED)
                assert status.refused == EntryRefusal(12, EntryFlaw(why))
                assert "cannot keep entry 12 of match" in status.words()("en")
                assert "12" in status.words()("hu")
                name = status.journal
                table.begin(20)
                await until_there(lambda: hub.service.newest().get(("table-1", newest(table)), 0) == 21)
                assert hub.service.newest()["table-1", name] == 11
                # What the hub has confirmed is heard of a moment later.
                await until_there(lambda: joined.client.status.waiting == 31)
                await joined.until_state(ClubState.ENTRY_REFUSED)

    asyncio.run(story())


def newest(table: WritingTable) -> str:
    """The name of the journal that a table writes."""
    assert table.path is not None
    with Journal(table.path, read_only=True) as journal:
        return str(journal.chain(1))[:16]


def test_what_was_under_way_behind_a_refused_entry_is_answered_with_the_refusal(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(9), Told()
    refused = EntryRefusal(4, EntryFlaw.CHARACTERS)
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", replace(part(table, 1, 3), refused=refused))
        store.keep("t", part(table, 7, 9))
        store.look_up("t", table.journal)  # the table has begun anew: it may try again
        store.keep("t", part(table, 7, 9))
        store.keep("t", part(table, 4, 9))
    assert [(each.confirmation.upto, each.confirmation.refused) for each in told.kept] == [
        (3, refused),
        (3, refused),
        (3, None),
        (3, None),
        (9, None),
    ]
    with opened(tmp_path / "hub.db") as store:
        assert stored(store, table) == table.rows


def test_a_refused_entry_under_a_number_that_another_has_contradicts_it(tmp_path: Path) -> None:
    table, told = PlainTable("t").write(5), Told()
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 5))
        store.keep("t", replace(part(table, 1, 2), refused=EntryRefusal(3, EntryFlaw.SIZE)))
        store.keep("t", JournalPart(table.journal, "f" * 64, (), EntryRefusal(6, EntryFlaw.SIZE)))
        until(lambda: len(told.kept) == 3)
        assert stored(store, table) == table.rows
    assert [(each.confirmation.fault, each.contradicting) for each in told.kept] == [
        ("", 0),
        ("other_chain", 3),
        ("other_chain", 6),
    ]


def test_what_only_the_database_refuses_holds_nobody_up_either(tmp_path: Path) -> None:
    """Entries that never came through a message: half a character is what SQLite, too, does not take."""
    strange, others, told = (
        strange_table("s", STRANGE["half a character in a kind"][1]),
        PlainTable("o"),
        Told(),
    )
    others.write(50)
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("o", part(others, 1, 20))
        store.keep("s", part(strange, 1, 30))
        store.keep("s", part(strange, 31, 40))
        store.keep_table(KnownTable("s", "half \ud83c"))
        written = store.keep_command(command("c-1", "Ann"), "t")
        store.keep("o", part(others, 21, 50))
        written.result(60)
        until(lambda: store.newest().get(("o", others.journal)) == 50)
        assert stored(store, strange) == strange.rows[:BEFORE]
        assert store.trouble is None
    last = [each.confirmation for each in told.kept if each.table == "s"][-1]
    assert (last.upto, last.refused) == (BEFORE, EntryRefusal(BEFORE + 1, EntryFlaw.STORE))
    assert f"cannot keep entry 5 of journal {strange.journal} of s (" in told.sentences[0]
    assert any("cannot keep what a table said" in each for each in told.sentences)


@pytest.mark.parametrize("name", ["Ann\0", "Ann\ud83c"])
def test_a_command_that_no_database_keeps_is_refused_and_holds_up_no_entry(tmp_path: Path, name: str) -> None:
    table, told = PlainTable("t").write(9), Told()
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", part(table, 1, 9))
        written = store.keep_command(command("c-1", name), "t")
        with pytest.raises(StoreError, match="characters that no database keeps"):
            written.result(60)
        until(lambda: store.newest().get(("t", table.journal)) == 9)
        assert store.commands("t") == []
    assert told.sentences == []


def command(name: str, by: str) -> TableCommand:
    return TableCommand(
        name, "club/t", "", None, "director", by, {"what": "pause"}, 1, 2, "k" * 64, "s" * 128
    )


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("a\0"),
    lambda inside: st.lists(inside, max_size=8) | st.dictionaries(st.text(), inside, max_size=3),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=3), st.integers(0, 3))
@settings(max_examples=amount(100, 300), deadline=None)
def test_whatever_comes_is_taken_up_to_the_first_entry_that_cannot_be_kept(
    strange: list[object], good: int
) -> None:
    table = PlainTable("t").write(3)
    message = {"journal": table.journal, "before": "", "rows": [*table.rows[:good], *strange]}
    try:
        read = JournalPart.decode(json.dumps(message).encode())
    except ClubMessageError:
        assert good == 0
        return
    assert [list(row) for row in read.rows] == table.rows[:good]
    assert (read.refused is None) == (not strange)
    assert read.is_whole()
    assert read.refused is None or not good or read.refused.number == good + 1
    assert JournalPart.decode(read.encode()) == read


def test_an_entry_of_the_largest_size_is_taken_and_one_byte_more_is_not(tmp_path: Path) -> None:
    table, told = PlainTable("t"), Told()
    empty = len(json.dumps(PlainTable("t").write(1, text="").rows[0], separators=(",", ":")))
    table.write(1, text="x" * (LARGEST_ENTRY - empty))
    message = json.dumps(table.part(1, 1)).encode()
    assert JournalPart.decode(message).refused is None
    with opened(tmp_path / "hub.db", told) as store:
        store.keep("t", JournalPart.decode(message))
        until(lambda: told.kept)
        assert stored(store, table) == table.rows
    larger = PlainTable("t").write(1, text="x" * (LARGEST_ENTRY - empty + 1))
    assert JournalPart.decode(json.dumps(larger.part(1, 1)).encode()).refused == EntryRefusal(
        1, EntryFlaw.SIZE
    )


def test_an_answer_with_a_number_that_no_database_takes_is_none() -> None:
    message = {"id": "c", "done": True, "text": "", "event": 2**63}
    with pytest.raises(ClubMessageError, match="no event that can be read"):
        TableReply.decode(json.dumps(message).encode())
