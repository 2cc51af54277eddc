"""A strip of WS2812B lamps at the end of an SPI line, by the lamps' data sheets.

The thresholds are those of the sheet of WS2812B-V5 (0: 220 to 380 ns high, 1: 580 to 1000 ns, reset: 280 us low) and,
where a rate is off, those measured at lamps (0 up to 500 ns, 1 from 625 ns, at most 5 us for a bit; the notes of the
crate ws2812-spi 0.2.0 name their sources).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from controller.devices.lights.encoding import SPI_HZ

Colours = list[tuple[int, int, int]]
Level = tuple[bool, float]
"""High or low, and for how many nanoseconds."""

RESET_NS = 280_000
LONGEST_BIT_NS = 5_000


@dataclass(frozen=True)
class Sheet:
    """How long a lamp wants a pulse to be."""

    zero_ns: tuple[float, float]
    one_ns: tuple[float, float]

    def bit(self, high_ns: float) -> int | None:
        """What a pulse says; None if nobody can tell."""
        if self.zero_ns[0] <= high_ns <= self.zero_ns[1]:
            return 0
        return 1 if self.one_ns[0] <= high_ns <= self.one_ns[1] else None


SHEET = Sheet(zero_ns=(220, 380), one_ns=(580, 1000))
MEASURED = Sheet(zero_ns=(100, 500), one_ns=(625, 5000))


def signal(data: bytes, rate: float = 1.0, pause_ns: float = 0.0) -> list[Level]:
    """The line's levels; after each byte it stays as it is for `pause_ns`."""
    bit_ns = 1e9 / (SPI_HZ * rate)
    bits = (
        (bool(byte >> at & 1), bit_ns + (pause_ns if at == 0 else 0))
        for byte in data
        for at in range(7, -1, -1)
    )
    return merged(bits)


def merged(levels: Iterable[Level]) -> list[Level]:
    return [(high, sum(ns for _, ns in run)) for high, run in groupby(levels, key=lambda level: level[0])]


def pictures(levels: list[Level], sheet: Sheet) -> Iterator[list[int | None]]:
    """The bits that came before each reset."""
    bits: list[int | None] = []
    since_ns = 0.0
    for high, ns in levels:
        if high:
            bits.append(sheet.bit(ns))
            since_ns = ns
        elif ns >= RESET_NS:
            yield bits
            bits = []
        elif since_ns + ns > LONGEST_BIT_NS:
            bits[-1] = None


def shown(levels: list[Level], sheet: Sheet) -> Colours | None:
    """What the lamps show at the end, from dark on; None if a bit cannot be told. A lamp takes 24 bits or none."""
    lamps: Colours = []
    for bits in pictures(levels, sheet):
        if None in bits:
            return None
        for at in range(len(bits) // 24):
            word = int("".join(map(str, bits[24 * at : 24 * at + 24])), 2)
            colour = (word >> 8 & 255, word >> 16, word & 255)
            lamps[at : at + 1] = [colour]
    return lamps
