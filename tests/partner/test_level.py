"""The levels of a partner: each is stronger than the one below, and all play legally."""

import random

import pytest

from controller.partner.level import LEVELS, USUAL, mind_of
from controller.partner.mind import Mind
from controller.rules import Roll, Side, is_result, load_profile
from controller.rules.forms.xgid import MatchState
from controller.rules.game.game import start_position
from controller.rules.moves.movement import STANDARD
from controller.rules.position import START
from tests.analysis.engines import ENGINES
from tests.bench.bench_levels import measure, winner

ENOUGH = 80
"""Decisions that tell the levels apart; the figures in the page are from five times as many."""
SIX_FOUR = Roll.from_dice(6, 4)


def test_what_a_level_loses_falls_strictly_from_level_to_level() -> None:
    if "gnubg" not in ENGINES:
        pytest.fail("The tests need gnubg: make setup installs it.")
    rates = measure(ENOUGH)
    assert [*rates] == [level.number for level in LEVELS] == [1, 2, 3, 4, 5, 6, 7]
    assert sorted(rates.values(), reverse=True) == [*rates.values()]
    assert len(set(rates.values())) == len(rates)


def test_rules_of_thumb_beat_legal_play_without_any_engine() -> None:
    rng = random.Random(1)
    strong, weak = (mind_of(number, None, random.Random(number)) for number in (7, 1))
    won = [winner(strong, weak, rng) for _ in range(20)]
    assert won.count(Side.LIGHT) >= 18


@pytest.mark.parametrize("number", [level.number for level in LEVELS])
@pytest.mark.parametrize("profile", ["standard-match", "fevga"])
def test_every_level_plays_legally_with_and_without_an_engine(number: int, profile: str) -> None:
    rules = load_profile(profile)
    minds: list[Mind] = [mind_of(number, None, random.Random(3)), mind_of(number, "auto", random.Random(3))]
    position = start_position(rules.opening.layout)
    for mind in minds:
        after = mind.play(position, MatchState(), SIX_FOUR, rules.movement)
        assert is_result(position, Side.LIGHT, SIX_FOUR, after, rules.movement)
        mind.close()


def test_the_weakest_level_is_not_always_the_same() -> None:
    ends = {
        mind_of(1, None, random.Random(seed)).play(START, MatchState(), SIX_FOUR, STANDARD)
        for seed in range(20)
    }
    assert len(ends) > 3


def test_the_usual_level_is_one_of_them() -> None:
    assert USUAL in {level.number for level in LEVELS}
