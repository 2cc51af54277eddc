"""What is told of a turn: for certain, with a question, or as an accusation, by how probable it is."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.belief.branches import Beam, Hypothesis, Kind, lawful
from controller.referee.belief.decision import (
    Outcome,
    Verdict,
    accuses,
    alike,
    decide,
    is_certain,
    most_probable,
    same,
    share_of,
)
from controller.referee.belief.report import candidates_of
from controller.referee.caution import COSTS, Strictness
from controller.rules.position import START, Roll, Side
from controller.rules.reasons import COUNT_CODES, ReasonCode
from tests.referee.belief.looks import (
    BESIDE,
    CAUTION,
    GOOD,
    USUAL_ROLL,
    WRONG,
    after,
    branches,
    hypothesis,
    rolled,
    turn,
)

LIGHT, DARK = Side.LIGHT, Side.DARK
LEGAL = hypothesis()
OTHER = hypothesis(after=BESIDE)
BREACH = hypothesis(Kind.ILLEGAL, WRONG, START, USUAL_ROLL, LIGHT, ReasonCode.WRONG_DISTANCE, nearest=GOOD)
ANOTHER_BREACH = hypothesis(Kind.ILLEGAL, after((8, 5)), START, USUAL_ROLL, LIGHT, ReasonCode.UNUSED_DIE)
VOID = hypothesis(Kind.VOID, START)
PASSED = hypothesis(Kind.ILLEGAL, START, START, USUAL_ROLL, LIGHT, ReasonCode.NOTHING_MOVED)
SLIPPED = hypothesis(lies=after((24, 23), side=DARK, of=GOOD))
PUSHED_TWO = hypothesis(lies=after((24, 22), (6, 4), side=DARK, of=GOOD), by=DARK)
PUSHED_ONE = hypothesis(lies=after((24, 22), side=DARK, of=GOOD), by=DARK)


def decided(*made: tuple[Hypothesis, float], touched: Mapping[Side, frozenset[int]] | None = None) -> Verdict:
    return decide(branches(*made), rolled(3, 1), turn(GOOD, touched=touched), CAUTION)


def test_a_play_that_is_probable_enough_is_told_and_one_that_is_not_is_asked_about() -> None:
    assert decided((LEGAL, 0.951), (OTHER, 0.049)).outcome is Outcome.LEGAL
    asked = decided((LEGAL, 0.949), (OTHER, 0.051))
    assert asked.outcome is Outcome.UNSURE
    assert asked.entry.after == GOOD
    assert asked.points == (5, 6, 23, 24)


def test_nobody_is_accused_of_what_is_not_probable_enough() -> None:
    assert decided((BREACH, 0.901), (LEGAL, 0.099)).outcome is Outcome.ILLEGAL
    asked = decided((BREACH, 0.899), (LEGAL, 0.101))
    assert asked.outcome is Outcome.UNSURE
    assert asked.points == (4, 5)


@given(st.floats(0.02, 0.98))
def test_the_probability_reported_is_that_of_what_is_told(share: float) -> None:
    verdict = decided((LEGAL, share), (OTHER, 1 - share))
    assert verdict.probability == pytest.approx(max(share, 1 - share))
    accused = decided((BREACH, 0.95 * share), (ANOTHER_BREACH, 0.95 * (1 - share)), (LEGAL, 0.05))
    assert accused.outcome is Outcome.ILLEGAL
    assert accused.probability == pytest.approx(0.95)


def test_that_a_rule_was_broken_is_certain_although_which_one_is_open() -> None:
    verdict = decided((ANOTHER_BREACH, 0.55), (BREACH, 0.4), (LEGAL, 0.05))
    assert verdict.outcome is Outcome.ILLEGAL
    assert verdict.entry.after == ANOTHER_BREACH.after


def test_nobody_is_accused_where_it_is_open_which_side_broke_a_rule() -> None:
    """At an opening nobody need know who has rolled: what one side did against a rule the other may have done."""
    by_dark = replace(BREACH, side=DARK)
    asked = decided((BREACH, 0.6), (by_dark, 0.39), (LEGAL, 0.01))
    assert asked.outcome is Outcome.UNSURE
    assert {each.side for each in candidates_of(asked, CAUTION.rules) if not each.legal} == {LIGHT, DARK}
    assert decided((BREACH, 0.92), (by_dark, 0.07), (LEGAL, 0.01)).outcome is Outcome.ILLEGAL
    assert not alike(BREACH, by_dark)


def test_nothing_else_is_looked_for_where_a_breach_is_certain() -> None:
    """No board is as likely as that of the legal play, but that a rule was broken is certain."""
    boards = lawful(START, LIGHT, Roll(2, 1))
    assert 0.93 / len(boards) < 0.07
    verdict = decided(
        (LEGAL, 0.07), *((replace(BREACH, after=board), 0.93 / len(boards)) for board in boards)
    )
    assert verdict.outcome is Outcome.ILLEGAL
    assert verdict.entry.after in boards
    assert verdict.probability == pytest.approx(0.93)


def test_a_doubt_without_another_board_shows_what_would_have_been_right_or_where_the_turn_began() -> None:
    assert decided((replace(BREACH, after=GOOD, nearest=BESIDE), 0.6), (LEGAL, 0.4)).points == ()
    assert decided((LEGAL, 0.6), (replace(BREACH, after=GOOD, nearest=BESIDE), 0.4)).points == (5, 6, 23, 24)
    pushed = replace(LEGAL, kind=Kind.UNCLEAR, pushed_from=after((24, 23), side=DARK))
    assert decided((LEGAL, 0.6), (pushed, 0.4)).points == (1, 2)


def test_a_doubt_about_whose_hand_it_was_shows_where_checkers_were_displaced() -> None:
    moved = replace(BREACH, after=PUSHED_ONE.end, nearest=None)
    assert decided((moved, 0.6), (PUSHED_ONE, 0.4)).points == PUSHED_ONE.displaced == (1, 3)
    assert decided((PUSHED_ONE, 0.6), (moved, 0.4)).points == (1, 3)


def test_where_checkers_are_lost_nobody_is_accused_and_the_players_are_asked() -> None:
    for code in COUNT_CODES:
        lost = replace(
            BREACH,
            reasons=(
                *ANOTHER_BREACH.reasons,
                *hypothesis(Kind.ILLEGAL, WRONG, START, USUAL_ROLL, LIGHT, code).reasons,
            ),
        )
        assert not accuses(lost)
        assert decided((lost, 0.999), (LEGAL, 0.001)).outcome is Outcome.UNSURE
    assert accuses(BREACH)
    assert not accuses(LEGAL)
    assert not accuses(hypothesis(Kind.UNCLEAR, WRONG))


def test_nothing_moved_is_idle_and_displaced_checkers_are_a_disturbance() -> None:
    assert decided((VOID, 0.97), (PASSED, 0.03)).outcome is Outcome.IDLE
    verdict = decided((SLIPPED, 0.97), (LEGAL, 0.03))
    assert verdict.outcome is Outcome.DISTURBED
    assert verdict.points == (1, 2)
    assert decided((SLIPPED, 0.9), (LEGAL, 0.1)).outcome is Outcome.UNSURE


def test_what_nobody_understands_and_what_is_not_over_is_never_certain() -> None:
    for made in (
        hypothesis(Kind.UNCLEAR),
        hypothesis(Kind.UNFINISHED, after((8, 5))),
        hypothesis(in_hand=True),
    ):
        assert not is_certain(made, 1.0, CAUTION)
        assert decided((made, 0.9999), (OTHER, 0.0001)).outcome is Outcome.UNSURE
    assert is_certain(LEGAL, 0.95, CAUTION)
    assert not is_certain(LEGAL, 0.9499, CAUTION)
    assert is_certain(BREACH, 0.9, CAUTION)
    assert not is_certain(BREACH, 0.8999, CAUTION)


@pytest.mark.parametrize(
    ("strictness", "plays_from", "accuses_from"),
    [(Strictness.LENIENT, 0.9, 0.967), (Strictness.NORMAL, 0.95, 0.9), (Strictness.STRICT, 0.98, 0.9)],
)
def test_what_is_told_is_what_costs_less_than_a_question(
    strictness: Strictness, plays_from: float, accuses_from: float
) -> None:
    caution = replace(CAUTION, strictness=strictness)
    for made, least, error in (
        (LEGAL, plays_from, caution.costs.wrong_record),
        (BREACH, accuses_from, caution.costs.false_accusation),
    ):
        assert is_certain(made, least + 0.001, caution)
        assert not is_certain(made, least - 0.001, caution)
        assert (1 - least - 0.001) * error < caution.costs.question < (1 - least + 0.001) * error


def test_the_stricter_referee_asks_where_another_lets_a_play_pass_and_accuses_on_no_less() -> None:
    lenient, normal, strict = (COSTS[each] for each in Strictness)
    assert lenient.wrong_record < normal.wrong_record < strict.wrong_record
    assert lenient.false_accusation > normal.false_accusation <= strict.false_accusation
    doubtful = (LEGAL, 0.96), (OTHER, 0.04)
    told = [
        decide(branches(*doubtful), rolled(3, 1), turn(GOOD), replace(CAUTION, strictness=each)).outcome
        for each in Strictness
    ]
    assert told == [Outcome.LEGAL, Outcome.LEGAL, Outcome.UNSURE]


def test_a_roll_is_not_sure_where_the_play_fits_another_as_well() -> None:
    other_roll = replace(LEGAL, roll=Roll(2, 1))
    open_ = decided((LEGAL, 0.6), (other_roll, 0.38), (OTHER, 0.02))
    assert open_.outcome is Outcome.LEGAL
    assert not open_.roll_sure
    assert open_.entry.roll == Roll(3, 1)
    assert open_.probability == pytest.approx(0.6)
    assert decided((LEGAL, 0.96), (other_roll, 0.02), (OTHER, 0.02)).roll_sure
    assert decided((replace(LEGAL, roll=Roll(2, 1)), 0.6), (LEGAL, 0.4)).entry.roll == Roll(2, 1)


def test_the_likeliest_board_counts_and_not_the_likeliest_course_alone() -> None:
    """Three ways to one board are more than one way to another that is likelier than each of them."""
    verdict = decided(
        (OTHER, 0.4), *((replace(LEGAL, roll=roll), 0.2) for roll in (Roll(3, 1), Roll(2, 1), Roll(4, 1)))
    )
    assert verdict.entry.after == GOOD


def test_of_two_explanations_that_are_as_likely_the_first_is_told() -> None:
    breach = replace(BREACH, after=GOOD)
    assert decided((LEGAL, 0.5), (breach, 0.5)).entry == LEGAL
    assert decided((breach, 0.5), (LEGAL, 0.5)).entry == breach


def test_who_pushed_two_checkers_is_named_and_who_pushed_one_only_where_hands_were_seen() -> None:
    assert decided((PUSHED_TWO, 0.97), (LEGAL, 0.03)).by is DARK
    assert decided((PUSHED_ONE, 0.97), (LEGAL, 0.03)).by is None
    hands = {DARK: frozenset({1, 3})}
    assert decided((PUSHED_ONE, 0.97), (LEGAL, 0.03), touched=hands).by is DARK


def test_who_displaced_checkers_is_named_only_as_certainly_as_guilt() -> None:
    nobody = replace(PUSHED_TWO, by=None)
    assert decided((PUSHED_TWO, 0.901), (nobody, 0.099)).by is DARK
    doubted = decided((PUSHED_TWO, 0.899), (nobody, 0.101))
    assert doubted.by is None
    assert doubted.outcome is Outcome.DISTURBED


def test_two_verdicts_are_alike_where_a_rule_was_broken_or_the_same_play_was_made() -> None:
    assert alike(BREACH, ANOTHER_BREACH)
    assert not alike(BREACH, LEGAL)
    assert not alike(LEGAL, BREACH)
    assert alike(LEGAL, replace(LEGAL, roll=Roll(2, 1)))
    assert not alike(LEGAL, OTHER)
    assert not alike(VOID, hypothesis(Kind.NONE, START))
    twice = replace(LEGAL, then=hypothesis(after=BESIDE, before=GOOD, side=DARK, ply=1))
    assert not alike(LEGAL, twice)


def test_the_same_is_said_of_a_turn_where_side_number_change_and_board_are_one() -> None:
    assert same(LEGAL, replace(LEGAL, roll=Roll(2, 1), prior=-9.0, text="8/5 6/5"))
    for other in (
        replace(LEGAL, kind=Kind.ILLEGAL),
        replace(LEGAL, side=DARK),
        replace(LEGAL, ply=1),
        replace(LEGAL, after=BESIDE),
        replace(LEGAL, before=BESIDE),
        SLIPPED,
    ):
        assert not same(LEGAL, other)


sorts = st.sampled_from([LEGAL, OTHER, BREACH, ANOTHER_BREACH, VOID, PASSED, SLIPPED, PUSHED_TWO])


@given(sorts, sorts, sorts)
def test_alike_and_same_are_equivalences(one: Hypothesis, other: Hypothesis, third: Hypothesis) -> None:
    for relation in (alike, same):
        assert relation(one, one)
        assert relation(one, other) == relation(other, one)
        if relation(one, other) and relation(other, third):
            assert relation(one, third)


@given(st.lists(st.tuples(sorts, st.floats(0.01, 1)), min_size=1, max_size=8))
def test_a_verdict_is_a_probability_and_nothing_less_likely_than_its_threshold_is_told(
    made: list[tuple[Hypothesis, float]],
) -> None:
    total = sum(share for _, share in made)
    verdict = decided(*((one, share / total) for one, share in sorted(made, key=lambda each: -each[1])))
    right = sum(share / total for one, share in made if alike(one, verdict.entry))
    assert 0 < verdict.probability <= right + 1e-9
    certain = right >= (0.9 if accuses(verdict.entry) else 0.95) - 1e-9
    assert (verdict.outcome is not Outcome.UNSURE) <= certain
    guilty = sum(share / total for one, share in made if accuses(one))
    assert (verdict.outcome is Outcome.ILLEGAL) <= (guilty >= 0.9 - 1e-9)


def test_shares_of_equal_things_are_added() -> None:
    assert most_probable(["a", "b", "c", "b"], [0.4, 0.25, 0.1, 0.25]) == "b"
    beam: Beam = branches(
        ((LEGAL, replace(OTHER, before=GOOD)), 0.75), ((OTHER, replace(LEGAL, before=BESIDE)), 0.25)
    )
    shares = [0.75, 0.25]
    assert share_of(beam, shares, -1, lambda made: made.after == BESIDE) == 0.75
    assert share_of(beam, shares, 0, lambda made: made.after == BESIDE) == 0.25


def test_how_many_turns_went_before_does_not_make_a_play_doubtful() -> None:
    """Whether a turn that nobody saw went by long ago is not asked about again at every play."""
    verdict = decided((LEGAL, 0.6), (replace(LEGAL, ply=LEGAL.ply + 2), 0.4))
    assert verdict.outcome is Outcome.LEGAL
    assert verdict.probability == pytest.approx(1.0)


def test_a_doubt_about_the_board_before_is_inherited_and_one_about_the_play_is_not() -> None:
    elsewhere = after((13, 12))
    from_there = replace(LEGAL, before=elsewhere, after=after((8, 5), (6, 5), of=elsewhere))
    old = decided((LEGAL, 0.7), (from_there, 0.3))
    assert (old.outcome, old.inherited) == (Outcome.UNSURE, True)
    new = decided((LEGAL, 0.7), (OTHER, 0.3))
    assert (new.outcome, new.inherited) == (Outcome.UNSURE, False)
    assert not decided((LEGAL, 0.99), (from_there, 0.01)).inherited
    assert not decided((BREACH, 0.7), (replace(BREACH, before=elsewhere), 0.1), (LEGAL, 0.2)).inherited
