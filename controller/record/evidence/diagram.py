"""A position as an SVG drawing, lying as the board lies in its pictures, numbered from the mover's side.

Measures are in units of a point's width, drawn `UNIT` wide: a field of 6 + 1.1 + 6 by 11, trays of 1.1 at both ends,
a rim of 0.6 for the numbers. Where nothing is known of the pictures, light's home is at the bottom right.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.rules import MovementRules, Position, Roll, Side
from controller.rules.moves.movement import STANDARD
from controller.rules.position import side_point
from controller.vision.board.board import PointSegments

UNIT: Final = 40
FRAME, TRAY, RIM, BAR = 0.25, 1.1, 0.6, 1.1
FIELD_W, FIELD_H, POINT_H = 12 + BAR, 11, 4.72
LEFT, TOP = FRAME + TRAY, FRAME + RIM
WIDTH: Final = FIELD_W + 2 * LEFT
HEIGHT: Final = FIELD_H + 2 * TOP
RADIUS, RING = 0.46, 0.285
OFF_H: Final = 0.29
"""A checker that was borne off lies on its edge."""
MOST_DRAWN: Final = 5
"""Checkers drawn on a point; a number says how many there are if there are more."""
MOST_ON_BAR: Final = 3
PINNING: Final = 0.7
"""How large a checker is drawn that lies on a pinned one, which shows around it."""
WOOD, FIELD, POINTS, RIM_TEXT = "#3b2a1e", "#8c7251", ("#845c41", "#b17948"), "#f0e9db"
CHECKERS: Final = {Side.LIGHT: ("#f5eedf", "#8a7c60"), Side.DARK: ("#1b1714", "#857869")}
"""Fill and ring, so that the sides tell apart in grey, too."""
MARK, KEYLINE = "#8fd0ff", "#0a2a44"
_PIPS: Final = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}


def diagram_svg(
    position: Position,
    player: Side,
    roll: Roll | None = None,
    marked: Collection[int] = (),
    *,
    segments: PointSegments | None = None,
    rules: MovementRules = STANDARD,
) -> str:
    """The drawing as one `svg` element, its size in its `viewBox`.

    Points are numbered as the player on roll counts them by the ``rules`` of the game, the dice lie in the right half
    as that player sees it. A checker that is pinned shows as a ring of its colour; what is in hand lies in the other
    tray. `marked` points, 1..24 from light's side, are outlined and their numbers stand on a disc. The text
    alternative is the compact position.
    """
    layout = DiagramLayout.lying(segments)
    parts = [*board_parts(layout, position, player, marked, rules)]
    if roll is not None:
        parts += dice_parts(layout, roll, player, right=player is Side.LIGHT)
    return drawing("diagram", layout, parts, position.compact())


def drawing(kind: str, layout: "DiagramLayout", parts: Iterable[str], label: str) -> str:
    """An `svg` element of a class, with its text alternative."""
    width, height = layout.size
    return (
        f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-label="{label}" font-family="system-ui, DejaVu Sans, sans-serif">{"".join(parts)}</svg>'
    )


def board_parts(
    layout: "DiagramLayout",
    position: Position,
    player: Side,
    marked: Collection[int] = (),
    rules: MovementRules = STANDARD,
) -> Iterator[str]:
    """The board and its checkers; see `diagram_svg`."""
    yield from _board(layout)
    for point in range(1, 25):
        yield from _point(layout, point)
    for point in sorted(marked):
        yield from _mark(layout, point)
    for point in range(1, 25):
        yield from _number(layout, point, side_point(point, player, rules.direction), marked=point in marked)
    for point, number in enumerate(position.points, start=1):
        side = Side.LIGHT if number > 0 else Side.DARK
        yield from _stack(
            layout, side, abs(number), _x(point), bottom=point <= 12, pin=point in position.pinned
        )
    for side in Side:
        yield from _on_bar(layout, side, position.bar(side))
        home = side_point(1, side, rules.direction)
        right = home in (1, 24)
        yield from _tray(layout, side, position.off(side, rules.checkers), right=right, bottom=home <= 12)
        yield from _tray(layout, side, position.hand(side), right=False, bottom=side is Side.LIGHT)


def overlay_svg(segments: PointSegments, points: Collection[int]) -> str:
    """Outlines of points, 1..24 from light's side, to lie over a picture cut to the board; empty without points."""
    if not points:
        return ""
    outlines = "".join(f'<path d="{_outline(segments, point)}"/>' for point in sorted(points))
    return (
        '<svg class="overlay" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" preserveAspectRatio="none" '
        f'aria-hidden="true"><g fill="none" stroke="{KEYLINE}" stroke-width="6">{outlines}</g>'
        f'<g fill="none" stroke="{MARK}" stroke-width="2.5">{outlines}</g></svg>'
    )


def _outline(segments: PointSegments, point: int) -> str:
    """A point and the room before it as a closed path; its width follows from its neighbour in the same quarter."""
    neighbour = point + 1 if point % 6 else point - 1
    one, other = segments[point - 1], segments[neighbour - 1]
    half = [(b - a) * 0.48 for a, b in zip(one, other, strict=True)]
    x1, y1, x2, y2 = one
    corners = (
        (x1 + half[0], y1 + half[1]),
        (x2 + half[2], y2 + half[3]),
        (x2 - half[2], y2 - half[3]),
        (x1 - half[0], y1 - half[1]),
    )
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in corners) + "Z"


@dataclass(frozen=True, slots=True)
class DiagramLayout:
    """How the board is laid on the drawing: mirrored across or down, then perhaps turned on its side.

    Places are in units of a point's width, from the upper left corner.
    """

    across: bool = False
    down: bool = False
    upright: bool = False

    @classmethod
    def lying(cls, segments: PointSegments | None) -> "DiagramLayout":
        """As the board lies in its pictures: along which of their sides its long side runs, and which way."""
        if segments is None:
            return cls()
        one, twelve, thirteen, last = (segments[point - 1][:2] for point in (1, 12, 13, 24))
        right = [a - b + c - d for a, b, c, d in zip(one, twelve, last, thirteen, strict=True)]
        down = [a - b + c - d for a, b, c, d in zip(one, last, twelve, thirteen, strict=True)]
        if abs(right[0]) >= abs(right[1]):
            return cls(right[0] < 0, down[1] < 0)
        return cls(right[1] < 0, down[0] < 0, upright=True)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the drawing."""
        return (HEIGHT * UNIT, WIDTH * UNIT) if self.upright else (WIDTH * UNIT, HEIGHT * UNIT)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the board comes to lie, rounded."""
        x, y = WIDTH - x if self.across else x, HEIGHT - y if self.down else y
        x, y = (y, x) if self.upright else (x, y)
        return round(x * UNIT, 1), round(y * UNIT, 1)

    def box(self, x: float, y: float, width: float, height: float, *, look: str) -> str:
        """A rectangle."""
        (x1, y1), (x2, y2) = self.at(x, y), self.at(x + width, y + height)
        return (
            f'<rect x="{min(x1, x2):g}" y="{min(y1, y2):g}" width="{round(abs(x2 - x1), 1):g}" '
            f'height="{round(abs(y2 - y1), 1):g}" {look}/>'
        )

    def disc(self, x: float, y: float, radius: float, *, look: str) -> str:
        """A circle."""
        cx, cy = self.at(x, y)
        return f'<circle cx="{cx:g}" cy="{cy:g}" r="{round(radius * UNIT, 1):g}" {look}/>'

    def word(self, x: float, y: float, text: object, size: float, *, look: str) -> str:
        """A text around its middle, never turned."""
        cx, cy = self.at(x, y)
        return (
            f'<text x="{cx:g}" y="{round(cy + 0.36 * size * UNIT, 1):g}" font-size="{round(size * UNIT, 1):g}" '
            f'text-anchor="middle" {look}>{text}</text>'
        )


def _x(point: int) -> float:
    """The middle of a point's column."""
    column = 12 - point if point <= 12 else point - 13
    return LEFT + column + 0.5 + (BAR if column >= 6 else 0)


def _board(layout: DiagramLayout) -> Iterator[str]:
    yield layout.box(0, 0, WIDTH, HEIGHT, look=f'rx="12" fill="{WOOD}"')
    yield layout.box(LEFT, TOP, 6, FIELD_H, look=f'fill="{FIELD}"')
    yield layout.box(LEFT + 6 + BAR, TOP, 6, FIELD_H, look=f'fill="{FIELD}"')
    for x in (FRAME, LEFT + FIELD_W + 0.08):
        for y in (TOP, TOP + FIELD_H / 2 + 0.1):
            yield layout.box(x, y, TRAY - 0.08, FIELD_H / 2 - 0.1, look='rx="3" fill="#2a1d14"')


def _point(layout: DiagramLayout, point: int) -> Iterator[str]:
    x = _x(point)
    base, tip = (TOP + FIELD_H, TOP + FIELD_H - POINT_H) if point <= 12 else (TOP, TOP + POINT_H)
    corners = (layout.at(x - 0.5, base), layout.at(x + 0.5, base), layout.at(x, tip))
    path = "L".join(f"{a:g} {b:g}" for a, b in corners)
    yield f'<path d="M{path}Z" fill="{POINTS[point % 2]}"/>'


def _mark(layout: DiagramLayout, point: int) -> Iterator[str]:
    """An outline that shows on the field and on both kinds of points, by its keyline in grey, too."""
    x, y = _x(point) - 0.48, TOP + FIELD_H - POINT_H - 0.2 if point <= 12 else TOP
    for colour, width in ((KEYLINE, 6), (MARK, 2.5)):
        look = f'class="mark" rx="4" fill="none" stroke="{colour}" stroke-width="{width}"'
        yield layout.box(x, y + 0.05, 0.96, POINT_H + 0.1, look=look)


def _number(layout: DiagramLayout, point: int, number: int, *, marked: bool) -> Iterator[str]:
    x, y = _x(point), HEIGHT - FRAME - RIM / 2 if point <= 12 else FRAME + RIM / 2
    fill, weight = (KEYLINE, "700") if marked else (RIM_TEXT, "400")
    if marked:
        yield layout.disc(x, y, 0.29, look=f'fill="{MARK}"')
    yield layout.word(x, y, number, 0.36, look=f'fill="{fill}" font-weight="{weight}"')


def _stack(
    layout: DiagramLayout, side: Side, number: int, x: float, *, bottom: bool, pin: bool = False
) -> Iterator[str]:
    """Checkers from the edge inwards; with `pin` the lowest lies on one of the other side."""
    for place in range(min(number, MOST_DRAWN)):
        far = TOP + 0.02 + (2 * place + 1) * RADIUS
        y = HEIGHT - far if bottom else far
        counted = place == MOST_DRAWN - 1 and number > MOST_DRAWN
        if pin and place == 0:
            fill, ring = CHECKERS[side.opponent]
            look = f'class="pinned {side.opponent}" fill="{fill}" stroke="{ring}"'
            yield layout.disc(x, y, RADIUS - 0.02, look=look)
            yield layout.disc(
                x, y, RADIUS * PINNING, look=f'class="checker {side}" fill="{CHECKERS[side][0]}"'
            )
            continue
        yield from _checker(layout, side, x, y, number if counted else None)


def _on_bar(layout: DiagramLayout, side: Side, number: int) -> Iterator[str]:
    """On the bar, from its middle towards the side where they enter."""
    for place in range(min(number, MOST_ON_BAR)):
        far = (0.75 + 2 * place * RADIUS) * (-1 if side is Side.LIGHT else 1)
        counted = place == MOST_ON_BAR - 1 and number > MOST_ON_BAR
        yield from _checker(layout, side, WIDTH / 2, HEIGHT / 2 + far, number if counted else None)


def _tray(layout: DiagramLayout, side: Side, number: int, *, right: bool, bottom: bool) -> Iterator[str]:
    """In a tray beside the field, on their edges, with their number."""
    fill, ring = CHECKERS[side]
    x = LEFT + FIELD_W + 0.14 if right else FRAME + 0.06
    for place in range(number):
        far = TOP + 0.06 + place * OFF_H
        y = HEIGHT - far - OFF_H + 0.05 if bottom else far
        look = f'class="off {side}" rx="2" fill="{fill}" stroke="{ring}"'
        yield layout.box(x, y, TRAY - 0.2, OFF_H - 0.05, look=look)
    if number:
        y = HEIGHT - FRAME - RIM / 2 if bottom else FRAME + RIM / 2
        yield layout.word(x + TRAY / 2 - 0.1, y, number, 0.36, look=f'fill="{RIM_TEXT}" font-weight="700"')


def _checker(layout: DiagramLayout, side: Side, x: float, y: float, number: int | None) -> Iterator[str]:
    fill, ring = CHECKERS[side]
    yield layout.disc(x, y, RADIUS - 0.02, look=f'class="checker {side}" fill="{fill}" stroke="{ring}"')
    if number is None:
        yield layout.disc(x, y, RING, look=f'fill="none" stroke="{ring}" stroke-width="1.8"')
    else:
        text = CHECKERS[side.opponent][0]
        yield layout.word(x, y, number, 0.5, look=f'fill="{text}" font-weight="600"')


def dice_parts(layout: DiagramLayout, roll: Roll, roller: Side, *, right: bool) -> Iterator[str]:
    """Two dice in the colours of the roller, in the right or the left half."""
    middle = LEFT + 3 + (6 + BAR if right else 0)
    fill, pip = CHECKERS[roller][0], CHECKERS[roller.opponent][0]
    for number, die in enumerate(roll.dice):
        x, y = middle - 0.62 + number * 1.24, HEIGHT / 2
        yield layout.box(
            x - 0.465, y - 0.465, 0.93, 0.93, look=f'rx="7" fill="{fill}" stroke="{CHECKERS[roller][1]}"'
        )
        for place in _PIPS[die]:
            dx, dy = 0.25 * (place % 3 - 1), 0.25 * (place // 3 - 1)
            yield layout.disc(x + dx, y + dy, 0.085, look=f'class="pip" fill="{pip}"')
