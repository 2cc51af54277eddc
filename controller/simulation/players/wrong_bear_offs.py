"""Illegal plays with which a checker leaves the board."""

from collections.abc import Iterator
from typing import Final

from controller.rules.notation import BAR, OFF
from controller.rules.reasons import ReasonCode
from controller.simulation.players.attempt import Attempt, Half, Made, count_displaced, move_checker

NUMBER_TOO_SMALL: Final = ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL
EXTRA_OFF: Final = ReasonCode.EXTRA_CHECKER_OFF


def bear_off_early(attempt: Attempt) -> Iterator[Made]:
    """A checker is borne off with its number while another is outside the home board before and after."""
    for number, half in attempt.but_one():
        if half.own[number] and not half.own[BAR] and not attempt.all_home(half):
            yield Made(move_checker(half, number, OFF), (number,))


def bear_off_low(attempt: Attempt) -> Iterator[Made]:
    """All are home: one is borne off with a number above its point, and one behind it stays there."""
    for number, half in attempt.but_one():
        if not attempt.all_home(half):
            continue
        for source in range(1, number):
            behind = any(half.own[source + 1 : BAR])
            if half.own[source] and behind and source not in attempt.numbers:
                yield Made(move_checker(half, source, OFF), (source,))


def bear_off_high(attempt: Attempt) -> Iterator[Made]:
    """All are home: one is borne off from a point above the number."""
    for number, half in attempt.but_one():
        if not attempt.all_home(attempt.half):
            continue
        for source in range(number + 1, 7):
            if not half.own[source] or source in attempt.numbers:
                continue
            # With all numbers one checker may have gone that far; then one of the others moved too much.
            far = sum(attempt.numbers) >= source and half.own[OFF] < _most_off(attempt)
            labels = {NUMBER_TOO_SMALL, *((EXTRA_OFF, ReasonCode.EXTRA_CHECKER_MOVED) if far else ())}
            yield Made(move_checker(half, source, OFF), (source,), frozenset[str](labels))


def bear_off_one_more(attempt: Attempt) -> Iterator[Made]:
    """After a complete legal play that bore checkers off, one more is taken off."""
    if len(attempt.used) < len(attempt.numbers):
        return
    for end in attempt.legal:
        borne = end.own[OFF] - attempt.half.own[OFF]
        if not borne or not attempt.all_home(end):
            continue
        for source in range(6, 0, -1):
            if end.own[source]:
                after = move_checker(end, source, OFF)
                yield Made(after, (source,), _labels_of_one_more(attempt, end, after))


def _labels_of_one_more(attempt: Attempt, end: Half, after: Half) -> frozenset[str]:
    """What one more checker off may rightly be called, after the legal play that led to ``end``."""
    labels = {EXTRA_OFF}
    if end.own[OFF] - attempt.half.own[OFF] < len(attempt.numbers):
        labels.add(ReasonCode.EXTRA_CHECKER_MOVED)
    if count_displaced(attempt.half, after) <= len(attempt.numbers):
        # No more checkers moved than there are numbers: one that was moved inside may have gone off at once.
        labels.add(NUMBER_TOO_SMALL)
    return frozenset(labels)


def _most_off(attempt: Attempt) -> int:
    """How many the mover has off if each of the other numbers bears one off."""
    return attempt.half.own[OFF] + len(attempt.numbers) - 1
