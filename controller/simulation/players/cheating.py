"""Illegal plays on purpose, each labelled by what is done; no judge is asked what it makes of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from controller.rules import MovementRules, Position, ReasonCode, Roll, Side, is_result
from controller.rules.moves.movement import (
    STANDARD,
    BearoffOversize,
    Contact,
    FirstChecker,
    PrimeLimit,
    Variant,
)
from controller.rules.position import side_point
from controller.simulation.players import waived_rules as waived
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
    EMPTIES_HEAD = "empties_head"
    LEAVES_FIRST_CHECKER = "leaves_first_checker"
    HOLDS_TOO_MANY = "holds_too_many"
    HITS_AND_RUNS = "hits_and_runs"
    HITS_SINGLE = "hits_single"
    MOVES_PINNED = "moves_pinned"
    ENTERS_ELSEWHERE = "enters_elsewhere"
    BEARS_OFF_LARGER = "bears_off_larger"
    BEARS_OFF_PINNED = "bears_off_pinned"


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
    Wrong.TAKES_CHECKER: (ways.take_checker, {ReasonCode.CHECKER_MISSING, ReasonCode.OPPONENT_MOVED}),
    Wrong.RETURNS_CHECKER: (ways.return_checker, {ReasonCode.CHECKER_EXTRA, ReasonCode.OPPONENT_MOVED}),
    Wrong.STACKS: (ways.stack, {ReasonCode.STACK_LIMIT}),
    Wrong.BEARS_OFF_EARLY: (ways.bear_off_early, {ReasonCode.BEAR_OFF_EARLY}),
    Wrong.BEARS_OFF_LOW: (ways.bear_off_low, {ReasonCode.BEAR_OFF_HIGHER_EXISTS}),
    Wrong.BEARS_OFF_HIGH: (ways.bear_off_high, {ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL}),
    Wrong.BEARS_OFF_ONE_MORE: (ways.bear_off_one_more, {ReasonCode.EXTRA_CHECKER_OFF}),
    Wrong.EMPTIES_HEAD: (waived.empty_head, {ReasonCode.HEAD_LIMIT}),
    Wrong.LEAVES_FIRST_CHECKER: (waived.leave_first_checker, {ReasonCode.FIRST_CHECKER_FIRST}),
    Wrong.HOLDS_TOO_MANY: (waived.hold_too_many, {ReasonCode.PRIME_LIMIT}),
    Wrong.HITS_AND_RUNS: (waived.hit_and_run, {ReasonCode.HIT_AND_RUN}),
    Wrong.HITS_SINGLE: (waived.hit_single, {ReasonCode.BLOCKED_POINT}),
    Wrong.MOVES_PINNED: (waived.move_pinned, {ReasonCode.PINNED_MOVED}),
    Wrong.ENTERS_ELSEWHERE: (
        waived.enter_elsewhere,
        {ReasonCode.WRONG_DISTANCE, ReasonCode.DICE_MISMATCH},
    ),
    Wrong.BEARS_OFF_LARGER: (waived.bear_off_larger, {ReasonCode.BEAR_OFF_NUMBER_TOO_LARGE}),
    Wrong.BEARS_OFF_PINNED: (waived.bear_off_pinned, {ReasonCode.BEAR_OFF_PINNED}),
}
"""How each is made, and what it is called where the making does not say so itself.

That is what people do at real tables; the reasons without a way need rules that few profiles have."""
FAMILY: Final = (
    Wrong.EMPTIES_HEAD,
    Wrong.LEAVES_FIRST_CHECKER,
    Wrong.HOLDS_TOO_MANY,
    Wrong.HITS_AND_RUNS,
    Wrong.HITS_SINGLE,
    Wrong.MOVES_PINNED,
    Wrong.ENTERS_ELSEWHERE,
    Wrong.BEARS_OFF_LARGER,
    Wrong.BEARS_OFF_PINNED,
)
"""What only some games of the family forbid."""
WRONGS: Final = tuple(wrong for wrong in Wrong if wrong not in FAMILY)
OWN_FIRST: Final = 0.5
"""The share of illegal plays that are to break a rule of the game's own."""
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
    for made in make(Attempt.begin(before, side, roll, rules)):
        after = made.half.position()
        if after is None or after == before or after in found:
            continue
        points = {side_point(place, side, rules.direction) for place in made.places if 1 <= place <= 24}
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
    """Some illegal play, of any of these kinds, that the roll offers; None if there is none.

    In a game with rules of its own every other one breaks one of those, where the roll offers that.
    """
    own = wrongs_of(rules)
    first = own if own and rng.random() < OWN_FIRST else ()
    for kinds in (first, (*wrongs, *own)):
        for k in rng.permutation(len(kinds)):
            found = cheat(kinds[int(k)], before, side, roll, rng, rules)
            if found is not None:
                return found
    return None


def wrongs_of(rules: MovementRules) -> tuple[Wrong, ...]:
    """What only a game with these rules forbids; nothing in the standard game and under its house rules."""
    forbids = {
        Wrong.EMPTIES_HEAD: rules.head_limit is not None,
        Wrong.LEAVES_FIRST_CHECKER: rules.first_checker is not FirstChecker.FREE,
        Wrong.HOLDS_TOO_MANY: rules.prime_limit is not PrimeLimit.NONE,
        Wrong.HITS_AND_RUNS: not rules.hit_and_run,
        Wrong.HITS_SINGLE: rules.landing_blocked_at == 1,
        Wrong.MOVES_PINNED: rules.contact is Contact.PIN,
        Wrong.ENTERS_ELSEWHERE: rules.variant is Variant.ACEY_DEUCEY,
        Wrong.BEARS_OFF_LARGER: rules.bearoff_oversize is BearoffOversize.BARRED,
        Wrong.BEARS_OFF_PINNED: not rules.bearoff_while_pinned,
    }
    return tuple(wrong for wrong in FAMILY if forbids[wrong])
