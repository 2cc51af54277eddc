"""A board in letters, five checkers high, for `print`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from controller.rules.position import Side
from controller.telling.board_text import SIGNS

if TYPE_CHECKING:  # a position prints as a board
    from pointsman.position import Position

FAR: Final = (tuple(range(13, 19)), tuple(range(19, 25)))
NEAR: Final = (tuple(range(12, 6, -1)), tuple(range(6, 0, -1)))
"""The points of the far and the near row in their two halves, numbered along the viewer's way."""
HIGH: Final = 5
"""Rows of checkers on a point; the last one has a number where there are more."""
BAR: Final = 5
"""How wide the bar is."""


def board_lines(position: "Position", viewer: Side) -> Iterator[str]:
    """The lines of the drawing; beside it stand what each side has borne off, the pips, whose turn it is, the cube."""
    seen = position if viewer is Side.LIGHT else position.mirrored()
    signs = SIGNS if viewer is Side.LIGHT else {side: SIGNS[side.opponent] for side in Side}
    other, own = _beside(position, viewer.opponent), _beside(position, viewer)
    yield f"{_edge(FAR)}   {other}"
    yield from _half(seen, FAR, seen.bar(Side.DARK), Side.DARK, signs, range(HIGH))
    yield _line(" " * 18, "BAR".center(BAR), " " * 18) + "   " + _middle(position)
    yield from _half(seen, NEAR, seen.bar(Side.LIGHT), Side.LIGHT, signs, range(HIGH - 1, -1, -1))
    yield f"{_edge(NEAR)}   {own}"


def _edge(row: tuple[Sequence[int], Sequence[int]]) -> str:
    """A border with the numbers of the points."""
    left, right = ("".join(f"{point:->2}-" for point in half) for half in row)
    return f"+-{left}+{'-' * BAR}+-{right}+"


def _line(left: str, bar: str, right: str) -> str:
    return f"| {left}|{bar}| {right}|"


def _half(
    seen: "Position",
    row: tuple[Sequence[int], Sequence[int]],
    on_bar: int,
    whose: Side,
    signs: dict[Side, str],
    places: Sequence[int],
) -> Iterator[str]:
    """The rows of one half of the board; place 0 lies at its edge."""
    for place in places:
        left, right = ("".join(f" {_checker(seen, point, place, signs)} " for point in half) for half in row)
        # The checkers on the bar lie nearest to the middle.
        bar = _pile(on_bar, HIGH - 1 - place, signs[whose])
        yield _line(left, bar.center(BAR), right)


def _checker(seen: "Position", point: int, place: int, signs: dict[Side, str]) -> str:
    count = seen.points[point - 1]
    return _pile(abs(count), place, signs[Side.LIGHT if count > 0 else Side.DARK])


def _pile(count: int, place: int, sign: str) -> str:
    """What is seen of a pile at a place: a checker, in the last one the number if there are more, or nothing."""
    if place == HIGH - 1 and count > HIGH:
        return str(count)
    return sign if place < count else " "


def _beside(position: "Position", side: Side) -> str:
    """A side's sign and name, and how it stands."""
    more = f", {hand} in hand" if (hand := position.checkers.hand(side)) else ""
    pinned = position.checkers.pins(side)
    more += f", pinned on {', '.join(map(str, pinned))}" if pinned else ""
    return f"{SIGNS[side]} {side}: {position.off(side)} off, {position.pips(side)} pips{more}"


def _middle(position: "Position") -> str:
    """Whose turn it is with which dice, and the cube where it was turned."""
    turn = f"{position.turn} rolled {position.roll}" if position.roll else f"{position.turn} to roll"
    if position.is_over:
        turn = f"{position.winner} has won"
    if position.cube == 1 and position.cube_owner is None:
        return turn
    return f"{turn}, cube {position.cube}" + (f" with {position.cube_owner}" if position.cube_owner else "")
