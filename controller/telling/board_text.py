"""A position in letters, for a terminal."""

from collections.abc import Iterator
from typing import Final

from controller.messages.catalogue import catalogue
from controller.rules import Position, Side

SIGNS: Final = {Side.LIGHT: "○", Side.DARK: "●"}
FAR: Final = (*range(13, 19), None, *range(19, 25))
NEAR: Final = (*range(12, 6, -1), None, *range(6, 0, -1))
"""The points of the far and the near row as their owner sees them from his side; None is the bar."""
CELL: Final = 4


def board_text(position: Position, viewer: Side = Side.LIGHT, language: str = "en") -> str:
    """A position as ``viewer`` sees it, points numbered from his side: how many checkers lie on each.

    A second sign is a checker of the other side that is pinned there.

    Raises LanguageError.
    """
    seen = position if viewer is Side.LIGHT else position.mirrored()
    signs = SIGNS if viewer is Side.LIGHT else {side: SIGNS[side.opponent] for side in Side}
    texts = catalogue(language)
    off = [f"{texts.text('term', str(side))} {SIGNS[side]} {position.off(side)}" for side in Side]
    rows = [
        _row(str(point or "") for point in FAR),
        _row(_pile(seen, point, Side.DARK, signs) for point in FAR),
        "",
        _row(_pile(seen, point, Side.LIGHT, signs) for point in NEAR),
        _row(str(point or "") for point in NEAR),
        f"{texts.text('screen', 'off')}: {', '.join(off)}",
    ]
    return "\n".join(row.rstrip() for row in rows)


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
