"""Illegal plays on the points: each built so that what was done follows from how it was built."""

from collections.abc import Iterator
from dataclasses import replace

from controller.rules.moves.plays import is_result
from controller.rules.notation import BAR, OFF
from controller.rules.position import Roll
from controller.rules.reasons import ReasonCode
from controller.simulation.players.attempt import Attempt, Half, Made, count_displaced, move_checker

FARTHEST = 11
"""A wrong distance is no longer than this."""


def leave_bar(attempt: Attempt) -> Iterator[Made]:
    """The whole roll is played as if no checker waited on the bar."""
    waiting = attempt.half.own[BAR]
    if not waiting or not attempt.rules.bar_enter_first:
        return
    without = attempt.half.copy()
    without.own[BAR] = 0
    without.own[OFF] += waiting
    for end in attempt.played(attempt.numbers, without):
        if end.own[OFF] == without.own[OFF]:
            after = end.copy()
            after.own[BAR], after.own[OFF] = waiting, end.own[OFF] - waiting
            yield Made(after, (BAR,))


def jump_block(attempt: Attempt) -> Iterator[Made]:
    """One checker goes on with two numbers, although both points on which it could rest are made."""
    first, second = attempt.numbers[:2]
    for half in attempt.played(attempt.numbers[2:]):
        sources = (BAR,) if half.own[BAR] == 1 else () if half.own[BAR] else range(24, 0, -1)
        for source in sources:
            target = source - first - second
            if not half.own[source] or not attempt.is_open(half, target):
                continue
            rests = (source - first, source - second)
            if not any(attempt.is_open(half, rest) for rest in rests):
                yield Made(move_checker(half, source, target), rests)


def stack(attempt: Attempt) -> Iterator[Made]:
    """More checkers are put on a point than the rules let it hold."""
    most = attempt.rules.max_stack
    if most is None:
        return
    free = replace(attempt, rules=replace(attempt.rules, max_stack=None))
    for end in free.played(attempt.numbers):
        high = tuple(at for at in range(1, 25) if end.own[at] > max(most, attempt.half.own[at]))
        if high:
            yield Made(end, high)


def move_wrong_distance(attempt: Attempt) -> Iterator[Made]:
    """One number is played rightly; in place of the other a checker goes a distance that no numbers make up."""
    high, low = attempt.roll.dice
    made_up = {i * high + j * low for i in range(5) for j in range(5)}
    for number, half in attempt.but_one():
        if half.own[BAR] or half.own[OFF] != attempt.half.own[OFF]:
            continue
        played = sum(attempt.numbers) - number
        for distance in range(1, FARTHEST + 1):
            if distance in made_up or played + distance in made_up:
                continue
            for source in range(24, distance, -1):
                if half.own[source] and attempt.is_open(half, source - distance):
                    places = (source, source - distance)
                    # Where it is a number of a die, two other numbers explain it as well.
                    other = {ReasonCode.DICE_MISMATCH} if distance <= 6 else set()
                    labels = frozenset[str]({ReasonCode.WRONG_DISTANCE, *other})
                    yield Made(move_checker(half, source, source - distance), places, labels)


def play_other_roll(attempt: Attempt) -> Iterator[Made]:
    """Two checkers are moved by two numbers of which neither was rolled."""
    others = [number for number in range(1, 7) if number not in attempt.numbers]
    high, low = attempt.roll.dice
    made_up = {i * high + j * low for i in range(5) for j in range(5)}
    for first in others:
        for second in others:
            if second >= first or first + second in made_up:
                continue
            for end in attempt.played(Roll.of(first, second).numbers):
                far = _distances(attempt.half, end)
                apart = count_displaced(attempt.half, end) == 2 and not far & made_up
                if apart and end.own[OFF] == attempt.half.own[OFF]:
                    yield Made(end, _changes(attempt.half, end))


def leave_numbers(attempt: Attempt) -> Iterator[Made]:
    """Fewer numbers are played than can be, or the smaller one although only the larger may be."""
    high, low = attempt.roll.dice
    fewer = [(high,) * n for n in (1, 2, 3)] if high == low else [(high,), (low,)]
    for numbers in fewer:
        if len(numbers) < len(attempt.used):
            label = ReasonCode.UNUSED_DIE
        elif attempt.used == (high,) and numbers == (low,):
            label = ReasonCode.LARGER_DIE
        else:
            continue
        for end in attempt.played(numbers):
            yield Made(end, _changes(attempt.half, end), frozenset({label}))


def move_backwards(attempt: Attempt) -> Iterator[Made]:
    """One number is played rightly, the other backwards: afterwards more checkers are further from home."""
    for number, half in attempt.but_one():
        if half.own[BAR]:
            continue
        for source in range(1, 25 - number):
            target = source + number
            if half.own[source] and not half.other[target]:
                after = move_checker(half, source, target)
                if sum(after.own[target:]) > sum(attempt.half.own[target:]):
                    yield Made(after, (source, target))


def move_one_more(attempt: Attempt) -> Iterator[Made]:
    """After a complete legal play one more checker is moved: more are displaced than there are numbers."""
    if len(attempt.used) < len(attempt.numbers):
        return
    for end in attempt.legal:
        if end.own[BAR] or end.own[OFF] != attempt.half.own[OFF]:
            continue
        for number in dict.fromkeys(attempt.numbers):
            for source in range(24, number, -1):
                target = source - number
                if not end.own[source] or end.other[target]:
                    continue
                after = move_checker(end, source, target)
                many = count_displaced(attempt.half, after) == len(attempt.numbers) + 1
                if many and not _plays_double(attempt, after):
                    yield Made(after, (source, target))


def move_opponent(attempt: Attempt) -> Iterator[Made]:
    """After a legal play a checker of the opponent is pushed on to the point beside it."""
    for end in attempt.legal:
        for place in range(1, 25):
            for target in (place - 1, place + 1):
                if end.other[place] and 1 <= target <= 24 and not end.own[target]:
                    yield Made(_move_other(end, place, target), (place, target))


def hide_hit(attempt: Attempt) -> Iterator[Made]:
    """A hit checker is not laid on the bar, but beside the point on which it was hit."""
    for end in attempt.legal:
        if end.other[0] <= attempt.half.other[0]:
            continue
        for place in range(1, 25):
            if not (attempt.half.other[place] == 1 and end.own[place] and not end.other[place]):
                continue
            for target in (place - 1, place + 1):
                if 1 <= target <= 24 and not end.own[target]:
                    yield Made(_move_other(end, 0, target), (place, target))


def take_checker(attempt: Attempt) -> Iterator[Made]:
    """After a legal play a checker of the opponent is taken from the board."""
    for end in attempt.legal:
        for place in range(1, 25):
            if end.other[place]:
                yield Made(_move_other(end, place, BAR), (place,))


def return_checker(attempt: Attempt) -> Iterator[Made]:
    """After a legal play a checker that the opponent has borne off is put back on the board."""
    for end in attempt.legal:
        for place in range(19, 25):
            if end.other[BAR] and end.other[place]:
                yield Made(_move_other(end, BAR, place), (place,))


def _distances(before: Half, after: Half) -> set[int]:
    """From every place with fewer of the mover's checkers to every place with more: how far it is."""
    fewer = [at for at in range(1, BAR + 1) if after.own[at] < before.own[at]]
    more = [at for at in range(1, BAR + 1) if after.own[at] > before.own[at]]
    return {source - target for source in fewer for target in more}


def _plays_double(attempt: Attempt, after: Half) -> bool:
    """Whether a double would lead to the same board: then nobody can tell which of the two was done."""
    before, position = attempt.half.position(), after.position()
    if before is None or position is None:
        return False
    side = attempt.half.side
    doubles = (Roll.of(number, number) for number in range(1, 7))
    return any(is_result(before, side, double, position, attempt.rules) for double in doubles)


def _move_other(half: Half, source: int, target: int) -> Half:
    """The board after one checker of the opponent went from place to place (0: its bar, 25: off)."""
    after = half.copy()
    after.other[source] -= 1
    after.other[target] += 1
    return after


def _changes(before: Half, after: Half) -> tuple[int, ...]:
    """The points that hold another number of the mover's checkers afterwards."""
    return tuple(at for at in range(1, 25) if before.own[at] != after.own[at])
