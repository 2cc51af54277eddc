"""Twenty thousand positions of each game of the family against the plain rules; and the counts of three turns."""

import random
from itertools import islice

import pytest

from controller.rules.game.game import start_position
from controller.rules.moves.plays import results
from controller.rules.position import Position, Side
from controller.rules.profile.catalogue import load_profile
from tests.rules import family_reference
from tests.rules.family_turns import crowded_turns, turns_of
from tests.rules.test_family import ROLLS, plain_results

PLAYED, CROWDED = 18_000, 2_000
THREE_TURNS = {
    "fevga": (3_799, 21_893),
    "moultezim": (3_799, 21_893),
    "narde": (4_201, 35_387),
    "jacquet": (922, 10_897),
}


@pytest.mark.parametrize("name", family_reference.GAMES)
def test_the_results_are_those_of_the_plain_rules_in_long_play(name: str) -> None:
    rules = load_profile(name).movement
    chance = random.Random(20_261_122)
    turns = [*islice(turns_of(name, chance), PLAYED)]
    if rules.checkers == 15 and name != "acey-deucey":
        turns += islice(crowded_turns(chance), CROWDED)
    for position, side, roll in turns:
        found, _ = results(position, side, roll, rules)
        assert found == plain_results(name, position, side, roll), (position, side, roll)


@pytest.mark.parametrize("name", THREE_TURNS)
def test_the_counts_of_three_turns_are_those_of_both_implementations(name: str) -> None:
    profile = load_profile(name)
    level = {start_position(profile.opening.layout, profile.movement.direction).code: 1}
    side = Side.LIGHT
    for _ in range(3):
        following: dict[int, int] = {}
        for code, ways in level.items():
            for roll in ROLLS:
                for after in results(Position(code), side, roll, profile.movement)[0]:
                    following[after] = following.get(after, 0) + ways
        level, side = following, side.opponent
    assert (len(level), sum(level.values())) == THREE_TURNS[name]
