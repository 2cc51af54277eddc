"""Sets of points as one number: a mask has one bit in the byte of each point of a packed position.

Adding one of the `TO_` numbers to a position (in the mover's view, see `controller.rules.packed.mirror`) and
keeping the bits of `FLAG` gives the set of points that fulfil a condition.
"""

from typing import Final

from controller.rules.packed import BAR, BLOT, EMPTY, UNIT

FLAG: Final = sum(32 * UNIT[place] for place in range(1, BAR))
"""The bit of each point; it is set by a sum that reaches 32."""
TO_OWN, TO_PAIR, TO_FREE, TO_OPEN = (
    sum((32 - least) * UNIT[place] for place in range(1, BAR))
    for least in (EMPTY + 1, EMPTY + 2, EMPTY, BLOT)
)
"""What lifts a point's byte to 32 from one own checker on, two, no checker of the opponent, at most a blot.
"""
BIT: Final = tuple(32 * unit for unit in UNIT)
"""The mask of each single point."""


def places(mask: int) -> list[int]:
    """The points of a mask, the lowest first."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() >> 3)
        mask ^= lowest
    return found
