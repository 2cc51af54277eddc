"""A position as one number: 26 bytes, one for each place, so that a move is an addition.

Byte 0 is dark's bar, bytes 1..24 are the points from light's side, byte 25 is light's bar. A byte holds 16
plus the number of light checkers or minus the number of dark ones. Read the other way round and negated, the
same bytes are the board as dark sees it: there too the mover's bar is place 25, the mover's checkers are
above 16 and the opponent's bar is place 0. `view` gives the bytes as the mover sees them; every other module
works on that view and adds to the number.

Whole bytes, not fewer bits, because `int.to_bytes` then unpacks all places at once.
"""

from collections.abc import Sequence
from struct import Struct
from typing import Final

EMPTY: Final = 16
BLOT: Final = EMPTY - 1
"""A single checker of the opponent, in the mover's view."""
BAR: Final = 25
"""The mover's bar in the mover's view and in notation; light's bar in the number."""
OFF: Final = 0
"""Where the mover's checkers are borne off to, in notation."""
PLACES: Final = 26

UNIT: Final = tuple(1 << (8 * place) for place in range(PLACES))
"""What one light checker adds at each place."""

_TWICE_EMPTY: Final = 2 * EMPTY * sum(UNIT)
_NEGATED: Final = bytes((2 * EMPTY - value) % 256 for value in range(256))
_LETTERS: Final = "".join(
    "." if count == 0 else chr(64 + count) if count > 0 else chr(96 - count) for count in range(-15, 16)
)
_TO_LETTER: Final = bytes([46, *_LETTERS.encode(), *[46] * (256 - 32)])
_FROM_LETTER: Final = {letter: value for value, letter in enumerate(_LETTERS, start=1)}
OWN_COUNT: Final = bytes(max(value - EMPTY, 0) if value < 32 else 0 for value in range(256))
"""From a byte to the checkers of light, or of the mover in a view."""
DARK_COUNT: Final = bytes(max(EMPTY - value, 0) for value in range(256))
"""From a byte to the checkers of dark, or of the opponent in a view."""
_SIGNED: Final = bytes((value - EMPTY) % 256 for value in range(256))
"""From a byte to the signed count, in two's complement."""
_POINTS: Final = Struct("24b")


def pack(points: Sequence[int], bar_light: int, bar_dark: int) -> int:
    """The number of 24 counts (light positive) from light's 1-point on, and the two bars."""
    return int.from_bytes(
        bytes((EMPTY - bar_dark, *(EMPTY + count for count in points), EMPTY + bar_light)), "little"
    )


def view(code: int, *, dark: bool) -> bytes:
    """The 26 places as the mover sees them: own numbering, own checkers above 16, own bar at 25."""
    places = code.to_bytes(PLACES, "little")
    return places[::-1].translate(_NEGATED) if dark else places


def mirror(code: int) -> int:
    """The number of the same position with colours and sides exchanged."""
    return _TWICE_EMPTY - int.from_bytes(code.to_bytes(PLACES, "big"), "little")


def points(code: int) -> tuple[int, ...]:
    """24 counts from light's 1-point on, light positive."""
    return _POINTS.unpack_from(code.to_bytes(PLACES, "little").translate(_SIGNED), 1)


def count(code: int, place: int) -> int:
    """The signed count at a place of the number (0 dark's bar, 25 light's bar)."""
    return (code >> (8 * place) & 255) - EMPTY


def totals(code: int) -> tuple[int, int]:
    """How many light and how many dark checkers are on the points and the bar."""
    places = code.to_bytes(PLACES, "little")
    return sum(places.translate(OWN_COUNT)), sum(places.translate(DARK_COUNT))


def compact(code: int) -> str:
    """The 26 characters: points 1..24, light's bar, dark's bar."""
    text = code.to_bytes(PLACES, "little").translate(_TO_LETTER).decode("ascii")
    return text[1:] + text[0]


def compact_order(code: int) -> bytes:
    """Sorts results of one roll as their compact forms do: by points and light's bar, which no two of them share."""
    return code.to_bytes(PLACES, "little").translate(_TO_LETTER)[1:]


def from_compact(text: str) -> int | None:
    """The number of 26 characters, or `None` if they are not a position."""
    values = [_FROM_LETTER.get(letter) for letter in text]
    known = [value for value in values if value is not None]
    if len(values) != PLACES or len(known) != PLACES or known[24] < EMPTY or known[25] > EMPTY:
        return None
    return int.from_bytes(bytes((known[25], *known[:25])), "little")


def _steps(*, dark: bool) -> tuple[tuple[int, ...], ...]:
    unit = tuple(-value for value in reversed(UNIT)) if dark else UNIT
    table: list[tuple[int, ...]] = [(0,) * PLACES]
    for die in range(1, 12):
        row = [0]
        row += [(unit[source - die] if source > die else 0) - unit[source] for source in range(1, PLACES)]
        table.append(tuple(row))
    return tuple(table)


def _hits(*, dark: bool) -> tuple[int, ...]:
    unit = tuple(-value for value in reversed(UNIT)) if dark else UNIT
    return tuple(unit[target] - unit[0] for target in range(PLACES))


STEPS: Final = (_steps(dark=False), _steps(dark=True))
"""`STEPS[dark][number][source]`: what moving a checker adds, sources 0..25 in the mover's numbering.

The number is that of a die, or of two dice together (0..11). A step past the 1-point takes the checker off the
board. Source 0 means nothing and adds nothing.
"""
HITS: Final = (_hits(dark=False), _hits(dark=True))
"""`HITS[dark][target]`: what sending a blot to the bar adds, targets in the mover's numbering."""


def difference(code: int, other: int) -> int:
    """How many checkers must be lifted to turn one position into the other, of both sides, tray included."""
    moved = 0
    ours, theirs = code.to_bytes(PLACES, "little"), other.to_bytes(PLACES, "little")
    for table in (OWN_COUNT, DARK_COUNT):
        mine, yours = ours.translate(table), theirs.translate(table)
        if mine != yours:
            away = sum([a - b for a, b in zip(mine, yours, strict=True) if a > b])
            moved += max(away, away + sum(yours) - sum(mine))
    return moved


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
