"""Play goes on when the disk does not: real full disks, missing folders and damaged files."""

import random
import sqlite3
import tempfile
from pathlib import Path

import pytest

from controller.record.journal import buffered
from controller.record.journal.buffered import RESCUED, RETRY_S, BufferedJournal
from controller.record.journal.journal import Journal, JournalError, JournalEvent, ShortJournalError
from controller.record.match.match import Facts
from controller.record.match.match_log import MatchLog, read_match
from controller.rules.position import START
from tests.record.matches import terms_of

UTC = "2026-11-21T12:00:00Z"


class Table:
    """A steady journal with a clock that is moved by hand and ears for its warnings."""

    def __init__(self, path: Path) -> None:
        self.time = 0.0
        self.said: list[str] = []
        self.journal = BufferedJournal(
            path, lambda words: self.said.append(words("en")), lambda: self.time, lambda: UTC
        )

    def append(self, ply: int) -> JournalEvent:
        return self.journal.append("m", "turn", {"ply": ply}, utc=UTC, t=ply)

    def fill_the_disk(self) -> None:
        assert self.journal._journal
        database = self.journal._journal._database
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages}")


def plies(path: Path) -> list[int]:
    with Journal(path, read_only=True) as journal:
        journal.verify()
        return [int(str(event.payload["ply"])) for event in journal.events(without=RESCUED)]


def test_a_healthy_disk_gets_every_event_at_once(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db")
    written = [table.append(ply) for ply in range(5)]
    with Journal(tmp_path / "journal.db", read_only=True) as other:
        assert list(other.events()) == written
    table.journal.close()
    assert table.said == []


def test_on_a_full_disk_play_goes_on_in_memory_and_is_warned_of_once(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db")
    table.append(0)
    table.fill_the_disk()
    for ply in range(1, 60):
        table.append(ply)
    assert len(table.said) == 1
    assert "disk is full: free some space" in table.said[0]
    assert "in memory only" in table.said[0]
    assert table.journal.waiting > 0
    assert [event.payload["ply"] for event in table.journal.events("m")] == list(range(60))


def test_what_waited_is_written_into_the_same_chain_when_the_disk_is_back(tmp_path: Path) -> None:
    path = tmp_path / "card" / "journal.db"
    table = Table(path)
    told = [table.append(ply) for ply in range(7)]
    assert "no folder" in table.said[0]
    assert table.journal.matches() == ("m",)
    path.parent.mkdir()
    told.append(table.append(7))
    assert table.journal.waiting == 8, "a disk that has just failed is left alone for a while"
    table.time += RETRY_S
    told.append(table.append(8))
    assert table.journal.waiting == 0
    assert table.said[1] == f"The journal {path} can be written again; 9 events went into it."
    table.journal.close()
    with Journal(path) as journal:
        journal.verify()
        assert list(journal.events()) == told
    assert len(table.said) == 2


def test_closing_tries_once_more_and_says_what_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, lost = Table(tmp_path / "one" / "journal.db"), Table(tmp_path / "two" / "journal.db")
    for table in (saved, lost):
        table.append(0)
    (tmp_path / "one").mkdir()
    saved.journal.close()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))
    lost.journal.close()
    assert plies(tmp_path / "one" / "journal.db") == [0]
    assert lost.said[-1].startswith("1 event could not be written")


def test_what_the_disk_does_not_take_is_saved_on_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path / "gone" / "journal.db")
    for ply in range(60):
        table.append(ply)
    (tmp_path / "stick").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "stick"))
    table.journal.close()
    (place,) = tmp_path.glob("stick/*/journal.db")
    assert str(place) in table.said[-1]
    assert plies(place) == list(range(60))


def test_what_began_on_a_disk_without_any_room_is_saved_on_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There SQLite makes a file and can write nothing into it."""

    class WithoutRoom(Journal):
        def __init__(self, path: Path) -> None:
            path.touch()
            raise JournalError("database or disk is full")

    path = tmp_path / "journal.db"
    with monkeypatch.context() as full:
        full.setattr(buffered, "Journal", WithoutRoom)
        table = Table(path)
        for ply in range(60):
            table.append(ply)
        (tmp_path / "stick").mkdir()
        full.setattr(tempfile, "tempdir", str(tmp_path / "stick"))
        table.journal.close()
    assert path.stat().st_size == 0
    (place,) = tmp_path.glob("stick/*/journal.db")
    assert str(place) in table.said[-1]
    assert plies(place) == list(range(60))


def test_a_match_can_be_read_while_its_journal_is_in_memory(tmp_path: Path) -> None:
    table = Table(tmp_path / "nowhere" / "journal.db")
    log = MatchLog(table.journal, "1", lambda: UTC)
    log.begin_match("Anna", "Béla", terms_of(5), Facts())
    log.begin_game(START)
    match = read_match(table.journal, "1")
    assert (match.light, match.length, len(match.games)) == ("Anna", 5, 1)


def test_a_damaged_journal_is_rescued_and_written_on_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        for ply in range(400):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
    content = bytearray(path.read_bytes())
    content[len(content) * 3 // 4 :] = random.Random(1).randbytes(len(content) - len(content) * 3 // 4)
    path.write_bytes(content)
    table = Table(path)
    table.append(1000)
    table.journal.close()
    assert path.read_bytes() == content
    kept = plies(tmp_path / "journal.rescued.db")
    assert kept[:-1] == list(range(len(kept) - 1))
    assert kept[-1] == 1000
    assert 100 < len(kept) < 400
    assert f"{len(kept) - 1} events could be read" in table.said[0]
    again = Table(path)
    again.append(1001)
    again.journal.close()
    assert again.said == []
    assert plies(tmp_path / "journal.rescued.db") == [*kept, 1001]


def test_a_journal_that_was_tampered_with_at_its_end_is_not_written_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        for ply in range(20):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
        journal._database.execute("DROP TRIGGER event_is_not_changed")
        journal._database.execute("UPDATE event SET t = 1 WHERE id = 15")
    table = Table(path)
    table.append(99)
    table.journal.close()
    assert "first at event 15" in table.said[0]
    assert plies(tmp_path / "journal.rescued.db") == [*range(14), 99]


def test_a_file_of_something_else_is_left_alone_and_play_goes_on_in_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("a letter " * 1000)
    table = Table(path)
    table.append(0)
    table.append(1)
    assert len(table.said) == 1
    assert "0 events could be read" in table.said[0]
    assert table.journal.waiting == 0
    table.journal.close()
    assert path.read_text() == "a letter " * 1000
    with Journal(tmp_path / "journal.rescued.db", read_only=True) as journal:
        note, *_ = journal.events()
    assert note.kind == RESCUED
    assert (note.payload["from"], note.payload["kept"]) == ("journal.db", 0)
    assert plies(tmp_path / "journal.rescued.db") == [0, 1]


@pytest.mark.parametrize("by", ["deleting", "moving", "copying over"])
def test_a_journal_that_is_taken_away_during_play_is_written_anew_after_the_next_turn(
    tmp_path: Path, by: str
) -> None:
    path, other = tmp_path / "journal.db", tmp_path / "other.db"
    with Journal(other) as journal:
        for ply in range(500, 900):
            journal.append("x", "turn", {"ply": ply}, utc=UTC)
    table = Table(path)
    for ply in range(30):
        table.append(ply)
        table.journal.fold()
    if by == "deleting":
        path.unlink()
    elif by == "moving":
        other.replace(path)
    else:
        path.write_bytes(other.read_bytes())
    for ply in range(30, 33):
        table.append(ply)
        table.journal.fold()
    assert len(table.said) == 1
    assert "nothing is missing" in table.said[0]
    table.journal.close()
    new = path if by == "deleting" else tmp_path / "journal.rescued.db"
    assert plies(new) == list(range(33))
    with Journal(new, read_only=True) as journal:
        assert [event.kind for event in journal.events()].count(RESCUED) == 1
    again = Table(path)
    again.append(33)
    again.journal.close()
    assert again.said == []
    assert plies(new) == list(range(34))


def test_what_another_program_writes_meanwhile_is_known_too(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db")
    table.append(0)
    with Journal(tmp_path / "journal.db") as director:
        director.append("m", "turn", {"ply": 50}, utc=UTC)
    table.append(1)
    table.journal.fold()
    assert [event.payload["ply"] for event in table.journal.events()] == [0, 50, 1]
    assert table.said == []
    table.journal.close()


def test_a_tail_that_was_cut_off_is_told_and_the_cut_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        for ply in range(20):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
    database = sqlite3.connect(path)
    with database:
        database.execute("DROP TRIGGER event_is_not_deleted")
        database.execute("DELETE FROM event WHERE id > 12")
    database.close()
    table = Table(path)
    table.append(99)
    assert "event 12 is its last, and 20 were written" in table.said[0]
    table.journal.close()
    with Journal(path) as journal:
        assert journal.head()[0] == 12
    with Journal(path) as journal, pytest.raises(ShortJournalError):
        journal.check_head()
    assert plies(tmp_path / "journal.rescued.db") == [*range(12), 99]


def test_an_event_that_no_file_can_hold_is_refused_at_once(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db")
    with pytest.raises(JournalError, match="cannot be written"):
        table.journal.append("m", "turn", {"t": float("nan")}, utc=UTC)
    assert table.append(0).id == 1
    table.journal.close()


@pytest.mark.parametrize("place", ["journal.db", "nowhere/journal.db"], ids=["disk", "memory"])
def test_events_after_one_of_them_are_those_that_follow_it(tmp_path: Path, place: str) -> None:
    table = Table(tmp_path / place)
    written = [table.append(ply) for ply in range(4)]
    assert list(table.journal.events(after=written[1].id)) == written[2:]
    assert list(table.journal.events(after=written[-1].id)) == []
    table.journal.close()
