"""The libraries that gpiozero reaches a Pi's pins by, RPi.GPIO and lgpio, without a Pi: a test sets the levels.

They have what gpiozero asks of them for an input, and nothing else.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any
from unittest import mock

from controller.devices.pins import PinLibrary

PI_4 = 0xC03111


class Header:
    """The pins of a Pi; `levels` by GPIO numbers."""

    def __init__(self) -> None:
        self.levels: dict[int, bool] = {}

    def set(self, pin: int, level: bool) -> None:
        self.levels[pin] = level


def rpi_gpio(header: Header) -> dict[str, ModuleType]:
    """RPi.GPIO 0.7."""
    gpio: Any = ModuleType("RPi.GPIO")
    names = (
        *("IN", "OUT", "I2C", "SPI", "HARD_PWM", "SERIAL", "UNKNOWN"),
        *("PUD_OFF", "PUD_UP", "PUD_DOWN", "BOTH", "RISING", "FALLING", "BCM"),
    )
    for number, name in enumerate(names):
        setattr(gpio, name, number)
    for name in ("setmode", "setwarnings", "setup", "cleanup", "add_event_detect", "remove_event_detect"):
        setattr(gpio, name, lambda *_, **__: None)
    gpio.gpio_function = lambda _: gpio.IN
    gpio.input = lambda pin: int(header.levels.get(pin, False))
    package: Any = ModuleType("RPi")
    package.GPIO = gpio
    return {"RPi": package, "RPi.GPIO": gpio}


def lgpio(header: Header) -> dict[str, ModuleType]:
    """Lgpio 0.2."""
    library: Any = ModuleType("lgpio")
    names = ["SET_PULL_NONE", "SET_PULL_UP", "SET_PULL_DOWN", "BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE"]
    for number, name in enumerate(names):
        setattr(library, name, 1 << number)
    modes: dict[int, int] = {}

    def claim(_: int, pin: int, flags: int = library.SET_PULL_NONE) -> None:
        modes[pin] = {library.SET_PULL_UP: 1 << 5, library.SET_PULL_DOWN: 1 << 6}.get(flags, 1 << 7)

    library.error = type("error", (Exception,), {})
    library.gpiochip_open = lambda _: 1
    library.gpio_claim_input = library.gpio_claim_output = claim
    library.gpio_claim_alert = lambda handle, pin, _, flags: claim(handle, pin, flags)
    library.gpio_get_mode = lambda _, pin: modes.get(pin, 0)
    library.gpio_read = lambda _, pin: int(header.levels.get(pin, False))
    for name in ("gpiochip_close", "gpio_free", "gpio_set_debounce_micros"):
        setattr(library, name, lambda *_: 0)
    library.callback = lambda *_: mock.Mock()
    return {"lgpio": library}


@contextmanager
def pi_with(library: PinLibrary) -> Iterator[Header]:
    """A Pi 4 whose pins are reached by this library as long as the block lasts."""
    header = Header()
    fakes = rpi_gpio(header) if library is PinLibrary.RPI_GPIO else lgpio(header)
    with (
        mock.patch.dict(sys.modules, fakes),
        mock.patch("gpiozero.pins.local.LocalPiFactory._get_revision", return_value=PI_4),
    ):
        for module in ("rpigpio", "lgpio"):
            sys.modules.pop(f"gpiozero.pins.{module}", None)
        yield header
