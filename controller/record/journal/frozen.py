"""Events that were read from somewhere and stay as they are, to be read as a journal is."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from controller.record.journal.journal import Draft, EventLog, JournalError, JournalEvent


class FrozenLog(EventLog):
    """A log that takes nothing more."""

    def __init__(self, events: Sequence[JournalEvent], path: Path) -> None:
        """`path` is what complaints call it."""
        self.path = path
        self._events = events

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        """See `EventLog`; nothing is kept."""
        raise JournalError(
            f"{self.path} takes no {len([*drafts])} events; add to the journal that it is a copy of."
        )

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """See `EventLog`."""
        for event in self._events:
            if event.id > after and match in (None, event.match) and event.kind != without:
                yield event

    def matches(self) -> tuple[str, ...]:
        """See `EventLog`."""
        return tuple(dict.fromkeys(event.match for event in self._events))

    def fold(self) -> None:
        """See `EventLog`; there is no file to fold into."""
        return
