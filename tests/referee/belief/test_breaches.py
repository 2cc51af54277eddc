"""Which rule a board that no legal play reaches breaks, how likely that is, and how it reads."""

from dataclasses import replace
from math import inf, log

import numpy as np
import pytest

from controller.referee.belief.breaches import (
    HIDDEN_INTRUDER,
    INTRUDER,
    LIKELIEST,
    Breach,
    RollPlayed,
    breaches,
    likeliest,
    without_moved_pins,
)
from controller.referee.belief.emission import Bias, emission
from controller.referee.belief.rates import BREACHES, MISCOUNTED, SWEPT, breach_prior
from controller.referee.seeing.evidence import MOST, Evidence
from controller.rules.judging.judge import judge
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.reasons import Reason, ReasonCode
from tests.referee.belief.looks import CAUTION, GOOD, WRONG, after, look, seen

BACKWARDS = after((8, 5), of=Position.from_compact("b....D.C...eE...c.e....C.."))
CLOSED = Position.from_compact("b....E.C...eE...b.d.b..B..")
"""Dark holds light's 21-point: no 3 from 24."""


def told(board: Position, before: Position = START) -> Evidence:
    """What two pictures of a board say that came from another."""
    return emission(seen(board), seen(before), before, Bias.fresh(before))


def found(
    board: Position, roll: Roll, before: Position = START, side: Side = Side.LIGHT, least: float = -40.0
) -> list[Breach]:
    return list(breaches(RollPlayed(before, side, roll, CAUTION), told(board, before), least))


def codes(one: Breach) -> set[ReasonCode]:
    return {reason.code for reason in one.reasons}


def test_a_misread_number_is_named_with_the_change_and_the_nearest_legal_result() -> None:
    one = found(WRONG, Roll(3, 1))[0]
    assert one.after == WRONG
    assert codes(one) == {ReasonCode.WRONG_DISTANCE}
    assert one.text == "8/4 6/5"
    assert one.nearest is not None
    assert judge(START, Side.LIGHT, Roll(3, 1), one.nearest).legal


@pytest.mark.parametrize(
    ("board", "roll", "code"),
    [
        (after((8, 5)), Roll(3, 1), ReasonCode.UNUSED_DIE),
        (after((8, 5), (6, 5), (24, 23)), Roll(3, 1), ReasonCode.EXTRA_CHECKER_MOVED),
        (after((6, 0), (8, 5)), Roll(6, 3), ReasonCode.BEAR_OFF_EARLY),
        (after((6, 7), (6, 3)), Roll(3, 1), ReasonCode.BACKWARDS),
    ],
)
def test_each_breach_has_its_name(board: Position, roll: Roll, code: ReasonCode) -> None:
    assert code in {each for one in found(board, roll) if one.after == board for each in codes(one)}


def test_the_prior_of_a_board_is_that_of_all_its_explanations_together() -> None:
    verdict = judge(START, Side.LIGHT, Roll(3, 1), WRONG)
    plays = len(legal_plays(START, Side.LIGHT, Roll(3, 1)))
    alone = [breach_prior(way, plays) for way in verdict.explanations]
    assert alone == [MISCOUNTED.beside(plays)] * 2
    assert found(WRONG, Roll(3, 1))[0].prior == pytest.approx(MISCOUNTED.beside(plays) + log(2))


def swept(on_bar: int, aside: int) -> Position:
    """Light's checker of the 6 lies on dark's point; of the two that lay there so many are on the bar, and aside."""
    points = list(START.points)
    points[5], points[0], points[1] = 4, 1, -aside
    return Position.from_counts(points, 0, on_bar)


@pytest.mark.parametrize(("on_bar", "aside", "toll"), [(2, 0, SWEPT.log), (1, 1, 0.0), (1, 0, SWEPT.log)])
def test_a_point_that_is_hit_as_a_whole_is_rarer_than_one_of_whose_checkers_one_was_moved_aside(
    on_bar: int, aside: int, toll: float
) -> None:
    board = swept(on_bar, aside)
    plays = len(legal_plays(START, Side.LIGHT, Roll(5, 3)))
    ways = judge(START, Side.LIGHT, Roll(5, 3), board).explanations
    together = float(np.logaddexp.reduce([breach_prior(way, plays) for way in ways]))
    (one,) = (each for each in found(board, Roll(5, 3)) if each.after == board)
    assert one.prior == pytest.approx(together + toll)


def test_explanations_that_are_as_simple_are_told_too() -> None:
    verdict = judge(START, Side.LIGHT, Roll(3, 1), WRONG)
    one = found(WRONG, Roll(3, 1))[0]
    assert len(verdict.explanations) == 2
    assert all(way in (one.reasons, one.also) for way in verdict.explanations)
    assert one.reasons != one.also


def test_no_breach_is_a_legal_result_or_the_board_before() -> None:
    for board in (GOOD, START, WRONG, after((8, 5))):
        for one in found(board, Roll(3, 1)):
            assert one.after != START
            assert not judge(START, Side.LIGHT, Roll(3, 1), one.after).legal


def test_what_cannot_weigh_enough_is_not_worked_out() -> None:
    assert not found(WRONG, Roll(3, 1), least=0.0)
    assert not found(WRONG, Roll(3, 1), least=LIKELIEST + 0.1)
    near = found(WRONG, Roll(3, 1), least=-12.0)
    assert [one.after for one in near] == [WRONG]
    assert len(found(WRONG, Roll(3, 1), least=-inf)) > len(near)


def test_no_breach_is_likelier_than_the_likeliest_row() -> None:
    rows = [MISCOUNTED, *BREACHES.values()]
    assert max(row.beside(1, places=1) for row in rows) == LIKELIEST
    assert all(one.prior <= LIKELIEST + 1 for one in found(WRONG, Roll(3, 1)))


THREE_OF_BOTH = {21: {-3: 0.0, 3: -0.5, -2: -9.0}}
"""Three checkers are counted there, and whose they are is open."""
THREE_OF_DARK = {21: {-3: 0.0, -2: -9.0}}


@pytest.mark.parametrize(
    ("opinions", "worth"),
    [(THREE_OF_BOTH, INTRUDER), (THREE_OF_DARK, -HIDDEN_INTRUDER)],
)
def test_a_checker_that_landed_on_a_closed_point_is_found_although_it_is_not_told_apart_there(
    opinions: dict[int, dict[int, float]], worth: float
) -> None:
    """A reading by colour tells a point of dark's: it speaks for a visitor where both colours are seen."""
    gone = list(after((6, 5), of=CLOSED).points)
    gone[23] -= 1
    evidence = emission(
        look(Position.from_counts(gone), 3, opinions), seen(CLOSED), CLOSED, Bias.fresh(CLOSED)
    )
    found_ = [
        breach
        for breach in breaches(RollPlayed(CLOSED, Side.LIGHT, Roll(3, 1), CAUTION), evidence, -40.0)
        if breach.after.points[20] == -2 and codes(breach) == {ReasonCode.BLOCKED_POINT}
    ]
    one = max(found_, key=lambda breach: breach.prior + float(evidence.scores([breach.after])[0]))
    assert one.text == "24/21 6/5"
    plays = len(legal_plays(CLOSED, Side.LIGHT, Roll(3, 1)))
    elsewhere = float(evidence.blinded(20).scores([one.after])[0])
    score = one.prior + float(evidence.scores([one.after])[0])
    assert score == pytest.approx(breach_prior(one.reasons, plays) + worth + elsewhere, abs=0.1)


def test_a_checker_taken_back_from_the_tray_is_thought_of() -> None:
    home = Position.from_compact("CCCCB.............bbcccb..")
    assert home.off(Side.LIGHT) == 1
    back = list(home.points)
    back[5] += 1
    board = Position.from_counts(back, 0, home.bar(Side.DARK))
    assert any(one.after == board for one in found(board, Roll(2, 1), home))


def test_a_pile_that_looks_like_many_others_may_still_hold_what_a_play_brought_there() -> None:
    before = Position.from_compact("b.B.BE.A.A.bB...cbf....B..")
    # Dark's pile of six has one more, and a checker of light's is gone from 3.
    lies = after((8, 2), (7, 6), of=before, side=Side.DARK)
    lies = Position.seen([count - (point == 3) for point, count in enumerate(lies.points, 1)], 0, 0)
    evidence = emission(seen(lies), seen(before), before, Bias.fresh(before))
    rows = evidence.points.copy()
    rows[18] = -9.0
    for count, says in {-10: 0.0, -11: -0.5, -12: -1.0, -9: -1.2, -13: -1.5, -7: -3.4, -8: -3.5}.items():
        rows[18, count + MOST] = says
    turn = RollPlayed(before, Side.DARK, Roll(6, 1), CAUTION)
    boards = [one.after for one in breaches(turn, replace(evidence, points=rows), -60.0)]
    assert lies in boards


def test_the_likeliest_board_is_the_one_that_lies_there() -> None:
    assert likeliest(told(WRONG), START, Side.LIGHT, CAUTION) == WRONG


def test_a_pinned_checker_that_was_moved_is_not_pinned_any_more() -> None:
    board = Position.from_compact("b....E.C...eE...c.e....B..").with_hidden([5, 8])
    moved = Reason(ReasonCode.PINNED_MOVED, {"source": 5})
    assert without_moved_pins(board, (moved,)).pinned == (8,)
    assert without_moved_pins(board, (Reason(ReasonCode.UNUSED_DIE, {}),)) == board


def test_a_board_on_which_a_pinned_checker_was_drawn_out_has_it_lie_there_openly() -> None:
    """Light's checker under dark's on the 5-point goes to the 3-point."""
    caution = replace(CAUTION, rules=load_profile("plakoto").movement)
    points = [{5: -1, 13: 14, 19: -14}.get(point, 0) for point in range(1, 25)]
    before = Position.from_counts(points).with_hidden([5])
    points[12], points[11], points[2] = 13, 1, 1
    drawn = Position.from_counts(points)
    one = next(
        breach
        for breach in breaches(
            RollPlayed(before, Side.LIGHT, Roll(2, 1), caution), told(drawn, before), -40.0
        )
        if ReasonCode.PINNED_MOVED in codes(breach)
    )
    assert one.after.pinned == ()
    assert one.after.points == drawn.points


def test_a_checker_moved_backwards_in_a_bear_off_is_one_of_few_such_boards() -> None:
    """All of dark's checkers lie on one point, so hardly a board can be reached backwards."""
    before = Position.from_compact("GEBA...................i..")
    back = Position.from_compact("GEBA................a..g..")
    few = next(one for one in found(back, Roll(4, 3), before, Side.DARK) if one.after == back)
    assert codes(few) == {ReasonCode.BACKWARDS}
    assert few.prior > BREACHES[ReasonCode.BACKWARDS].beside(1) + 2
