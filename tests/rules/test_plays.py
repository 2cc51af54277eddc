"""Complete legal plays, against counted files and the letter of the rules."""

import time
import timeit
from functools import partial
from typing import Any

import pytest

from controller.rules.judging.judge import judge
from controller.rules.moves import plays
from controller.rules.moves.movement import MovementError
from controller.rules.moves.plays import legal_plays, resolve, results
from controller.rules.notation import NotationError, format_play, parse_play
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.rules.turns import counted_cases, turn_of


def written(position: Position, side: Side, roll: Roll) -> set[str]:
    return {format_play(play.play) for play in legal_plays(position, side, roll)}


def test_every_counted_position_agrees() -> None:
    wrong = [
        case
        for case in counted_cases()
        if [play.after.compact() for play in legal_plays(*turn_of(case))] != case["results"]
    ]
    assert wrong == []


def test_every_play_leads_to_its_result() -> None:
    for case in counted_cases()[::7]:
        turn = turn_of(case)
        for play in legal_plays(*turn):
            assert resolve(*turn, parse_play(format_play(play.play))).after == play.after


@pytest.mark.parametrize(("dice", "count"), [((3, 1), 16), ((1, 1), 42), ((6, 6), 11), ((2, 2), 75)])
def test_opening_rolls_have_the_known_number_of_results(dice: tuple[int, int], count: int) -> None:
    for side in Side:
        assert len(legal_plays(START, side, Roll.from_dice(*dice))) == count


def test_a_dance_leaves_the_position_alone() -> None:
    dancing = Position.from_counts([5, 5, 4] + [0] * 15 + [-2] * 6, bar_light=1)
    (only,) = legal_plays(dancing, Side.LIGHT, Roll.from_dice(6, 6))
    assert only.play == ()
    assert only.after == dancing
    assert format_play(only.play) == "Cannot Move"


def test_the_last_checker_plays_both_numbers_if_a_hit_on_the_way_allows_it() -> None:
    position = Position.from_counts([0, -1, 1] + [0] * 21)
    assert written(position, Side.LIGHT, Roll.from_dice(6, 1)) == {"3/2* 2/off"}


def test_a_written_play_without_marks_goes_past_a_blot() -> None:
    position = Position.from_counts([0] * 17 + [0, 0, 0, 0, -1, 0, 2])
    past = resolve(position, Side.LIGHT, Roll.from_dice(4, 2), parse_play("24/18"))
    hit = resolve(position, Side.LIGHT, Roll.from_dice(4, 2), parse_play("24/22*/18"))
    assert past.after.bar(Side.DARK) == 0
    assert hit.after.bar(Side.DARK) == 1


def test_a_written_play_that_is_not_legal_is_refused() -> None:
    with pytest.raises(NotationError, match="8/5 6/4 is not a legal play of 3-1"):
        resolve(START, Side.LIGHT, Roll.from_dice(3, 1), parse_play("8/5 6/4"))


def test_a_profile_does_as_well_as_its_rules_of_movement() -> None:
    profile = load_profile("terebess-cap5")
    roll = Roll.from_dice(6, 1)
    assert list(legal_plays(START, Side.LIGHT, roll, profile)) == list(
        legal_plays(START, Side.LIGHT, roll, profile.movement)
    )
    judged = judge(START, Side.LIGHT, roll, START, profile)
    assert judged == judge(START, Side.LIGHT, roll, START, profile.movement)


@pytest.mark.parametrize("wrong", ["nackgammon", None, 3])
def test_what_is_no_profile_is_named_with_what_to_give_instead(wrong: Any) -> None:
    for ask in (
        partial(legal_plays, START, Side.LIGHT, Roll.from_dice(6, 1)),
        partial(judge, START, Side.LIGHT, Roll.from_dice(6, 1), START),
    ):
        with pytest.raises(MovementError, match=f"{wrong!r} holds no rules of movement; give load_profile"):
            ask(wrong)


def test_legal_plays_cost_at_most_twice_what_their_results_cost() -> None:
    """Processor time, each the best of many, measured in turn: so a busy machine slows both."""
    turns = [turn_of(case) for case in counted_cases()]
    bare = timeit.Timer(lambda: [results(*turn) for turn in turns], timer=time.process_time)
    whole = timeit.Timer(lambda: [legal_plays(*turn) for turn in turns], timer=time.process_time)
    took = [(bare.timeit(1), whole.timeit(1)) for _ in range(7)]
    assert min(one for one, _ in took) >= 0.5 * min(other for _, other in took)


def test_results_are_known_without_looking_for_a_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        pytest.fail("a play was looked for")

    monkeypatch.setattr(plays, "play_between", fail)
    found = legal_plays(START, Side.DARK, Roll.from_dice(2, 2))
    assert len([play.after for play in found]) == len(found) == 75
    assert found[-1].after == found[74].after
    assert [play.after for play in found[:3]] == [found[number].after for number in range(3)]
