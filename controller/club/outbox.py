"""The journals of one table on their way to the hub: the one that is written now first, then older ones."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.club.messages import Confirmation, JournalPart, journal_name
from controller.club.outgoing import OutgoingJournal
from controller.json_object import parse_object
from controller.record.journal.head import read_head
from controller.record.table.sequence import match_journals
from controller.whole_file import replace_file

AGAIN_S: Final = 2.0
"""After this time without an answer of the hub, what it has not confirmed is sent again."""
SILENT_S: Final = 10.0
"""After this time without an answer, the hub counts as not taking what is sent."""
FEW: Final = 4
"""This many older journals are offered at a time."""
MEMORY: Final = "club-confirmed.json"
"""The file in the folder of matches that holds which older journals the hub has whole."""


class Outbox:
    """What is sent, in order, until the hub has it on its disk. For one thread.

    Only what lies on the disk is sent. Nothing is ever taken as received but by the hub's own confirmation.

    Attributes:
        current: the journal that is being written, or was last; None before the first one.
        older: those of earlier matches that are being offered, the newest first.
    """

    def __init__(self, matches: Path, hub: str = "") -> None:
        """Nothing is read yet.

        Args:
            matches: the folder of matches.
            hub: names the hub; what another one has confirmed does not count.
        """
        self.current: OutgoingJournal | None = None
        self.older: list[OutgoingJournal] = []
        self._matches, self._hub = matches, hub
        self._backlog: list[Path] = []
        self._whole = self._remembered()
        self._moved_at = self._silent_since = self._held_until = 0.0

    @property
    def journals(self) -> tuple[OutgoingJournal, ...]:
        """All that are being sent, the current one first."""
        return (*([self.current] if self.current is not None else []), *self.older)

    @property
    def waiting(self) -> int:
        """How many entries the hub is not known to have."""
        return sum(journal.waiting for journal in self.journals)

    @property
    def confirmed(self) -> int:
        """How many entries of all journals the hub is known to have."""
        return sum(self._whole.values()) + sum(journal.upto for journal in self.journals)

    @property
    def stuck(self) -> tuple[OutgoingJournal, ...]:
        """The journals that do not come any further; each knows why."""
        return tuple(each for each in self.journals if each.fault is not None)

    def connect(self, now: float) -> None:
        """The connection is new: everything is sent again from what the hub has confirmed, once it has spoken."""
        self._backlog = self._unconfirmed()
        for journal in self.journals:
            journal.go_back()
        self._fill()
        unknown = any(journal.confirmed is None for journal in self.journals)
        self._held_until = now + AGAIN_S if unknown else now
        self._moved_at = self._silent_since = now

    def write_to(self, path: Path) -> bool:
        """That journal is the one that is being written; whether it is another one than before, or begins now."""
        if self.current is not None and self.current.path == path:
            return False
        opened = next((each for each in self.older if each.path == path), None) or OutgoingJournal.open(path)
        if opened is None:
            return False
        before = self.journals
        for each in before:
            if each.name == opened.name and each is not opened:  # rescued to another file
                opened.confirmed = each.confirmed
                opened.go_back()
        self.current = opened
        self.older = [each for each in before if each.name != opened.name]
        return True

    def due(self, now: float) -> JournalPart | None:
        """What is to be sent now; None if nothing is. Whoever asks sends it, and asks again."""
        if now < self._held_until and any(journal.confirmed is None for journal in self.journals):
            return None
        under_way = any(journal.under_way and not journal.stopped for journal in self.journals)
        if under_way and now - self._moved_at >= AGAIN_S:
            for journal in self.journals:
                journal.go_back()
            self._moved_at = now
        self.older = [each for each in self.older if each.path.exists()]  # a match of nothing is not kept
        for journal in self.journals:
            if journal is self.current:
                journal.update_newest()
            part = journal.next_part()
            if part is not None:
                if not under_way:
                    self._moved_at = self._silent_since = now
                return part
        if not under_way:
            self._silent_since = now
        return None

    def confirm(self, told: Confirmation, now: float) -> bool:
        """The hub's word about a journal; whether it is about one of these and anything has moved."""
        journal = next((each for each in self.journals if each.name == told.journal), None)
        if journal is None:
            return False
        moved = journal.confirm(told)
        if moved:
            self._moved_at = self._silent_since = now
        if journal in self.older and journal.confirmed is not None and not journal.waiting:
            self._whole[journal.name] = journal.newest
            self._remember()
            self.older.remove(journal)
            self._fill()
        return moved

    def silent_s(self, now: float) -> float:
        """For how long something is under way without a word of the hub."""
        under_way = any(journal.under_way and not journal.stopped for journal in self.journals)
        return now - self._silent_since if under_way else 0.0

    def _unconfirmed(self) -> list[Path]:
        """The journals of earlier matches that the hub is not known to have whole, the newest first."""
        offered = {journal.path for journal in self.journals}
        return [path for path in self._newest_first() if path not in offered and not self._is_whole(path)]

    def _newest_first(self) -> Iterable[Path]:
        return reversed(match_journals(self._matches)) if self._matches.is_dir() else ()

    def _is_whole(self, path: Path) -> bool:
        head = read_head(path)
        return head is not None and self._whole.get(journal_name(head.first), 0) >= head.number

    def _fill(self) -> None:
        """Offer further journals in the place of those that the hub has."""
        while self._backlog and sum(not each.stopped for each in self.older) < FEW:
            opened = OutgoingJournal.open(self._backlog.pop(0))
            if opened is not None:
                opened.update_newest()
                self.older.append(opened)

    def _remembered(self) -> dict[str, int]:
        try:
            told = parse_object((self._matches / MEMORY).read_bytes())
            journals = told["journals"] if told["hub"] == self._hub else {}
            return {str(name): int(newest) for name, newest in journals.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _remember(self) -> None:
        text = json.dumps({"hub": self._hub, "journals": self._whole}, indent=1)
        with suppress(
            OSError
        ):  # they are offered again after the next start, and the hub says that it has them
            replace_file(self._matches / MEMORY, f"{text}\n".encode())
