"""Single turns as they happen at a table."""

from random import Random

import pytest

from controller.referee.actions import DiceVoid, GameEnded, TurnJudged, Unsure
from controller.rules.position import START, Position, Side
from controller.rules.reasons import ReasonCode
from tests.referee.staging import Film, judged, turns


def at(text: str) -> Position:
    return Position.from_compact(text)


AFTER_31 = at("b...BD.B...eE...c.e....B..")
"""After light's 8/5 6/5."""
WRONG_31 = at("b....E.C...eE...c.e.AA....")
"""24/21 with the 3, but the other one has gone two points."""


@pytest.fixture
def film() -> Film:
    return Film(Random(7))


def test_a_play_is_judged_when_the_next_roll_comes(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.hand(START)
    film.rest(AFTER_31)
    film.roll((6, 2))
    roll_t = film.t
    film.rest(AFTER_31)
    (turn,) = turns(judged(film, START))
    assert (turn.ply, turn.side, turn.text, turn.legal) == (0, Side.LIGHT, "8/5 6/5", True)
    assert turn.t == roll_t


def test_the_higher_of_the_first_two_dice_starts(film: Film) -> None:
    film.rest(START)
    film.roll((1, 3))
    film.rest(START.mirrored())
    film.rest(AFTER_31.mirrored())
    (turn,) = turns(judged(film, START))
    assert (turn.side, turn.text) == (Side.DARK, "8/5 6/5")


def test_who_is_on_roll_in_mid_game_shows_in_what_moved(film: Film) -> None:
    after = at("b...BD.B...dE..ac.da...B..")
    film.rest(AFTER_31)
    film.roll((4, 1))
    film.rest(AFTER_31)
    film.rest(after)
    film.roll((6, 5))
    film.rest(after)
    (turn,) = turns(judged(film, AFTER_31))
    assert (turn.side, turn.text) == (Side.DARK, "13/9 6/5")


def test_a_roll_thrown_again_before_anything_moved_does_not_count(film: Film) -> None:
    film.rest(START)
    film.roll((6, 5))
    film.rest(START, 1)
    film.roll((3, 1))
    film.rest(START)
    film.rest(AFTER_31)
    film.roll((2, 1))
    film.rest(AFTER_31)
    actions = judged(film, START)
    assert [action.roll.dice for action in actions if isinstance(action, DiceVoid)] == [(6, 5)]
    (turn,) = turns(actions)
    assert (turn.ply, turn.roll.dice) == (0, (3, 1))


def test_a_turn_in_which_nothing_can_move_is_told_as_such(film: Film) -> None:
    shut_out, later = at("BBBBBB.A.A.A......dddb...a"), at("BBBBBC..A..A......dddb...a")
    film.rest(shut_out)
    film.roll((6, 1))
    film.rest(shut_out, 6)
    film.roll((2, 1))
    film.rest(shut_out)
    film.rest(later)
    film.roll((5, 2))
    film.rest(later)
    found = turns(judged(film, shut_out, side=Side.DARK))[:2]
    assert [(turn.side, turn.text) for turn in found] == [
        (Side.DARK, "Cannot Move"),
        (Side.LIGHT, "10/9 8/6"),
    ]
    assert found[0].play == ()


def test_a_roll_thrown_again_by_a_player_who_cannot_move_is_told_from_a_turn(film: Film) -> None:
    shut_out, later = at("BBBBBB.A.A.A......dddb...a"), at("BBBBBC..A..A......dddb...a")
    film.rest(shut_out)
    film.roll((6, 1))
    film.rest(shut_out, 1)
    film.roll((5, 4))
    film.rest(shut_out, 6)
    film.roll((2, 1))
    film.rest(shut_out)
    film.rest(later)
    film.roll((5, 2))
    film.rest(later)
    found = {turn.ply: turn for turn in turns(judged(film, shut_out, side=Side.DARK))}
    assert [(found[ply].side, found[ply].roll.dice) for ply in (0, 1)] == [
        (Side.DARK, (5, 4)),
        (Side.LIGHT, (2, 1)),
    ]


def test_an_illegal_play_left_standing_is_told_once_and_the_game_goes_on_from_it(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(WRONG_31, 3)
    film.roll((6, 5))
    film.rest(WRONG_31)
    (turn,) = turns(judged(film, START))
    assert (turn.legal, turn.stands, turn.after) == (False, True, WRONG_31)
    assert turn.text == "24/22 24/21"
    assert ReasonCode.WRONG_DISTANCE in {reason.code for reason in turn.reasons + turn.also}
    assert turn.instead is not None


def test_an_illegal_play_put_right_is_told_and_then_the_play_that_stands(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(WRONG_31, 3)
    film.hand(WRONG_31)
    film.rest(AFTER_31)
    film.roll((6, 5))
    film.rest(AFTER_31)
    first, second = turns(judged(film, START))
    assert (first.ply, first.legal, first.stands) == (0, False, False)
    assert (second.ply, second.legal, second.text) == (0, True, "8/5 6/5")


def test_stopping_to_think_with_one_checker_played_is_no_breach(film: Film) -> None:
    half = at("b...AE.B...eE...c.e....B..")
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(half, 5)
    film.hand(half)
    film.rest(AFTER_31)
    film.roll((6, 5))
    film.rest(AFTER_31)
    (turn,) = turns(judged(film, START))
    assert (turn.legal, turn.text) == (True, "8/5 6/5")


def test_a_film_that_breaks_off_with_one_checker_played_accuses_nobody_and_writes_no_play(film: Film) -> None:
    half = at("b...AE.B...eE...c.e....B..")
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.hand(START)
    film.rest(half, 5)
    assert turns(judged(film, START)) == []


def test_a_play_tried_and_taken_back_counts_for_nothing(film: Film) -> None:
    trial = at("b....E.C.A.eD...c.e...AA..")
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(trial, 2)
    film.hand(trial)
    film.rest(AFTER_31)
    film.roll((6, 5))
    film.rest(AFTER_31)
    assert [turn.text for turn in turns(judged(film, START))] == ["8/5 6/5"]


def test_one_picture_of_a_strange_board_accuses_nobody(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(AFTER_31)
    film.rest(WRONG_31, 1)
    film.roll((6, 5))
    film.rest(AFTER_31, 3)
    found = turns(judged(film, START))
    assert [(turn.text, turn.legal) for turn in found] == [("8/5 6/5", True)]


def test_points_under_a_hand_are_left_out(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(AFTER_31, 3, hidden=frozenset({12, 13, 17, 24}))
    film.roll((6, 5))
    film.rest(AFTER_31)
    assert [turn.text for turn in turns(judged(film, START))] == ["8/5 6/5"]


def test_what_cannot_be_told_is_told_as_unsure_with_the_points_to_look_at(film: Film) -> None:
    film.rest(START)
    film.roll((2, 1))
    film.rest(START)
    doubtful = frozenset({6, 4, 5, 8, 24, 23, 22, 21, 13, 11, 12, 10, 3, 7, 1})
    after = at("b...AD.C..AeD...c.e....B..")
    for roll in ((6, 5), (4, 2), (3, 1)):
        film.rest(after, 2, hidden=doubtful)
        film.roll(roll)
    film.rest(after, 2, hidden=doubtful)
    actions = judged(film, START)
    unsure = [action for action in actions if isinstance(action, Unsure)]
    assert unsure
    assert unsure[0].points
    assert all(turn.legal is not False for turn in turns(actions))


def test_a_film_that_breaks_off_in_the_middle_of_a_play_tells_nothing_of_it(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(at("b...AE.B...eE...c.e....B.."), 3)
    assert turns(judged(film, START)) == []


def test_a_film_that_ends_after_a_play_tells_it(film: Film) -> None:
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.rest(AFTER_31)
    assert [turn.text for turn in turns(judged(film, START))] == ["8/5 6/5"]


def test_the_game_is_over_when_the_last_checker_is_off(film: Film) -> None:
    last, done = at("A.................." + "..g.h.."), at("..................." + "..g.h..")
    film.rest(last)
    film.roll((6, 5))
    film.rest(last)
    film.rest(done)
    actions = judged(film, last, side=Side.LIGHT)
    assert [action.text for action in actions if isinstance(action, TurnJudged)] == ["1/off"]
    (over,) = [action for action in actions if isinstance(action, GameEnded)]
    assert over.result.winner is Side.LIGHT


def test_a_roll_missed_in_the_pictures_is_made_up_for(film: Film) -> None:
    answered = at("b...BD.B...dE..ac.d..a.B..")
    film.rest(START)
    film.roll((3, 1), reported=False)
    film.rest(START)
    film.rest(AFTER_31)
    film.lift()
    film.rest(AFTER_31, 3)
    film.rest(answered, 3)
    film.roll((6, 4), reported=False)
    film.rest(answered, 3)
    found = turns(judged(film, START, read_dice=True))
    assert [(turn.side, turn.legal) for turn in found[:2]] == [(Side.LIGHT, True), (Side.DARK, True)]
    assert found[1].after == answered


def test_a_die_misread_in_few_pictures_accuses_nobody(film: Film) -> None:
    film.rest(START)
    film.roll((3, 2), reported=False)
    film.rest(START, 1)
    film.rest(AFTER_31, 1)
    film.roll((6, 4), reported=False)
    film.rest(AFTER_31, 2)
    found = turns(judged(film, START, read_dice=True))
    assert found
    assert all(turn.legal is not False for turn in found)


def test_a_play_that_no_picture_showed_before_the_next_roll_is_found_later(film: Film) -> None:
    answered = at("a...BD.B...fE...c.e....B..")
    film.rest(START)
    film.roll((3, 1))
    film.rest(START)
    film.roll((6, 5))
    film.rest(AFTER_31)
    film.rest(answered)
    film.roll((2, 1))
    film.rest(answered)
    latest = {turn.ply: turn for turn in turns(judged(film, START))}
    assert [(latest[ply].text, latest[ply].legal) for ply in (0, 1)] == [("8/5 6/5", True), ("24/13", True)]
