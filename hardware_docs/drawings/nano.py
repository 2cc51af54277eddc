"""What is wired to the Arduino Nano."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware_docs.drawings.parts import block, button, dot, ground, note, part, wire

BUTTONS: Final = (
    ("D2", "roll"),
    ("D3", "light's clock"),
    ("D4", "dark's clock"),
    ("D5", "double"),
    ("D6", "take"),
    ("D7", "drop"),
    ("D9", "pause"),
    ("D10", "done"),
)
DICE: Final = (
    ("first die", ("A0", "A1", "A2", "A3")),
    ("second die", ("A4", "A5", "D12", "D13")),
)
PAIRS: Final = ("one diagonal, 2 LEDs", "other diagonal, 2 LEDs", "pair between, 2 LEDs")


def nano_strip(drawing: schemdraw.Drawing) -> None:
    """Nano, strip, supply: fuse, capacitor, resistor in the data line."""
    pi = block(drawing, "Raspberry Pi", (-6, 0), right=("USB",), width=2.4)
    nano = block(drawing, "Arduino Nano", (0, 0), left=("USB",), right=("D8", "GND", "5V"))
    strip = block(drawing, "WS2812B, 29 lamps", (9.4, 0), left=("DIN", "GND", "5V"), width=3.6)
    source = block(drawing, "Supply 5 V, 2 A", (-3.4, -5.4), right=("+", None, "-"))
    note(drawing, (-3, -0.45), "USB cable")
    wire(drawing, pi["USB"], nano["USB"])
    part(drawing, elm.ResistorIEC(), nano["D8"], strip["DIN"], "330 Ω, near the strip")
    plus, minus = source["+"][1], source["-"][1]
    part(drawing, elm.FuseIEC(), source["+"], (2.4, plus), "2 A fuse")
    wire(drawing, (2.4, plus), (8.2, plus), (8.2, strip["5V"][1]), strip["5V"])
    wire(drawing, nano["5V"], (4.2, nano["5V"][1]), (4.2, plus))
    wire(drawing, source["-"], (7.4, minus), (7.4, strip["GND"][1]), strip["GND"])
    wire(drawing, nano["GND"], (7.4, nano["GND"][1]))
    part(drawing, elm.Capacitor2(polar=True), (5.4, plus), (5.4, minus), "1000 µF", loc="bottom")
    for joint in ((4.2, plus), (5.4, plus), (5.4, minus), (7.4, strip["GND"][1])):
        dot(drawing, joint)
    ground(drawing, (7.4, minus))


def nano_controls(drawing: schemdraw.Drawing) -> None:
    """Buttons, plungers and the buzzer."""
    pins = tuple(pin for pin, _ in BUTTONS)
    nano = block(drawing, "Arduino Nano", (0, 0), left=("A7", None, "5V", None, "D11"), right=(*pins, "GND"))
    end = nano["D2"][0] + 2.7
    for pin, name in BUTTONS:
        button(drawing, nano[pin], name)
        dot(drawing, (end, nano[pin][1]))
    wire(drawing, (end, nano["D2"][1]), (end, nano["GND"][1]), nano["GND"])
    ground(drawing, (end, nano["GND"][1]))
    note(drawing, (-2.0, nano["A7"][1]), "left open")
    base = (-3.0, nano["D11"][1])
    part(drawing, elm.ResistorIEC(), nano["D11"], base, "1 kΩ")
    transistor = drawing.add(elm.BjtNpn(circle=True).right().reverse().at(base).anchor("base"))
    (x, collector), (_, emitter) = transistor.collector, transistor.emitter
    ground(drawing, (float(x), float(emitter)))
    volts = nano["5V"][1]
    wire(drawing, nano["5V"], (x, volts))
    part(drawing, elm.RBox(), (x, volts), (x, collector), "buzzer", loc="bottom")
    wire(drawing, (x, volts), (x - 1.6, volts))
    wire(drawing, (x, collector), (x - 1.6, collector))
    part(drawing, elm.Diode(), (x - 1.6, collector), (x - 1.6, volts), "1N4148")
    note(drawing, (x - 1.9, emitter - 0.4), "BC547")


def nano_dice(drawing: schemdraw.Drawing) -> None:
    """One of the two dice, pin by pin; the second is the same at its own pins."""
    title, pins = DICE[0]
    other = dict(zip(pins, DICE[1][1], strict=True))
    nano = block(drawing, f"Nano, {title}", (0, 0), right=(pins[0],), left=("5V", "GND"))
    middle = nano[pins[0]]
    part(drawing, elm.ResistorIEC(), middle, (6.2, middle[1]), "330 Ω")
    part(drawing, elm.LED(), (6.2, middle[1]), (8.6, middle[1]), "middle", loc="bottom")
    ground(drawing, (8.6, middle[1]))
    for number, (pin, group) in enumerate(zip(pins[1:], PAIRS, strict=True)):
        _pair(drawing, -3.4 - 4.6 * number, pin, group)
    words = ", ".join(f"{first} → {second}" for first, second in other.items())
    note(drawing, (0, -17.4), f"The {DICE[1][0]} is wired the same: {words}.")


def _pair(drawing: schemdraw.Drawing, top: float, pin: str, group: str) -> None:
    """Two LEDs of one group, switched by a transistor from the 5 V rail."""
    nano = block(drawing, "Nano", (0, top), right=(None, None, pin), width=3.2)
    base = (6.2, nano[pin][1])
    part(drawing, elm.ResistorIEC(), nano[pin], base, "1 kΩ")
    transistor = drawing.add(elm.BjtNpn(circle=True).right().at(base).anchor("base"))
    (x, collector), (_, emitter) = transistor.collector, transistor.emitter
    ground(drawing, (float(x), float(emitter)))
    row = float(collector)
    wire(drawing, (x, row), (x + 0.4, row))
    part(drawing, elm.LED(), (x + 2.6, row), (x + 0.4, row), "LED", loc="bottom")
    part(drawing, elm.LED(), (x + 4.8, row), (x + 2.6, row), "LED", loc="bottom")
    part(drawing, elm.ResistorIEC(), (x + 4.8, row), (x + 7.0, row), "68 Ω")
    drawing.add(elm.Vdd().theta(0).at((x + 7.0, row)).label("5 V", fontsize=10))
    note(drawing, (x + 1.0, row + 0.9), group)
