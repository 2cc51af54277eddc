"""What several looks at one scene tell together."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.arrays import Float32Array, Picture
from controller.rules.position import START
from controller.vision.dice.patches import detail_of
from controller.vision.dice.spots import SpotTold
from controller.vision.dice.views import Spot
from controller.vision.looks import SAME_MM, join_looks, pool_spots, pool_tables, weigh_looks
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import IVORY, throw

TABLES = st.dictionaries(st.integers(-3, 3), st.floats(-9, 0), min_size=1).map(
    lambda scores: {count: score - max(scores.values()) for count, score in scores.items()}
)


def told(chances: list[float], middle: Spot = (0.0, 0.0), cocked: float = 0.0) -> SpotTold:
    return SpotTold(np.array(chances) / sum(chances), cocked, middle)


def chance_of(table: dict[int, float], count: int) -> float:
    return float(np.exp(table[count]) / sum(np.exp(score) for score in table.values()))


@given(st.lists(TABLES, min_size=1, max_size=5))
def test_the_order_of_looks_does_not_matter_and_the_best_is_nought(tables: list[dict[int, float]]) -> None:
    pooled = pool_tables(tables)
    again = pool_tables(tables[::-1])
    assert max(pooled.values()) == 0
    assert pooled == pytest.approx(again)


@given(TABLES, st.integers(1, 5))
def test_a_place_that_was_not_looked_at_again_is_as_sure_as_before(
    table: dict[int, float], looks: int
) -> None:
    assert pool_tables([table] * looks) == pytest.approx(table)


def test_looks_that_agree_are_surer_than_one_but_never_as_sure_as_if_they_shared_no_errors() -> None:
    looks = [{5: 0.0, 6: -1.5}, {5: 0.0, 6: -1.5}, {5: 0.0, 6: -1.5}]
    one, three = chance_of(looks[0], 5), chance_of(pool_tables(looks), 5)
    assert one < three < chance_of({5: 0.0, 6: -4.5}, 5)


def test_looks_that_contradict_each_other_leave_a_doubt() -> None:
    pooled = pool_tables([{5: 0.0, 6: -4.0}, {5: -4.0, 6: 0.0}])
    assert chance_of(pooled, 5) == pytest.approx(0.5)


def test_a_number_is_told_as_clearly_as_the_looks_tell_it_on_average() -> None:
    looks = [{(0.0, 0.0): told([0.1, 0.6, 0.3])}, {(1.0, 0.0): told([0.1, 0.3, 0.6], (1.0, 0.0))}]
    (pooled,) = pool_spots(looks)
    assert pooled.chances[1] == pytest.approx(pooled.chances[2])
    assert pooled.chances.sum() == pytest.approx(1.0)
    assert pooled.middle == pytest.approx((0.5, 0.0))


def test_looks_are_as_clear_on_the_map_as_they_are_on_average() -> None:
    looks = [{(0.0, 0.0): replace(told([0.0, 1.0]), peak=peak)} for peak in (0.5, 0.9, None)]
    (pooled,) = pool_spots(looks)
    assert pooled.peak == pytest.approx(0.7)


def face(
    light: float = 1.0, noise: float = 0.0, seed: int = 0, shift: int = 0, blob: bool = False
) -> Float32Array:
    """What is seen on a die with two pips, under so much light."""
    patch = np.full((32, 32, 3), 150.0)
    for row, column in ((12, 12), (20, 20)):
        patch[row - 2 : row + 2, column - 2 + shift : column + 2 + shift] = 40.0
    if blob:
        patch[14:18, 14:18] = 250.0
    patch = patch * light + np.random.default_rng(seed).normal(0, max(noise, 1e-9), patch.shape)
    return detail_of(patch.clip(0, 255).astype(np.uint8))


def test_looks_that_saw_the_same_count_as_one_together() -> None:
    assert weigh_looks([face()] * 6).sum() == pytest.approx(1.0)
    assert weigh_looks([face(noise=4, seed=seed) for seed in range(6)]).sum() == pytest.approx(1.0, abs=0.01)


def test_less_light_and_a_face_found_a_little_beside_are_nothing_new() -> None:
    assert weigh_looks([face(), face(light=0.5), face(shift=2)]).sum() == pytest.approx(1.0, abs=0.05)


def test_a_look_that_saw_something_else_counts_nearly_whole_and_its_like_add_nothing() -> None:
    one, other = face(), face(blob=True)
    two, many = weigh_looks([one, other]).sum(), weigh_looks([one, one, one, other]).sum()
    assert 1.5 < two < 2
    assert many == pytest.approx(two, abs=0.15)


def test_two_looks_that_saw_the_number_otherwise_are_surer_than_either() -> None:
    seen = told([0.1, 0.7, 0.2])
    looks = [{(0.0, 0.0): replace(seen, detail=detail)} for detail in (face(), face(blob=True))]
    assert pool_spots(looks)[0].chances[1] > 0.8
    alike = [{(0.0, 0.0): replace(seen, detail=face())} for _ in range(2)]
    assert pool_spots(alike)[0].chances == pytest.approx(seen.chances)


def test_different_looks_that_contradict_each_other_make_neither_surer() -> None:
    looks = [
        {(0.0, 0.0): replace(told(chances), detail=face(blob=blob))}
        for chances, blob in (([0.1, 0.8, 0.1], False), ([0.1, 0.1, 0.8], True))
    ]
    (pooled,) = pool_spots(looks)
    assert pooled.chances.max() < 0.5


def test_what_only_one_of_three_looks_found_is_nothing() -> None:
    die, glint = told([0.0, 1.0]), told([0.1, 0.9], (100.0, 0.0))
    looks = [{(0.0, 0.0): die}, {(0.0, 0.0): die, (100.0, 0.0): glint}, {(0.0, 0.0): die}]
    assert [one.middle for one in pool_spots(looks)] == [(0.0, 0.0)]


def test_of_two_looks_the_last_decides_whether_a_thing_is_there() -> None:
    die = {(0.0, 0.0): told([0.0, 1.0])}
    assert len(pool_spots([{}, die])) == 1
    assert pool_spots([die, {}]) == []


def test_two_dice_that_touch_stay_two() -> None:
    apart = 2 * SAME_MM
    look = {(0.0, 0.0): told([0.0, 1.0]), (apart, 0.0): told([0.0, 1.0], (apart, 0.0))}
    assert len(pool_spots([look] * 3)) == 2


THROW = (2, 5)


@cache
def thrown() -> Picture:
    image = picture("board1_start").copy()
    for value, x in zip(THROW, (100.0, -100.0), strict=True):
        throw(image, learned("board1"), IVORY, value, x, 0.0, 0.3)
    return image


@cache
def noisy(seed: int) -> Reading:
    """A reading of one scene, each time with other noise."""
    image = thrown()
    noise = np.random.default_rng(seed).normal(0, 4, image.shape)
    return read_board(np.clip(image + noise, 0, 255).astype(np.uint8), learned("board1"))


def test_readings_of_a_board_tell_together_what_lies_there() -> None:
    looks = [noisy(seed) for seed in range(3)]
    joined = join_looks(looks, learned("board1"))
    assert joined.points == START.points
    assert sorted(die.value for die in joined.dice) == sorted(THROW)
    assert joined.likelihoods == looks[-1].likelihoods
    assert len(joined.unsure) <= max(len(look.unsure) for look in looks)


def test_a_reading_joined_with_itself_is_itself() -> None:
    alone = noisy(0)
    joined = join_looks([alone, alone], learned("board1"))
    assert joined.points == alone.points
    assert joined.point_confidence == pytest.approx(alone.point_confidence)
    assert [replace(die, confidence=1.0, shares=()) for die in joined.dice] == [
        replace(die, confidence=1.0, shares=()) for die in alone.dice
    ]
    assert joined.cube is not None
    assert alone.cube is not None
    assert joined.cube.confidence == pytest.approx(alone.cube.confidence, abs=0.01)
