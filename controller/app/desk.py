"""The desk of a live table: everything that happens comes in here, one after the other, and is written down before it
acts.
"""

from collections.abc import Callable, Iterable
from dataclasses import fields

from controller.devices.link.happenings import EventMark
from controller.record.gallery import Shot
from controller.record.inputs import input_from, input_record
from controller.record.journal import Event as Written
from controller.record.tablebook import TableBook
from controller.record.transcript import Facts
from controller.referee.table.actions import Action
from controller.referee.table.events import Event, Ticked
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table, begin

Step = Callable[[Table, Event], tuple[Table, tuple[Action, ...]]]
CarryOut = Callable[[Action], None]
Follow = Callable[[Iterable[Written]], None]


class Desk:
    """Takes the events of one table. For one thread: whoever has several puts a queue before it.

    Attributes:
        table: what the referee knows.
        book: the record of the match.
    """

    def __init__(
        self,
        table: Table,
        book: TableBook,
        step: Step,
        carry_out: CarryOut = lambda _: None,
        follow: Follow = lambda _: None,
    ) -> None:
        """The desk of a table whose record was begun; see `open`.

        Args:
            table: where the match stands.
            book: its record.
            step: the referee.
            carry_out: is given each action when it is on the disk.
            follow: is given the events of the journal as they are written, such as for `events.jsonl`.
        """
        self.table, self.book = table, book
        self._step, self._carry_out, self._follow = step, carry_out, follow

    @classmethod
    def open(
        cls,
        settings: Settings,
        book: TableBook,
        step: Step,
        carry_out: CarryOut = lambda _: None,
        follow: Follow = lambda _: None,
        *,
        names: tuple[str, str] = ("", ""),
        facts: Facts | None = None,
        t: float = 0.0,
    ) -> "Desk":
        """A new match; ``names`` are light's and dark's, ``t`` is now."""
        follow(book.begin(*names, settings, facts or Facts()))
        return cls(begin(settings, t), book, step, carry_out, follow)

    def put(
        self, event: Event, *, mark: EventMark | None = None, shot: Shot | None = None
    ) -> tuple[Action, ...]:
        """Something happened; returns what came of it, which is on the disk by then and has been carried out.

        A tick that changes nothing is forgotten: neither the journal nor the table knows of it.

        Args:
            event: what happened; the referee is told it as the journal keeps it, rounded.
            mark: the name that the board's electronics gave it.
            shot: the picture that a `FrameSeen` or `FrameMoving` is about.
        """
        if shot is not None:
            self.book.saw(shot)
        told = input_from(input_record(event))
        table, actions = self._step(self.table, told)
        if isinstance(told, Ticked) and not actions and _same(self.table, table):
            return ()
        written = self.book.write(told, mark, actions)
        self.table = table
        self._follow(written)
        for action in actions:
            self._carry_out(action)
        return actions


def _same(one: Table, other: Table) -> bool:
    """Whether nothing but the time is different."""
    return all(
        getattr(one, item.name) is getattr(other, item.name) for item in fields(one) if item.name != "t"
    )
