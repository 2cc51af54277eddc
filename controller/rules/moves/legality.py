"""Whether a given position is a result of a roll in the standard game, without generating all results.

Two different numbers: the difference of two positions, hits put aside, is looked up in a table of all pairs
of steps; what is found needs only a few masks to be checked. Doubles: how many steps left each point follows
uniquely from before and after, counting down from the bar. Whatever leaves a number unplayed, and a play of
two numbers from the bar or into the tray, is left to the generator, which is quick on such positions.
"""

from functools import cache
from typing import Final, NamedTuple

from controller.rules import packed
from controller.rules.moves import generator
from controller.rules.packed import (
    BAR,
    BIT,
    BLOT,
    EMPTY,
    FLAG,
    TO_FREE,
    TO_OPEN,
    TO_OWN,
    TO_PAIR,
    UNIT,
    places,
)

_HITS: Final = (packed.hits(dark=False), packed.hits(dark=True))
_STEPS: Final = (packed.steps(dark=False), packed.steps(dark=True))
_BAR_BYTES: Final = (255 * UNIT[0], 255 * UNIT[BAR])
"""The byte of the opponent's bar, by side of the mover."""
_OWN_BAR_BYTES: Final = (255 * UNIT[BAR], 255 * UNIT[0])
_NOBODY_WAITS: Final = (EMPTY * UNIT[BAR], EMPTY * UNIT[0])
_HOME: Final = 6


class _Pair(NamedTuple):
    """Two steps: the points that must be held (once, twice) and those that are landed on."""

    held: int
    held_twice: int
    landed: int


def reaches(before: int, dark: bool, high: int, low: int, after: int) -> bool:
    """Whether `after` is a result of a complete legal play; `high` is the larger number."""
    if high == low:
        return _reaches_double(before, dark, high, after)
    if before & _OWN_BAR_BYTES[dark] != _NOBODY_WAITS[dark]:
        return after in generator.results(before, dark, high, low)[0]
    seen = packed.mirror(before) if dark else before
    change = after - before
    hit = 0
    blots = (seen + TO_OPEN) & ~(seen + TO_FREE) & FLAG
    if blots and (before ^ after) & _BAR_BYTES[dark]:
        hit = blots & (packed.mirror(after) if dark else after) + TO_FREE
        for blot in places(hit):
            change -= _HITS[dark][blot]
    pairs = _pairs(dark, high, low).get(change)
    if pairs is None:
        return change in _others(dark, high, low) and after in generator.results(before, dark, high, low)[0]
    for held, held_twice, landed in pairs:
        if (
            not held & ~(seen + TO_OWN)
            and not held_twice & ~(seen + TO_PAIR)
            and not landed & ~(seen + TO_OPEN)
            and blots & landed == hit
        ):
            return True
    return False


@cache
def _pairs(dark: bool, high: int, low: int) -> dict[int, tuple[_Pair, ...]]:
    """All pairs of steps on the points, by what they add when nothing is hit."""
    steps = _STEPS[dark]
    found: dict[int, tuple[_Pair, ...]] = {}
    for first in range(high + 1, BAR):
        for second in range(low + 1, BAR):
            total = steps[high][first] + steps[low][second]
            landed = BIT[first - high] | BIT[second - low]
            pair = _Pair(BIT[first] | BIT[second], BIT[first] if first == second else 0, landed)
            chains: tuple[_Pair, ...] = ()
            if first - high == second:
                chains = (_Pair(BIT[first], 0, landed),)
            elif second - low == first:
                chains = (_Pair(BIT[second], 0, landed),)
            found[total] = (*found.get(total, ()), pair, *chains)
    return found


@cache
def _others(dark: bool, high: int, low: int) -> frozenset[int]:
    """What plays can add that are not two steps on the points: none, one, or some into the tray."""
    steps = _STEPS[dark]
    singles = [steps[die][source] for die in (high, low) for source in range(1, BAR)]
    into_tray = [
        steps[die][source] + steps[high + low - die][other]
        for die in (high, low)
        for source in range(1, die + 1)
        for other in range(1, BAR)
    ]
    return frozenset((0, *singles, *into_tray))


def _reaches_double(before: int, dark: bool, die: int, after: int) -> bool:
    """Count the steps from each point off, the bar first, and see whether they are four legal ones."""
    view, end = packed.view(before, dark=dark), packed.view(after, dark=dark)
    leaving = [0] * (packed.PLACES + die)
    total, rearmost_left, hits = 0, 0, 0
    for place in range(BAR, 0, -1):
        was, now = view[place], end[place]
        stays = now - EMPTY if now > EMPTY else 0
        count = (was - EMPTY if was > EMPTY else 0) + leaving[place + die] - stays
        if count:
            target = place - die
            if count < 0 or (total := total + count) > 4 or rearmost_left == BAR:
                return False
            if target > 0:
                if view[target] < BLOT:
                    return False
                hits += view[target] == BLOT
            elif rearmost_left > _HOME or place > _HOME or (target and rearmost_left):
                return False
            leaving[place] = count
        if stays and not rearmost_left:
            rearmost_left = place
        theirs = EMPTY - was if was < EMPTY else 0
        if theirs == 1 and leaving[place + die]:
            theirs = 0
        if theirs != (EMPTY - now if now < EMPTY else 0):
            return False
    if view[0] - hits != end[0]:
        return False
    return total == 4 or after in generator.results(before, dark, die, die)[0]
