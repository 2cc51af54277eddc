"""Colours as packets of the Distributed Display Protocol (3waylabs.com/ddp), which WLED takes at UDP port 4048."""

import struct
from collections.abc import Iterator, Sequence
from typing import Final

from controller.devices.lights.render import Rgb

DDP_PORT: Final = 4048
MOST_BYTES: Final = 1440
"""Of colours in a packet: 480 pixels, with which it fits into a frame of any network."""
HEADER: Final = struct.Struct(">BBBBIH")
VERSION: Final = 0x40
PUSH: Final = 0x01
"""What came is shown: the last packet of a picture has it."""
RGB_8_BIT: Final = 0x0B
"""Three channels of 8 bits; in which order the lamps take them, the controller knows."""
DISPLAY: Final = 1


def ddp_packets(colours: Sequence[Rgb], number: int) -> Iterator[bytes]:
    """The packets of one picture, the first pixel first; ``number`` tells pictures apart, 1 to 15."""
    data = bytes(channel for colour in colours for channel in colour)
    for offset in range(0, len(data), MOST_BYTES):
        part = data[offset : offset + MOST_BYTES]
        flags = VERSION | (PUSH if offset + len(part) == len(data) else 0)
        yield HEADER.pack(flags, number, RGB_8_BIT, DISPLAY, offset, len(part)) + part
