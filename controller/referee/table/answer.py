"""What one step of the table's referee answers."""

from dataclasses import replace
from typing import Any

from controller.referee.actions import Action, Message, Told
from controller.referee.table.state import Table
from controller.rules.reasons import Argument


class Answer:
    """The table as it changes, and the actions in their order; lives for one step, which stays pure outside.

    Attributes:
        table: what the referee knows by now.
        actions: what is to be done.
    """

    __slots__ = ("actions", "table")

    def __init__(self, table: Table) -> None:
        """Nothing has changed yet."""
        self.table = table
        self.actions: list[Action] = []

    def change(self, **changes: Any) -> None:
        """Set fields of the table."""
        self.table = replace(self.table, **changes)

    def do(self, *actions: Action) -> None:
        """Have something done."""
        self.actions += actions

    def tell(self, message: Message, **arguments: Argument) -> None:
        """Say something to everybody."""
        self.actions.append(Told(self.table.t, message, arguments))

    def refuse(self) -> None:
        """Say that this makes no sense now."""
        self.tell(Message.NOT_NOW)

    def ask(self, points: tuple[int, ...], message: Message = Message.LOOK, **arguments: Argument) -> None:
        """Ask a person to look at these points; once, until something else is asked."""
        warning = (message, points)
        if self.table.warned != warning:
            self.change(warned=warning)
            self.tell(message, points=list(points), **arguments)
