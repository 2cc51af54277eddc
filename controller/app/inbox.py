"""What happens at a table comes from several threads; here it waits in line for the one that steps."""

import threading
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from controller.devices import EventMark
from controller.record import TurnPicture
from controller.referee import Event

WRITE_S = 2.0
"""How long somebody waits for an event to be written down."""


class NotTakenError(Exception):
    """An event was not written down in time, or the table is closing; it is to be told again later."""


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """Something that happened.

    Attributes:
        event: what.
        mark: the name that the board's electronics gave it.
        shot: the picture that it is about.
        taken: set when it is on the disk.
    """

    event: Event
    mark: EventMark | None = None
    shot: TurnPicture | None = None
    taken: threading.Event = field(default_factory=threading.Event)


class Inbox:
    """Any thread may put something in; one takes it out."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Item] = SimpleQueue()
        self._closed = False

    def put(self, event: Event, shot: TurnPicture | None = None) -> None:
        """Something happened; for whoever need not know that it is written down."""
        if not self._closed:
            self._items.put(Item(event, shot=shot))

    def hand_in(self, event: Event, mark: EventMark) -> None:
        """Something happened at the board; returns when it is on the disk.

        Raises:
            NotTakenError: if that took too long, so that it comes again.
        """
        item = Item(event, mark)
        if not self._closed:
            self._items.put(item)
        if self._closed or not item.taken.wait(WRITE_S):
            raise NotTakenError("the table is busy or closing")

    def get(self, timeout_s: float) -> Item | None:
        """The next that happened, None if nothing does for so many seconds."""
        try:
            return self._items.get(timeout=timeout_s)
        except Empty:
            return None

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return self._items.empty()

    def close(self) -> None:
        """Nothing is taken in any more."""
        self._closed = True
