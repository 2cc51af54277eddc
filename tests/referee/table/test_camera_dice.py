"""A table whose dice are read by the camera."""

from controller.referee.actions import DiceVoid, TurnJudged
from controller.referee.table.actions import Acted
from controller.referee.table.phase import Phase
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules import events as ruled
from controller.rules.conduct import EndOfTurn
from controller.rules.position import START, Side
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, rules


def seen() -> Evening:
    """A table without clock and without electronic dice, its checkers set up."""
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    return evening


def throw(evening: Evening, first: int, second: int) -> None:
    """Dice come to lie on the board and are seen."""
    evening.film.roll((first, second), reported=False)
    evening.look(pictures=3)


def lift(evening: Evening) -> None:
    """The dice are taken off the board."""
    evening.film.lift()
    evening.look(pictures=3)


def test_who_starts_is_known_from_the_play() -> None:
    evening = seen()
    throw(evening, 3, 1)
    assert evening.table.phase is Phase.MOVING
    evening.move(GOOD)
    lift(evening)
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.side, turn.text) == (Side.LIGHT, "8/5 6/5")
    assert Acted(turn.t, ruled.OpeningRoll(3, 1)) in evening.actions
    assert evening.table.on_turn is Side.DARK


def test_lifting_the_dice_ends_a_turn_and_leaving_them_does_not() -> None:
    evening = seen()
    throw(evening, 3, 1)
    evening.move(GOOD, pictures=6)
    assert evening.table.phase is Phase.MOVING
    lift(evening)
    assert evening.table.phase is Phase.TO_ROLL


def test_equal_dice_at_the_start_are_a_tie_when_they_are_thrown_again() -> None:
    evening = seen()
    throw(evening, 4, 4)
    throw(evening, 3, 1)
    assert Acted(evening.table.t, ruled.OpeningRoll(4, 4)).event in [
        action.event for action in evening.actions if isinstance(action, Acted)
    ]
    evening.move(GOOD)
    lift(evening)
    assert evening.table.on_turn is Side.DARK


def test_dice_thrown_again_before_anything_moved_take_the_place_of_the_first() -> None:
    evening = seen()
    throw(evening, 3, 1)
    evening.move(GOOD)
    lift(evening)
    throw(evening, 6, 4)
    throw(evening, 5, 2)
    assert evening.of(DiceVoid)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (5, 2)
