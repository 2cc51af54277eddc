"""Doubling in a race by counting: Tom Keith, "Cube Handling in Noncontact Positions", 2004, bkgm.com.

Each side's pips are raised for checkers that waste them, and the count of the side on roll by a seventh of it,
rounded down. That side doubles if its count is then at most 4 above the other one's, redoubles at 3, and the other
side takes if it is at least 2 above. The rules are for money; no score is looked at.

Keith leaves out that a side may be too good to double because it wins a gammon. Here it plays on if it needs no more
rolls to bear off all its checkers than the other side to bear off its first, at 8 1/6 pips a roll, the mean.
"""

import math
from typing import Final

from controller.rules import Position, Side

DOUBLE: Final = 4
REDOUBLE: Final = 3
TAKE: Final = 2
SEVENTH: Final = 7
SPARE: Final = {1: (1, 2), 2: (1, 1), 3: (3, 1)}
"""For the three lowest points: so many checkers cost nothing, and each further one so many pips."""
MEAN_ROLL: Final = 49 / 6
"""Pips."""
HOME: Final = 6
GAPS: Final = (4, 5, 6)
"""Each of these points that is empty costs a pip."""


def race_count(position: Position, side: Side) -> int:
    """A side's pips with what its checkers will waste."""
    spare = sum(
        pips * max(0, _checkers(position, side, point) - free) for point, (free, pips) in SPARE.items()
    )
    return position.pips(side) + spare + sum(not _checkers(position, side, point) for point in GAPS)


def race_doubles(position: Position, side: Side, *, owns_cube: bool, gammons: bool = True) -> bool:
    """Whether a side that is about to roll doubles in a race; ``gammons``: whether they count without a double."""
    if gammons and _wins_gammon(position, side):
        return False
    return _above(position, side) <= (REDOUBLE if owns_cube else DOUBLE)


def race_takes(position: Position, side: Side) -> bool:
    """Whether a side takes the double of the other one, which is about to roll, in a race."""
    return _above(position, side.opponent) >= TAKE


def _wins_gammon(position: Position, side: Side) -> bool:
    """Whether a side bears off its last checker before the other one its first, if both roll the mean."""
    other = side.opponent
    if position.off(other):
        return False
    left = sum(_checkers(position, side, point) for point in range(1, 25))
    own = max(math.ceil(left / 2), math.ceil(position.pips(side) / MEAN_ROLL))
    held = [(point, _checkers(position, other, point)) for point in range(1, 25)]
    home = sum(max(0, point - HOME) * count for point, count in held)
    first = min((point for point, count in held if count), default=0)
    return own <= math.ceil((home + min(first, HOME)) / MEAN_ROLL)


def _above(position: Position, side: Side) -> int:
    """By how much the raised count of the side on roll is above the other one's."""
    mine, theirs = race_count(position, side), race_count(position, side.opponent)
    return mine + mine // SEVENTH - theirs


def _checkers(position: Position, side: Side, point: int) -> int:
    """How many checkers a side has on a point, as it counts."""
    return position.checkers(side, point if side is Side.LIGHT else 25 - point)
