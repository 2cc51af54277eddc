"""The sending side of an uplink, before another hub that comes and goes at the worst of moments."""

from collections.abc import Callable, Mapping, Sequence

from controller.club.messages import Confirmation
from controller.hub.hall import TableShown
from controller.hub.uplink.other_hub import Heads, OutgoingPart, Place, SilentHubError
from controller.hub.uplink.uplink import Uplink
from controller.record.journal.journal import Row
from tests.hub.hubs import until
from tests.hub.plain_tables import PlainTable


class OneTable:
    """The hub of a club with one table."""

    club = "club"

    def __init__(self, table: PlainTable) -> None:
        self._table = table
        self._hear: list[Callable[[TableShown], None]] = []

    def newest(self) -> Mapping[Place, int]:
        return {(self._table.name, self._table.journal): len(self._table.rows)}

    def rows(self, table: str, journal: str, *, after: int, most: int) -> Sequence[Row]:
        assert (table, journal) == (self._table.name, self._table.journal)
        return [tuple(row) for row in self._table.rows[after : after + most]]

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        self._hear.append(hear)

    def write(self, count: int) -> None:
        self._table.write(count)
        for hear in self._hear:
            hear(TableShown(self._table.name, "Board 1", up=True, heard_ms=0))


class LeavingHub:
    """Another hub that answers over a connection made for the first question, and is gone after that."""

    name, largest = "far.example", 1 << 20

    def __init__(self) -> None:
        self.sent: list[int] = []
        self._questions, self._new = 0, False

    def begin(self, club: str, wake: Callable[[], None]) -> None:
        """Nothing to be done."""

    def heads(self, places: Sequence[Place]) -> Heads:
        self._questions += 1
        if not self.sent:
            self._new = self._questions == 1
            return Heads(dict.fromkeys(places, 0), 0)
        raise SilentHubError("The hub far.example does not answer.")

    def send(self, parts: Sequence[OutgoingPart]) -> Sequence[int]:
        self.sent += [row[0] for each in parts for row in each.part.rows]
        return [1] * len(parts)

    def confirmations(self) -> Sequence[tuple[str, Confirmation]]:
        return ()

    def forgot(self) -> bool:
        new, self._new = self._new, False
        return new

    def close(self) -> None:
        """Nothing to be done."""


def test_what_comes_after_a_federation_left_is_sent_although_the_connection_was_new() -> None:
    table, other = PlainTable("table-1").write(3), LeavingHub()
    source = OneTable(table)
    with Uplink(source, other, lambda _: None):
        until(lambda: other.sent == [1, 2, 3])
        source.write(2)
        until(lambda: other.sent == [1, 2, 3, 4, 5], 10)
