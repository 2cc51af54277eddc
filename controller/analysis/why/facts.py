"""What a player can see of a position without an engine: blots and shots, points, men back, primes; pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from controller.rules import Position, Roll, Side, results

BACK: Final = 19
"""From this point on, in the own numbering, a checker is back: in the opponent's home board."""
ROLLS: Final = tuple(
    (Roll.from_dice(high, low), 1 if high == low else 2) for high in range(1, 7) for low in range(1, high + 1)
)
"""Every roll with how many of the 36 throws show it."""


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """A position as ``side`` sees it after its turn; points are in its own numbering.

    Attributes:
        shots: with how many of the 36 throws the opponent can hit.
        blots: points with a single checker that the opponent has yet to pass.
        points: points with two or more.
        back: checkers on the bar or in the opponent's home board.
        prime: how many points in a row are made, at most, of which the opponent has yet to pass all.
        sent: the opponent's checkers on the bar.
        off: checkers borne off.
    """

    shots: int
    blots: frozenset[int]
    points: frozenset[int]
    back: int
    prime: int
    sent: int
    off: int


@lru_cache(maxsize=256)
def facts_of(position: Position, side: Side) -> BoardFacts:
    """The facts of a position for ``side``, by the standard rules."""
    facing = position if side is Side.LIGHT else position.mirrored()
    counts = facing.points
    theirs = [point for point in range(1, 25) if counts[point - 1] < 0]
    last = 0 if facing.bar(Side.DARK) else min(theirs, default=25)
    made = frozenset(point for point in range(1, 25) if counts[point - 1] > 1)
    return BoardFacts(
        shots=_shots(facing),
        blots=frozenset(point for point in range(1, 25) if counts[point - 1] == 1 and point > last),
        points=made,
        back=facing.bar(Side.LIGHT) + sum(max(counts[point - 1], 0) for point in range(BACK, 25)),
        prime=_longest_run(point for point in made if point > last),
        sent=facing.bar(Side.DARK),
        off=facing.off(Side.LIGHT),
    )


def _shots(facing: Position) -> int:
    """With how many of the 36 throws dark, to play, can hit light."""
    held = facing.bar(Side.LIGHT)
    if not any(count == 1 for count in facing.points):
        return 0
    return sum(
        times
        for roll, times in ROLLS
        if any(Position(code).bar(Side.LIGHT) > held for code in results(facing, Side.DARK, roll)[0])
    )


def _longest_run(found: Iterable[int]) -> int:
    points = frozenset(found)
    longest = run = 0
    for point in range(1, 25):
        run = run + 1 if point in points else 0
        longest = max(longest, run)
    return longest
