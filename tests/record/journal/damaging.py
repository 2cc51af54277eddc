"""Three damages to the file of a journal, each of which only one of its checks can find."""

import sqlite3
from pathlib import Path

from controller.record.journal.journal import Journal
from tests.record.journal.test_journal import UTC, filled


def lose_in_index(path: Path) -> None:
    """A journal one of whose events its index does not know: chain and head are whole."""
    filled(path, events=300)
    database = sqlite3.connect(path)
    page = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'event_by_match'").fetchone()[0]
    size = database.execute("PRAGMA page_size").fetchone()[0]
    database.close()
    content = bytearray(path.read_bytes())
    start = (page - 1) * size
    assert content[start] in (2, 10), "a page of an index"
    cells = int.from_bytes(content[start + 3 : start + 5], "big")
    content[start + 3 : start + 5] = (cells - 1).to_bytes(2, "big")
    path.write_bytes(content)


def change_event(path: Path) -> None:
    """A journal in which somebody changed an event: the file is a whole one of SQLite, and its head agrees."""
    filled(path, events=10)
    database = sqlite3.connect(path)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE event SET payload = '{}' WHERE id = 4")
    database.commit()
    database.close()


def cut_end(path: Path) -> None:
    """A journal as it was ten events ago: its file and its chain are whole."""
    filled(path, events=10)
    early = path.read_bytes()
    with Journal(path) as journal:
        for ply in range(10):
            journal.append("m", "turn", {"ply": ply}, utc=UTC)
    path.write_bytes(early)
