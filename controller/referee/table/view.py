"""What was agreed for a table, and what its board shows."""

from typing import Final

from controller.referee.table.settings import End
from controller.referee.table.state import Table
from controller.referee.weighing.proof import BOARD
from controller.rules.position import Position
from controller.rules.profile.conduct import Conduct, Party

PLAYERS: Final = frozenset({Party.MOVER, Party.OPPONENT})


def conduct_of(table: Table) -> Conduct:
    """How the table behaves, by the rules of the game being played."""
    return table.match.game.profile.conduct


def audience(table: Table) -> frozenset[Party]:
    """Whom the device may tell of an illegal play."""
    return conduct_of(table).may_tell(consent=table.consent)


def ends_of(table: Table) -> frozenset[End]:
    """What may end a turn at this table."""
    return table.settings.ending(conduct_of(table).turn_ends_by(clock_in_use=table.settings.clock))


def mover_of(table: Table) -> str:
    """Whose turn it is, for a message; empty while that is not known."""
    return str(table.on_turn or "")


def at_rest(table: Table) -> bool:
    """Whether the last picture showed the board at rest."""
    return bool(table.rests) and table.rests[-1].until is None


def shows(table: Table, position: Position) -> bool:
    """Whether the board at rest may well show this position.

    A single picture must not contradict it for certain anywhere on the board.
    """
    if not at_rest(table):
        return False
    lies, caution = table.rests[-1].lies, table.caution
    places = lies.by_place(position)
    once = lies.readings < caution.readings
    return float(places.sum()) > -caution.fits and not (once and float(places[:BOARD].min()) < -caution.lead)


def differences(table: Table, position: Position) -> tuple[int, ...]:
    """The points (1..24) at which the board, as it was seen last, does not look like this position."""
    lies = table.rests[-1].lies.by_place(position)[:24]
    return tuple(point for point in range(1, 25) if lies[point - 1] < -table.caution.witness)
