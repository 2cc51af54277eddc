"""A position: where the thirty checkers are."""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self, SupportsIndex

from controller.errors import UserError, short_repr
from controller.rules import hidden, packed

CHECKERS: Final = 15
"""Checkers of each side."""


class PositionError(UserError):
    """A description of a position that cannot be one."""


class Side(StrEnum):
    """The two players. Light moves from point 24 to point 1, dark the other way."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def opponent(self) -> "Side":
        """The other side."""
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


class Direction(StrEnum):
    """How the two sides go round the board."""

    OPPOSED = "opposed"
    """Against each other: dark's 1-point is light's 24-point."""
    PARALLEL = "parallel"
    """The same way, half a round apart: dark's 1-point is light's 13-point."""


def side_point(point: int, side: Side, direction: Direction = Direction.OPPOSED) -> int:
    """A point (1..24) in the numbering of ``side``, if it is light's, and light's, if it is that of ``side``.

    Each side counts from 24 down to 1 along its own way. Applied twice it gives the point itself.
    """
    if side is Side.LIGHT:
        return point
    if direction is Direction.OPPOSED:
        return 25 - point
    return point - 12 if point > 12 else point + 12


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """An immutable, hashable position: 24 points and both bars; the other checkers have been borne off.

    `code` is the packed form of `controller.rules.packed`, one number, with pins and hands above it
    (`controller.rules.hidden`); everything else is read from it. Make positions with `of` or `from_compact`: the
    constructor takes a packed number unseen. Two positions are equal when every checker is in the same place (whose
    turn it is, is no part of a position).
    """

    code: int

    @classmethod
    def from_counts(cls, points: Sequence[int], bar_light: int = 0, bar_dark: int = 0) -> Self:
        """The position of 24 counts from light's 1-point to its 24-point, light positive, dark negative.

        Raises:
            PositionError: wrong number of points, or more than fifteen checkers of a side.
        """
        return cls.seen(points, bar_light, bar_dark)._within_fifteen()

    @classmethod
    def from_compact(cls, text: str) -> Self:
        """The position written as 26 characters: points 1..24, light's bar, dark's bar.

        `.` is empty, `A`..`O` are 1..15 light and `a`..`o` 1..15 dark checkers. Where the game has them, pins and
        hands follow: `/pinned=5,13` are points with a checker under those of the other side, `/hand=15,12` the
        checkers of light and dark that have not been entered.

        Raises:
            PositionError: wrong length, a meaningless character, more than fifteen checkers of a side.
        """
        return cls.seen_compact(text)._within_fifteen()

    @classmethod
    def seen(cls, points: Sequence[int], bar_light: int = 0, bar_dark: int = 0) -> Self:
        """As `of`, but what was seen on a real board may hold more than fifteen checkers of a side."""
        if len(points) != 24:
            raise PositionError(f"A position has {len(points)} points, but must have 24.")
        for point, count in enumerate(points, start=1):
            if type(count) is not int or not -CHECKERS <= count <= CHECKERS:
                raise PositionError(
                    f"Point {point} holds {short_repr(count)}, but must hold a number from -15 to 15."
                )
        for side, count in ((Side.LIGHT, bar_light), (Side.DARK, bar_dark)):
            if type(count) is not int or not 0 <= count <= CHECKERS:
                raise PositionError(
                    f"The bar holds {short_repr(count)} {side} checkers, but must hold 0 to 15."
                )
        return cls(packed.pack(points, bar_light, bar_dark))

    @classmethod
    def seen_compact(cls, text: str) -> Self:
        """As `from_compact`, but what was seen may hold more than fifteen checkers of a side."""
        code = packed.from_compact(text[: packed.PLACES])
        if code is not None and len(text) > packed.PLACES:
            code = hidden.from_suffix(code, text[packed.PLACES :])
        if code is None:
            raise PositionError(
                f"The compact position {text!r} cannot be read: it must be 26 characters, points 1 to 24 and "
                "light's and dark's bar, each '.', 'A' to 'O' for 1 to 15 light or 'a' to 'o' for 1 to 15 "
                "dark checkers (light's bar never dark, dark's never light); /pinned=POINTS and /hand=LIGHT,DARK may "
                "follow, in games that have them."
            )
        return cls(code)

    def _within_fifteen(self) -> Self:
        for side in Side:
            if self.off(side) < 0:
                raise PositionError(
                    f"The position {self.compact()} holds {CHECKERS - self.off(side)} {side} checkers, "
                    f"but a side has only {CHECKERS}."
                )
        return self

    def compact(self) -> str:
        """The 26 characters of `from_compact`, with pins and hands behind them if there are any."""
        if self.code <= hidden.BOARD:
            return packed.compact(self.code)
        return packed.compact(hidden.board(self.code)) + hidden.suffix(self.code)

    @property
    def points(self) -> tuple[int, ...]:
        """24 counts from light's 1-point to its 24-point; light positive, dark negative."""
        return packed.points(self.code & hidden.BOARD)

    @property
    def pinned(self) -> tuple[int, ...]:
        """The points (from light's side) on which a checker lies under those of the other side, the lowest first."""
        return hidden.pinned(self.code)

    def hand(self, side: Side) -> int:
        """How many checkers `side` has not entered yet, in games that begin with an empty board."""
        return hidden.hand(self.code, dark=side is Side.DARK)

    def with_hidden(self, pinned: Sequence[int] = (), hand_light: int = 0, hand_dark: int = 0) -> Self:
        """The same board with these checkers pinned and in hand."""
        return type(self)(hidden.with_hidden(self.code, tuple(pinned), hand_light, hand_dark))

    def open_board(self) -> Self:
        """What can be seen of the position: without pins and hands."""
        return type(self)(hidden.board(self.code))

    def pins(self, side: Side) -> tuple[int, ...]:
        """The points (from light's side) on which a checker of `side` is pinned."""
        return tuple(point for point in self.pinned if self.checkers(side.opponent, point))

    def checkers(self, side: Side, point: int) -> int:
        """How many checkers `side` has on `point` (1..24 from light's side)."""
        if not 1 <= point <= 24:
            raise ValueError(f"there is no point {point}")
        count = packed.count(self.code, point)
        return max(count, 0) if side is Side.LIGHT else max(-count, 0)

    def bar(self, side: Side) -> int:
        """How many checkers `side` has on the bar."""
        return packed.count(self.code, packed.BAR) if side is Side.LIGHT else -packed.count(self.code, 0)

    def off(self, side: Side, checkers: int = CHECKERS) -> int:
        """How many of its checkers `side` has borne off: those that are nowhere else (negative if there are more).

        A side has fifteen `checkers` in all games but those that begin with fewer.
        """
        light, dark = packed.totals(self.code & hidden.BOARD)
        there = light if side is Side.LIGHT else dark
        if self.code > hidden.BOARD:
            there += self.hand(side) + len(self.pins(side))
        return checkers - there

    def pips(self, side: Side, direction: Direction = Direction.OPPOSED) -> int:
        """The pip count of `side`: the points its checkers have still to travel, 25 for each that must enter."""
        if self.code <= hidden.BOARD and direction is Direction.OPPOSED:
            view = packed.view(self.code, dark=side is Side.DARK)
            return sum(at * (count - packed.EMPTY) for at, count in enumerate(view) if count > packed.EMPTY)
        own = [(point, self.checkers(side, point)) for point in range(1, packed.BAR)]
        own += [(point, 1) for point in self.pins(side)]
        waiting = self.bar(side) + self.hand(side)
        return 25 * waiting + sum(count * side_point(point, side, direction) for point, count in own)

    def mirrored(self, direction: Direction = Direction.OPPOSED) -> Self:
        """The same position with the colours exchanged, seen from the other side of the board."""
        if self.code <= hidden.BOARD and direction is Direction.OPPOSED:
            return type(self)(packed.mirror(self.code))
        points = [-self.points[side_point(point, Side.DARK, direction) - 1] for point in range(1, packed.BAR)]
        pinned = [side_point(point, Side.DARK, direction) for point in self.pinned]
        swapped = type(self)(packed.pack(points, self.bar(Side.DARK), self.bar(Side.LIGHT)))
        return swapped.with_hidden(pinned, self.hand(Side.DARK), self.hand(Side.LIGHT))

    def __repr__(self) -> str:
        """The call that makes this position again."""
        return f"Position.from_compact({self.compact()!r})"


START: Final = Position.from_compact("b....E.C...eE...c.e....B..")
"""The start of a game: light has 24:2 13:5 8:3 6:5, dark the same from its side."""


class RollError(UserError):
    """A number that no die shows."""


def _whole(die: object) -> int:
    """A whole number of another kind, such as one of NumPy. Raises RollError."""
    if isinstance(die, SupportsIndex) and not isinstance(die, bool):
        try:
            return operator.index(die)
        except TypeError:  # an array of several numbers has the method, too
            pass
    raise RollError(f"A die shows {short_repr(die)}, but must show a number from 1 to 6.")


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice, the larger first whatever the order they are given in.

    Raises:
        RollError: if a die is not a whole number from 1 to 6.
    """

    high: int
    low: int

    def __post_init__(self) -> None:
        """Check the numbers and put the larger first."""
        if type(self.high) is not int or type(self.low) is not int:
            object.__setattr__(self, "high", _whole(self.high))
            object.__setattr__(self, "low", _whole(self.low))
        if not (1 <= self.high <= 6 and 1 <= self.low <= 6):
            wrong = self.low if 1 <= self.high <= 6 else self.high
            raise RollError(f"A die shows {short_repr(wrong)}, but must show a number from 1 to 6.")
        if self.low > self.high:
            larger = self.low
            object.__setattr__(self, "low", self.high)
            object.__setattr__(self, "high", larger)

    @classmethod
    def from_dice(cls, first: int, second: int) -> Self:
        """The roll of two dice in any order."""
        return cls(first, second)

    @property
    def dice(self) -> tuple[int, int]:
        """The two numbers, the larger first."""
        return (self.high, self.low)

    @property
    def is_double(self) -> bool:
        """Whether both dice show the same number (which is then played four times)."""
        return self.high == self.low

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play: two, or four for a double."""
        return (self.high,) * 4 if self.high == self.low else (self.high, self.low)

    def __str__(self) -> str:
        """Such as `6-1`, the larger number first."""
        return f"{self.high}-{self.low}"
