from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.arrays import FloatArray
from controller.vision.counting.counts import CLEAR, CheckerSet, borne_off, join
from tests.amounts import amount

EMPTY: dict[int, float] = {0: 0.0, 1: -20.0, -1: -20.0}
NO_BAR = {(0, 0): 0.0}
NONE_OFF = np.where(np.arange(16) > 0, -20.0, 0.0)
NOBODY_OFF = (NONE_OFF, NONE_OFF)


def sure(count: int) -> dict[int, float]:
    return {count: 0.0, 0: -20.0}


def test_fifteen_a_side_tells_the_height_of_a_pile() -> None:
    pile = {5: 0.0, 6: -1.0, 7: -2.0, 8: -3.0}
    points = [pile, sure(4), sure(4), sure(-5), sure(-5), sure(-5), *[EMPTY] * 18]
    joint = join(points, NO_BAR, NOBODY_OFF)
    assert joint.best[0] == 7
    assert joint.marginals[0][7] > 0.99


def test_two_piles_that_could_share_the_rest_stay_doubtful() -> None:
    pile = {5: 0.0, 6: -1.0, 7: -2.0}
    points = [pile, pile, sure(3), sure(-5), sure(-5), sure(-5), *[EMPTY] * 18]
    joint = join(points, NO_BAR, NOBODY_OFF)
    assert sorted(joint.best[:2]) == [5, 7] or joint.best[:2] == (6, 6)
    assert max(joint.marginals[0].values()) < 0.9


def test_checkers_seen_in_the_tray_are_not_looked_for_in_piles() -> None:
    pile = {5: 0.0, 6: -1.0, 7: -2.0}
    two_off = np.where(np.arange(16) == 2, 0.0, -20.0)
    points = [pile, sure(4), sure(4), sure(-5), sure(-5), sure(-5), *[EMPTY] * 18]
    joint = join(points, NO_BAR, (two_off, NONE_OFF))
    assert joint.best[0] == 5


def test_a_count_that_is_unlikely_by_itself_is_taken_where_nothing_else_adds_up() -> None:
    pile = {5: 0.0, 11: -8.0}
    points = [pile, sure(4), sure(-5), sure(-5), sure(-5), *[EMPTY] * 19]
    assert join(points, NO_BAR, NOBODY_OFF).best[0] == 11


@settings(max_examples=amount(30, 100))
@given(
    st.lists(
        st.dictionaries(st.integers(-5, 5), st.floats(-9, 0), min_size=1, max_size=4).map(
            lambda scores: {0: -3.0, **scores}
        ),
        min_size=24,
        max_size=24,
    ),
    st.dictionaries(
        st.tuples(st.integers(0, 2), st.integers(0, 2)), st.floats(-9, 0), min_size=1, max_size=3
    ).map(lambda scores: {(0, 0): -3.0, **scores}),
)
def test_no_side_ever_has_more_than_fifteen(
    points: list[dict[int, float]], bar: dict[tuple[int, int], float]
) -> None:
    joint = join(points, bar, (np.zeros(16), np.zeros(16)))
    assert sum(n for n in joint.best if n > 0) + joint.bar[0] <= 15
    assert -sum(n for n in joint.best if n < 0) + joint.bar[1] <= 15
    assert 0 <= joint.chance <= 1
    for marginal in joint.marginals:
        assert abs(sum(marginal.values()) - 1) < 1e-6


PLACES = st.lists(
    st.dictionaries(st.integers(-2, 2), st.floats(-4, 0), min_size=1, max_size=3).map(
        lambda scores: {0: -1.0, **scores}
    ),
    min_size=3,
    max_size=3,
)


@given(PLACES, st.lists(st.floats(-4, 0), min_size=16, max_size=16))
def test_how_sure_bar_and_borne_off_counts_are_is_what_all_boards_together_say(
    places: list[dict[int, float]], off: list[float]
) -> None:
    bar = {(0, 0): 0.0, (1, 0): -1.0, (0, 2): -2.0}
    light_off, dark_off = np.array(off), np.array(off[::-1])
    joint = join([*places, *[{0: 0.0}] * 21], bar, (light_off, dark_off))
    weights: dict[tuple[tuple[int, int], int, int], float] = {}
    for counts in product(*places):
        for pair, score in bar.items():
            light = sum(count for count in counts if count > 0) + pair[0]
            dark = -sum(count for count in counts if count < 0) + pair[1]
            score += sum(place[count] for place, count in zip(places, counts, strict=True))
            score += light_off[15 - light] + dark_off[15 - dark]
            case = (pair, light, dark)
            weights[case] = weights.get(case, 0.0) + np.exp(score)
    light = sum(count for count in joint.best if count > 0) + joint.bar[0]
    dark = -sum(count for count in joint.best if count < 0) + joint.bar[1]
    total = sum(weights.values())
    wanted = [
        sum(weight for case, weight in weights.items() if case[number] == told) / total
        for number, told in enumerate((joint.bar, light, dark))
    ]
    assert [joint.bar_chance, *joint.side_chances] == pytest.approx(wanted, abs=1e-6)


def test_more_than_fifteen_that_all_look_certain_are_told_as_what_adds_up() -> None:
    points = [sure(6), sure(6), {6: 0.0, 0: -10.0}, sure(-5), sure(-5), sure(-5), *[EMPTY] * 18]
    joint = join(points, NO_BAR, NOBODY_OFF)
    assert joint.best[:3] == (6, 6, 0)


def test_more_than_fifteen_that_nothing_can_explain_are_told_as_seen_and_with_no_confidence() -> None:
    joint = join([{2: 0.0}] * 24, NO_BAR, NOBODY_OFF)
    assert joint.best == (2,) * 24
    assert joint.chance == 0.0


def test_more_than_fifteen_that_look_likely_are_no_harm_where_others_are_possible() -> None:
    joint = join([{2: 0.0, 0: -7.0}] * 24, NO_BAR, NOBODY_OFF)
    assert sum(joint.best) <= 15


SCORES = st.floats(-9, 0)


@given(
    st.lists(st.dictionaries(st.integers(-15, 15), SCORES, min_size=1, max_size=4), min_size=3, max_size=3),
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), SCORES, min_size=1, max_size=3),
    st.lists(SCORES, min_size=32, max_size=32),
)
def test_every_way_to_put_the_checkers_counts_for_what_it_is_worth(
    open_points: list[dict[int, float]], bar: dict[tuple[int, int], float], off: list[float]
) -> None:
    points = [*({0: -2.0, **point} for point in open_points), *[{0: 0.0}] * 21]
    bar = {(0, 0): -2.0, **bar}
    ways: dict[tuple[int, ...], float] = {}
    for *counts, pair in product(*points[:3], bar):
        light, dark = (sum(max(sign * n, 0) for n in counts) + pair[k] for k, sign in enumerate((1, -1)))
        if light <= 15 and dark <= 15:
            seen = sum(point[n] for point, n in zip(points, counts, strict=False)) + bar[pair]
            ways[(*counts, *pair)] = seen + off[15 - light] + off[31 - dark]
    joint = join(points, bar, (np.array(off[:16]), np.array(off[16:])))
    assert ways[(*joint.best[:3], *joint.bar)] == pytest.approx(max(ways.values()))
    total = sum(np.exp(score) for score in ways.values())
    for place in range(3):
        for count, share in joint.marginals[place].items():
            there = sum(np.exp(score) for way, score in ways.items() if way[place] == count)
            assert share == pytest.approx(there / total, abs=1e-9)


def off_in_tray(count: int, doubt: float = 6.0) -> FloatArray:
    """A tray in which so many checkers were counted."""
    return np.where(np.arange(16) == count, 0.0, -doubt)


def test_what_was_counted_in_the_trays_never_turns_the_colour_of_a_checker() -> None:
    doubtful = {1: 0.0, -1: -4.0, 0: -9.0}
    points = [sure(5), sure(4), sure(4), doubtful, sure(-5), sure(-5), sure(-4), *[EMPTY] * 17]
    # Light's tray shows two for the one that is off, dark's none for the one that is off.
    trays = (off_in_tray(2), off_in_tray(0))
    assert join(points, NO_BAR, trays).best[3] == -1
    joint = join(points, NO_BAR, trays, (off_in_tray(0, 1.5), off_in_tray(0, 1.5)))
    assert joint.best[3] == 1
    assert joint.marginals[3][1] > joint.marginals[3][-1]


@given(
    st.lists(st.dictionaries(st.integers(-4, 4), SCORES, min_size=2, max_size=5), min_size=4, max_size=4),
    st.lists(st.floats(-8, 0), min_size=32, max_size=32),
)
# Sixteen light checkers are too many: without trays the fourth point is dark, though the picture prefers light.
@example([{4: 0.0, 0: -6.0}] * 3 + [{4: 0.0, -2: -3.5, 0: -6.0}], [0.0] * 16 + [-8.0] * 15 + [0.0])
def test_the_odds_of_light_against_dark_on_a_point_are_those_without_the_trays(
    open_points: list[dict[int, float]], seen: list[float]
) -> None:
    points = [*({0: -2.0, **point} for point in open_points), *[{0: 0.0}] * 20]
    nothing = np.where(np.arange(16) > 0, -1.5, 0.0)
    usual = (nothing, nothing)
    without = join(points, NO_BAR, usual)
    joint = join(points, NO_BAR, (np.array(seen[:16]), np.array(seen[16:])), usual)
    for here, there in zip(joint.marginals, without.marginals, strict=True):
        light, dark = (sum(share for n, share in here.items() if n * sign > 0) for sign in (1, -1))
        had_light, had_dark = (sum(share for n, share in there.items() if n * sign > 0) for sign in (1, -1))
        assert light * had_dark == pytest.approx(dark * had_light, abs=1e-6)
    for seen_there, count, before in zip(points, joint.best, without.best, strict=True):
        light, dark = (max([-99.0, *(s for n, s in seen_there.items() if n * sign > 0)]) for sign in (1, -1))
        assert count * before >= 0 or np.sign(before) * (light - dark) <= CLEAR


def test_a_set_of_twelve_is_not_filled_up_to_fifteen() -> None:
    pile = {5: 0.0, 6: -1.0, 7: -2.0, 8: -3.0}
    points = [pile, sure(4), sure(3), sure(-5), sure(-5), sure(-2), *[EMPTY] * 18]
    nothing = np.where(np.arange(16) > 0, -6.0, 0.0)
    fifteen, twelve = (
        join(points, NO_BAR, (nothing, nothing), checkers=CheckerSet(each)) for each in (15, 12)
    )
    assert fifteen.best[0] == 8
    assert twelve.best[0] == 5
    assert min(max(share.values()) for share in twelve.marginals) > 0.9
    assert borne_off(nothing, 12, CheckerSet(12)) == 0


def test_a_checker_more_than_the_game_has_is_seen_and_doubted() -> None:
    points = [{3: 0.0, 2: -9.0}, {1: 0.0, 0: -9.0}, {-3: 0.0, 0: -9.0}, *[EMPTY] * 21]
    joint = join(points, NO_BAR, (NONE_OFF, NONE_OFF), checkers=CheckerSet(3))
    assert joint.best[:3] == (3, 1, -3)
    assert joint.chance < 0.95
    assert borne_off(NONE_OFF, 4, CheckerSet(3)) == 0


def test_checkers_under_others_are_neither_looked_for_in_piles_nor_off() -> None:
    pile = {5: 0.0, 6: -3.0, 7: -6.0}
    points = [pile, sure(4), sure(4), sure(-5), sure(-5), sure(-5), *[EMPTY] * 18]
    under_way = np.where(np.arange(16) > 0, -8.0, 0.0)
    concealed = CheckerSet(concealed=True)
    assert join(points, NO_BAR, (under_way, under_way)).best[0] == 7
    assert join(points, NO_BAR, (under_way, under_way), checkers=concealed).best[0] == 5
    assert borne_off(under_way, 13, concealed) == 0
    assert borne_off(off_in_tray(2), 13, concealed) == 2
