"""What is equal: results where all that they tell is equal, boards where the same is on them now."""

import pickle
from pathlib import Path

import pytest

from pointsman import Board, Match, Position, judge, read_match


def test_boards_are_equal_where_the_same_is_on_them_whatever_led_there() -> None:
    board, other = Board(), Board()
    assert board == other
    board.push("8/5 6/5", (3, 1))
    assert board != other
    assert board == Board(board.position)
    board.pop()
    assert board == other
    assert board != board.position


@pytest.mark.parametrize(
    "changed",
    [
        Position.start(turn="dark"),
        Position.start().with_roll((3, 1)),
        Position.start().with_cube(2, "dark"),
        Position.start().with_score(1, 0, 7),
        Position.start("plakoto"),
    ],
)
def test_turn_dice_cube_score_and_game_make_boards_different(changed: Position) -> None:
    assert Board(changed) != Board()
    assert Board(changed) == Board(changed)


def test_a_board_changes_and_so_is_no_key_but_its_position_is() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board())
    assert len({Board().position, Board().position}) == 1


def test_results_with_the_same_to_tell_are_equal_and_one_key(tmp_path: Path) -> None:
    start = Position.start()
    wrong, right = (judge(start, start.play(play), (3, 1)) for play in ("8/4 6/4", "8/5 6/5"))
    assert wrong == judge(start, start.play("8/4 6/4"), (3, 1))
    assert len({wrong, judge(start, start.play("8/4 6/4"), (3, 1)), right}) == 2
    assert wrong != right
    assert pickle.loads(pickle.dumps(wrong)) == wrong
    board = Board()
    board.push("8/5 6/5", (3, 1))
    match = Match.of(board, "Anna", "Bela", 5)
    assert match == Match.of(board.copy(), "Anna", "Bela", 5)
    assert hash(match) == hash(Match.of(board, "Anna", "Bela", 5))
    assert match != Match.of(board, "Anna", "Bela", 7)
    assert match != Match.of(Board(), "Anna", "Bela", 5)
    again = read_match(match.write(tmp_path / "match.json"))
    assert again == match
    assert again.games[0].turns[0] == match.games[0].turns[0]
