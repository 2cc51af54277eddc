"""The files of one match: journal and lines while it is played, match files at its end."""

import datetime
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.record.evidence import EvidenceStore, evidence_name
from controller.record.folder import EVENTS, JOURNAL, MAT, NAME, OGXM
from controller.record.journal import Event, Journal
from controller.record.lines import lines_of
from controller.record.mat import mat_text
from controller.record.matchlog import MatchLog, read_match
from controller.record.ogxmfile import OgxmMissingError, ogxm_bytes
from controller.record.tablebook import TableBook
from controller.record.witness import Witness


class MatchFolder:
    """A folder that is being filled; when it is left the match files lie in it.

    Attributes:
        book: the record of the match.
        path: where it lies.
        t: the virtual time.
    """

    def __init__(self, path: Path, began: datetime.datetime) -> None:
        """``began`` is when the match begins; what is written is dated by the virtual seconds since."""
        self.path, self.t = path, 0.0
        self._began = began
        path.mkdir(parents=True, exist_ok=True)
        self._stack = ExitStack()
        self.journal = self._stack.enter_context(Journal(path / JOURNAL))
        self._store = self._stack.enter_context(EvidenceStore(evidence_name(path / JOURNAL)))
        self._lines = self._stack.enter_context((path / EVENTS).open("w", encoding="utf-8"))
        self.book = self.new_book()

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write the match files, unless something went wrong, and close the others."""
        try:
            if kind is None:
                self._write_match()
        finally:
            self._stack.close()

    def new_book(self) -> TableBook:
        """A record that knows nothing but what is on the disk."""
        return TableBook(Witness(MatchLog(self.journal, NAME, self._utc), self._store))

    def follow(self, events: Iterable[Event]) -> None:
        """Lines for what was just written into the journal."""
        for line in lines_of(events):
            self._lines.write(line + "\n")

    def _utc(self) -> str:
        return (self._began + datetime.timedelta(seconds=self.t)).isoformat(timespec="milliseconds")

    def _write_match(self) -> None:
        record = read_match(self.journal, NAME)
        (self.path / MAT).write_text(mat_text(record), encoding="utf-8")
        try:
            (self.path / OGXM).write_bytes(ogxm_bytes(record))
        except OgxmMissingError:
            return
