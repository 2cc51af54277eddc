"""All results of a roll in the standard game, on packed numbers.

The rules (common to every rule text, here in the order of the Backgammon Galore text that the Hungarian
federation translates): checkers on the bar enter first; a point with two opposing checkers is closed, a
single one is hit; both numbers must be played if there is a way, and all four of a double, or as many as
possible; if either can be played but not both, the larger; a checker is borne off only while all are at home,
with its own number, or with a larger one if no checker stands behind it.

A step adds a known number (`packed.STEPS`), so the results of two different checkers are sums. A set of points
is a mask with one bit in the byte of each, so that "own checkers a number behind an open point" is one shift
and one `and`; what the steps from a set of points add is looked up, half a board at a time. Only a checker that
plays both numbers, hits and the last checker that comes home need a closer look. Doubles and plays with all
checkers at home have ways of their own (`controller.rules.moves.doubles`, `controller.rules.moves.home`).

With the last checker the letter of the rule holds: if it can be borne off with one number, but both can be
played by hitting a blot on the way, both must be.
"""

from operator import add
from typing import Final, NamedTuple

from controller.rules import packed
from controller.rules.moves import doubles, home
from controller.rules.moves.law import HOME
from controller.rules.packed import (
    BAR,
    BIT,
    BLOT,
    EMPTY,
    FLAG,
    HALF,
    HITS,
    NEAR,
    PLACES,
    STEPS,
    TO_FREE,
    TO_OPEN,
    TO_OWN,
    TO_PAIR,
    UNIT,
    Sums,
    places,
)

_ONE: Final = EMPTY + 1
_BAR_SHIFT: Final = 8 * BAR
_OUTSIDE: Final = (
    ((32 - _ONE) * sum(UNIT[HOME + 1 :]), 32 * sum(UNIT[HOME + 1 :]), 0),
    ((32 - EMPTY) * sum(UNIT[: BAR - HOME]), 32 * sum(UNIT[: BAR - HOME]), 32 * sum(UNIT[: BAR - HOME])),
)
"""By side: what is added to a position, the bits then kept of its places outside the home, the bar too, and what
they are if the side has no checker there."""


class _Roll(NamedTuple):
    """What a roll adds, by the points its steps are made from: with the larger number, the smaller, with both.

    Tables called near are for the nearer half of the board, those called far for the other, by masks that are
    shifted down. A step that hits adds the hit too; one with both numbers hits where it ends.
    """

    by_high: int
    """By how much a mask of points is shifted to those the larger number behind; likewise the next two."""
    by_low: int
    by_both: int
    last: int
    """Above every mask whose rearmost point is at most the larger number from home."""
    near_high: Sums
    far_high: Sums
    hit_high: Sums
    near_low: Sums
    far_low: Sums
    hit_low: Sums
    near_both: Sums
    far_both: Sums
    hit_both: Sums
    near_twice: Sums
    """Two checkers from one point, one with each number."""
    far_twice: Sums


def _rolls(dark: bool) -> list[list[_Roll]]:
    """The tables of one side by the larger number and the smaller; those of a distance are shared."""
    steps, hits = STEPS[dark], HITS[dark]
    near = [Sums(row) for row in steps]
    far = [Sums(row, HALF) for row in steps]
    hitting = [
        Sums(tuple([row[place] + hits[max(place - distance, 0)] for place in range(PLACES)]))
        for distance, row in enumerate(steps)
    ]

    def roll(high: int, low: int) -> _Roll:
        both, twice = high + low, tuple(map(add, steps[high], steps[low]))
        return _Roll(
            *(8 * high, 8 * low, 8 * both, BIT[HOME + 1 + high]),
            *(near[high], far[high], hitting[high]),
            *(near[low], far[low], hitting[low]),
            *(near[both], far[both], hitting[both]),
            *(Sums(twice), Sums(twice, HALF)),
        )

    return [[roll(high, low) for low in range(high)] for high in range(7)]


_ROLLS: Final = (_rolls(False), _rolls(True))


class _Entry(NamedTuple):
    """What a checker adds that enters with one number of a roll, and what the other number adds after it."""

    numbers: tuple[int]
    """The number alone."""
    point: int
    """The mask of the point that it enters."""
    step: int
    hit: int
    """The step with a hit."""
    by_other: int
    near: Sums
    far: Sums
    hitting: Sums


def _entries(dark: bool) -> list[list[tuple[_Entry, _Entry]]]:
    """Those of one side by the larger number and the smaller: with the larger, with the smaller."""
    steps, hits = STEPS[dark], HITS[dark]

    def entry(roll: _Roll, die: int, other: int) -> _Entry:
        step, place = steps[die][BAR], BAR - die
        tables = roll[7:10] if other < die else roll[4:7]
        return _Entry((die,), BIT[place], step, step + hits[place], 8 * other, *tables)

    return [
        [(entry(roll, high, low), entry(roll, low, high)) for low, roll in enumerate(row)]
        for high, row in enumerate(_ROLLS[dark])
    ]


_ENTRIES: Final = (_entries(False), _entries(True))


def results(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct positions after a complete legal play, and the numbers that every such play uses.

    Without a legal step the result is the unchanged position and no number. `high` is the larger number.
    """
    if high == low:
        return doubles.results(code, dark, high)
    lift, outside, nobody = _OUTSIDE[dark]
    if code + lift & outside == nobody:
        return home.two_numbers(code, dark, high, low)
    seen = packed.mirror(code) if dark else code
    if seen >> _BAR_SHIFT != EMPTY:
        return _entering(code, dark, seen, high, low)
    (
        by_high, by_low, by_both, last,
        near_high, far_high, hit_high, near_low, far_low, hit_low,
        near_both, far_both, hit_both, near_twice, far_twice,
    ) = _ROLLS[dark][high][low]  # fmt: skip
    own, free, unblocked = seen + TO_OWN & FLAG, seen + TO_FREE & FLAG, seen + TO_OPEN & FLAG
    from_high, from_low = own & free << by_high, own & free << by_low
    highs = near_high[from_high & NEAR] + far_high[from_high >> HALF]
    lows = near_low[from_low & NEAR] + far_low[from_low >> HALF]
    hitting_high = hitting_low = 0
    blots = unblocked ^ free
    if blots:
        hitting_high, hitting_low = own & blots << by_high, own & blots << by_low
        if hitting_high:
            highs += hit_high[hitting_high]
        if hitting_low:
            lows += hit_low[hitting_low]
    found = {first + second for step in highs for first in (code + step,) for second in lows}
    wrong = from_high & from_low
    if wrong:
        wrong ^= wrong & seen + TO_PAIR
        if wrong:
            for step in near_twice[wrong & NEAR] + far_twice[wrong >> HALF]:
                found.discard(code + step)
    passing = from_high | from_low
    if passing:
        through = passing & free << by_both
        if through:
            for step in near_both[through & NEAR] + far_both[through >> HALF]:
                found.add(code + step)
        if blots:
            through = passing & blots << by_both
            if through:
                for step in hit_both[through]:
                    found.add(code + step)
    if hitting_high:
        _correct_hits(found, code, dark, seen=seen, hitting=hitting_high, first=high, second=low)
    if hitting_low:
        _correct_hits(found, code, dark, seen=seen, hitting=hitting_low, first=low, second=high)
    if own < last:
        _last_comes_home(found, code, dark, seen, high, low)
    if found:
        return found, (high, low)
    if highs:
        return {code + step for step in highs}, (high,)
    if lows:
        return {code + step for step in lows}, (low,)
    return {code}, ()


def _correct_hits(
    found: set[int], code: int, dark: bool, seen: int, hitting: int, first: int, second: int
) -> None:
    """Put right what the points `hitting` lead to, from where `first` hits a blot.

    One checker may go on with `second`. It cannot play both from where it stands, if it stands alone. Where
    another checker reaches the same blot with `second`, the blot is hit once.
    """
    one, two, hits = STEPS[dark][first], STEPS[dark][second], HITS[dark]
    view = seen.to_bytes(PLACES, "little")
    for place in places(hitting):
        blot, passed, end = place - first, place - second, place - first - second
        hit = code + one[place] + hits[blot]
        if end > 0 and view[end] >= BLOT:
            found.add(hit + two[blot] + (hits[end] if view[end] == BLOT else 0))
        if view[place] == _ONE:
            found.discard(hit + two[place] + (hits[passed] if passed > 0 and view[passed] == BLOT else 0))
        other = blot + second
        if other < BAR and view[other] > EMPTY:
            found.discard(hit + two[other] + hits[blot])
            found.add(hit + two[other])


def _last_comes_home(found: set[int], code: int, dark: bool, seen: int, high: int, low: int) -> None:
    """Add the plays in which the last checker outside comes home with one number and one goes off with the other."""
    own = seen + TO_OWN & FLAG
    rearmost = own.bit_length() >> 3
    others = own ^ BIT[rearmost]
    view = seen.to_bytes(PLACES, "little")
    if others >= BIT[HOME + 1] or view[rearmost] != _ONE:
        return
    steps, hits = STEPS[dark], HITS[dark]
    for first, second in ((high, low), (low, high)):
        target = rearmost - first
        if target > HOME or view[target] < BLOT:
            continue
        home_now = others | BIT[target]
        source = second if home_now & BIT[second] else home_now.bit_length() >> 3
        if source <= second:
            hit = hits[target] if view[target] == BLOT else 0
            found.add(code + steps[first][rearmost] + hit + steps[second][source])


def _entering(code: int, dark: bool, seen: int, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """The results with checkers on the bar: they enter first, then a single one leaves a number to any."""
    unblocked, free = seen + TO_OPEN & FLAG, seen + TO_FREE & FLAG
    alone = seen >> _BAR_SHIFT == _ONE
    entered = code
    played: tuple[int, ...] = ()
    found: set[int] = set()
    for numbers, point, step, hit, by_other, near, far, hitting in _ENTRIES[dark][high][low]:
        if not unblocked & point:
            continue
        change = step if free & point else hit
        if not alone:
            entered += change
            played += numbers
            continue
        after = code + change
        if not played:
            entered, played = after, numbers
        own = seen + TO_OWN & FLAG | point
        sources = own & (free | point) << by_other
        for further in near[sources & NEAR] + far[sources >> HALF]:
            found.add(after + further)
        blots = unblocked ^ (free | point)
        if blots:
            sources = own & blots << by_other
            if sources:
                for further in hitting[sources]:
                    found.add(after + further)
    if found:
        return found, (high, low)
    return {entered}, played
