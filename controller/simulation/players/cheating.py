"""Illegal plays on purpose, each labelled by what is done; no judge is asked what it makes of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from controller.rules import MovementRules, Position, ReasonCode, Roll, Side, is_result
from controller.rules.moves.movement import STANDARD
from controller.simulation.players import wrong_plays as ways
from controller.simulation.players.wrong_plays import Attempt, WrongPlay


class Wrong(StrEnum):
    """What can be done wrong in a play."""

    LEAVES_BAR = "leaves_bar"
    JUMPS_BLOCK = "jumps_block"
    MOVES_WRONG_DISTANCE = "moves_wrong_distance"
    PLAYS_OTHER_ROLL = "plays_other_roll"
    LEAVES_NUMBERS = "leaves_numbers"
    MOVES_BACKWARDS = "moves_backwards"
    MOVES_ONE_MORE = "moves_one_more"
    MOVES_OPPONENT = "moves_opponent"
    HIDES_HIT = "hides_hit"
    TAKES_CHECKER = "takes_checker"
    RETURNS_CHECKER = "returns_checker"
    STACKS = "stacks"
    BEARS_OFF_EARLY = "bears_off_early"
    BEARS_OFF_LOW = "bears_off_low"
    BEARS_OFF_HIGH = "bears_off_high"
    BEARS_OFF_ONE_MORE = "bears_off_one_more"


@dataclass(frozen=True, slots=True)
class Cheat:
    """An illegal play.

    Attributes:
        wrong: what is done.
        labels: the reason codes that each would be a right name for it.
        after: the board afterwards.
        points: where it is done, 1..24 from light's side; bar and tray are left out.
    """

    wrong: Wrong
    labels: frozenset[str]
    after: Position
    points: tuple[int, ...]


WAYS: Final[Mapping[Wrong, tuple[Callable[[Attempt], Iterator[WrongPlay]], set[str]]]] = {
    Wrong.LEAVES_BAR: (ways.leave_bar, {ReasonCode.BAR_FIRST}),
    Wrong.JUMPS_BLOCK: (ways.jump_block, {ReasonCode.BLOCKED_POINT}),
    Wrong.MOVES_WRONG_DISTANCE: (ways.move_wrong_distance, {ReasonCode.WRONG_DISTANCE}),
    Wrong.PLAYS_OTHER_ROLL: (ways.play_other_roll, {ReasonCode.DICE_MISMATCH, ReasonCode.WRONG_DISTANCE}),
    Wrong.LEAVES_NUMBERS: (ways.leave_numbers, {ReasonCode.UNUSED_DIE, ReasonCode.LARGER_DIE}),
    Wrong.MOVES_BACKWARDS: (ways.move_backwards, {ReasonCode.BACKWARDS}),
    Wrong.MOVES_ONE_MORE: (ways.move_one_more, {ReasonCode.EXTRA_CHECKER_MOVED}),
    Wrong.MOVES_OPPONENT: (ways.move_opponent, {ReasonCode.OPPONENT_MOVED}),
    Wrong.HIDES_HIT: (ways.hide_hit, {ReasonCode.HIT_NOT_ON_BAR}),
    Wrong.TAKES_CHECKER: (ways.take_checker, {ReasonCode.CHECKER_MISSING}),
    Wrong.RETURNS_CHECKER: (ways.return_checker, {ReasonCode.CHECKER_EXTRA}),
    Wrong.STACKS: (ways.stack, {ReasonCode.STACK_LIMIT}),
    Wrong.BEARS_OFF_EARLY: (ways.bear_off_early, {ReasonCode.BEAR_OFF_EARLY}),
    Wrong.BEARS_OFF_LOW: (ways.bear_off_low, {ReasonCode.BEAR_OFF_HIGHER_EXISTS}),
    Wrong.BEARS_OFF_HIGH: (ways.bear_off_high, {ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL}),
    Wrong.BEARS_OFF_ONE_MORE: (ways.bear_off_one_more, {ReasonCode.EXTRA_CHECKER_OFF}),
}
"""How each is made, and what it is called where the making does not say so itself.

That is what people do at real tables; the reasons without a way need rules that few profiles have."""
WRONGS: Final = tuple(Wrong)
BEAR_OFFS: Final = (Wrong.BEARS_OFF_LOW, Wrong.BEARS_OFF_HIGH, Wrong.BEARS_OFF_ONE_MORE)
"""With these the mover, all of whose checkers are home, takes off some that must stay."""
OTHERS_MOVED: Final = frozenset({Wrong.MOVES_OPPONENT, Wrong.TAKES_CHECKER, Wrong.RETURNS_CHECKER})
"""After these only the opponent's checkers lie differently from a legal play: the board does not show who did it."""


def cheats(
    wrong: Wrong, before: Position, side: Side, roll: Roll, rules: MovementRules = STANDARD
) -> list[Cheat]:
    """Every way to do this wrong with a roll that does not end as a legal play would."""
    make, labels = WAYS[wrong]
    found: dict[Position, Cheat] = {}
    for made in make(Attempt.of(before, side, roll, rules)):
        after = made.half.position()
        if after is None or after == before or after in found:
            continue
        points = {place if side is Side.LIGHT else 25 - place for place in made.places if 1 <= place <= 24}
        found[after] = Cheat(wrong, made.labels or frozenset(labels), after, tuple(sorted(points)))
    return [one for one in found.values() if not is_result(before, side, roll, one.after, rules)]


def cheat(
    wrong: Wrong,
    before: Position,
    side: Side,
    roll: Roll,
    rng: np.random.Generator,
    rules: MovementRules = STANDARD,
) -> Cheat | None:
    """Some illegal play of this kind; None where the roll offers none."""
    found = cheats(wrong, before, side, roll, rules)
    return found[int(rng.integers(len(found)))] if found else None


def any_cheat(
    before: Position,
    side: Side,
    roll: Roll,
    rng: np.random.Generator,
    rules: MovementRules = STANDARD,
    wrongs: Sequence[Wrong] = WRONGS,
) -> Cheat | None:
    """Some illegal play, of any of these kinds, that the roll offers; None if there is none."""
    for k in rng.permutation(len(wrongs)):
        found = cheat(wrongs[int(k)], before, side, roll, rng, rules)
        if found is not None:
            return found
    return None
