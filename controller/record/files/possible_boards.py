"""The boards that a game may have reached where a file leaves out a play, or a whole turn."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from controller.rules import MovementRules, Position, Roll, Side, results
from controller.rules.judging.judge import ROLLS

MOST_BOARDS: Final = 128
"""This many are followed; most rolls have far fewer results, and each play is tried from all of them."""
Made = TypeVar("Made")


def boards_after(
    boards: Iterable[Position], side: Side, roll: Roll | None, rules: MovementRules
) -> frozenset[Position]:
    """Where a side's untold play of a roll may have led from any of some boards; without a roll, of any roll.

    None at all if they are too many to follow.
    """
    rolls = ROLLS if roll is None else (roll,)
    found: set[Position] = set()
    for board in boards:
        for each in rolls:
            found |= {Position(code) for code in results(board, side, each, rules)[0]}
            if len(found) > MOST_BOARDS:
                return frozenset()
    return frozenset(found)


def fitting(boards: Iterable[Position], make: Callable[[Position], Made | None]) -> dict[Position, Made]:
    """The boards that a given play leads to, from each on which it can be made; the boards in a fixed order."""
    made = ((board, make(board)) for board in sorted(boards, key=Position.compact))
    return {board: found for board, found in made if found is not None}
