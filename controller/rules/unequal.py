"""All results of two different numbers in the standard game, on packed numbers.

A set of points is a mask with one bit in the byte of each, so that "own checkers a number behind an open
point" is one shift and one `and`. What the steps from a set of points add is looked up, half a board at a
time. The results of two checkers are then sums; only a checker that plays both numbers and the ways into the
tray need a closer look.
"""

from typing import Final

from controller.rules import packed
from controller.rules.masks import BIT, FLAG, TO_FREE, TO_OPEN, TO_OWN, TO_PAIR, places
from controller.rules.packed import BAR

_HOME: Final = 6
_HALF: Final = 8 * 13
_NEAR: Final = (1 << _HALF) - 1
_OUTSIDE: Final = sum(BIT[_HOME + 1 : BAR])


class _Sums(dict[int, tuple[int, ...]]):
    """What the steps from a set of points add, by mask; filled as masks come up."""

    def __init__(self, row: tuple[int, ...], shift: int) -> None:
        self._row = row
        self._shift = shift

    def __missing__(self, mask: int) -> tuple[int, ...]:
        self[mask] = sums = tuple(self._row[place] for place in places(mask << self._shift))
        return sums


_STEPS: Final = (packed.steps(dark=False), packed.steps(dark=True))
_HITS: Final = (packed.hits(dark=False), packed.hits(dark=True))
_NEAR_SUMS: Final = tuple([_Sums(row, 0) for row in table] for table in _STEPS)
_FAR_SUMS: Final = tuple([_Sums(row, _HALF) for row in table] for table in _STEPS)


def results(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct results with nothing on the bar, and the numbers that every complete play uses."""
    seen = packed.mirror(code) if dark else code
    near, far = _NEAR_SUMS[dark], _FAR_SUMS[dark]
    own = seen + TO_OWN & FLAG
    free = seen + TO_FREE & FLAG
    blots = seen + TO_OPEN & FLAG ^ free
    outside = own & _OUTSIDE
    by_high, by_low, by_both = 8 * high, 8 * low, 8 * (high + low)
    from_high, from_low = own & free << by_high, own & free << by_low
    highs, lows = near[high][from_high & _NEAR], near[low][from_low & _NEAR]
    if from_high > _NEAR:
        highs += far[high][from_high >> _HALF]
    if from_low > _NEAR:
        lows += far[low][from_low >> _HALF]
    hitting_high = hitting_low = 0
    if blots:
        hitting_high, hitting_low = own & blots << by_high, own & blots << by_low
        if hitting_high:
            from_high |= hitting_high
            highs += _hitting(dark, high, hitting_high)
        if hitting_low:
            from_low |= hitting_low
            lows += _hitting(dark, low, hitting_low)
    if not outside and own:
        off_high, off_low = _borne_off(own, high), _borne_off(own, low)
        if off_high:
            from_high |= BIT[off_high]
            highs += (_STEPS[dark][high][off_high],)
        if off_low:
            from_low |= BIT[off_low]
            lows += (_STEPS[dark][low][off_low],)
    found = {first + second for first in [code + step for step in highs] for second in lows}
    lone = own & ~(seen + TO_PAIR)
    both = from_high & from_low & lone
    while both:
        lowest = both & -both
        both ^= lowest
        place = lowest.bit_length() >> 3
        wrong = code + _STEPS[dark][high][place] + _STEPS[dark][low][place]
        if hitting_high & lowest:
            wrong += _HITS[dark][place - high]
        if hitting_low & lowest:
            wrong += _HITS[dark][place - low]
        found.discard(wrong)
    empty = free ^ own
    through = free << by_both & (from_high & empty << by_high | from_low & empty << by_low)
    if through:
        found.update([code + step for step in near[high + low][through & _NEAR]])
        if through > _NEAR:
            found.update([code + step for step in far[high + low][through >> _HALF]])
    if blots and (hitting_high or hitting_low or blots << by_both & (from_high | from_low)):
        open_both, blots_both = (free | blots) << by_both, blots << by_both
        hitters = from_high & (blots << by_high & open_both | empty << by_high & blots_both)
        if hitters:
            _hit_on_the_way(found, code, dark, blots, hitters, high, low)
        hitters = from_low & (blots << by_low & open_both | empty << by_low & blots_both)
        if hitters:
            _hit_on_the_way(found, code, dark, blots, hitters, low, high)
        if hitting_high and hitting_low:
            for blot in places(hitting_high >> by_high & hitting_low >> by_low):
                twice = code + _step(dark, blot + high, high, blots) + _step(dark, blot + low, low, blots)
                found.discard(twice)
                found.add(twice - _HITS[dark][blot])
    if outside < BIT[_HOME + 1 + high] and (not outside or (not outside & (outside - 1) and outside & lone)):
        _bear_off(found, code, dark, own, lone, free | blots, blots, high, low)
    if found:
        return found, (high, low)
    for die, sums in ((high, highs), (low, lows)):
        if sums:
            return {code + step for step in sums}, (die,)
    return {code}, ()


def _hitting(dark: bool, die: int, sources: int) -> tuple[int, ...]:
    """What steps that hit add."""
    steps, hits = _STEPS[dark][die], _HITS[dark]
    return tuple([steps[place] + hits[place - die] for place in places(sources)])


def _borne_off(own: int, die: int) -> int:
    """The point from which a number bears off while all checkers are home, or 0."""
    if own & BIT[die]:
        return die
    rearmost = own.bit_length() >> 3
    return rearmost if rearmost < die else 0


def _step(dark: bool, place: int, die: int, blots: int) -> int:
    """What one step adds, a hit included."""
    if blots and place > die and blots & BIT[place - die]:
        return _STEPS[dark][die][place] + _HITS[dark][place - die]
    return _STEPS[dark][die][place]


def _hit_on_the_way(
    found: set[int], code: int, dark: bool, blots: int, sources: int, first: int, second: int
) -> None:
    """Add the plays of one checker with both numbers that hit between them or at the end."""
    for place in places(sources):
        found.add(code + _step(dark, place, first, blots) + _step(dark, place - first, second, blots))


def _bear_off(
    found: set[int],
    code: int,
    dark: bool,
    own: int,
    lone: int,
    unblocked: int,
    blots: int,
    high: int,
    low: int,
) -> None:
    """Add the plays whose first step makes the second one, into the tray, possible.

    Either a checker lands with the first number where the second bears it off exactly, or the rearmost
    checker stands alone and leaves its place.
    """
    steps = _STEPS[dark]
    rearmost = own.bit_length() >> 3
    both = high + low
    if rearmost <= _HOME and both <= rearmost and own & BIT[both]:
        if unblocked & BIT[low]:
            found.add(code + _step(dark, both, high, blots) + steps[low][low])
        if unblocked & BIT[high]:
            found.add(code + _step(dark, both, low, blots) + steps[high][high])
    if not lone & BIT[rearmost]:
        return
    others = own ^ BIT[rearmost]
    next_one = others.bit_length() >> 3
    for first, second in ((high, low), (low, high)):
        target = rearmost - first
        if target > 0 and not unblocked & BIT[target]:
            continue
        behind = max(next_one, target)
        if behind > _HOME or behind <= 0:
            continue
        if target == second or others & BIT[second]:
            found.add(code + _step(dark, rearmost, first, blots) + steps[second][second])
        elif behind < second:
            found.add(code + _step(dark, rearmost, first, blots) + steps[second][behind])
