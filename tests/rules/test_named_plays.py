"""What is said against a play whose moves were named: it speaks of those moves, never of others."""

from itertools import combinations_with_replacement

import pytest

from controller.errors import UserError
from controller.record.match.corrections import after_play
from controller.rules import START, Position, ReasonCode, Roll, Side, is_result, judge_play, parse_play
from controller.rules.judging.judge import judge

ROLL = Roll.from_dice(3, 1)
HOME = Position.from_compact("BBCCCB............cccbbb..")


def named(text: str, before: Position = START, roll: Roll = ROLL) -> list[tuple[str, str]]:
    """The rules that a named play breaks, each with the move it names as light writes it."""
    play = parse_play(text)
    said = judge_play(before, Side.LIGHT, roll, play, after_play(before, Side.LIGHT, text))
    assert not said.legal
    return [
        (str(each.code), f"{each.arguments.get('source')}/{each.arguments.get('target')}")
        for each in said.reasons
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8/4 6/5", [("wrong_distance", "8/4")]),
        ("6/5 8/4", [("wrong_distance", "8/4")]),
        ("24/22 13/11", [("wrong_distance", "24/22"), ("wrong_distance", "13/11")]),
        ("8/6 8/6", [("wrong_distance", "8/6")]),
        ("8/5 6/5 6/5", [("extra_checker_moved", "6/5")]),
        ("24/18", [("wrong_distance", "24/18")]),
    ],
)
def test_the_words_name_the_moves_that_were_typed(text: str, told: list[tuple[str, str]]) -> None:
    assert set(named(text)) == set(told)


def test_a_joined_move_is_told_of_the_closed_point_on_its_way() -> None:
    assert named("13/11 8/7 6/5", roll=Roll.from_dice(1, 1)) == [("blocked_point", "13/12")]


@pytest.mark.parametrize("dice", [(3, 1), (6, 4), (2, 2), (5, 5)])
def test_no_move_is_named_that_was_not_typed(dice: tuple[int, int]) -> None:
    roll = Roll.from_dice(*dice)
    single = [f"{source}/{target}" for source in (24, 13, 8, 6) for target in range(source - 1, 0, -1)]
    for moves in combinations_with_replacement(single, 2):
        try:
            after = after_play(START, Side.LIGHT, " ".join(moves))
        except UserError:
            continue
        if is_result(START, Side.LIGHT, roll, after):
            continue
        play = parse_play(" ".join(moves))
        for reason in judge_play(START, Side.LIGHT, roll, play, after).reasons:
            if reason.code in (ReasonCode.WRONG_DISTANCE, ReasonCode.EXTRA_CHECKER_MOVED):
                assert f"{reason.arguments['source']}/{reason.arguments['target']}" in moves
            assert reason.code is not ReasonCode.CHECKER_MISSING


def test_a_checker_borne_off_too_early_is_told_of_and_not_missed() -> None:
    assert ("bear_off_early", "6/off") in named("6/off")
    assert not any(code == "checker_missing" for code, _ in named("6/off"))


def test_a_play_that_names_nothing_is_judged_by_the_board() -> None:
    after = after_play(START, Side.LIGHT, "8/4 6/5")
    assert judge_play(START, Side.LIGHT, ROLL, (), after) == judge(START, Side.LIGHT, ROLL, after)


def test_a_checker_taken_off_besides_the_roll_is_named_as_such() -> None:
    assert ("extra_checker_off", "6/off") in named("3/off 1/off 6/off", HOME)
