"""The judge of the games of the family: whoever does not know one rule is told that rule."""

import random
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from controller.messages.catalogue import LANGUAGES
from controller.messages.game_words import reason_words
from controller.rules.judging.judge import judge
from controller.rules.moves.movement import Contact, MovementRules
from controller.rules.moves.plays import results
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.reasons import ReasonCode
from tests.amounts import amount
from tests.rows import each_row
from tests.rules import family_reference
from tests.rules.family_turns import crowded_turns, turns_of

LIGHT, DARK = Side.LIGHT, Side.DARK
MOST_PER_TURN = 3
ENOUGH = amount(5, 12)

# Games, what is waived in the plain rules, and which reasons may then be given.
WAIVED: list[tuple[str, dict[str, Any], tuple[ReasonCode, ...]]] = [
    ("tavla", {"stay_after_hit": False}, (ReasonCode.HIT_AND_RUN,)),
    ("fevga", {"first": ""}, (ReasonCode.FIRST_CHECKER_FIRST,)),
    ("fevga", {"landing": "hit"}, (ReasonCode.BLOCKED_POINT,)),
    ("fevga", {"primes": ""}, (ReasonCode.TABLE_LIMIT, ReasonCode.PRIME_KEPT)),
    ("moultezim", {"primes": ""}, (ReasonCode.TABLE_LIMIT,)),
    ("narde", {"one_from_head": False}, (ReasonCode.HEAD_LIMIT,)),
    ("narde", {"primes": ""}, (ReasonCode.PRIME_LIMIT,)),
    ("gul-bara", {"landing": "hit"}, (ReasonCode.BLOCKED_POINT,)),
    ("jacquet", {"first": ""}, (ReasonCode.FIRST_CHECKER_FIRST,)),
    ("jacquet", {"primes": ""}, (ReasonCode.PRIME_LIMIT,)),
    ("jacquet-hit", {"primes": ""}, (ReasonCode.TABLE_LIMIT,)),
    ("jacquet-hit", {"exact_off": False}, (ReasonCode.BEAR_OFF_NUMBER_TOO_LARGE,)),
]


@each_row(("name", "waived", "codes"), WAIVED, ids=lambda value: str(value)[:30])
def test_who_does_not_know_a_rule_is_told_that_rule(
    name: str, waived: dict[str, Any], codes: tuple[ReasonCode, ...]
) -> None:
    chance = random.Random(20_261_122)
    rules = load_profile(name).movement
    loose = replace(family_reference.GAMES[name], **waived)
    cases = 0
    turns = crowded_turns(chance) if "primes" in waived else turns_of(name, chance)
    for position, side, roll in islice(turns, 600):
        legal, _ = results(position, side, roll, rules)
        stacks, letter = family_reference.stacks(position), family_reference.LETTER[side]
        found = family_reference.results(loose, stacks, letter, roll.high, roll.low)
        wrong = sorted({family_reference.position(each).code for each in found} - legal)
        for code in chance.sample(wrong, min(MOST_PER_TURN, len(wrong))):
            verdict = judge(position, side, roll, Position(code), rules)
            assert not verdict.legal
            assert verdict.codes & set(codes), (position, side, roll, Position(code))
            cases += 1
        if cases >= ENOUGH:
            break
    assert cases >= ENOUGH


@each_row("name", family_reference.GAMES)
def test_an_honest_play_is_legal_though_pins_and_hands_are_not_seen(name: str) -> None:
    rules = load_profile(name).movement
    for position, side, roll in islice(turns_of(name, random.Random(9)), amount(15, 40)):
        for code in sorted(results(position, side, roll, rules)[0])[:6]:
            verdict = judge(position, side, roll, Position(code).open_board(), rules)
            assert verdict.legal
            assert verdict.play is not None


@pytest.mark.parametrize("name", ["plakoto", "fevga", "acey-deucey", "jacquet-hit"])
def test_a_checker_of_the_opponent_that_was_moved_or_taken_is_named(name: str) -> None:
    rules = load_profile(name).movement
    chance = random.Random(4)
    named: Counter[ReasonCode] = Counter()
    for position, side, roll in islice(turns_of(name, chance), 60):
        after = Position(chance.choice(sorted(results(position, side, roll, rules)[0]))).open_board()
        sign = -1 if side is LIGHT else 1
        theirs = [point for point in range(1, 25) if after.checkers(side.opponent, point)]
        empty = [point for point in range(1, 25) if not after.points[point - 1]]
        if not theirs or not empty or position.pinned:
            continue
        source = chance.choice(theirs)
        for target, code in (
            (chance.choice(empty), ReasonCode.OPPONENT_MOVED),
            (None, ReasonCode.CHECKER_MISSING),
        ):
            points = list(after.points)
            points[source - 1] -= sign
            if target is not None:
                points[target - 1] += sign
            tampered = Position.from_counts(points, after.bar(LIGHT), after.bar(DARK))
            verdict = judge(position, side, roll, tampered, rules)
            if verdict.legal:
                continue
            named[code] += code in verdict.codes
            assert all(reason_words(reason, language) for reason in verdict.reasons for language in LANGUAGES)
    assert min(named.values()) >= 5


def test_who_enters_from_the_hand_while_a_checker_waits_on_the_bar_is_told_of_the_bar() -> None:
    acey = load_profile("acey-deucey").movement
    before = Position.from_compact("....a.aaa...A.AaA.A...AB.a/hand=8,9")
    after = Position.from_compact("..a.b.aaa...A.AaA.A...AB.a/hand=8,7")
    for seen in (after, after.open_board()):
        (reason,) = judge(before, DARK, Roll.from_dice(5, 3), seen, acey).reasons
        assert (reason.code, reason.arguments["waiting"]) == (ReasonCode.BAR_FIRST, 1)
        assert reason_words(reason) == (
            "A new checker was brought in with a checker still on the bar: the bar must be entered first."
        )


def test_a_pinned_checker_that_was_pulled_out_is_named() -> None:
    plakoto = load_profile("plakoto").movement
    points = [0] * 24
    points[9], points[23], points[4] = -1, 13, -14
    before = Position.from_counts(points).with_hidden(pinned=[10])
    points[9], points[7], points[23], points[21] = -1, 1, 12, 1
    verdict = judge(before, LIGHT, Roll.from_dice(2, 2), Position.from_counts(points), plakoto)
    assert ReasonCode.PINNED_MOVED in verdict.codes
    points[23], points[21] = 13, 0
    points[7], points[6] = 0, 1
    verdict = judge(before, LIGHT, Roll.from_dice(2, 1), Position.from_counts(points), plakoto)
    assert verdict.codes == {ReasonCode.PINNED_MOVED}


def test_who_lands_where_one_checker_lies_on_his_own_is_blocked() -> None:
    plakoto = load_profile("plakoto").movement
    points = [0] * 24
    points[9], points[23], points[4] = -1, 14, -14
    before = Position.from_counts(points).with_hidden(pinned=[10])
    points[23] = 13
    points[9] = 1
    verdict = judge(before, LIGHT, Roll.from_dice(6, 6), Position.from_counts(points), plakoto)
    assert not verdict.legal
    points = [0] * 24
    points[9], points[11], points[23], points[4] = -1, 1, 13, -14
    before = Position.from_counts(points).with_hidden(pinned=[10])
    points[9], points[11] = 1, 0
    points[23], points[22] = 12, 1
    verdict = judge(before, LIGHT, Roll.from_dice(2, 1), Position.from_counts(points), plakoto)
    assert ReasonCode.BLOCKED_POINT in verdict.codes


def test_where_the_rules_say_so_nobody_bears_off_while_pinned() -> None:
    strict = MovementRules(contact=Contact.PIN, bearoff_while_pinned=False)
    before = Position.from_counts([0, -1, 0, 0, 1, 1] + [0] * 18).with_hidden(pinned=[2])
    after = Position.from_counts([0, -1] + [0] * 22).with_hidden(pinned=[2])
    verdict = judge(before, LIGHT, Roll.from_dice(6, 5), after, strict)
    assert ReasonCode.BEAR_OFF_PINNED in verdict.codes
    assert judge(before, LIGHT, Roll.from_dice(6, 5), after, replace(strict, bearoff_while_pinned=True)).legal
