"""The journal: every event of a table, appended to one SQLite file and never changed."""

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

from controller.closing import Closeable
from controller.errors import UserError
from controller.record.journal.head import Head, read_head, write_head

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


def utc_now() -> str:
    """The time of day as entries bear it: ISO 8601 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def link(before: str, number: int, match: str, utc: str, t: float | None, kind: str, payload: str) -> str:
    """The chain of an entry: SHA-256 (hex) over the chain of the one before (empty for the first) and itself."""
    return hashlib.sha256(
        entry_text(before, number, match, utc=utc, t=t, kind=kind, payload=payload).encode()
    ).hexdigest()


def entry_text(
    before: str, number: int, match: str, utc: str, t: float | None, kind: str, payload: str
) -> str:
    """The text that the chain of an entry is made over, on one line; as UTF-8."""
    return json.dumps([before, number, match, utc, t, kind, payload], ensure_ascii=False)


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
    return number == expected and chain == link(
        before, number, match, utc=utc, t=t, kind=kind, payload=payload
    )


Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]
"""What the payload of an event is made of: plain values for JSON."""
JsonObject = Mapping[str, Any]
"""An object that was read from JSON and is still to be checked."""


WAIT_S: Final = 5.0
"""How long to wait for another program that is writing to the same journal."""


class JournalError(UserError):
    """A journal that cannot be opened, read or written."""


class DamagedJournalError(JournalError):
    """A journal whose file is damaged or was changed: what it says can no longer be relied on."""


class ShortJournalError(DamagedJournalError):
    """A journal that is whole as far as it goes, but whose head says that it went further.

    Attributes:
        missing: how many events at its end are gone; None if the head is that of another journal.
    """

    def __init__(self, text: str, missing: int | None) -> None:
        """`text` is the sentence for people."""
        super().__init__(text)
        self.missing = missing


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written: an event without its place in the journal, with the attributes of `JournalEvent`."""

    match: str
    kind: str
    payload: Mapping[str, Json]
    utc: str
    t: float | None = None


@dataclass(frozen=True, slots=True)
class JournalEvent:
    """One draft.

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


class EventLog(Protocol):
    """Where events go and come from; `Journal` is one on disk, others may stand before it.

    Attributes:
        path: the journal's file, for messages.
    """

    path: Path

    @property
    def waiting(self) -> int:
        """How many events are in memory only."""
        return 0

    def append(
        self, match: str, kind: str, payload: Mapping[str, Json], *, utc: str, t: float | None = None
    ) -> JournalEvent:
        """Keep one event; raises as `append_all`."""
        return self.append_all((Draft(match, kind, payload, utc, t),))[0]

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        """Keep several events, all or none."""

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """The events in their order; see `Journal.events`."""

    def matches(self) -> tuple[str, ...]:
        """The matches in the order of their first events."""

    def fold(self) -> None:
        """See to it that the file itself holds every event, where there is a file; after each turn."""


class Journal(Closeable, EventLog):
    """An open journal; use it in a `with` block or call `close`.

    When `append` returns, the event is on the disk (write-ahead log, `synchronous=FULL`) and outlives a crash
    of the program and a loss of power. A new file may be read and written by its owner only.

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
        self._head_kept: Head | None = None
        self._read_only = read_only
        if not read_only:
            make_private(path)
        with self._explaining():
            self._database = sqlite3.connect(
                _address(path, read_only=read_only), uri=True, timeout=WAIT_S, isolation_level=None
            )
        try:
            with self._explaining():
                self._check_kind(read_only=read_only)
                if not read_only:
                    self._prepare()
        except JournalError:
            self._database.close()
            raise

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        with _transaction(self._database):
            migrate(self._database, STEPS)

    def _check_kind(self, *, read_only: bool) -> None:
        """Refuse a database of another kind or a newer version before anything in it is touched."""
        if self._number("SELECT count(*) FROM sqlite_master") == 0:
            if read_only:
                raise JournalError(f"{self.path} is empty: no match has been recorded in it yet.")
            return
        if self._number("PRAGMA application_id") != APPLICATION_ID:
            raise JournalError(f"{self.path} is a database of another program, not a journal of Pointsman.")
        version = self._number("PRAGMA user_version")
        if version > len(STEPS):
            raise JournalError(
                f"{self.path} was written by a newer Pointsman (journal version {version}, this one knows "
                f"{len(STEPS)}); update Pointsman to open it."
            )

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        """Write several events, all or none; they are on the disk when this returns.

        Raises:
            JournalError: if they could not be written (disk full, card read-only, file held by another writer), or
                a draft holds what no JSON text can (a time or number that is not finite, half a character).
        """
        written = []
        with self._explaining(), _transaction(self._database):
            number, chain = self.head()
            for draft in drafts:
                event = following(draft, number, chain)
                number, chain = event.id, event.chain
                self._database.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", row_of(event))
                written.append(event)
        return tuple(written)

    def head(self) -> tuple[int, str]:
        """Number and chain of the last event, 0 and an empty text before the first.

        Raises:
            JournalError: if the file is damaged.
        """
        with self._explaining():
            last = self._database.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone()
        return (last[0], last[1]) if last else (0, "")

    def chain(self, number: int) -> str | None:
        """The chain of the event of that number, None if there is none.

        Raises:
            JournalError: if the file is damaged.
        """
        with self._explaining():
            found = self._database.execute("SELECT chain FROM event WHERE id = ?", (number,)).fetchone()
        return None if found is None else str(found[0])

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """The events in the order they were written, of one match or of all.

        Only those with a number above ``after``, and not those of the kind ``without``.

        Raises:
            JournalError: if the file is damaged.
        """
        where, values = ("match = ? AND", (match,)) if match is not None else ("", ())
        with self._explaining():
            rows = self._database.execute(
                f"SELECT {COLUMNS} FROM event WHERE {where} id > ? AND kind != ? ORDER BY id",
                (*values, after, without),
            )
            for number, of, utc, t, kind, text, chain in rows:
                payload = json.loads(text)
                if not isinstance(payload, dict):
                    raise ValueError(f"event {number} holds no object")
                yield JournalEvent(number, of, utc, t=t, kind=kind, payload=payload, chain=chain)

    def entries(self) -> Iterator[str]:
        """The text of each entry in their order, see `entry_text`: a line each, whose SHA-256 is its chain.

        Raises:
            JournalError: if the file is damaged.
        """
        before = ""
        with self._explaining():
            for row in self._database.execute(f"SELECT {COLUMNS} FROM event ORDER BY id"):
                yield entry_text(before, *row[:-1])
                before = row[-1]

    def matches(self) -> tuple[str, ...]:
        """The matches in the order of their first events.

        Raises:
            JournalError: if the file is damaged.
        """
        with self._explaining():
            return tuple(row[0] for row in self._database.execute(_MATCHES))

    def verify(self, newest: int | None = None) -> int:
        """Follow the chain through the whole journal, or only through its newest events; how many were read.

        Raises:
            DamagedJournalError: naming the first event that was changed, left out or cannot be read.
        """
        skipped = max(0, self.head()[0] - newest) if newest is not None else 0
        return sum(1 for _ in self.rows(skipped))

    def rows(self, after: int = 0) -> Iterator[Row]:
        """The entries as they are stored, from the one after a number on, each checked against the chain.

        Raises:
            DamagedJournalError: at the first that was changed, left out or cannot be read.
        """
        before, expected = self.chain(after) or "", after + 1
        with self._explaining():
            query = f"SELECT {COLUMNS} FROM event NOT INDEXED WHERE id > ? ORDER BY id"
            for row in self._database.execute(query, (after,)):
                if not holds(before, expected, row):
                    raise DamagedJournalError(
                        f"{self.path} was changed after it was written, first at event {expected}; "
                        "do not rely on it from there."
                    )
                yield row
                before, expected = row[-1], expected + 1

    def check_head(self) -> None:
        """Compare the journal with the head that was written beside it after the last turn.

        Raises:
            ShortJournalError: if events are missing at its end, or it is not the journal that was written here.
        """
        kept = read_head(self.path)
        if kept is None:
            return
        number, _ = self.head()
        if number and self.chain(1) != kept.first:
            raise ShortJournalError(
                f"{self.path} is not the journal that was written here: its head is that of another one. If you put "
                "it there yourself, delete the file with the ending .head beside it.",
                None,
            )
        if number < kept.number:
            missing = kept.number - number
            raise ShortJournalError(
                f"The end of {self.path} is missing: event {number} is its last, and {kept.number} were written.",
                missing,
            )
        if self.chain(kept.number) != kept.chain:
            raise ShortJournalError(
                f"The end of {self.path} was exchanged: event {kept.number} is not what was written.", None
            )

    def fold(self) -> None:
        """Have the file itself hold every event, and write its head beside it; after each turn.

        Events are on the disk without that: it keeps the write-ahead log short. Nobody who reads is waited for.

        Raises:
            JournalError: if the file cannot be written; the events are then in the log as before.
        """
        with self._explaining():
            self._database.execute("PRAGMA busy_timeout = 0")
            try:
                self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                self._database.execute(f"PRAGMA busy_timeout = {round(WAIT_S * 1000)}")
            self._keep_head()

    def _keep_head(self) -> None:
        """Write the head, unless the one that is there knows of more: then it is all that tells of a loss."""
        number, chain = self.head()
        if not number or (self._head_kept is not None and self._head_kept.number == number):
            return
        if self._head_kept is None and (kept := read_head(self.path)) is not None:
            if self.chain(kept.number) != kept.chain:
                return
            self._head_kept = kept
        head = Head(number, chain, self.chain(1) or "")
        if head != self._head_kept:
            with suppress(OSError):  # on a full disk the older one still holds
                write_head(self.path, head)
                self._head_kept = head

    def check_file(self) -> None:
        """Have SQLite look through the whole file.

        Raises:
            DamagedJournalError: with the first thing that it found wrong.
        """
        with self._explaining():
            found = self._database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DamagedJournalError(f"The file {self.path} is damaged ({found}); {_RESCUE}.")

    def close(self) -> None:
        """Fold the write-ahead log into the file and let go of it; closing twice does nothing."""
        if not self._read_only:
            with suppress(JournalError):
                self.fold()
        self._database.close()

    def _number(self, query: str) -> int:
        return int(self._database.execute(query).fetchone()[0])

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Turn the errors of SQLite, and of payloads that are no JSON, into a `JournalError` with a remedy."""
        try:
            yield
        except _UNREADABLE as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> JournalError:
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_NOTADB:
            return DamagedJournalError(
                f"{self.path} is not a journal; name a journal.db that Pointsman wrote. A match file becomes one "
                f"with pointsman import --journal; if this was a journal, {_RESCUE}."
            )
        if code is None or code & 0xFF in _DAMAGE:
            return DamagedJournalError(f"The journal {self.path} is damaged ({error}); {_RESCUE}.")
        remedy = _REMEDIES.get(code & 0xFF, "check the disk and try again")
        return JournalError(f"The journal {self.path} cannot be used ({error}); {remedy}.")


_UNREADABLE: Final = (sqlite3.Error, ValueError, RecursionError)
"""What comes of a damaged file, of text that is not UTF-8, and of JSON that is none or nested too deeply."""
_RESCUE: Final = "save what is good of it with pointsman journal rescue"
_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_NOTADB})
"""What SQLite says of damage; a plain error when what is left of the file makes no sense as a database."""
_REMEDIES: Final = {
    sqlite3.SQLITE_READONLY: "it or its folder is read-only: make it writable or name another place",
    sqlite3.SQLITE_CANTOPEN: "check that it is a file and that its folder can be written to",
    sqlite3.SQLITE_FULL: "the disk is full: free some space",
    sqlite3.SQLITE_BUSY: "another program is writing to it: close that first",
    sqlite3.SQLITE_IOERR: "the disk or card does not answer: check it, then try again",
}


def make_private(path: Path) -> None:
    """Make an empty file that only its owner may read and write, if there is none; SQLite's own follow its rights."""
    with suppress(OSError):  # what is wrong, SQLite will say
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is written, or nothing."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def _address(path: Path, *, read_only: bool) -> str:
    """The file as a URI; in a folder that cannot be written to SQLite must not look for helper files."""
    if not read_only:
        return f"{path.absolute().as_uri()}?mode=rwc"
    fixed = "" if os.access(path.parent, os.W_OK) else "&immutable=1"
    return f"{path.absolute().as_uri()}?mode=ro{fixed}"


def following(draft: Draft, number: int, chain: str) -> JournalEvent:
    """The event that a draft becomes after the event of that number and chain.

    Raises:
        JournalError: if it holds what no JSON text can.
    """
    t = None if draft.t is None else float(draft.t) + 0.0  # SQLite knows no -0.0
    try:
        text = _payload_text(draft.payload)
        json.dumps(t, allow_nan=False)
        new = link(chain, number + 1, draft.match, utc=draft.utc, t=t, kind=draft.kind, payload=text)
    except ValueError as error:
        raise JournalError(
            f"An event {draft.kind!r} cannot be written ({error}); correct its values."
        ) from error
    return JournalEvent(
        number + 1, draft.match, draft.utc, t=t, kind=draft.kind, payload=json.loads(text), chain=new
    )


def _payload_text(payload: Mapping[str, Json]) -> str:
    return json.dumps(
        dict(payload), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def row_of(event: JournalEvent) -> Row:
    """An event as it is stored."""
    return (event.id, event.match, event.utc, event.t, event.kind, _payload_text(event.payload), event.chain)


_MATCHES: Final = """
WITH RECURSIVE known(name) AS (
    SELECT min(match) FROM event
    UNION ALL
    SELECT (SELECT match FROM event WHERE match > name ORDER BY match LIMIT 1) FROM known
    WHERE name IS NOT NULL
)
SELECT name FROM known WHERE name IS NOT NULL
ORDER BY (SELECT min(id) FROM event WHERE match = name)
"""
"""Jumps from match to match in the index instead of reading every event."""
