"""Illegal plays, each built so that what was done follows from how it was built."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from controller.rules import MovementRules, Position, ReasonCode, Roll, Side, is_result, results
from controller.rules.moves.movement import BearoffOversize, Contact, Generator, MaxDice
from controller.rules.moves.search import results as results_of_numbers
from controller.rules.moves.variants import results as results_in_family
from controller.rules.notation import BAR, OFF

HOME = 6
FARTHEST = 11
"""A wrong distance is no longer than this."""


@dataclass(slots=True)
class Half:
    """Checkers of the mover by place (25: bar, 1..24, 0: off) and the opponent's, both in the mover's numbering.

    ``other[0]`` is the opponent's bar, ``other[25]`` what it has borne off. What is pinned on a point is not counted
    there: ``pins`` are the points on which a checker of the mover lies under others, ``pinned`` those on which one of
    the opponent does. ``hand`` and ``other_hand`` have not been entered.
    """

    side: Side
    rules: MovementRules
    own: list[int]
    other: list[int]
    pins: set[int]
    pinned: set[int]
    hand: int
    other_hand: int

    @classmethod
    def from_position(cls, position: Position, side: Side, rules: MovementRules) -> Self:
        """The view of ``side``."""
        facing = position if side is Side.LIGHT else position.mirrored(rules.direction)
        own = [0, *(max(count, 0) for count in facing.points), facing.bar(Side.LIGHT)]
        other = [facing.bar(Side.DARK), *(max(-count, 0) for count in facing.points), 0]
        own[OFF] = facing.off(Side.LIGHT, rules.checkers)
        other[BAR] = facing.off(Side.DARK, rules.checkers)
        pins, pinned = (set(facing.pins(each)) for each in Side)
        return cls(
            side,
            rules,
            own,
            other=other,
            pins=pins,
            pinned=pinned,
            hand=facing.hand(Side.LIGHT),
            other_hand=facing.hand(Side.DARK),
        )

    def copy(self) -> Self:
        """Another one to move on."""
        return replace(
            self, own=self.own.copy(), other=self.other.copy(), pins={*self.pins}, pinned={*self.pinned}
        )

    def position(self) -> Position | None:
        """The position it is; None where both sides stand on one point, or more than fifteen are about."""
        both = list(zip(self.own[1:25], self.other[1:25], strict=True))
        if any(own and other for own, other in both) or min(*self.own, *self.other) < 0:
            return None
        if any(self.own[at] for at in self.pins) or any(self.other[at] for at in self.pinned):
            return None
        points = [own - other for own, other in both]
        pinned = [point for point in range(1, 25) if point in self.pins | self.pinned]
        facing = Position.seen(points, self.own[BAR], self.other[0])
        facing = facing.with_hidden(pinned, self.hand, self.other_hand)
        return facing if self.side is Side.LIGHT else facing.mirrored(self.rules.direction)


@dataclass(frozen=True, slots=True)
class WrongPlay:
    """The board after an illegal play.

    Attributes:
        half: how it lies then.
        places: where the wrong was done, in the mover's numbering (25: bar, 0: off).
        labels: the codes that each would be a right name for it; empty for those of its kind.
    """

    half: Half
    places: tuple[int, ...]
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attempt:
    """The board before a roll that is to be played wrongly.

    Attributes:
        half: the board before, as the mover sees it.
        roll: the roll.
        rules: how checkers may be moved.
        legal: the board after each complete legal play.
        used: the numbers that each of those plays uses.
    """

    half: Half
    roll: Roll
    rules: MovementRules
    legal: tuple[Half, ...]
    used: tuple[int, ...]

    @classmethod
    def begin(cls, before: Position, side: Side, roll: Roll, rules: MovementRules) -> "Attempt":
        """The attempt that begins here."""
        ends, _ = results(before, side, roll, rules)
        _, used = _results(before, side, roll.numbers, rules)
        legal = tuple(Half.from_position(Position(code), side, rules) for code in sorted(ends))
        return cls(Half.from_position(before, side, rules), roll, rules, legal, used)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play, the larger first; four for a double."""
        return self.roll.numbers

    def played(self, numbers: tuple[int, ...], start: Half | None = None) -> list[Half]:
        """The boards after legal steps with exactly these numbers; none where one of them cannot be played."""
        half = self.half if start is None else start
        position = half.position()
        if position is None:
            return []
        if not numbers:
            return [half]
        found, used = _results(position, half.side, numbers, self.rules)
        if len(used) < len(numbers):
            return []
        return [Half.from_position(Position(code), half.side, self.rules) for code in sorted(found)]

    def but_one(self) -> Iterator[tuple[int, Half]]:
        """Each number that can be left over, with the boards after all others were played legally."""
        for number in dict.fromkeys(self.numbers):
            rest = list(self.numbers)
            rest.remove(number)
            for half in self.played(tuple(rest)):
                yield number, half

    def is_open(self, half: Half, place: int) -> bool:
        """Whether a point is one on which the mover may land."""
        if not 1 <= place <= 24 or place in half.pins:
            return False
        return half.other[place] < self.rules.landing_blocked_at

    def all_home(self, half: Half) -> bool:
        """Whether no checker of the mover is outside its home board."""
        outside = any(half.own[HOME + 1 : BAR + 1]) or half.hand > 0
        return not outside and max(half.pins, default=0) <= HOME


def move_checker(half: Half, source: int, target: int) -> Half:
    """The board after one checker of the mover went from place to place; a blot that it lands on is hit or pinned.

    What it had pinned is free once the last one has left it.
    """
    after = half.copy()
    after.own[source] -= 1
    after.own[target] += 1
    if source in after.pinned and not after.own[source]:
        after.pinned.remove(source)
        after.other[source] += 1
    if target not in (OFF, BAR) and after.other[target] == 1:
        after.other[target] -= 1
        if half.rules.contact is Contact.PIN:
            after.pinned.add(target)
        else:
            after.other[0] += 1
    return after


def count_displaced(before: Half, after: Half) -> int:
    """How many checkers of the mover lie elsewhere afterwards, counted by the places that hold fewer."""
    return sum(max(0, old - new) for old, new in zip(before.own[1:], after.own[1:], strict=True))


def _results(
    position: Position, side: Side, numbers: tuple[int, ...], rules: MovementRules
) -> tuple[Iterable[int], tuple[int, ...]]:
    """The codes of the boards after numbers, each of which has to be played if it can be, and those numbers."""
    strict, dark = replace(rules, max_dice=MaxDice.STRICT), side is Side.DARK
    open_board = position.open_board() == position
    if open_board and rules.generator in (Generator.STANDARD, Generator.HOUSE):
        return results_of_numbers(position.code, dark, numbers, strict)
    return results_in_family(position.code, dark, numbers, strict)


def list_made_up(roll: Roll) -> set[int]:
    """The distances that can be made up of the two numbers."""
    high, low = roll.dice
    return {i * high + j * low for i in range(5) for j in range(5)}


def leave_bar(attempt: Attempt) -> Iterator[WrongPlay]:
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
            yield WrongPlay(after, (BAR,))


def jump_block(attempt: Attempt) -> Iterator[WrongPlay]:
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
                yield WrongPlay(move_checker(half, source, target), rests)


def stack(attempt: Attempt) -> Iterator[WrongPlay]:
    """More checkers are put on a point than the rules let it hold."""
    most = attempt.rules.max_stack
    if most is None:
        return
    free = replace(attempt, rules=replace(attempt.rules, max_stack=None))
    for end in free.played(attempt.numbers):
        high = tuple(at for at in range(1, 25) if end.own[at] > max(most, attempt.half.own[at]))
        if high:
            yield WrongPlay(end, high)


def move_wrong_distance(attempt: Attempt) -> Iterator[WrongPlay]:
    """One number is played rightly; in place of the other a checker goes a distance that no numbers make up."""
    made_up = list_made_up(attempt.roll)
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
                    yield WrongPlay(move_checker(half, source, source - distance), places, labels)


def play_other_roll(attempt: Attempt) -> Iterator[WrongPlay]:
    """Two checkers are moved by two numbers of which neither was rolled."""
    others = [number for number in range(1, 7) if number not in attempt.numbers]
    made_up = list_made_up(attempt.roll)
    for first in others:
        for second in others:
            if second >= first or first + second in made_up:
                continue
            for end in attempt.played(Roll.from_dice(first, second).numbers):
                far = _distances(attempt.half, end)
                apart = count_displaced(attempt.half, end) == 2 and not far & made_up
                if apart and end.own[OFF] == attempt.half.own[OFF]:
                    yield WrongPlay(end, list_changes(attempt.half, end))


def leave_numbers(attempt: Attempt) -> Iterator[WrongPlay]:
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
            yield WrongPlay(end, list_changes(attempt.half, end), frozenset({label}))


def move_backwards(attempt: Attempt) -> Iterator[WrongPlay]:
    """One number is played rightly, the other backwards: afterwards more checkers are further from home."""
    for number, half in attempt.but_one():
        if half.own[BAR]:
            continue
        for source in range(1, 25 - number):
            target = source + number
            if half.own[source] and not half.other[target]:
                after = move_checker(half, source, target)
                if sum(after.own[target:]) > sum(attempt.half.own[target:]):
                    yield WrongPlay(after, (source, target))


def move_one_more(attempt: Attempt) -> Iterator[WrongPlay]:
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
                    yield WrongPlay(after, (source, target))


def move_opponent(attempt: Attempt) -> Iterator[WrongPlay]:
    """After a legal play a checker of the opponent is pushed on to the point beside it."""
    for end in attempt.legal:
        for place in range(1, 25):
            for target in (place - 1, place + 1):
                if end.other[place] and 1 <= target <= 24 and not end.own[target]:
                    yield WrongPlay(_move_other(end, place, target), (place, target))


def hide_hit(attempt: Attempt) -> Iterator[WrongPlay]:
    """A hit checker is not laid on the bar, but beside the point on which it was hit."""
    for end in attempt.legal:
        if end.other[0] <= attempt.half.other[0]:
            continue
        for place in range(1, 25):
            if not (attempt.half.other[place] == 1 and end.own[place] and not end.other[place]):
                continue
            for target in (place - 1, place + 1):
                if 1 <= target <= 24 and not end.own[target]:
                    yield WrongPlay(_move_other(end, 0, target), (place, target))


def take_checker(attempt: Attempt) -> Iterator[WrongPlay]:
    """After a legal play a checker of the opponent is taken from the board."""
    for end in attempt.legal:
        for place in range(1, 25):
            if end.other[place]:
                yield WrongPlay(_move_other(end, place, BAR), (place,))


def return_checker(attempt: Attempt) -> Iterator[WrongPlay]:
    """After a legal play a checker that the opponent has borne off is put back on the board."""
    for end in attempt.legal:
        for place in range(19, 25):
            if end.other[BAR] and end.other[place]:
                yield WrongPlay(_move_other(end, BAR, place), (place,))


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
    doubles = (Roll.from_dice(number, number) for number in range(1, 7))
    return any(is_result(before, side, double, position, attempt.rules) for double in doubles)


def _move_other(half: Half, source: int, target: int) -> Half:
    """The board after one checker of the opponent went from place to place (0: its bar, 25: off)."""
    after = half.copy()
    after.other[source] -= 1
    after.other[target] += 1
    if source in after.pins and not after.other[source]:
        after.pins.remove(source)
        after.own[source] += 1
    return after


def list_changes(before: Half, after: Half) -> tuple[int, ...]:
    """The points that hold another number of the mover's checkers afterwards."""
    return tuple(at for at in range(1, 25) if before.own[at] != after.own[at])


def bear_off_early(attempt: Attempt) -> Iterator[WrongPlay]:
    """A checker is borne off with its number while another is outside the home board before and after."""
    for number, half in attempt.but_one():
        if half.own[number] and not half.own[BAR] and not attempt.all_home(half):
            yield WrongPlay(move_checker(half, number, OFF), (number,))


def bear_off_low(attempt: Attempt) -> Iterator[WrongPlay]:
    """All are home: one is borne off with a number above its point, and one behind it stays there."""
    exact_only = attempt.rules.bearoff_oversize is BearoffOversize.BARRED
    larger = {ReasonCode.BEAR_OFF_NUMBER_TOO_LARGE} if exact_only else set()
    labels = frozenset[str]({ReasonCode.BEAR_OFF_HIGHER_EXISTS, *larger})
    for number, half in attempt.but_one():
        if not attempt.all_home(half):
            continue
        for source in range(1, number):
            behind = any(half.own[source + 1 : BAR])
            if half.own[source] and behind and source not in attempt.numbers:
                yield WrongPlay(move_checker(half, source, OFF), (source,), labels)


def bear_off_high(attempt: Attempt) -> Iterator[WrongPlay]:
    """All are home: one is borne off from a point above the number."""
    for number, half in attempt.but_one():
        if not attempt.all_home(attempt.half):
            continue
        # This many the mover has off if each of the other numbers bears one off.
        most_off = attempt.half.own[OFF] + len(attempt.numbers) - 1
        for source in range(number + 1, 7):
            if not half.own[source] or source in attempt.numbers:
                continue
            # With all numbers one checker may have gone that far; then one of the others moved too much.
            far = sum(attempt.numbers) >= source and half.own[OFF] < most_off
            more = {ReasonCode.EXTRA_CHECKER_OFF, ReasonCode.EXTRA_CHECKER_MOVED} if far else set()
            labels = frozenset[str]({ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL, *more})
            yield WrongPlay(move_checker(half, source, OFF), (source,), labels)


def bear_off_one_more(attempt: Attempt) -> Iterator[WrongPlay]:
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
                yield WrongPlay(after, (source,), _labels_of_one_more(attempt, end, after))


def _labels_of_one_more(attempt: Attempt, end: Half, after: Half) -> frozenset[str]:
    """What one more checker off may rightly be called, after the legal play that led to ``end``."""
    labels = {ReasonCode.EXTRA_CHECKER_OFF}
    if end.own[OFF] - attempt.half.own[OFF] < len(attempt.numbers):
        labels.add(ReasonCode.EXTRA_CHECKER_MOVED)
    if count_displaced(attempt.half, after) <= len(attempt.numbers):
        # No more checkers moved than there are numbers: one that was moved inside may have gone off at once.
        labels.add(ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL)
    return frozenset(labels)
