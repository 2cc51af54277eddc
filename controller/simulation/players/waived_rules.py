"""Illegal plays of the games of the family: a whole roll played as if one rule of the game did not exist.

What was done is counted on the board before and after: checkers that left the head, points that are held, blots that
are gone. Points are in the mover's numbering.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.rules import ReasonCode
from controller.rules.moves.movement import BearoffOversize, Contact, FirstChecker, PrimeLimit
from controller.rules.notation import BAR, OFF
from controller.rules.position import Direction
from controller.simulation.players.wrong_plays import (
    HOME,
    Attempt,
    Half,
    WrongPlay,
    count_displaced,
    list_changes,
    list_made_up,
)

HEAD: Final = 24
PRIME: Final = 6
ENTRY: Final = range(19, 25)
TABLES: Final = {
    PrimeLimit.OPEN_START: (range(19, 25), 5, 1),
    PrimeLimit.FOUR_IN_OPPONENT_START: (range(7, 13), 4, 1),
    PrimeLimit.TWO_IN_START: (range(19, 25), 2, 2),
}
"""The points of a table, how many of them may be held, and how many checkers hold one."""


def empty_head(attempt: Attempt) -> Iterator[WrongPlay]:
    """More checkers leave the starting point than may in a turn."""
    most = attempt.rules.head_limit
    if most is None:
        return
    free = replace(attempt, rules=replace(attempt.rules, head_limit=None))
    for end in free.played(attempt.numbers):
        if attempt.half.own[HEAD] - end.own[HEAD] > most:
            yield WrongPlay(end, list_changes(attempt.half, end))


def leave_first_checker(attempt: Attempt) -> Iterator[WrongPlay]:
    """Another checker is moved although the first has not come far enough."""
    if attempt.rules.first_checker is FirstChecker.FREE:
        return
    first = next((at for at in range(1, BAR) if attempt.half.own[at]), 0)
    free = replace(attempt, rules=replace(attempt.rules, first_checker=FirstChecker.FREE))
    for end in free.played(attempt.numbers):
        stays = end.own[first] == attempt.half.own[first] and first != HEAD
        if stays or count_displaced(attempt.half, end) > 1:
            yield WrongPlay(end, list_changes(attempt.half, end))


def hold_too_many(attempt: Attempt) -> Iterator[WrongPlay]:
    """Points are held together that may not be: six in a row, or too many of a table."""
    kind = attempt.rules.prime_limit
    if kind is PrimeLimit.NONE:
        return
    free = replace(attempt, rules=replace(attempt.rules, prime_limit=PrimeLimit.NONE))
    for end in free.played(attempt.numbers):
        labels, before, primes = set(), list_primes(attempt.half), list_primes(end)
        if kind in TABLES:
            table, most, least = TABLES[kind]
            held = [point for point in table if end.own[point] >= least]
            if len(held) > most and len(held) > sum(attempt.half.own[point] >= least for point in table):
                labels.add(ReasonCode.TABLE_LIMIT)
            if kind is PrimeLimit.OPEN_START and any(_shuts_all(end, prime) for prime in primes):
                labels.add(ReasonCode.PRIME_KEPT)
        elif set(primes) - set(before):
            labels.add(ReasonCode.PRIME_LIMIT)
        if labels:
            yield WrongPlay(end, list_changes(attempt.half, end), frozenset(labels))


def list_primes(half: Half) -> list[tuple[int, ...]]:
    """Every six points in a row that the mover holds, the way it goes; in parallel games the way is a circle."""
    circle = half.rules.direction is Direction.PARALLEL
    rows = [
        tuple((highest - nth - 1) % HEAD + 1 for nth in range(PRIME))
        for highest in range(1 if circle else PRIME, BAR)
    ]
    return [row for row in rows if all(half.own[point] for point in row)]


def _shuts_all(half: Half, prime: tuple[int, ...]) -> bool:
    """Whether all checkers of the opponent stand on the one point behind the six."""
    return half.other[prime[0] % HEAD + 1] == half.rules.checkers


def hit_and_run(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker hits a blot in its own home board and goes on to another point."""
    if attempt.rules.hit_and_run:
        return
    free = replace(attempt, rules=replace(attempt.rules, hit_and_run=True))
    for end in free.played(attempt.numbers):
        left = [at for at in range(1, HOME + 1) if attempt.half.other[at] and not end.other[at]]
        left = [at for at in left if not end.own[at]]
        if left and end.other[0] > attempt.half.other[0]:
            yield WrongPlay(end, tuple(left))


def hit_single(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker that stands alone is sent to the bar in a game in which it blocks its point."""
    if attempt.rules.landing_blocked_at != 1:
        return
    free = replace(attempt, rules=replace(attempt.rules, landing_blocked_at=2, contact=Contact.HIT))
    for end in free.played(attempt.numbers):
        hit = [at for at in range(1, BAR) if attempt.half.other[at] and not end.other[at]]
        if hit:
            yield WrongPlay(end, tuple(hit))


def move_pinned(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker is drawn from under those that pin it, and goes on by a number."""
    for number, half in attempt.but_one():
        for source in sorted(half.pins):
            target = source - number
            if attempt.is_open(half, target) and not half.other[target]:
                after = half.copy()
                after.pins.remove(source)
                after.own[target] += 1
                yield WrongPlay(after, (source, target))


def enter_elsewhere(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker from the hand enters on a point that no number leads to."""
    made_up = list_made_up(attempt.roll)
    for number, half in attempt.but_one():
        if half.own[BAR] or not half.hand:
            continue
        played = sum(attempt.numbers) - number
        for target in ENTRY:
            distance = BAR - target
            if distance in made_up or played + distance in made_up or half.other[target]:
                continue
            after = half.copy()
            after.hand -= 1
            after.own[target] += 1
            yield WrongPlay(after, (target,))


def bear_off_larger(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker is borne off with a number above its point where only the exact number bears off."""
    if attempt.rules.bearoff_oversize is not BearoffOversize.BARRED:
        return
    usual = replace(attempt.rules, bearoff_oversize=BearoffOversize.FORCED_IF_NO_OTHER)
    for end in replace(attempt, rules=usual).played(attempt.numbers):
        if end.own[OFF] > attempt.half.own[OFF]:
            yield WrongPlay(end, list_changes(attempt.half, end))


def bear_off_pinned(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker is borne off while another is pinned, where that may not be."""
    if attempt.rules.bearoff_while_pinned or not attempt.half.pins:
        return
    free = replace(attempt, rules=replace(attempt.rules, bearoff_while_pinned=True))
    for end in free.played(attempt.numbers):
        if end.own[OFF] > attempt.half.own[OFF] and end.pins:
            yield WrongPlay(end, list_changes(attempt.half, end))
