"""Film that goes on after a game: the next one begins when the checkers are set up again."""

from random import Random

import pytest

from controller.referee.actions import Action, GameEnded, GameOpened, TurnJudged
from controller.rules.position import START, Position, Roll, Side
from tests.referee.staging import Film, judged, random_game, turns

LAST_CHECKERS = Position.from_compact("A......................a..")
ALMOST_SET_UP = Position.from_compact("b....DAC...eE...c.e....B..")
"""One checker of light's lies a point too far."""
WON = Position.from_compact(".......................a..")


def won_game(film: Film) -> None:
    """Light bears off its last checker."""
    film.rest(LAST_CHECKERS)
    film.roll((3, 1))
    film.rest(LAST_CHECKERS)
    film.hand(LAST_CHECKERS)
    film.rest(WON, 3)
    film.lift()


def begun(actions: list[Action]) -> GameOpened:
    """The beginning of the second game of a film."""
    _, found = [action for action in actions if isinstance(action, GameOpened)]
    return found


@pytest.mark.parametrize("read_dice", [False, True])
def test_after_a_game_was_won_the_next_one_is_followed_as_well(read_dice: bool) -> None:
    film = Film(Random(11))
    won_game(film)
    film.roll((5, 5))
    film.lift()
    film.hand(WON, 3)
    truth = random_game(film, 12)
    actions = judged(film, LAST_CHECKERS, Side.LIGHT, read_dice)
    (over,) = [action for action in actions if isinstance(action, GameEnded)]
    assert over.result.winner is Side.LIGHT
    assert begun(actions).score.light == over.score.light > 0
    later = {turn.ply: turn for turn in turns(actions[actions.index(begun(actions)) :])}
    for ply in truth[:-1]:
        turn = later[ply.number]
        assert (turn.side, turn.roll, turn.after, turn.legal) == (ply.side, ply.roll, ply.after, True)


def test_turns_are_numbered_anew_in_each_game() -> None:
    film = Film(Random(12))
    won_game(film)
    film.hand(WON)
    random_game(film, 6)
    plies = [turn.ply for turn in turns(judged(film, LAST_CHECKERS, Side.LIGHT))]
    assert plies == [0, *range(len(plies) - 1)]


def test_a_roll_made_while_the_board_is_being_set_up_is_not_the_next_game_s() -> None:
    film = Film(Random(13))
    won_game(film)
    film.roll((6, 6))
    film.hand(WON, 2)
    film.rest(START, 3)
    film.roll((3, 1))
    film.rest(START)
    film.rest(Position.from_compact("b...BD.B...eE...c.e....B.."), 3)
    film.roll((4, 2))
    film.rest(Position.from_compact("b...BD.B...eE...c.e....B.."))
    actions = judged(film, LAST_CHECKERS, Side.LIGHT)
    (turn,) = turns(actions[actions.index(begun(actions)) :])
    assert (turn.roll, turn.text) == (Roll.from_dice(3, 1), "8/5 6/5")


def test_a_game_given_up_ends_without_a_result_when_the_checkers_are_set_up() -> None:
    film = Film(Random(14))
    truth = random_game(film, 14)
    film.lift()
    film.rest(truth[-1].after, 2)
    film.hand(truth[-1].after, 2)
    random_game(film, 6)
    actions = judged(film, START)
    told = actions[: actions.index(begun(actions))]
    assert begun(actions).score.light == begun(actions).score.dark == 0
    assert not [action for action in actions if isinstance(action, GameEnded)]
    assert [turn.after for turn in turns(told)] == [ply.after for ply in truth]
    assert all(turn.legal for turn in turns(actions))


def test_a_board_half_set_up_when_dice_are_thrown_is_no_play_of_the_game_before() -> None:
    film = Film(Random(14))
    truth = random_game(film, 14)
    film.lift()
    film.rest(truth[-1].after, 2)
    film.roll((5, 2))
    film.rest(truth[-1].after, 2)
    film.hand(truth[-1].after, 2)
    film.rest(ALMOST_SET_UP, 3)
    film.roll((6, 1))
    film.rest(ALMOST_SET_UP, 2)
    film.hand(ALMOST_SET_UP, 2)
    random_game(film, 6)
    actions = judged(film, START)
    assert begun(actions).score.light == begun(actions).score.dark == 0
    assert [turn for turn in turns(actions) if turn.legal is False] == []


def test_a_first_play_that_is_taken_back_is_no_new_game() -> None:
    film = Film(Random(15))
    film.rest(START)
    film.roll((3, 1))
    film.rest(Position.from_compact("b...BD.B...eE...c.e....B.."), 3)
    film.hand(START)
    film.rest(START, 3)
    film.rest(Position.from_compact("b....E.C...eE...c.e.A.A..."), 3)
    film.roll((4, 2))
    film.rest(Position.from_compact("b....E.C...eE...c.e.A.A..."), 3)
    actions = judged(film, START)
    assert len([action for action in actions if isinstance(action, GameOpened)]) == 1
    assert [action.text for action in actions if isinstance(action, TurnJudged)] == ["24/23 24/21"]
