"""The shape of a journal's file: what stands in its rows, the chain over them, and the versions of the file."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

APPLICATION_ID: Final = 0x504F494E
"""The letters POIN in the file's header: this SQLite file is a journal of Pointsman."""

_EVENTS: Final = """
CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    match TEXT NOT NULL,
    utc TEXT NOT NULL,
    t REAL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    chain TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_match ON event (match, id);
CREATE TRIGGER event_is_appended BEFORE INSERT ON event
WHEN NEW.id IS NOT (SELECT coalesce(max(id), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""

STEPS: Final[tuple[str, ...]] = (_EVENTS,)
"""Step n (from 0) makes version n + 1 out of version n; an empty file has version 0.

A step that was ever released is never edited: a change is a new step at the end. So an old file is brought
up to date by the same statements that make a new one, and both end up alike. A step may add tables, columns
with a default, indices and triggers; the columns the chain is made over stay as they are.
"""


def migrate(database: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Bring a journal from its version to `len(steps)`; the caller holds the transaction.

    Raises:
        sqlite3.Error: if it cannot be written; the transaction is then to be rolled back.
    """
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if version == 0:
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for number, step in enumerate(steps[version:], start=version + 1):
        for statement in _statements(step):
            database.execute(statement)
        database.execute(f"PRAGMA user_version = {number}")


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


Row = tuple[int, str, str, float | None, str, str, str]
"""An entry as it is stored: id, match, utc, t, kind, payload (JSON text), chain."""

COLUMNS: Final = "id, match, utc, t, kind, payload, chain"


def link(before: str, number: int, match: str, utc: str, t: float | None, kind: str, payload: str) -> str:
    """The chain of an entry: SHA-256 (hex) over the chain of the one before (empty for the first) and itself."""
    entry = json.dumps([before, number, match, utc, t, kind, payload], ensure_ascii=False)
    return hashlib.sha256(entry.encode()).hexdigest()


def unbroken(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows from the first event on, up to the first that was changed, left out or does not belong there."""
    before = ""
    for expected, row in enumerate(rows, start=1):
        if not holds(before, expected, row):
            return
        yield row
        before = row[-1]


def holds(before: str, expected: int, row: Row) -> bool:
    """Whether `row` is entry number `expected` and follows the one whose chain is `before`."""
    number, match, utc, t, kind, payload, chain = row
    return number == expected and chain == link(before, number, match, utc, t, kind, payload)


Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
"""What the payload of an event is made of: plain values for JSON."""
JsonObject = Mapping[str, Any]
"""An object that was read from JSON and is still to be checked."""
