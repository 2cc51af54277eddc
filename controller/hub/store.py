"""The hub's store: entries of all tables in SQL, written by one thread in batches, confirmed when they are there."""

import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, func, insert, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DataError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import QueuePool

from controller.closing import Closeable
from controller.club.messages import (
    EntryFlaw,
    EntryRefusal,
    JournalPart,
    TableCommand,
    TableReply,
    can_be_kept,
)
from controller.errors import UserError
from controller.hub.hall import HubFault, HubTrouble, StoredEvent
from controller.hub.schema import (
    COMMAND,
    CONTRADICTION,
    ENTRY,
    KNOWN_TABLE,
    NewerStoreError,
    prepare_schema,
    touch,
)
from controller.hub.stored_journals import PartKept, StoredJournals, rows_size
from controller.hub.waiting_work import WaitingWork
from controller.record.journal.journal import Row, make_private

BATCH: Final = 100
"""This many entries are written at once."""
BATCH_S: Final = 0.020
"""How long an entry waits for others to be written with."""
LOCKED_S: Final = 5.0
"""How long to wait for another program that is writing to the same store."""
AGAIN_S: Final = 0.5
"""After a batch that could not be written, the next one waits for this time."""
TRY_S: Final = 2.0
"""A store that took nothing is tried again this time after the last batch, if no other comes."""
ENCODING: Final = "UTF8"
"""Of a PostgreSQL database: any other refuses names that SQLite keeps."""
_OF_CONTENT: Final = (DataError, ValueError, OverflowError)
"""Errors that are of what is written, not of the store: it never takes that, however often it is tried."""


class StoreError(UserError):
    """A store that cannot be opened, read or written."""


@dataclass(frozen=True, slots=True)
class KnownTable:
    """A table as it called itself last, see `KNOWN_TABLE`."""

    name: str
    title: str = ""
    pages: str = ""
    version: str = ""
    run: str = ""
    heard_ms: int = 0


Work = Callable[[Connection], PartKept | None]


@dataclass(frozen=True, slots=True)
class _Task:
    """Something to be written.

    Attributes:
        work: writes it.
        weight: how many entries it holds.
        size: about how many bytes it takes.
        table: of which it is; empty for what is the hub's own.
        written: is set when it is on the disk; None if nobody waits.
        part: the entries that it writes, and whose; None if it writes something else.
    """

    work: Work
    weight: int
    size: int = 0
    table: str = ""
    written: "Future[None] | None" = None
    part: tuple[str, JournalPart] | None = None


class HubStore(Closeable):
    """Keeps what tables send. Every method may be called from any thread.

    Attributes:
        place: what it is called in sentences; without a password.
        trouble: why nothing can be written just now; None while all is well.
    """

    def __init__(
        self,
        place: str,
        *,
        now_ms: Callable[[], int],
        told: Callable[[Sequence[PartKept]], None],
        say: Callable[[str], None],
        locked_s: float = LOCKED_S,
    ) -> None:
        """Open a store, or begin one.

        Args:
            place: a file, or a URL such as ``postgresql+psycopg://host/name``.
            now_ms: milliseconds since 1970.
            told: called after each batch with what is on the disk, in the writer's thread.
            say: called with a sentence when writing fails, and one when it works again.
            locked_s: how long to wait for another program that is writing.

        Raises:
            UserError: if it cannot be opened.
        """
        self._now_ms, self._told, self._say = now_ms, told, say
        self._engine, self.place = _engine(place, locked_s)
        self.trouble: HubTrouble | None = None
        self._journals = StoredJournals(now_ms)
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._waiting = WaitingWork()
        try:
            with self._engine.begin() as connection:
                _check_encoding(connection, self.place)
                prepare_schema(connection, self.place)
        except (NewerStoreError, StoreError):
            self._engine.dispose()
            raise
        except SQLAlchemyError as error:
            self._engine.dispose()
            raise StoreError(
                f"The store {self.place} cannot be used ({_reason(error)}); name another with --store."
            ) from None
        self._thread = threading.Thread(target=self._write_all, name="pointsman-store", daemon=True)
        self._thread.start()

    # What is written.

    def keep(self, table: str, part: JournalPart) -> bool:
        """Have entries of a table stored that are whole; False if too many wait already."""
        return self._give(_part_task(self._journals, table, part))

    def look_up(self, table: str, journal: str) -> bool:
        """Have told how far a journal is there; False if too many wait already."""
        return self.keep(table, JournalPart(journal, "", ()))

    def keep_table(self, known: KnownTable) -> None:
        """Remember how a table calls itself."""

        def work(connection: Connection) -> None:
            values: dict[str, Any] = {
                "title": known.title,
                "pages": known.pages,
                "version": known.version,
                "run": known.run,
                "heard_ms": known.heard_ms,
            }
            changed = connection.execute(
                update(KNOWN_TABLE).where(KNOWN_TABLE.c.name == known.name).values(values)
            )
            if not changed.rowcount:
                connection.execute(insert(KNOWN_TABLE).values(name=known.name, **values))

        texts = (known.title, known.pages, known.version, known.run)
        self._give(_Task(work, 1, sum(map(len, texts)), known.name))

    def keep_command(self, command: TableCommand, table: str) -> "Future[None]":
        """Record what is asked of a table; StoreError through the future if that fails."""
        from json import dumps

        values = {
            "id": command.id,
            "table_name": table,
            "journal": command.journal,
            "seen": command.seen,
            "asked_by": command.by,
            "name": command.name,
            "body": dumps(dict(command.body), ensure_ascii=False, sort_keys=True),
            "issued_ms": command.issued,
            "expires_ms": command.expires,
            "hub_key": command.key,
            "signature": command.signature,
        }
        if not all(can_be_kept(each) for each in values.values() if isinstance(each, str)):
            refused: Future[None] = Future()
            refused.set_exception(
                StoreError("The command holds characters that no database keeps; write it without them.")
            )
            return refused

        def work(connection: Connection) -> None:
            # A name that was used before: the table, too, counts it once, and answers as it did then.
            if connection.execute(select(COMMAND.c.id).where(COMMAND.c.id == command.id)).first() is None:
                connection.execute(insert(COMMAND).values(values))

        return self._give_awaited(work)

    def keep_reply(self, reply: TableReply) -> None:
        """Record what became of a command."""
        values = {
            "done": reply.done,
            "answer": reply.text,
            "event": reply.event,
            "answered_ms": self._now_ms(),
        }

        def work(connection: Connection) -> None:
            connection.execute(update(COMMAND).where(COMMAND.c.id == reply.id).values(values))

        self._give(_Task(work, 1, len(reply.text)))

    # What is read.

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        """See `Hall.events`. Raises StoreError."""
        wanted = select(*_EVENT).where(ENTRY.c.table_name == table, ENTRY.c.number > after)
        if journal:
            wanted = wanted.where(ENTRY.c.journal == journal)
        return [
            StoredEvent(number, of, tuple(row), stored_ms)
            for number, of, stored_ms, *row in self._read(wanted.order_by(ENTRY.c.number).limit(most))
        ]

    def newest_number(self, table: str) -> int:
        """See `Hall.newest_number`. Raises StoreError."""
        ((newest,),) = self._read(select(func.max(ENTRY.c.number)).where(ENTRY.c.table_name == table))
        return int(newest or 0)

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        """See `Hall.journals`. Raises StoreError."""
        first = select(ENTRY.c.journal).where(ENTRY.c.table_name == table, ENTRY.c.id == 1)
        return [row.journal for row in self._read(first.order_by(ENTRY.c.number.desc()).limit(most))]

    def rows(self, table: str, journal: str, *, after: int, most: int) -> Sequence[Row]:
        """Entries of one journal after the one of a number, in their order. Raises StoreError."""
        columns = (ENTRY.c[name] for name in ("id", "match", "utc", "t", "kind", "payload", "chain"))
        wanted = select(*columns).where(
            ENTRY.c.table_name == table, ENTRY.c.journal == journal, ENTRY.c.id > after
        )
        return [tuple(row) for row in self._read(wanted.order_by(ENTRY.c.id).limit(most))]

    def tables(self) -> Sequence[KnownTable]:
        """Every table that was ever heard. Raises StoreError."""
        return [
            KnownTable(row.name, row.title, row.pages, row.version, row.run, row.heard_ms)
            for row in self._read(select(KNOWN_TABLE).order_by(KNOWN_TABLE.c.name))
        ]

    def commands(self, table: str) -> Sequence[Mapping[str, Any]]:
        """What was asked of a table, in its order, by the names of the columns of `COMMAND`. Raises StoreError."""
        wanted = select(COMMAND).where(COMMAND.c.table_name == table).order_by(COMMAND.c.issued_ms)
        return [dict(row._mapping) for row in self._read(wanted)]

    def contradictions(self, table: str) -> Sequence[tuple[str, int, str]]:
        """Journal, number and chain of the entries of a table that contradict the store. Raises StoreError."""
        wanted = select(CONTRADICTION).where(CONTRADICTION.c.table_name == table)
        found = self._read(wanted.order_by(CONTRADICTION.c.journal, CONTRADICTION.c.id))
        return [(row.journal, row.id, row.chain) for row in found]

    def first_contradictions(self, since_ms: int) -> Sequence[tuple[str, str, int, int]]:
        """Table, journal, number and time of the first entry of each journal that contradicts the store.

        Only of journals of which such an entry came since then; milliseconds since 1970. Raises StoreError.
        """
        columns = (CONTRADICTION.c.table_name, CONTRADICTION.c.journal)
        wanted = select(*columns, func.min(CONTRADICTION.c.id), func.max(CONTRADICTION.c.stored_ms))
        found = self._read(wanted.where(CONTRADICTION.c.stored_ms >= since_ms).group_by(*columns))
        return [(table, journal, number, stored_ms) for table, journal, number, stored_ms in found]

    def newest(self) -> Mapping[tuple[str, str], int]:
        """The number of the newest entry of each journal, by table and journal. Raises StoreError."""
        wanted = select(ENTRY.c.table_name, ENTRY.c.journal, func.max(ENTRY.c.id))
        found = self._read(wanted.group_by(ENTRY.c.table_name, ENTRY.c.journal))
        return {(table, journal): number for table, journal, number in found}

    @property
    def waiting(self) -> int:
        """How many entries wait to be written."""
        return self._waiting.entries

    def close(self) -> None:
        """Write what waits and let go of the store; closing twice does nothing."""
        self._tasks.put(None)
        self._thread.join()
        self._engine.dispose()

    def _read(self, wanted: Any) -> Sequence[Any]:
        try:
            with self._engine.connect() as connection:
                return connection.execute(wanted).all()
        except SQLAlchemyError as error:
            raise StoreError(
                f"The store {self.place} cannot be read ({_reason(error)}); check its disk or server."
            ) from None

    def _give(self, task: _Task) -> bool:
        if not self._waiting.take_in(task.table, task.weight, task.size):
            return False
        self._tasks.put(task)
        return True

    def _give_awaited(self, work: Work) -> "Future[None]":
        written: Future[None] = Future()
        if not self._give(_Task(work, 1, written=written)):
            written.set_exception(StoreError(f"The store {self.place} is too busy; try again in a moment."))
        return written

    # The writer's thread.

    def _write_all(self) -> None:
        while batch := self._wait():
            for task in batch:
                if task.work is not touch:
                    self._waiting.let_go(task.table, task.weight, task.size)
            if not self._write(batch):
                time.sleep(AGAIN_S)

    def _wait(self) -> list[_Task]:
        """The next tasks: as many as come together; none when the store is closed."""
        batch: list[_Task] = []
        weight, until = 0, 0.0
        first_s = None if self.trouble is None else TRY_S
        while weight < BATCH:
            try:
                task = self._tasks.get(timeout=max(0.0, until - time.monotonic()) if batch else first_s)
            except queue.Empty:
                return batch or [_Task(touch, 0)]
            if task is None:
                if batch:
                    self._tasks.put(None)
                return batch
            until = until or time.monotonic() + BATCH_S
            batch.append(task)
            weight += task.weight
        return batch

    def _write(self, batch: Sequence[_Task]) -> bool:
        """Write tasks together; False if the store takes nothing. One that it never takes is refused by itself."""
        try:
            with self._engine.begin() as connection:
                kept = [task.work(connection) for task in batch]
        except (SQLAlchemyError, ValueError, OverflowError) as error:
            self._journals.forget()
            if isinstance(error, _OF_CONTENT):
                if len(batch) > 1:
                    return self._write_apart(batch)
                return self._refuse(batch[0], error)
            reason, fault = _reason(error), _fault(error)
            if self.trouble is None:
                self._say(
                    f"The store {self.place} takes nothing ({reason}); nothing is confirmed, tables send again what "
                    f"it has not. {_REMEDIES[fault]}."
                )
            since = self._now_ms() if self.trouble is None else self.trouble.since_ms
            self.trouble = HubTrouble(fault, since, reason)
            failure = StoreError(f"The store {self.place} takes nothing ({reason}); nothing was sent.")
            for task in batch:
                if task.written is not None:
                    task.written.set_exception(failure)
            return False
        if self.trouble is not None:
            self.trouble = None
            self._say(f"The store {self.place} works again.")
        for task in batch:
            if task.written is not None:
                task.written.set_result(None)
        told = [each for each in kept if each is not None]
        if told:
            self._told(told)
        return True

    def _write_apart(self, batch: Sequence[_Task]) -> bool:
        """Write tasks one by one; False if the store takes nothing."""
        for number, task in enumerate(batch, start=1):
            if not self._write([task]):
                for left in batch[number:]:
                    if left.written is not None:
                        left.written.set_exception(
                            StoreError(f"The store {self.place} takes nothing; nothing was sent.")
                        )
                return False
        return True

    def _refuse(self, task: _Task, error: Exception) -> bool:
        """Do without something that the store never takes: of entries those before it are stored, each by itself."""
        reason = _reason(error)
        if task.part is None:
            failure = StoreError(f"The store {self.place} cannot keep this ({reason}); nothing was sent.")
            if task.written is None:
                self._say(
                    f"The store {self.place} cannot keep what a table said ({reason}); the rest goes on."
                )
            else:
                task.written.set_exception(failure)
            return True
        table, part = task.part
        if len(part.rows) > 1:
            before = part.before
            for row in part.rows:
                alone = JournalPart(part.journal, before, (row,))
                if not self._write([_part_task(self._journals, table, alone)]):
                    return False
                if self._journals.newest(table, part.journal) < row[0]:
                    return True
                before = row[-1]
            return True
        number = part.first
        self._say(
            f"The store {self.place} cannot keep entry {number} of journal {part.journal} of {table} ({reason}); all "
            "other journals go on."
        )
        refused = JournalPart(part.journal, part.before, (), EntryRefusal(number, EntryFlaw.STORE))
        return self._write([_Task(lambda connection: self._journals.keep(connection, table, refused), 1)])


def _part_task(journals: StoredJournals, table: str, part: JournalPart) -> _Task:
    return _Task(
        lambda connection: journals.keep(connection, table, part),
        len(part.rows) or 1,
        rows_size(part.rows),
        table,
        part=(table, part),
    )


_EVENT: Final = tuple(
    ENTRY.c[name]
    for name in ("number", "journal", "stored_ms", "id", "match", "utc", "t", "kind", "payload", "chain")
)


def _engine(place: str, locked_s: float) -> tuple[Engine, str]:
    """A way to a file or a server, and what it is called. Raises StoreError."""
    if "://" not in place:
        return _sqlite_engine(Path(place), locked_s), place
    try:
        url = make_url(place)
        shown = url.render_as_string(hide_password=True)
        if url.get_backend_name() == "postgresql":
            return create_engine(url, pool_pre_ping=True), shown
    except ModuleNotFoundError as error:
        raise StoreError(
            f"The store {shown} needs the package {error.name}; install it with: pip install 'pointsman[postgresql]'"
        ) from None
    except (ArgumentError, NoSuchModuleError):
        shown = place.partition("://")[0] + "://..."
    raise StoreError(
        f"The store {shown} is none that can be used; give a file, or postgresql+psycopg://user@host/name."
    )


def _check_encoding(connection: Connection, place: str) -> None:
    """Raise StoreError for a database that does not keep every text."""
    if connection.dialect.name != "postgresql":
        return
    encoding = connection.execute(text("SHOW server_encoding")).scalar()
    if encoding != ENCODING:
        raise StoreError(
            f"The database {place} keeps texts as {encoding}, which lacks letters of names; make one with "
            f"createdb --encoding {ENCODING} --template template0, and name that with --store."
        )


def _sqlite_engine(path: Path, locked_s: float) -> Engine:
    if not path.parent.is_dir():
        raise StoreError(f"There is no folder {path.parent} for the store {path.name}; make it first.")
    _refuse_other(path)
    make_private(path)
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(path, timeout=locked_s, check_same_thread=False),
        poolclass=QueuePool,
    )

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    event.listen(engine, "connect", prepare)
    return engine


def _refuse_other(path: Path) -> None:
    """Raise StoreError for a database of something else, such as a journal, before anything in it is touched."""
    if not path.is_file():
        return
    with suppress(sqlite3.Error):  # what is wrong, opening it will say
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            names = {
                name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            }
        finally:
            database.close()
        if names and ENTRY.name not in names:
            raise StoreError(
                f"{path} is a database of something else, not a store of a hub; name another with --store."
            )


def _reason(error: Exception) -> str:
    """What went wrong, on one line."""
    cause: object = error.orig if isinstance(error, DBAPIError) else error
    lines = str(cause).strip().splitlines()
    return lines[0] if lines else type(cause).__name__


def _fault(error: Exception) -> HubFault:
    code = None
    with suppress(AttributeError):
        code = error.orig.sqlite_errorcode & 0xFF  # type: ignore[attr-defined]
    return _FAULTS.get(code, HubFault.STORE)


_FAULTS: Final[Mapping[int | None, HubFault]] = {
    sqlite3.SQLITE_FULL: HubFault.STORE_FULL,
    sqlite3.SQLITE_BUSY: HubFault.STORE_LOCKED,
    sqlite3.SQLITE_LOCKED: HubFault.STORE_LOCKED,
    sqlite3.SQLITE_READONLY: HubFault.STORE_READ_ONLY,
    sqlite3.SQLITE_IOERR: HubFault.STORE_DISK,
    sqlite3.SQLITE_CORRUPT: HubFault.STORE_DAMAGED,
    sqlite3.SQLITE_NOTADB: HubFault.STORE_DAMAGED,
}
_REMEDIES: Final[Mapping[HubFault, str]] = {
    HubFault.STORE: "Check its disk or server",
    HubFault.STORE_FULL: "The disk is full: free some space",
    HubFault.STORE_LOCKED: "Another program is writing to it: close that",
    HubFault.STORE_READ_ONLY: "It or its folder is read-only: make it writable",
    HubFault.STORE_DISK: "The disk does not answer: check it",
    HubFault.STORE_DAMAGED: "The file is damaged: put it aside and start the hub again; tables send what they have",
}
