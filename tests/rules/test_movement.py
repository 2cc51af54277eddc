"""The settings of movement: each changes what is legal, in plays and for the judge."""

import pytest

from controller.messages.game_words import reason_words
from controller.rules.judging.judge import judge
from controller.rules.moves.movement import (
    BearoffOrder,
    BearoffOversize,
    LargerDie,
    MaxDice,
    MovementError,
    MovementRules,
)
from controller.rules.moves.plays import is_result, legal_plays, resolve
from controller.rules.notation import format_play, parse_play
from controller.rules.position import START, Position, Roll, Side
from controller.rules.reasons import ReasonCode

FIVE = MovementRules(max_stack=5)
REARMOST = MovementRules(bearoff_order=BearoffOrder.REARMOST_ONLY)


def light(points: dict[int, int], dark: dict[int, int] | None = None, bar: int = 0) -> Position:
    """Light's checkers by point; dark's too, in light's numbering."""
    counts = [0] * 24
    for point, number in points.items():
        counts[point - 1] = number
    for point, number in (dark or {}).items():
        counts[point - 1] = -number
    return Position.from_counts(counts, bar_light=bar)


def written(position: Position, roll: Roll, rules: MovementRules) -> set[str]:
    return {format_play(play.play) for play in legal_plays(position, Side.LIGHT, roll, rules)}


def after(position: Position, roll: Roll, text: str) -> Position:
    """Where a play of the standard game leads."""
    return resolve(position, Side.LIGHT, roll, parse_play(text)).after


def test_five_on_a_point_is_the_most_where_the_limit_holds() -> None:
    roll = Roll.from_dice(2, 1)
    assert "24/23 8/6" in written(START, roll, MovementRules())
    assert not any("8/6" in text for text in written(START, roll, FIVE))
    wrong = after(START, roll, "24/23 8/6")
    assert not is_result(START, Side.LIGHT, roll, wrong, FIVE)
    assert judge(START, Side.LIGHT, roll, wrong, FIVE).codes == {ReasonCode.STACK_LIMIT}


def test_a_full_point_may_not_even_be_touched_on_the_way() -> None:
    position = light({12: 1, 6: 5, 1: 2}, {11: 2})
    roll = Roll.from_dice(6, 1)
    assert "12/5" in written(position, roll, MovementRules())
    assert "12/5" not in written(position, roll, FIVE)


def test_the_limit_can_take_a_turn_away() -> None:
    position = light({8: 5, 6: 5}, {2: 2, 4: 2, 5: 2, 7: 2, 3: 2})
    assert written(position, Roll.from_dice(2, 2), FIVE) == {"Cannot Move"}
    assert written(position, Roll.from_dice(2, 2), MovementRules()) != {"Cannot Move"}


def test_the_limit_holds_for_entering_but_not_for_the_bar_or_the_tray() -> None:
    position = light({20: 5}, bar=6)
    assert written(position, Roll.from_dice(5, 5), FIVE) == {"Cannot Move"}
    assert written(light({6: 5, 5: 5}), Roll.from_dice(6, 5), FIVE) == {"6/off 5/off", "6/1 6/off"}


def test_more_than_the_limit_may_stay_where_they_are() -> None:
    position = light({6: 8, 13: 1})
    assert "13/12 13/11" not in written(position, Roll.from_dice(2, 1), FIVE)
    assert "13/10" in written(position, Roll.from_dice(2, 1), FIVE)


def test_only_the_rearmost_are_borne_off_where_that_is_the_rule() -> None:
    position = light({6: 1, 3: 1}, {24: 2})
    assert written(position, Roll.from_dice(3, 3), REARMOST) == {"6/off 3/off"}
    roll = Roll.from_dice(3, 1)
    assert written(position, roll, MovementRules()) >= {"6/5 3/off"}
    assert not any("3/off" in text and "6/3" not in text for text in written(position, roll, REARMOST))
    wrong = after(position, roll, "6/5 3/off")
    verdict = judge(position, Side.LIGHT, roll, wrong, REARMOST)
    assert verdict.codes == {ReasonCode.BEAR_OFF_REARMOST_ONLY}
    assert "6-point" in reason_words(verdict.reasons[0]) or "5-point" in reason_words(verdict.reasons[0])


def test_a_large_number_bears_off_a_rearmost_checker_under_either_order() -> None:
    position = light({4: 2, 2: 1}, {24: 2})
    assert written(position, Roll.from_dice(6, 5), REARMOST) == written(
        position, Roll.from_dice(6, 5), MovementRules()
    )
    assert written(position, Roll.from_dice(6, 5), REARMOST) == {"4/off(2)"}


def test_an_optional_large_number_may_be_left_unplayed() -> None:
    optional = MovementRules(bearoff_oversize=BearoffOversize.OPTIONAL)
    position = light({3: 2, 1: 1}, {24: 2})
    roll = Roll.from_dice(6, 1)
    assert written(position, roll, MovementRules()) == {"3/2 3/off", "3/off 1/off"}
    assert written(position, roll, optional) == {"3/2 3/off", "3/off 1/off", "3/2", "1/off"}
    declined = light({3: 2}, {24: 2})
    assert judge(position, Side.LIGHT, roll, declined, optional).legal
    assert not judge(position, Side.LIGHT, roll, declined).legal
    left_the_one = judge(position, Side.LIGHT, roll, light({3: 1, 1: 1}, {24: 2}), optional)
    assert not left_the_one.legal
    assert ReasonCode.UNUSED_DIE in left_the_one.codes


def test_an_exact_number_must_bear_off_where_that_is_the_rule() -> None:
    exact = MovementRules(bearoff_exact_optional=False)
    position = light({6: 1, 4: 2}, {24: 2})
    assert written(position, Roll.from_dice(4, 1), MovementRules()) > written(
        position, Roll.from_dice(4, 1), exact
    )
    assert all("4/off" in text for text in written(position, Roll.from_dice(4, 1), exact))


def test_either_number_may_be_played_where_no_text_asks_for_the_larger() -> None:
    position = light({20: 1, 1: 2}, {9: 2})
    roll = Roll.from_dice(6, 5)
    assert written(position, roll, MovementRules()) == {"20/14"}
    silent = MovementRules(larger_die=LargerDie.NOT_STATED)
    assert written(position, roll, silent) == {"20/14", "20/15"}
    smaller = light({15: 1, 1: 2}, {9: 2})
    assert judge(position, Side.LIGHT, roll, smaller).codes == {ReasonCode.LARGER_DIE}
    assert judge(position, Side.LIGHT, roll, smaller, silent).legal


def test_dice_may_be_left_where_playing_them_is_only_advised() -> None:
    advisory = MovementRules(max_dice=MaxDice.ADVISORY)
    roll = Roll.from_dice(3, 1)
    half = light({20: 1}, {1: 2})
    start = light({21: 1}, {1: 2})
    assert judge(start, Side.LIGHT, roll, half).codes == {ReasonCode.UNUSED_DIE}
    assert judge(start, Side.LIGHT, roll, half, advisory).legal
    assert judge(start, Side.LIGHT, roll, start, advisory).legal
    assert written(start, roll, advisory) == {"21/17", "21/20", "21/18", "Cannot Move"}


def test_one_checker_closes_a_point_where_nothing_is_hit() -> None:
    no_hitting = MovementRules(landing_blocked_at=1)
    position = light({8: 1}, {5: 1})
    roll = Roll.from_dice(3, 1)
    assert "8/5* 5/4" in written(position, roll, MovementRules())
    assert written(position, roll, no_hitting) == {"8/4"}
    hit = after(position, roll, "8/5* 5/4")
    assert ReasonCode.BLOCKED_POINT in judge(position, Side.LIGHT, roll, hit, no_hitting).codes


def test_the_bar_may_wait_where_the_rules_say_so() -> None:
    patient = MovementRules(bar_enter_first=False)
    position = light({13: 2}, {24: 1}, bar=1)
    roll = Roll.from_dice(6, 4)
    assert "13/9 13/7" not in written(position, roll, MovementRules())
    assert "13/9 13/7" in written(position, roll, patient)


@pytest.mark.parametrize("setting", [{"max_stack": 0}, {"max_stack": 15}, {"landing_blocked_at": 3}])
def test_impossible_settings_are_refused(setting: dict[str, int]) -> None:
    with pytest.raises(MovementError, match=next(iter(setting))):
        MovementRules(**setting)  # type: ignore[arg-type]
