"""How much waits to be written to the hub's store, in all and of each table; it is bounded in number and in bytes."""

import threading
from typing import Final

MOST_WAITING: Final = 20_000
"""This many entries wait at most; tables send what was left out again."""
MOST_OF_TABLE: Final = 5_000
"""This many of one table."""
MOST_BYTES: Final = 64_000_000
"""So much room what waits takes at most."""
MOST_BYTES_OF_TABLE: Final = 16_000_000
"""So much what waits of one table."""
OF_TASK: Final = 1_000
"""What waits takes so much room beside its texts."""


class WaitingWork:
    """Counts what waits. Every method may be called from any thread.

    Attributes:
        entries: how many.
    """

    def __init__(self) -> None:
        """Nothing waits."""
        self.entries = self._bytes = 0
        self._of_tables: dict[str, tuple[int, int]] = {}
        self._turn = threading.Lock()

    def take_in(self, table: str, entries: int, size: int) -> bool:
        """Whether there is room for something more of a table, which waits then; an empty name: of the hub itself."""
        room = size + OF_TASK
        with self._turn:
            there, taken = self._of_tables.get(table, (0, 0)) if table else (0, 0)
            if there + entries > MOST_OF_TABLE or taken + room > MOST_BYTES_OF_TABLE:
                return False
            if self.entries + entries > MOST_WAITING or self._bytes + room > MOST_BYTES:
                return False
            self.entries += entries
            self._bytes += room
            if table:
                self._of_tables[table] = there + entries, taken + room
        return True

    def let_go(self, table: str, entries: int, size: int) -> None:
        """What waited is written now."""
        room = size + OF_TASK
        with self._turn:
            self.entries -= entries
            self._bytes -= room
            if table:
                there, taken = self._of_tables.pop(table)
                if taken > room:
                    self._of_tables[table] = there - entries, taken - room
