"""Every diagram by its name, as the text of an SVG file."""

import re
from collections.abc import Callable, Mapping
from typing import Final

import schemdraw

from hardware_docs.drawings.layout import strip_layout
from hardware_docs.drawings.nano import nano_controls, nano_dice, nano_strip
from hardware_docs.drawings.pi import camera_only, dice_units, pi_controls, pi_strip, shift_chain
from hardware_docs.drawings.plugged import no_soldering

MARGIN: Final = 24
SHEETS: Final[Mapping[str, Callable[[schemdraw.Drawing], None]]] = {
    "wiring_camera": camera_only,
    "wiring_nano_strip": nano_strip,
    "wiring_nano_controls": nano_controls,
    "wiring_nano_dice": nano_dice,
    "wiring_pi_controls": pi_controls,
    "wiring_dice_units": dice_units,
    "wiring_pi_strip": pi_strip,
    "wiring_74hc595": shift_chain,
    "no_soldering": no_soldering,
    "strip_layout": strip_layout,
}


def svg(name: str) -> str:
    """The SVG text of a diagram; the same on every machine. KeyError if there is none of that name."""
    schemdraw.use("svg")
    drawing = schemdraw.Drawing(show=False, canvas="svg")
    drawing.config(fontsize=11, bgcolor="white", font="sans-serif")
    SHEETS[name](drawing)
    text = drawing.get_imagedata("svg").decode("utf-8")
    # Sums in binary differ in their last digits between processors: two decimals are plenty.
    text = re.sub(r"-?\d+\.\d{3,}", lambda m: f"{float(m[0]):.2f}", text).replace("-0.00", "0.00")
    return _framed(text) + "\n"


def _framed(text: str) -> str:
    """White ground with a margin: words may reach a little beyond the lines, and pages may be dark."""
    found = re.search(r' height="[^"]*" width="[^"]*" viewBox="([^"]*)"[^>]*>', text)
    if found is None:
        raise ValueError("the drawing has no frame")
    x, y, width, height = (float(part) for part in found[1].split())
    x, y, width, height = x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN
    box = f'width="{width:.2f}" height="{height:.2f}"'
    frame = f' {box} viewBox="{x:.2f} {y:.2f} {width:.2f} {height:.2f}">'
    return text.replace(found[0], f'{frame}<rect x="{x:.2f}" y="{y:.2f}" {box} fill="white"/>', 1)
