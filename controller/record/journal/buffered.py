"""A journal that play does not stop for: what the disk refuses is kept in memory until it takes it again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.record.journal.copies import rescue, rescued_name
from controller.record.journal.journal import (
    Closeable,
    DamagedJournalError,
    Draft,
    EventLog,
    Journal,
    JournalError,
    JournalEvent,
    following,
)

RETRY_S: Final = 5.0
"""How long to leave a disk alone that has just failed; asking it may take a while each time."""
NEWEST: Final = 1000
"""How many of the newest events are checked when a journal is opened to be written on."""


class BufferedJournal(Closeable, EventLog):
    """Stands before a journal on a disk that may be full, read-only, pulled out or damaged.

    `append_all` never fails for the disk's sake: an event that cannot be written waits in memory, `warn` is told
    so once, and the next one after a while (or `close`) writes all that wait, in their order and into the
    same chain. The ids and chains of waiting events are those they will get if nobody else writes meanwhile.

    A journal that turns out to be damaged is rescued up to its last good event into a new file next to it
    (`journal.rescued.db`), and that is written on, also the next time; the damaged file is left as it is.

    Attributes:
        path: the file that is written, or will be when the disk is back.
    """

    def __init__(self, path: Path, warn: Callable[[str], None], now: Callable[[], float]) -> None:
        """`warn` is given sentences for people; `now` tells seconds on a clock that never runs backwards."""
        self.path = path
        self._warn = warn
        self._now = now
        self._journal: Journal | None = None
        self._waiting: list[Draft] = []
        self._head = (0, "")
        self._failed_at: float | None = None
        while rescued_name(self.path).exists():
            self.path = rescued_name(self.path)
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
        events: list[JournalEvent] = []
        head, new = self._head, tuple(drafts)
        for draft in new:
            events.append(following(draft, *head))
            head = (events[-1].id, events[-1].chain)
        self._waiting.extend(new)
        self._head = head
        if self._failed_at is None or self._now() - self._failed_at >= RETRY_S:
            written = self._settle()
            return written[len(written) - len(new) :] if written else tuple(events)
        return tuple(events)

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """The events on the disk, then those that wait; see `Journal.events`.

        Raises:
            JournalError: if the file cannot be read.
        """
        head = (0, "")
        with self._reader() as journal:
            if journal is not None:
                yield from journal.events(match, after=after, without=without)
                head = journal.head()
        for draft in tuple(self._waiting):
            event = following(draft, *head)
            head = (event.id, event.chain)
            if (match is None or event.match == match) and event.id > after and event.kind != without:
                yield event

    def matches(self) -> tuple[str, ...]:
        """The matches in the order of their first events.

        Raises:
            JournalError: if the file cannot be read.
        """
        with self._reader() as journal:
            known = journal.matches() if journal is not None else ()
        return tuple(dict.fromkeys((*known, *(draft.match for draft in self._waiting))))

    def close(self) -> None:
        """Write what waits if the disk takes it, say so if it does not, and let go of the file."""
        if self._waiting:
            self._settle()
        if self._waiting:
            self._warn(
                f"{_count_events(self._waiting)} could not be written to {self.path} and will be lost."
            )
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    @contextmanager
    def _reader(self) -> Iterator[Journal | None]:
        """The journal to read from, if there is a file: one that cannot be written may still be read."""
        if self._journal is not None or not self.path.is_file():
            yield self._journal
            return
        with Journal(self.path, read_only=True) as journal:
            yield journal

    def _settle(self) -> tuple[JournalEvent, ...]:
        """Write what waits; the events that were written, none if the disk fails."""
        try:
            try:
                return self._write()
            except DamagedJournalError as damage:
                self._rescue(damage)
                return self._write()
        except JournalError as error:
            self._let_go()
            if self._failed_at is None:
                self._warn(
                    f"{error} Play goes on, but what happens from now on is in memory only: do not switch off "
                    "before this is put right."
                )
            self._failed_at = self._now()
            return ()

    def _write(self) -> tuple[JournalEvent, ...]:
        if self._journal is None:
            self._journal = Journal(self.path)
            self._journal.verify(newest=NEWEST)
        written = self._journal.append_all(self._waiting)
        self._head = (written[-1].id, written[-1].chain) if written else self._journal.head()
        if self._failed_at is not None:
            self._warn(
                f"The journal {self.path} can be written again; {_count_events(self._waiting)} went into it."
            )
        self._waiting.clear()
        self._failed_at = None
        return written

    def _rescue(self, damage: DamagedJournalError) -> None:
        """Go on in a new file that holds what is good of the damaged one."""
        self._let_go()
        new = rescued_name(self.path)
        found = rescue(self.path, new)
        self._warn(
            f"{damage} Its first {found.kept} events, up to {found.last_utc}, were saved to {new}, and play "
            f"goes on there; {self.path} is left as it is."
        )
        self.path = new

    def _let_go(self) -> None:
        if self._journal is not None:
            self._journal.close()
            self._journal = None


def _count_events(drafts: list[Draft]) -> str:
    return f"{len(drafts)} event{'' if len(drafts) == 1 else 's'}"
