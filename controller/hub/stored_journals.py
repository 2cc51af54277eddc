"""The journals in the hub's store: what follows on is added, and what contradicts is put beside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, func, insert, select

from controller.club.messages import ENTRY_REFUSED, Confirmation, EntryRefusal, JournalPart
from controller.hub.schema import CONTRADICTION, ENTRY
from controller.record.journal.journal import Row

OTHER_CHAIN: Final = "other_chain"
"""The fault of a confirmation, see `Confirmation`."""
MOST_REMEMBERED: Final = 10_000
"""Of so many journals it is remembered where they end; of others it is looked up."""
OF_ENTRY: Final = 300
"""Bytes of an entry in the store beside its texts."""


@dataclass(frozen=True, slots=True)
class PartKept:
    """What became of something that a table sent.

    Attributes:
        table: which.
        confirmation: the answer to the table, now that the part is on the disk.
        told: the newest number that the part held; 0 if it was only asked how far the journal is there.
        stored: how many entries are new.
        contradicting: the number of the first entry that contradicts the store; 0 if none does.
        size: about how many bytes were written.
    """

    table: str
    confirmation: Confirmation
    told: int = 0
    stored: int = 0
    contradicting: int = 0
    size: int = 0


class StoredJournals:
    """Writes entries, and remembers where each journal ends; all of it in the store's own thread."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        """Nothing is remembered yet. ``now_ms`` tells milliseconds since 1970."""
        self._now_ms = now_ms
        self._heads: dict[tuple[str, str], tuple[int, str]] = {}
        self._numbers: dict[str, int] = {}
        self._refused: dict[tuple[str, str], EntryRefusal] = {}

    def forget(self) -> None:
        """Look up anew where each journal ends, since what was written last is not in the store."""
        self._heads.clear()
        self._numbers.clear()

    def newest(self, table: str, journal: str) -> int:
        """The number of the newest entry as far as it is remembered; 0 if it is not."""
        return self._heads.get((table, journal), (0, ""))[0]

    def keep(self, connection: Connection, table: str, part: JournalPart) -> PartKept:
        """Store what is new of a part that is whole, up to the entry that cannot be kept."""
        upto, chain = self._head(connection, table, part.journal)
        told, first, refused, place = part.last, part.first, part.refused, (table, part.journal)
        if not first:
            self._refused.pop(place, None)  # the table begins anew, and tries again
        known = self._refused.get(place)
        if not first or first > upto + 1:
            # What follows on a refused entry, and was under way with it.
            known = known if known is not None and known.number == upto + 1 else None
            fault = "" if known is None else ENTRY_REFUSED
            return PartKept(table, Confirmation(part.journal, upto, chain, fault, known), told)
        apart = self._first_apart(connection, table, part, upto, chain)
        if not apart and refused is not None and refused.number <= upto:
            apart = refused.number
        if apart:
            beside = [row for row in part.rows if row[0] >= apart]
            new = self._put_beside(connection, table, part.journal, beside)
            told_back = Confirmation(part.journal, upto, chain, OTHER_CHAIN)
            return PartKept(table, told_back, told, contradicting=apart, size=rows_size(new))
        rows = [row for row in part.rows if row[0] > upto]
        if rows:
            self._append(connection, table, part.journal, rows)
            upto, chain = rows[-1][0], rows[-1][-1]
            self._heads[place] = upto, chain
        if refused is not None:
            self._refused[place] = refused
            drop_first(self._refused, MOST_REMEMBERED)
        fault = "" if refused is None else ENTRY_REFUSED
        told_back = Confirmation(part.journal, upto, chain, fault, refused)
        return PartKept(table, told_back, told, len(rows), size=rows_size(rows))

    def _first_apart(
        self, connection: Connection, table: str, part: JournalPart, upto: int, chain: str
    ) -> int:
        """The number of the first entry that is another one than the stored; 0 if none is.

        An entry that follows on another one than the stored counts, too.
        """
        first = part.first
        if first == upto + 1:
            return 0 if part.before == chain else first
        if not part.rows:
            return first
        last = part.rows[-1][0]
        # A chain vouches for all entries before it: often the newest of those that are there says enough.
        if last >= upto and part.rows[upto - first][-1] == chain:
            return 0
        wanted = select(ENTRY.c.id, ENTRY.c.chain).where(
            ENTRY.c.table_name == table,
            ENTRY.c.journal == part.journal,
            ENTRY.c.id >= first - 1,
            ENTRY.c.id <= last,
        )
        stored = {row.id: row.chain for row in connection.execute(wanted)}
        if stored.get(first - 1, "") != part.before:
            return first
        return next((row[0] for row in part.rows if stored.get(row[0], row[-1]) != row[-1]), 0)

    def _put_beside(
        self, connection: Connection, table: str, journal: str, rows: Sequence[Row]
    ) -> Sequence[Row]:
        """Keep contradicting entries; those that are new."""
        wanted = select(CONTRADICTION.c.id, CONTRADICTION.c.chain).where(
            CONTRADICTION.c.table_name == table, CONTRADICTION.c.journal == journal
        )
        there = {(row.id, row.chain) for row in connection.execute(wanted)}
        new = [row for row in rows if (row[0], row[-1]) not in there]
        if new:
            now = self._now_ms()
            connection.execute(insert(CONTRADICTION), [_values(row, table, journal, now) for row in new])
        return new

    def _append(self, connection: Connection, table: str, journal: str, rows: Sequence[Row]) -> None:
        if table not in self._numbers:
            newest = select(func.max(ENTRY.c.number)).where(ENTRY.c.table_name == table)
            self._numbers[table] = connection.execute(newest).scalar() or 0
        number, now = self._numbers[table], self._now_ms()
        connection.execute(
            insert(ENTRY),
            [
                {**_values(row, table, journal, now), "number": place}
                for place, row in enumerate(rows, start=number + 1)
            ],
        )
        self._numbers[table] = number + len(rows)

    def _head(self, connection: Connection, table: str, journal: str) -> tuple[int, str]:
        """Number and chain of the newest stored entry of a journal; 0 and an empty text for none."""
        known = self._heads.get((table, journal))
        if known is None:
            newest = (
                select(ENTRY.c.id, ENTRY.c.chain)
                .where(ENTRY.c.table_name == table, ENTRY.c.journal == journal)
                .order_by(ENTRY.c.id.desc())
                .limit(1)
            )
            found = connection.execute(newest).first()
            known = (0, "") if found is None else (found.id, found.chain)
            self._heads[table, journal] = known
            drop_first(self._heads, MOST_REMEMBERED)
        return known


def rows_size(rows: Sequence[Row]) -> int:
    """About how many bytes entries take."""
    return sum(OF_ENTRY + sum(len(each) for each in row if isinstance(each, str)) for row in rows)


def drop_first(remembered: dict[Any, Any], most: int) -> None:
    """Forget what was remembered first where more than this many are."""
    if len(remembered) > most:
        del remembered[next(iter(remembered))]


def _values(row: Row, table: str, journal: str, now_ms: int) -> dict[str, Any]:
    number, match, utc, t, kind, payload, chain = row
    return {
        "table_name": table,
        "journal": journal,
        "id": number,
        "match": match,
        "utc": utc,
        "t": t,
        "kind": kind,
        "payload": payload,
        "chain": chain,
        "stored_ms": now_ms,
    }
