"""A table whose dice are read by the camera."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from controller.referee.actions import Acted, DiceVoid, Flagged, Message, Phase, TurnJudged
from controller.referee.table.choices import choices_of
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules.game import events as ruled
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import EndOfTurn
from tests.demo.seated import moved
from tests.referee.staging import cheated, clear_breach
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, rules


def seen() -> Evening:
    """A table without clock and without electronic dice, its checkers set up."""
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    return evening


def throw(evening: Evening, first: int, second: int, confidence: float = 0.95) -> None:
    """Dice come to lie on the board and are seen."""
    evening.film.roll((first, second), reported=False)
    evening.film.dice = tuple(replace(die, confidence=confidence) for die in evening.film.dice)
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


def test_who_started_is_told_by_saying_what_was_played() -> None:
    evening = seen()
    throw(evening, 3, 1)
    offered = choices_of(evening.table, "director")
    assert {choice.side for choice in offered if choice.what == "played"} == {*Side}
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    assert Message.REFUSED not in evening.messages()
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.side, turn.text, turn.legal) == (Side.LIGHT, "8/5 6/5", True)
    assert Acted(turn.t, ruled.OpeningRoll(3, 1)) in evening.actions
    assert evening.table.on_turn is Side.DARK


def test_an_illegal_opening_play_is_flagged_though_nobody_knew_who_started() -> None:
    evening = seen()
    throw(evening, 3, 1, confidence=0.999)
    wrong = moved(START, Side.LIGHT, (24, 18), (13, 8))
    evening.move(wrong)
    assert evening.table.thrown is not None
    assert evening.table.thrown.side is None
    evening.say(ruled.Played(Side.LIGHT, wrong, None))
    (told,) = evening.of(Flagged)
    assert isinstance(told, Flagged)
    assert told.turn.side is Side.LIGHT
    assert evening.table.on_turn is Side.LIGHT
    assert evening.table.phase is Phase.PUT_RIGHT


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


def test_a_void_opening_roll_starts_nobody() -> None:
    evening = seen()
    throw(evening, 3, 1)
    evening.say(ruled.RollVoided(Side.LIGHT))
    assert evening.table.phase is Phase.OPENING_ROLL
    assert evening.table.match.game.turn is None
    assert evening.table.on_turn is None


def test_a_valid_roll_thrown_again_before_anything_moved_is_told_and_the_first_one_stands() -> None:
    evening = seen()
    throw(evening, 3, 1)
    evening.move(GOOD)
    lift(evening)
    throw(evening, 6, 4)
    throw(evening, 5, 2)
    assert evening.messages()[-1] is Message.ROLLED_AGAIN
    assert not evening.of(DiceVoid)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (6, 4)


def test_dice_that_one_picture_misses_are_not_lifted() -> None:
    evening = seen()
    throw(evening, 3, 1)
    evening.move(GOOD, pictures=3)
    lying, evening.film.dice = evening.film.dice, ()
    evening.look(pictures=1)
    assert evening.table.phase is Phase.MOVING
    evening.film.dice = lying
    evening.look(pictures=2)
    assert evening.table.phase is Phase.MOVING
    evening.film.lift()
    evening.look(pictures=2)
    assert evening.table.phase is Phase.TO_ROLL


def after_doubt(back: int | None) -> bool:
    """Whether an illegal play is flagged, where the turn so many turns ``back`` was not certain (None: each was)."""
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    for dice in ((3, 1), (6, 4), (5, 2), (4, 2)):
        throw(evening, *dice)
        evening.move(GOOD if dice == (3, 1) else evening.legal())
        lift(evening)
    closings = evening.table.closings
    assert len(closings) == 4
    if back is not None:
        doubted = replace(closings[-back], sure=False)
        closings = (*closings[: len(closings) - back], doubted, *closings[len(closings) - back + 1 :])
    throw(evening, 5, 3, confidence=1.0)
    evening.table = replace(evening.table, closings=closings)
    side = evening.table.on_turn
    assert side is not None
    wrong = next(clear_breaches(evening.table.position, side, Roll.from_dice(5, 3)))
    evening.move(wrong, pictures=3)
    lift(evening)
    return bool(evening.of(Flagged))


def clear_breaches(position: Position, side: Side, roll: Roll) -> Iterator[Position]:
    """Results of wrong distances that two places tell from every legal play."""
    for seed in range(50):
        wrong = cheated("wrong_distance", position, side, roll, Random(seed))
        if wrong is not None and clear_breach(position, side, roll, wrong):
            yield wrong


@pytest.mark.parametrize("back", [None, 1, 2, 4])
def test_an_illegal_play_is_told_whatever_was_in_doubt_before(back: int | None) -> None:
    assert after_doubt(back)
