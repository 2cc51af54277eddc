"""Are the dice fair: the tests over many rolls, and the chart."""

import random

import pytest

from controller.analysis.fairness import ENOUGH, audit, chart, compare, smallest_fault


def fair(count: int, seed: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)
    return [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(count)]


def test_fair_dice_are_seldom_suspected() -> None:
    suspected = sum(any(test.suspicious for test in audit(fair(720, seed)).tests) for seed in range(200))
    assert suspected <= 14  # three tests at 1 % each: 6 on average, more than 14 once in a thousand times


def test_a_heavy_face_shows() -> None:
    chance = random.Random(1)
    rolls = [
        (chance.choice([1, 2, 3, 4, 5, 6, 6]), chance.choice([1, 2, 3, 4, 5, 6, 6])) for _ in range(1500)
    ]
    named = {test.name: test for test in audit(rolls).tests}
    assert named["faces"].suspicious
    assert named["pairs"].suspicious


def test_dice_with_a_memory_show_in_the_runs_only() -> None:
    chance = random.Random(2)
    rolls = fair(1000, 3)
    sticky = [rolls[0]]
    for throw in rolls[1:]:
        low = sum(sticky[-1]) < 7
        turned = (7 - throw[0], 7 - throw[1])
        sticky.append(turned if chance.random() < 0.5 and (sum(throw) < 7) != low else throw)
    named = {test.name: test for test in audit(sticky).tests}
    assert named["runs"].suspicious
    assert not named["faces"].suspicious


def test_the_chi_square_is_that_of_the_textbook() -> None:
    """60 throws of one die with 5, 8, 9, 8, 10, 20: chi-square 13.4, p 0.0199 for five degrees of freedom."""
    throws = [face for face, count in enumerate((5, 8, 9, 8, 10, 20), start=1) for _ in range(count)]
    rolls = list(zip(throws[::2], throws[1::2], strict=True))
    faces_test = audit(rolls).tests[0]
    assert faces_test.statistic == pytest.approx(13.4)
    assert faces_test.p == pytest.approx(0.0199, abs=0.0001)


def test_the_runs_are_those_of_the_textbook() -> None:
    """Six totals above seven and four below in three runs; a seven counts for neither.

    Wald and Wolfowitz 1940: of m and n, runs are 1 + 2mn/(m+n) on average, 5.8, and their variance is
    2mn(2mn - m - n) / ((m+n)^2 (m+n-1)), 48 * 38 / 900.
    """
    high, low, seven = (6, 3), (2, 3), (3, 4)
    rolls = [high, high, high, seven, low, low, low, seven, low, high, high, high]
    (runs,) = (test for test in audit(rolls).tests if test.name == "runs")
    assert runs.statistic == pytest.approx((3 - 5.8) / (48 * 38 / 900) ** 0.5)


def test_few_rolls_and_none_are_said_to_be_few() -> None:
    assert not audit([(3, 1)]).enough
    nothing = audit([])
    assert nothing.tests == ()
    assert chart(nothing) == "no rolls"


def test_the_chart_has_a_bar_for_each_face() -> None:
    drawn = chart(audit([(6, 6), (6, 1), (2, 3)])).splitlines()
    assert [line[0] for line in drawn[:6]] == ["1", "2", "3", "4", "5", "6"]
    assert [line.count("#") for line in drawn[:6]] == [8, 8, 8, 0, 0, 24]
    assert drawn[6].startswith("fair: 1.0 of each face in 3 rolls")


def test_all_tests_as_one_accuse_fair_dice_at_most_once_in_a_hundred_times() -> None:
    chances = [audit(fair(360, seed)).p for seed in range(300)]
    assert (
        sum(p is not None and p < 0.01 for p in chances) <= 11
    )  # 3 on average, more once in ten thousand times
    assert audit(fair(ENOUGH - 1, 1)).p is None


def test_the_more_sets_are_compared_the_stricter_the_test() -> None:
    """Holm's order: the smallest is multiplied by all, the next by one less, and none falls below the one before."""
    assert compare([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    assert compare([0.9, 0.8]) == [1.0, 1.0]
    assert compare([]) == []


def test_the_smallest_fault_that_is_named_is_found_in_eight_of_ten_cases() -> None:
    rolls = 1200
    more = 1 + smallest_fault(rolls)
    weights = [(6 - more) / 5] * 5 + [more]
    chance = random.Random(4)
    found = 0
    for _ in range(200):
        dice = chance.choices(range(1, 7), weights, k=2 * rolls)
        faces = audit(list(zip(dice[::2], dice[1::2], strict=True))).tests[0]
        found += faces.p < 0.01 / 3
    assert 140 <= found <= 180
