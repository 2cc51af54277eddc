"""Where the lines of a Raspberry Pi lie on its 40-pin header; the same on every model with 40 pins."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PIN_OF: Final[Mapping[int, int]] = MappingProxyType(
    {
        2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
        16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
    }
)  # fmt: skip
"""The pin of the header by the number of the GPIO."""


def named(gpio: int) -> str:
    """A line as the pages and diagrams name it: `pin 11 (GPIO17)`. KeyError if the header does not have it."""
    return f"pin {PIN_OF[gpio]} (GPIO{gpio})"
