from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief.breaches import LIKELIEST
from controller.referee.belief.emission import Bias, emission, learned
from controller.referee.seeing.evidence import PILE_DOUBT, differ, evidence_of, of_both_sides, score_of
from controller.rules.position import START, Position
from tests.referee.staging import Film

BLOT_MOVED = Position.from_compact("b....EAC...eD...c.e....B..")


def film(seed: int = 1) -> Film:
    return Film(Random(seed))


def test_a_board_alone_has_the_score_that_it_has_among_others() -> None:
    counts = (1, 0, 0, 0, 0, 3, 0, 2, 0, 0, 0, -4, 2, 0, 0, 0, -3, 0, -4, 0, 0, 0, 0, 0)
    open_board = Position.from_counts(counts, 1, 2)
    boards = [START, BLOT_MOVED, open_board, open_board.with_hidden((6,), 2, 1)]
    evidence = evidence_of(film().read(open_board)).weighed()
    for together in (boards, boards[:3]):
        assert [score_of(evidence, board) for board in together] == evidence.scores(together).tolist()
    by_place = [float(evidence.by_place(board).sum()) for board in boards]
    assert [score_of(evidence, board) for board in boards] == pytest.approx(by_place)


def test_the_position_that_lies_there_scores_best() -> None:
    evidence = evidence_of(film().read(START)).weighed()
    right, wrong = evidence.scores([START, BLOT_MOVED])
    assert right > wrong + 4


def test_no_single_place_can_weigh_more_than_the_rate_of_misreadings_allows() -> None:
    evidence = evidence_of(film().read(START))
    assert evidence.points.min() >= -4.7


def test_a_covered_point_says_nothing() -> None:
    evidence = evidence_of(film().read(START, hidden=frozenset({7, 13})))
    assert not evidence.points[6].any()
    assert not evidence.points[12].any()
    assert evidence.points[0].any()


def test_the_reader_is_believed_of_a_point_that_is_plain_by_itself_though_the_sum_of_its_side_makes_it_unsure() -> (
    None
):
    reading, point = film().read(START), 4
    plain, faint = ({0: 0.0, 1: -lead, -1: -lead} for lead in (8.0, 5.0))

    def least(own: dict[int, float], unsure: frozenset[int]) -> float:
        told = (*reading.likelihoods[: point - 1], own, *reading.likelihoods[point:])
        return float(evidence_of(replace(reading, likelihoods=told, unsure=unsure)).points[point - 1].min())

    here, everywhere = frozenset({point}), frozenset(range(1, 25))
    assert least(plain, here) == least(plain, frozenset())
    assert least(faint, here) == least(plain, everywhere) > -2.5
    assert least(faint, frozenset()) < -4.0


def test_the_height_of_a_pile_is_told_with_doubt() -> None:
    high = Position.from_compact("H......A............dddc..")
    higher = Position.from_compact("G......B............dddc..")
    reading = film().read(high)
    evidence = evidence_of(reading)
    place = 15 + 8
    assert evidence.points[0].max() - evidence.points[0][place - 1] <= PILE_DOUBT <= 3.0
    assert evidence.scores([high])[0] > evidence.scores([higher])[0]


def test_pictures_of_one_rest_add_up_only_to_twice_one_picture() -> None:
    one = evidence_of(film().read(START))
    many = one
    for _ in range(30):
        many = many.pooled(one)
    assert many.weighed().points.min() == pytest.approx(2 * one.weighed().points.min())


def test_two_pictures_of_one_position_weigh_more_than_one_and_less_than_twice_as_much() -> None:
    one = evidence_of(film().read(START))
    weights = [replace(one, readings=readings)._weight for readings in range(6)]
    assert weights == sorted(weights)
    assert weights[:2] == [1.0, 1.0] < [weights[2]] < [2.0] == weights[3:4] == weights[5:]


def test_an_error_that_was_there_before_anything_moved_is_forgiven() -> None:
    misread = Position.from_compact("b....E.D...eE...c.e....A..")
    earlier = evidence_of(film().read(misread)).weighed()
    later = evidence_of(film(2).read(misread)).weighed()
    naive = later.scores([START])[0]
    known = emission(later, earlier, START, Bias.fresh(START))
    assert known.scores([START])[0] > naive + 5


def test_an_error_that_was_there_before_is_no_play_while_it_looks_as_it_did() -> None:
    misread = Position.from_compact("b....E.D...eE...c.e....A..")
    earlier, later = (evidence_of(film(seed).read(misread)).weighed() for seed in (1, 2))
    known = learned(Bias.fresh(START), earlier, START, START, 15)
    still, moved = emission(later, earlier, START, known).scores([START, misread])
    # A play that breaks a rule is rarer than what the look still says for it.
    assert still - moved > LIKELIEST


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_the_same_position_read_twice_does_not_differ(seed: int) -> None:
    made = film(seed)
    first, second = evidence_of(made.read(START)), evidence_of(made.read(START))
    assert not differ(first, second)


def test_one_checker_moved_makes_a_difference_and_a_hidden_point_does_not() -> None:
    made = film()
    first = evidence_of(made.read(START))
    assert differ(first, evidence_of(made.read(BLOT_MOVED)))
    hidden = evidence_of(made.read(START, hidden=frozenset({1, 12})))
    assert not differ(first, hidden)


def test_a_checker_that_came_to_the_bar_makes_a_difference_though_no_point_looks_otherwise() -> None:
    made = film()
    points = list(START.points)
    points[7] -= 1
    borne_off, on_the_bar = (evidence_of(made.read(Position.from_counts(points, bar, 0))) for bar in (0, 1))
    assert differ(borne_off, on_the_bar)


def test_a_count_without_an_owner_is_that_of_checkers_of_both_sides() -> None:
    reading = film().read(START)
    opinions = list(reading.likelihoods)
    told = []
    for opinion in ({3: 0.0, -3: -0.9, -2: -6.0}, {3: 0.0, -3: -6.0, -2: -6.0}, {0: 0.0, 1: -1.0}):
        opinions[15] = opinion
        evidence = evidence_of(replace(reading, likelihoods=tuple(opinions)))
        told.append(of_both_sides(evidence.points[15]))
    assert told == [True, False, False]
