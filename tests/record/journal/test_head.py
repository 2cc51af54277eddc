"""The head beside a journal: it shows a cut end, never tells of less, and is checked itself."""

import shutil
from pathlib import Path

import pytest

from controller.record.journal.head import head_name, read_head
from controller.record.journal.journal import Journal, ShortJournalError
from tests.record.journal.damaging import cut_end
from tests.record.journal.test_journal import UTC, filled


def test_the_head_says_how_far_the_journal_had_come_after_the_last_turn(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        for ply in range(5):
            event = journal.append("m", "turn", {"ply": ply}, utc=UTC)
            journal.fold()
            head = read_head(path)
            assert head is not None
            assert (head.number, head.chain) == (event.id, event.chain)
        journal.append("m", "turn", {"ply": 5}, utc=UTC)
        assert read_head(path) == head
        journal.check_head()


def test_after_a_turn_the_file_itself_holds_every_event(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        journal.append("m", "turn", {"ply": 0}, utc=UTC)
        journal.fold()
        shutil.copyfile(path, tmp_path / "alone.db")
        assert path.with_name("journal.db-wal").stat().st_size == 0
    with Journal(tmp_path / "alone.db", read_only=True) as alone:
        assert alone.verify() == 1


def test_folding_does_not_wait_for_somebody_who_reads(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal, Journal(path) as other:
        journal.append("m", "turn", {"ply": 0}, utc=UTC)
        other._database.execute("BEGIN")
        other.head()
        journal.append("m", "turn", {"ply": 1}, utc=UTC)
        journal.fold()
        other._database.execute("COMMIT")
        head = read_head(path)
        assert head is not None
        assert head.number == 2


def test_a_journal_whose_end_is_missing_is_known_and_its_head_is_not_shortened(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    cut_end(path)
    for _ in range(2):
        with Journal(path) as journal:
            with pytest.raises(ShortJournalError, match="event 10 is its last, and 20 were written") as short:
                journal.check_head()
            assert short.value.missing == 10
    with Journal(path) as journal:
        journal.append("m", "turn", {"ply": 99}, utc=UTC)
        for _ in range(15):
            journal.append("m", "turn", {"ply": 99}, utc=UTC)
    with Journal(path) as journal, pytest.raises(ShortJournalError, match="was exchanged"):
        journal.check_head()


def test_another_journal_in_its_place_is_known(tmp_path: Path) -> None:
    filled(tmp_path / "one.db", events=10)
    with Journal(tmp_path / "two.db") as journal:
        for ply in range(30):
            journal.append("other", "turn", {"ply": ply}, utc=UTC)
    shutil.copyfile(tmp_path / "two.db", tmp_path / "one.db")
    with (
        Journal(tmp_path / "one.db") as journal,
        pytest.raises(ShortJournalError, match="not the journal") as found,
    ):
        journal.check_head()
    assert found.value.missing is None


def test_a_damaged_head_accuses_nobody(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, events=10)
    text = head_name(path).read_text()
    head_name(path).write_text(text.replace('"number": 10', '"number": 90'))
    assert read_head(path) is None
    with Journal(path) as journal:
        journal.check_head()
    assert read_head(path) is not None, "it is written anew"
