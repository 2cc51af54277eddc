"""Positions and boards: what they hold, how they print, and the plays made on them."""

import copy
import random
import time
import timeit
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest

import pointsman
from controller.rules.moves.plays import results
from pointsman import DARK, LIGHT, Board, Position, UserError
from tests.rows import each_row
from tests.rules.turns import counted_cases, turn_of


def test_a_position_prints_as_a_board_of_several_lines() -> None:
    lines = str(Position.start()).splitlines()
    assert len(lines) == 13
    assert len({line.rindex("|") for line in lines if line.startswith("|")}) == 1
    assert sum(line.count("●") for line in lines) == sum(line.count("○") for line in lines) == 15 + 1
    assert "light to roll" in lines[6]
    assert lines[0].endswith("● dark: 0 off, 167 pips")


def test_what_is_on_the_bar_off_and_on_the_cube_is_printed() -> None:
    position = Position.of([0] * 6 + [12] + [0] * 16 + [-2], bar=(1, 1), turn="dark").with_cube(4, "light")
    text = str(position.with_roll((6, 1)))
    bar = [line[21:26].strip() for line in text.splitlines() if line.startswith("|")]
    assert [cell for cell in bar if cell] == ["●", "BAR", "○"]
    assert "12" in text.splitlines()[7]
    assert "light: 2 off" in text
    assert "dark: 12 off" in text
    assert "dark rolled 6-1, cube 4 with light" in text


def test_a_finished_game_says_who_won() -> None:
    over = Position.of([0] * 24, bar=(0, 0)).with_turn("dark")
    assert over.is_over
    assert "light has won" in str(over)


@each_row("variant", pointsman.variants())
def test_every_variant_prints_draws_and_plays(variant: str) -> None:
    board = Board(variant=variant)
    dice = random.Random(1)
    for _ in range(12):
        roll = dice.randint(1, 6), dice.randint(1, 6)
        board.push(dice.choice(board.legal_plays(roll)))
        assert board.turn is not board.peek().before.turn
    for viewer in (LIGHT, DARK):
        assert len(board.position.diagram(viewer).splitlines()) == 13
        assert ElementTree.fromstring(board.position.svg(viewer)).tag.endswith("svg")
    assert board.position.pips("light") + board.position.pips("dark") > 0
    again = Position.from_compact(board.position.compact(), board.turn, variant)
    assert again == board.position
    assert eval(repr(again), {"Position": Position}) == again


def test_ids_of_other_programs_come_back_as_they_went() -> None:
    dice = random.Random(3)
    board = Board()
    while not board.is_over:
        roll = dice.randint(1, 6), dice.randint(1, 6)
        rolled = board.position.with_roll(roll).with_cube(2, "light").with_score(1, 4, 5, crawford=True)
        assert Position.from_xgid(rolled.xgid()).xgid() == rolled.xgid()
        assert Position.from_gnu_id(rolled.gnu_id()).points == rolled.points
        board.push(dice.choice(board.legal_plays(roll)))


def test_a_play_in_notation_needs_no_roll_where_only_one_fits() -> None:
    after = Position.start().play("24/18 13/9")
    assert after.compact() == Position.start().play("24/18 13/9", (6, 4)).compact()
    assert after.turn is DARK
    assert Position.start().parse("24/18 13/9").roll == pointsman.Roll(6, 4)


def test_a_play_that_fits_several_rolls_tells_none() -> None:
    last = Position.of([1] + [0] * 22 + [-1])
    play = last.parse("1/off")
    assert play.roll is None
    assert play.after.is_over


def test_a_play_that_leads_elsewhere_with_another_roll_asks_for_the_roll() -> None:
    position = Position.of([0, 0, 0, 0, -1, 0, 2] + [0] * 16 + [-2])
    with pytest.raises(UserError, match="different positions with 1-1 or 3-1; give the roll"):
        position.play("7/3")
    assert position.play("7/3", (1, 1)).bar("dark") == 1
    assert position.play("7/3", (3, 1)).bar("dark") == 0


def test_a_play_that_fits_several_rolls_is_pushed_with_the_one_that_was_thrown() -> None:
    found = Position.start().parse("13/7")
    assert found.roll is None
    made = Board().push(found, (5, 1))
    assert str(made.roll) == "5-1"
    assert made == found
    with pytest.raises(UserError, match="is not a play of 6-5"):
        Board().push(found, (6, 5))


def test_a_play_is_not_made_with_another_roll_than_the_one_it_was_found_for() -> None:
    board = Board()
    found = board.legal_plays((3, 1))[0]
    with pytest.raises(UserError, match="is not a play of 6-6, but of 3-1"):
        board.push(found, (6, 6))
    assert board.plays == ()
    assert board.push(found, "31") == found


def test_push_and_pop_return_to_where_they_began() -> None:
    board, dice, seen = Board(), random.Random(5), []
    while not board.is_over:
        seen.append(board.position)
        board.push(dice.choice(board.legal_plays((dice.randint(1, 6), dice.randint(1, 6)))))
    assert board.winner in (LIGHT, DARK)
    for position in reversed(seen):
        board.pop()
        assert board.position == position
    assert board.plays == ()


@pytest.mark.parametrize("copied", [Board.copy, copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(copied: Callable[[Board], Board]) -> None:
    board = Board()
    board.push("8/5 6/5", (3, 1))
    other = copied(board)
    other.push("24/23 13/11", (2, 1))
    assert len(board.plays) == 1
    assert other.pop().before == board.position


def test_another_profile_judges_which_plays_are_legal() -> None:
    start = Position.start()
    assert "24/23 8/6" in map(str, start.legal_plays((2, 1)))
    assert "24/23 8/6" not in map(str, start.legal_plays((2, 1), profile="terebess-cap5"))
    assert start.with_variant("terebess-cap5").legal_plays((2, 1)) is not None


def test_every_result_agrees_with_the_rules() -> None:
    for case in counted_cases()[::9]:
        checkers, side, roll = turn_of(case)
        plays = Position.from_compact(checkers.compact(), side).legal_plays(roll)
        assert [play.after.compact() for play in plays] == case["results"]
        assert all(play.after.turn is side.opponent for play in plays)


def test_legal_plays_cost_at_most_twice_what_their_results_cost() -> None:
    """Processor time, each the best of many, measured in turn: so a busy machine slows both."""
    turns = [turn_of(case) for case in counted_cases()]
    positions = [(Position.from_compact(turn[0].compact(), turn[1]), turn[2].dice) for turn in turns]
    bare = timeit.Timer(lambda: [results(*turn) for turn in turns], timer=time.process_time)
    ours = timeit.Timer(lambda: [each.legal_plays(roll) for each, roll in positions], timer=time.process_time)
    took = [(bare.timeit(1), ours.timeit(1)) for _ in range(7)]
    assert min(one for one, _ in took) >= 0.5 * min(other for _, other in took)


WRONG = {
    "roll": (lambda: Position.start().legal_plays((7, 1)), "A die shows 7"),
    "roll in words": (lambda: Position.start().legal_plays("six"), "The roll is 'six'"),
    "three dice": (lambda: Position.start().legal_plays((1, 2, 3)), r"The roll is \(1, 2, 3\)"),
    "no roll": (lambda: Position.start().legal_plays(), "has no roll; give one"),
    "side": (lambda: Position.start(turn="white"), 'must be "light" or "dark"'),
    "point": (lambda: Position.start().count("light", 25), "must be a number from 1 to 24"),
    "half a point": (lambda: Position.start().count("light", 6.5), "must be a whole number"),  # type: ignore[arg-type]
    "count in words": (lambda: Position.of(["two"] * 24), "count of point 1 is 'two'"),  # type: ignore[list-item]
    "cube in words": (lambda: Position.start().with_cube("2"), "must be a whole number"),  # type: ignore[arg-type]
    "score below 0": (lambda: Position.start().with_score(-1, 0, 7), "must not be below 0"),
    "no length": (lambda: Position.start().with_score(0, 0, None), "length is None"),  # type: ignore[arg-type]
    "variant": (lambda: Board(variant="nackgamon"), "nackgammon"),
    "compact": (lambda: Position.from_compact("x"), "cannot be read"),
    "XGID": (lambda: Position.from_xgid("XGID=1"), "must have 10"),
    "GNU id": (lambda: Position.from_gnu_id("4HPw"), "must be 14 characters"),
    "cube": (lambda: Position.start().with_cube(3), "power of two"),
    "notation": (lambda: Position.start().play("5/8", (3, 1)), "does not run from a higher point"),
    "illegal": (lambda: Position.start().play("8/4 6/5", (3, 1)), "is not a legal play of 3-1"),
    "no roll's": (lambda: Position.start().play("13/1 13/1"), "no legal play of any roll"),
    "elsewhere": (
        lambda: Position.start().play(Position.start().play("8/5 6/5").parse("13/7 8/7")),
        "another",
    ),
    "nothing to pop": (lambda: Board().pop(), "No play was made"),
    "over": (lambda: Board(Position.of([0] * 23 + [-1])).push("1/off"), "light has won"),
    "plakoto as XGID": (lambda: Position.start("plakoto").xgid(), "use compact"),
}


@each_row("what", WRONG)
def test_what_is_wrong_is_told_in_one_sentence(what: str) -> None:
    ask, says = WRONG[what]
    with pytest.raises(UserError, match=says) as caught:
        ask()
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_whole_numbers_may_be_those_of_numpy() -> None:
    start = Position.start()
    counts = np.array(start.points)
    again = Position.of(counts, bar=(counts[1], counts[2]))
    assert again == start
    assert again.count("light", np.int64(6)) == 5
    told = start.with_cube(np.int64(2), "dark").with_score(*np.array([3, 1]), length=np.int8(7))
    assert told.xgid() == start.with_cube(2, "dark").with_score(3, 1, length=7).xgid()


def test_a_position_for_money_has_the_jacoby_rule_and_the_beavers_of_its_rules() -> None:
    """The flags of an XGID, its field before the length, are 1 for the Jacoby rule and 2 for beavers."""
    money = Position.start("money")
    assert money.xgid().split(":")[7] == "3"
    assert Position.start().xgid().split(":")[7] == "0"
    assert Position.start().with_variant("money") == money
    assert money.with_score(1, 0, length=7).xgid().split(":")[7] == "0"
    assert money.with_score(1, 0, length=7).with_score(0, 0, length=0) == money


def test_the_flags_of_an_xgid_for_money_stay_at_another_score() -> None:
    told = Position.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:1:0:10")
    assert told.with_score(4, 2, length=0).xgid().split(":")[5:8] == ["4", "2", "1"]
