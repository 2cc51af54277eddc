from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief.breaches import LIKELIEST
from controller.referee.belief.emission import Bias, emission, learned
from controller.referee.caution import Caution
from controller.referee.seeing.evidence import differ, evidence_of, of_both_sides
from controller.rules.position import START, Position
from tests.referee.staging import Film

CAUTION = Caution()
BLOT_MOVED = Position.from_compact("b....EAC...eD...c.e....B..")


def film(seed: int = 1) -> Film:
    return Film(Random(seed))


def test_the_position_that_lies_there_scores_best() -> None:
    evidence = evidence_of(film().read(START), CAUTION).weighed()
    right, wrong = evidence.scores([START, BLOT_MOVED])
    assert right > wrong + 4


def test_no_single_place_can_weigh_more_than_the_rate_of_misreadings_allows() -> None:
    evidence = evidence_of(film().read(START), CAUTION)
    assert evidence.points.min() >= -4.7


def test_a_covered_point_says_nothing() -> None:
    evidence = evidence_of(film().read(START, hidden=frozenset({7, 13})), CAUTION)
    assert not evidence.points[6].any()
    assert not evidence.points[12].any()
    assert evidence.points[0].any()


def test_the_height_of_a_pile_is_told_with_doubt() -> None:
    high = Position.from_compact("H......A............dddc..")
    higher = Position.from_compact("G......B............dddc..")
    reading = film().read(high)
    evidence = evidence_of(reading, CAUTION)
    place = 15 + 8
    assert evidence.points[0].max() - evidence.points[0][place - 1] <= CAUTION.pile_doubt
    assert evidence.scores([high])[0] > evidence.scores([higher])[0]


def test_pictures_of_one_rest_add_up_only_to_twice_one_picture() -> None:
    one = evidence_of(film().read(START), CAUTION)
    many = one
    for _ in range(30):
        many = many.pooled(one)
    assert many.weighed().points.min() == pytest.approx(2 * one.weighed().points.min())


def test_an_error_that_was_there_before_anything_moved_is_forgiven() -> None:
    misread = Position.from_compact("b....E.D...eE...c.e....A..")
    earlier = evidence_of(film().read(misread), CAUTION).weighed()
    later = evidence_of(film(2).read(misread), CAUTION).weighed()
    naive = later.scores([START])[0]
    known = emission(later, earlier, START, Bias.fresh(START))
    assert known.scores([START])[0] > naive + 5


def test_an_error_that_was_there_before_is_no_play_while_it_looks_as_it_did() -> None:
    misread = Position.from_compact("b....E.D...eE...c.e....A..")
    earlier, later = (evidence_of(film(seed).read(misread), CAUTION).weighed() for seed in (1, 2))
    known = learned(Bias.fresh(START), earlier, START, START, 15)
    still, moved = emission(later, earlier, START, known).scores([START, misread])
    # A play that breaks a rule is rarer than what the look still says for it.
    assert still - moved > LIKELIEST


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_the_same_position_read_twice_does_not_differ(seed: int) -> None:
    made = film(seed)
    first, second = evidence_of(made.read(START), CAUTION), evidence_of(made.read(START), CAUTION)
    assert not differ(first, second, CAUTION)


def test_one_checker_moved_makes_a_difference_and_a_hidden_point_does_not() -> None:
    made = film()
    first = evidence_of(made.read(START), CAUTION)
    assert differ(first, evidence_of(made.read(BLOT_MOVED), CAUTION), CAUTION)
    hidden = evidence_of(made.read(START, hidden=frozenset({1, 12})), CAUTION)
    assert not differ(first, hidden, CAUTION)


def test_a_count_without_an_owner_is_that_of_checkers_of_both_sides() -> None:
    reading = film().read(START)
    opinions = list(reading.likelihoods)
    told = []
    for opinion in ({3: 0.0, -3: -0.9, -2: -6.0}, {3: 0.0, -3: -6.0, -2: -6.0}, {0: 0.0, 1: -1.0}):
        opinions[15] = opinion
        evidence = evidence_of(replace(reading, likelihoods=tuple(opinions)), CAUTION)
        told.append(of_both_sides(evidence.points[15], CAUTION))
    assert told == [True, False, False]
