"""The sum of everything that a turn may have been, carried on from turn to turn."""

from dataclasses import replace
from math import log

import numpy as np
import pytest

from controller.referee.belief.beam import KEPT, KEPT_WITHIN, extend
from controller.referee.belief.branches import EndedBy, Kind, first_beam, weights
from controller.referee.belief.decision import Outcome, accuses
from controller.referee.belief.emission import Bias
from controller.rules.position import START, Position, Roll, Side
from tests.referee.belief.looks import (
    BESIDE,
    CAUTION,
    GOOD,
    HONEST,
    WRONG,
    after,
    branches,
    chance,
    hypothesis,
    look,
    rolled,
    sure,
    turn,
    weighed,
)

LIGHT, DARK = Side.LIGHT, Side.DARK
REPLY = after((8, 4), (6, 4), side=DARK, of=GOOD)
"""Dark's 4-2 after light's 3-1."""


def test_a_beam_is_sorted_and_keeps_no_more_and_nothing_worse_than_it_may() -> None:
    unclear = look(GOOD, 1, {point: dict.fromkeys(range(-3, 4), 0.0) for point in range(1, 25)})
    for shown in (turn(GOOD), turn(WRONG), turn(unclear)):
        beam = extend(first_beam(START, LIGHT), rolled(3, 1), shown, CAUTION)
        found = [branch.score for branch in beam]
        assert found == sorted(found, reverse=True)
        assert len(found) <= KEPT
        assert found[-1] >= found[0] - KEPT_WITHIN
        assert sum(weights(beam)) == pytest.approx(1)


def test_a_score_is_what_was_before_and_the_prior_and_the_look() -> None:
    for branch in extend(first_beam(START, LIGHT), rolled(3, 1), turn(WRONG), CAUTION):
        assert branch.score == pytest.approx(branch.base + branch.last.prior + branch.fit)


def test_boards_that_were_as_likely_before_are_told_apart_by_the_next_look() -> None:
    doubt = branches((hypothesis(after=GOOD), 0.5), (hypothesis(after=BESIDE), 0.5))
    verdict = weighed(rolled(4, 2, DARK), turn(REPLY, None), doubt)
    assert verdict.outcome is Outcome.LEGAL
    share = sum(
        share
        for branch, share in zip(verdict.beam, weights(verdict.beam), strict=True)
        if branch.history[0].after == GOOD
    )
    assert share > 0.999


def test_what_a_turn_was_keeps_its_weight_where_the_board_tells_nothing_of_it() -> None:
    """Two courses to one board: what follows speaks for both alike."""
    both = branches((hypothesis(after=GOOD), 0.7), (hypothesis(Kind.ILLEGAL, GOOD), 0.3))
    beam = extend(both, rolled(4, 2, DARK), turn(REPLY, GOOD), CAUTION)
    top = [branch for branch in beam if branch.last.kind is Kind.LEGAL and branch.position == REPLY]
    assert len(top) == 2
    assert top[0].score - top[1].score == pytest.approx(log(0.7 / 0.3))
    assert [branch.history[0].kind for branch in top] == [Kind.LEGAL, Kind.ILLEGAL]
    assert [branch.base for branch in top] == pytest.approx([0.0, log(0.3 / 0.7)])


def test_the_biases_of_a_course_are_its_own() -> None:
    """What one course takes for an error of the reader the other takes for a checker."""
    both = branches((hypothesis(after=GOOD), 0.5), (hypothesis(Kind.ILLEGAL, GOOD), 0.5))
    known = Bias.fresh(GOOD)
    known.points[5] = log(1e-9)
    known.points[5, HONEST + 1] = 0.0
    both = (both[0], replace(both[1], bias=known))
    beam = extend(both, rolled(4, 2, DARK), turn(look(REPLY, 2, hidden={6}), GOOD), CAUTION)
    shares = {branch.history[0].kind: float(np.exp(branch.bias.points[5, HONEST + 1])) for branch in beam[:2]}
    assert shares[Kind.LEGAL] < 0.01
    assert shares[Kind.ILLEGAL] > 0.9


def test_a_bias_is_learned_from_the_look_at_each_turn_and_helps_at_the_next() -> None:
    """Light's pile of five on the 13-point reads as seven, turn for turn."""
    beam, board, side = first_beam(START, LIGHT), START, LIGHT
    course = [(Roll(3, 1), GOOD), (Roll(4, 2), REPLY), (Roll(2, 1), after((6, 4), (24, 23), of=REPLY))]
    for roll, end in course:
        shown = replace(turn(look(end, 2, {13: sure(7)})), start=look(board, 2, {13: sure(7)}))
        verdict = weighed(rolled(*roll.dice, side), shown, beam)
        assert (verdict.outcome, verdict.entry.after) == (Outcome.LEGAL, end)
        beam, board, side = verdict.beam, end, side.opponent
    assert float(np.exp(beam[0].bias.points[12, HONEST + 2])) > 0.9


def test_the_next_roll_is_not_played_before_the_turn_is_over() -> None:
    begun = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(after((8, 5)))).beam
    assert begun[0].last.kind is Kind.UNFINISHED
    beam = extend(begun, rolled(4, 2, DARK), turn(after((8, 5)), after((8, 5))), CAUTION)
    for branch in beam:
        if branch.history[0].kind is Kind.UNFINISHED:
            assert branch.last.kind is Kind.VOID


def test_the_same_turn_without_a_breach_accuses_nobody() -> None:
    """The more clearly a legal play lies there, the less is left for anything else."""
    shares = [chance(weighed(rolled(3, 1), turn(look(GOOD, number))), accuses) for number in (1, 2, 3)]
    assert all(share < 1e-4 for share in shares)


def test_a_course_that_another_says_with_less_weight_stays_so_far_behind() -> None:
    far = branches((hypothesis(after=GOOD), 0.999999), (hypothesis(Kind.ILLEGAL, GOOD), 1e-9))
    beam = extend(far, rolled(4, 2, DARK), turn(REPLY, GOOD), CAUTION)
    assert all(branch.history[0].kind is Kind.LEGAL for branch in beam)


def test_a_roll_is_judged_alike_wherever_scores_are_counted_from() -> None:
    here = first_beam(START, LIGHT)
    there = (replace(here[0], score=500.0, base=500.0),)
    one, other = (extend(beam, rolled(3, 1), turn(WRONG), CAUTION) for beam in (here, there))
    assert [branch.score for branch in one] == pytest.approx([branch.score for branch in other])


def test_a_mirrored_board_is_judged_alike() -> None:
    mirror = Position.mirrored
    for board in (GOOD, WRONG, after((8, 5))):
        shown, flipped = turn(board), turn(mirror(board), mirror(START))
        one = weighed(rolled(3, 1, ended_by=EndedBy.ACT), shown)
        other = weighed(rolled(3, 1, DARK, ended_by=EndedBy.ACT), flipped, before=mirror(START), side=DARK)
        assert one.outcome is other.outcome
        assert mirror(one.entry.after) == other.entry.after
        assert one.probability == pytest.approx(other.probability, abs=1e-3)
        assert one.entry.text == other.entry.text


def test_the_look_at_the_start_tells_where_the_reader_errs() -> None:
    misread = {13: sure(4)}
    shown = turn(look(GOOD, 2, misread))
    shown = replace(shown, start=look(START, 2, misread))
    verdict = weighed(rolled(3, 1), shown)
    assert (verdict.outcome, verdict.entry.after) == (Outcome.LEGAL, GOOD)


FOUR = Position.from_compact("ACABcCB....b.AbBb.a....d.a")
FIVE = Position.from_compact("ACaBcCB....b.AbBb......eA.")
"""After dark's bar/22* 6/1 with a 5-3, which makes a pile of five on the 24-point."""


def test_a_new_pile_that_is_read_as_two_is_misread_rather_than_short_of_three_checkers() -> None:
    """Where no tray is in sight either may be; but hardly anybody loses three at once."""
    no_trays = (None, None)
    shown = turn(look(FIVE, 3, {24: sure(-2)}, trays=no_trays), None)
    shown = replace(shown, start=look(FOUR, 3, trays=no_trays))
    verdict = weighed(rolled(5, 3, DARK), shown, before=FOUR, side=DARK)
    assert (verdict.outcome, verdict.entry.after) == (Outcome.LEGAL, FIVE)
