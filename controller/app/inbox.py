"""What happens at a table comes from several threads; here it waits in line for the one that steps."""

import contextvars
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, Final, Generic, TypeVar

from controller.devices import EventMark
from controller.errors import UserError
from controller.record import TurnPicture
from controller.referee import Event

WRITE_S = 2.0
"""How long somebody waits for an event to be written down."""

Outcome = TypeVar("Outcome")

_LOGGER: Final = logging.getLogger(__name__)


class NotTakenError(Exception):
    """An event was not written down in time, or the table is closing; it is to be reported again later."""


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


class Errand(Generic[Outcome]):
    """Something that is to be done by the thread that steps; whoever asked hears of it by ``outcome``."""

    def __init__(self, do: Callable[[], Outcome]) -> None:
        """Nothing is done yet."""
        self._do, self._context = do, contextvars.copy_context()
        self.outcome: Future[Outcome] = Future()

    def run(self) -> None:
        """Do it."""
        if not self.outcome.set_running_or_notify_cancel():
            return
        try:
            self.outcome.set_result(self._context.run(self._do))
        except UserError as error:
            self.outcome.set_exception(error)
        except Exception as error:  # noqa: BLE001 - logged where it was asked for
            self._context.run(_LOGGER.exception, "A defect while something was done that somebody asked for.")
            self.outcome.set_exception(error)

    def refuse(self) -> None:
        """Leave it undone, because the table closes."""
        if self.outcome.set_running_or_notify_cancel():
            self.outcome.set_exception(NotTakenError("the table is closing"))


class Inbox:
    """Any thread may put something in; one takes it out."""

    def __init__(self) -> None:
        self._items: SimpleQueue[Item | Errand[Any]] = SimpleQueue()
        self._revised: deque[Item | Errand[Any]] = deque()
        self._bell = threading.Lock()  # free while something may have come that nobody has looked for
        self._woken = self._closed = False
        self._order = threading.Lock()
        self._looking = False
        self._after_look: list[Item] = []
        self._got_at: float | None = None

    def put(self, event: Event, shot: TurnPicture | None = None) -> None:
        """Something happened; for whoever need not know that it is written down."""
        if not self._closed:
            self._take_in(Item(event, shot=shot))

    @contextmanager
    def looking(self) -> Iterator[None]:
        """A picture is being read as long as the block lasts, which may be seconds; what it shows is put in there."""
        with self._order:
            self._looking = True
        try:
            yield
        finally:
            with self._order:
                self._looking = False
                waited, self._after_look = self._after_look, []
                for item in waited:
                    self._take_in(item)

    def line_up(self, event: Event) -> bool:
        """Put something in that happened now, behind what was seen before; False if nothing was, and it is not in.

        Else a roll would come before the pictures that show how the turn before it ended.
        """
        with self._order:
            if self._closed or not (self._looking or not self.empty):
                return False
            if self._looking:
                self._after_look.append(Item(event))
            else:
                self._take_in(Item(event))
        return True

    def hand_in(self, event: Event, mark: EventMark) -> None:
        """Something happened at the board; returns when it is on the disk.

        Raises:
            NotTakenError: if that took too long, so that it comes again.
        """
        item = Item(event, mark)
        if not self._closed:
            self._take_in(item)
        if self._closed or not item.taken.wait(WRITE_S):
            raise NotTakenError("the table is busy or closing")

    def ask(self, do: Callable[[], Outcome]) -> "Future[Outcome]":
        """Have something done by the thread that steps; its outcome, or what it raises, comes by the future."""
        errand = Errand(do)
        self._take_in(errand)
        if self._closed:
            self._refuse_all()
        return errand.outcome

    def wake(self) -> None:
        """Have `get` return at once; safe to call from a signal's handler."""
        self._woken = True
        self._ring()

    def get(self, timeout_s: float) -> Item | Errand[Any] | None:
        """The next that happened, None if nothing does for this many seconds, or if somebody woke it.

        `SimpleQueue.get` with a time limit may wait for ever after a signal, so it is not asked to wait.
        """
        until = time.monotonic() + timeout_s
        try:
            while not self._woken:
                with suppress(IndexError):
                    return self._revised.popleft()
                try:
                    return self._items.get_nowait()
                except Empty:
                    left = until - time.monotonic()
                if left <= 0 or not self._bell.acquire(timeout=left):
                    break
            self._woken = False
            return None
        finally:
            self._got_at = time.monotonic()

    def revise(self, change: Callable[[Item], Item | None]) -> None:
        """Change what waits, in its order; for the thread that takes it out. None leaves an item out."""
        waiting = [*self._revised]
        self._revised.clear()
        with suppress(Empty):
            while True:
                waiting.append(self._items.get_nowait())
        for each in waiting:
            item = change(each) if isinstance(each, Item) else each
            if item is not None:
                self._revised.append(item)
        with self._order:
            changed = [change(each) for each in self._after_look]
            self._after_look = [item for item in changed if item is not None]
        self._ring()

    def _take_in(self, item: Item | Errand[Any]) -> None:
        self._items.put(item)
        self._ring()

    def _ring(self) -> None:
        with suppress(RuntimeError):
            self._bell.release()

    @property
    def empty(self) -> bool:
        """Whether nothing waits."""
        return not self._revised and self._items.empty()

    @property
    def waiting(self) -> int:
        """How much waits."""
        return len(self._revised) + self._items.qsize()

    @property
    def behind_s(self) -> float:
        """For how many seconds whoever takes out has been busy with one thing while another waits; else 0."""
        got_at = self._got_at
        return 0.0 if got_at is None or self.empty else time.monotonic() - got_at

    def close(self) -> None:
        """Take nothing in any more; whoever still waits for an outcome learns that the table closes."""
        self._closed = True
        self._refuse_all()

    def _refuse_all(self) -> None:
        while not self.empty:
            item = self.get(0.0)
            if isinstance(item, Errand):
                item.refuse()
