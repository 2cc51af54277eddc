"""The hall as its pages see it: every table as it is now, what needs the director, and what was stored."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from controller.club.messages import TableReply
from controller.record.journal.journal import Json, Row

Snapshot = Mapping[str, Json]
"""The state of a table's screen as `hardware_docs/live.md` describes it."""


class TableFault(StrEnum):
    """What is wrong between a table and the hub; the most urgent first."""

    OTHER_CHAIN = "other_chain"
    """An entry came that contradicts the one stored: a restored card, or a forgery."""
    ENTRY_REFUSED = "entry_refused"
    """An entry came that the store cannot keep: what follows on it does not arrive."""
    TWO_TABLES = "two_tables"
    """Two tables use one name."""
    NOT_ACCEPTED = "not_accepted"
    """The table is connected, and none of its entries arrive."""
    SILENT = "silent"
    """Nothing was heard for a while."""
    BEHIND = "behind"
    """Entries are missing that the table says it has."""
    TOO_MUCH = "too_much"
    """More comes from it than a table ever needs; what is over is left alone."""
    UNREADABLE = "unreadable"
    """Something came that cannot be read."""
    CLOCK = "clock"
    """The table's clock is wrong."""


FAULTS: Final = {fault: number for number, fault in enumerate(TableFault)}


@dataclass(frozen=True, slots=True)
class TableFaultSeen:
    """A fault of a table.

    Attributes:
        fault: which.
        since_ms: since when, milliseconds since 1970 by the hub's clock.
        arguments: what its sentence names, such as ``journal``, ``event``, ``seconds``.
    """

    fault: TableFault
    since_ms: int
    arguments: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TableShown:
    """One table, as the hub knows it.

    Attributes:
        name: in addresses, such as ``table-7``.
        title: what people call it.
        up: whether it is connected.
        heard_ms: when anything of it was heard last.
        journal: the match that is being played; empty without one.
        events: the number of the newest stored entry of that journal.
        screen: what any spectator may see; None if it has not shown anything yet.
        desk: what the director may see, likewise; its ``matters`` need them.
        faults: what is wrong with it, the most urgent first.
        version, pages: of its program, and the address of its own pages.
        authority: who vouches for those pages, as the table itself has said since the hub began, PEM; else empty.
        since_ms: when what the table shows was sent, by the hub's clock.
        told: the number of the newest entry of that journal that the table says it has.
    """

    name: str
    title: str
    up: bool
    heard_ms: int
    journal: str = ""
    events: int = 0
    screen: Snapshot | None = None
    desk: Snapshot | None = None
    faults: tuple[TableFaultSeen, ...] = ()
    version: str = ""
    pages: str = ""
    authority: str = ""
    since_ms: int = 0
    told: int = 0


class HubFault(StrEnum):
    """What is wrong with the hub itself."""

    BROKER = "broker"
    """The broker cannot be reached: no table is heard."""
    TAKEN_OVER = "taken_over"
    """Somebody else logs in to the broker under the hub's name, and ends its connection each time."""
    STORE = "store"
    """The store takes nothing, for a reason that has no name here."""
    STORE_FULL = "store_full"
    """The disk of the store is full."""
    STORE_LOCKED = "store_locked"
    """Another program is writing to the store."""
    STORE_READ_ONLY = "store_read_only"
    """The store or its folder cannot be written."""
    STORE_DISK = "store_disk"
    """The disk of the store does not answer."""
    STORE_DAMAGED = "store_damaged"
    """The file of the store is damaged."""


@dataclass(frozen=True, slots=True)
class HubTrouble:
    """Something that is wrong with the hub itself, until it is mended.

    Attributes:
        fault: what.
        since_ms: since when, milliseconds since 1970.
        reason: what the broker, the disk or the server said; or the name that was taken, and from where.
    """

    fault: HubFault
    since_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An entry of a table's journal in the hub's store.

    Attributes:
        number: counts all entries of a table in the order in which the hub stored them, from 1 on.
        journal: the match.
        row: the entry.
        stored_ms: when the hub stored it.
    """

    number: int
    journal: str
    row: Row
    stored_ms: int


def table_order(name: str) -> tuple[str, int, str]:
    """Sorts table-10 after table-9."""
    word = name.rstrip("0123456789")
    number = name[len(word) :]
    return word, int(number or 0), name


class Hall(Protocol):
    """All tables. Every method may be called from any thread."""

    def tables(self) -> tuple[TableShown, ...]:
        """Every table that was ever heard, by name."""

    def troubles(self) -> tuple[HubTrouble, ...]:
        """What is wrong with the hub itself; empty while all is well."""

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """Call ``hear`` with each change of a table from now on; it has to return at once and never raise."""

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        """Stored entries of a table after a number, in their order; only those of one journal where it is named."""

    def newest_number(self, table: str) -> int:
        """The number of the newest stored entry of a table; 0 if there is none."""

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        """The journals of a table of which entries are stored, the newest first."""

    def ask(
        self,
        table: str,
        body: Mapping[str, Json],
        *,
        by: str,
        name: str,
        seen: int | None = None,
        command: str = "",
    ) -> "Future[TableReply]":
        """Send a command to a table, signed by the hub.

        Args:
            table: its name.
            body: ``what`` and its keys.
            by: ``director``, ``light`` or ``dark``.
            name: who that is, for the record.
            seen: the newest entry of the journal that whoever asks had seen.
            command: its own name, so that it counts once; a new one if empty.

        Raises:
            UserError: through the future, if the table is not there or does not answer in time.
        """


def table_title(hall: Hall, name: str) -> str:
    """What people call the table of a name."""
    found = find_table(hall, name)
    return name if found is None else found.title or name


def find_table(hall: Hall, name: str) -> TableShown | None:
    """The table of a name; None if the hall has none of it."""
    return next((each for each in hall.tables() if each.name == name), None)
