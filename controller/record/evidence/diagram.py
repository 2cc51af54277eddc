"""A position as an SVG drawing, as books show it: light at the bottom, its home on the right."""

from collections.abc import Collection, Iterator
from typing import Final

from controller.rules import Position, Roll, Side

POINT_W: Final = 30
POINT_H: Final = 132
BAR_W: Final = 34
TRAY_W: Final = 36
EDGE: Final = 16
GAP: Final = 36
RADIUS: Final = 13
MOST_DRAWN: Final = 5
"""Checkers drawn on a point; a number says how many there are if there are more."""
WIDTH: Final = 2 * EDGE + 12 * POINT_W + BAR_W + TRAY_W
HEIGHT: Final = 2 * EDGE + 2 * POINT_H + GAP
_PIPS: Final = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def diagram_svg(
    position: Position, player: Side, roll: Roll | None = None, marked: Collection[int] = ()
) -> str:
    """The drawing as one `svg` element, its size in its `viewBox`.

    Points are numbered as the player on roll counts them, the dice lie in the right half as that player sees it.
    `marked` points, 1..24 from light's side, are outlined. The text alternative is the compact position.
    """
    parts = [*_board(), *_numbers(player)]
    for point in range(1, 25):
        parts += _point(point, marked=point in marked)
    for point, number in enumerate(position.points, start=1):
        side = Side.LIGHT if number > 0 else Side.DARK
        parts += _stack(side, abs(number), _x(point), bottom=point <= 12)
    bar_x = EDGE + 6 * POINT_W + BAR_W / 2
    tray_x = WIDTH - EDGE - TRAY_W / 2
    for side in Side:
        parts += _stack(side, position.bar(side), bar_x, bottom=side is Side.DARK, lifted=True)
        if position.off(side) > 0:
            y = HEIGHT - EDGE - 20 if side is Side.LIGHT else EDGE + 20
            parts += [*_checker(side, tray_x, y), _text(tray_x, y, position.off(side), side)]
    if roll is not None:
        parts += _dice(roll, player)
    return (
        f'<svg class="diagram" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{position.compact()}">{"".join(parts)}</svg>'
    )


def _x(point: int) -> float:
    """The middle of a point's column."""
    column = 12 - point if point <= 12 else point - 13
    return EDGE + (column + 0.5) * POINT_W + (BAR_W if column >= 6 else 0)


def _board() -> Iterator[str]:
    inner = 12 * POINT_W + BAR_W
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="#6b4a2f"/>'
    yield f'<rect x="{EDGE}" y="{EDGE}" width="{inner}" height="{HEIGHT - 2 * EDGE}" fill="#f3ead7"/>'
    yield f'<rect x="{EDGE + 6 * POINT_W}" y="{EDGE}" width="{BAR_W}" height="{HEIGHT - 2 * EDGE}" fill="#8a6a48"/>'


def _numbers(player: Side) -> Iterator[str]:
    for point in range(1, 25):
        y = HEIGHT - 4 if point <= 12 else 12
        number = point if player is Side.LIGHT else 25 - point
        yield f'<text x="{_x(point):g}" y="{y}" font-size="10" fill="#fff" text-anchor="middle">{number}</text>'


def _point(point: int, *, marked: bool) -> Iterator[str]:
    x, half = _x(point), POINT_W / 2
    base, tip = (HEIGHT - EDGE, HEIGHT - EDGE - POINT_H) if point <= 12 else (EDGE, EDGE + POINT_H)
    fill = "#cfa77a" if point % 2 else "#b0c0b4"
    edge = ' stroke="#c8102e" stroke-width="3"' if marked else ""
    yield f'<path d="M{x - half:g} {base}L{x + half:g} {base}L{x:g} {tip}Z" fill="{fill}"{edge}/>'


def _stack(side: Side, number: int, x: float, *, bottom: bool, lifted: bool = False) -> Iterator[str]:
    """Checkers from the edge inwards; those on the bar begin further in."""
    edge = EDGE + RADIUS + (2 * RADIUS if lifted else 0)
    for place in range(min(number, MOST_DRAWN)):
        far = edge + place * 2 * RADIUS
        y = HEIGHT - far if bottom else far
        yield from _checker(side, x, y)
        if place == MOST_DRAWN - 1 and number > MOST_DRAWN:
            yield _text(x, y, number, side)


def _checker(side: Side, x: float, y: float) -> Iterator[str]:
    fill = "#fffdf6" if side is Side.LIGHT else "#2c2c34"
    yield f'<circle cx="{x:g}" cy="{y:g}" r="{RADIUS - 0.5}" fill="{fill}" stroke="#111"/>'


def _text(x: float, y: float, number: int, on: Side) -> str:
    fill = "#111" if on is Side.LIGHT else "#fff"
    return f'<text x="{x:g}" y="{y + 5:g}" font-size="14" fill="{fill}" text-anchor="middle">{number}</text>'


def _dice(roll: Roll, roller: Side) -> Iterator[str]:
    """Two dice in the right half as seen by the roller: the right one for light, the left one for dark."""
    middle = EDGE + 3 * POINT_W + (0 if roller is Side.DARK else 6 * POINT_W + BAR_W)
    fill, pip = ("#2c2c34", "#fff") if roller is Side.DARK else ("#fffdf6", "#111")
    for number, die in enumerate(roll.dice):
        x, y = middle - 30 + number * 34, HEIGHT / 2 - 13
        yield f'<rect x="{x}" y="{y:g}" width="26" height="26" rx="4" fill="{fill}" stroke="#111"/>'
        for place in _PIPS[die]:
            cx, cy = x + 6 + 7 * (place % 3), y + 6 + 7 * (place // 3)
            yield f'<circle cx="{cx}" cy="{cy:g}" r="2.4" fill="{pip}"/>'
