"""Plain LEDs behind a chain of 74HC595 shift registers at three pins of the Pi."""

from typing import TYPE_CHECKING, Final

from controller.devices.lights.backends import Lights
from controller.devices.lights.frame import LightFrame
from controller.devices.lights.order import StripOrder
from controller.devices.lights.render import levels
from controller.devices.pins import opening_pins

if TYPE_CHECKING:
    from gpiozero import Factory

BITS: Final = 8
_ON: Final = 128


class ShiftLights(Lights):
    """One LED for each place, on or off; the signals differ by their rhythm alone, and the resistors dim them.

    The lamp numbers of the order are the outputs along the chain: 0 is QA of the register next to the Pi.
    """

    def __init__(
        self, factory: "Factory", order: StripOrder, *, data: int, clock: int, latch: int, registers: int = 4
    ) -> None:
        """Pins by their GPIO numbers; `factory` as `pins.pin_factory` returns it."""
        from gpiozero import OutputDevice

        with opening_pins("lights") as opened:
            self._data, self._clock, self._latch = (
                opened.enter_context(OutputDevice(pin, pin_factory=factory)) for pin in (data, clock, latch)
            )
            self._devices = opened.pop_all()
        self._order = order
        self._outputs = registers * BITS
        self._frame = LightFrame()
        self._last: tuple[bool, ...] | None = None
        self._write((False,) * self._outputs)

    def show(self, frame: LightFrame) -> None:
        """See `Lights`."""
        self._frame = frame

    def tick(self, now_s: float) -> None:
        """See `Lights`."""
        now = levels(self._order.picture(self._frame), round(now_s * 1000))
        self._write(tuple(level >= _ON for level in now))

    def close(self) -> None:
        """See `Lights`."""
        self._write((False,) * self._outputs)
        self._devices.close()

    def _write(self, outputs: tuple[bool, ...]) -> None:
        """Shift all bits in, the furthest first, then take them over at once."""
        if outputs == self._last:
            return
        self._last = outputs
        for on in reversed((*outputs, *[False] * (self._outputs - len(outputs)))):
            self._data.value = on
            self._clock.on()
            self._clock.off()
        self._latch.on()
        self._latch.off()
