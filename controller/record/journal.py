"""The journal: every event of a table, appended to one SQLite file and never changed."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.errors import UserError
from controller.record.events import Json

APPLICATION_ID: Final = 0x504F494E
"""The letters POIN in the file's header: this SQLite file is a journal of Pointsman."""
SCHEMA_VERSION: Final = 1
WAIT_S: Final = 5.0
"""How long to wait for another program that is writing to the same journal."""

_SCHEMA: Final = f"""
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
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""


class JournalError(UserError):
    """A journal that cannot be opened, read or written."""


@dataclass(frozen=True, slots=True)
class Event:
    """One entry.

    Attributes:
        id: 1, 2, 3 ... in the order of writing.
        match: which match it belongs to.
        utc: when it was written, ISO 8601 in UTC, as the writer's clock said.
        t: seconds since the film or the match began, `None` where it has no such time.
        kind: one word, such as `turn` or `bump`.
        payload: plain JSON values.
        chain: SHA-256 (hex) over the entry before it and this one, so that a later change shows.
    """

    id: int
    match: str
    utc: str
    t: float | None
    kind: str
    payload: Mapping[str, Json]
    chain: str


class Journal:
    """An open journal; use it in a `with` block or call `close`.

    When `append` returns, the event is on the disk (write-ahead log, `synchronous=FULL`) and outlives a crash
    of the program and a loss of power.

    Raises:
        JournalError: if the file cannot be opened or made, is something else, is damaged, or was written by a
            newer version.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the journal at `path`, or begin one if there is no file or an empty one.

        With `read_only` the file must exist and nothing is written, so it may lie on a read-only card.
        """
        self.path = path
        if read_only and not path.is_file():
            raise JournalError(f"There is no journal {path}; name a journal.db that Pointsman wrote.")
        if not path.parent.is_dir():
            raise JournalError(
                f"There is no folder {path.parent} for the journal {path.name}; make it first."
            )
        try:
            self._database = sqlite3.connect(
                _address(path, read_only=read_only), uri=True, timeout=WAIT_S, isolation_level=None
            )
        except sqlite3.Error as error:
            raise self._named(error) from error
        try:
            self._check_kind()
            if not read_only:
                self._prepare()
        except sqlite3.Error as error:
            self._database.close()
            raise self._named(error) from error
        except JournalError:
            self._database.close()
            raise

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        with self._writing():
            if self._number("PRAGMA user_version") == 0:
                for statement in _statements(_SCHEMA):
                    self._database.execute(statement)

    def _check_kind(self) -> None:
        """Refuse a database of another kind or a newer version before anything in it is touched."""
        if self._number("SELECT count(*) FROM sqlite_master") == 0:
            return
        if self._number("PRAGMA application_id") != APPLICATION_ID:
            raise JournalError(f"{self.path} is a database of another program, not a journal of Pointsman.")
        version = self._number("PRAGMA user_version")
        if version > SCHEMA_VERSION:
            raise JournalError(
                f"{self.path} was written by a newer Pointsman (journal version {version}, this one knows "
                f"{SCHEMA_VERSION}); update Pointsman to open it."
            )

    def append(
        self, match: str, kind: str, payload: Mapping[str, Json], *, utc: str, t: float | None = None
    ) -> Event:
        """Write one event; it is on the disk when this returns.

        Raises:
            JournalError: if it could not be written: disk full, card read-only, file held by another writer.
        """
        text = json.dumps(dict(payload), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        at = None if t is None else float(t)
        try:
            with self._writing():
                last = self._database.execute(
                    "SELECT id, chain FROM event ORDER BY id DESC LIMIT 1"
                ).fetchone()
                number, before = (last[0] + 1, last[1]) if last else (1, "")
                chain = _link(before, number, match, utc, at, kind, text)
                self._database.execute(
                    "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (number, match, utc, at, kind, text, chain),
                )
        except sqlite3.Error as error:
            raise self._named(error) from error
        return Event(number, match, utc, at, kind, json.loads(text), chain)

    def events(self, match: str | None = None) -> Iterator[Event]:
        """The events in the order they were written, of one match or of all.

        Raises:
            JournalError: if the file is damaged.
        """
        where, values = ("WHERE match = ?", (match,)) if match is not None else ("", ())
        try:
            rows = self._database.execute(
                f"SELECT id, match, utc, t, kind, payload, chain FROM event {where} ORDER BY id", values
            )
            for number, of, utc, t, kind, text, chain in rows:
                yield Event(number, of, utc, t, kind, json.loads(text), chain)
        except (sqlite3.Error, ValueError) as error:
            raise self._named(error) from error

    def matches(self) -> tuple[str, ...]:
        """The matches in the order of their first events."""
        rows = self._database.execute("SELECT match FROM event GROUP BY match ORDER BY min(id)")
        return tuple(row[0] for row in rows)

    def verify(self) -> None:
        """Read the whole journal and follow its chain.

        Raises:
            JournalError: naming the first event that was changed, left out or cannot be read.
        """
        before, expected = "", 1
        try:
            rows = self._database.execute(
                "SELECT id, match, utc, t, kind, payload, chain FROM event ORDER BY id"
            )
            for number, match, utc, t, kind, text, chain in rows:
                if number != expected or chain != _link(before, number, match, utc, t, kind, text):
                    raise JournalError(
                        f"{self.path} was changed after it was written, first at event {expected}; "
                        "do not rely on it from there."
                    )
                before, expected = chain, expected + 1
        except sqlite3.Error as error:
            raise self._named(error) from error

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it; closing twice does nothing."""
        self._database.close()

    def __enter__(self) -> Self:
        """The journal itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def _writing(self) -> "_Transaction":
        return _Transaction(self._database)

    def _number(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])

    def _named(self, error: Exception) -> JournalError:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_NOTADB:
            return JournalError(f"{self.path} is not a journal; name a journal.db that Pointsman wrote.")
        remedy = _REMEDIES.get(code & 0xFF if code is not None else -1, "open a copy of it from a backup")
        return JournalError(f"The journal {self.path} cannot be used ({error}); {remedy}.")


_REMEDIES: Final = {
    sqlite3.SQLITE_READONLY: "it or its folder is read-only: make it writable or name another place",
    sqlite3.SQLITE_CANTOPEN: "check that it is a file and that its folder can be written to",
    sqlite3.SQLITE_FULL: "the disk is full: free some space",
    sqlite3.SQLITE_BUSY: "another program is writing to it: close that first",
    sqlite3.SQLITE_IOERR: "the disk or card does not answer: check it, then try again",
}


class _Transaction:
    """Everything inside is written, or nothing."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._database.execute("COMMIT")
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")


def _address(path: Path, *, read_only: bool) -> str:
    """The file as a URI; in a folder that cannot be written to SQLite must not look for helper files."""
    if not read_only:
        return f"{path.absolute().as_uri()}?mode=rwc"
    fixed = "" if os.access(path.parent, os.W_OK) else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{fixed}"


def _link(before: str, number: int, match: str, utc: str, t: float | None, kind: str, payload: str) -> str:
    entry = json.dumps([before, number, match, utc, t, kind, payload], ensure_ascii=False)
    return hashlib.sha256(entry.encode()).hexdigest()


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, because `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
