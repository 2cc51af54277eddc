"""What an illegal play starts from, and what it comes to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from controller.rules.moves.movement import MaxDice, MovementRules
from controller.rules.moves.plays import results
from controller.rules.moves.search import results as results_of_numbers
from controller.rules.notation import BAR, OFF
from controller.rules.position import CHECKERS, Position, Roll, Side

HOME = 6


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


@dataclass(frozen=True, slots=True)
class Made:
    """The board after an illegal play.

    Attributes:
        half: how it lies then.
        places: where the wrong was done, in the mover's numbering (25: bar, 0: off).
        labels: the codes that each would be a right name for it; empty for those of its kind.
    """

    half: Half
    places: tuple[int, ...]
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attempt:
    """The board before a roll that is to be played wrongly.

    Attributes:
        half: the board before, as the mover sees it.
        roll: the roll.
        rules: how checkers may be moved.
        legal: the board after each complete legal play.
        used: the numbers that each of those plays uses.
    """

    half: Half
    roll: Roll
    rules: MovementRules
    legal: tuple[Half, ...]
    used: tuple[int, ...]

    @classmethod
    def of(cls, before: Position, side: Side, roll: Roll, rules: MovementRules) -> "Attempt":
        """The attempt that begins here."""
        ends, _ = results(before, side, roll, rules)
        _, used = results_of_numbers(before.code, side is Side.DARK, roll.numbers, _strict(rules))
        legal = tuple(Half.of(Position(code), side) for code in sorted(ends))
        return cls(Half.of(before, side), roll, rules, legal, used)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, the larger first; four for a double."""
        return self.roll.numbers

    def played(self, numbers: tuple[int, ...], start: Half | None = None) -> list[Half]:
        """The boards after legal steps with exactly these numbers; none where one of them cannot be played."""
        half = self.half if start is None else start
        position = half.position()
        if position is None:
            return []
        if not numbers:
            return [half]
        found, used = results_of_numbers(position.code, half.side is Side.DARK, numbers, _strict(self.rules))
        if len(used) < len(numbers):
            return []
        return [Half.of(Position(code), half.side) for code in sorted(found)]

    def but_one(self) -> Iterator[tuple[int, Half]]:
        """Each number that can be left over, with the boards after all others were played legally."""
        for number in dict.fromkeys(self.numbers):
            rest = list(self.numbers)
            rest.remove(number)
            for half in self.played(tuple(rest)):
                yield number, half

    def is_open(self, half: Half, place: int) -> bool:
        """Whether a point is one on which the mover may land."""
        return 1 <= place <= 24 and half.other[place] < self.rules.landing_blocked_at

    def all_home(self, half: Half) -> bool:
        """Whether no checker of the mover is outside its home board."""
        return not any(half.own[HOME + 1 : BAR + 1])


def move_checker(half: Half, source: int, target: int) -> Half:
    """The board after one checker of the mover went from place to place; a blot that it lands on is hit."""
    after = half.copy()
    after.own[source] -= 1
    after.own[target] += 1
    if target not in (OFF, BAR) and after.other[target] == 1:
        after.other[target] -= 1
        after.other[0] += 1
    return after


def count_displaced(before: Half, after: Half) -> int:
    """How many checkers of the mover lie elsewhere afterwards, counted by the places that hold fewer."""
    return sum(max(0, old - new) for old, new in zip(before.own[1:], after.own[1:], strict=True))


def _strict(rules: MovementRules) -> MovementRules:
    """The same rules, with which every number has to be played that can be."""
    return replace(rules, max_dice=MaxDice.STRICT)
