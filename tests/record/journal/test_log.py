"""The write-ahead log of a journal that was not closed: damage in it is found before SQLite passes over it."""

import random
import shutil
from pathlib import Path

import pytest

from controller.record.journal.journal import DamagedJournalError, Journal
from controller.record.journal.log import FRAME, HEADER, count_unreadable, log_name
from controller.record.journal.soundness import check_log

UTC = "2026-11-21T12:00:00Z"


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A journal of a killed program, with thirty transactions in its log and an earlier round behind them."""
    path = tmp_path / "written.db"
    with Journal(path) as journal:
        for ply in range(60):
            journal.append("m", "turn", {"ply": ply, "pad": "x" * 3000}, utc=UTC)
        journal._database.execute("PRAGMA wal_checkpoint(RESTART)")
        for ply in range(60, 90):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
        shutil.copyfile(path, tmp_path / "killed.db")
        shutil.copyfile(log_name(path), tmp_path / "killed.db-wal")
    return tmp_path / "killed.db"


def length(path: Path) -> int:
    """How far the last round of the log goes, in bytes."""
    data = log_name(path).read_bytes()
    _, _, size, _, *salts, _, _ = HEADER.unpack_from(data)
    place = HEADER.size
    while list(FRAME.unpack_from(data, place)[2:4]) == salts:
        place += FRAME.size + size
    return place


def test_a_log_that_is_whole_is_read_to_its_end(killed: Path) -> None:
    assert length(killed) < log_name(killed).stat().st_size, "there is an earlier round behind it"
    assert count_unreadable(killed) == 0
    with Journal(killed, read_only=True) as journal:
        assert journal.verify() == 90


def test_no_log_and_an_empty_one_are_whole(tmp_path: Path) -> None:
    assert count_unreadable(tmp_path / "journal.db") == 0
    (tmp_path / "journal.db-wal").write_bytes(b"")
    assert count_unreadable(tmp_path / "journal.db") == 0


def test_whatever_bit_of_the_log_is_changed_sqlite_leaves_nothing_out_unnoticed(killed: Path) -> None:
    rng = random.Random(1)
    whole = log_name(killed).read_bytes()
    end, lost = length(killed), 0
    for _ in range(60):
        content = bytearray(whole)
        content[rng.randrange(end)] ^= 1 << rng.randrange(8)
        log_name(killed).write_bytes(content)
        found = count_unreadable(killed)
        with Journal(killed, read_only=True) as journal:
            missing = 90 - journal.head()[0]
        killed.with_name("killed.db-shm").unlink(missing_ok=True)
        assert found >= min(missing, 1)
        lost += missing > 0
    assert lost > 20, "the changes would go unnoticed otherwise"


def test_a_last_entry_that_is_torn_may_be_a_power_cut_and_more_is_damage(killed: Path) -> None:
    whole = log_name(killed).read_bytes()[: length(killed)]
    log_name(killed).write_bytes(whole[:-100])
    assert check_log(killed)
    content = bytearray(whole)
    content[HEADER.size + FRAME.size + 10] ^= 1
    log_name(killed).write_bytes(content)
    with pytest.raises(DamagedJournalError, match="its last 30 entries cannot be read"):
        check_log(killed)


def test_a_log_whose_header_is_damaged_is_not_taken_for_an_empty_one(killed: Path) -> None:
    content = bytearray(log_name(killed).read_bytes())
    content[17] ^= 4
    log_name(killed).write_bytes(content)
    assert count_unreadable(killed) > 1
