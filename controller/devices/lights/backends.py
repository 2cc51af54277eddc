"""The one seam that all lights are behind, and all kinds of them: the board's, a strip, plain LEDs."""

import os
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self

from controller.devices.lights.darkener import Darkener
from controller.devices.lights.encoding import SPI_HZ, spi_bytes
from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.render import levels, render, render_white
from controller.devices.lights.spi_clock import core_clock, require_steady_clock
from controller.devices.link.link import Link
from controller.devices.pins import board_model, opening_pins
from controller.errors import UserError

if TYPE_CHECKING:
    from gpiozero import Factory

# linux/spi/spidev.h: _IOW('k', 1, __u8) and _IOW('k', 4, __u32).
_SET_MODE: Final = 0x40016B01
_SET_SPEED: Final = 0x40046B04

REFRESH_S: Final = 1.0
"""How often a picture that has not changed is sent again: lamps that were plugged in late or disturbed come right."""

BITS: Final = 8
"""Outputs of a shift register."""
_ON: Final = 128
"""An LED is on from this level of its effect on, of 255."""


class Lights:
    """Lights under the points; these show nothing, and every other kind is made from them.

    Nothing here blocks for long or raises because a device is away.
    """

    frame = LightFrame()
    """What they show."""
    at_night = False
    """Whether they are dimmed for a dark room."""

    def show(self, frame: LightFrame) -> None:
        """Show this frame until the next one."""
        self.frame = frame

    def night(self, on: bool) -> None:
        """Dim for a dark room, or not."""
        self.at_night = on

    @property
    def lamps(self) -> int:
        """How many lamps can be lit one by one; 0 where that cannot be done, or is not known yet."""
        return 0

    def shine(self, lamp: int | None) -> None:
        """Light this lamp alone, whatever is shown, until it is called with None: to find out where each lies."""

    def tick(self, now_s: float) -> None:
        """Move effects on; the host's monotonic seconds. Call it 20 times a second or so."""

    def close(self) -> None:
        """Go dark and let go of the device."""


def alone_or(lamp: int | None, order: StripOrder, frame: LightFrame) -> tuple[StripOrder, LightFrame]:
    """What is shown: this lamp alone, or the frame where there is none such."""
    if lamp is None:
        return order, frame
    return StripOrder({"status": lamp}), LightFrame(status=Signal.MOVABLE)


class FirmwareLights(Lights):
    """Lights on the microcontroller board, which runs the effects by itself."""

    def __init__(self, link: Link, order: StripOrder, dimming: Dimming) -> None:
        """`link` stays the caller's to close."""
        self._link, self._order, self._dimming = link, order, dimming
        self._alone: int | None = None

    @property
    def lamps(self) -> int:
        """See `Lights`."""
        return self._order.count

    def shine(self, lamp: int | None) -> None:
        """See `Lights`."""
        self._alone = lamp
        self._send()

    def show(self, frame: LightFrame) -> None:
        """See `Lights`; a board that is away gets the frame when it is back."""
        super().show(frame)
        self._send()

    def night(self, on: bool) -> None:
        """See `Lights`."""
        super().night(on)
        self._send()

    def close(self) -> None:
        """See `Lights`."""
        self.show(LightFrame())

    def _send(self) -> None:
        order, frame = alone_or(self._alone, self._order, self.frame)
        self._link.show(order.picture(frame, self._dimming.level(at_night=self.at_night)))


class StripError(UserError):
    """The SPI device cannot be used."""


class SpiDevice:
    """`/dev/spidevB.C`, opened for writing at `SPI_HZ`.

    Raises:
        StripError: if it cannot be opened, with the remedy.
    """

    def __init__(self, path: str) -> None:
        """Open it."""
        import fcntl

        try:
            self._descriptor = os.open(path, os.O_WRONLY)
        except OSError as error:
            raise StripError(
                f"The lights' {path} cannot be opened ({error.strerror}); switch SPI on (sudo raspi-config nonint "
                "do_spi 0), put the user into the group spi, and restart."
            ) from error
        try:
            fcntl.ioctl(self._descriptor, _SET_MODE, struct.pack("B", 0))
            fcntl.ioctl(self._descriptor, _SET_SPEED, struct.pack("I", SPI_HZ))
        except OSError as error:
            os.close(self._descriptor)
            raise StripError(
                f"{path} is no SPI device ({error.strerror}); name /dev/spidev0.0 or another one."
            ) from error

    @property
    def descriptor(self) -> int:
        """Its number among the open files of this process."""
        return self._descriptor

    def write(self, data: bytes) -> None:
        """Clock the bytes out; OSError if the device is gone."""
        os.write(self._descriptor, data)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


class StripLights(Lights):
    """Lights as a WS2812 strip that this program feeds, effects included; dark when the program is gone.

    A strip that takes no bytes any more is left alone; `broken` then says why.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        order: StripOrder,
        dimming: Dimming,
        close: Callable[[], None],
        darkener: Darkener | None = None,
    ) -> None:
        """`write` clocks bytes out at `SPI_HZ`; `close` lets go of the device.

        `darkener` makes the lamps dark after a kill.
        """
        self.broken: str | None = None
        self._darkener, self._sent_at = darkener, float("-inf")
        self._write, self._order, self._dimming, self._close = write, order, dimming, close
        self._last: bytes | None = None
        self._alone: int | None = None

    @property
    def lamps(self) -> int:
        """See `Lights`."""
        return self._order.count

    def shine(self, lamp: int | None) -> None:
        """See `Lights`."""
        self._alone = lamp

    @classmethod
    def on_spi(cls, path: str, order: StripOrder, dimming: Dimming) -> Self:
        """On an SPI device of the Pi, such as `/dev/spidev0.0`. Raises StripError, SpiClockError."""
        require_steady_clock(core_clock(board_model()))
        device = SpiDevice(path)
        dark = _dark(order)
        darkener = Darkener("strip", device.descriptor, dark.hex(), share=(device.descriptor,))
        return cls(device.write, order, dimming, device.close, darkener)

    def tick(self, now_s: float) -> None:
        """See `Lights`: sends the picture if it has changed, and after `REFRESH_S` in any case."""
        if self._darkener is not None:
            self._darkener.tick(now_s)
        order, frame = alone_or(self._alone, self._order, self.frame)
        picture = order.picture(frame, self._dimming.level(at_night=self.at_night))
        paint = render_white if self._order.colours.has_white else render
        colours = paint(
            picture, round(now_s * 1000), limit_ma=self._dimming.limit_ma, lamps=self._order.count
        )
        data = spi_bytes(colours)
        if data != self._last or now_s - self._sent_at >= REFRESH_S:
            self._sent_at = now_s
            self._send(data)

    def close(self) -> None:
        """See `Lights`."""
        self._send(_dark(self._order))
        if self._darkener is not None:
            self._darkener.close()
        self._close()

    def _send(self, data: bytes) -> None:
        try:
            self._write(data)
        except OSError as error:
            self.broken = f"the strip does not take its bytes ({error.strerror or error})"
        else:
            self.broken, self._last = None, data


def _dark(order: StripOrder) -> bytes:
    """What a strip is sent so that all its lamps are dark."""
    if order.colours.has_white:
        return spi_bytes([(0, 0, 0, 0)] * order.count)
    return spi_bytes([(0, 0, 0)] * order.count)


class ShiftLights(Lights):
    """One LED for each place, on or off; the signals differ by their rhythm alone, and the resistors dim them.

    The lamp numbers of the order are the outputs along the chain: 0 is QA of the register next to the Pi. What the
    registers hold when they get power is chance, so their outputs are enabled only once all are written.
    """

    def __init__(
        self,
        factory: "Factory",
        order: StripOrder,
        *,
        data: int,
        clock: int,
        latch: int,
        enable: int,
        registers: int = 4,
        darkener: Darkener | None = None,
    ) -> None:
        """Pins by their GPIO numbers; `factory` as `pins.pin_factory` returns it.

        `darkener` makes the LEDs dark after a kill.
        """
        from gpiozero import OutputDevice

        with opening_pins("lights") as opened:
            self._data, self._clock, self._latch = (
                opened.enter_context(OutputDevice(pin, pin_factory=factory)) for pin in (data, clock, latch)
            )
            self._enable = opened.enter_context(
                OutputDevice(enable, active_high=False, initial_value=False, pin_factory=factory)
            )
            self._devices = opened.pop_all()
        self._order = order
        self._outputs = registers * BITS
        self._last: tuple[bool, ...] | None = None
        self._darkener, self._sent_at = darkener, float("-inf")
        self._write((False,) * self._outputs)
        self._enable.on()

    def tick(self, now_s: float) -> None:
        """See `Lights`: shifts the picture out if it has changed, and after `REFRESH_S` in any case."""
        levels_now = levels(self._order.picture(self.frame), round(now_s * 1000))
        outputs = tuple(level >= _ON for level in levels_now)
        if outputs != self._last or now_s - self._sent_at >= REFRESH_S:
            self._sent_at = now_s
            self._write(outputs)

    def close(self) -> None:
        """See `Lights`."""
        self._write((False,) * self._outputs)
        self._enable.off()
        self._devices.close()
        if self._darkener is not None:
            self._darkener.close()

    def _write(self, outputs: tuple[bool, ...]) -> None:
        """Shift all bits in, the furthest first, then take them over at once."""
        self._last = outputs
        for on in reversed((*outputs, *[False] * (self._outputs - len(outputs)))):
            self._data.value = on
            self._clock.on()
            self._clock.off()
        self._latch.on()
        self._latch.off()
