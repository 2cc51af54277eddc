"""A dice unit of another maker at a serial port: it sends at a rate of its own, and the port hears at its own.

A pseudo terminal has no rate: whatever is set, the bytes come through. So the unit asks the port what rate it was set
to (TCGETS2), draws the line's level bit by bit at the rate it sends with, and puts in what a port that samples at its
own rate takes that for. Where both are the same, that is what was sent.
"""

import fcntl
import os
import pty
import struct
import time
import tty
from collections.abc import Iterator
from typing import Self

TCGETS2 = 0x802C542A
"""As Linux numbers it on x86 and ARM; see ioctl_tty(2)."""
TERMIOS2 = struct.Struct("4I20B2I")
BITS = 10
"""Of a byte on the line: a start bit, eight of data with the lowest first, a stop bit."""


def rate_of(descriptor: int) -> int:
    """The rate that a terminal was set to, in bits a second."""
    *_, heard, sent = TERMIOS2.unpack(fcntl.ioctl(descriptor, TCGETS2, bytes(TERMIOS2.size)))
    assert heard == sent
    return int(sent)


def levels(data: bytes) -> list[int]:
    """The line while `data` is sent, one level for each bit; it rests high before and after."""
    frames = ([0, *(byte >> bit & 1 for bit in range(8)), 1] for byte in data)
    return [1, *(level for frame in frames for level in frame), *[1] * BITS]


def heard(data: bytes, sent_at: int, heard_at: int) -> bytes:
    """What a port makes of `data`: each bit is looked at in its middle; a byte without its stop bit comes as 0."""

    def hear() -> Iterator[int]:
        line = levels(data)
        place, step = 0.0, sent_at / heard_at
        while place < len(line):
            if line[int(place)]:
                place += step / 16
                continue
            bits = [place + (bit + 0.5) * step for bit in range(BITS)]
            seen = [line[int(at)] if at < len(line) else 1 for at in bits]
            if seen[0] == 0:
                byte = sum(level << bit for bit, level in enumerate(seen[1:9]))
                yield byte if seen[9] else 0
            place = bits[9]
            while not seen[9] and place < len(line) and not line[int(place)]:
                place += step / 16  # a line that stays low is one broken byte

    return bytes(hear())


class DiceUnit:
    """A unit that is plugged in for as long as the block lasts; `port` is where."""

    def __init__(self, baud: int = 9600) -> None:
        self._baud = baud
        self._end, self._port_end = pty.openpty()
        tty.setraw(self._port_end)
        self.port = os.ttyname(self._port_end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pull()

    @property
    def port_rate(self) -> int:
        """What rate somebody set the port to."""
        return rate_of(self._port_end)

    def say(self, text: str) -> None:
        """Send a line, as slowly as its rate has it."""
        data = f"{text}\r\n".encode()
        for byte in heard(data, self._baud, self.port_rate):
            os.write(self._end, bytes([byte]))
            time.sleep(BITS / self._baud)

    def pull(self) -> None:
        """Unplug it."""
        for descriptor in (self._end, self._port_end):
            if descriptor >= 0:
                os.close(descriptor)
        self._end = self._port_end = -1
