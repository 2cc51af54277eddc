"""Copies of journals in use, and what is saved of damaged ones."""

import random
import sqlite3
from pathlib import Path

import pytest

from controller.record.journal.copies import CopyError, copy_journal, rescue
from controller.record.journal.journal import DamagedJournalError, Journal, JournalError, JournalEvent
from tests.record.journal.test_journal import UTC, filled


def events_of(path: Path) -> list[JournalEvent]:
    with Journal(path, read_only=True) as journal:
        journal.verify()
        journal.check_file()
        return list(journal.events())


def test_a_copy_taken_in_the_middle_of_play_is_one_whole_file(tmp_path: Path) -> None:
    path, out = tmp_path / "journal.db", tmp_path / "stick" / "copy.db"
    out.parent.mkdir()
    with Journal(path) as journal:
        for ply in range(30):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
        before = list(journal.events())
        assert copy_journal(path, out) == 30
        journal.append("m", "turn", {"ply": 30}, utc=UTC)
        journal.verify()
    assert [each.name for each in out.parent.iterdir()] == ["copy.db"]
    assert events_of(out) == before


def test_a_copy_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db")
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(CopyError, match=r"copy\.db exists already"):
        copy_journal(tmp_path / "journal.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
    with pytest.raises(CopyError, match="cannot be written"):
        copy_journal(tmp_path / "journal.db", tmp_path / "no" / "copy.db")
    assert {each.name for each in tmp_path.iterdir() if not each.name.startswith("journal")} == {"copy.db"}


def test_a_damaged_journal_is_saved_up_to_its_last_good_event(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written = filled(path, events=600)
    whole = path.read_bytes()
    rng = random.Random(4)
    for attempt in range(12):
        page = rng.randrange(3, len(whole) // 4096)
        content = bytearray(whole)
        content[page * 4096 : page * 4096 + 4096] = rng.randbytes(4096)
        path.write_bytes(content)
        found = rescue(path, tmp_path / f"new-{attempt}.db")
        kept = events_of(found.path)
        assert kept == written[: found.kept]
        assert found.kept > 0
        assert path.read_bytes() == content


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_journal_that_was_cut_short_is_saved_as_far_as_it_goes(tmp_path: Path, share: float) -> None:
    path = tmp_path / "journal.db"
    written = filled(path, events=600)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    found = rescue(path, tmp_path / "new.db")
    assert events_of(found.path) == written[: found.kept]
    assert found.kept >= int(600 * share * 0.5)
    assert found.last_utc == UTC


def test_a_journal_whose_first_page_is_gone_is_read_with_that_of_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written = filled(path, events=600)
    content = bytearray(path.read_bytes())
    content[:4096] = bytes(4096)
    path.write_bytes(content)
    with pytest.raises(DamagedJournalError, match="pointsman journal rescue"):
        Journal(path)
    found = rescue(path, tmp_path / "new.db")
    assert events_of(found.path) == written


def test_what_still_lies_in_the_log_is_saved_too_and_nothing_is_touched(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        written = [journal.append("m", "turn", {"ply": ply}, utc=UTC) for ply in range(50)]
        before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
        assert set(before) > {"journal.db-wal"}
        found = rescue(path, tmp_path / "new.db")
        assert {name: (tmp_path / name).read_bytes() for name in before} == before
    assert events_of(found.path) == written


def test_a_changed_event_ends_what_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written = filled(path, events=30)
    database = sqlite3.connect(path)
    with database:
        database.execute("DROP TRIGGER event_is_not_changed")
        database.execute("UPDATE event SET payload = replace(payload, '8/5', '8/4') WHERE id = 20")
    database.close()
    assert events_of(rescue(path, tmp_path / "new.db").path) == written[:19]


def test_what_is_no_journal_gives_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "letter").write_bytes(random.Random(1).randbytes(20_000))
    with pytest.raises(JournalError, match=r"Nothing in .*letter can be read"):
        rescue(tmp_path / "letter", tmp_path / "new.db")
    with pytest.raises(JournalError, match="There is no journal"):
        rescue(tmp_path / "nothing", tmp_path / "new.db")
    assert [each.name for each in tmp_path.iterdir()] == ["letter"]
