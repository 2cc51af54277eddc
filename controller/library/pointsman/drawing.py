"""A board in letters, five checkers high, for `print`."""

from collections.abc import Iterator, Sequence
from typing import Final

from controller.rules.forms.xgid import MatchState
from controller.rules.moves.movement import MovementRules
from controller.rules.position import Position, Side
from controller.telling.board_text import SIGNS

FAR: Final = (tuple(range(13, 19)), tuple(range(19, 25)))
NEAR: Final = (tuple(range(12, 6, -1)), tuple(range(6, 0, -1)))
"""The points of the far and the near row in their two halves, numbered along the viewer's way."""
HIGH: Final = 5
"""Rows of checkers on a point; the last one has a number where there are more."""
CELL: Final = 3
BAR: Final = 5
"""How wide a point and the bar are."""


def board_lines(position: Position, state: MatchState, rules: MovementRules, viewer: Side) -> Iterator[str]:
    """The lines of the drawing; beside it what each side has borne off, the pips, whose turn it is and the cube."""
    seen = position if viewer is Side.LIGHT else position.mirrored(rules.direction)
    signs = SIGNS if viewer is Side.LIGHT else {side: SIGNS[side.opponent] for side in Side}
    beside = {side: _beside(position, side, rules) for side in Side}
    winner = next((side for side in Side if position.off(side, rules.checkers) >= rules.checkers), None)
    yield f"{_edge(FAR)}   {beside[viewer.opponent]}"
    yield from _half(seen, FAR, seen.bar(Side.DARK), Side.DARK, signs, range(HIGH))
    yield _line(" " * 6 * CELL, "BAR".center(BAR), " " * 6 * CELL) + "   " + _middle(state, winner)
    yield from _half(seen, NEAR, seen.bar(Side.LIGHT), Side.LIGHT, signs, range(HIGH - 1, -1, -1))
    yield f"{_edge(NEAR)}   {beside[viewer]}"


def _edge(row: tuple[Sequence[int], Sequence[int]]) -> str:
    """A border with the numbers of the points."""
    left, right = ("".join(f"{point:->2}-" for point in half) for half in row)
    return f"+-{left}+{'-' * BAR}+-{right}+"


def _line(left: str, bar: str, right: str) -> str:
    return f"| {left}|{bar}| {right}|"


def _half(
    seen: Position,
    row: tuple[Sequence[int], Sequence[int]],
    on_bar: int,
    whose: Side,
    signs: dict[Side, str],
    places: Sequence[int],
) -> Iterator[str]:
    """The rows of one half of the board; place 0 lies at its edge."""
    for place in places:
        left, right = (
            "".join(_checker(seen, point, place, signs).rjust(CELL - 1) + " " for point in half)
            for half in row
        )
        # The checkers on the bar lie nearest to the middle.
        bar = _pile(on_bar, HIGH - 1 - place, signs[whose])
        yield _line(left, bar.center(BAR), right)


def _checker(seen: Position, point: int, place: int, signs: dict[Side, str]) -> str:
    count = seen.points[point - 1]
    return _pile(abs(count), place, signs[Side.LIGHT if count > 0 else Side.DARK])


def _pile(count: int, place: int, sign: str) -> str:
    """What is seen of a pile at a place: a checker, in the last one the number if there are more, or nothing."""
    if place == HIGH - 1 and count > HIGH:
        return str(count)
    return sign if place < count else " "


def _beside(position: Position, side: Side, rules: MovementRules) -> str:
    """A side's sign and name, and how it stands."""
    off, pips = position.off(side, rules.checkers), position.pips(side, rules.direction)
    more = f", {hand} in hand" if (hand := position.hand(side)) else ""
    if pinned := position.pins(side):
        more += f", pinned on {', '.join(map(str, pinned))}"
    return f"{SIGNS[side]} {side}: {off} off, {pips} pips{more}"


def _middle(state: MatchState, winner: Side | None) -> str:
    """Whose turn it is with which dice, and the cube where it was turned."""
    turn = f"{state.on_roll} rolled {state.roll}" if state.roll else f"{state.on_roll} to roll"
    if winner is not None:
        turn = f"{winner} has won"
    if state.cube == 1 and state.owner is None:
        return turn
    return f"{turn}, cube {state.cube}" + (f" with {state.owner}" if state.owner else "")
