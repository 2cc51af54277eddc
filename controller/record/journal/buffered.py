"""A journal that play does not stop for: what the disk refuses is kept in memory until it takes it again."""

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.messages.device_words import LocalText, record_words
from controller.record.journal.copies import rescue, rescued_name, write_rows
from controller.record.journal.journal import (
    DamagedJournalError,
    Draft,
    EventLog,
    Journal,
    JournalError,
    JournalEvent,
    Row,
    following,
    row_of,
)
from controller.record.journal.soundness import check_journal, check_log, newest_copy

RETRY_S: Final = 5.0
"""How long to leave a disk alone that has just failed; asking it may take a while each time."""
RESCUED: Final = "rescued"
"""The note at the place where a journal goes on that was damaged, gone or exchanged."""


class BufferedJournal(Closeable, EventLog):
    """Stands before a journal on a disk that may be full, read-only, pulled out or damaged.

    `append_all` never fails for the disk's sake: an event that cannot be written waits in memory, `warn` is told
    so once, and the next one after a while (or `close`) writes all that wait, in their order and into the
    same chain. The ids and chains of waiting events are those they will get if nobody else writes meanwhile.

    A journal that turns out to be damaged is rescued up to its last good event into a new file next to it
    (`journal.rescued.db`), and that is written on, also the next time; the damaged file is left as it is. What was
    read or written since the program began is in memory, too: so a journal that is deleted, exchanged or damaged
    during play is written anew with nothing missing. Either way a note `rescued` in the new one says so.

    Attributes:
        path: the file that is written, or will be when the disk is back.
    """

    def __init__(
        self,
        path: Path,
        warn: Callable[[LocalText], None],
        now: Callable[[], float],
        clock: Callable[[], str],
    ) -> None:
        """Open the journal at `path` or its newest rescue, or begin one.

        Args:
            path: its file.
            warn: is told sentences for people.
            now: seconds on a clock that never runs backwards.
            clock: the time of day, ISO 8601 in UTC.
        """
        self.path = newest_copy(path)
        self._warn, self._now, self._clock = warn, now, clock
        self._journal: Journal | None = None
        self._rows: list[Row] = []
        self._waiting: list[Draft] = []
        self._note: dict[str, str | int] | None = None
        self._known = False
        self._failed_at: float | None = None
        self._settle()

    @property
    def waiting(self) -> int:
        """How many events are in memory only."""
        return len(self._waiting)

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        """Write several events together, or keep them until they can be written.

        Raises:
            JournalError: if one holds what no JSON text can, and so can be kept nowhere; then none is kept.
        """
        new = tuple(drafts)
        if self._note is not None and new:
            new_note = Draft(new[0].match, RESCUED, {"kind": RESCUED, **self._note}, self._clock())
            self._note = None
            self.append_all((new_note,))
        events = tuple(self._following((*self._waiting, *new)))
        self._waiting.extend(new)
        if self._failed_at is None or self._now() - self._failed_at >= RETRY_S:
            written = self._settle()
            events = written or events
        return events[len(events) - len(new) :]

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """The events on the disk, then those that wait; see `Journal.events`."""
        for event in (*map(_event, self._rows), *self._following(self._waiting)):
            if (match is None or event.match == match) and event.id > after and event.kind != without:
                yield event

    def matches(self) -> tuple[str, ...]:
        """The matches in the order of their first events."""
        names = (*(row[1] for row in self._rows), *(draft.match for draft in self._waiting))
        return tuple(dict.fromkeys(names))

    def fold(self) -> None:
        """Have the file hold every event, and look whether it is still there and holds them; after each turn."""
        if self._journal is None:
            return
        if self.path.exists():
            try:
                self._journal.fold()
                with Journal(self.path, read_only=True) as there:
                    if there.head() == self._head:
                        return
            except DamagedJournalError:
                pass
            except JournalError:  # the disk's; what was written is in the log, and the next event will tell
                return
        self._write_anew()

    def flush(self) -> None:
        """Write what waits, if the disk takes it."""
        if self._waiting:
            self._settle()

    def close(self) -> None:
        """Write what waits, if need be to another disk, say so if none takes it, and let go of the file."""
        self.flush()
        self.fold()
        if self._waiting:
            self._save_elsewhere()
        self._let_go()

    @property
    def _head(self) -> tuple[int, str]:
        return (self._rows[-1][0], self._rows[-1][-1]) if self._rows else (0, "")

    def _following(self, drafts: Iterable[Draft]) -> Iterator[JournalEvent]:
        """The events that drafts become after the last one on the disk."""
        head = self._head
        for draft in drafts:
            event = following(draft, *head)
            head = (event.id, event.chain)
            yield event

    def _settle(self) -> tuple[JournalEvent, ...]:
        """Write what waits; the events that were written, none if the disk fails."""
        try:
            try:
                return self._write()
            except DamagedJournalError as damage:
                self._rescue(damage)
                return self._write()
        except JournalError as error:
            self._fail(error)
            return ()

    def _write(self) -> tuple[JournalEvent, ...]:
        if self._journal is None:
            self._open()
        assert self._journal is not None
        written = self._journal.append_all(self._waiting)
        if written and written[0].id != self._head[0] + 1:  # another program has written, too
            self._rows += self._journal.rows(self._head[0])
        else:
            self._rows += map(row_of, written)
        if self._failed_at is not None:
            self._warn(record_words("written_again", journal=self.path, count=len(self._waiting)))
        self._waiting.clear()
        self._failed_at = None
        return written

    def _open(self) -> None:
        """Open the file to write on it; what it held before is read and checked once."""
        if self._known:
            if self._rows and not self.path.exists():
                raise DamagedJournalError(f"{self.path} is gone.")
            journal = Journal(self.path)
            if journal.head() != self._head:
                journal.close()
                raise DamagedJournalError(f"{self.path} is no longer the journal that was written there.")
            self._journal = journal
            return
        if check_log(self.path):
            self._warn(record_words("log_torn", journal=self.path))
        rows = check_journal(self.path)
        self._journal = Journal(self.path)
        self._rows, self._known = rows, True

    def _rescue(self, damage: DamagedJournalError) -> None:
        """Go on in a new file that holds what is good of the damaged one, or everything if it is in memory."""
        if self._known:
            self._write_anew()
            return
        self._let_go()
        new = rescued_name(self.path)
        try:
            kept = rescue(self.path, new).kept
        except JournalError:
            write_rows((), new)
            kept = 0
        with Journal(new, read_only=True) as journal:
            self._rows = list(journal.rows())
        self._warn(record_words("rescued", why=damage, count=kept, new=new, old=self.path))
        self._note = {"from": self.path.name, "kept": kept, "why": str(damage)}
        self.path, self._known = new, True

    def _write_anew(self) -> None:
        """Write everything into a file of its own, because the one that was written is no longer what it was."""
        self._let_go()
        gone = not self.path.exists()
        new = self.path if gone else rescued_name(self.path)
        try:
            if gone:
                for end in ("-wal", "-shm"):
                    self.path.with_name(f"{self.path.name}{end}").unlink(missing_ok=True)
            write_rows(self._rows, new)
            self._journal = Journal(new)
        except (JournalError, OSError) as error:
            self._fail(error)
            return
        self._warn(record_words("gone" if gone else "exchanged", old=self.path, new=new))
        why = "it was deleted during play" if gone else "it was exchanged or damaged during play"
        self._note = {"from": self.path.name, "kept": len(self._rows), "why": why}
        self.path = new

    def _fail(self, error: Exception) -> None:
        """The disk does not take what there is to write."""
        self._let_go()
        if self._failed_at is None:
            self._warn(record_words("not_written", why=error))
        self._failed_at = self._now()

    def _save_elsewhere(self) -> None:
        """Write everything where there may still be room, and say where, or that it will be lost."""
        count = len(self._waiting)
        if self._known or self._is_blank():
            with suppress(JournalError, OSError):
                place = Path(tempfile.mkdtemp(prefix="pointsman-")) / self.path.name
                write_rows((*self._rows, *map(row_of, self._following(self._waiting))), place)
                self._warn(record_words("saved_elsewhere", count=count, journal=self.path, place=place))
                return
        self._warn(record_words("lost", count=count, journal=self.path))

    def _is_blank(self) -> bool:
        """Whether there is no file, or one that was made on a disk too full to take anything."""
        files = (self.path.with_name(f"{self.path.name}{end}") for end in ("", "-wal"))
        with suppress(OSError):
            return not any(file.stat().st_size for file in files if file.exists())
        return False

    def _let_go(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None


def _event(row: Row) -> JournalEvent:
    number, match, utc, t, kind, text, chain = row
    return JournalEvent(number, match, utc, t=t, kind=kind, payload=json.loads(text), chain=chain)
