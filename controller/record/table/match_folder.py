"""The folder of one match: journal, pictures and lines while it is played, match files when there are games."""

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final

from controller.closing import Closeable
from controller.devices import EventMark
from controller.errors import UserError
from controller.locks import hold
from controller.logs.defect import DefectScene
from controller.messages.device_words import LocalText, record_words
from controller.record.evidence.store import LIMIT_BYTES, EvidenceError, EvidenceStore, evidence_name
from controller.record.evidence.turn_pictures import PictureRecorder
from controller.record.files.games import foreign_games
from controller.record.files.jsonfile import json_text
from controller.record.files.mat import mat_text
from controller.record.files.match_text import MatchFileError
from controller.record.files.ogxmfile import OgxmMissingError, ogxm_bytes
from controller.record.journal.buffered import BufferedJournal
from controller.record.journal.delivery import make_folder
from controller.record.journal.journal import EventLog, Journal, JournalError, JournalEvent, Json
from controller.record.journal.seal import KEY_FILE, SigningKey
from controller.record.match.history import BEGUN, INPUT
from controller.record.match.match import MatchRecord, Note
from controller.record.match.match_log import MatchLog, read_match
from controller.record.table.inputs import mark_from
from controller.record.table.table_log import TableLog, lines_of
from controller.record.table.trace import count_missing
from controller.whole_file import replace_file

_LOGGER: Final = logging.getLogger(__name__)

EVENTS: Final = "events.jsonl"
MAT: Final = "match.mat"
OGXM: Final = "match.ogxm"
JSON: Final = "match.json"
"""Takes the place of the OGXM file where no other program knows the game."""
JOURNAL: Final = "journal.db"
NAME: Final = "1"
"""The match in its journal."""
TURNS_MISSING: Final = "turns_missing"
"""The note at the place where a journal goes on that lacked turns of which its lines tell."""

Arrange = Callable[[Iterable[JournalEvent]], Iterable[JournalEvent]]


class FolderError(UserError):
    """A match that somebody else is writing, or that lies where another one was to go."""


class MatchFolder(Closeable):
    """The files of a match. At a live table play never stops for their sake: what the disk refuses is reported.

    Only their owner may read them, and look into a folder that was made for them.

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
        warn: Callable[[LocalText], None],
        now: Callable[[], float] = lambda: 0.0,
        evidence_bytes: int = LIMIT_BYTES,
        *,
        begun: Mapping[str, Json] | None = None,
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
            begun: what a new match among others writes first; see `sequence.begin_next`.
            strict: whether what the disk refuses is an error: nobody plays who could be disturbed.
            arrange: what becomes of the events before the lines of the whole match are made of them.
            key: seals the journal at the end of each game; without it nothing is sealed.
        """
        self.path, self._clock, self._warn, self._key = path, clock, warn, key
        self._strict, self._arrange = strict, arrange
        try:
            make_folder(path)
        except OSError as error:
            self._raise_if_strict(error)
            warn(record_words("folder_failed", folder=path, why=error.strerror))
        self._lock = _lock(path)
        self.journal: BufferedJournal | Journal = (
            Journal(path / JOURNAL) if strict else BufferedJournal(path / JOURNAL, warn, now, clock)
        )
        self._store = self._open_store(evidence_bytes) if evidence_bytes else None
        self._lines_fail = False
        self.last_event = 0
        self._aside: threading.Thread | None = None
        self.book = self.new_book()
        if begun is not None:
            self.journal.append(NAME, BEGUN, begun, utc=clock())
        elif not strict:
            self._keep_longer_lines()

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
        return self._waiting == 0

    @property
    def _waiting(self) -> int:
        return 0 if isinstance(self.journal, Journal) else self.journal.waiting

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
            with open(self.path / EVENTS, "a", encoding="utf-8", opener=_private) as file:
                file.write(text)
            self._lines_fail = False
        except OSError as error:
            self._raise_if_strict(error)
            if not self._lines_fail:
                self._warn(record_words("lines_failed", file=self.path / EVENTS, why=error.strerror))
            self._lines_fail = True

    def write_match(self) -> None:
        """Match files and lines of all that the journal holds, each there whole or as it was before."""
        self._aside_done()
        if isinstance(self.journal, BufferedJournal):
            self.journal.flush()
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
            self._warn(record_words("files_failed", folder=self.path, why=error))

    def _write_match(self, journal: EventLog) -> None:
        try:
            record = read_match(journal, NAME)
            if journal is self.journal:
                self._keep_longer_lines()
                lines = lines_of(self._arrange(journal.events(NAME, without=INPUT)))
                self._replace(EVENTS, "".join(f"{line}\n" for line in lines).encode())
            self._replace(MAT, mat_text(record).encode())
            self._write_whole(record)
        except OgxmMissingError as missing:
            self._warn(record_words("no_ogxm", file=OGXM, why=missing))
        except (OSError, JournalError) as error:
            self._raise_if_strict(error)
            self._warn_of_files(getattr(error, "strerror", None) or error)
        except UserError:
            raise
        except Exception as error:
            self._raise_if_strict(error)
            _LOGGER.exception("The match files could not be written.", extra=DefectScene("files").extra)
            self._warn_of_files(type(error).__name__)

    def _write_whole(self, record: MatchRecord) -> None:
        """The file that holds everything: OGXM, or our own form of a match for which that has no place.

        No other program knows some games, and none a match in which one side has two turns in a row.
        """
        if not foreign_games(record):
            try:
                self._replace(OGXM, ogxm_bytes(record))
            except MatchFileError as error:
                self._raise_if_strict(error)
                self._warn(record_words("no_ogxm", file=OGXM, why=error))
            else:
                return
        self._replace(JSON, json_text(record).encode())

    def _warn_of_files(self, why: object) -> None:
        if self._waiting:
            self._warn(record_words("files_waiting", folder=self.path, why=why, count=self._waiting))
        else:
            self._warn(record_words("files_failed", folder=self.path, why=why))

    def _keep_longer_lines(self) -> None:
        """Put lines and match files aside that tell of turns which the journal lacks: no trace is ever shortened."""
        lines = self.path / EVENTS
        try:
            missing = count_missing(lines, self.journal.events(NAME, without=INPUT))
            if not missing:
                return
            for name in (MAT, OGXM, JSON, EVENTS):
                kept = _free_name(self.path / name)
                if (self.path / name).exists():
                    (self.path / name).rename(kept)
        except (OSError, JournalError) as error:
            self._warn(record_words("lines_failed", file=lines, why=error))
            return
        self._warn(
            record_words("turns_missing", folder=self.path, count=missing, file=EVENTS, kept=kept.name)
        )
        self.book.log.add(Note(TURNS_MISSING, None, None, {"count": missing, "kept": kept.name}))

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
            self._warn(record_words("no_pictures", why=error))
            return None

    def _raise_if_strict(self, error: Exception) -> None:
        """What the disk refuses goes on to the caller, where nobody plays on."""
        if self._strict:
            raise error

    def _replace(self, name: str, data: bytes) -> None:
        replace_file(self.path / name, data)


def _private(name: str, flags: int) -> int:
    """Open a file; a new one is for its owner only."""
    return os.open(name, flags, 0o600)


def _free_name(path: Path) -> Path:
    """A name beside a file that nothing has yet: `events.kept.jsonl`, `events.kept-2.jsonl`."""
    number = 1
    while True:
        kept = path.with_name(f"{path.stem}.kept{'' if number == 1 else f'-{number}'}{path.suffix}")
        if not kept.exists():
            return kept
        number += 1


def _lock(path: Path) -> int | None:
    """A hold on a folder that ends with the program at the latest; None where there is no folder to hold."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        hold(descriptor)
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


def is_played(folder: Path) -> bool:
    """Whether a program plays the match in a folder now; False where that cannot be told."""
    try:
        descriptor = _lock(folder)
    except FolderError:
        return True
    if descriptor is not None:
        os.close(descriptor)
    return False


def is_of_folder(journal: Path) -> bool:
    """Whether a journal is that of a match folder, or was rescued from it, by its name."""
    return journal.name.split(".")[0] == Path(JOURNAL).stem


def keys_of(folder: Path) -> list[SigningKey]:
    """The keys that may have sealed the match in a folder: the table's beside its matches, the demo's in the folder.

    Raises:
        SealError: if one of them cannot be read.
    """
    places = (folder.absolute().parent / KEY_FILE, folder / KEY_FILE)
    return [SigningKey.read(place) for place in places if place.is_file()]


def last_mark(journal: EventLog) -> EventMark | None:
    """The last event of the board's electronics that is in the journal."""
    mark = None
    for event in journal.events(NAME):
        if event.kind == INPUT:
            mark = mark_from(event.payload) or mark
    return mark
