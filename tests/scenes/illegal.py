"""Illegal plays, each made by doing it; what a judge makes of them is not asked.

Where the same board could as well come from something else that was done, it is left out, or the name of the other
deed counts as right, too.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from controller.rules.notation import BAR, OFF
from controller.rules.position import CHECKERS, Position, Roll, Side
from tests.scenes.board import HOME, POINTS, ROLLS, Facing, lawful


@dataclass(frozen=True, slots=True)
class Wrong:
    """The board after an illegal play, and the reasons of which each is a right name for it.

    ``pocketed`` checkers of the other side lie neither on the board nor in its tray.
    """

    after: Position
    codes: frozenset[str]
    pocketed: int = 0


@dataclass(frozen=True)
class Attempt:
    """A roll that is about to be played against the rules."""

    before: Position
    side: Side
    roll: Roll
    legal: tuple[Position, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find all that is legal."""
        object.__setattr__(self, "legal", tuple(lawful(self.before, self.side, self.roll)))

    @cached_property
    def board(self) -> Facing:
        """The board before."""
        return Facing.of(self.before, self.side)

    @cached_property
    def ends(self) -> list[Facing]:
        """The boards after complete legal plays; none where nothing can be played."""
        return [Facing.of(after, self.side) for after in self.legal if after != self.before]

    def played(self, numbers: tuple[int, ...], start: Facing | None = None) -> list[Facing]:
        """The boards after one legal step with each of the numbers, in this order."""
        boards = [self.board if start is None else start]
        for number in numbers:
            boards = [after for board in boards for after in board.stepped(number)]
        return boards

    def but_one(self) -> Iterator[tuple[int, Facing]]:
        """Each number, with the boards after all others were played."""
        if self.roll.is_double:
            yield from ((self.roll.high, board) for board in self.played((self.roll.high,) * 3))
        else:
            for number, other in (self.roll.dice, self.roll.dice[::-1]):
                yield from ((number, board) for board in self.played((other,)))

    @cached_property
    def by_doubles(self) -> set[Position]:
        """The boards to which a double would lead."""
        doubles = (roll for roll in ROLLS if roll.is_double)
        return {after for double in doubles for after in lawful(self.before, self.side, double)}

    def plays_all(self) -> bool:
        """Whether all numbers can be played."""
        lost = self.before.pips(self.side) - min(end.pips(self.side) for end in self.legal)
        return lost == sum(self.roll.numbers)


Boards = Iterator[tuple[Facing, set[str]]]
"""Boards after an illegal play, each with its right names."""
Way = Callable[[Attempt], Boards]


def play_other_roll(attempt: Attempt) -> Boards:
    """One die is taken for another number: a complete play of that roll."""
    if attempt.roll.is_double or attempt.board.all_home:
        return
    for other in ROLLS:
        if other.is_double or len(set(other.dice) & set(attempt.roll.dice)) != 1:
            continue
        for after in lawful(attempt.before, attempt.side, other):
            end = Facing.of(after, attempt.side)
            moved = attempt.before.pips(attempt.side) - after.pips(attempt.side)
            if moved == sum(other.dice) and end.own[OFF] == attempt.board.own[OFF]:
                yield end, {"dice_mismatch", "wrong_distance"}


def go_one_too_far(attempt: Attempt) -> Boards:
    """One of the checkers of a complete play goes a point further than its number."""
    if attempt.roll.is_double or not attempt.plays_all():
        return
    for number, board in attempt.but_one():
        for source in () if board.own[BAR] or board.all_home else _sources(board):
            target = source - number - 1
            if target >= 1 and board.is_open(source - number) and board.is_open(target):
                yield board.moved(source, target), {"wrong_distance", "dice_mismatch"}


def move_one_more(attempt: Attempt) -> Boards:
    """After a complete play another checker is moved by one of the numbers."""
    if attempt.roll.is_double or not attempt.plays_all():
        return
    for end in attempt.ends:
        if end.own[BAR] or end.own[OFF] != attempt.board.own[OFF] or _displaced(attempt.board, end) != 2:
            continue
        for number in attempt.roll.dice:
            for source in _sources(end):
                if not attempt.board.own[source] or not end.is_open(source - number):
                    continue
                after = end.moved(source, source - number)
                if _displaced(attempt.board, after) == 3 and after.position() not in attempt.by_doubles:
                    yield after, {"extra_checker_moved"}


def move_backwards(attempt: Attempt) -> Boards:
    """One number is played forwards, the other backwards with another checker."""
    if attempt.roll.is_double or attempt.board.own[BAR]:
        return
    for forth, back in (attempt.roll.dice, attempt.roll.dice[::-1]):
        for source in _sources(attempt.board):
            target = source - forth
            if not attempt.board.is_open(target):
                continue
            half = attempt.board.moved(source, target)
            for behind in _sources(half):
                beyond = behind + back
                apart = len({source, target, behind, beyond}) == 4
                # The checkers could have changed their places, both of them forwards.
                swapped = source > beyond and behind > target
                if apart and beyond <= 24 and half.is_open(beyond) and not swapped:
                    yield half.moved(behind, beyond), {"backwards"}


def land_on_two(attempt: Attempt) -> Boards:
    """A checker lands on a point that two of the others hold; both are laid on the bar."""
    if attempt.roll.is_double:
        return
    for number, board in attempt.but_one():
        for source in [BAR] if board.own[BAR] else _sources(board):
            target = source - number
            if 1 <= target <= 24 and board.other[target] == 2:
                yield board.moved(source, target), {"blocked_point"}


def leave_bar(attempt: Attempt) -> Boards:
    """The whole roll is played elsewhere while a checker waits on the bar."""
    waiting = attempt.board.own[BAR]
    if not waiting or attempt.roll.is_double:
        return
    without = attempt.board.copy()
    without.own[BAR] = 0
    without.own[OFF] += waiting
    for numbers in (attempt.roll.dice, attempt.roll.dice[::-1]):
        for end in attempt.played(numbers, without):
            if end.own[OFF] == without.own[OFF]:
                after = end.copy()
                after.own[BAR], after.own[OFF] = waiting, end.own[OFF] - waiting
                yield after, {"bar_first"}


def leave_number(attempt: Attempt) -> Boards:
    """One number is played where both can be, or only some of a double."""
    if not attempt.plays_all():
        return
    most = 3 if attempt.roll.is_double else 1
    for count in range(1, most + 1):
        for number in dict.fromkeys(attempt.roll.dice):
            yield from ((end, {"unused_die"}) for end in attempt.played((number,) * count))


def play_smaller(attempt: Attempt) -> Boards:
    """Either number can be played, but not both; the smaller one is."""
    high, low = attempt.roll.dice
    lost = {attempt.before.pips(attempt.side) - after.pips(attempt.side) for after in attempt.legal}
    if not attempt.roll.is_double and lost == {high}:
        yield from ((end, {"larger_die"}) for end in attempt.played((low,)))


def bear_off_from_above(attempt: Attempt) -> Boards:
    """A checker is borne off with a number that is smaller than its point."""
    if not attempt.board.all_home:
        return
    for number, board in attempt.but_one():
        # With all numbers one checker may have gone that far; then one of the others moved too much.
        most = attempt.board.own[OFF] + len(attempt.roll.numbers) - 1
        for source in range(number + 1, HOME + 1):
            if board.own[source] and source not in attempt.roll.dice:
                codes = {"bear_off_number_too_small"}
                if sum(attempt.roll.numbers) >= source and board.own[OFF] < most:
                    codes |= {"extra_checker_off", "extra_checker_moved"}
                yield board.moved(source, OFF), codes


def bear_off_one_more(attempt: Attempt) -> Boards:
    """After a play that bears off with each number one more is taken off."""
    for end in attempt.ends:
        if end.all_home and end.own[OFF] - attempt.board.own[OFF] == len(attempt.roll.numbers):
            for source in range(1, HOME + 1):
                if end.own[source] and end.own[OFF] < CHECKERS - 1:
                    yield end.moved(source, OFF), {"extra_checker_off"}


def bear_off_low(attempt: Attempt) -> Boards:
    """A checker is borne off with a number larger than its point, while another is further back and stays there."""
    for number, board in attempt.but_one():
        if not board.all_home:
            continue
        for source in range(1, number):
            if board.own[source] and any(board.own[source + 1 : BAR]) and source not in attempt.roll.dice:
                yield board.moved(source, OFF), {"bear_off_higher_exists"}


def bear_off_early(attempt: Attempt) -> Boards:
    """A checker is borne off with its number while another is outside the home board and stays there."""
    for number, board in attempt.but_one():
        if board.own[number] and not board.own[BAR] and not board.all_home:
            yield board.moved(number, OFF), {"bear_off_early"}


def bring_back_other(attempt: Attempt) -> Boards:
    """After a legal play a checker that the other side has borne off is laid back on its home board."""
    for end in attempt.ends:
        for place in range(19, BAR):
            if end.other[BAR] and not end.own[place]:
                yield end.other_moved(BAR, place), {"checker_extra", "opponent_moved"}


def take_other(attempt: Attempt) -> Boards:
    """After a legal play one of the other side's checkers is taken from the board and laid into its tray."""
    for end in attempt.ends:
        for place in POINTS:
            if end.other[place]:
                yield end.other_moved(place, BAR), {"checker_missing", "opponent_moved"}


def pocket_other(attempt: Attempt) -> Boards:
    """After a legal play one of the other side's checkers vanishes."""
    yield from take_other(attempt)


def take_own(attempt: Attempt) -> Boards:
    """After a legal play one of the player's own checkers that is not home yet is laid into the tray."""
    for end in attempt.ends:
        for place in range(HOME + 1, BAR):
            if end.own[place] and sum(end.own[HOME + 1 :]) > 1:
                yield end.moved(place, OFF), {"checker_missing", "bear_off_early", "extra_checker_off"}


def move_other(attempt: Attempt) -> Boards:
    """After a legal play one of the other side's checkers is pushed to a point beside it."""
    for end in attempt.ends:
        for place in POINTS:
            for target in (place - 1, place + 1):
                beside = 1 <= target <= 24 and (place - 1) // 6 == (target - 1) // 6
                if beside and end.other[place] and not end.own[target]:
                    yield end.other_moved(place, target), {"opponent_moved"}


def hide_hit(attempt: Attempt) -> Boards:
    """A blot is hit; it is laid on a point, and not on the bar."""
    for end in attempt.ends:
        if end.other[0] <= attempt.board.other[0]:
            continue
        hit = [at for at in POINTS if attempt.board.other[at] == 1 and end.own[at]]
        for place in hit:
            for target in range(max(1, place - 3), min(24, place + 3) + 1):
                if not end.own[target]:
                    yield end.other_moved(0, target), {"hit_not_on_bar", "opponent_moved"}


def enter_elsewhere(attempt: Attempt) -> Boards:
    """The checker on the bar enters by a number that was not rolled; the other number is played."""
    if attempt.board.own[BAR] != 1 or attempt.roll.is_double:
        return
    for wrong in set(range(1, 7)) - set(attempt.roll.dice):
        if not attempt.board.is_open(BAR - wrong):
            continue
        entered = attempt.board.moved(BAR, BAR - wrong)
        for number in attempt.roll.dice:
            for end in entered.stepped(number):
                # A single checker that went on from there may have entered rightly.
                if end.own[BAR - wrong] > attempt.board.own[BAR - wrong]:
                    yield end, {"wrong_distance", "dice_mismatch"}


def return_own(attempt: Attempt) -> Boards:
    """After a legal play that bears none off a checker that was borne off before is laid back on the home board."""
    for end in attempt.ends:
        if end.own[OFF] > attempt.board.own[OFF]:
            continue
        for place in range(1, HOME + 1):
            if end.own[OFF] and not end.other[place]:
                yield end.moved(OFF, place), {"checker_extra", "backwards"}


POCKETED: Final[Mapping[Way, int]] = {pocket_other: 1}
ORDINARY: Final[tuple[Way, ...]] = (
    play_other_roll,
    go_one_too_far,
    move_one_more,
    move_backwards,
    leave_bar,
    leave_number,
    bear_off_early,
)
"""What people do wrong most often in the middle of a game."""


def wrongs(way: Way, attempt: Attempt) -> list[Wrong]:
    """Every way to do this wrong that no legal play looks like."""
    found: dict[Position, Wrong] = {}
    barred = {attempt.before, *attempt.legal}
    for board, codes in way(attempt):
        after = board.position()
        if after is not None and after not in barred and after not in found:
            found[after] = Wrong(after, frozenset(codes), POCKETED.get(way, 0))
    return list(found.values())


def _sources(board: Facing) -> list[int]:
    return [at for at in range(24, 0, -1) if board.own[at]]


def _displaced(before: Facing, after: Facing) -> int:
    """How many own checkers lie elsewhere, counted by the places that hold fewer."""
    return sum(max(0, old - new) for old, new in zip(before.own[1:], after.own[1:], strict=True))
