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
HALF: Final = 8 * 13
"""How many bits of a mask belong to the nearer half of the board."""
NEAR: Final = (1 << HALF) - 1


class Sums(dict[int, tuple[int, ...]]):
    """The numbers of a row that belong to the points of a mask; filled as masks come up.

    `row` has a number for each place, `shift` is by how much the masks were shifted down. Masks of half a
    board keep the table small.
    """

    def __init__(self, row: tuple[int, ...], shift: int = 0) -> None:
        self._row = row
        self._shift = shift

    def __missing__(self, mask: int) -> tuple[int, ...]:
        """What the points of a mask add, kept from now on."""
        self[mask] = sums = tuple([self._row[place] for place in places(mask << self._shift)])
        return sums


def places(mask: int) -> list[int]:
    """The points of a mask, the highest first."""
    found = []
    while mask:
        place = mask.bit_length() >> 3
        found.append(place)
        mask ^= BIT[place]
    return found
