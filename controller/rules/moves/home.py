"""All results of a roll in the standard game while all of the mover's checkers are at home, on packed numbers.

What a step can add depends only on which of the six points the mover holds, and which are closed or hold a
single checker of the opponent: the bytes of the home, made few, are the key by which it is looked up, and after
each step the key is read off again. Where the opponent is not in the way, what both numbers can add is looked up
at once; it depends on which points hold one checker and which more.
"""

from typing import Final, NamedTuple

from controller.rules.moves.law import HOME
from controller.rules.packed import BAR, BLOT, EMPTY, HITS, PLACES, STEPS

_EMPTY, _ONE, _MORE, _BLOT, _CLOSED = range(5)
"""What a point of the home holds, in a key; `_ONE` also stands for more where the difference means nothing."""
_OPPONENT: Final = _BLOT
"""In a key of `_Plays`: a blot or a closed point."""


def _sources(held: frozenset[int], die: int) -> list[int]:
    """The points that a checker may leave by a number when the opponent is not in the way."""
    rearmost = max(held, default=0)
    return [place for place in held if place >= die or place == rearmost]


_Added = tuple[tuple[int, ...], tuple[int, ...]]
"""What complete plays add, and the numbers that they use."""


class _Plays(dict[bytes, _Added]):
    """What two numbers add when the opponent is not in the way; filled as homes come up.

    A key tells for each point, from the first of `_Side.home` on, whether it holds no checker, one or more.
    """

    def __init__(self, dark: bool, high: int, low: int) -> None:
        self._dark = dark
        self._numbers: tuple[int, ...] = (high, low)
        self._steps = STEPS[dark]

    def __missing__(self, key: bytes) -> _Added:
        """What the points held allow, kept from now on."""
        held = _held(key, self._dark)
        singles = {place for place in held if _point(key, place, self._dark) == _ONE}
        sums: set[int] = set()
        played = self._numbers
        for first, second in (self._numbers, self._numbers[::-1]):
            for source in _sources(held, first):
                left = held - {source} if source in singles else held
                after = left | {source - first} if source > first else left
                step = self._steps[first][source]
                sums.update([step + self._steps[second][other] for other in _sources(after, second)])
        if not sums:
            # At most one checker is left; either number takes it off, so the larger does.
            played = self._numbers[: len(held)]
            sums = {self._steps[die][place] for die in played for place in held}
        self[key] = kept = tuple(sums) or (0,), played
        return kept


class _Steps(dict[bytes, tuple[int, ...]]):
    """What each legal step with one number adds, by the key of the home; filled as keys come up."""

    def __init__(self, dark: bool, die: int) -> None:
        self._dark = dark
        self._die = die
        self._steps = STEPS[dark][die]
        self._hits = HITS[dark]

    def __missing__(self, key: bytes) -> tuple[int, ...]:
        """What the steps from a home add, kept from now on."""
        sums = []
        for place in _sources(_held(key, self._dark), self._die):
            target = place - self._die
            there = _EMPTY if target <= 0 else _point(key, target, self._dark)
            if there != _CLOSED:
                sums.append(self._steps[place] + (self._hits[target] if there == _BLOT else 0))
        self[key] = kept = tuple(sums)
        return kept


def _point(key: bytes, place: int, dark: bool) -> int:
    """What a key tells of a point in the mover's numbering."""
    return key[HOME - place if dark else place - 1]


def _held(key: bytes, dark: bool) -> frozenset[int]:
    """The points with checkers of the mover."""
    return frozenset(place for place in range(1, HOME + 1) if _point(key, place, dark) in (_ONE, _MORE))


class _Side(NamedTuple):
    """Where the home lies in the bytes of a position, what makes keys of it, and the tables by number."""

    home: slice
    stacks: bytes
    """From a byte to what a key of `plays` tells of a point."""
    points: bytes
    """From a byte to what a key of `steps` tells of a point."""
    plays: tuple[tuple[_Plays, ...], ...]
    """By the larger number and the smaller."""
    steps: tuple[_Steps, ...]


def _side(dark: bool) -> _Side:
    """The keys and tables of one side."""
    own = [EMPTY - value if dark else value - EMPTY for value in range(2 * EMPTY)] + [0] * (256 - 2 * EMPTY)
    blot = BLOT - EMPTY
    return _Side(
        slice(BAR - HOME, BAR) if dark else slice(1, HOME + 1),
        bytes(_OPPONENT if count < 0 else min(count, _MORE) for count in own),
        bytes(_CLOSED if count < blot else _BLOT if count < 0 else min(count, _ONE) for count in own),
        tuple(tuple(_Plays(dark, high, low) for low in range(high)) for high in range(7)),
        tuple(_Steps(dark, die) for die in range(7)),
    )


_SIDES: Final = (_side(False), _side(True))


def two_numbers(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct results, and the numbers that every complete play uses; `high` is the larger number.

    All of the mover's checkers must be at home.
    """
    home, stacks, points, plays, steps = _SIDES[dark]
    there = code.to_bytes(PLACES, "little")[home]
    stacked = there.translate(stacks)
    if _OPPONENT not in stacked:
        sums, played = plays[high][low][stacked]
        return {code + step for step in sums}, played
    by_high, by_low = steps[high], steps[low]
    key = there.translate(points)
    highs, lows = by_high[key], by_low[key]
    found: set[int] = set()
    for step in highs:
        now = code + step
        for further in by_low[now.to_bytes(PLACES, "little")[home].translate(points)]:
            found.add(now + further)
    for step in lows:
        now = code + step
        for further in by_high[now.to_bytes(PLACES, "little")[home].translate(points)]:
            found.add(now + further)
    if found:
        return found, (high, low)
    if highs:
        return {code + step for step in highs}, (high,)
    if lows:
        return {code + step for step in lows}, (low,)
    return {code}, ()


def double(code: int, dark: bool, die: int, left: int) -> tuple[set[int], int]:
    """All distinct results of `left` steps or as many as possible, and how many; all checkers must be at home."""
    found, side = {code}, _SIDES[dark]
    for used in range(left):
        further = _further(found, side, die)
        if not further:
            return found, used
        found = further
    return found, left


def _further(codes: set[int], side: _Side, die: int) -> set[int]:
    """The positions one legal step further."""
    home, points, by_die = side.home, side.points, side.steps[die]
    return {
        code + step
        for code in codes
        for step in by_die[code.to_bytes(PLACES, "little")[home].translate(points)]
    }
