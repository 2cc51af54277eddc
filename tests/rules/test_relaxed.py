"""A player who does not know one rule is told that rule: thousands of illegal results."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from controller.rules.judging.judge import judge
from controller.rules.moves import generator, plays
from controller.rules.moves.movement import BearoffOrder, MovementRules
from controller.rules.position import Position, Side
from controller.rules.reasons import ReasonCode
from tests.amounts import amount
from tests.rules import boards, relaxed
from tests.rules.turns import Turn, constructed_turn, counted_cases, played_turns, turn_of

LEAST, MOST = amount(25, 150), amount(200, 10_000)
"""So many results for each rule: fewest for those that seldom forbid anything."""
MOST_PER_TURN = 24
WAIVED = (*relaxed.STEP_RULES, *relaxed.DICE_RULES)


def mixed_turns(chance: random.Random) -> Iterator[Turn]:
    """Turns of all kinds, with those where only one of two numbers can be played often enough."""
    games = played_turns(chance.randrange(2**32))
    one_of_two = [turn_of(case) for case in counted_cases() if "either_not_both" in case["tags"]]
    while True:
        yield next(games)
        yield constructed_turn(chance)
        yield chance.choice(one_of_two)
        yield chance.choice(one_of_two)


def test_every_result_of_a_waived_rule_is_illegal_for_that_rule() -> None:
    chance = random.Random(20_261_121)
    cases: Counter[ReasonCode] = Counter()
    turns = mixed_turns(chance)
    while min(cases[waived] for waived in WAIVED) < LEAST:
        position, side, roll = next(turns)
        if roll.is_double and chance.random() < 0.8:
            continue
        legal = generator.results(position.code, side is Side.DARK, roll.high, roll.low)[0]
        for waived in [rule for rule in WAIVED if cases[rule] < MOST]:
            found = relaxed.results(boards.board(position, side), roll.high, roll.low, waived)
            wrong = sorted({boards.position(each, side).code for each in found} - legal)
            for code in chance.sample(wrong, min(MOST_PER_TURN, len(wrong))):
                verdict = judge(position, side, roll, Position(code))
                named = set(verdict.codes)
                if code == position.code and ReasonCode.NOTHING_MOVED in named:
                    named.add(ReasonCode.UNUSED_DIE)
                assert not verdict.legal
                assert waived in named, (position.compact(), side, roll, Position(code).compact(), waived)
                cases[waived] += 1


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (MovementRules(max_stack=5), ReasonCode.STACK_LIMIT),
        (MovementRules(max_stack=3), ReasonCode.STACK_LIMIT),
        (MovementRules(bearoff_order=BearoffOrder.REARMOST_ONLY), ReasonCode.BEAR_OFF_REARMOST_ONLY),
        (MovementRules(bearoff_exact_optional=False), ReasonCode.BEAR_OFF_EXACT_REQUIRED),
        (MovementRules(landing_blocked_at=1), ReasonCode.BLOCKED_POINT),
    ],
    ids=["five on a point", "three on a point", "rearmost only", "exact number", "no hitting"],
)
def test_who_plays_by_the_standard_breaks_the_rule_of_the_house(
    rules: MovementRules, code: ReasonCode
) -> None:
    chance = random.Random(20_261_121)
    turns = mixed_turns(chance)
    cases = 0
    while cases < amount(60, 200):
        turn = next(turns)
        standard, _ = plays.results(*turn)
        house, _ = plays.results(*turn, rules)
        for wrong in sorted(standard - house)[:MOST_PER_TURN]:
            assert code in judge(*turn, Position(wrong), rules).codes, (turn, Position(wrong).compact())
            cases += 1
