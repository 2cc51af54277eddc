"""A player who does not know one rule is told that rule: more than twenty thousand illegal results."""

import random
from collections import Counter

from controller.rules import generator
from controller.rules.judge import judge
from controller.rules.position import Position, Side
from controller.rules.reasons import ReasonCode
from tests.rules import boards, relaxed
from tests.rules.test_generator import constructed_turn, played_turns

CASES = 20_000
MOST_PER_TURN = 8


def test_every_result_of_a_waived_rule_is_illegal_for_that_rule() -> None:
    chance = random.Random(20_261_121)
    games = played_turns(chance.randrange(2**32))
    cases: Counter[ReasonCode] = Counter()
    while cases.total() < CASES:
        position, side, roll = next(games) if chance.random() < 0.7 else constructed_turn(chance)
        legal = generator.results(position.code, side is Side.DARK, roll.high, roll.low)[0]
        for waived in (*relaxed.STEP_RULES, *relaxed.DICE_RULES):
            found = relaxed.results(boards.board(position, side), roll.high, roll.low, waived)
            wrong = sorted(
                code for code in (boards.position(each, side).code for each in found) if code not in legal
            )
            for code in chance.sample(wrong, min(MOST_PER_TURN, len(wrong))):
                verdict = judge(position, side, roll, Position(code))
                named = set(verdict.codes)
                if code == position.code and ReasonCode.NOTHING_MOVED in named:
                    named.add(ReasonCode.UNUSED_DIE)
                assert not verdict.legal
                assert waived in named, (position.compact(), side, roll, Position(code).compact(), waived)
                cases[waived] += 1
    assert min(cases[waived] for waived in (*relaxed.STEP_RULES, *relaxed.DICE_RULES)) > 50
