"""The journal on a real disk, with real SQLite and real kills."""

import os
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from controller.record.journal.journal import (
    APPLICATION_ID,
    STEPS,
    Draft,
    Journal,
    JournalError,
    JournalEvent,
    Json,
)
from controller.record.match.match_log import read_match

UTC = "2026-11-21T12:00:00Z"
ROOT = Path(__file__).resolve().parents[3]
OLD = ROOT / "tests/data/record/journal-v1.db"
"""A match in a journal of format version 1, as the first version of Pointsman wrote it."""


def filled(path: Path, events: int = 5) -> list[JournalEvent]:
    with Journal(path) as journal:
        payloads: list[dict[str, Json]] = [
            {"ply": n, "move": "8/5 6/5", "né": [1, None]} for n in range(events)
        ]
        return list(
            journal.append_all(
                Draft(f"m{n % 2}", "turn", payload, UTC, n) for n, payload in enumerate(payloads)
            )
        )


def read_through(path: Path) -> list[JournalEvent]:
    with Journal(path) as journal:
        return list(journal.events())


def test_iterating_gives_the_events_back_in_their_order(tmp_path: Path) -> None:
    written = filled(tmp_path / "journal.db")
    with Journal(tmp_path / "journal.db") as journal:
        assert list(journal.events()) == written
        assert list(journal.events("m1")) == [event for event in written if event.match == "m1"]
        assert journal.matches() == ("m0", "m1")
        journal.verify()
    assert [event.id for event in written] == [1, 2, 3, 4, 5]
    assert written[1].payload == {"ply": 1, "move": "8/5 6/5", "né": [1, None]}


def test_a_journal_goes_on_where_it_ended(tmp_path: Path) -> None:
    written = filled(tmp_path / "journal.db") + filled(tmp_path / "journal.db")
    with Journal(tmp_path / "journal.db") as journal:
        journal.append("m9", "bump", {}, utc=UTC)
        assert [event.id for event in journal.events()] == list(range(1, 12))
        assert list(journal.events())[:10] == [*written[:5], *written[5:]]
        assert next(iter(journal.events("m9"))).t is None
        journal.verify()


def test_closing_leaves_the_journal_and_its_head(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal.db", "journal.head"]


def test_every_event_is_synced_to_the_disk_before_append_returns(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        pragmas = {
            name: journal._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous")
        }
        assert pragmas == {"journal_mode": "wal", "synchronous": 2}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET payload = '{}' WHERE id = 2",
        "DELETE FROM event WHERE id = 5",
        "INSERT OR REPLACE INTO event VALUES (2, 'm', 'u', 0, 'k', '{}', 'c')",
        "INSERT INTO event VALUES (9, 'm', 'u', 0, 'k', '{}', 'c')",
    ],
)
def test_the_file_itself_refuses_changes(tmp_path: Path, statement: str) -> None:
    written = filled(tmp_path / "journal.db")
    database = sqlite3.connect(tmp_path / "journal.db")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), database:
        database.execute(statement)
    database.close()
    with Journal(tmp_path / "journal.db") as journal:
        assert list(journal.events()) == written


@pytest.mark.parametrize(
    ("statement", "event"),
    [
        ("UPDATE event SET payload = replace(payload, '8/5', '8/4') WHERE id = 3", 3),
        ("UPDATE event SET t = 99 WHERE id = 5", 5),
        ("DELETE FROM event WHERE id = 2", 2),
    ],
)
def test_a_change_behind_its_back_shows(tmp_path: Path, statement: str, event: int) -> None:
    filled(tmp_path / "journal.db")
    database = sqlite3.connect(tmp_path / "journal.db")
    with database:
        database.execute("DROP TRIGGER event_is_not_changed")
        database.execute("DROP TRIGGER event_is_not_deleted")
        database.execute(statement)
    database.close()
    with Journal(tmp_path / "journal.db") as journal, pytest.raises(JournalError, match=f"event {event};"):
        journal.verify()


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear players, this is not a journal. " * 100)
    with pytest.raises(JournalError, match=r"letter\.txt is not a journal"):
        Journal(path)
    assert path.read_text().startswith("Dear players")


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE recipes (name TEXT)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_newer_journal_is_refused_with_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path)
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    database.close()
    with pytest.raises(JournalError, match=f"version {len(STEPS) + 1}, this one knows {len(STEPS)}"):
        Journal(path)


def test_a_journal_of_the_first_version_opens_and_goes_on_after_the_format_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.db", tmp_path / "new.db"
    shutil.copy(OLD, old)
    later = (*STEPS, "CREATE INDEX event_by_kind ON event (kind, id);")
    monkeypatch.setattr("controller.record.journal.journal.STEPS", later)
    with Journal(old) as journal:
        before = list(journal.events())
        assert [event.kind for event in before[:3]] == ["match", "game", "turn"]
        assert journal.append("1", "bump", {}, utc=UTC).id == len(before) + 1
        journal.verify()
        journal.check_file()
        assert read_match(journal, "1").light == "Anna Kovács"
    filled(new)
    assert shape_of(old) == shape_of(new)
    monkeypatch.undo()
    with pytest.raises(JournalError, match="newer Pointsman"):
        Journal(old)


def shape_of(path: Path) -> list[tuple[str, ...]]:
    database = sqlite3.connect(path)
    shape = database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
    shape += database.execute("PRAGMA user_version").fetchall()
    database.close()
    return shape


def test_an_old_journal_on_a_card_that_cannot_be_written_is_read_as_it_is(tmp_path: Path) -> None:
    shutil.copy(OLD, tmp_path / "journal.db")
    content = (tmp_path / "journal.db").read_bytes()
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        journal.verify()
        assert journal.matches() == ("1",)
    assert (tmp_path / "journal.db").read_bytes() == content


@pytest.mark.parametrize(
    "entry",
    [
        Draft("m", "k", {"a": float("nan")}, UTC),
        Draft("m", "k", {"a": 1}, UTC, float("inf")),
        Draft("m", "k", {"name": "half a \ud800 character"}, UTC),
        Draft("half a \ud800 name", "k", {}, UTC),
    ],
)
def test_what_no_file_can_hold_is_refused_and_leaves_no_trace(tmp_path: Path, entry: Draft) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        good = Draft("m", "k", {}, UTC, -0.0)
        with pytest.raises(JournalError, match="cannot be written"):
            journal.append_all([good, entry])
        assert journal.append_all([good])[0].id == 1
        assert journal.verify() == 1


def test_the_newest_events_can_be_checked_alone(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db", events=50)
    with Journal(tmp_path / "journal.db") as journal:
        assert (journal.verify(), journal.verify(10), journal.verify(100)) == (50, 10, 50)
        journal._database.execute("DROP TRIGGER event_is_not_changed")
        journal._database.execute("UPDATE event SET t = 1 WHERE id = 30")
        assert journal.verify(20) == 20
        with pytest.raises(JournalError, match="first at event 30"):
            journal.verify(21)


def test_a_damaged_journal_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, events=400)
    content = bytearray(path.read_bytes())
    rng = random.Random(1)
    content[8192:] = rng.randbytes(len(content) - 8192)
    path.write_bytes(content)
    with pytest.raises(JournalError, match=r"journal\.db"):
        read_through(path)


@pytest.mark.parametrize("name", ["nowhere/journal.db", "."])
def test_a_place_where_no_journal_can_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(JournalError, match="folder"):
        Journal(tmp_path / name)


def test_reading_does_not_make_a_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="There is no journal"):
        Journal(tmp_path / "journal.db", read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_journal_opened_for_reading_takes_no_events(tmp_path: Path) -> None:
    written = filled(tmp_path / "journal.db")
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        assert list(journal.events()) == written
        with pytest.raises(JournalError, match="read-only"):
            journal.append("m", "turn", {}, utc=UTC)


def test_a_full_disk_is_named_and_what_was_written_stays(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        first = journal.append("m", "turn", {"ply": 0}, utc=UTC)
        pages = journal._database.execute("PRAGMA page_count").fetchone()[0]
        journal._database.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError, match="disk is full"):
            journal.append("m", "turn", {"text": "x" * 100_000}, utc=UTC)
        assert list(journal.events()) == [first]
        journal._database.execute("PRAGMA max_page_count = 1000000")
        assert journal.append("m", "turn", {"ply": 1}, utc=UTC).id == 2


def test_a_copy_taken_while_writing_opens(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        for n in range(20):
            journal.append("m", "turn", {"ply": n}, utc=UTC)
        copy = tmp_path / "copy"
        copy.mkdir()
        for name in ("journal.db", "journal.db-wal"):
            shutil.copy(tmp_path / name, copy / name)
    with Journal(copy / "journal.db") as copied:
        assert len(list(copied.events())) == 20
        copied.verify()


def test_two_writers_share_one_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as one, Journal(tmp_path / "journal.db") as two:
        for n in range(10):
            (one, two)[n % 2].append("m", "turn", {"ply": n}, utc=UTC)
        one.verify()
        assert [event.payload["ply"] for event in two.events()] == list(range(10))


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db")
    header = (tmp_path / "journal.db").read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID == int.from_bytes(b"POIN", "big")
    assert os.access(tmp_path / "journal.db", os.R_OK)
