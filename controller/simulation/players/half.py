"""A position as its mover sees it, on which anything can be moved, whatever the rules say."""

from dataclasses import dataclass
from typing import Self

from controller.rules.position import CHECKERS, Position, Side

BAR, OFF = 25, 0


@dataclass(slots=True)
class Half:
    """Checkers of the mover by place (25: bar, 1..24, 0: off) and the opponent's, both in the mover's numbering.

    ``other[0]`` is the opponent's bar, ``other[25]`` what it has borne off.
    """

    side: Side
    own: list[int]
    other: list[int]

    @classmethod
    def of(cls, position: Position, side: Side) -> Self:
        """The view of ``side``."""
        facing = position if side is Side.LIGHT else position.mirrored()
        own = [0, *(max(count, 0) for count in facing.points), facing.bar(Side.LIGHT)]
        other = [facing.bar(Side.DARK), *(max(-count, 0) for count in facing.points), 0]
        own[OFF], other[BAR] = CHECKERS - sum(own), CHECKERS - sum(other)
        return cls(side, own, other)

    def copy(self) -> Self:
        """Another one to move on."""
        return type(self)(self.side, self.own.copy(), self.other.copy())

    def position(self) -> Position | None:
        """The position it is; None where both sides stand on one point, or more than fifteen are about."""
        if any(own and other for own, other in zip(self.own[1:25], self.other[1:25], strict=True)):
            return None
        if min(self.own) < 0 or min(self.other) < 0:
            return None
        points = [own - other for own, other in zip(self.own[1:25], self.other[1:25], strict=True)]
        facing = Position.seen(points, self.own[BAR], self.other[0])
        return facing if self.side is Side.LIGHT else facing.mirrored()
