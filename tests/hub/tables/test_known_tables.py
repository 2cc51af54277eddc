"""Which tables the hub comes to know, and which messages with entries it takes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.club.messages import ClubMessageError, EntryFlaw, EntryRefusal, JournalPart
from controller.club.transport import ClubMessage
from controller.hub.need import NeedKind, needs_of
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


@pytest.mark.parametrize("behind_ms", [NOW, 3_600_000, -3_600_000, 0])
def test_the_times_that_a_table_shows_are_told_by_the_hubs_clock_however_wrong_the_tables_is(
    tables: KnownTables, behind_ms: int
) -> None:
    """No clock of a player seems used up at the hub, and no matter seems to wait for years."""
    known = tables.know("t1", new=True)
    assert known is not None
    own_ms = NOW - behind_ms
    clock = {"light_s": 600.0, "dark_s": 500.0, "runs": "light", "delay_s": 0.0, "at_ms": own_ms - 5_000}
    presence = ClubMessage("", json.dumps({"up": True, "journal": JOURNAL, "run": "a"}).encode())
    tables.hear_presence(known, presence, NOW)
    known.watch.on_message(NOW)
    needs = [
        {
            "id": "d",
            "kind": "dispute",
            "heading": "Dispute",
            "turn": {"game": 1, "ply": 4},
            "since_ms": own_ms - 9_000,
        }
    ]
    state = {"room": "playing", "clock": clock, "needs": needs}
    for _ in range(3):
        known.watch.hear_clock(own_ms, NOW)
    tables.hear_state(known, json.dumps({"screen": state, "desk": state}).encode(), NOW)
    tables.publish(known)
    shown = tables.shown()["t1"]
    assert shown.screen is not None
    assert shown.screen["clock"] == clock | {"at_ms": NOW - 5_000}
    assert [(need.kind, need.since_ms) for need in needs_of(shown, NOW)] == [
        (NeedKind.DISPUTE, NOW - 9_000),
        *([(NeedKind.FAULT, NOW)] if behind_ms else []),
    ]


def test_a_table_whose_clock_was_put_right_tells_right_times_again(tables: KnownTables) -> None:
    known = tables.know("t1", new=True)
    assert known is not None
    clock = {"light_s": 600.0, "dark_s": 500.0, "runs": "light", "delay_s": 0.0, "at_ms": NOW}
    for asked in (NOW - 3_600_000, NOW - 3_600_000, NOW - 3_600_000, NOW, NOW, NOW):
        known.watch.hear_clock(asked, NOW)
    tables.hear_state(known, json.dumps({"screen": {"clock": clock}, "desk": None}).encode(), NOW)
    tables.publish(known)
    assert tables.shown()["t1"].screen == {"clock": clock}
