"""Where the lamps lie under the board and which way the strip runs."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from controller.devices.lights.frame import Place
from controller.devices.lights.order import RUN
from hardware_docs.drawings.parts import SINK, note, wire

PITCH: Final = 1.1
BAR: Final = 1.5
HEIGHT: Final = 12.0
ROW: Final = 3.0
"""From either edge to the row of lamps: a quarter of the board's depth."""
TRAY: Final = 1.6


def strip_layout(drawing: schemdraw.Drawing) -> None:
    """The board from above with light sitting at the bottom and light's home on the right."""
    width = 12 * PITCH + BAR
    drawing.add(elm.Rect((0, 0), (width, HEIGHT)).theta(0).at((0, 0)))
    drawing.add(elm.Rect((0, 0), (BAR, HEIGHT)).theta(0).at((6 * PITCH, 0)))
    drawing.add(elm.Rect((0, 0), (TRAY, HEIGHT)).theta(0).at((width + 0.3, 0)))
    tray = width + 0.3 + TRAY / 2
    spots: dict[Place, tuple[float, float]] = {
        point: (_column(point), ROW if point <= 12 else HEIGHT - ROW) for point in range(1, 25)
    }
    spots |= {"bar-light": (width / 2, ROW), "bar-dark": (width / 2, HEIGHT - ROW)}
    spots |= {"tray-light": (tray, ROW), "tray-dark": (tray, HEIGHT - ROW)}
    spots["status"] = (width + 3.4, HEIGHT - ROW)
    _run(drawing, spots, width)
    for lamp, place in enumerate(RUN):
        _lamp(drawing, spots[place], str(place), lamp)
    for x, y, words in ((0, -1.0, "light's side"), (0, HEIGHT + 0.7, "dark's side")):
        note(drawing, (x, y), words)
    _measures(drawing)


def _column(point: int) -> float:
    column = point - 1 if point <= 12 else 24 - point
    from_right = (column + 0.5) * PITCH + (BAR if column >= 6 else 0)
    return 12 * PITCH + BAR - from_right


def _lamp(drawing: schemdraw.Drawing, spot: tuple[float, float], place: str, lamp: int) -> None:
    """A lamp: its place towards the edge of the board, its number along the strip towards the middle."""
    x, y = spot
    drawing.add(elm.Rect((-0.15, -0.15), (0.15, 0.15)).theta(0).at(spot).fill("gold"))
    out = -0.5 if y < HEIGHT / 2 else 0.5
    for to, text, color in ((out, place, "black"), (-out, str(lamp), "steelblue")):
        words = elm.Label().theta(0).at((x - 0.1, y + to + SINK))
        drawing.add(words.label(text, fontsize=9, ofst=0, loc="center", halign="center").color(color))


def _run(drawing: schemdraw.Drawing, spots: dict[Place, tuple[float, float]], width: float) -> None:
    """The strip from its beginning at light's tray once around the board to the status lamp."""
    color = "steelblue"
    data = (width + 3.0, ROW)
    corners = [(-0.5, ROW), (-0.5, HEIGHT - ROW)]
    wire(drawing, data, *corners, spots["status"], color=color)
    note(drawing, (data[0] + 0.1, ROW), "data in")


def _measures(drawing: schemdraw.Drawing) -> None:
    color = "dimgray"
    drawing.add(elm.Line(arrow="<->").at((_column(12), -0.4)).to((_column(11), -0.4)).color(color))
    note(drawing, (_column(11) + 0.2, -0.4), "one lamp for each point: 44 mm with 42 mm checkers")
    drawing.add(elm.Line(arrow="<->").at((_column(6) + 0.5, 0)).to((_column(6) + 0.5, ROW)).color(color))
    note(drawing, (_column(6) + 0.6, ROW / 2), "a quarter of the depth")
    note(drawing, (0.4, HEIGHT / 2 + 0.6), "Black: the places.")
    drawing.add(
        elm.Label()
        .theta(0)
        .at((0.4, HEIGHT / 2 + SINK))
        .label("Blue: the lamps, numbered along the strip.", fontsize=10, halign="left", loc="center", ofst=0)
        .color("steelblue")
    )
    note(drawing, (0.4, HEIGHT / 2 - 0.6), "Lamps are cut apart and joined by cable.")
