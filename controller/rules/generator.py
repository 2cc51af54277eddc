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

from collections.abc import Iterable
from functools import cache
from typing import Final

from controller.rules import packed
from controller.rules.packed import BAR, BLOT, EMPTY

Sums = list[set[int]]
"""What steps add to the number of a position, by how many steps (0..4)."""

_STEPS: Final = (packed.steps(dark=False), packed.steps(dark=True))
_HITS: Final = (packed.hits(dark=False), packed.hits(dark=True))
_OWN: Final = bytes(max(value - EMPTY, 0) if value < 32 else 0 for value in range(256))
_HOME: Final = 6
_ABOVE: Final = 8 * packed.PLACES
"""Bits above the position, where blots that were passed are noted."""


def results(code: int, dark: bool, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """All distinct positions after a complete legal play of a roll, and the numbers that every such play
    uses.

    Without a legal step the result is the unchanged position and no number. `high` is the larger number.
    """
    view = packed.view(code, dark=dark)
    if high == low:
        return _double(code, dark, view, high)
    if view[BAR] > EMPTY:
        return _entering(code, dark, view, high, low)
    if sum(view.translate(_OWN)[_HOME + 1 :]) < 2:
        return _near_home(code, dark, view, high, low)
    return _unequal(code, dark, view, high, low)


def _unequal(code: int, dark: bool, view: bytes, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """Two numbers with nothing on the bar and no bearing off in reach."""
    high_steps, low_steps, hit = _STEPS[dark][high], _STEPS[dark][low], _HITS[dark]
    sources = [place for place, value in enumerate(view) if value > EMPTY]
    highs = {
        p: high_steps[p] + hit[p - high] if view[p - high] == BLOT else high_steps[p]
        for p in sources
        if p > high and view[p - high] >= BLOT
    }
    lows = {
        p: low_steps[p] + hit[p - low] if view[p - low] == BLOT else low_steps[p]
        for p in sources
        if p > low and view[p - low] >= BLOT
    }
    low_sums = list(lows.values())
    found = {first + second for step in highs.values() for first in (code + step,) for second in low_sums}
    for p in highs:
        if view[p] == EMPTY + 1 and p in lows:
            found.discard(code + highs[p] + lows[p])
        between = p - high
        if view[between] <= EMPTY and between > low and view[between - low] >= BLOT:
            step = low_steps[between] + (hit[between - low] if view[between - low] == BLOT else 0)
            found.add(code + highs[p] + step)
    for p in lows:
        between = p - low
        if view[between] <= EMPTY and between > high and view[between - high] >= BLOT:
            step = high_steps[between] + (hit[between - high] if view[between - high] == BLOT else 0)
            found.add(code + lows[p] + step)
        if view[between] == BLOT and between + high in highs:
            twice = code + lows[p] + highs[between + high]
            found.discard(twice)
            found.add(twice - hit[between])
    if found:
        return found, (high, low)
    if highs:
        return {code + step for step in highs.values()}, (high,)
    if lows:
        return {code + step for step in lows.values()}, (low,)
    return {code}, ()


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


def _steps_now(view: bytes | bytearray, dark: bool, die: int) -> Iterable[tuple[int, int, int]]:
    """Every legal step with a number when nothing is on the bar: source, target (0 is off), what it adds."""
    steps, hit = _STEPS[dark][die], _HITS[dark]
    rearmost = 24
    while rearmost and view[rearmost] <= EMPTY:
        rearmost -= 1
    for p in range(rearmost, 0, -1):
        if view[p] <= EMPTY:
            continue
        target = p - die
        if target > 0:
            if view[target] >= BLOT:
                yield p, target, steps[p] + (hit[target] if view[target] == BLOT else 0)
        elif rearmost <= _HOME and (target == 0 or p == rearmost):
            yield p, 0, steps[p]


def _after_step(view: bytes | bytearray, source: int, target: int) -> bytearray:
    """The view after a step (without the opponent's bar, which no step looks at)."""
    after = bytearray(view)
    after[source] -= 1
    if target:
        after[target] = EMPTY + 1 if after[target] == BLOT else after[target] + 1
    return after


def _near_home(code: int, dark: bool, view: bytes, high: int, low: int) -> tuple[set[int], tuple[int, ...]]:
    """Two numbers with nothing on the bar and at most one checker outside the home board."""
    found: set[int] = set()
    singles: dict[int, set[int]] = {}
    for die in (high, low):
        singles[die] = set()
        for source, target, step in _steps_now(view, dark, die):
            singles[die].add(code + step)
            after = _after_step(view, source, target)
            found.update(code + step + second for _, _, second in _steps_now(after, dark, high + low - die))
    if found:
        return found, (high, low)
    for die in (high, low):
        if singles[die]:
            return singles[die], (die,)
    return {code}, ()


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
    if sum(view.translate(_OWN)[_HOME + 1 :]) < left:
        found, used = _double_near_home(code, dark, view, die, left)
    else:
        found, used = _double_outside(code, dark, view, die, left)
    return found, (die,) * (4 - left + used)


def _double_near_home(code: int, dark: bool, view: bytes, die: int, left: int) -> tuple[set[int], int]:
    """A double when bearing off may come within it: step by step, from the rearmost source on."""
    by_count: list[list[int]] = [[code], [], [], [], []]

    def play_on(code: int, view: bytes | bytearray, highest: int, used: int) -> None:
        for source, target, step in _steps_now(view, dark, die):
            if source <= highest:
                by_count[used + 1].append(code + step)
                if used + 1 < left:
                    play_on(code + step, _after_step(view, source, target), source, used + 1)

    play_on(code, view, 24, 0)
    used = max(count for count, codes in enumerate(by_count) if codes)
    return set(by_count[used]), used


@cache
def _shares(checkers: int, way: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """How a stack can spend steps on an open way of `way` points: by number of steps (0..4), steps from each
    point.

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
def _stack_sums(dark: bool, die: int, source: int, checkers: int, way: int) -> tuple[tuple[int, ...], ...]:
    """What a stack can add with 0..4 steps of a double over an open way without blots."""
    steps = _STEPS[dark][die]
    return tuple(
        tuple(sum(n * steps[source - die * i] for i, n in enumerate(share)) for share in shares)
        for shares in _shares(checkers, way)
    )


def _double_outside(code: int, dark: bool, view: bytes, die: int, left: int) -> tuple[set[int], int]:
    """A double when nothing can be borne off: every stack spends some of the steps on its own way.

    Stacks whose ways overlap may find the same result twice, which the sets merge. A blot on the way is noted
    in the bits above the position by each step that reaches it, and sent to the bar once.
    """
    reached: Sums = [{code}, set(), set(), set(), set()]
    blots: dict[int, int] = {}
    for source in range(24, die, -1):
        if view[source] <= EMPTY:
            continue
        way, target, passed = 0, source - die, []
        while way < left and target > 0 and view[target] >= BLOT:
            if view[target] == BLOT:
                passed.append((way, target))
            way += 1
            target -= die
        if not way:
            continue
        checkers = min(view[source] - EMPTY, 4)
        sums: Iterable[Iterable[int]] = _stack_sums(dark, die, source, checkers, way)
        if passed:
            for _, blot in passed:
                blots.setdefault(blot, len(blots))
            sums = [
                [
                    total + sum(1 << _ABOVE + 8 * blots[blot] for i, blot in passed if i < len(share))
                    for total, share in zip(totals, shares, strict=True)
                ]
                for totals, shares in zip(sums, _shares(checkers, way), strict=True)
            ]
        reached = _added(reached, list(sums), left)
    used = max(count for count in range(left + 1) if reached[count])
    if not blots:
        return reached[used], used
    hits = {place: _HITS[dark][blot] for blot, place in blots.items()}
    return {_hit_once(total, hits) for total in reached[used]}, used


def _added(reached: Sums, stack: list[Iterable[int]], left: int) -> Sums:
    """Everything reached before, with every share of steps that one more stack can take of those left."""
    joined: Sums = []
    for count in range(left + 1):
        sums = set(reached[count])
        for share in range(1, count + 1):
            if stack[share] and reached[count - share]:
                sums.update([total + step for total in reached[count - share] for step in stack[share]])
        joined.append(sums)
    return joined


def _hit_once(total: int, hits: dict[int, int]) -> int:
    """Send every blot that is noted above the position to the bar and clear the notes."""
    notes = total >> _ABOVE
    if notes:
        total &= (1 << _ABOVE) - 1
        for place, hit in hits.items():
            if notes >> 8 * place & 255:
                total += hit
    return total
