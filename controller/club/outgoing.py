"""One journal on its way to the hub: what of it is on the disk, what the hub has, what is to be sent next."""

from enum import StrEnum
from pathlib import Path
from typing import Final

from controller.club.messages import (
    LARGEST,
    MOST_UNCONFIRMED,
    Confirmation,
    EntryFlaw,
    EntryRefusal,
    JournalPart,
    is_too_large,
    journal_name,
)
from controller.record.journal.head import read_head
from controller.record.journal.journal import DamagedJournalError, Journal, JournalError, Row

_FRAME: Final = 120
"""Bytes of a message of entries without its entries."""
_PER_ROW: Final = 180
"""Bytes that an entry takes beside its own text, at most: chain, number, times, kind, quotes."""


class JournalFault(StrEnum):
    """Why a journal does not come any further."""

    OTHER_CHAIN = "other_chain"
    """The hub has another entry under a number of this journal."""
    BEHIND = "behind"
    """The hub has entries of this journal that are no longer on the disk."""
    DAMAGED = "damaged"
    """It cannot be read on the disk."""
    ENTRY_REFUSED = "entry_refused"
    """The hub cannot keep an entry of it."""
    REFUSED = "refused"
    """The hub takes no more of it for a reason that this program does not know."""


class OutgoingJournal:
    """A journal that the hub is to have whole. It is only read, and opened for each look.

    Attributes:
        path: its file.
        name: what it is called between tables.
        newest: the number of its newest entry on the disk.
        confirmed: up to where the hub says that it has it; None while it has said nothing.
        sent: up to where it was sent since.
        fault: why it does not come any further; None if it does.
        refused: the entry that the hub cannot keep, with `JournalFault.ENTRY_REFUSED`; else None.
    """

    def __init__(self, path: Path, first_chain: str, newest: int) -> None:
        """Nothing was sent; see `open`."""
        self.path, self.name, self.newest = path, journal_name(first_chain), newest
        self.confirmed: int | None = None
        self.sent = 0
        self.fault: JournalFault | None = None
        self.refused: EntryRefusal | None = None
        self._testifies = False

    @classmethod
    def open(cls, path: Path) -> "OutgoingJournal | None":
        """The journal in a file; None while it holds no entry or cannot be read."""
        head = read_head(path)
        if head is not None:
            return cls(path, head.first, head.number)
        try:
            with Journal(path, read_only=True) as journal:
                first = journal.chain(1)
                return None if first is None else cls(path, first, journal.head()[0])
        except JournalError:
            return None

    @property
    def upto(self) -> int:
        """Up to where the hub is known to have it."""
        return self.confirmed or 0

    @property
    def waiting(self) -> int:
        """How many entries on the disk the hub is not known to have."""
        return max(0, self.newest - self.upto)

    @property
    def under_way(self) -> int:
        """How many entries were sent and are not confirmed."""
        return max(0, self.sent - self.upto)

    @property
    def stopped(self) -> bool:
        """Whether nothing of it is sent any more."""
        return self.fault not in (None, JournalFault.BEHIND)

    def go_back(self) -> None:
        """Whatever was sent and not confirmed is to be sent again."""
        self.sent = self.upto

    def update_newest(self) -> None:
        """See how far it has come on the disk. A file that is gone or busy for a moment is left for the next look."""
        try:
            with Journal(self.path, read_only=True) as journal:
                self.newest = journal.head()[0]
        except DamagedJournalError:
            self.fault = self.fault or JournalFault.DAMAGED
        except JournalError:
            return

    def next_part(self) -> JournalPart | None:
        """What is to be sent now; None if nothing is, or the hub has to confirm some of it first."""
        room = MOST_UNCONFIRMED - self.under_way
        if (self.stopped and not self._testifies) or room <= 0 or self.sent >= self.newest:
            return None
        try:
            with Journal(self.path, read_only=True) as journal:
                before = journal.chain(self.sent) or ""
                taken, size = list[Row](), _FRAME
                refused: EntryRefusal | None = None
                for row in journal.rows(self.sent):
                    if is_too_large(row):
                        refused = EntryRefusal(row[0], EntryFlaw.SIZE)
                        break
                    size += _PER_ROW + len(row[5].encode()) + 2 * row[5].count('"')
                    if taken and (size > LARGEST or len(taken) >= room):
                        break
                    taken.append(row)
        except DamagedJournalError:
            self.fault = JournalFault.DAMAGED
            return None
        except JournalError:  # for a moment: the disk, or a file that is written anew
            return None
        if not taken and refused is None:
            return None
        self._testifies = False
        self.sent = taken[-1][0] if refused is None else refused.number
        self.newest = max(self.newest, self.sent)
        return JournalPart(self.name, before, tuple(taken), refused)

    def confirm(self, told: Confirmation) -> bool:
        """What the hub says counts, forwards and backwards; whether anything has moved by it."""
        before = (self.confirmed, self.fault)
        if told.fault:
            known = told.fault in set(JournalFault)
            if told.fault == JournalFault.ENTRY_REFUSED and told.refused is None:
                known = False  # it does not say which
            self.fault = JournalFault(told.fault) if known else JournalFault.REFUSED
            self.confirmed, self._testifies = told.upto, False
            self.refused = told.refused if self.fault is JournalFault.ENTRY_REFUSED else None
        else:
            self._believe(told)
        return before != (self.confirmed, self.fault)

    def _believe(self, told: Confirmation) -> None:
        """Go on behind the entry that the hub has, if it is the one that lies here under its number."""
        try:
            with Journal(self.path, read_only=True) as journal:
                self.newest = journal.head()[0]
                own = journal.chain(told.upto) or ""
        except JournalError:
            return
        backwards = told.upto < self.upto
        if told.upto > self.newest:
            # Which entries the hub has under the numbers here, only the hub can see: it is sent the newest, once,
            # and each that is written from now on. Nothing counts as confirmed that it was not sent.
            self.confirmed = self.sent if self.fault is JournalFault.BEHIND else max(0, self.newest - 1)
            self.fault = JournalFault.BEHIND
            self.go_back()
        elif own != told.chain:
            # Sent once more, so that the hub sees for itself and keeps it beside its own.
            self._testifies = self.fault is not JournalFault.OTHER_CHAIN
            self.fault, self.confirmed = JournalFault.OTHER_CHAIN, told.upto - 1
            self.go_back()
        else:
            self.confirmed = told.upto
            if self.fault is not JournalFault.DAMAGED:
                self.fault = self.refused = None
        if backwards:
            self.go_back()
        self.sent = max(self.sent, self.upto)
