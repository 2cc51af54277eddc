"""Who may come in from the network, and by which code a phone becomes the director's."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from controller.web.wire.one_time_code import OneTimeCode


class Admission(StrEnum):
    """Whom a table lets in that comes from another machine."""

    OPEN = "open"
    """Everybody, each to what they may see."""
    NEW = "new"
    """Nobody has chosen the director's PIN: the phone with the table's code, and nobody else."""
    CLOSED = "closed"


def _forget(_: str) -> None:
    """Keep nothing."""


@dataclass(slots=True)
class WelcomeDesk:
    """Says who may come in from another machine. For the thread of the web server.

    Attributes:
        code: by which a phone may choose the director's PIN, the first one or another one.
        opened: whether others may come in, as the configuration says; None where it leaves that open: then a table is
            open to the code until it has a director.
        welcomed: is told the language of a phone that has chosen the first PIN; it opens the table.
        knows_board: tells whether the table was set up before, if only at its own screen.
    """

    code: OneTimeCode
    opened: bool | None = None
    welcomed: Callable[[str], None] = _forget
    knows_board: Callable[[], bool] = bool

    def admission(self, *, has_director: bool) -> Admission:
        """Whom the table lets in now."""
        if self.opened:
            return Admission.OPEN
        return Admission.NEW if self.opened is None and not has_director else Admission.CLOSED
