"""What is wired to the Raspberry Pi itself."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware_docs.drawings.parts import block, button, dot, ground, note, part, wire

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
CHAIN: Final = (("data", 10, "SER"), ("clock", 11, "SRCLK"), ("latch", 8, "RCLK"))


def camera_only(drawing: schemdraw.Drawing) -> None:
    """The smallest table: a camera and a Pi."""
    supply = block(drawing, "Supply 5.1 V", (-6.4, 0), right=("USB-C",), width=2.6)
    pi = block(drawing, "Raspberry Pi 4 or 5", (0, 0), left=("power",), right=("CSI", None, "USB"), width=3.6)
    ribbon = block(drawing, "Camera module", (8.4, 0.2), left=("ribbon",), width=3)
    cable = block(drawing, "USB camera (UVC)", (8.4, -2.4), left=("USB",), width=3)
    wire(drawing, supply["USB-C"], pi["power"])
    wire(drawing, pi["CSI"], (6.0, pi["CSI"][1]), (6.0, ribbon["ribbon"][1]), ribbon["ribbon"])
    wire(drawing, pi["USB"], (6.0, pi["USB"][1]), (6.0, cable["USB"][1]), cable["USB"])
    note(drawing, (6.3, -1.6), "one of the two")


def pi_controls(drawing: schemdraw.Drawing) -> None:
    """Buttons and plungers to ground, dice as binary lines, at the Pi's own pins."""
    right = tuple(f"GPIO {pin}" for pin, _ in BUTTONS)
    left = tuple(f"GPIO {pin}" for pin, _ in DICE)
    pi = block(drawing, "Raspberry Pi", (0, 0), left=(*left, "GND"), right=(*right, "GND"), width=4)
    end = pi[right[0]][0] + 2.7
    for pin, (_, name) in zip(right, BUTTONS, strict=True):
        button(drawing, pi[pin], name)
        dot(drawing, (end, pi[pin][1]))
    low = pi[right[-1]][1] - 1.0
    wire(drawing, (end, pi[right[0]][1]), (end, low), (pi[right[0]][0] - 0.4, low))
    ground(drawing, (end, low))
    unit = block(
        drawing, "Dice unit, 3.3 V lines", (-8.4, 0), right=(*(name for _, name in DICE), "ground"), width=4
    )
    for pin, (_, name) in zip(left, DICE, strict=True):
        wire(drawing, pi[pin], unit[name])
    wire(drawing, (-0.4, unit["ground"][1]), unit["ground"])


def pi_strip(drawing: schemdraw.Drawing) -> None:
    """A strip at the Pi's SPI line: 3.3 V lifted to 5 V."""
    pi = block(drawing, "Raspberry Pi", (-0.6, 0), right=("GPIO 10", "ground"))
    gate = block(drawing, "74AHCT125 at 5 V", (5.4, 0), left=("1A", "1OE", "7"), right=("1Y", "14"), width=3)
    strip = block(drawing, "WS2812B, 29 lamps", (14, 0), left=("DIN", "GND", "5V"), width=3.6)
    source = block(drawing, "Supply 5 V, 2 A", (-0.6, -6.4), right=("+", None, "-"))
    wire(drawing, pi["GPIO 10"], gate["1A"])
    part(drawing, elm.ResistorIEC(), gate["1Y"], strip["DIN"], "330 Ω, near the strip")
    plus, minus = source["+"][1], source["-"][1]
    part(drawing, elm.FuseIEC(), (5.0, plus), (7.2, plus), "2 A fuse")
    wire(drawing, source["+"], (5.0, plus))
    wire(drawing, (7.2, plus), (13.0, plus), (13.0, strip["5V"][1]), strip["5V"])
    wire(drawing, gate["14"], (10.0, gate["14"][1]), (10.0, plus))
    wire(drawing, source["-"], (12.2, minus), (12.2, strip["GND"][1]), strip["GND"])
    wire(drawing, pi["ground"], (3.8, pi["ground"][1]), (3.8, minus))
    wire(drawing, gate["1OE"], (4.6, gate["1OE"][1]), (4.6, minus))
    wire(drawing, gate["7"], (4.6, gate["7"][1]))
    part(drawing, elm.Capacitor2(polar=True), (11.2, plus), (11.2, minus), "1000 µF", loc="bottom")
    part(drawing, elm.Capacitor(), (8.2, plus), (8.2, minus), "100 nF", loc="bottom")
    joints = (
        (10.0, plus),
        (11.2, plus),
        (11.2, minus),
        (8.2, plus),
        (8.2, minus),
        (3.8, minus),
        (4.6, minus),
    )
    for joint in (*joints, (4.6, gate["7"][1])):
        dot(drawing, joint)
    ground(drawing, (12.2, minus))


def shift_chain(drawing: schemdraw.Drawing) -> None:
    """Four 74HC595 in a chain, one plain LED for each output."""
    pi = block(drawing, "Raspberry Pi", (-6.6, 0), right=tuple(f"GPIO {pin}" for _, pin, _ in CHAIN), width=3)
    names = tuple(name for _, _, name in CHAIN)
    left = (*names, "OE", "GND", "SRCLR", "VCC")
    rows: dict[int, dict[str, tuple[float, float]]] = {}
    for number in range(2):
        right = ("QH'", None, "QA", None, "… QH")
        title = ("74HC595, first", "74HC595, second of four")[number]
        rows[number] = block(drawing, title, (9.6 * number, 0), left=left, right=right, width=3.4)
    first, second = rows[0], rows[1]
    for (_, pin, name), lane in zip(CHAIN, (0.0, -9.2, -9.9), strict=True):
        wire(drawing, pi[f"GPIO {pin}"], first[name])
        if name != "SER":
            spot = -2.6 if name == "SRCLK" else -1.8
            there = 7.4 if name == "SRCLK" else 8.2
            wire(
                drawing,
                (spot, first[name][1]),
                (spot, lane),
                (there, lane),
                (there, second[name][1]),
                second[name],
            )
            dot(drawing, (spot, first[name][1]))
    wire(drawing, first["QH'"], second["SER"])
    for chip in (first, second):
        low = (chip["OE"][0], chip["GND"][1])
        wire(drawing, chip["OE"], low)
        ground(drawing, low)
        high = chip["SRCLR"][0]
        wire(drawing, chip["SRCLR"], chip["VCC"])
        wire(drawing, chip["VCC"], (high, chip["VCC"][1] - 0.4))
        note(drawing, (high - 1.1, chip["VCC"][1] - 0.5), "3.3 V")
        x, y = chip["QA"]
        part(drawing, elm.ResistorIEC(), (x, y), (x + 1.5, y), "1 kΩ")
        part(drawing, elm.LED(), (x + 1.5, y), (x + 2.9, y), "")
        ground(drawing, (x + 2.9, y))
    note(drawing, (13.8, second["QH'"][1]), "to SER of the third")
