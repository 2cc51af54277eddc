"""All results of a double in the standard game, on packed numbers.

A point is only ever reached from the one that lies a number behind it, so the numbers of steps made from each
point tell everything about a result: counting them off from the rearmost point names each result once, in an
order that is legal also for bearing off.
"""

from functools import cache, lru_cache
from typing import Final

from controller.rules import packed
from controller.rules.moves import home
from controller.rules.moves.law import HOME
from controller.rules.packed import BAR, BLOT, EMPTY

_STEPS: Final = (packed.steps(dark=False), packed.steps(dark=True))
_HITS: Final = (packed.hits(dark=False), packed.hits(dark=True))
_OWN: Final = bytes(max(value - EMPTY, 0) if value < 32 else 0 for value in range(256))
_ABOVE: Final = 8 * packed.PLACES
"""Bits above the position, where blots that were passed are noted."""
_KEPT: Final = 2048
"""Stacks and their ways that are remembered; there are far more kinds of them than a match has."""


def results(code: int, dark: bool, die: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct positions after four times the same number, as often as possible, and the numbers played."""
    view = packed.view(code, dark=dark)
    left = 4
    waiting = view[BAR] - EMPTY
    if waiting > 0:
        target = BAR - die
        if view[target] < BLOT:
            return {code}, ()
        entering = min(waiting, 4)
        code += entering * _STEPS[dark][die][BAR] + (_HITS[dark][target] if view[target] == BLOT else 0)
        left -= entering
        if not left or waiting > 4:
            return {code}, (die,) * entering
        view = packed.view(code, dark=dark)
    outside = view.translate(_OWN)[HOME + 1 : BAR]
    needed = sum(outside)
    if 0 < needed < left:
        needed = sum(own * -(-distance // die) for distance, own in enumerate(outside, start=1) if own)
    if not needed:
        found, used = home.double(code, dark, die, left)
    elif needed < left:
        found, used = _double_near_home(code, dark, view, die, left)
    else:
        found, used = _double_outside(code, dark, view, die, left)
    return found, (die,) * (4 - left + used)


def _double_near_home(code: int, dark: bool, view: bytes, die: int, left: int) -> tuple[set[int], int]:
    """A double when bearing off may come within it: step by step, from the rearmost source on."""
    steps, hit = _STEPS[dark][die], _HITS[dark]
    board = bytearray(view)
    by_count: list[list[int]] = [[code], [], [], [], []]

    def play_on(code: int, highest: int, behind: int, used: int) -> None:
        """Play one more step from `highest` or below; `behind` is the rearmost that stays above, or 0."""
        reached = by_count[used]
        for p in range(highest, 0, -1):
            if board[p] <= EMPTY:
                continue
            target = p - die
            if target > 0:
                there = board[target]
                if there >= BLOT:
                    after = code + steps[p] + (hit[target] if there == BLOT else 0)
                    reached.append(after)
                    if used < left:
                        board[p] -= 1
                        board[target] = EMPTY + 1 if there == BLOT else there + 1
                        play_on(after, p, behind, used + 1)
                        board[p] += 1
                        board[target] = there
            elif (behind or p) <= HOME and (target == 0 or not behind):
                after = code + steps[p]
                reached.append(after)
                if used < left:
                    board[p] -= 1
                    play_on(after, p, behind, used + 1)
                    board[p] += 1
            behind = behind or p

    rearmost = BAR - 1
    while view[rearmost] <= EMPTY:
        rearmost -= 1
    play_on(code, rearmost, 0, 1)
    used = left
    while not by_count[used]:
        used -= 1
    return set(by_count[used]), used


@cache
def _shares(checkers: int, way: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """How a stack can spend 0..4 steps on an open way of `way` points: by their number, those of each point.

    The steps from each point are falling numbers: no point is left more often than it is reached.
    """
    found: list[list[tuple[int, ...]]] = [[()], [], [], [], []]

    def spend(prefix: tuple[int, ...], most: int, spent: int) -> None:
        for steps in range(1, min(most, 4 - spent) + 1):
            share = (*prefix, steps)
            found[spent + steps].append(share)
            if len(share) < way:
                spend(share, steps, spent + steps)

    if way:
        spend((), checkers, 0)
    return tuple(tuple(shares) for shares in found)


@lru_cache(maxsize=_KEPT)
def _stack_sums(
    dark: bool, die: int, source: int, checkers: int, way: int, blots: tuple[tuple[int, int], ...]
) -> tuple[tuple[int, ...], ...]:
    """What a stack can add with 0..4 steps of a double over an open way.

    `blots` lists those on the way: after how many points, and in which place above the position to note them.
    """
    steps = _STEPS[dark][die]
    return tuple(
        tuple(
            sum(n * steps[source - die * i] for i, n in enumerate(share))
            + sum(1 << _ABOVE + 8 * place for i, place in blots if i < len(share))
            for share in shares
        )
        for shares in _shares(checkers, way)
    )


def _double_outside(code: int, dark: bool, view: bytes, die: int, left: int) -> tuple[set[int], int]:
    """A double when nothing can be borne off: every stack spends some of the steps on its own way.

    Stacks whose ways overlap may find the same result twice, which the set merges. A blot on the way is noted
    in the bits above the position by each step that reaches it, and sent to the bar once.
    """
    one: list[int] = []
    two: list[int] = []
    three: list[int] = []
    four: list[int] = []
    noted: list[int] = []
    for source in range(die + 1, 25):
        if view[source] <= EMPTY:
            continue
        way, target = 0, source - die
        blots: tuple[tuple[int, int], ...] = ()
        while way < left and target > 0 and view[target] >= BLOT:
            if view[target] == BLOT:
                if target not in noted:
                    noted.append(target)
                blots += ((way, noted.index(target)),)
            way += 1
            target -= die
        if not way:
            continue
        _, s1, s2, s3, s4 = _stack_sums(dark, die, source, min(view[source] - EMPTY, 4), way, blots)
        if left > 3:
            four += [a + b for a in three for b in s1]
            four += [a + b for a in two for b in s2]
            four += [a + b for a in one for b in s3]
            four += s4
        if left > 2:
            three += [a + b for a in two for b in s1]
            three += [a + b for a in one for b in s2]
            three += s3
        if left > 1:
            two += [a + b for a in one for b in s1]
            two += s2
        one += s1
    sums = four or three or two or one
    used = 4 if four else 3 if three else 2 if two else 1 if one else 0
    if not sums:
        return {code}, 0
    if not noted:
        return {code + step for step in sums}, used
    sent = _Sent([_HITS[dark][blot] for blot in noted])
    return {total + sent[total >> _ABOVE] for total in [code + step for step in sums]}, used


class _Sent(dict[int, int]):
    """What clears the notes above a position and sends each noted blot to the bar, once; by the notes."""

    def __init__(self, hits: list[int]) -> None:
        self._hits = hits

    def __missing__(self, notes: int) -> int:
        """The hits of the noted blots, less the notes."""
        change, left = -(notes << _ABOVE), notes
        for hit in self._hits:
            if left & 255:
                change += hit
            left >>= 8
        self[notes] = change
        return change
