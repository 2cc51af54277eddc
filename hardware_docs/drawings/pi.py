"""What is wired to the Raspberry Pi itself."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware_docs.drawings.header import named
from hardware_docs.drawings.parts import block, buttons, dot, ground, note, part, wire

BUTTONS: Final = (
    (5, "roll"),
    (6, "light's clock"),
    (13, "dark's clock"),
    (19, "double"),
    (26, "take"),
    (16, "drop"),
    (20, "pause"),
    (21, "done"),
)
DICE: Final = (
    (17, "first die, 1"),
    (27, "first die, 2"),
    (22, "first die, 4"),
    (23, "second die, 1"),
    (24, "second die, 2"),
    (25, "second die, 4"),
    (4, "both lie still"),
)
SERIAL: Final = 15
"""Where the Pi's own serial port listens; it need not say anything to dice."""
STRIP: Final = 10
"""The data output of the SPI line."""
CHAIN: Final = (
    ("data", 10, "SER, pin 14"),
    ("clock", 11, "SRCLK, pin 11"),
    ("latch", 8, "RCLK, pin 12"),
    ("enable", 7, "OE, pin 13"),
)
_LANES: Final = ((-2.9, 9.4, -10.8), (-2.2, 10.1, -11.4), (-1.5, 10.8, -12.0))
"""Where clock, latch and enable go down, run and come up on their way to the next register: x, x, y."""


def camera_only(drawing: schemdraw.Drawing) -> None:
    """The smallest table: a camera and a Pi."""
    supply = block(drawing, "Supply of the Pi", (-6.4, 0), right=("USB-C",), width=2.6)
    pi = block(
        drawing, "Raspberry Pi 4 or 5", (0, 0), left=("power",), right=("CSI", None, None, "USB"), width=3.6
    )
    ribbon = block(drawing, "Camera module", (8.4, 0), left=("ribbon",), width=3)
    cable = block(drawing, "USB camera (UVC)", (8.4, -3.0), left=("USB",), width=3)
    wire(drawing, supply["USB-C"], pi["power"])
    wire(drawing, pi["CSI"], ribbon["ribbon"])
    wire(drawing, pi["USB"], cable["USB"])
    note(drawing, (5.0, -2.3), "one of the two")


def pi_controls(drawing: schemdraw.Drawing) -> None:
    """Buttons and plungers to ground, dice as binary lines, at the Pi's own pins."""
    plain = [named(gpio) for gpio, name in BUTTONS if "clock" not in name]
    clocks = [named(gpio) for gpio, name in BUTTONS if "clock" in name]
    left = tuple(named(gpio) for gpio, _ in DICE)
    right = (*plain, clocks[0], None, None, clocks[1], None, None, "pin 39 (GND)")
    pi = block(drawing, "Raspberry Pi", (0, 0), left=(*left, "pin 9 (GND)"), right=right, width=5.4)
    ends = {name: pi[named(gpio)] for gpio, name in BUTTONS}
    buttons(drawing, {**ends, "GND": pi["pin 39 (GND)"]}, "GND")
    unit = block(
        drawing, "Dice unit, 3.3 V lines", (-8.4, 0), right=(*(name for _, name in DICE), "ground"), width=4
    )
    for pin, (_, name) in zip(left, DICE, strict=True):
        wire(drawing, pi[pin], unit[name])
    wire(drawing, pi["pin 9 (GND)"], unit["ground"])


def dice_units(drawing: schemdraw.Drawing) -> None:
    """Dice units of other makers, each by its own way: USB, the Pi's serial port, an adapter for RS-232."""
    pins = ("USB 1", None, None, named(SERIAL), None, None, "pin 6 (GND)", None, None, "USB 2")
    pi = block(drawing, "Raspberry Pi", (0, 0), left=pins, width=4.4)
    plugged = block(drawing, "1. Dice unit with USB", (-15.4, 0), right=("USB",), width=4)
    wire(drawing, plugged["USB"], pi["USB 1"])
    bare = block(drawing, "2. Dice unit, 5 V", (-15.4, -3), right=("sends", None, None, "ground"), width=4)
    line, low = bare["sends"][1], bare["ground"][1]
    wire(drawing, bare["sends"], (-7.4, line))
    part(drawing, elm.ResistorIEC(), (-7.4, line), (-5.4, line), "1.8 kΩ")
    wire(drawing, (-5.4, line), pi[named(SERIAL)])
    part(drawing, elm.ResistorIEC(), (-3.4, line), (-3.4, low), "3.3 kΩ", loc="bottom")
    wire(drawing, bare["ground"], pi["pin 6 (GND)"])
    dot(drawing, (-3.4, line))
    dot(drawing, (-3.4, low))
    ground(drawing, (-3.4, low))
    old = block(
        drawing, "3. Dice unit, RS-232", (-15.4, -9), right=("sends", "ground", "power, if any"), width=4
    )
    adapter = block(
        drawing,
        "Adapter RS-232 to USB",
        (-7.8, -9),
        left=("2, receives", "5, ground", "4, DTR"),
        right=("USB",),
        width=4,
    )
    for end, pin in (("sends", "2, receives"), ("ground", "5, ground"), ("power, if any", "4, DTR")):
        wire(drawing, old[end], adapter[pin])
    wire(drawing, adapter["USB"], pi["USB 2"])


def pi_strip(drawing: schemdraw.Drawing) -> None:
    """A strip at the Pi's SPI line: 3.3 V lifted to 5 V; gates that are not used rest."""
    line = named(STRIP)
    pi = block(drawing, "Raspberry Pi", (-1.4, 0), right=(line, "pin 20 (GND)"), width=3.8)
    unused = ("2A 3A 4A, pins 5 9 12", "2OE 3OE 4OE, pins 4 10 13")
    gate = block(
        drawing,
        "74AHCT125",
        (6.4, 0),
        left=("1A, pin 2", "1OE, pin 1", "GND, pin 7", unused[0]),
        right=("1Y, pin 3", "VCC, pin 14", unused[1]),
        width=8.4,
    )
    strip = block(drawing, "WS2812B, 29 lamps", (22.0, 0), left=("DIN", "GND", "5V"), width=3.8)
    source = block(drawing, "Supply 5 V, 3 A", (-1.4, -7.4), right=("+", None, "-"), width=3.8)
    plus, minus = source["+"][1], source["-"][1]
    data = gate["1A, pin 2"]
    wire(drawing, pi[line], data)
    part(drawing, elm.ResistorIEC(), (4.3, data[1]), (4.3, minus), "10 kΩ", loc="bottom")
    part(drawing, elm.ResistorIEC(), gate["1Y, pin 3"], strip["DIN"], "330 Ω, near the strip")
    part(drawing, elm.FuseIEC(), (7.0, plus), (9.2, plus), "fuse T 1.25 A")
    wire(drawing, source["+"], (7.0, plus))
    wire(drawing, (9.2, plus), (21.0, plus), (21.0, strip["5V"][1]), strip["5V"])
    volts = gate["VCC, pin 14"]
    wire(drawing, volts, (16.2, volts[1]), (16.2, plus))
    wire(drawing, gate[unused[1]], (16.2, gate[unused[1]][1]))
    wire(drawing, source["-"], (20.0, minus), (20.0, strip["GND"][1]), strip["GND"])
    wire(drawing, pi["pin 20 (GND)"], (3.4, pi["pin 20 (GND)"][1]), (3.4, minus))
    lows = [gate[name] for name in ("1OE, pin 1", "GND, pin 7", unused[0])]
    wire(drawing, lows[0], (lows[0][0] - 0.2, lows[0][1]), (lows[0][0] - 0.2, minus))
    for low in lows[1:]:
        wire(drawing, low, (low[0] - 0.2, low[1]))
        dot(drawing, (low[0] - 0.2, low[1]))
    part(drawing, elm.Capacitor(), (13.0, plus), (13.0, minus), "", loc="bottom")
    note(drawing, (13.4, (plus + minus) / 2), "100 nF, at the chip")
    part(drawing, elm.Capacitor2(polar=True), (18.0, plus), (18.0, minus), "1000 µF", loc="bottom")
    for x in (13.0, 16.2, 18.0):
        dot(drawing, (x, plus))
    for x in (3.4, 4.3, lows[0][0] - 0.2, 13.0, 18.0, 20.0):
        dot(drawing, (x, minus))
    dot(drawing, (4.3, data[1]))
    dot(drawing, (16.2, gate[unused[1]][1]))
    ground(drawing, (20.0, minus))


def shift_chain(drawing: schemdraw.Drawing) -> None:
    """Four 74HC595 in a chain, one plain LED for each output; OE is high until the program pulls it low."""
    pi = block(
        drawing, "Raspberry Pi", (-9.4, 0), right=tuple(named(gpio) for _, gpio, _ in CHAIN), width=3.8
    )
    names = tuple(name for _, _, name in CHAIN)
    left = (*names, "GND, pin 8")
    right = ("QH', pin 9", None, "QA, pin 15", None, "… QH, pin 7", None, "SRCLR, pin 10", "VCC, pin 16")
    titles = ("74HC595, first", "74HC595, second of four")
    first, second = (
        block(drawing, title, (12.4 * number, 0), left=left, right=right, width=4.6)
        for number, title in enumerate(titles)
    )
    for _, gpio, name in CHAIN:
        wire(drawing, pi[named(gpio)], first[name])
    for name, (down, up, lane) in zip(names[1:], _LANES, strict=True):
        at, there = first[name], second[name]
        wire(drawing, (down, at[1]), (down, lane), (up, lane), (up, there[1]), there)
        dot(drawing, (down, at[1]))
    wire(drawing, first["QH', pin 9"], second["SER, pin 14"])
    enable = first["OE, pin 13"]
    part(drawing, elm.ResistorIEC(), (-4.7, enable[1]), (-4.7, enable[1] - 2.4), "10 kΩ", loc="bottom")
    dot(drawing, (-4.7, enable[1]))
    note(drawing, (-6.2, enable[1] - 2.8), "pin 1 (3.3 V)")
    for chip in (first, second):
        _feed(drawing, chip)
        x, y = chip["QA, pin 15"]
        part(drawing, elm.ResistorIEC(), (x, y), (x + 1.7, y), "1 kΩ")
        part(drawing, elm.LED(), (x + 1.7, y), (x + 3.1, y), "")
        ground(drawing, (x + 3.1, y))
    note(drawing, (second["QH', pin 9"][0] + 0.2, second["QH', pin 9"][1]), "to SER of the third")


def _feed(drawing: schemdraw.Drawing, chip: dict[str, tuple[float, float]]) -> None:
    """What every register has: ground, 3.3 V, and a capacitor between them."""
    ground(drawing, chip["GND, pin 8"])
    x, y = chip["VCC, pin 16"]
    wire(drawing, chip["SRCLR, pin 10"], chip["VCC, pin 16"])
    dot(drawing, (x, y))
    part(drawing, elm.Capacitor(), (x, y), (x, y - 1.6), "", loc="bottom")
    note(drawing, (x + 0.5, y - 0.8), "100 nF, at the chip")
    ground(drawing, (x, y - 1.6))
    note(drawing, (x + 0.3, y), "pin 1 (3.3 V)")
