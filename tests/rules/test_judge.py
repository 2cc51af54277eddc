"""The judge: verdicts in positions where players really go wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules import packed
from controller.rules.judging.judge import judge
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play
from controller.rules.position import START, Position, Roll, Side
from controller.rules.reasons import Judgement
from tests.amounts import amount
from tests.rules.strategies import positions, rolls, sides


def verdict(before: str, dice: tuple[int, int], after: str, side: Side = Side.LIGHT) -> Judgement:
    return judge(Position.from_compact(before), side, Roll.from_dice(*dice), Position.seen_compact(after))


def codes(found: Judgement) -> list[set[str]]:
    return [{str(reason.code) for reason in explanation} for explanation in found.explanations]


OPENING = START.compact()


def test_a_legal_play_is_told_in_notation() -> None:
    found = verdict(OPENING, (3, 1), "b...BD.B...eE...c.e....B..")
    assert found.legal
    assert found.play is not None
    assert format_play(found.play) == "8/5 6/5"
    assert found.reasons == found.nearest == found.explanations == ()


def test_a_dance_is_legal() -> None:
    dancing = "N.................bbbbbbA."
    found = verdict(dancing, (6, 1), dancing)
    assert found.legal
    assert found.play == ()


def test_arguments_are_numbered_from_lights_side_for_both_players() -> None:
    after = Position.from_counts([-2, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, -5, 5, 0, 0, 0, -3, 1, -5, 0, 0, 0, 0, 1])
    light = judge(START, Side.LIGHT, Roll.from_dice(6, 2), after)
    dark = judge(START, Side.DARK, Roll.from_dice(6, 2), after.mirrored())
    assert dict(light.reasons[0].arguments) == {"side": "light", "source": 6, "target": 8}
    assert dict(dark.reasons[0].arguments) == {"side": "dark", "source": 19, "target": 17}


def test_two_equal_explanations_are_both_given() -> None:
    found = verdict("b....E.C...eE...a.eb...B..", (5, 4), "b....E.C...eE.A.a.eb...A..")
    assert codes(found) == [{"blocked_point"}, {"blocked_point"}]
    assert {reason.arguments["point"] for reason in found.reasons} == {19, 20}


def test_every_rule_that_must_have_been_broken_is_named() -> None:
    found = verdict("b....E.C...eE...c.e....AA.", (6, 4), "b....EACA..eC...b.ea...AA.")
    assert codes(found) == [{"bar_first", "opponent_moved"}]


def test_the_nearest_legal_results_come_first() -> None:
    seen = Position.seen_compact("b....EAB...eE...c.e....B..")
    found = judge(START, Side.LIGHT, Roll.from_dice(3, 1), seen)
    differing = [
        sum(abs(a - b) for a, b in zip(near.points, seen.points, strict=True)) // 2 for near in found.nearest
    ]
    assert differing == sorted(differing)
    assert differing[0] == 1


def test_a_blot_that_was_only_touched_must_go_to_the_bar_too() -> None:
    found = verdict(".....................aaA..", (2, 1), "....................Aaa...")
    assert codes(found) == [{"hit_not_on_bar"}, {"hit_not_on_bar"}]
    assert {reason.arguments["point"] for reason in found.reasons} == {22, 23}


@pytest.mark.parametrize("found_on", ["b...BD.B...dE..ac.e....B..", "b..aBD.B...dE...c.e....B.."])
def test_a_hit_checker_left_on_the_board_is_hit_not_on_bar(found_on: str) -> None:
    before = "b...aE.C...dE...c.e....B.."
    found = verdict(before, (3, 1), found_on)
    assert codes(found) == [{"hit_not_on_bar"}]
    assert found.reasons[0].arguments["point"] == 5


def test_a_checker_put_on_a_closed_point_and_counted_with_its_holders_is_blocked_point() -> None:
    found = verdict("A....A...............b.B..", (2, 1), "A...A................b.A..")
    assert codes(found) == [{"blocked_point"}]


@pytest.mark.parametrize("bar", [".", "b"], ids=["holders covered", "holders on the bar"])
def test_a_checker_on_top_of_a_closed_point_is_blocked_point(bar: str) -> None:
    found = verdict("A....A...............b.B..", (2, 1), f"A...A................A.A.{bar}")
    assert codes(found) == [{"blocked_point"}]


def test_a_checker_that_cannot_have_been_borne_off_is_missing() -> None:
    found = verdict(OPENING, (3, 1), "b...BD.B...eD...c.e....B..")
    assert codes(found) == [{"checker_missing"}]
    assert found.reasons[0].arguments == {"side": "light", "point": 13, "count": 1}


def test_several_missing_checkers_are_counted() -> None:
    found = verdict(OPENING, (3, 1), "b...BD.B...bE...c.e....B..")
    assert [dict(reason.arguments) for reason in found.reasons] == [{"side": "dark", "point": 12, "count": 3}]


def test_two_checkers_that_went_astray_are_both_named() -> None:
    """One went 8 pips and one 2, which no roll allows."""
    found = verdict(OPENING, (6, 3), "b...AE.C..AeC...c.e....B..")
    assert codes(found) == [{"wrong_distance"}]
    assert [(reason.arguments["source"], reason.arguments["target"]) for reason in found.reasons] == [
        (13, 11),
        (13, 5),
    ]


def test_of_two_checkers_that_went_the_same_way_where_one_number_is_left_one_was_moved_besides() -> None:
    """Bar/22 is the three; no number of a 6-3 is four, and a third checker was moved."""
    found = verdict("..A..DaD...eC...c.e...AB.a", (6, 3), "..a..DaD...eC...c.c...bBB.", Side.DARK)
    assert codes(found)[0] == {"wrong_distance", "extra_checker_moved"}
    right = verdict("..A..DaD...eC...c.e...AB.a", (4, 3), "..a..DaD...eC...c.c...bBB.", Side.DARK)
    assert codes(right) == [{"extra_checker_moved"}]


def test_a_scrambled_board_is_not_blamed_on_anybody() -> None:
    found = verdict(OPENING, (3, 1), "..E..B.....B.C.ee...C.c..b")
    assert not found.legal
    assert found.reasons
    assert len(found.explanations) <= 16


@given(positions(), sides, rolls)
def test_every_result_of_plays_is_judged_legal(position: Position, side: Side, roll: Roll) -> None:
    for play in legal_plays(position, side, roll)[:8]:
        found = judge(position, side, roll, play.after)
        assert found.legal
        assert found.play is not None


@settings(max_examples=amount(40, 100))
@given(positions(), sides, rolls, positions())
def test_any_two_boards_get_a_verdict_that_is_the_same_seen_from_the_other_side(
    before: Position, side: Side, roll: Roll, after: Position
) -> None:
    found = judge(before, side, roll, after)
    other = judge(before.mirrored(), side.opponent, roll, after.mirrored())
    assert found.legal == other.legal
    assert found.legal or found.reasons
    assert found.codes == other.codes
    apart = [packed.difference(near.code, after.code) for near in found.nearest]
    assert apart == [packed.difference(near.code, after.mirrored().code) for near in other.nearest]
    surely = apart.index(apart[-1]) if apart else 0
    assert {near.mirrored() for near in found.nearest[:surely]} == set(other.nearest[:surely])


@given(positions(), sides, rolls, st.data())
def test_the_nearest_results_are_legal(
    position: Position, side: Side, roll: Roll, data: st.DataObject
) -> None:
    legal = [play.after for play in legal_plays(position, side, roll)]
    wrong = data.draw(positions())
    found = judge(position, side, roll, wrong)
    assert set(found.nearest) <= set(legal)
    assert found.legal == (wrong in legal)
