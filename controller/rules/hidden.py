"""What a board does not show, in the bits above the 26 bytes of `controller.rules.packed`: pins and hands.

In games in which a checker is pinned (plakoto) a single checker may lie under the other side's; in games that begin
with an empty board (acey-deucey) checkers wait in their owner's hand. Positions of all other games have none of
these bits, so that their number is the one that `controller.rules.packed` describes.
"""

import re
from typing import Final

from controller.rules import packed

SHIFT: Final = 8 * packed.PLACES
BOARD: Final = (1 << SHIFT) - 1
"""The bits of what lies open."""
MOST_IN_HAND: Final = 15
_HANDS: Final = (SHIFT + 28, SHIFT + 32)
"""Where the four bits of light's and of dark's hand begin; the bits of the points 1..24 lie below them."""
_PINS: Final = ((1 << 25) - 2) << SHIFT
_SUFFIX: Final = re.compile(r"(?:/pinned=(\d{1,2}(?:,\d{1,2})*))?(?:/hand=(\d{1,2}),(\d{1,2}))?")


def board(code: int) -> int:
    """The number without what it hides."""
    return code & BOARD


def pinned(code: int) -> tuple[int, ...]:
    """The points, from light's side, on which a checker lies under one of the other side, the lowest first."""
    mask = (code & _PINS) >> SHIFT
    return tuple([point for point in range(1, packed.BAR) if mask >> point & 1]) if mask else ()


def hand(code: int, *, dark: bool) -> int:
    """How many checkers a side has not entered yet."""
    return code >> _HANDS[dark] & MOST_IN_HAND


def with_hidden(code: int, pinned: tuple[int, ...] = (), light: int = 0, dark: int = 0) -> int:
    """The number of the open board in ``code`` with these pins and hands."""
    bits = sum([1 << (SHIFT + point) for point in pinned])
    return code & BOARD | bits | light << _HANDS[0] | dark << _HANDS[1]


def suffix(code: int) -> str:
    """What stands behind the 26 characters: `/pinned=5,13`, `/hand=12,0`, both or nothing."""
    if code <= BOARD:
        return ""
    points = pinned(code)
    hands = hand(code, dark=False), hand(code, dark=True)
    return (f"/pinned={','.join(map(str, points))}" if points else "") + (
        f"/hand={hands[0]},{hands[1]}" if any(hands) else ""
    )


def from_suffix(code: int, text: str) -> int | None:
    """The number with what ``text`` says, or None if that cannot be: a pin needs a checker that lies on top."""
    found = _SUFFIX.fullmatch(text)
    if found is None:
        return None
    points = tuple(sorted({int(point) for point in (found[1] or "").split(",") if point}))
    light, dark = int(found[2] or 0), int(found[3] or 0)
    if max(light, dark) > MOST_IN_HAND or not all(
        1 <= point <= 24 and packed.count(code, point) for point in points
    ):
        return None
    return with_hidden(code, points, light, dark)
