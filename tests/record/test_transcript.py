from dataclasses import replace

import pytest

from controller.record.transcript import (
    GameRecord,
    MatchRecord,
    RecordError,
    Result,
    board_result,
)
from controller.rules.plays import legal_plays
from controller.rules.position import START, Position, Side
from controller.rules.roll import Roll
from tests.record.matches import misplayed, played


def off(light: list[int], dark: list[int], bar_light: int = 0, bar_dark: int = 0) -> Position:
    points = [0] * 24
    for point in light:
        points[point - 1] += 1
    for point in dark:
        points[point - 1] -= 1
    return Position.of(points, bar_light, bar_dark)


@pytest.mark.parametrize(
    ("board", "result"),
    [
        (off([], [20]), Result(Side.LIGHT, 1)),
        (off([], [7] * 15), Result(Side.LIGHT, 2)),
        (off([], [6] + [19] * 14), Result(Side.LIGHT, 3)),
        (off([], [19] * 14, bar_dark=1), Result(Side.LIGHT, 3)),
        (off([19] * 15, []), Result(Side.DARK, 3)),
        (off([18] * 15, []), Result(Side.DARK, 2)),
        (off([24] * 14, []), Result(Side.DARK, 1)),
        (off([1], [24]), None),
        (START, None),
    ],
)
def test_the_last_checker_off_ends_the_game(board: Position, result: Result | None) -> None:
    assert board_result(board) == result
    if result:
        assert board_result(board, cube=4) == Result(result.winner, 4 * result.points)


def test_a_try_that_was_put_right_does_not_count() -> None:
    roll = Roll.of(3, 1)
    chosen = legal_plays(START, Side.LIGHT, roll)[0]
    wrong = misplayed(0, Side.LIGHT, roll, START, START, stands=False)
    right = played(0, Side.LIGHT, roll, START, chosen)
    game = GameRecord((wrong, right))
    assert list(game.played) == [right]
    assert game.end == chosen.after
    standing = replace(wrong, stands=True)
    assert list(GameRecord((standing,)).played) == [standing]


def test_numbers_that_no_match_has_are_refused() -> None:
    with pytest.raises(RecordError, match="-1 points"):
        MatchRecord("A", "B", -1, None, ())
    with pytest.raises(RecordError, match="scores 0"):
        Result(Side.LIGHT, 0)


def test_names_go_with_their_sides() -> None:
    match = MatchRecord("Anna", "Bela", 0, None, ())
    assert (match.name(Side.LIGHT), match.name(Side.DARK)) == ("Anna", "Bela")
