"""Blocks with pins, and wires that carry names: what the diagrams are put together from."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal

import schemdraw
import schemdraw.elements as elm

PITCH: Final = 1.0
"""Between two pins of a block, in the drawing's units."""
SMALL: Final = 10
SINK: Final = -0.09
"""Words stand this much too high beside their wire otherwise."""

Pins = Sequence[str | None]
"""Names of pins from the top down; None leaves a place free."""


def block(
    drawing: schemdraw.Drawing,
    title: str,
    at: tuple[float, float],
    *,
    left: Pins = (),
    right: Pins = (),
    width: float = 3.2,
) -> dict[str, tuple[float, float]]:
    """A box with named pins; `at` is its top left corner. Returns where each pin's wire begins, by its name."""
    height = (max(len(left), len(right)) + 0.6) * PITCH
    x, y = at
    drawing.add(elm.Rect((0, 0), (width, -height)).theta(0).at(at))
    drawing.add(elm.Label().theta(0).at((x + width / 2, y + 0.3)).label(title, fontsize=12, ofst=0))
    ends: dict[str, tuple[float, float]] = {}
    for names, edge, out in ((left, x, -0.4), (right, x + width, 0.4)):
        for number, name in enumerate(names):
            if name is None:
                continue
            row = y - (number + 0.8) * PITCH
            ends[name] = (edge + out, row)
            wire(drawing, (edge, row), (edge + out, row))
            inside = 0.12 if out < 0 else -0.2
            side: Literal["left", "right"] = "left" if out < 0 else "right"
            drawing.add(
                elm.Label()
                .theta(0)
                .at((edge + inside, row + SINK))
                .label(name, fontsize=SMALL, halign=side, valign="center", loc="center", ofst=0)
            )
    return ends


def wire(drawing: schemdraw.Drawing, *corners: tuple[float, float], color: str = "black") -> None:
    """A wire through these corners."""
    for start, end in pairwise(corners):
        drawing.add(elm.Line().at(start).to(end).color(color))


def dot(drawing: schemdraw.Drawing, at: tuple[float, float]) -> None:
    """Wires that touch here are joined."""
    drawing.add(elm.Dot().at(at))


def ground(drawing: schemdraw.Drawing, at: tuple[float, float]) -> None:
    """To the common ground."""
    drawing.add(elm.Ground().theta(0).at(at))


def part(
    drawing: schemdraw.Drawing,
    element: Any,
    start: tuple[float, float],
    end: tuple[float, float],
    text: str,
    *,
    loc: str = "top",
) -> None:
    """A part with two ends between two spots."""
    drawing.add(element.endpoints(start, end).label(text, fontsize=SMALL, loc=loc))


def note(drawing: schemdraw.Drawing, at: tuple[float, float], text: str, *, size: int = SMALL) -> None:
    """Words that begin at a spot."""
    drawing.add(
        elm.Label()
        .theta(0)
        .at((at[0], at[1] + SINK))
        .label(text, fontsize=size, halign="left", valign="center", loc="center", ofst=0)
    )


def rail(drawing: schemdraw.Drawing, at: tuple[float, float], text: str) -> None:
    """To a supply that goes by this name."""
    drawing.add(elm.Vdd().theta(0).at(at).label(text, fontsize=SMALL))


def button(
    drawing: schemdraw.Drawing, start: tuple[float, float], to: float, text: str, *, filtered: bool = False
) -> None:
    """A push button from a pin to a common line at x = `to`; its name stands behind that.

    A filtered one has a long cable: a resistor and a capacitor keep off what the cable picks up.
    """
    x, y = start
    if filtered:
        part(drawing, elm.Capacitor(), (x + 0.5, y), (x + 0.5, y - 1.3), "100 nF", loc="bottom")
        ground(drawing, (x + 0.5, y - 1.3))
        dot(drawing, (x + 0.5, y))
        part(drawing, elm.ResistorIEC(), (x + 0.5, y), (x + 2.5, y), "1 kΩ")
        wire(drawing, start, (x + 0.5, y))
        x += 2.5
    drawing.add(elm.Button().endpoints((x, y), (x + 2.0, y)))
    wire(drawing, (x + 2.0, y), (to, y))
    dot(drawing, (to, y))
    note(drawing, (to + 0.3, y), text)


def buttons(drawing: schemdraw.Drawing, pins: Mapping[str, tuple[float, float]], low: str) -> None:
    """Buttons from named pins to the ground pin `low`, the plungers of the clock with their filters."""
    x, bottom = pins[low]
    end = x + 5.2
    named = {name: at for name, at in pins.items() if name != low}
    for name, at in named.items():
        button(drawing, at, end, name, filtered="clock" in name)
    wire(drawing, (end, max(y for _, y in named.values())), (end, bottom), (x, bottom))
    ground(drawing, (end, bottom))
