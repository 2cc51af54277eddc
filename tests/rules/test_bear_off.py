"""Checkers that leave the board against the rules: taken off, or missing."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from controller.rules import packed
from controller.rules.judging.judge import Trays, judge
from controller.rules.moves.law import breaches, can_step, short_breaches
from controller.rules.moves.movement import STANDARD
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import BAR, OFF
from controller.rules.packed import EMPTY
from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.rules.reasons import COUNT_CODES, Judgement, Reason, ReasonCode
from tests.amounts import amount
from tests.rules.strategies import positions, rolls, sides

TOO_SMALL, EXTRA = "bear_off_number_too_small", "extra_checker_off"
MISSING, HIGHER, EARLY = "checker_missing", "bear_off_higher_exists", "bear_off_early"
TAKEN_OFF = {ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL, ReasonCode.EXTRA_CHECKER_OFF}
CASES = amount(1_000, 3_000)


def board(light: dict[int, int], dark: dict[int, int] | None = None, bar_dark: int = 0) -> Position:
    """Light's checkers and dark's by point, all from light's side."""
    points = [0] * 24
    for point, count in light.items():
        points[point - 1] = count
    for point, count in (dark or {}).items():
        points[point - 1] = -count
    return Position.from_counts(points, 0, bar_dark)


def full(after: Position) -> Trays:
    """Trays that hold every checker which the board does not."""
    return Trays(light=after.off(Side.LIGHT), dark=after.off(Side.DARK))


def verdict(
    before: Position, dice: tuple[int, int], after: Position, trays: Trays | None = None
) -> Judgement:
    return judge(before, Side.LIGHT, Roll.from_dice(*dice), after, STANDARD, trays or Trays())


def codes(found: Judgement) -> list[set[str]]:
    return [{str(reason.code) for reason in explanation} for explanation in found.explanations]


def arguments(found: Judgement, code: str) -> list[dict[str, object]]:
    return [dict(reason.arguments) for reason in found.reasons if reason.code == code]


def test_five_off_with_a_four_is_a_number_too_small() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 3: 1, 2: 3})
    found = verdict(before, (4, 3), after)
    assert codes(found) == [{TOO_SMALL}, {MISSING}]
    assert arguments(found, TOO_SMALL) == [{"side": "light", "source": 5, "target": "off", "die": 4}]
    assert codes(verdict(before, (4, 3), after, full(after))) == [{TOO_SMALL}]


def test_points_are_numbered_from_lights_side_when_dark_bears_off_wrongly() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 3: 1, 2: 3})
    found = judge(before.mirrored(), Side.DARK, Roll.from_dice(4, 3), after.mirrored())
    assert arguments(found, TOO_SMALL) == [{"side": "dark", "source": 20, "target": "off", "die": 4}]


def test_a_number_too_small_is_named_whether_higher_points_hold_checkers_or_not() -> None:
    for higher in ({6: 2}, {}):
        before = board({**higher, 5: 2, 3: 2})
        after = board({**higher, 5: 1, 3: 1})
        assert codes(verdict(before, (4, 3), after, full(after))) == [{TOO_SMALL}]


def test_a_third_checker_off_after_both_numbers_is_one_too_many() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 2: 2})
    found = verdict(before, (6, 5), after)
    assert codes(found) == [{EXTRA}, {MISSING}]
    assert arguments(found, EXTRA) == [
        {"side": "light", "source": 2, "target": "off", "dice": [6, 5], "count": 1}
    ]
    assert codes(verdict(before, (6, 5), after, full(after))) == [{EXTRA}]


def test_a_fifth_checker_off_after_a_double_is_one_too_many() -> None:
    before, after = board({3: 6, 1: 2}), board({3: 2, 1: 1})
    assert codes(verdict(before, (3, 3), after)) == [{EXTRA}, {MISSING}]
    assert codes(verdict(before, (3, 3), after, full(after))) == [{EXTRA}]


def test_two_checkers_too_many_are_only_believed_to_be_off_if_the_tray_holds_them() -> None:
    before, after = board({6: 2, 5: 2, 2: 4}), board({6: 1, 5: 1, 2: 2})
    assert codes(verdict(before, (6, 5), after)) == [{MISSING}]
    found = verdict(before, (6, 5), after, full(after))
    assert codes(found) == [{EXTRA}]
    assert arguments(found, EXTRA)[0]["count"] == 2


def test_the_last_checkers_can_be_taken_off_wrongly_too() -> None:
    gone = board({})
    assert TOO_SMALL in verdict(board({6: 1}), (2, 1), gone).codes
    assert EXTRA in verdict(board({1: 3}), (2, 1), gone).codes
    assert verdict(board({1: 2}), (2, 1), gone).legal


def test_numbers_that_cannot_be_played_any_more_are_no_second_offence() -> None:
    """3/off with the 1 leaves nothing that the 5 could move, though 3/2 and 2/off would have used both."""
    before, after = board({3: 1}, {2: 1, 20: 3}), board({}, {2: 1, 20: 3})
    assert {TOO_SMALL} in codes(verdict(before, (5, 1), after))


def test_what_explains_every_checker_on_the_board_comes_first_and_what_misses_one_last() -> None:
    before, after = board({3: 1}, {2: 1, 20: 3}), board({}, {2: 1, 20: 3})
    found = codes(verdict(before, (5, 1), after))
    assert found.index({"unused_die"}) < found.index({TOO_SMALL}) < len(found) - 1
    assert MISSING in found[-1]


def test_a_number_left_that_can_be_played_is_a_second_offence() -> None:
    dark = {4: 2, 3: 2}
    before, after = board({6: 2, 5: 2, 2: 3}, dark), board({5: 2, 2: 3}, dark)
    assert TOO_SMALL not in verdict(before, (2, 2), after).codes
    assert {TOO_SMALL, "unused_die"} in codes(verdict(before, (2, 2), after, full(after)))


def test_a_larger_number_from_a_lower_point_stays_what_it_is() -> None:
    before, after = board({6: 2, 3: 2}), board({6: 1, 5: 1, 3: 1})
    for trays in (None, full(after)):
        assert codes(verdict(before, (5, 1), after, trays)) == [{HIGHER}]


def test_who_is_not_all_home_bears_off_early_or_misses_a_checker() -> None:
    before, after = board({13: 1, 6: 2, 5: 2}), board({13: 1, 6: 1, 5: 1, 3: 1})
    assert codes(verdict(before, (4, 3), after)) == [{MISSING}]
    found = verdict(before, (4, 3), after, full(after))
    assert codes(found) == [{EARLY}]
    assert arguments(found, EARLY) == [
        {"side": "light", "source": 5, "target": "off", "die": 4, "outside": ["13"]}
    ]


def test_who_brings_the_last_checker_home_may_bear_off_with_the_other_number() -> None:
    before, after = board({8: 1, 5: 2}), board({5: 1, 2: 1})
    assert codes(verdict(before, (6, 4), after)) == [{TOO_SMALL}, {MISSING}]
    assert codes(verdict(before, (6, 4), after, full(after))) == [{TOO_SMALL}]


def test_a_checker_from_outside_is_only_taken_to_be_off_if_the_tray_holds_it() -> None:
    before, after = board({13: 1, 6: 2, 5: 2}), board({6: 1, 5: 1, 2: 2})
    assert codes(verdict(before, (4, 3), after)) == [{MISSING}]
    assert codes(verdict(before, (4, 3), after, full(after))) == [{EXTRA}]


def test_who_still_has_a_checker_outside_is_not_taken_to_have_borne_off() -> None:
    before, after = board({13: 1, 6: 2, 5: 2}), board({13: 1, 6: 1, 2: 2})
    assert not verdict(before, (4, 3), after).codes & TAKEN_OFF
    assert {EXTRA} in codes(verdict(before, (4, 3), after, full(after)))


def test_without_a_counted_tray_two_rules_are_not_taken_to_be_broken() -> None:
    dark = {5: 2, 4: 2}
    before, after = board({6: 3, 3: 2}, dark), board({3: 2}, dark)
    assert not verdict(before, (2, 1), after).codes & TAKEN_OFF
    assert {TOO_SMALL, EXTRA} in codes(verdict(before, (2, 1), after, full(after)))


def test_as_long_as_a_number_is_left_no_checker_is_one_too_many_or_went_a_wrong_distance() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 2, 5: 2, 2: 2})
    found = codes(verdict(before, (6, 5), after, full(after)))
    assert {HIGHER, "unused_die"} in found
    assert not {EXTRA, "wrong_distance"} & set().union(*found)


def test_a_checker_that_hit_and_was_taken_off_from_there_is_one_too_many() -> None:
    before, after = board({6: 2, 5: 2}, {1: 1, 20: 2}), board({6: 1, 5: 1, 2: 1}, {20: 2}, bar_dark=1)
    assert codes(verdict(before, (5, 3), after)) == [{EXTRA}, {MISSING}]


def test_a_checker_that_came_home_in_the_same_turn_and_was_taken_off_is_one_too_many() -> None:
    before, after = board({9: 2, 4: 2}), board({5: 1})
    found = verdict(before, (4, 4), after, full(after))
    assert {EXTRA} in codes(found)
    assert arguments(found, EXTRA) == [
        {"side": "light", "source": 5, "target": "off", "dice": [4, 4], "count": 1}
    ]
    assert {EXTRA} in codes(verdict(before, (4, 4), after))


def test_a_checker_that_is_in_no_tray_is_missing() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 3: 1, 2: 3})
    assert codes(verdict(before, (4, 3), after, Trays(light=before.off(Side.LIGHT)))) == [{MISSING}]


def test_a_tray_with_more_than_there_can_be_says_nothing() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 3: 1, 2: 3})
    assert verdict(before, (4, 3), after, Trays(light=15)) == verdict(before, (4, 3), after)


def test_a_missing_checker_is_given_beside_what_was_borne_off_even_if_more_must_have_gone_wrong() -> None:
    """Where dark holds the 1-point, 5/1 would land on it: no checker can have got lost on the way."""
    before, after = board({6: 2, 5: 2}, {1: 2}), board({6: 1, 5: 1, 3: 1}, {1: 2})
    found = codes(verdict(before, (4, 3), after))
    assert {TOO_SMALL} in found
    assert found[-1] == {MISSING, "unused_die"}


def test_an_opponents_checker_is_missing_unless_his_tray_holds_it() -> None:
    before = board({6: 2, 5: 2}, {20: 3})
    after = board({6: 1, 5: 1}, {20: 2})
    assert codes(verdict(before, (6, 5), after)) == [{MISSING}]
    assert codes(verdict(before, (6, 5), after, Trays(dark=12))) == [{MISSING}]
    found = verdict(before, (6, 5), after, Trays(dark=13))
    assert codes(found) == [{"opponent_moved"}]
    assert found.reasons[0].arguments == {"side": "light", "source": 20, "target": "off"}


def test_a_hit_checker_in_the_tray_is_found_there() -> None:
    before, after = board({6: 2, 5: 2}, {2: 1, 20: 2}), board({6: 1, 5: 1, 2: 2}, {20: 2})
    assert verdict(before, (4, 3), after).reasons[0].arguments["found"] is None
    found = verdict(before, (4, 3), after, Trays(dark=13))
    assert codes(found) == [{"hit_not_on_bar"}]
    assert found.reasons[0].arguments["found"] == "off"


def test_a_legal_result_is_legal_whatever_the_trays_hold() -> None:
    before, after = board({6: 2, 5: 2}), board({6: 1, 5: 1})
    for count in range(16):
        assert verdict(before, (6, 5), after, Trays(light=count, dark=count)).legal


def test_in_the_nearest_results_nothing_changes_by_the_trays() -> None:
    before, after = board({6: 2, 5: 2, 2: 3}), board({6: 1, 5: 1, 3: 1, 2: 3})
    nearest = verdict(before, (4, 3), after).nearest
    assert nearest == verdict(before, (4, 3), after, full(after)).nearest
    assert nearest[0] in {play.after for play in legal_plays(before, Side.LIGHT, Roll.from_dice(4, 3))}


def stepped(position: Position, source: int, target: int) -> Position:
    """Light's checker moved, a blot sent to the bar."""
    points = list(position.points)
    points[source - 1] -= 1
    bar = position.bar(Side.DARK)
    if target > OFF:
        hit = points[target - 1] == -1
        points[target - 1] = 1 if hit else points[target - 1] + 1
        bar += hit
    return Position.from_counts(points, position.bar(Side.LIGHT), bar)


def numbers_played(position: Position, numbers: list[int], chance: random.Random) -> Position:
    """The numbers played by legal steps, any that there are, until one cannot be played."""
    for die in numbers:
        view = packed.view(position.code, dark=False)
        sources = [
            source
            for source in range(1, BAR)
            if view[source] > EMPTY and not breaches(view, source, die, STANDARD)
        ]
        if not sources:
            return position
        source = chance.choice(sources)
        position = stepped(position, source, max(source - die, OFF))
    return position


def at_home(chance: random.Random) -> Position:
    """Light all at home, dark anywhere: behind, between, or with checkers on the bar."""
    points = [0] * 24
    for _ in range(chance.randint(1, CHECKERS)):
        points[chance.randrange(6)] += 1
    contact = chance.random() < 0.4
    for _ in range(chance.randint(0, CHECKERS)):
        point = chance.randrange(0 if contact else 6, 24)
        points[point] -= points[point] <= 0
    return Position.from_counts(points, 0, chance.randint(0, 1) * (sum(map(abs, points)) < CHECKERS))


def borne_off_with_less(chance: random.Random) -> Iterator[tuple[Position, Roll, Position, Reason]]:
    """Without end: a checker borne off with too small a number, the other numbers played as the rules allow."""
    while True:
        before = at_home(chance)
        roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
        numbers = list(roll.numbers)
        die = chance.choice(numbers)
        sources = [point for point in range(die + 1, 7) if before.checkers(Side.LIGHT, point)]
        if not sources:
            continue
        source = chance.choice(sources)
        numbers.remove(die)
        after = numbers_played(stepped(before, source, OFF), numbers, chance)
        if after not in {play.after for play in legal_plays(before, Side.LIGHT, roll)}:
            told = {"side": "light", "source": source, "target": "off", "die": die}
            yield before, roll, after, Reason(ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL, told)


def test_whoever_bears_off_with_too_small_a_number_is_told_so() -> None:
    turns = borne_off_with_less(random.Random(20_261_122))
    for number, (before, roll, after, done) in zip(range(CASES), turns, strict=False):
        for trays in (Trays(), full(after))[: 1 + (number % 5 == 0)]:
            found = judge(before, Side.LIGHT, roll, after, STANDARD, trays)
            assert {TOO_SMALL} in codes(found), (before, roll, after, done, codes(found))
            assert (MISSING in found.codes) == (trays == Trays())


@given(st.randoms(use_true_random=False))
def test_a_checker_too_many_borne_off_after_all_numbers_is_told(chance: random.Random) -> None:
    before = at_home(chance)
    roll = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
    plays = legal_plays(before, Side.LIGHT, roll)
    play = chance.choice([play for play in plays if len(play.play) == len(roll.numbers)] or [None])
    assume(play is not None and any(play.after.checkers(Side.LIGHT, point) for point in range(1, 7)))
    assert play is not None
    points = [point for point in range(1, 7) if play.after.checkers(Side.LIGHT, point)]
    point = chance.choice(points)
    after = stepped(play.after, point, OFF)
    assume(after not in {other.after for other in plays})
    fewer = after.checkers(Side.LIGHT, point) < before.checkers(Side.LIGHT, point)
    hit = before.checkers(Side.DARK, point) > after.checkers(Side.DARK, point)
    for trays in (Trays(), full(after)):
        found = judge(before, Side.LIGHT, roll, after, STANDARD, trays)
        assert ({EXTRA} if fewer or hit else {TOO_SMALL}) in codes(found)
        assert (MISSING in found.codes) == (trays == Trays())


@given(positions(), sides, rolls, positions(), st.booleans())
@example(board({6: 2, 5: 2}), Side.LIGHT, Roll.from_dice(4, 3), board({6: 1, 5: 1, 3: 1}), False)
def test_who_is_told_to_have_taken_off_is_not_told_that_it_is_missing(
    before: Position, side: Side, roll: Roll, after: Position, counted: bool
) -> None:
    found = judge(before, side, roll, after, STANDARD, full(after) if counted else Trays())
    for explanation in found.explanations:
        told = {reason.code for reason in explanation}
        if told & TAKEN_OFF:
            assert ReasonCode.CHECKER_MISSING not in told
            assert counted or not told & COUNT_CODES
            assert counted or len(told) == 1
    if counted:
        assert ReasonCode.CHECKER_MISSING not in found.codes


@given(positions(), sides, rolls, st.integers(0, 15), st.integers(0, 15))
def test_no_legal_play_is_illegal_by_what_the_trays_hold(
    position: Position, side: Side, roll: Roll, light: int, dark: int
) -> None:
    for play in legal_plays(position, side, roll)[:4]:
        assert judge(position, side, roll, play.after, STANDARD, Trays(light, dark)).legal


@pytest.mark.parametrize(("numbers", "can"), [([3], True), ([4], False), ([4, 3], True), ([], False)])
def test_whether_any_number_can_be_played_is_known(numbers: list[int], can: bool) -> None:
    view = packed.view(board({6: 1}, {2: 2}).code, dark=False)
    assert can_step(view, numbers, STANDARD) is can


@pytest.mark.parametrize(("rearmost", "is_early"), [(5, False), (6, False), (7, True), (24, True)])
def test_bearing_off_is_early_while_a_checker_is_outside_the_home_board(
    rearmost: int, is_early: bool
) -> None:
    view = packed.view(board({4: 1, rearmost: 1}, {2: 2}).code, dark=False)
    early = ReasonCode.BEAR_OFF_EARLY
    assert (early in breaches(view, 4, 4, STANDARD)) is is_early
    assert short_breaches(view, 4, STANDARD) == (early if is_early else ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL,)
