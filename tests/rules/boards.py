"""Between positions and the boards of other generators."""

from collections.abc import Sequence

from controller.rules import packed
from controller.rules.position import Position, Side


def board(position: Position, side: Side) -> tuple[int, ...]:
    """The board as the mover sees it: 0 the opponent's bar (negative), 1..24, 25 the mover's bar."""
    view = packed.view(position.code, dark=side is Side.DARK)
    return tuple(value - packed.EMPTY for value in view)


def position(board: Sequence[int], side: Side) -> Position:
    """The position of such a board; the sign of its first number does not matter."""
    seen = Position.from_counts(board[1:25], board[25], abs(board[0]))
    return seen if side is Side.LIGHT else seen.mirrored()
