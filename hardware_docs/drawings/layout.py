"""Where the lamps lie under the board and which way the strip runs."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware_docs.drawings.parts import note, wire

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
    lamps = [(_column(point), ROW if point <= 12 else HEIGHT - ROW, str(point)) for point in range(1, 25)]
    lamps += [(width / 2, ROW, "bar-light"), (width / 2, HEIGHT - ROW, "bar-dark")]
    lamps += [(tray, ROW, "tray-light"), (tray, HEIGHT - ROW, "tray-dark"), (-0.3, HEIGHT / 2, "status")]
    _run(drawing, tray, width)
    for x, y, name in lamps:
        drawing.add(elm.Rect((-0.15, -0.15), (0.15, 0.15)).theta(0).at((x, y)).fill("gold"))
        below = y - 0.5 if y < HEIGHT / 2 else y + 0.5
        drawing.add(elm.Label().theta(0).at((x, below)).label(name, fontsize=9, ofst=0, loc="center"))
    for x, y, words in ((0, -1.0, "light's side"), (0, HEIGHT + 0.7, "dark's side")):
        note(drawing, (x, y), words)
    _measures(drawing)


def _column(point: int) -> float:
    column = point - 1 if point <= 12 else 24 - point
    from_right = (column + 0.5) * PITCH + (BAR if column >= 6 else 0)
    return 12 * PITCH + BAR - from_right


def _run(drawing: schemdraw.Drawing, tray: float, width: float) -> None:
    """The strip from its beginning at light's tray to the status lamp."""
    color = "steelblue"
    top = HEIGHT - ROW
    wire(drawing, (width + 2.8, ROW), (-0.3, ROW), color=color)
    wire(drawing, (-0.3, ROW), (-0.3, top), color=color)
    wire(drawing, (-0.3, top), (tray, top), color=color)
    note(drawing, (width + 2.9, ROW), "data in")


def _measures(drawing: schemdraw.Drawing) -> None:
    color = "dimgray"
    drawing.add(elm.Line(arrow="<->").at((_column(12), -0.3)).to((_column(11), -0.3)).color(color))
    note(drawing, (_column(11) + 0.2, -0.3), "one lamp for each point: 44 mm with 42 mm checkers")
    drawing.add(elm.Line(arrow="<->").at((_column(6) + 0.5, 0)).to((_column(6) + 0.5, ROW)).color(color))
    note(drawing, (_column(6) + 0.6, ROW / 2), "a quarter of the depth")
    note(drawing, (0.2, HEIGHT / 2 + 0.3), "lamps cut apart and joined")
    note(drawing, (0.2, HEIGHT / 2 - 0.3), "by cable of three wires")
