"""Cheats: what is done follows from counting checkers before and after, and from nobody's judgement."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import controller.simulation
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.moves.plays import legal_plays, results
from controller.rules.position import Position, Roll, Side
from controller.rules.reasons import ReasonCode
from controller.simulation.boards.scenes import random_position
from controller.simulation.players.cheating import FAMILY, WRONGS, Cheat, Wrong, any_cheat, cheat, cheats
from tests.amounts import amount
from tests.rows import each_row

Situation = tuple[Position, Side, Roll]
HOME, BAR = 6, 25
FEWER = {Wrong.BEARS_OFF_HIGH: 2, Wrong.BEARS_OFF_LOW: 3}
"""Of these there are few; of the others at least five."""


@cache
def situations(seed: int = 2, count: int = 220) -> list[Situation]:
    rng = np.random.default_rng(seed)
    return [
        (
            random_position(rng),
            Side.LIGHT if rng.random() < 0.5 else Side.DARK,
            Roll.from_dice(int(rng.integers(1, 7)), int(rng.integers(1, 7))),
        )
        for _ in range(count)
    ]


def own(position: Position, side: Side) -> list[int]:
    """The checkers of a side as it sees them: 0 off, 1..24, 25 the bar."""
    points = [position.checkers(side, at if side is Side.LIGHT else 25 - at) for at in range(1, 25)]
    return [position.off(side), *points, position.bar(side)]


def pips(before: list[int], after: list[int]) -> int:
    return sum(at * (old - new) for at, (old, new) in enumerate(zip(before, after, strict=True)))


def left(before: list[int], after: list[int]) -> list[int]:
    """The places that hold fewer afterwards, each as often as checkers are gone."""
    return [at for at in range(1, 26) for _ in range(before[at] - after[at])]


def came(before: list[int], after: list[int]) -> list[int]:
    return [at for at in range(1, 26) for _ in range(after[at] - before[at])]


def seen_from(side: Side, points: tuple[int, ...]) -> list[int]:
    return [at if side is Side.LIGHT else 25 - at for at in points]


class Deed:
    """A cheat with everything that can be counted about it, in the mover's numbering."""

    def __init__(self, situation: Situation, done: Cheat) -> None:
        position, side, roll = situation
        self.roll, self.done = roll, done
        self.before, self.after = own(position, side), own(done.after, side)
        self.theirs, self.theirs_after = own(position, side.opponent), own(done.after, side.opponent)
        self.left, self.came = left(self.before, self.after), came(self.before, self.after)
        self.pips = pips(self.before, self.after)
        self.points = seen_from(side, done.points)
        ends, _ = results(position, side, roll)
        self.legal = [
            (own(Position(code), side), own(Position(code), side.opponent)) for code in sorted(ends)
        ]

    def holds(self, at: int) -> int:
        """How many checkers the opponent had on a point of the mover's numbering."""
        return self.theirs[25 - at]

    def rest_is_legal(self) -> bool:
        """Whether the mover's checkers lie as after a legal play."""
        return any(mine == self.after for mine, _ in self.legal)

    def sums(self) -> set[int]:
        numbers = self.roll.numbers
        return {
            sum(numbers[k] for k in range(len(numbers)) if mask >> k & 1) for mask in range(1 << len(numbers))
        }


COUNTS: dict[Wrong, Callable[[Deed], bool]] = {
    Wrong.LEAVES_BAR: lambda d: d.after[BAR] == d.before[BAR] > 0 and bool(d.left),
    Wrong.JUMPS_BLOCK: lambda d: (
        d.pips == sum(d.roll.numbers) and bool(d.points) and all(d.holds(at) >= 2 for at in d.points)
    ),
    Wrong.MOVES_WRONG_DISTANCE: lambda d: d.after[0] == d.before[0] and d.pips not in d.sums(),
    Wrong.PLAYS_OTHER_ROLL: lambda d: (
        len(d.left) == 2
        and d.pips not in d.sums()
        and not {one - other for one in d.left for other in d.came} & set(d.roll.dice)
    ),
    Wrong.LEAVES_NUMBERS: lambda d: (
        d.pips < sum(d.roll.numbers) and all(mine != d.after for mine, _ in d.legal)
    ),
    Wrong.MOVES_BACKWARDS: lambda d: any(sum(d.after[at:]) > sum(d.before[at:]) for at in range(1, 26)),
    Wrong.MOVES_ONE_MORE: lambda d: len(d.left) == len(d.roll.numbers) + 1,
    Wrong.MOVES_OPPONENT: lambda d: d.rest_is_legal() and sum(d.theirs_after[1:]) == sum(d.theirs[1:]),
    Wrong.HIDES_HIT: lambda d: any(
        mine == d.after and theirs[BAR] == d.theirs_after[BAR] + 1 for mine, theirs in d.legal
    ),
    Wrong.TAKES_CHECKER: lambda d: d.rest_is_legal() and d.theirs_after[0] == d.theirs[0] + 1,
    Wrong.RETURNS_CHECKER: lambda d: d.rest_is_legal() and d.theirs_after[0] == d.theirs[0] - 1,
    Wrong.STACKS: lambda d: any(d.after[at] > max(5, d.before[at]) for at in range(1, 25)),
    Wrong.BEARS_OFF_EARLY: lambda d: d.after[0] > d.before[0] and sum(d.after[HOME + 1 :]) > 0,
    Wrong.BEARS_OFF_LOW: lambda d: (
        d.after[0] > d.before[0]
        and sum(d.after[HOME + 1 :]) == 0
        and d.points[0] < d.roll.high
        and d.points[0] not in d.roll.dice
        and sum(d.after[d.points[0] + 1 :]) > 0
    ),
    Wrong.BEARS_OFF_HIGH: lambda d: (
        d.after[0] > d.before[0]
        and sum(d.before[HOME + 1 :]) == 0
        and d.points[0] > d.roll.low
        and d.points[0] not in d.roll.dice
    ),
    Wrong.BEARS_OFF_ONE_MORE: lambda d: any(
        mine[0] + 1 == d.after[0] and left(mine, d.after) == d.points and mine[0] > d.before[0]
        for mine, _ in d.legal
    ),
}


def rules_for(wrong: Wrong) -> MovementRules:
    return MovementRules(max_stack=5) if wrong is Wrong.STACKS else STANDARD


def test_every_wrong_is_counted_here() -> None:
    assert set(COUNTS) == set(WRONGS) == set(Wrong) - set(FAMILY)


@each_row("wrong", WRONGS)
def test_what_is_done_follows_from_counting_the_checkers(wrong: Wrong) -> None:
    rng, found = np.random.default_rng(1), 0
    for situation in situations():
        done = cheat(wrong, *situation, rng, rules_for(wrong))
        if done is None:
            continue
        found += 1
        assert done.wrong is wrong
        assert done.labels
        assert COUNTS[wrong](Deed(situation, done)), (situation, done)
        if found == amount(10, 25):
            break
    assert found >= FEWER.get(wrong, 5)


@each_row("wrong", WRONGS)
def test_no_cheat_ends_as_a_legal_play_does(wrong: Wrong) -> None:
    for position, side, roll in situations()[: amount(20, 40)]:
        rules = rules_for(wrong)
        ends = {one.after for one in legal_plays(position, side, roll, rules)}
        assert not ends & {one.after for one in cheats(wrong, position, side, roll, rules)}


def test_a_checker_off_the_five_point_with_a_four_is_a_number_too_small() -> None:
    before = Position.from_compact("..BBBB................cc..")
    found = cheats(Wrong.BEARS_OFF_HIGH, before, Side.LIGHT, Roll.from_dice(4, 6))
    off = Position.from_compact("..BBAA................cc..")
    (one,) = [each for each in found if each.after == off]
    assert "bear_off_number_too_small" in one.labels
    assert one.points == (5,)


def test_three_checkers_off_with_two_numbers_are_one_too_many() -> None:
    before = Position.from_compact("EEE...................cc..")
    found = cheats(Wrong.BEARS_OFF_ONE_MORE, before, Side.LIGHT, Roll.from_dice(3, 2))
    three_off = [one for one in found if one.after.off(Side.LIGHT) == 3]
    assert three_off
    assert all(one.labels == {"extra_checker_off"} for one in three_off)


def test_a_number_left_and_the_wrong_number_of_two_have_their_own_labels() -> None:
    before = Position.from_compact("b....E.C...eE...c.e....B..")
    found = cheats(Wrong.LEAVES_NUMBERS, before, Side.LIGHT, Roll.from_dice(3, 1))
    assert {label for one in found for label in one.labels} == {ReasonCode.UNUSED_DIE}
    either = Position.from_compact("....b.......A.............")
    (smaller,) = cheats(Wrong.LEAVES_NUMBERS, either, Side.LIGHT, Roll.from_dice(5, 3))
    assert smaller.labels == {ReasonCode.LARGER_DIE}
    assert smaller.after == Position.from_compact("....b....A................")


def test_the_same_generator_cheats_the_same_way() -> None:
    for situation in situations()[: amount(10, 20)]:
        first, again = (any_cheat(*situation, np.random.default_rng(7)) for _ in range(2))
        assert first == again


def test_no_player_asks_the_judge() -> None:
    for path in Path(controller.simulation.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.module != "controller.rules.judging.judge", path
