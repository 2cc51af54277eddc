"""A position in letters, for a terminal."""

from collections.abc import Iterator
from typing import Final

from controller.messages.catalogue import catalogue
from controller.rules import MovementRules, Position, Side
from controller.rules.moves.movement import STANDARD

SIGNS: Final = {Side.LIGHT: "○", Side.DARK: "●"}
FAR: Final = (*range(13, 19), None, *range(19, 25))
NEAR: Final = (*range(12, 6, -1), None, *range(6, 0, -1))
"""The points of the far and the near row as their owner sees them; None is the bar."""
CELL: Final = 4


def board_text(
    position: Position, viewer: Side = Side.LIGHT, language: str = "en", rules: MovementRules = STANDARD
) -> str:
    """A position as ``viewer`` sees it, points numbered along their way: how many checkers lie on each.

    A second sign is a checker of the other side that is pinned there. The last line tells how many of each side are
    off, and how many have not entered in games by ``rules`` that begin with an empty board.

    Raises LanguageError.
    """
    seen = position if viewer is Side.LIGHT else position.mirrored(rules.direction)
    signs = SIGNS if viewer is Side.LIGHT else {side: SIGNS[side.opponent] for side in Side}
    off = {side: position.off(side, rules.checkers) for side in Side}
    hands = {side: position.hand(side) for side in Side}
    rows = [
        _row(str(point or "") for point in FAR),
        _row(_pile(seen, point, Side.DARK, signs) for point in FAR),
        "",
        _row(_pile(seen, point, Side.LIGHT, signs) for point in NEAR),
        _row(str(point or "") for point in NEAR),
        _beside("off", off, language),
    ]
    if any(hands.values()):
        rows.append(_beside("hand", hands, language))
    return "\n".join(row.rstrip() for row in rows)


def _beside(place: str, counts: dict[Side, int], language: str) -> str:
    """How many checkers of each side lie beside the points, in words."""
    texts = catalogue(language)
    held = ", ".join(f"{texts.text('term', str(side))} {SIGNS[side]} {counts[side]}" for side in Side)
    return f"{texts.text('screen', place)}: {held}"


def _row(cells: Iterator[str]) -> str:
    return "".join(cell.rjust(CELL) for cell in cells)


def _pile(seen: Position, point: int | None, on_bar: Side, signs: dict[Side, str]) -> str:
    """The checkers on a point, or those of one side on the bar."""
    if point is None:
        count = seen.bar(on_bar)
        return f"|{count}{signs[on_bar]}" if count else "|"
    count = seen.points[point - 1]
    if not count:
        return "."
    side = Side.LIGHT if count > 0 else Side.DARK
    under = signs[side.opponent] if point in seen.pinned else ""
    return f"{abs(count)}{signs[side]}{under}"
