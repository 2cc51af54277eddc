"""All results of a roll in the standard game, on packed numbers.

The rules (common to every rule text, here in the order of the Backgammon Galore text that the Hungarian
federation translates): checkers on the bar enter first; a point with two opposing checkers is closed, a
single one is hit; both numbers must be played if there is a way, and all four of a double, or as many as
possible; if either can be played but not both, the larger; a checker is borne off only while all are at home,
with its own number, or with a larger one if no checker stands behind it.

Three observations make it fast. A step adds a known number (`packed.steps`), so the results of two different
checkers are sums. With unequal dice and the bar empty only a checker that plays both numbers needs a look at
the place between. With doubles a point is only ever reached from the one that lies a number behind it, so the
numbers of steps made from each point tell everything about a result: counting them off from the rearmost
point names each result once, in an order that is legal also for bearing off.

With the last checker the letter of the rule holds: if it can be borne off with one number, but both can be
played by hitting a blot on the way, both must be.
"""

from functools import cache
from typing import Final

from controller.rules import packed, unequal
from controller.rules.packed import BAR, BLOT, EMPTY

_STEPS: Final = (packed.steps(dark=False), packed.steps(dark=True))
_HITS: Final = (packed.hits(dark=False), packed.hits(dark=True))
_OWN: Final = bytes(max(value - EMPTY, 0) if value < 32 else 0 for value in range(256))
_HOME: Final = 6
_OWN_BAR: Final = (255 * packed.UNIT[BAR], 255 * packed.UNIT[0])
_NOBODY: Final = (EMPTY * packed.UNIT[BAR], EMPTY * packed.UNIT[0])
"""The byte of the mover's bar, and what it holds when nobody waits there."""
_ABOVE: Final = 8 * packed.PLACES
"""Bits above the position, where blots that were passed are noted."""
_BELOW: Final = (1 << _ABOVE) - 1


def results(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct positions after a complete legal play, and the numbers that every such play uses.

    Without a legal step the result is the unchanged position and no number. `high` is the larger number.
    """
    if high != low and code & _OWN_BAR[dark] == _NOBODY[dark]:
        return unequal.results(code, dark, high, low)
    view = packed.view(code, dark=dark)
    return _double(code, dark, view, high) if high == low else _entering(code, dark, view, high, low)


def _entering(code: int, dark: bool, view: bytes, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """Two numbers with checkers on the bar."""
    hit = _HITS[dark]
    enters = []
    for die in (high, low):
        target = BAR - die
        if view[target] >= BLOT:
            enters.append((die, _STEPS[dark][die][BAR] + (hit[target] if view[target] == BLOT else 0)))
    if not enters:
        return {code}, ()
    if view[BAR] > EMPTY + 1:
        return {code + sum(step for _, step in enters)}, tuple(die for die, _ in enters)
    found: set[int] = set()
    for die, entry in enters:
        other = high + low - die
        entered, steps, after = BAR - die, _STEPS[dark][other], code + entry
        for p in range(other + 1, BAR):
            if (view[p] > EMPTY or p == entered) and view[p - other] >= BLOT:
                fresh = view[p - other] == BLOT and p - other != entered
                found.add(after + steps[p] + (hit[p - other] if fresh else 0))
    if found:
        return found, (high, low)
    die, entry = enters[0]
    return {code + entry}, (die,)


def _double(code: int, dark: bool, view: bytes, die: int) -> tuple[set[int], tuple[int, ...]]:
    """Four times the same number, as often as possible."""
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
    outside = view.translate(_OWN)[_HOME + 1 : BAR]
    needed = sum(outside)
    if 0 < needed < left:
        needed = sum(own * -(-distance // die) for distance, own in enumerate(outside, start=1) if own)
    if needed < left:
        found, used = _double_near_home(code, dark, view, die, left, 24 if needed else _HOME)
    else:
        found, used = _double_outside(code, dark, view, die, left)
    return found, (die,) * (4 - left + used)


def _double_near_home(
    code: int, dark: bool, view: bytes, die: int, left: int, rearmost: int
) -> tuple[set[int], int]:
    """A double when bearing off may come within it: step by step, from the rearmost source on.

    No checker stands behind `rearmost`.
    """
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
            elif (behind or p) <= _HOME and (target == 0 or not behind):
                after = code + steps[p]
                reached.append(after)
                if used < left:
                    board[p] -= 1
                    play_on(after, p, behind, used + 1)
                    board[p] += 1
            behind = behind or p

    while rearmost and view[rearmost] <= EMPTY:
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


@cache
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
    found = {code + step for step in sums} if sums else {code}
    if noted:
        hits = [_HITS[dark][blot] for blot in noted]
        found = {_hit_once(total, hits) if total > _BELOW else total for total in found}
    return found, used


def _hit_once(total: int, hits: list[int]) -> int:
    """Send every blot that is noted above the position to the bar and clear the notes."""
    notes = total >> _ABOVE
    total &= _BELOW
    for hit in hits:
        if notes & 255:
            total += hit
        notes >>= 8
    return total
