"""A board whose checkers may be laid anywhere, as one side sees it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.rules.moves.plays import play_between, results
from controller.rules.notation import BAR, OFF
from controller.rules.position import Position, Roll, Side

HOME: Final = 6
POINTS: Final = range(1, BAR)
ROLLS: Final = tuple(Roll(high, low) for high in range(1, 7) for low in range(1, high + 1))


@dataclass(slots=True)
class Facing:
    """The checkers in the numbering of one side, which moves from 24 to 1.

    ``own[25]`` is its bar, ``own[0]`` what it has borne off; ``other[0]`` is the other side's bar, ``other[25]`` what
    that has borne off.
    """

    side: Side
    own: list[int]
    other: list[int]

    @classmethod
    def of(cls, position: Position, side: Side) -> "Facing":
        """The position as ``side`` sees it."""
        seen = position if side is Side.LIGHT else position.mirrored()
        own = [seen.off(Side.LIGHT), *(max(count, 0) for count in seen.points), seen.bar(Side.LIGHT)]
        other = [seen.bar(Side.DARK), *(max(-count, 0) for count in seen.points), seen.off(Side.DARK)]
        return cls(side, own, other)

    def position(self) -> Position | None:
        """The position it is; None where checkers of both sides lie on one point, or fewer than none anywhere."""
        if min(*self.own[1:], *self.other[:BAR]) < 0 or any(self.own[at] and self.other[at] for at in POINTS):
            return None
        counts = [self.own[at] - self.other[at] for at in POINTS]
        seen = Position.seen(counts, self.own[BAR], self.other[0])
        return seen if self.side is Side.LIGHT else seen.mirrored()

    def copy(self) -> "Facing":
        """Another one to move checkers on."""
        return Facing(self.side, self.own.copy(), self.other.copy())

    def moved(self, source: int, target: int) -> "Facing":
        """The board after one own checker went from place to place; all others on its target go to the bar."""
        after = self.copy()
        after.own[source] -= 1
        after.own[target] += 1
        if target not in (OFF, BAR):
            after.other[0] += after.other[target]
            after.other[target] = 0
        return after

    def other_moved(self, source: int, target: int) -> "Facing":
        """The board after one of the other side's checkers went from place to place (0: its bar, 25: off)."""
        after = self.copy()
        after.other[source] -= 1
        after.other[target] += 1
        return after

    def is_open(self, target: int) -> bool:
        """Whether an own checker may land on a point."""
        return 1 <= target <= 24 and self.other[target] < 2

    @property
    def all_home(self) -> bool:
        """Whether no own checker is outside the home board."""
        return not any(self.own[HOME + 1 :])

    def stepped(self, number: int) -> Iterator["Facing"]:
        """The boards after one legal step with a number, as if it were the only one."""
        sources = [BAR] if self.own[BAR] else [at for at in range(24, 0, -1) if self.own[at]]
        for source in sources:
            target = source - number
            if self.is_open(target) or (target <= 0 and self._bears_off(source, number)):
                yield self.moved(source, max(target, OFF))

    def _bears_off(self, source: int, number: int) -> bool:
        return self.all_home and (source == number or not any(self.own[source + 1 :]))


def board_point(place: int, side: Side) -> int:
    """A point (1..24) as light counts it, from the numbering of ``side``; and back."""
    return place if side is Side.LIGHT else BAR - place


def lawful(position: Position, side: Side, roll: Roll) -> list[Position]:
    """The boards after every legal play of a roll; the position alone where nothing can be played."""
    return [Position(code) for code in sorted(results(position, side, roll)[0])]


def can_play(position: Position, side: Side, roll: Roll) -> bool:
    """Whether anything of the roll can be played."""
    return lawful(position, side, roll) != [position]


def is_closed_out(position: Position, side: Side) -> bool:
    """Whether no roll at all would let ``side`` move."""
    return not any(can_play(position, side, Roll.from_dice(die, die)) for die in range(1, 7))


def way(before: Position, side: Side, roll: Roll, after: Position) -> list[Position]:
    """The boards after each step of a legal play that leads there, the last one included."""
    board, boards = Facing.of(before, side), list[Position]()
    for move in play_between(before, side, roll, after) or ():
        board = board.moved(move.source, move.target)
        position = board.position()
        assert position is not None
        boards.append(position)
    return boards


def changed_points(before: Position, after: Position) -> list[int]:
    """The points, as light counts them, on which the two differ."""
    pairs = zip(before.points, after.points, strict=True)
    return [point for point, (old, new) in enumerate(pairs, start=1) if old != new]
