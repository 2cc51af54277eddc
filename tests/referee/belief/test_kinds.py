"""What a roll may have become: every row of the table against the others, as the board shows it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.referee.belief import rates
from controller.referee.belief.branches import (
    EndedBy,
    Hypothesis,
    Kind,
    Passage,
    Throw,
    Touched,
    TurnLook,
    first_beam,
    lawful,
)
from controller.referee.belief.decision import Outcome, accuses
from controller.referee.belief.kinds import TurnCase, nothing_moved, void_prior
from controller.referee.belief.touches import blame
from controller.rules.position import START, Position, Roll, Side
from controller.rules.reasons import COUNT_CODES, ReasonCode
from tests.referee.belief.looks import (
    BESIDE,
    CAUTION,
    GOOD,
    WRONG,
    after,
    best,
    chance,
    look,
    rolled,
    seen,
    turn,
    weighed,
)

LIGHT, DARK = Side.LIGHT, Side.DARK
PUSHED = after((24, 22), side=DARK)
"""One of dark's rearmost checkers lies two points on, and nothing was played."""
PLAYED_AND_PUSHED = after((24, 22), side=DARK, of=GOOD)
EXPOSED = Position.from_compact("b...aE.C...dE...c.e....B..")
"""Dark has a blot on light's 5-point."""
HIT = after((8, 5), (6, 5), of=EXPOSED)
HIT_IN_HAND = Position.from_counts(HIT.points)
"""The same before dark's checker is laid on the bar."""
NONE_OFF = ({0: 0.0}, {0: 0.0})
"""Both trays are seen to be empty."""
OTHERS_PLAY = after((8, 5), (6, 5), side=DARK)


def legal_to(board: Position) -> Callable[[Hypothesis], bool]:
    return lambda made: made.kind is Kind.LEGAL and made.after == board and made.lies is None


def is_void(made: Hypothesis) -> bool:
    return made.kind is Kind.VOID


# Legal plays.


def test_a_legal_play_is_told_with_its_roll_and_the_side_that_made_it() -> None:
    verdict = weighed(rolled(3, 1), turn(GOOD))
    assert verdict.outcome is Outcome.LEGAL
    assert (verdict.entry.after, verdict.entry.roll, verdict.entry.side) == (GOOD, Roll(3, 1), LIGHT)
    assert verdict.probability > 0.999


def test_all_legal_plays_of_a_roll_are_alike_before_they_are_seen() -> None:
    verdict = weighed(rolled(3, 1), turn(GOOD))
    plays = len(lawful(START, LIGHT, Roll(3, 1)))
    assert best(verdict, legal_to(GOOD)).last.prior == pytest.approx(-log(plays))


def test_a_legal_play_is_preferred_to_a_misread_number_by_the_rates_and_the_number_of_boards() -> None:
    """Where the board speaks alike for both: 4-1 was rolled, or 3-1 and a point miscounted."""
    open_ = Throw({Roll(4, 1): log(0.5), Roll(3, 1): log(0.5)}, {LIGHT: 0.0}, 3.0, reported=False)
    verdict = weighed(open_, turn(WRONG))
    legal, miscounted = best(verdict, legal_to(WRONG)), best(verdict, accuses)
    plays = [len(lawful(START, LIGHT, roll)) for roll in (Roll(4, 1), Roll(3, 1))]
    ways = 2
    assert legal.score - miscounted.score == pytest.approx(
        -log(plays[0]) - rates.MISCOUNTED.beside(plays[1]) - log(ways)
    )
    assert (verdict.outcome, verdict.entry.roll) == (Outcome.LEGAL, Roll(4, 1))


def test_a_roll_that_is_less_likely_makes_its_play_so() -> None:
    sure = Throw({Roll(3, 1): 0.0, Roll(4, 1): -4.0}, {LIGHT: 0.0}, 3.0, reported=False)
    surer = replace(sure, rolls={Roll(3, 1): 0.0, Roll(4, 1): -6.0})
    odds = [
        best(verdict, legal_to(WRONG)).score - best(verdict, accuses).score
        for verdict in (weighed(sure, turn(WRONG)), weighed(surer, turn(WRONG)))
    ]
    assert odds[0] - odds[1] == pytest.approx(2.0)


def test_what_nobody_saw_leaves_the_plays_as_likely_as_before() -> None:
    blind = look(START, 2, hidden=range(1, 25))
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(blind))
    assert verdict.outcome is Outcome.UNSURE
    assert chance(verdict, legal_to(GOOD)) == pytest.approx(chance(verdict, legal_to(BESIDE)))


def test_the_play_shows_which_side_rolled_where_that_is_open() -> None:
    open_ = rolled(3, 1, sides={LIGHT: log(0.5), DARK: log(0.5)})
    assert weighed(open_, turn(GOOD), side=None).entry.side is LIGHT
    assert weighed(open_, turn(OTHERS_PLAY), side=None).entry.side is DARK


# Plays against the rules.


@pytest.mark.parametrize(
    ("board", "code"),
    [
        (WRONG, ReasonCode.WRONG_DISTANCE),
        (after((8, 5), (6, 5), (24, 20)), ReasonCode.EXTRA_CHECKER_MOVED),
        (after((13, 14), (24, 21)), ReasonCode.BACKWARDS),
    ],
)
def test_a_play_against_the_rules_is_named(board: Position, code: ReasonCode) -> None:
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(board))
    assert verdict.outcome is Outcome.ILLEGAL
    assert verdict.entry.after == board
    assert code in {reason.code for reason in (*verdict.entry.reasons, *verdict.entry.also)}


def test_nothing_moved_is_idle_while_the_turn_goes_on_and_against_the_rules_where_the_player_says_it_is_over() -> (
    None
):
    assert weighed(rolled(3, 1), turn(START)).outcome is Outcome.IDLE
    passed = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(START))
    assert passed.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in passed.entry.reasons] == [ReasonCode.NOTHING_MOVED]
    assert passed.entry.nearest is not None


def test_who_cannot_move_breaks_no_rule_by_not_moving() -> None:
    shut = Position.from_counts([0] * 18 + [-2] * 6, 1, 0)
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(shut, shut), before=shut)
    assert verdict.outcome is Outcome.LEGAL
    assert verdict.entry.after == shut
    case = TurnCase(first_beam(shut, LIGHT)[0], rolled(3, 1), turn(shut, shut), CAUTION)
    assert not list(nothing_moved(case, -50.0))


# Rolls that were thrown again.


def test_a_roll_that_is_thrown_again_is_void_and_no_turn() -> None:
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(START))
    assert verdict.outcome is Outcome.IDLE
    branch = verdict.beam[0]
    assert (branch.last.kind, branch.side, branch.ply) == (Kind.VOID, LIGHT, 0)
    assert not branch.last.is_turn
    played = weighed(rolled(6, 4), turn(after((24, 14))), verdict.beam)
    assert played.outcome is Outcome.LEGAL
    assert [one.kind for one in played.beam[0].history] == [Kind.VOID, Kind.LEGAL]
    assert (played.entry.ply, played.entry.side) == (0, LIGHT)


def test_the_longer_a_roll_lay_the_less_likely_it_was_to_be_thrown_again() -> None:
    shares = [
        chance(weighed(rolled(3, 1, ended_by=EndedBy.LIFTED, lay_s=lay_s), turn(START)), is_void)
        for lay_s in (1.0, 3.0, 5.0, 7.0, 60.0)
    ]
    assert shares[0] == shares[1] > shares[2] > shares[3] == shares[4]
    assert shares[1] > 0.95
    assert shares[3] < 0.5


def test_nothing_moved_against_a_void_roll_are_weighed_by_their_rates() -> None:
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(START))
    lead = best(verdict, is_void).score - best(verdict, accuses).score
    assert lead == pytest.approx(rates.VOID.log - rates.BREACHES[ReasonCode.NOTHING_MOVED].log)


def test_a_roll_counts_once_the_player_has_said_that_the_turn_is_over_and_may_be_none_where_one_die_was_seen() -> (
    None
):
    assert void_prior(rolled(3, 1)) == 0.0
    said = void_prior(rolled(3, 1, ended_by=EndedBy.ACT))
    assert said == rates.VOID_AFTER_ACT.log
    lifted = void_prior(rolled(3, 1, ended_by=EndedBy.LIFTED))
    assert said < lifted == rates.VOID.log
    for later in (EndedBy.LIFTED, EndedBy.ROLL):
        assert void_prior(rolled(3, 1, ended_by=later, said_over=True)) == said
    assert void_prior(rolled(3, 1, said_over=True)) == 0.0
    assert void_prior(rolled(3, 1, ended_by=EndedBy.LIFTED, seen=1)) == rates.NOT_A_DIE.log > lifted


# Looks.


def test_a_single_picture_after_another_board_may_be_a_glitch() -> None:
    alone = weighed(rolled(3, 1), turn(look(WRONG, 1)))
    doubted = weighed(rolled(3, 1), turn(look(WRONG, 1), earlier=seen(GOOD)))
    assert alone.outcome is Outcome.ILLEGAL
    assert doubted.outcome is Outcome.UNSURE
    assert doubted.entry.after == GOOD


def test_a_play_changed_after_the_turn_was_ended_is_asked_about_by_both_looks() -> None:
    """What lay there when the turn was ended counts: a later change is rare, but no miracle."""
    right_then = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(GOOD, ended=seen(WRONG)))
    assert (right_then.outcome, right_then.entry.after) == (Outcome.LEGAL, GOOD)
    wrong_then = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(WRONG, ended=seen(GOOD)))
    only_now = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(WRONG))
    assert chance(wrong_then, accuses) < chance(only_now, accuses)


def test_what_lay_there_at_the_end_is_no_seeming_end_of_a_roll_that_does_not_lead_to_it() -> None:
    """Once the turn was over, the board was knocked: a 6-3 explains what it left, but not what had lain there."""
    before = Position.from_compact("CCA.C.......A.cB.bdBb.ac..")
    made = Position.from_compact("CCA.C.......A.bB.ccBb.ad..")
    knocked = Position.from_compact("CCA.C........AbB.bdBb.ad..")
    throw = Throw({Roll(5, 3): -0.2, Roll(6, 3): -3.0}, {DARK: 0.0}, 5.0, reported=False)
    verdict = weighed(throw, turn(knocked, before, ended=seen(made)), before=before, side=DARK)
    assert (verdict.entry.after, verdict.entry.lies) == (made, knocked)
    assert chance(verdict, accuses) < 0.05


# Checkers that somebody displaced.


def test_a_bump_that_slips_a_checker_of_each_side_to_the_next_point_accuses_nobody() -> None:
    bumped = after((24, 23), side=DARK, of=after((13, 14), of=GOOD))
    verdict = weighed(rolled(3, 1), turn(bumped))
    assert verdict.outcome in (Outcome.DISTURBED, Outcome.UNSURE)
    assert verdict.entry.after == GOOD
    assert verdict.entry.lies == bumped
    assert verdict.by is None
    assert set(verdict.points) == {1, 2, 13, 14}


def test_a_checker_pushed_by_the_side_not_on_turn_accuses_nobody() -> None:
    for touched in (None, {LIGHT: frozenset({5, 6, 8}), DARK: frozenset({1, 3})}):
        verdict = weighed(rolled(3, 1), turn(PLAYED_AND_PUSHED, touched=touched))
        assert verdict.outcome is not Outcome.ILLEGAL
        assert verdict.by is (None if touched is None else DARK)
        assert chance(verdict, lambda made: made.after == GOOD and made.by is DARK) > 0.1


def test_a_push_before_the_play_is_thought_of_where_a_picture_showed_it() -> None:
    def pushed_first(made: Hypothesis) -> bool:
        return made.pushed_from == START and made.before == PUSHED and made.by is DARK

    shown = weighed(rolled(3, 1), turn(PLAYED_AND_PUSHED, between=(seen(PUSHED),)))
    alone = weighed(rolled(3, 1), turn(PLAYED_AND_PUSHED))
    assert chance(shown, pushed_first) > 0.1
    assert chance(alone, pushed_first) < chance(shown, pushed_first) / 10
    assert best(shown, pushed_first).last.after == PLAYED_AND_PUSHED
    assert shown.outcome is not Outcome.ILLEGAL


def test_checkers_pushed_before_anything_was_played_leave_the_roll_to_be_played() -> None:
    verdict = weighed(rolled(3, 1), turn(PUSHED, touched={DARK: frozenset({1, 3})}))
    assert is_void(verdict.entry)
    assert (verdict.entry.by, verdict.entry.lies) == (DARK, PUSHED)
    assert (verdict.beam[0].position, verdict.beam[0].lies) == (START, PUSHED)


def test_hands_over_other_points_clear_a_side_and_none_at_all_clear_it_more() -> None:
    def dark_did_it(made: Hypothesis) -> bool:
        return made.by is DARK

    over, beside, away = (
        best(weighed(rolled(3, 1), turn(PUSHED, touched=touched)), dark_did_it).last.prior
        for touched in (
            {DARK: frozenset({1, 3})},
            {DARK: frozenset({1, 12})},
            {LIGHT: frozenset({1, 3})},
        )
    )
    unknown = best(weighed(rolled(3, 1), turn(PUSHED)), dark_did_it).last.prior
    assert over - unknown == pytest.approx(-rates.HAND_BY_CHANCE.log)
    assert beside - unknown == pytest.approx(rates.NOT_OVER.log)
    assert away - unknown == pytest.approx(rates.NOT_THERE.log)


def test_hands_clear_a_side_of_a_push_before_and_after_the_play_alike() -> None:
    def after_play(made: Hypothesis) -> bool:
        return made.by is DARK and made.lies == PLAYED_AND_PUSHED

    def before_play(made: Hypothesis) -> bool:
        return made.by is DARK and made.pushed_from == START

    for when in (after_play, before_play):
        there, away = (
            best(
                weighed(rolled(3, 1), turn(PLAYED_AND_PUSHED, between=(seen(PUSHED),), touched=touched)), when
            ).last.prior
            for touched in ({DARK: frozenset({1, 3}), LIGHT: frozenset({5})}, {LIGHT: frozenset({5})})
        )
        assert there - away == pytest.approx(-rates.NOT_THERE.log - rates.HAND_BY_CHANCE.log)


@settings(max_examples=30, deadline=None)
@given(st.frozensets(st.integers(1, 24)), st.frozensets(st.integers(1, 24)))
def test_more_of_a_hand_over_what_changed_never_clears_a_side(
    some: frozenset[int], more: frozenset[int]
) -> None:
    def told(points: frozenset[int]) -> float:
        shown = turn(PUSHED, touched={DARK: points, LIGHT: frozenset({5})})
        return blame(shown, DARK, START, PUSHED)

    assert told(some) <= told(some | more) <= 0.0
    assert told(frozenset({1, 3})) == 0.0


def test_hands_of_which_nothing_is_known_say_nothing() -> None:
    unknown: list[Mapping[Side, frozenset[int]] | None] = [None, {}, {LIGHT: frozenset(), DARK: frozenset()}]
    for touched in unknown:
        assert blame(turn(PUSHED, touched=touched), DARK, START, PUSHED) == 0.0


def test_checkers_that_lay_displaced_may_stay_or_be_put_back_with_the_next_play() -> None:
    branch = replace(first_beam(START, LIGHT)[0], lies=PUSHED)
    stays = weighed(rolled(3, 1), turn(PLAYED_AND_PUSHED, PUSHED), (branch,))
    back = weighed(rolled(3, 1), turn(GOOD, PUSHED), (branch,))
    assert stays.outcome is back.outcome is Outcome.LEGAL
    assert (stays.entry.before, stays.entry.pushed_from) == (PUSHED, START)
    assert (back.entry.before, back.entry.pushed_from) == (START, None)
    assert back.entry.prior - stays.entry.prior == pytest.approx(
        log(rates.PUT_RIGHT.share / (1 - rates.PUT_RIGHT.share))
        - log(len(lawful(START, LIGHT, Roll(3, 1))) / len(lawful(PUSHED, LIGHT, Roll(3, 1))))
    )


def test_the_board_may_be_bumped_again_once_what_lay_displaced_was_put_right() -> None:
    branch = replace(first_beam(START, LIGHT)[0], lies=PUSHED)
    bumped = after((6, 5), side=DARK, of=after((13, 14), of=GOOD))
    verdict = weighed(rolled(3, 1), turn(bumped, START), (branch,))
    assert verdict.outcome in (Outcome.DISTURBED, Outcome.UNSURE)
    assert (verdict.entry.before, verdict.entry.after, verdict.entry.lies) == (START, GOOD, bumped)
    at_once = weighed(rolled(3, 1), turn(bumped, START))
    assert verdict.entry.prior - at_once.entry.prior == pytest.approx(rates.PUT_RIGHT.log)


def test_the_other_side_that_takes_the_roll_for_its_own_is_named_and_the_roll_is_still_to_be_played() -> None:
    verdict = weighed(rolled(3, 1), turn(OTHERS_PLAY))
    assert verdict.outcome is Outcome.DISTURBED
    assert verdict.by is DARK
    assert is_void(verdict.entry)
    assert verdict.entry.lies == OTHERS_PLAY
    plays = len([end for end in lawful(START, DARK, Roll(3, 1)) if end != START])
    assert verdict.entry.prior == pytest.approx(rates.OUT_OF_TURN.log - log(plays))
    assert verdict.beam[0].side is LIGHT


def test_hands_clear_the_other_side_of_having_played_the_roll() -> None:
    verdict = weighed(rolled(3, 1), turn(OTHERS_PLAY, touched={LIGHT: frozenset(range(1, 25))}))
    assert (
        best(verdict, lambda made: made.by is DARK).last.prior < rates.OUT_OF_TURN.log + rates.NOT_THERE.log
    )


# Checkers that are not where they belong.


def test_a_hit_checker_still_in_the_hand_accuses_nobody_and_is_asked_for() -> None:
    for trays in (NONE_OFF, None):
        verdict = weighed(rolled(3, 1), turn(look(HIT_IN_HAND, 2, trays=trays), EXPOSED), before=EXPOSED)
        assert verdict.entry.kind is Kind.LEGAL
        assert verdict.entry.after == HIT
        assert verdict.entry.in_hand
        assert verdict.outcome is Outcome.UNSURE


def test_once_the_hit_checker_lies_on_the_bar_the_play_counts() -> None:
    verdict = weighed(rolled(3, 1), turn(HIT, EXPOSED), before=EXPOSED)
    assert verdict.outcome is Outcome.LEGAL
    assert not verdict.entry.in_hand


def test_the_longer_a_hit_checker_is_missing_the_less_likely_it_is_to_be_in_a_hand() -> None:
    borne_off = look(HIT_IN_HAND, 2, trays=({0: 0.0}, {1: 0.0}))
    soon, late = (
        weighed(rolled(3, 1), replace(turn(borne_off, EXPOSED), stood_s=stood_s), before=EXPOSED)
        for stood_s in (1.0, 20.0)
    )
    assert soon.entry.in_hand
    assert late.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in late.entry.reasons] == [ReasonCode.HIT_NOT_ON_BAR]


def test_a_checker_that_is_in_no_tray_fell_and_accuses_nobody() -> None:
    points = list(GOOD.points)
    points[12] -= 1
    fallen = Position.from_counts(points)
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(look(fallen, 3, trays=NONE_OFF)))
    assert verdict.outcome is Outcome.UNSURE
    assert chance(verdict, accuses) < 0.02

    def lost(made: Hypothesis) -> bool:
        return bool(made.reasons) and made.reasons[0].code in COUNT_CODES and made.after == fallen

    blind = weighed(rolled(3, 1), turn(look(fallen, 3, trays=(None, None))))
    assert best(verdict, lost).fit == pytest.approx(best(blind, lost).fit, abs=0.1)


IN_LIGHTS_TRAY = ({1: 0.0}, {0: 0.0})
IN_DARKS_TRAY = ({0: 0.0}, {1: 0.0})


def test_a_checker_that_is_seen_in_the_tray_was_taken_off() -> None:
    points = list(GOOD.points)
    points[12] -= 1
    verdict = weighed(
        rolled(3, 1, ended_by=EndedBy.ACT), turn(look(Position.from_counts(points), 3, trays=IN_LIGHTS_TRAY))
    )
    assert verdict.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in verdict.entry.reasons] == [ReasonCode.EXTRA_CHECKER_OFF]


def test_whose_deed_it_was_that_the_others_checker_lies_in_its_tray_only_hands_tell() -> None:
    points = list(GOOD.points)
    points[0] += 1
    shown = look(Position.from_counts(points), 3, trays=IN_DARKS_TRAY)
    unknown = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(shown))
    assert unknown.outcome is Outcome.UNSURE
    hands = {LIGHT: frozenset({1, 5, 6, 8})}
    known = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(shown, touched=hands))
    assert known.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in known.entry.reasons] == [ReasonCode.OPPONENT_MOVED]


def test_a_checker_of_the_others_that_is_gone_is_the_deed_of_the_only_hand_that_was_over_it() -> None:
    points = list(GOOD.points)
    points[0] += 1
    gone = turn(look(Position.from_counts(points), 3), touched={LIGHT: frozenset({1, 5, 6, 8})})
    taken = weighed(rolled(3, 1, ended_by=EndedBy.ACT), gone)
    assert taken.outcome is Outcome.ILLEGAL
    (reason,) = taken.entry.reasons
    assert (reason.code, reason.arguments["source"], reason.arguments["target"]) == (
        ReasonCode.OPPONENT_MOVED,
        1,
        "off",
    )
    for hands in (
        None,
        {LIGHT: frozenset({5, 6, 8})},
        {LIGHT: frozenset({1, 5, 6, 8}), DARK: frozenset({1})},
    ):
        both = turn(look(Position.from_counts(points), 3), touched=hands)
        assert weighed(rolled(3, 1, ended_by=EndedBy.ACT), both).outcome is Outcome.UNSURE


def test_a_slip_of_the_others_checker_under_the_players_hand_is_no_cheat_once_the_play_lay_there() -> None:
    slipped = after((24, 23), side=DARK, of=GOOD)
    hands = {LIGHT: frozenset({1, 2, 5, 6, 8})}
    at_once = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(slipped, touched=hands))
    assert at_once.outcome is Outcome.ILLEGAL
    shown = turn(slipped, touched=hands, between=(seen(GOOD),))
    later = weighed(rolled(3, 1, ended_by=EndedBy.ACT), shown)
    assert later.outcome in (Outcome.DISTURBED, Outcome.UNSURE)
    assert chance(later, lambda made: made.by is LIGHT) > chance(later, accuses)


@pytest.mark.parametrize(("lay_s", "costs"), [(0.5, -0.5), (2.0, -2.0), (4.0, rates.CHANGED_MIND.log)])
def test_a_legal_play_that_lay_there_for_a_while_is_seldom_changed_into_one_that_breaks_a_rule(
    lay_s: float, costs: float
) -> None:
    at_once = weighed(rolled(3, 1), turn(WRONG))
    for lay, costs_so in ((GOOD, costs), (after((8, 5)), 0.0)):
        paused = weighed(rolled(3, 1), turn(WRONG, between=(seen(lay),), between_s=(lay_s,)))
        more = best(paused, accuses).last.prior - best(at_once, accuses).last.prior
        assert more == pytest.approx(costs_so)


def test_who_left_a_legal_play_there_seldom_changes_it_and_moves_a_checker_of_the_others_besides() -> None:
    """Dark's 8/7 6/2 lies there; then the 8/7 is undone, and a checker of light's lies one point on."""
    before = Position.from_compact("BDC...A.........bdbdC.cB..")
    played = Position.from_compact("BDC...A.........bcbdC.dB..")
    board = Position.from_compact("BDC..A..........bdadC.dB..")
    throw = rolled(4, 1, DARK, ended_by=EndedBy.ACT)

    def costs(lay: Position) -> float:
        views = (turn(board, before), turn(board, before, between=(seen(lay),), between_s=(1.0,)))
        at_once, later = (weighed(throw, shown, before=before, side=DARK) for shown in views)
        return best(later, accuses).last.prior - best(at_once, accuses).last.prior

    begun = Position.from_compact("BDC...A.........bdbdC.cB..")
    assert costs(begun) == pytest.approx(0.0)
    assert costs(played) == pytest.approx(rates.LATER.log - 1.0)


def test_a_board_that_is_bumped_into_another_roll_after_the_play_lay_there_accuses_nobody() -> None:
    """Light's 4-3 lies there for seconds; then a checker slips, and the whole is a play of 2-2."""
    before = Position.from_compact("b.C.BB.BB..b..B.b..aacdB..")
    played = after((9, 6), (9, 5), of=before)
    slipped = after((8, 7), of=played)
    paused = turn(slipped, before, between=(seen(played),))
    verdict = weighed(rolled(4, 3, ended_by=EndedBy.ACT), paused, before=before)
    assert verdict.outcome is not Outcome.ILLEGAL
    assert chance(verdict, lambda made: made.lies == slipped and made.by is None) > 0.05


def slipped_later(touched: Touched | None, slip: tuple[int, int]) -> TurnLook:
    """Light's 3-1 lay there for three seconds; then a checker of it went to the next point, under these hands."""
    played, slipped = seen(GOOD), seen(after(slip, of=GOOD))
    passages = (Passage(played, {LIGHT: frozenset({5, 6, 8})}), Passage(slipped, touched))
    return TurnLook(slipped, seen(START), between=(played,), between_s=(3.0,), passages=passages)


@pytest.mark.parametrize("slip", [(5, 6), (8, 9), (6, 7), (24, 23)])
def test_what_undoes_a_play_while_nobodys_hand_is_over_the_board_was_a_knock_rather(
    slip: tuple[int, int],
) -> None:
    by_hand, by_itself = (
        weighed(rolled(3, 1, ended_by=EndedBy.ACT), slipped_later(touched, slip))
        for touched in ({LIGHT: frozenset(slip)}, {})
    )
    assert by_itself.outcome is not Outcome.ILLEGAL
    assert chance(by_itself, lambda made: made.lies is not None and made.by is None) > 0.4
    assert chance(by_itself, accuses) < min(chance(by_hand, accuses), 0.5)
    undone, moved = (best(one, accuses).last.prior for one in (by_itself, by_hand))
    assert undone - moved == pytest.approx(rates.NO_HAND.log)


def test_who_made_a_legal_play_that_no_hand_was_seen_to_make_has_made_it_all_the_same() -> None:
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(GOOD, touched={}))
    assert (verdict.outcome, verdict.entry.after) == (Outcome.LEGAL, GOOD)
    assert weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(WRONG, touched={})).outcome is Outcome.ILLEGAL


def test_who_hits_has_a_hand_over_the_blot() -> None:
    over, beside = (
        best(
            weighed(rolled(3, 1), turn(HIT, EXPOSED, touched={LIGHT: points}), before=EXPOSED),
            lambda made: made.kind is Kind.LEGAL and made.after == HIT,
        ).last.prior
        for points in (frozenset({5, 6, 8}), frozenset({6, 8}))
    )
    assert beside - over == pytest.approx(rates.NOT_OVER.log)


def test_who_takes_a_hit_checker_from_the_bar_at_once_does_so_more_rarely_than_later() -> None:
    """Where nobody saw it on the bar, it is likelier that the player never laid it there."""

    def taken_back(made: Hypothesis) -> bool:
        return made.by is DARK and made.after == HIT and made.lies == elsewhere

    points = list(HIT_IN_HAND.points)
    points[9] = -1
    elsewhere = Position.from_counts(points)
    at_once = weighed(rolled(3, 1), turn(look(elsewhere, 4), EXPOSED), before=EXPOSED)
    seen_there = turn(look(elsewhere, 4), EXPOSED, between=(seen(HIT),))
    later = weighed(rolled(3, 1), seen_there, before=EXPOSED)
    rarer = best(at_once, taken_back).last.prior - best(later, taken_back).last.prior
    assert rarer == pytest.approx(rates.HIT_TAKEN_BACK.log)
    assert at_once.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in at_once.entry.reasons] == [ReasonCode.HIT_NOT_ON_BAR]
    assert chance(later, accuses) < chance(at_once, accuses)


def test_the_hand_of_the_side_not_on_turn_over_just_these_points_is_hardly_there_by_chance() -> None:
    slipped = after((24, 23), side=DARK, of=GOOD)
    odds = [
        chance(verdict, lambda made: made.by is DARK)
        / chance(verdict, lambda made: made.by is None and made.lies == slipped)
        for verdict in (
            weighed(rolled(3, 1), turn(slipped, touched=touched))
            for touched in (
                None,
                {DARK: frozenset({1, 2})},
                {DARK: frozenset({1, 2}), LIGHT: frozenset({5, 6})},
            )
        )
    ]
    assert odds[1] / odds[0] == pytest.approx(1 / rates.HAND_BY_CHANCE.share, rel=0.01)
    assert odds[2] == pytest.approx(odds[1], rel=0.01)


def test_a_hand_that_was_seen_over_other_points_makes_an_illegal_play_no_less_likely_than_a_legal_one() -> (
    None
):
    unknown = weighed(rolled(3, 1), turn(WRONG))
    beside = weighed(rolled(3, 1), turn(WRONG, touched={LIGHT: frozenset({6, 13})}))
    assert beside.outcome is Outcome.ILLEGAL
    assert chance(beside, accuses) == pytest.approx(chance(unknown, accuses), abs=0.001)


# Plays that were not finished, or that nobody understands.


def test_a_play_that_was_begun_when_the_next_roll_came_may_be_unfinished() -> None:
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(after((8, 5))))
    assert verdict.outcome is Outcome.UNSURE
    assert verdict.entry.kind is Kind.UNFINISHED
    said = weighed(rolled(3, 1, ended_by=EndedBy.ACT), turn(after((8, 5))))
    assert said.outcome is Outcome.ILLEGAL
    assert [reason.code for reason in said.entry.reasons] == [ReasonCode.UNUSED_DIE]


def test_the_longer_the_board_stood_the_likelier_it_is_that_one_die_was_left() -> None:
    shares = [
        chance(weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(after((8, 5)), stood_s=stood_s)), accuses)
        for stood_s in (0.0, 2.0, 4.0, 40.0)
    ]
    assert shares[0] < shares[1] < shares[2] == shares[3]
    assert shares[0] < 0.15
    assert shares[2] > 0.5


@pytest.mark.parametrize("dice", [(3, 1), (1, 1)])
def test_what_a_hand_left_before_the_next_roll_is_seen_by_nobody_yet(dice: tuple[int, int]) -> None:
    """However many ways there are to begin the play: most plays are made in one go."""
    verdict = weighed(rolled(*dice, ended_by=EndedBy.ROLL), turn(START, stale=True))
    assert verdict.outcome is Outcome.UNSURE
    assert verdict.entry.kind is Kind.UNFINISHED
    begun = weighed(rolled(*dice, ended_by=EndedBy.ROLL), turn(after((6, 5)), stale=True))
    assert (begun.entry.kind, begun.entry.after) == (Kind.UNFINISHED, after((6, 5)))


def test_a_play_of_which_no_more_can_be_made_is_not_unfinished() -> None:
    """Of light's 6-6 two sixes can be played; dark's hand is over the board to roll when they have been."""
    before = Position.from_compact("bEDaC.B........A..c..ccb.a")
    played = Position.from_compact("bEDAC.B...........c..ccb.b")
    assert lawful(before, LIGHT, Roll(6, 6)) == (played,)
    verdict = weighed(rolled(6, 6, ended_by=EndedBy.ROLL), turn(played, before, stale=True), before=before)
    assert verdict.outcome is Outcome.LEGAL
    assert chance(verdict, lambda made: made.kind is Kind.UNFINISHED) < 0.001


def test_nothing_is_unfinished_where_nothing_can_be_played() -> None:
    shut = Position.from_counts([0] * 18 + [-2] * 6, 1, 0)
    verdict = weighed(rolled(3, 1, ended_by=EndedBy.ROLL), turn(shut, shut, stale=True), before=shut)
    assert chance(verdict, lambda made: made.kind is Kind.UNFINISHED) == 0.0


def test_an_illegal_play_that_is_half_put_back_is_no_other_play_with_two_places_misread() -> None:
    before = Position.from_compact("CC...BAb...bB...b.bD.aae..")
    wrong = Position.from_compact("CCA.BA.b...bA...b.bD.aae..")
    half = Position.from_compact("CC..BB.b...bA...b.bD.aae..")
    shown = turn(look(half, 1), before)
    verdict = weighed(rolled(4, 4, wrong=wrong), shown, before=before)
    assert verdict.outcome is Outcome.UNSURE
    assert (verdict.entry.kind, verdict.entry.after) == (Kind.UNFINISHED, half)
    assert weighed(rolled(4, 4), shown, before=before).entry.kind is not Kind.UNFINISHED


def test_every_board_on_the_way_back_from_an_illegal_play_is_thought_of_and_the_tray_tells_between_them() -> (
    None
):
    """Light bore off one checker more than it may. One lies on the 4-point again: it came from the pile on the
    2-point, which looks no lower, and not from the tray, which still holds three."""
    before = Position.from_compact("bHCCc......a...a..d.ac....")
    wrong = Position.from_compact("bIC.c......a...a..d.ac....")
    half = Position.from_compact("bHCAc......a...a..d.ac....")
    pile = {8: -1.5, 9: 0.0, 10: -1.5}
    trays = ({2: -4.0, 3: 0.0, 4: -4.0}, {0: 0.0, 1: -4.0})
    start = look(before, trays=({0: -4.0, 1: 0.0, 2: -4.0}, {0: 0.0, 1: -4.0}))
    shown = replace(turn(look(half, opinions={2: pile}, trays=trays)), start=start)
    verdict = weighed(rolled(4, 2, wrong=wrong), shown, before=before)
    assert verdict.outcome is Outcome.UNSURE
    assert chance(verdict, lambda made: made.kind is Kind.UNFINISHED and made.after == half) > 0.05


def test_an_illegal_play_may_be_put_right_by_making_a_legal_one_at_once() -> None:
    verdict = weighed(rolled(3, 1, wrong=WRONG), turn(GOOD))
    assert verdict.outcome is Outcome.LEGAL
    assert verdict.entry.after == GOOD


def test_a_checker_that_is_in_a_hand_while_an_illegal_play_is_put_right_is_not_missing() -> None:
    wrong = after((8, 5), (24, 18))
    held = Position.from_counts([*START.points[:7], START.points[7] - 1, *START.points[8:]])
    verdict = weighed(rolled(3, 1, wrong=wrong), turn(look(held, trays=NONE_OFF)))
    assert verdict.outcome is Outcome.UNSURE
    assert (verdict.entry.kind, verdict.entry.after) == (Kind.UNFINISHED, held)


def test_a_board_that_no_row_explains_is_as_it_is_seen_and_nobody_is_told_why() -> None:
    mess = after((24, 22), (8, 4), (6, 3), side=DARK, of=GOOD)
    verdict = weighed(rolled(3, 1), turn(mess))
    assert verdict.outcome is Outcome.UNSURE
    assert verdict.entry.kind is Kind.UNCLEAR
    assert verdict.entry.after == mess
