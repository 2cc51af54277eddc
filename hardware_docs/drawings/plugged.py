"""The table without soldering: every joint is a plug, a spring or a screw."""

from typing import Final

import schemdraw

from hardware_docs.drawings.nano import BUTTONS
from hardware_docs.drawings.parts import block, note, wire

STRING: Final = ("5V", "data", "GND")


def no_soldering(drawing: schemdraw.Drawing) -> None:
    """Supply, WLED controller and pixel string; Pi, Nano in its terminal board, and buttons."""
    source = block(drawing, "Supply 5 V, 3 A", (-7.6, 0), right=("+", "-"), width=3.0)
    controller = block(
        drawing, "WLED controller, fuse T 1.25 A", (0, 0), left=("+", "-"), right=STRING, width=3.8
    )
    string = block(drawing, "Pixel string, 50 pixels", (9.4, 0), left=STRING, width=3.8)
    for pin in ("+", "-"):
        wire(drawing, source[pin], controller[pin])
    for pin in STRING:
        wire(drawing, controller[pin], string[pin])
    note(drawing, (-4.0, -0.35), "barrel plug in an adapter")
    note(drawing, (-4.0, -2.35), "with two screws")
    note(drawing, (4.5, -0.35), "screws, then the pigtail")
    note(drawing, (4.5, -3.35), "and its three-pole plug")
    pi = block(drawing, "Raspberry Pi", (-7.6, -5.6), right=("USB", "network"), width=3.0)
    pins = tuple(pin for pin, _ in BUTTONS)
    nano = block(
        drawing, "Nano in a terminal board", (0, -5.6), left=("USB",), right=(*pins, "GND"), width=3.8
    )
    leads = tuple(name for _, name in BUTTONS)
    buttons = block(drawing, "Buttons, flat contacts", (9.4, -5.6), left=(*leads, "all grounds"), width=3.8)
    wire(drawing, pi["USB"], nano["USB"])
    note(drawing, (-4.0, -5.95), "USB cable")
    note(drawing, (-4.0, -7.35), "Wi-Fi, no wire")
    for pin, name in (*BUTTONS, ("GND", "all grounds")):
        wire(drawing, nano[pin], buttons[name])
    note(drawing, (4.5, -5.95), "screws, then crimped sockets")
    note(drawing, (4.5, -14.95), "a chain from button to button")
