"""A table whose dice are read by the camera."""

from collections.abc import Iterator
from dataclasses import replace
from math import exp, log
from random import Random
from typing import Final

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import Acted, DiceVoid, Flagged, Message, Phase, Told, TurnJudged, Unsure
from controller.referee.belief import rates
from controller.referee.belief.branches import EndedBy
from controller.referee.belief.kinds import void_prior
from controller.referee.events import FrameMoving, Resumed
from controller.referee.table.choices import choices_of
from controller.referee.table.closing import throw_of
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules.game import events as ruled
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import EndOfTurn, Reroll
from controller.vision.reading import DieSeen
from tests.demo.seated import moved
from tests.referee.staging import cheated, clear_breach
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, rules, turns


def seen() -> Evening:
    """A table without clock and without electronic dice, its checkers set up."""
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    return evening


def started() -> Evening:
    """Light has played the 3-1 that it started with, and Dark is to roll."""
    evening = seen()
    evening.show_dice(3, 1)
    evening.move(GOOD)
    evening.lift_dice()
    return evening


def test_who_starts_is_known_from_the_play() -> None:
    evening = seen()
    evening.show_dice(3, 1)
    assert evening.table.phase is Phase.MOVING
    evening.move(GOOD)
    evening.lift_dice()
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.side, turn.text) == (Side.LIGHT, "8/5 6/5")
    assert Acted(turn.t, ruled.OpeningRoll(3, 1)) in evening.actions
    assert evening.table.on_turn is Side.DARK


def test_who_started_is_told_by_saying_what_was_played() -> None:
    evening = seen()
    evening.show_dice(3, 1)
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
    evening.show_dice(3, 1, confidence=0.999)
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
    evening.show_dice(3, 1)
    evening.move(GOOD, pictures=6)
    assert evening.table.phase is Phase.MOVING
    evening.lift_dice()
    assert evening.table.phase is Phase.TO_ROLL


def test_equal_dice_at_the_start_are_a_tie_when_they_are_thrown_again() -> None:
    evening = seen()
    evening.show_dice(4, 4)
    evening.show_dice(3, 1)
    assert Acted(evening.table.t, ruled.OpeningRoll(4, 4)).event in [
        action.event for action in evening.actions if isinstance(action, Acted)
    ]
    evening.move(GOOD)
    evening.lift_dice()
    assert evening.table.on_turn is Side.DARK


def test_a_void_opening_roll_starts_nobody() -> None:
    evening = seen()
    evening.show_dice(3, 1)
    evening.say(ruled.RollVoided(Side.LIGHT))
    assert evening.table.phase is Phase.OPENING_ROLL
    assert evening.table.match.game.turn is None
    assert evening.table.on_turn is None


def glimpsed_and_played(first: tuple[int, int], after_s: float) -> Evening:
    """One picture shows a roll of dark's, who gives it up. So many seconds later light plays 5-2, then dark 4-3."""
    evening = started()
    evening.show_dice(*first, confidence=0.99, pictures=1)
    evening.lift_dice()
    evening.t += after_s
    for side, roll in ((Side.LIGHT, Roll.from_dice(5, 2)), (Side.DARK, Roll.from_dice(4, 3))):
        evening.show_dice(*roll.dice, confidence=0.99)
        evening.move(legal_plays(evening.shown, side, roll)[0].after, 3)
        evening.lift_dice()
    return evening


@pytest.mark.parametrize("after_s", [4.0, 12.0])
@pytest.mark.parametrize("first", [(6, 4), (1, 1)], ids=str)
def test_who_plays_after_a_roll_that_was_glimpsed_and_given_up_is_never_named(
    first: tuple[int, int], after_s: float
) -> None:
    evening = glimpsed_and_played(first, after_s)
    named = [told for told in evening.of(Told) if told.arguments.get("side") == "light"]
    assert [told.message for told in named] == [Message.STARTS]
    assert not [turn for turn in turns(evening) if turn.side is Side.LIGHT and turn.legal is False]
    assert evening.table.position == evening.shown


@pytest.mark.parametrize("first", [(6, 4), (1, 1)], ids=str)
def test_a_roll_that_was_glimpsed_and_given_up_stands_in_the_record_and_is_not_confirmed(
    first: tuple[int, int],
) -> None:
    last = {turn.ply: turn for turn in turns(glimpsed_and_played(first, 12.0))}
    assert [(last[ply].side, last[ply].legal) for ply in sorted(last)] == [
        (Side.LIGHT, True),
        (Side.DARK, None),
        (Side.LIGHT, None),
        (Side.DARK, True),
    ]
    assert (last[1].roll, last[1].after) == (Roll.from_dice(*first), GOOD)


def test_a_dance_whose_dice_were_glimpsed_is_no_turn_that_nobody_saw() -> None:
    shut = Position.from_compact(".BBBBB.E..........eed....a")
    evening = seen()
    evening.stand(shut, Side.DARK)
    evening.show_dice(6, 4, confidence=0.99, pictures=1)
    evening.lift_dice()
    evening.t += 8.0
    evening.show_dice(2, 1, confidence=0.99)
    evening.move(legal_plays(shut, Side.LIGHT, Roll.from_dice(2, 1))[0].after, 3)
    evening.lift_dice()
    dance, played = turns(evening)
    assert (dance.side, dance.roll, dance.after, dance.legal) == (Side.DARK, Roll.from_dice(6, 4), shut, True)
    assert (played.side, played.after, played.legal) == (Side.LIGHT, evening.shown, True)
    assert not evening.of(Unsure)


def test_a_valid_roll_thrown_again_before_anything_moved_is_told_and_the_first_one_stands() -> None:
    evening = started()
    evening.show_dice(6, 4)
    evening.show_dice(5, 2)
    assert evening.messages()[-1] is Message.ROLLED_AGAIN
    assert not evening.of(DiceVoid)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (6, 4)


def test_dice_that_one_picture_misses_are_not_lifted() -> None:
    evening = seen()
    evening.show_dice(3, 1)
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
        evening.show_dice(*dice)
        evening.move(GOOD if dice == (3, 1) else evening.legal())
        evening.lift_dice()
    closings = evening.table.closings
    assert len(closings) == 4
    if back is not None:
        doubted = replace(closings[-back], sure=False)
        closings = (*closings[: len(closings) - back], doubted, *closings[len(closings) - back + 1 :])
    evening.show_dice(5, 3, confidence=1.0)
    evening.table = replace(evening.table, closings=closings)
    side = evening.table.on_turn
    assert side is not None
    wrong = next(clear_breaches(evening.table.position, side, Roll.from_dice(5, 3)))
    evening.move(wrong, pictures=3)
    evening.lift_dice()
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


def rolled_over_a_slip(
    first: tuple[int, ...], second: tuple[int, int], reroll: Reroll = Reroll.ASK, *, film: bool = False
) -> Evening:
    """Dark rolls, pushes a checker of its own backwards, rolls once more, and plays that roll.

    Of the ``first`` roll one die may be all that was seen.
    """
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED, reroll=reroll)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA, film=film))
    evening.look(START)
    evening.show_dice(3, 1)
    evening.move(GOOD)
    evening.lift_dice()
    evening.film.roll((first[0], first[-1]), reported=False)
    evening.film.dice = evening.film.dice[: len(first)]
    evening.look(pictures=8)
    pushed = moved(GOOD, Side.DARK, (8, 9))
    evening.move(pushed, pictures=4)
    evening.show_dice(*second)
    evening.move(legal_plays(pushed, Side.DARK, Roll.from_dice(*second))[3].after, pictures=4)
    evening.lift_dice()
    return evening


def told_of_second_roll(evening: Evening) -> list[object]:
    """What was told of rolls that were thrown again."""
    told = [action for action in evening.actions if isinstance(action, Told)]
    return [one.arguments for one in told if one.message is Message.ROLLED_AGAIN]


@pytest.mark.parametrize("reroll", [Reroll.ASK, Reroll.COCKED_ONLY])
def test_a_second_roll_over_a_checker_that_slipped_is_told_when_its_play_shows_whose_it_was(
    reroll: Reroll,
) -> None:
    evening = rolled_over_a_slip((6, 4), (5, 2), reroll)
    assert told_of_second_roll(evening) == [{"side": "dark", "dice": [5, 2], "first": [6, 4]}]
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.side, turn.roll.dice, turn.legal) == (Side.DARK, (5, 2), True)
    assert not evening.of(Flagged)


def test_nobody_is_told_to_have_rolled_again_where_that_is_free_or_nobody_can_hear_it() -> None:
    assert told_of_second_roll(rolled_over_a_slip((6, 4), (5, 2), Reroll.FREE)) == []
    assert told_of_second_roll(rolled_over_a_slip((6, 4), (5, 2), film=True)) == []


def test_nobody_is_told_to_have_rolled_again_who_has_rolled_the_same_or_of_whose_roll_one_die_was_seen() -> (
    None
):
    assert told_of_second_roll(rolled_over_a_slip((6, 4), (6, 4))) == []
    assert told_of_second_roll(rolled_over_a_slip((6,), (5, 2))) == []


def lean(evening: Evening) -> None:
    """One of the dice on the board is seen to lean in a picture."""
    lying = evening.film.dice
    evening.film.dice = (replace(lying[0], cocked=True), *lying[1:])
    evening.look(pictures=1)
    evening.film.dice = lying


def test_a_die_that_leans_when_it_comes_to_lie_is_void_and_one_that_is_tilted_later_is_not() -> None:
    for pictures, void in ((1, True), (60, False)):
        evening = seen()
        evening.show_dice(3, 1)
        evening.look(pictures=pictures)
        lean(evening)
        assert bool(evening.of(DiceVoid)) is void, pictures


def test_a_die_that_leans_after_the_play_was_made_takes_no_play_back() -> None:
    evening = seen()
    evening.show_dice(3, 1)
    evening.move(GOOD)
    lean(evening)
    assert not evening.of(DiceVoid)
    evening.lift_dice()
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.text, turn.legal) == ("8/5 6/5", True)


def test_who_takes_the_dice_up_before_the_play_may_stop_half_way_without_being_accused() -> None:
    evening = started()
    evening.show_dice(6, 4)
    evening.lift_dice()
    evening.move(moved(GOOD, Side.DARK, (24, 18)), pictures=6)
    assert not evening.of(Flagged)
    assert evening.table.phase is Phase.MOVING
    evening.move(moved(GOOD, Side.DARK, (24, 18), (13, 9)), pictures=6)
    evening.done()
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert (turn.side, turn.text, turn.legal) == (Side.DARK, "24/18 13/9", True)


def test_whoever_puts_an_illegal_play_back_has_the_dice_in_hand_and_their_roll_is_nobody_elses() -> None:
    board = Position.from_compact("ba..CaBB..AbC...b..B.cbbB.")
    evening = seen()
    evening.stand(board, Side.LIGHT)
    evening.show_dice(3, 1)
    evening.lift_dice()
    evening.show_dice(2, 1)
    evening.move(Position.from_compact("b..aCaBB..AbC...b..B.cbaB."))
    evening.lift_dice()
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(board, pictures=6)
    assert evening.messages()[-1] is Message.PLAY_AGAIN
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert [(turn.side, turn.legal) for turn in turns(evening)] == [(Side.LIGHT, True), (Side.DARK, False)]


def test_dice_that_lay_there_before_an_electronic_roll_end_no_turn_when_they_are_cleared_away() -> None:
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile)))
    evening.look(START)
    evening.film.roll((5, 5), reported=False)
    evening.look(pictures=30)
    evening.roll(3, 1)
    evening.look(pictures=3)
    evening.film.lift()
    evening.move(moved(START, Side.LIGHT, (8, 5)), pictures=6)
    assert not evening.of(Flagged)
    assert evening.table.phase is Phase.MOVING


@pytest.mark.parametrize("reroll", Reroll)
def test_a_die_that_was_turned_over_by_hand_is_told_once_however_long_it_lies_there(reroll: Reroll) -> None:
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED, reroll=reroll)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    evening.show_dice(3, 1)
    evening.move(GOOD)
    evening.lift_dice()
    evening.show_dice(6, 4)
    evening.look(pictures=3)
    one, other = evening.film.dice
    evening.film.dice = (replace(one, value=2), other)
    evening.t += 3.0
    evening.move(GOOD, pictures=10)
    assert told_of_second_roll(evening) == [{"side": "dark", "dice": [2, 4], "first": [6, 4]}]
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (6, 4)


def test_a_play_that_needs_a_six_where_a_four_is_seen_is_asked_about_and_not_written_down() -> None:
    evening = started()
    evening.show_dice(5, 4)
    evening.move(moved(GOOD, Side.DARK, (24, 18), (13, 8)), pictures=4)
    evening.lift_dice()
    assert evening.messages().count(Message.WHICH_ROLL) == 1
    assert [turn.side for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)] == [Side.LIGHT]
    assert not evening.of(Flagged)


def test_a_play_of_sixes_where_fours_are_seen_is_asked_about_though_no_other_play_explains_it() -> None:
    evening = started()
    evening.show_dice(4, 4)
    evening.move(moved(GOOD, Side.DARK, (24, 18), (24, 18), (13, 7), (13, 7)), pictures=4)
    evening.lift_dice()
    assert evening.messages().count(Message.WHICH_ROLL) == 1
    assert [turn.side for turn in turns(evening)] == [Side.LIGHT]


def test_a_play_that_is_first_seen_with_the_next_roll_beside_it_is_the_play_of_the_roll_before() -> None:
    evening = started()
    evening.show_dice(6, 4)
    evening.tell(FrameMoving(evening.t, 900))
    evening.t += 2.0
    evening.film.roll((5, 2), reported=False)
    evening.look(REPLY, pictures=4)
    assert [(turn.side, turn.after, turn.legal) for turn in turns(evening)][1:] == [(Side.DARK, REPLY, True)]
    assert evening.table.thrown is not None
    assert (evening.table.on_turn, evening.table.thrown.roll.dice) == (Side.LIGHT, (5, 2))


def test_a_roll_of_which_one_die_was_seen_is_not_held_against_who_rolls_the_pair_again() -> None:
    evening = started()
    evening.film.roll((6, 4), reported=False)
    evening.film.dice = evening.film.dice[:1]
    evening.look(pictures=8)
    evening.show_dice(5, 2)
    assert told_of_second_roll(evening) == []
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (5, 2)


def test_dice_that_are_pushed_aside_in_the_middle_of_a_play_end_no_turn_and_are_no_second_roll() -> None:
    evening = started()
    evening.show_dice(6, 4)
    evening.move(moved(GOOD, Side.DARK, (24, 18)), pictures=4)
    evening.t += 1.0
    evening.tell(FrameMoving(evening.t, 900))
    evening.show_dice(6, 4)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    evening.move(moved(GOOD, Side.DARK, (24, 18), (13, 9)), pictures=4)
    evening.lift_dice()
    told = [turn for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)]
    assert [(turn.text, turn.legal) for turn in told] == [("8/5 6/5", True), ("24/18 13/9", True)]
    assert told_of_second_roll(evening) == []


def test_dice_that_read_like_those_before_are_the_next_roll_where_the_play_is_made_by_another_number() -> (
    None
):
    """A four was read as a two, so that it is in doubt whether the play was legal, but not that it is over."""
    evening = started()
    evening.show_dice(6, 2, confidence=0.995)
    evening.move(moved(GOOD, Side.DARK, (24, 18), (13, 9)), pictures=4)
    evening.show_dice(6, 2)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.LIGHT)


def test_a_hinge_that_is_seen_whenever_the_dice_are_lifted_is_a_roll_once_at_most() -> None:
    """Nobody can know it the first time; that it lay there then tells what it is."""
    evening, hinge = started(), DieSeen(5, 950.0, 60.0, 0.8)
    board, side = GOOD, Side.DARK
    for first, second in ((6, 4), (4, 2), (6, 3), (5, 4)):
        evening.show_dice(first, second)
        assert evening.table.on_turn is side
        board = legal_plays(board, side, Roll.from_dice(first, second))[0].after
        evening.move(board)
        evening.lift_dice()
        evening.film.dice = (hinge,)
        evening.look(board, pictures=6)
        side = side.opponent
    assert evening.table.phase is Phase.TO_ROLL
    assert [turn.side for turn in turns(evening)] == [Side.LIGHT, *[Side.DARK, Side.LIGHT] * 2]
    assert all(turn.legal for turn in turns(evening))
    assert evening.of(Flagged) == []


def test_every_roll_of_dice_that_may_be_none_loses_what_that_weighs() -> None:
    evening = started()
    evening.show_dice(6, 4, confidence=0.6)
    throw = throw_of(evening.table, evening.table.views)
    assert sum(map(exp, throw.rolls.values())) == pytest.approx(throw.is_roll) == pytest.approx(0.84)
    assert void_prior(replace(throw, ended_by=EndedBy.ROLL)) == pytest.approx(log(0.16 + rates.VOID.share))


def test_whoever_presses_their_clock_has_played_the_opening_roll_though_nobody_knew_who_started() -> None:
    evening = Evening(Settings(match_terms(rules()), clock=True, dice=DiceFrom.CAMERA))
    evening.look(START)
    evening.show_dice(3, 1)
    evening.move(GOOD)
    evening.press(Button.CLOCK_LIGHT)
    assert Message.NOT_YOUR_CLOCK not in evening.messages()
    assert [(turn.side, turn.after) for turn in turns(evening)] == [(Side.LIGHT, GOOD)]


REPLY: Position = moved(GOOD, Side.DARK, (24, 18), (13, 9))
"""What dark plays with 6-4."""


def end_reply(evening: Evening) -> None:
    """Dark's dice have lain there all the time, and are lifted: the play counts, and nobody has rolled since."""
    evening.look(pictures=4)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    evening.lift_dice()
    assert [(turn.side, turn.after) for turn in turns(evening)] == [(Side.LIGHT, GOOD), (Side.DARK, REPLY)]
    assert evening.table.phase is Phase.TO_ROLL


def test_dice_that_lie_there_when_the_program_starts_again_are_no_new_roll() -> None:
    evening = started()
    evening.show_dice(6, 4)
    evening.move(REPLY)
    evening.tell(Resumed(evening.t))
    end_reply(evening)


def test_dice_that_come_in_sight_when_the_roll_was_told_are_no_new_roll() -> None:
    evening = started()
    evening.say(ruled.Rolled(Side.DARK, Roll(6, 4)))
    evening.move(REPLY)
    evening.film.roll((6, 4), reported=False)
    end_reply(evening)


def test_other_dice_that_come_in_sight_when_the_roll_was_told_are_the_next_roll() -> None:
    evening = started()
    evening.say(ruled.Rolled(Side.DARK, Roll(6, 4)))
    evening.move(REPLY, pictures=3)
    evening.show_dice(5, 2)
    assert evening.table.position == REPLY
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.LIGHT)


@pytest.mark.parametrize(("other", "side"), [(5, Side.LIGHT), (6, Side.DARK)], ids=["told", "next roll"])
def test_of_dice_that_come_in_sight_when_the_roll_was_told_one_may_lie_where_one_lay_before(
    other: int, side: Side
) -> None:
    evening = seen()
    evening.show_dice(3, 1)
    three, _ = evening.film.dice
    evening.move(GOOD)
    evening.lift_dice()
    evening.show_dice(6, 4)
    evening.move(REPLY)
    evening.lift_dice()
    evening.say(ruled.Rolled(Side.LIGHT, Roll(5, 3)))
    evening.move(moved(REPLY, Side.LIGHT, (13, 8), (13, 10)), pictures=3)
    evening.film.dice = (three, DieSeen(other, 30.0, 30.0, 0.95))
    evening.look(pictures=4)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, side)


def rolled_just_now(dice: tuple[int, int], before: Position, side: Side = Side.LIGHT) -> Evening:
    """A table with a clock: dice lie there, one picture showed them, and the side on turn presses its clock."""
    evening = Evening(Settings(match_terms(rules()), clock=True, dice=DiceFrom.CAMERA))
    evening.look(START)
    evening.start()
    evening.stand(before, side)
    evening.look(pictures=2)
    evening.show_dice(*dice, pictures=1)
    evening.done()
    return evening


DANCES: Final = Position.from_counts([2, 0, 0, 0, 0, 2, *[0] * 12, -3, -3, -3, -3, -3, 0], 1, 0)
"""Light is on the bar, and a 6-6 enters nothing."""


def test_a_clock_pressed_as_soon_as_the_roll_is_seen_to_dance_counts_when_the_dice_were_read() -> None:
    evening = rolled_just_now((6, 6), DANCES)
    evening.look(pictures=2)
    assert Message.NOT_NOW not in evening.messages()
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, Side.DARK)
    assert evening.table.clock is Side.DARK


def test_a_clock_pressed_before_the_roll_was_read_by_whoever_has_moved_nothing_is_answered_then() -> None:
    evening = rolled_just_now((6, 4), GOOD, Side.DARK)
    assert evening.messages()[-1] is Message.STARTS
    evening.look(pictures=2)
    assert evening.messages()[-1] is Message.NOTHING_MOVED
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)


def test_a_clock_pressed_at_what_was_no_roll_is_answered_when_nothing_lies_there() -> None:
    evening = rolled_just_now((6, 4), GOOD, Side.DARK)
    evening.lift_dice()
    evening.look(pictures=4)
    assert evening.messages()[-1] is Message.NOT_NOW
    evening.show_dice(6, 4)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert Message.NOTHING_MOVED not in evening.messages()


def test_a_done_of_the_side_to_roll_waits_for_its_dice_and_that_of_the_other_side_does_not() -> None:
    for side, passed in ((Side.LIGHT, True), (Side.DARK, False)):
        evening = Evening(Settings(match_terms(rules()), dice=DiceFrom.CAMERA))
        evening.look(START)
        evening.start()
        evening.stand(DANCES, Side.LIGHT)
        evening.show_dice(6, 6, pictures=1)
        evening.press(Button.DONE, side)
        assert (Message.NOT_NOW in evening.messages()) is not passed
        evening.look(pictures=2)
        assert (evening.table.on_turn is Side.DARK) is passed


@pytest.mark.parametrize("pictures", [2, 3, 5])
@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_dice_that_something_hid_in_the_middle_of_a_play_and_lie_where_they_lay_end_no_turn(
    pictures: int, confidence: float
) -> None:
    evening = started()
    evening.show_dice(6, 4, confidence=confidence)
    evening.move(moved(GOOD, Side.DARK, (24, 18)), pictures=3)
    dice, evening.film.dice = evening.film.dice, ()
    evening.look(pictures=pictures)
    evening.film.dice = dice
    evening.look(pictures=1)
    assert evening.table.phase is Phase.MOVING
    assert evening.table.flagged is None
    evening.move(REPLY, pictures=3)
    evening.lift_dice()
    told = [(turn.text, turn.legal) for turn in turns(evening)]
    assert told == [("8/5 6/5", True), ("24/18 13/9", True)]


def test_a_play_that_is_flagged_although_its_dice_were_only_hidden_is_withdrawn_aloud() -> None:
    evening = started()
    evening.show_dice(6, 4, confidence=0.999)
    evening.move(moved(GOOD, Side.DARK, (24, 18)), pictures=3)
    dice, evening.film.dice = evening.film.dice, ()
    evening.look(pictures=3)
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.film.dice = dice
    evening.look(pictures=1)
    assert evening.messages()[-1] is Message.GOES_ON


@pytest.mark.parametrize("film", [True, False])
def test_who_danced_and_then_seemed_to_roll_once_more_gave_up_no_turn_without_rolling(film: bool) -> None:
    """Nobody sees light's roll before a checker of it lies elsewhere, nor how that is put right.

    Whose roll it was is open until the play lies there; by then it is certain, too, that dark had danced before.
    """
    evening = Evening(Settings(match_terms(rules()), dice=DiceFrom.CAMERA, film=film))
    evening.stand(Position.from_compact("CBBBB.....B..c.bbBb.a.ca.a"), Side.DARK)
    evening.show_dice(1, 1, pictures=2)
    evening.t += 5
    evening.shown = Position.from_compact("CBBBB.....B.Ac.bbAb.a.ca.a")
    evening.show_dice(5, 1)
    evening.t += 7
    played = evening.shown = Position.from_compact("CBBBC.....A..c.bbBb.a.ca.a")
    evening.show_dice(3, 3, pictures=7)
    told = {turn.ply: (turn.side, turn.roll, turn.legal) for turn in turns(evening)}
    assert told == {0: (Side.DARK, Roll(1, 1), True), 1: (Side.LIGHT, Roll(5, 1), True)}
    assert turns(evening)[-2].after == played
    assert Message.PASSES not in evening.messages()
