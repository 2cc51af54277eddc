"""Illegal plays on purpose, one for each rule that the judge knows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from controller.rules.judge import judge
from controller.rules.movement import STANDARD, MovementRules
from controller.rules.plays import results
from controller.rules.position import Position, Side
from controller.rules.reasons import ReasonCode
from controller.rules.roll import Roll
from controller.simulation.players.half import BAR, OFF, Half

MOST_TRIED = 60
"""So many candidates are judged before a kind is given up in a position."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The board before a roll, and after each legal play of it."""

    half: Half
    roll: Roll
    legal: tuple[Half, ...]


Make = Callable[[Turn], Iterator[Half]]
"""Candidates for a kind of cheating."""


def cheat(
    kind: ReasonCode,
    before: Position,
    side: Side,
    roll: Roll,
    rng: np.random.Generator,
    rules: MovementRules = STANDARD,
) -> Position | None:
    """A position after an illegal play of this kind; None where this roll offers none.

    The judge gives ``kind`` as a reason for it.
    """
    ends, _ = results(before, side, roll, rules)
    legal = tuple(Half.of(Position(code), side) for code in sorted(ends))
    found: dict[Position, None] = {}
    for half in MAKERS[kind](Turn(Half.of(before, side), roll, legal)):
        position = half.position()
        if position is not None and position != before and position.code not in ends:
            found[position] = None
    tried = list(found)
    for k in rng.permutation(len(tried))[:MOST_TRIED]:
        after = tried[int(k)]
        verdict = judge(before, side, roll, after, rules)
        if verdict.explanations and kind in {reason.code for reason in verdict.explanations[0]}:
            return after
    return None


def _stepped(half: Half, *ways: tuple[int, int]) -> Iterator[Half]:
    """The board after these steps, where they can be made at all."""
    after = half.copy()
    if all(after.step(source, target) for source, target in ways):
        yield after


def _single(turn: Turn) -> Iterator[Half]:
    """One number played, the other not."""
    for die in set(turn.roll.dice):
        for source in turn.half.sources:
            if source > die or die == source:
                yield from _stepped(turn.half, (source, source - die))


def _bar_first(turn: Turn) -> Iterator[Half]:
    if turn.half.own[BAR]:
        for first, second in permutations(turn.roll.dice):
            for one in turn.half.sources[1:]:
                for other in turn.half.sources:
                    if one > first and other > second:
                        yield from _stepped(turn.half, (one, one - first), (other, other - second))


def _blocked(turn: Turn) -> Iterator[Half]:
    """One checker with both numbers, over a closed point."""
    count = 4 if turn.roll.is_double else 2
    for source in turn.half.sources:
        target = source - sum(turn.roll.numbers[:count])
        if target > OFF:
            yield from _stepped(turn.half, (source, target))
        if turn.roll.is_double and source - 2 * turn.roll.high > OFF:
            yield from _stepped(turn.half, (source, source - 2 * turn.roll.high))


def _wrong_distance(turn: Turn) -> Iterator[Half]:
    for distance in set(range(1, 12)) - {*turn.roll.dice, sum(turn.roll.dice)}:
        for source in turn.half.sources:
            if source > distance:
                yield from _stepped(turn.half, (source, source - distance))
                for die in turn.roll.dice:
                    for other in turn.half.sources:
                        if other > die:
                            yield from _stepped(turn.half, (other, other - die), (source, source - distance))


def _backwards(turn: Turn) -> Iterator[Half]:
    for first, second in permutations(turn.roll.dice):
        for source in turn.half.sources[bool(turn.half.own[BAR]) :]:
            if source + first <= 24:
                yield from _stepped(turn.half, (source, source + first))
                for other in turn.half.sources:
                    if other > second:
                        yield from _stepped(turn.half, (other, other - second), (source, source + first))


def _opponent_moved(turn: Turn) -> Iterator[Half]:
    for end in turn.legal:
        for place in range(1, 25):
            for target in (place - 1, place + 1):
                if end.other[place] and 1 <= target <= 24 and not end.own[target]:
                    after = end.copy()
                    after.other[place] -= 1
                    after.other[target] += 1
                    yield after


def _off_early(turn: Turn) -> Iterator[Half]:
    for first, second in permutations(turn.roll.dice):
        if turn.half.own[first]:
            for other in turn.half.sources:
                if other > second:
                    yield from _stepped(turn.half, (first, OFF), (other, other - second))
            yield from _stepped(turn.half, (first, OFF))


def _off_low(turn: Turn) -> Iterator[Half]:
    """Borne off with too large a number although a checker is left behind."""
    for first, second in permutations(turn.roll.dice):
        for source in range(1, first):
            if turn.half.own[source]:
                yield from _stepped(turn.half, (source, OFF))
                for other in range(1, 25):
                    yield from _stepped(turn.half, (source, OFF), (other, other - second))


def _hit_left(turn: Turn) -> Iterator[Half]:
    """A hit checker is not laid on the bar, but beside where it stood."""
    for end in turn.legal:
        if end.other[0] > turn.half.other[0]:
            for place in range(1, 25):
                if not end.own[place]:
                    after = end.copy()
                    after.other[0] -= 1
                    after.other[place] += 1
                    yield after


def _extra(turn: Turn) -> Iterator[Half]:
    for end in turn.legal:
        for source in end.sources:
            for die in set(turn.roll.dice):
                if source > die:
                    yield from _stepped(end, (source, source - die))


def _other_roll(turn: Turn) -> Iterator[Half]:
    for high in range(1, 7):
        for low in range(1, high):
            if high not in turn.roll.dice and low not in turn.roll.dice:
                for source in turn.half.sources:
                    for other in turn.half.sources:
                        if source > high and other > low:
                            yield from _stepped(turn.half, (source, source - high), (other, other - low))


def _missing(turn: Turn) -> Iterator[Half]:
    """A checker goes off the board that nobody bears off."""
    for end in turn.legal:
        for place in range(1, 25):
            if end.other[place]:
                after = end.copy()
                after.other[place] -= 1
                yield after


def _full(turn: Turn) -> Iterator[Half]:
    """Too many on one point, where the rules limit that."""
    for first, second in permutations(turn.roll.dice):
        for source in turn.half.sources:
            for other in turn.half.sources:
                if source > first and other > second:
                    yield from _stepped(turn.half, (source, source - first), (other, other - second))


MAKERS: dict[ReasonCode, Make] = {
    ReasonCode.BAR_FIRST: _bar_first,
    ReasonCode.BLOCKED_POINT: _blocked,
    ReasonCode.WRONG_DISTANCE: _wrong_distance,
    ReasonCode.UNUSED_DIE: _single,
    ReasonCode.LARGER_DIE: _single,
    ReasonCode.BACKWARDS: _backwards,
    ReasonCode.OPPONENT_MOVED: _opponent_moved,
    ReasonCode.BEAR_OFF_EARLY: _off_early,
    ReasonCode.BEAR_OFF_HIGHER_EXISTS: _off_low,
    ReasonCode.HIT_NOT_ON_BAR: _hit_left,
    ReasonCode.EXTRA_CHECKER_MOVED: _extra,
    ReasonCode.DICE_MISMATCH: _other_roll,
    ReasonCode.CHECKER_MISSING: _missing,
    ReasonCode.STACK_LIMIT: _full,
}
"""What people do at real tables; the other reasons need rules that few profiles have, or a sixteenth checker."""
KINDS = tuple(MAKERS)


def any_cheat(
    before: Position, side: Side, roll: Roll, rng: np.random.Generator, rules: MovementRules = STANDARD
) -> tuple[ReasonCode, Position] | None:
    """Some illegal play that this roll offers, with its kind; None if there is none."""
    for k in rng.permutation(len(KINDS)):
        kind = KINDS[int(k)]
        after = cheat(kind, before, side, roll, rng, rules)
        if after is not None:
            return kind, after
    return None
