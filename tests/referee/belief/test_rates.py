"""The table of kinds: every broken rule has its row, and rare things stay rarer than common ones."""

from dataclasses import fields
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.belief import rates
from controller.referee.belief.breaches import LIKELIEST
from controller.referee.belief.rates import (
    BREACHES,
    FURTHER_RULE,
    LEFT_UNUSED,
    MISCOUNTED,
    ONE_MORE,
    SAME_RULE_AGAIN,
    WHICH_CHECKER,
    WHOLE_TURN,
    Rate,
    breach_prior,
    changed_mind_prior,
    early_prior,
    hit_late_prior,
)
from controller.rules.reasons import COUNT_CODES, Reason, ReasonCode
from tests.rows import each_row

CODES = list(ReasonCode)
FORGOTTEN_BAR = Reason(ReasonCode.BAR_FIRST, {})
BLOCKED = Reason(ReasonCode.BLOCKED_POINT, {})
UNUSED = Reason(ReasonCode.UNUSED_DIE, {})
OTHERS = Reason(ReasonCode.OPPONENT_MOVED, {})


def wrong(distance: int, *dice: int) -> Reason:
    return Reason(ReasonCode.WRONG_DISTANCE, {"distance": distance, "dice": list(dice)})


def test_every_broken_rule_has_a_row_and_nothing_else_has() -> None:
    assert set(BREACHES) == set(ReasonCode)


def test_together_the_broken_rules_are_a_few_turns_in_a_hundred() -> None:
    """Nobody has counted them: with about this share four films were judged without a fault."""
    assert 0.01 < sum(rate.share for rate in BREACHES.values()) < 0.06


@each_row("code", CODES)
def test_a_turn_against_a_rule_is_rarer_than_one_in_two_hundred_and_no_miracle(code: ReasonCode) -> None:
    assert log(1 / 200) >= BREACHES[code].beside(1) > log(1 / 2_000_000)


@given(st.sampled_from(CODES), st.integers(0, 500), st.integers(0, 500))
def test_one_of_more_boards_is_no_likelier_than_one_of_few(code: ReasonCode, one: int, other: int) -> None:
    few, many = sorted((one, other))
    reason = Reason(code, {})
    assert breach_prior((reason,), few) >= breach_prior((reason,), many)
    if BREACHES[code].a_play and max(few, BREACHES[code].fewest) * BREACHES[code].a_play < many:
        assert breach_prior((reason,), few) > breach_prior((reason,), many)


@each_row("code", [code for code in CODES if BREACHES[code].a_play])
def test_a_turn_with_three_times_as_many_plays_gives_a_third_to_each_board(code: ReasonCode) -> None:
    reason = (Reason(code, {}),)
    assert breach_prior(reason, 10) - breach_prior(reason, 30) == pytest.approx(log(3))


@each_row(
    "code",
    [
        ReasonCode.EXTRA_CHECKER_MOVED,
        ReasonCode.HIT_NOT_ON_BAR,
        ReasonCode.OPPONENT_MOVED,
        ReasonCode.CHECKER_MISSING,
        ReasonCode.CHECKER_EXTRA,
    ],
)
def test_what_is_done_beside_a_legal_play_is_as_likely_beside_the_only_one_as_beside_one_of_many(
    code: ReasonCode,
) -> None:
    """A legal play of many is less likely by just as much."""
    reason = (Reason(code, {}),)
    assert breach_prior(reason, 1) - breach_prior(reason, 20) == pytest.approx(log(20))


def test_who_has_few_places_to_move_from_breaks_a_rule_on_few_boards() -> None:
    reason = (Reason(ReasonCode.BACKWARDS, {}),)
    priors = [breach_prior(reason, 1, places) for places in (1, 2, 3, rates.MANY, 12)]
    assert priors == sorted(priors, reverse=True)
    assert priors[0] - priors[3] == pytest.approx(log(BREACHES[ReasonCode.BACKWARDS].fewest))
    assert priors[3] == priors[4]


def test_few_places_make_no_board_likelier_whose_plays_are_counted() -> None:
    reason = (Reason(ReasonCode.BACKWARDS, {}),)
    assert breach_prior(reason, 10, 1) == breach_prior(reason, 10, 12)


@given(st.floats(1e-6, 1.0), st.floats(1.0, 1e6), st.floats(1.0, 100.0))
def test_the_boards_of_a_row_share_its_rate(share: float, boards: float, more: float) -> None:
    rate = Rate(share, boards)
    assert exp(rate.log) * boards == pytest.approx(share)
    assert Rate(share, boards * more).log <= rate.log + 1e-9
    assert rate.beside(1) == rate.beside(500) == pytest.approx(rate.log)


@given(st.sampled_from(CODES), st.sampled_from(CODES), st.integers(1, 60))
def test_two_rules_are_broken_more_rarely_than_one(one: ReasonCode, other: ReasonCode, plays: int) -> None:
    if {one, other} & (LEFT_UNUSED | WHICH_CHECKER):
        return
    both = breach_prior((Reason(one, {}), Reason(other, {})), plays)
    assert both < max(breach_prior((Reason(code, {}),), plays) for code in (one, other)) - 1


@pytest.mark.parametrize("other", [ReasonCode.BAR_FIRST, ReasonCode.BEAR_OFF_EARLY, ReasonCode.BACKWARDS])
def test_two_rules_are_broken_more_rarely_than_the_rarer_of_them(other: ReasonCode) -> None:
    both = breach_prior((BLOCKED, Reason(other, {})), 20)
    assert both == pytest.approx(
        min(breach_prior((BLOCKED,), 20), breach_prior((Reason(other, {}),), 20)) + FURTHER_RULE.log, abs=0.8
    )


ALONE = sorted(set(CODES) - LEFT_UNUSED - WHOLE_TURN - WHICH_CHECKER)
"""Rules of which each costs its own deed."""


@given(st.lists(st.sampled_from(ALONE), min_size=1, max_size=4))
def test_each_further_rule_costs_as_much(codes: list[ReasonCode]) -> None:
    reasons = tuple(Reason(code, {}) for code in codes)
    more = (*reasons, Reason(codes[0], {}))
    assert breach_prior(more, 10) - breach_prior(reasons, 10) == pytest.approx(FURTHER_RULE.log)


@pytest.mark.parametrize("which", sorted(WHICH_CHECKER))
def test_who_miscounts_with_a_checker_that_may_not_move_errs_once(which: ReasonCode) -> None:
    far = Reason(ReasonCode.WRONG_DISTANCE, {})
    assert breach_prior((Reason(which, {}), far), 10) == breach_prior((far,), 10)
    blocked = breach_prior((Reason(which, {}), BLOCKED), 10)
    assert blocked < breach_prior((Reason(which, {}),), 10) + FURTHER_RULE.log + 0.1


def test_who_forgets_the_bar_with_one_number_forgets_it_with_the_other() -> None:
    once, twice = breach_prior((FORGOTTEN_BAR,), 10), breach_prior((FORGOTTEN_BAR, FORGOTTEN_BAR), 10)
    assert once - twice == pytest.approx(-SAME_RULE_AGAIN.log)
    assert once - twice < 2
    blocked = breach_prior((BLOCKED,), 10) - breach_prior((BLOCKED, BLOCKED), 10)
    assert blocked == pytest.approx(-FURTHER_RULE.log)
    assert blocked > 6


def test_who_plays_a_number_with_the_opponents_checker_leaves_it_unused_by_the_same_deed() -> None:
    assert breach_prior((UNUSED, OTHERS), 10) == breach_prior((OTHERS,), 10)
    assert breach_prior((UNUSED, BLOCKED), 10) < breach_prior((BLOCKED,), 10) - 5


def test_miscounting_by_one_is_likelier_than_any_other_distance() -> None:
    by_one = [breach_prior((wrong(distance, 5, 3),), 10) for distance in (2, 4, 6)]
    further = [breach_prior((wrong(distance, 6, 1),), 10) for distance in (3, 4)]
    assert by_one == [pytest.approx(MISCOUNTED.beside(10))] * 3
    assert further == [pytest.approx(BREACHES[ReasonCode.WRONG_DISTANCE].beside(10))] * 2
    assert min(by_one) > max(further) + 1


def test_a_play_too_small_is_the_commonest_breach_and_moving_backwards_a_rare_one() -> None:
    shares = {code: rate.share for code, rate in BREACHES.items() if code not in COUNT_CODES}
    assert max(shares, key=lambda code: shares[code]) is ReasonCode.WRONG_DISTANCE
    assert shares[ReasonCode.BACKWARDS] == min(shares.values())


@given(st.floats(0, 100), st.floats(0, 100))
def test_the_longer_a_board_lay_still_the_less_likely_the_play_was_to_go_on(one: float, other: float) -> None:
    short, long = sorted((one, other))
    assert early_prior(short) >= early_prior(long) >= early_prior(1000)
    assert hit_late_prior(short) >= hit_late_prior(long)
    assert changed_mind_prior(short) >= changed_mind_prior(long) >= rates.CHANGED_MIND.log


def test_what_lay_still_for_no_time_has_the_whole_rate() -> None:
    assert early_prior(0) == early_prior(-1) == rates.EARLY.log
    assert early_prior(1) == pytest.approx(rates.EARLY.log - rates.STILL_EACH_S)
    assert early_prior(4) == early_prior(60) == pytest.approx(rates.EARLY.log - 4 * rates.STILL_EACH_S)
    assert hit_late_prior(0) == hit_late_prior(rates.HIT_LATE_S) == rates.HIT_LATE.log
    assert changed_mind_prior(0) == 0
    assert changed_mind_prior(1) == pytest.approx(-rates.STILL_EACH_S)
    assert changed_mind_prior(60) == rates.CHANGED_MIND.log
    assert hit_late_prior(rates.HIT_LATE_S + 3) == pytest.approx(rates.HIT_LATE.log - 3)


def test_what_happens_every_evening_is_likelier_than_what_never_does() -> None:
    """In this order: a roll made again, a hand taken for none, a bump, a board that nothing explains."""
    order = [rates.VOID, rates.GLITCH, rates.OUT_OF_TURN, rates.BUMPED, rates.UNEXPLAINED]
    assert [rate.log for rate in order] == sorted((rate.log for rate in order), reverse=True)
    assert rates.VOID.log > rates.VOID_AFTER_ACT.log + 4
    assert rates.PUSHED.log > rates.PUSHED_OWN.log + 4
    assert all(rates.UNEXPLAINED.log < rate.beside(100) - 5 for rate in BREACHES.values())


def test_what_happens_at_every_table_is_likelier_than_any_board_against_the_rules() -> None:
    usual = [
        *(rates.VOID, rates.NOT_A_DIE, rates.GLITCH, rates.HIT_LATE, rates.LATE, rates.PUT_RIGHT),
        *(rates.EARLY, rates.UNSEEN, rates.MISSED_TURN, rates.NO_ROLL, rates.PASSED, rates.ROLLED_AGAIN),
    ]
    assert min(rate.log for rate in usual) > LIKELIEST
    assert all(rate.share <= 0.5 for rate in usual)


def test_rows_are_shares_of_turns() -> None:
    rows = [value for value in vars(rates).values() if isinstance(value, Rate)]
    assert len(rows) > 20
    assert all(0 < row.share < 1 and row.boards >= 1 for row in [*rows, *BREACHES.values()])
    assert [each.name for each in fields(Rate)] == ["share", "boards", "a_play", "fewest"]


@pytest.mark.parametrize("code", [*sorted(COUNT_CODES), ReasonCode.EXTRA_CHECKER_OFF])
def test_each_further_checker_that_is_gone_from_a_place_is_as_much_rarer(code: ReasonCode) -> None:
    one, three = (breach_prior((Reason(code, {"count": count}),), 10) for count in (1, 3))
    assert three - one == pytest.approx(2 * ONE_MORE.log)
