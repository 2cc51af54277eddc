"""Blocks with pins, and wires that carry names: what the diagrams are put together from."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal

import schemdraw
import schemdraw.elements as elm

PITCH: Final = 1.0
"""Between two pins of a block, in the drawing's units."""
SMALL: Final = 10

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
                .at((edge + inside, row))
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
        .at(at)
        .label(text, fontsize=size, halign="left", valign="center", loc="center", ofst=0)
    )


def button(drawing: schemdraw.Drawing, start: tuple[float, float], text: str, *, length: float = 2.4) -> None:
    """A push button from a pin to ground."""
    end = (start[0] + length, start[1])
    part(drawing, elm.Button(), start, end, text)
    wire(drawing, end, (end[0] + 0.3, end[1]))
