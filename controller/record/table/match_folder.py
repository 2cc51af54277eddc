"""The folder of one match: journal, pictures and lines while it is played, match files when there are games."""

import contextlib
import fcntl
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Final

from controller.devices import EventMark
from controller.errors import UserError
from controller.record.evidence.store import LIMIT_BYTES, EvidenceError, EvidenceStore, evidence_name
from controller.record.evidence.turn_pictures import PictureRecorder
from controller.record.files.mat import mat_text
from controller.record.files.ogxmfile import OgxmMissingError, ogxm_bytes
from controller.record.journal.buffered import BufferedJournal
from controller.record.journal.copies import rescued_name
from controller.record.journal.delivery import write_through
from controller.record.journal.journal import Closeable, EventLog, Journal, JournalError, JournalEvent
from controller.record.journal.seal import SigningKey
from controller.record.match.history import INPUT, MATCH, TABLE
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import MatchLog, read_match
from controller.record.table.inputs import mark_from
from controller.record.table.table_log import OVER, TableLog, lines_of
from controller.referee import Message

EVENTS: Final = "events.jsonl"
MAT: Final = "match.mat"
OGXM: Final = "match.ogxm"
JOURNAL: Final = "journal.db"
NAME: Final = "1"
"""The match in its journal."""

Arrange = Callable[[Iterable[JournalEvent]], Iterable[JournalEvent]]


class FolderError(UserError):
    """A match that somebody else is writing, or that lies where another one was to go."""


class MatchFolder(Closeable):
    """The files of a match. At a live table play never stops for their sake: what the disk refuses is told.

    Leaving its `with` block in order writes the match files; leaving it by an exception only lets go of the others.

    Attributes:
        path: the folder.
        journal: the journal, which holds everything; all other files can be made from it again.
        book: the record of the match.
        last_event: the number of the newest event that was followed, 0 before there is one.
    """

    def __init__(
        self,
        path: Path,
        clock: Callable[[], str],
        warn: Callable[[str], None],
        now: Callable[[], float] = lambda: 0.0,
        evidence_bytes: int = LIMIT_BYTES,
        *,
        strict: bool = False,
        arrange: Arrange = lambda events: events,
        key: SigningKey | None = None,
    ) -> None:
        """Open the folder, or make it.

        Raises:
            FolderError: if another program has it open.
            JournalError, EvidenceError, OSError: with ``strict``, for what the disk refuses.

        Args:
            path: where it is.
            clock: the time of day, ISO 8601 in UTC.
            warn: is told sentences for people.
            now: seconds on a clock that never runs backwards.
            evidence_bytes: how much room pictures may take; with 0 none are kept.
            strict: whether what the disk refuses is an error: nobody plays who could be disturbed.
            arrange: what becomes of the events before the lines of the whole match are made of them.
            key: seals the journal at the end of each game; without it nothing is sealed.
        """
        self.path, self._clock, self._warn, self._key = path, clock, warn, key
        self._strict, self._arrange = strict, arrange
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._raise_if_strict(error)
            warn(f"The folder {path} cannot be made ({error.strerror}); the match is in memory only.")
        self._lock = _lock(path)
        self.journal: BufferedJournal | Journal = (
            Journal(path / JOURNAL) if strict else BufferedJournal(path / JOURNAL, warn, now)
        )
        self._store = self._open_store(evidence_bytes) if evidence_bytes else None
        self._lines_fail = False
        self.last_event = 0
        self._aside: threading.Thread | None = None
        self.book = self.new_book()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the match files, unless something went wrong, and let go of the others."""
        try:
            if kind is None:
                self.write_match()
        finally:
            self.close()

    @property
    def complete(self) -> bool:
        """Whether all that was written is on the disk; the rest waits in memory."""
        return isinstance(self.journal, Journal) or self.journal.waiting == 0

    def new_book(self) -> TableLog:
        """A record that knows nothing but what the journal holds."""
        warn = None if self._strict else self._warn
        log = MatchLog(self.journal, NAME, self._clock)
        return TableLog(PictureRecorder(log, self._store, warn), self._key)

    def follow(self, events: Iterable[JournalEvent]) -> None:
        """Lines for what was just written into the journal."""
        events = tuple(events)
        self.last_event = max((event.id for event in events), default=self.last_event)
        text = "".join(f"{line}\n" for line in lines_of(events))
        if not text:
            return
        try:
            with (self.path / EVENTS).open("a", encoding="utf-8") as file:
                file.write(text)
            self._lines_fail = False
        except OSError as error:
            self._raise_if_strict(error)
            if not self._lines_fail:
                self._warn(f"{self.path / EVENTS} cannot be written ({error.strerror}); play goes on.")
            self._lines_fail = True

    def write_match(self) -> None:
        """Match files and lines of all that the journal holds, each there whole or as it was before."""
        self._aside_done()
        self._write_match(self.journal)

    def write_match_aside(self) -> None:
        """The match files of what is on the disk, in a thread of its own: in a long match it takes a while."""
        self._aside_done()
        self._aside = threading.Thread(target=self._write_from_disk, name="pointsman-files", daemon=True)
        self._aside.start()

    def _aside_done(self) -> None:
        if self._aside is not None:
            self._aside.join()
            self._aside = None

    def _write_from_disk(self) -> None:
        try:
            with Journal(self.journal.path, read_only=True) as journal:
                self._write_match(journal)
        except JournalError as error:
            self._warn(f"The match files in {self.path} cannot be written ({error}); play goes on.")

    def _write_match(self, journal: EventLog) -> None:
        try:
            record = read_match(journal, NAME)
            if journal is self.journal:
                lines = lines_of(self._arrange(journal.events(NAME, without=INPUT)))
                self._replace(EVENTS, "".join(f"{line}\n" for line in lines).encode())
            self._replace(MAT, mat_text(record).encode())
            self._replace(OGXM, ogxm_bytes(record))
        except OgxmMissingError as missing:
            self._warn(f"{OGXM} was not written: {missing}")
        except (OSError, JournalError) as error:
            self._raise_if_strict(error)
            self._warn(f"The match files in {self.path} cannot be written ({error}); the journal has it all.")

    def close(self) -> None:
        """Let go of the files."""
        self._aside_done()
        self.journal.close()
        if self._store is not None:
            self._store.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _open_store(self, limit: int) -> EvidenceStore | None:
        try:
            return EvidenceStore(evidence_name(self.path / JOURNAL), limit)
        except EvidenceError as error:
            self._raise_if_strict(error)
            self._warn(f"{error} Play goes on, but its pictures are not kept.")
            return None

    def _raise_if_strict(self, error: Exception) -> None:
        """What the disk refuses goes on to the caller, where nobody plays on."""
        if self._strict:
            raise error

    def _replace(self, name: str, data: bytes) -> None:
        part = self.path / f".{name}.part"
        part.write_bytes(data)
        write_through(part)
        part.replace(self.path / name)


def _lock(path: Path) -> int | None:
    """A hold on a folder that ends with the program at the latest; None where there is no folder to hold."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise FolderError(
            f"The match in {path} is being played by another pointsman; end that first, or begin another match "
            "with --new."
        ) from None
    except OSError:  # some network folders know no locks
        os.close(descriptor)
        return None
    return descriptor


def refuse_other_match(path: Path) -> None:
    """Raises FolderError if there is a match in the folder already: none is written over."""
    names = (JOURNAL, evidence_name(Path(JOURNAL)).name, EVENTS, MAT, OGXM)
    found = next((name for name in names if (path / name).exists()), None)
    if found is not None:
        raise FolderError(f"{path} holds another match ({found}); name a new folder for the results.")


def match_journals(matches: Path) -> list[Path]:
    """The journals of a folder of matches, the newest last, by the folders' names."""
    return sorted(matches.glob(f"*/{JOURNAL}"))


def find_unfinished(matches: Path) -> tuple[Path, MatchRecord] | None:
    """The newest match in a folder of matches, by the folders' names, if it was begun and is not over."""
    found = match_journals(matches)
    if not found:
        return None
    try:
        path = found[-1]
        while rescued_name(path).exists():
            path = rescued_name(path)
        with Journal(path, read_only=True) as journal:
            kinds = {event.kind for event in journal.events(NAME, without=INPUT)}
            if not {MATCH, TABLE} <= kinds or OVER in kinds:
                return None
            return found[-1].parent, read_match(journal, NAME)
    except JournalError:
        return None


def discard_if_blank(path: Path) -> bool:
    """Remove the folder of a match of which nothing was seen, rolled or pressed; whether it was one.

    A folder that cannot be read, or that holds anything else, stays.
    """
    try:
        with Journal(path / JOURNAL, read_only=True) as journal:
            if any(event.kind not in _IDLE and not _is_idle(event) for event in journal.events()):
                return False
    except JournalError:
        return False
    evidence = evidence_name(Path(JOURNAL)).name
    for name in (EVENTS, MAT, OGXM, JOURNAL, evidence):
        for end in ("", "-wal", "-shm"):
            (path / f"{name}{end}").unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.rmdir()
    return True


def _is_idle(event: JournalEvent) -> bool:
    return event.kind == INPUT and event.payload.get("input") in _IDLE_INPUTS


_IDLE: Final = frozenset({MATCH, TABLE, "resumed", Message.DEVICE_GONE, Message.DEVICE_BACK})
_IDLE_INPUTS: Final = frozenset({"resumed", "device_changed"})
"""What the journal holds of a table at which nobody has done anything."""


def last_mark(journal: EventLog) -> EventMark | None:
    """The last event of the board's electronics that is in the journal."""
    mark = None
    for event in journal.events(NAME):
        if event.kind == INPUT:
            mark = mark_from(event.payload) or mark
    return mark
