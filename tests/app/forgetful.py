"""A journal that keeps nothing, to see what everything else keeps."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from controller.record.journal.journal import Draft, JournalEvent, Json, following


class Forgetful:
    """See `EventLog`."""

    def __init__(self) -> None:
        self.path = Path("nowhere.db")
        self._head = (0, "")

    def append(
        self, match: str, kind: str, payload: Mapping[str, Json], *, utc: str, t: float | None = None
    ) -> JournalEvent:
        return self.append_all((Draft(match, kind, payload, utc, t),))[0]

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        written = []
        for draft in drafts:
            written.append(following(draft, *self._head))
            self._head = (written[-1].id, written[-1].chain)
        return tuple(written)

    def events(self, _: str | None = None, **__: object) -> Iterator[JournalEvent]:
        return iter(())

    def matches(self) -> tuple[str, ...]:
        return ()

    def fold(self) -> None:
        pass
