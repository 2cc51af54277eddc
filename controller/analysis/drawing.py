"""A board as an SVG drawing from the side of the player whose decision it is: that home lies at the bottom right."""

from collections.abc import Iterator
from typing import Final

from controller.rules import Position, Roll, Side
from controller.rules.forms.xgid import MatchState, OfferCode

UNIT: Final = 40.0
"""The width of a point, in which all else is measured."""
BAR: Final = 1.1
TRAY: Final = 1.1
RIM: Final = 0.5
FRAME: Final = 0.25
HIGH: Final = 11.0
POINT: Final = 4.72
CHECKER: Final = 0.92
DIE: Final = 0.93
CUBE: Final = 0.9
MOST: Final = 5
"""Checkers that are drawn on a point; the innermost has their number if there are more."""
ON_BAR: Final = 3
LEFT: Final = FRAME + TRAY
TOP: Final = FRAME + RIM
WIDE: Final = 2 * LEFT + 12 + BAR
TALL: Final = 2 * TOP + HIGH
FIELD, POINT_A, POINT_B, WOOD = "#8C7251", "#B17948", "#845C41", "#3B2A1E"
BODY: Final = {Side.LIGHT: "#F5EEDF", Side.DARK: "#1B1714"}
RING: Final = {Side.LIGHT: "#CDBE9F", Side.DARK: "#857869"}
NUMBERS: Final = "#E9DCC6"
PIPS: Final = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
FONT: Final = "system-ui, Roboto, 'DejaVu Sans', sans-serif"


def board_svg(position: Position, viewer: Side, state: MatchState, label: str) -> str:
    """The drawing as one `svg` element that needs nothing else; `label` is its text alternative.

    The points have the numbers of the viewer. Dice and cube are those of the state: a double that is offered lies
    in the half of the player who offers it.
    """
    seen = position if viewer is Side.LIGHT else position.mirrored()
    parts = [*_ground()]
    for point in range(1, 25):
        parts += _point(point)
    for point, count in enumerate(seen.points, start=1):
        side = viewer if count > 0 else viewer.opponent
        parts += _pile(side, abs(count), _x(point), bottom=point <= 12)
    for side, own in ((viewer, True), (viewer.opponent, False)):
        parts += _on_bar(side, position.bar(side), bottom=not own)
        parts += _off(side, position.off(side), bottom=own)
    if state.roll is not None:
        parts += _dice(state.roll, state.on_roll, right=state.on_roll is viewer)
    parts += _cube(state, viewer)
    return (
        f'<svg class="board" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE * UNIT:g} {TALL * UNIT:g}" '
        f'role="img" aria-label="{label}" font-family="{FONT}">{"".join(parts)}</svg>'
    )


def _x(point: int) -> float:
    """The middle of a point's column."""
    column = 12 - point if point <= 12 else point - 13
    return LEFT + column + 0.5 + (BAR if column >= 6 else 0)


def _rect(x: float, y: float, wide: float, high: float, fill: str, more: str = "") -> str:
    numbers = " ".join(
        f'{name}="{value * UNIT:.4g}"'
        for name, value in zip(("x", "y", "width", "height"), (x, y, wide, high), strict=True)
    )
    return f'<rect {numbers} fill="{fill}"{more}/>'


def _ground() -> Iterator[str]:
    yield _rect(0, 0, WIDE, TALL, WOOD, ' rx="12"')
    for x in (FRAME, WIDE - LEFT + 0.1):
        yield _rect(x, TOP, TRAY - 0.1, HIGH, "#2A1D14")
    yield _rect(LEFT, TOP, 12 + BAR, HIGH, FIELD)
    yield _rect(LEFT + 6, TOP, BAR, HIGH, WOOD)


def _point(point: int) -> Iterator[str]:
    x, bottom = _x(point), point <= 12
    base, tip = (TOP + HIGH, TOP + HIGH - POINT) if bottom else (TOP, TOP + POINT)
    corners = [(x - 0.5, base), (x + 0.5, base), (x, tip)]
    path = "L".join(f"{a * UNIT:g} {b * UNIT:g}" for a, b in corners)
    yield f'<path d="M{path}Z" fill="{POINT_A if point % 2 == bottom else POINT_B}"/>'
    yield _text(x, TOP + HIGH + RIM / 2 if bottom else TOP - RIM / 2, str(point), NUMBERS, 14)


def _text(x: float, y: float, text: str, fill: str, size: int, weight: int = 400) -> str:
    return (
        f'<text x="{x * UNIT:g}" y="{y * UNIT:g}" font-size="{size}" font-weight="{weight}" fill="{fill}" '
        f'text-anchor="middle" dominant-baseline="central">{text}</text>'
    )


def _checker(side: Side, x: float, y: float, number: int | None = None, edge: str = "") -> Iterator[str]:
    place = f'cx="{x * UNIT:g}" cy="{y * UNIT:g}"'
    radius = CHECKER / 2 * UNIT
    stroke = edge or ("#6E5A3F" if side is Side.LIGHT else "#000")
    yield f'<circle {place} r="{radius - 0.6:g}" fill="{BODY[side]}" stroke="{stroke}" stroke-width="1.2"/>'
    if number is None:
        width = 1.8 if side is Side.LIGHT else 2
        yield f'<circle {place} r="{0.62 * radius:g}" fill="none" stroke="{RING[side]}" stroke-width="{width}"/>'
    else:
        yield _text(x, y, str(number), BODY[side.opponent], 18, 600)


def _pile(side: Side, count: int, x: float, *, bottom: bool) -> Iterator[str]:
    for place in range(min(count, MOST)):
        far = CHECKER * (place + 0.5)
        y = TOP + HIGH - far if bottom else TOP + far
        yield from _checker(side, x, y, count if place == MOST - 1 and count > MOST else None)


def _on_bar(side: Side, count: int, *, bottom: bool) -> Iterator[str]:
    """Checkers on the bar, each side's in the half where it enters."""
    for place in range(min(count, ON_BAR)):
        far = 0.7 + place
        y = TOP + HIGH / 2 + far if bottom else TOP + HIGH / 2 - far
        number = count if place == ON_BAR - 1 and count > ON_BAR else None
        yield from _checker(side, LEFT + 6 + BAR / 2, y, number, "" if side is Side.LIGHT else RING[side])


def _off(side: Side, count: int, *, bottom: bool) -> Iterator[str]:
    if count <= 0:
        return
    x, thick = WIDE - LEFT + 0.1, 0.28
    for place in range(count):
        y = TOP + HIGH - thick * (place + 1) if bottom else TOP + thick * place
        yield _rect(x + 0.08, y + 0.02, TRAY - 0.26, thick - 0.05, BODY[side], f' stroke="{RING[side]}"')
    far = thick * count + 0.35
    yield _text(x + TRAY / 2 - 0.05, TOP + HIGH - far if bottom else TOP + far, str(count), NUMBERS, 18, 600)


def _dice(roll: Roll, roller: Side, *, right: bool) -> Iterator[str]:
    middle = LEFT + (9 + BAR if right else 3)
    for number, die in enumerate(roll.dice):
        x, y = middle - 1.1 + number * 1.27, TOP + (HIGH - DIE) / 2
        yield _rect(x, y, DIE, DIE, BODY[roller], ' rx="7"')
        for place in PIPS[die]:
            cx, cy = x + DIE * (0.24 + 0.26 * (place % 3)), y + DIE * (0.24 + 0.26 * (place // 3))
            yield f'<circle cx="{cx * UNIT:g}" cy="{cy * UNIT:g}" r="3.5" fill="{BODY[roller.opponent]}"/>'


def _cube(state: MatchState, viewer: Side) -> Iterator[str]:
    """The cube: in the left tray, in the middle or at its owner's edge; offered in the field with its new value."""
    size, value = CUBE, state.cube
    x, y = FRAME + (TRAY - 0.1 - CUBE) / 2, TOP + (HIGH - CUBE) / 2
    if state.offer is not OfferCode.NONE:
        size, value = 2.0, 2 * state.cube
        x, y = LEFT + (8 + BAR if state.on_roll is viewer else 2), TOP + (HIGH - size) / 2
    elif state.crawford:
        return
    elif state.owner is not None:
        y = TOP + HIGH - CUBE - 0.15 if state.owner is viewer else TOP + 0.15
    elif value == 1:
        value = 64
    yield _rect(x, y, size, size, "#F5EEDF", ' rx="6" stroke="#6E5A3F"')
    yield _text(x + size / 2, y + size / 2, str(value), "#1B1714", round(18 * size), 600)
