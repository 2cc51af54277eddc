"""Colours as the bytes of an SPI line whose data output feeds a strip of WS2812B lamps.

A lamp tells a 0 from a 1 by how long a pulse is high. Two bytes make one bit of the strip. A 0 is high for 240 ns and
a 1 for 800 ns, of 1280 ns in all. The data sheet of WS2812B-V5 wants 220 to 380 and 580 to 1000 ns; lamps have been
measured to take up to 500 ns for a 0 and 625 ns or more for a 1. So the rate may be 4 % too high, or as low as
62.5 %, which is what an idle Raspberry Pi 3 falls to. At 40 %, which an idle Pi 4 falls to, a 0 lasts 600 ns, and
lamps may show white. No encoding helps: 380 ns at 40 % are 152 ns at the full rate, and the data sheet wants 220.
`spi_clock` tells whether that can happen, and then nothing is lit.
"""

from collections.abc import Sequence
from typing import Final

from controller.devices.lights.render import Rgb, Rgbw

SPI_HZ: Final = 12_500_000
"""80 ns for a bit of SPI. Even divisors of 500, 400, 250 and 200 MHz give exactly that on every Raspberry Pi."""
MOST_BYTES: Final = 4096
"""What the kernel's spidev takes in one go as delivered; it refuses more."""

_ZERO, _ONE = b"\xe0\x00", b"\xff\xc0"
"""A controller may pause between two bytes: that makes no 0 longer, and no 1 shorter."""
_CODES: Final = tuple(
    b"".join(_ONE if value >> bit & 1 else _ZERO for bit in range(7, -1, -1)) for value in range(256)
)
_QUIET: Final = bytes(469)
"""300 microseconds low, of which lamps want 280: they take over what came before, and count their bits anew.

After the picture that shows it. Before the picture it undoes what a line that rests high, or a kernel that begins
with a pulse of its own, may have told the first lamp.
"""


def spi_bytes(colours: Sequence[Rgb] | Sequence[Rgbw]) -> bytes:
    """What to clock out at `SPI_HZ` so that a strip shows these colours, the first lamp first."""
    return _QUIET + b"".join(_CODES[c] for r, g, *others in colours for c in (g, r, *others)) + _QUIET
