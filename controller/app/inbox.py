"""What happens at a table comes from several threads; here it waits in line for the one that steps."""

import threading
import time
from contextlib import suppress
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
        self._bell = threading.Lock()  # free while something may have come that nobody has looked for
        self._woken = self._closed = False

    def put(self, event: Event, shot: TurnPicture | None = None) -> None:
        """Something happened; for whoever need not know that it is written down."""
        if not self._closed:
            self._items.put(Item(event, shot=shot))
            self._ring()

    def hand_in(self, event: Event, mark: EventMark) -> None:
        """Something happened at the board; returns when it is on the disk.

        Raises:
            NotTakenError: if that took too long, so that it comes again.
        """
        item = Item(event, mark)
        if not self._closed:
            self._items.put(item)
            self._ring()
        if self._closed or not item.taken.wait(WRITE_S):
            raise NotTakenError("the table is busy or closing")

    def get(self, timeout_s: float) -> Item | None:
        """The next that happened, None if nothing does for so many seconds, or at `wake`.

        `SimpleQueue.get` with a time limit may wait for ever after a signal, so it is not asked to wait.
        """
        until = time.monotonic() + timeout_s
        while not self._woken:
            try:
                return self._items.get_nowait()
            except Empty:
                left = until - time.monotonic()
            if left <= 0 or not self._bell.acquire(timeout=left):
                break
        self._woken = False
        return None

    def wake(self) -> None:
        """Let whoever waits in `get` go on at once; a signal's handler may do this, too."""
        self._woken = True
        self._ring()

    def _ring(self) -> None:
        with suppress(RuntimeError):
            self._bell.release()

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return self._items.empty()

    def close(self) -> None:
        """Nothing is taken in any more."""
        self._closed = True
