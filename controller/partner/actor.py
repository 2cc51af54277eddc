"""The thread in which engines in seats think: the table never waits for them."""

import logging
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Final

from controller.partner.seat import EngineSeat
from controller.referee import Event, Table

_LOGGER: Final = logging.getLogger(__name__)


class SeatActor:
    """Has the seats of engines answer the table; `attend` returns at once, what they say comes by ``put``."""

    def __init__(self, seats: Iterable[EngineSeat], put: Callable[[Event], None]) -> None:
        """``put`` takes what is said; it is called from the thread."""
        self._seats, self._put = tuple(seats), put
        self._tables: SimpleQueue[Table | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="pointsman-seats", daemon=True)
        self._thread.start()

    def attend(self, table: Table) -> None:
        """The table stands so now."""
        if any(seat.waits(table) for seat in self._seats):
            self._tables.put(table)

    def close(self) -> None:
        """Think no more; a thought that is under way is not waited for."""
        self._tables.put(None)

    def _work(self) -> None:
        while (table := self._tables.get()) is not None:
            if not self._tables.empty():
                continue  # the table stands otherwise by now
            for seat in self._seats:
                self._answer(seat, table)
        for seat in self._seats:
            seat.close()

    def _answer(self, seat: EngineSeat, table: Table) -> None:
        try:
            for event in seat.answer(table):
                self._put(event)
        except Exception:
            # People go on without the engine: they roll, play and answer in its name.
            _LOGGER.exception("A defect while an engine was to answer for %s.", seat.side)
