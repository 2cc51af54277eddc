"""A WS2812 strip at the Pi's own SPI data line, without a microcontroller."""

import os
import struct
from collections.abc import Callable
from typing import Final, Self

from controller.devices.lights.backends import Lights
from controller.devices.lights.frame import LightFrame
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.render import Rgb, render
from controller.errors import UserError

SPI_HZ: Final = 3_200_000
"""Four SPI bits make one bit of the strip: 312.5 ns each."""
_CODES: Final = tuple(
    bytes(0xCC if two == 3 else 0xC8 if two == 2 else 0x8C if two == 1 else 0x88 for two in _pairs)
    for _pairs in ((byte >> 6, byte >> 4 & 3, byte >> 2 & 3, byte & 3) for byte in range(256))
)
"""A byte of the strip as four bytes of SPI: a 1 is high for 625 ns, a 0 for 312.5 ns."""
_QUIET: Final = bytes(120)
"""300 microseconds low: the strip takes the picture over. Before it as well: some kernels begin with a pulse."""

# linux/spi/spidev.h: _IOW('k', 1, __u8) and _IOW('k', 4, __u32).
_SET_MODE: Final = 0x40016B01
_SET_SPEED: Final = 0x40046B04


class StripError(UserError):
    """The SPI device cannot be used."""


def spi_bytes(colours: tuple[Rgb, ...]) -> bytes:
    """What to clock out at `SPI_HZ` so that a strip shows these colours, the first lamp first."""
    return _QUIET + b"".join(_CODES[c] for r, g, b in colours for c in (g, r, b)) + _QUIET


class SpiDevice:
    """`/dev/spidevB.C`, opened for writing at `SPI_HZ`.

    Raises:
        StripError: if it cannot be opened, with the remedy.
    """

    def __init__(self, path: str) -> None:
        """Open it."""
        import fcntl

        try:
            self._descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
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

    def write(self, data: bytes) -> None:
        """Clock the bytes out; OSError if the device is gone."""
        os.write(self._descriptor, data)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


class StripLights(Lights):
    """Lights as a WS2812 strip that this program feeds, effects included.

    A strip that takes no bytes any more is left alone; `broken` then says why.
    """

    def __init__(
        self, write: Callable[[bytes], None], order: StripOrder, dimming: Dimming, close: Callable[[], None]
    ) -> None:
        """`write` clocks bytes out at `SPI_HZ`; `close` lets go of the device."""
        self.broken: str | None = None
        self._write, self._order, self._dimming, self._close = write, order, dimming, close
        self._frame = LightFrame()
        self._at_night = False
        self._last: bytes | None = None

    @classmethod
    def on_spi(cls, path: str, order: StripOrder, dimming: Dimming) -> Self:
        """On an SPI device of the Pi, such as `/dev/spidev0.0`. Raises StripError."""
        device = SpiDevice(path)
        return cls(device.write, order, dimming, device.close)

    def show(self, frame: LightFrame) -> None:
        """See `Lights`."""
        self._frame = frame

    def night(self, on: bool) -> None:
        """See `Lights`."""
        self._at_night = on

    def tick(self, now_s: float) -> None:
        """See `Lights`: sends the picture if it has changed."""
        picture = self._order.picture(self._frame, self._dimming.level(at_night=self._at_night))
        data = spi_bytes(render(picture, round(now_s * 1000), limit_ma=self._dimming.limit_ma))
        if data != self._last:
            self._send(data)

    def close(self) -> None:
        """See `Lights`."""
        self._send(spi_bytes(((0, 0, 0),) * self._order.count))
        self._close()

    def _send(self, data: bytes) -> None:
        try:
            self._write(data)
        except OSError as error:
            self.broken = f"the strip does not take its bytes ({error.strerror or error})"
        else:
            self.broken, self._last = None, data
