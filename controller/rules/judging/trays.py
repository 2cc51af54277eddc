"""The trays: borne-off checkers as they were counted, and what that says of checkers that left the board."""

from dataclasses import dataclass
from enum import StrEnum

from controller.rules.position import Position, Side


@dataclass(frozen=True, slots=True)
class Trays:
    """How many borne-off checkers of each side were counted; `None` where nobody could count them."""

    light: int | None = None
    dark: int | None = None

    def of(self, side: Side) -> int | None:
        """The count of one side."""
        return self.light if side is Side.LIGHT else self.dark


class Whereabouts(StrEnum):
    """Where the checkers of a side are that a position does not show."""

    OFF = "off"
    """All in the tray: together with those on the board they are fifteen."""
    MISSING = "missing"
    """Not all in the tray: it holds too few."""
    UNKNOWN = "unknown"
    """The tray was not counted, or more were counted than there can be."""


def locate_rest(trays: Trays, position: Position, side: Side) -> Whereabouts:
    """Where the checkers of `side` are that are neither on the points nor on the bar of `position`."""
    counted = trays.of(side)
    if counted is None or counted > position.off(side):
        return Whereabouts.UNKNOWN
    return Whereabouts.OFF if counted == position.off(side) else Whereabouts.MISSING
