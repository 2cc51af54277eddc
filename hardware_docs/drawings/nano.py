"""What is wired to the Arduino Nano."""

from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware_docs.drawings.parts import block, buttons, dot, ground, note, part, rail, wire

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
    """Nano, strip, supply: fuse, capacitor, a resistor in the data line, a diode between rail and Nano."""
    pi = block(drawing, "Raspberry Pi", (-6.4, 0), right=("USB",), width=2.4)
    nano = block(drawing, "Arduino Nano", (0, 0), left=("USB",), right=("D8", "GND", "5V"))
    strip = block(drawing, "WS2812B, 29 lamps", (10.4, 0), left=("DIN", "GND", "5V"), width=3.8)
    source = block(drawing, "Supply 5 V, 3 A", (-3.8, -6.6), right=("+", None, "-"))
    note(drawing, (-3.4, -0.45), "USB cable")
    wire(drawing, pi["USB"], nano["USB"])
    part(drawing, elm.ResistorIEC(), nano["D8"], strip["DIN"], "330 Ω, near the strip")
    plus, minus = source["+"][1], source["-"][1]
    part(drawing, elm.FuseIEC(), source["+"], (2.6, plus), "fuse T 1.25 A")
    wire(drawing, (2.6, plus), (9.4, plus), (9.4, strip["5V"][1]), strip["5V"])
    wire(drawing, nano["5V"], (4.4, nano["5V"][1]), (4.4, nano["5V"][1] - 0.6))
    part(drawing, elm.Schottky(), (4.4, plus), (4.4, nano["5V"][1] - 0.6), "")
    note(drawing, (1.0, -4.85), "Schottky 1N5819,")
    note(drawing, (1.0, -5.4), "ring to the Nano")
    wire(drawing, source["-"], (8.4, minus), (8.4, strip["GND"][1]), strip["GND"])
    wire(drawing, nano["GND"], (8.4, nano["GND"][1]))
    part(drawing, elm.Capacitor2(polar=True), (6.0, plus), (6.0, minus), "1000 µF", loc="bottom")
    for joint in ((4.4, plus), (6.0, plus), (6.0, minus), (8.4, strip["GND"][1]), (8.4, minus), (9.4, plus)):
        dot(drawing, joint)
    wire(drawing, (9.4, plus), (10.4, plus))
    note(drawing, (10.6, plus), "5 V rail: dice and buzzer too,")
    note(drawing, (10.6, plus - 0.55), "and the far end of the strip")
    ground(drawing, (8.4, minus))


def nano_controls(drawing: schemdraw.Drawing) -> None:
    """Buttons, plungers and the buzzer."""
    pin_of = {name: pin for pin, name in BUTTONS}
    plain = [pin for pin, name in BUTTONS if "clock" not in name]
    right = (*plain, pin_of["light's clock"], None, None, pin_of["dark's clock"], None, None, "GND")
    nano = block(drawing, "Arduino Nano", (0, 0), left=("A7", None, None, None, None, "D11"), right=right)
    named = {name: nano[pin] for pin, name in BUTTONS}
    buttons(drawing, {**named, "GND": nano["GND"]}, "GND")
    note(drawing, (-2.0, nano["A7"][1]), "left open")
    base = (-3.0, nano["D11"][1])
    part(drawing, elm.ResistorIEC(), nano["D11"], base, "1 kΩ")
    transistor = drawing.add(elm.BjtNpn(circle=True).right().reverse().at(base).anchor("base"))
    (x, collector), (_, emitter) = transistor.collector, transistor.emitter
    ground(drawing, (float(x), float(emitter)))
    volts = float(collector) + 1.9
    rail(drawing, (x, volts), "5 V rail")
    part(drawing, elm.RBox(), (x, volts), (x, collector), "", loc="bottom")
    note(drawing, (x + 0.5, (volts + collector) / 2), "buzzer")
    wire(drawing, (x, volts), (x - 1.2, volts))
    wire(drawing, (x, collector), (x - 1.2, collector))
    for joint in ((x, volts), (x, collector)):
        dot(drawing, joint)
    part(drawing, elm.Diode(), (x - 1.2, collector), (x - 1.2, volts), "")
    note(drawing, (x - 3.3, (volts + collector) / 2), "1N4148")
    note(drawing, (x - 2.9, (collector + emitter) / 2), "BC337-40")


def nano_dice(drawing: schemdraw.Drawing) -> None:
    """One of the two dice, pin by pin; the second is the same at its own pins."""
    title, pins = DICE[0]
    other = dict(zip(pins, DICE[1][1], strict=True))
    nano = block(drawing, f"Nano, {title}", (0, 0), right=(pins[0],))
    middle = nano[pins[0]]
    part(drawing, elm.ResistorIEC(), middle, (6.2, middle[1]), "330 Ω")
    part(drawing, elm.LED(), (6.2, middle[1]), (8.6, middle[1]), "middle", loc="bottom")
    ground(drawing, (8.6, middle[1]))
    for number, (pin, group) in enumerate(zip(pins[1:], PAIRS, strict=True)):
        _pair(drawing, -2.6 - 3.9 * number, pin, group)
    words = ", ".join(f"{first} → {second}" for first, second in other.items())
    note(drawing, (0, -14.6), f"The {DICE[1][0]} is wired the same: {words}.")


def _pair(drawing: schemdraw.Drawing, top: float, pin: str, group: str) -> None:
    """Two LEDs of one group, switched by a transistor from the 5 V rail."""
    nano = block(drawing, "Nano", (0, top), right=(None, pin), width=3.2)
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
    rail(drawing, (x + 7.0, row), "5 V rail")
    note(drawing, (x + 1.0, row + 0.9), group)
    note(drawing, (x + 0.4, float(emitter) - 0.2), "BC337-40")
