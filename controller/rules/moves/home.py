"""All results of a roll in the standard game while all of the mover's checkers are at home, on packed numbers.

What a step can add depends only on which of the six points the mover holds, and which are closed or hold a
single checker of the opponent. Adding a number to a position and keeping bit 5 of the bytes of the home tells
which points hold more light checkers than a bound; three such bounds give the key by which it is looked up.
After each step the key is read off again.
"""

from typing import Final, NamedTuple

from controller.rules import packed
from controller.rules.moves.law import HOME
from controller.rules.packed import BAR, EMPTY, UNIT


def _sources(held: frozenset[int], die: int) -> list[int]:
    """The points that a checker may leave by a number when the opponent is not in the way."""
    return [place for place in held if place >= die or place == max(held)]


class _Plays(dict[int, tuple[tuple[int, int], ...]]):
    """What two numbers can add when the opponent is not in the way, by the points held; filled as they come up.

    Each sum comes with the stacks of which one must be there for it: bit 5 of a point's byte stands for more
    than one checker, bit 6 for a single one. A key is as `_Side.own` gives it.
    """

    def __init__(self, dark: bool, high: int, low: int) -> None:
        self._dark = dark
        self._orders = ((high, low), (low, high))
        self._steps = packed.steps(dark=dark)

    def __missing__(self, key: int) -> tuple[tuple[int, int], ...]:
        """What the points held allow, kept from now on."""
        byte = [BAR - place if self._dark else place for place in range(HOME + 1)]
        held = frozenset(
            place for place in range(1, HOME + 1) if bool(key >> 8 * byte[place] & 32) != self._dark
        )
        stacks: dict[int, int] = {}
        for first, second in self._orders:
            for source in _sources(held, first):
                whole = held | ({source - first} if source > first else set())
                for stack, after in ((32, whole), (64, whole - {source})):
                    for other in _sources(after, second):
                        total = self._steps[first][source] + self._steps[second][other]
                        stacks[total] = stacks.get(total, 0) | stack * UNIT[byte[source]]
        self[key] = kept = tuple(stacks.items())
        return kept


class _Steps(dict[int, tuple[int, ...]]):
    """What each legal step with one number adds, by the key of the home; filled as keys come up.

    A key has three bits for each point: bit 5 of its byte for the mover's checkers, bit 6 for a point that is
    open to the mover, bit 7 for one without checkers of the opponent. From dark's side all are the other way
    round, because the opponent's checkers are the ones that count up.
    """

    def __init__(self, dark: bool, die: int) -> None:
        self._turned = 7 if dark else 0
        self._bytes = [BAR - place if dark else place for place in range(HOME + 1)]
        self._die = die
        self._steps = packed.steps(dark=dark)[die]
        self._hits = packed.hits(dark=dark)

    def __missing__(self, key: int) -> tuple[int, ...]:
        """What the steps from a home add, kept from now on."""
        bits = [key >> (8 * byte + 5) & 7 ^ self._turned for byte in self._bytes]
        held = frozenset(place for place in range(1, HOME + 1) if bits[place] & 1)
        sums = []
        for place in _sources(held, self._die):
            target = max(place - self._die, 0)
            if target == 0 or bits[target] & 4:
                sums.append(self._steps[place])
            elif bits[target] & 2:
                sums.append(self._steps[place] + self._hits[target])
        self[key] = kept = tuple(sums)
        return kept


class _Side(NamedTuple):
    """What is added to a position for the bits of a key, the bits that are kept, and the tables."""

    own: int
    pair: int
    unblocked: int
    free: int
    kept: int
    clear: int
    """The bits of `free` when there is no checker of the opponent."""
    steps: tuple[_Steps, ...]
    plays: dict[tuple[int, int], _Plays]


def _side(dark: bool) -> _Side:
    """The numbers and tables of one side."""
    home = sum(UNIT[BAR - HOME : BAR] if dark else UNIT[1 : HOME + 1])
    own, pair, unblocked, free = (
        (32 - EMPTY - bound) * home for bound in ((0, -1, 2, 1) if dark else (1, 2, -1, 0))
    )
    steps = tuple(_Steps(dark, die) for die in range(7))
    plays = {(high, low): _Plays(dark, high, low) for high in range(2, 7) for low in range(1, high)}
    return _Side(own, pair, unblocked, free, 32 * home, 0 if dark else 32 * home, steps, plays)


_SIDES: Final = (_side(False), _side(True))


def two_numbers(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct results, and the numbers that every complete play uses; `high` is the larger number.

    All of the mover's checkers must be at home.
    """
    own, pair, unblocked, free, kept, clear, steps, plays = _SIDES[dark]
    held, opponents = code + own & kept, code + free & kept
    if opponents == clear:
        stacks = kept ^ 3 * (held ^ code + pair & kept)
        found = {code + step for step, one_of in plays[high, low][held] if stacks & one_of}
        if found:
            return found, (high, low)
        last = steps[high][held | 6 * clear]
        return ({code + last[0]}, (high,)) if last else ({code}, ())
    by_high, by_low = steps[high], steps[low]
    key = held | (code + unblocked & kept) << 1 | opponents << 2
    highs = [code + step for step in by_high[key]]
    lows = [code + step for step in by_low[key]]
    found = {
        now + step
        for now in highs
        for step in by_low[now + own & kept | (now + unblocked & kept) << 1 | (now + free & kept) << 2]
    }
    found.update(
        [
            now + step
            for now in lows
            for step in by_high[now + own & kept | (now + unblocked & kept) << 1 | (now + free & kept) << 2]
        ]
    )
    if found:
        return found, (high, low)
    if highs:
        return set(highs), (high,)
    if lows:
        return set(lows), (low,)
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
    own, unblocked, free, kept, by_die = side.own, side.unblocked, side.free, side.kept, side.steps[die]
    return {
        code + step
        for code in codes
        for step in by_die[code + own & kept | (code + unblocked & kept) << 1 | (code + free & kept) << 2]
    }
