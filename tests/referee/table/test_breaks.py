"""Set-up, pauses, disputes, rebuilding, devices that fail, and a program that starts again."""

from dataclasses import replace

import pytest

from controller.devices.lights.frame import Signal
from controller.devices.link.happenings import Button
from controller.referee.actions import ClockRuns, Flagged, GameEnded, Message, Phase, RollAllowed, TurnJudged
from controller.referee.events import (
    PORT_OPENED,
    BoardTrouble,
    BoardTroubled,
    DeviceChanged,
    Disputed,
    FrameMoving,
    GoOn,
    PositionRuled,
    ProfileChosen,
    Rebuild,
    Resumed,
    RollReported,
)
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.position import START, Position, Side
from controller.rules.profile.profile import STANDARD
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, OTHER, after, opened, said, turns


def fresh() -> Evening:
    return Evening(Settings(match_terms(STANDARD), clock=True))


def resigned() -> Evening:
    """A game that is over."""
    evening = opened()
    evening.say(ruled.Resigned(Side.LIGHT, 1))
    evening.say(ruled.ResignationAccepted(Side.DARK))
    return evening


def test_a_roll_over_checkers_that_stand_wrongly_does_not_count() -> None:
    evening = fresh()
    evening.look(after((6, 5)))
    evening.roll(3, 1)
    assert evening.table.phase is Phase.SET_UP
    assert evening.messages()[-1] is Message.SET_UP_WRONG
    evening.move(START)
    assert evening.table.phase is Phase.OPENING_ROLL


def test_a_roll_before_anything_was_seen_counts() -> None:
    evening = fresh()
    evening.tell(RollReported(1.0, (3, 1)))
    assert evening.table.phase is Phase.MOVING
    assert evening.table.on_turn is Side.LIGHT


def test_a_pause_stops_the_clock_and_play_goes_on_where_it_was() -> None:
    evening = opened()
    evening.press(Button.PAUSE)
    assert evening.table.phase is Phase.PAUSED
    clock = evening.of(ClockRuns)[-1]
    assert isinstance(clock, ClockRuns)
    assert clock.side is None
    evening.roll(6, 4)
    assert evening.messages()[-1] is Message.ROLL_NOT_DUE
    evening.press(Button.PAUSE)
    assert evening.table.phase is Phase.MOVING
    evening.move(GOOD)
    evening.done()
    assert evening.table.on_turn is Side.DARK


def test_a_dispute_within_a_pause_goes_back_to_play() -> None:
    evening = opened()
    evening.press(Button.PAUSE)
    evening.tell(Disputed(evening.t))
    assert evening.table.phase is Phase.DISPUTE
    evening.tell(GoOn(evening.t))
    assert evening.table.phase is Phase.MOVING


def test_a_pause_within_an_offer_to_resign_goes_back_to_the_offer_and_then_to_the_play() -> None:
    evening = opened()
    evening.say(ruled.Resigned(Side.LIGHT, 1))
    evening.press(Button.PAUSE)
    evening.tell(GoOn(evening.t))
    assert evening.table.phase is Phase.RESIGNATION_OFFERED
    evening.say(ruled.ResignationRefused(Side.DARK))
    assert evening.table.phase is Phase.MOVING
    evening.move(GOOD)
    evening.done()
    assert evening.table.position == GOOD


def test_checkers_laid_out_within_an_offer_to_resign_lead_back_to_the_offer_and_then_to_the_play() -> None:
    evening = opened()
    evening.say(ruled.Resigned(Side.LIGHT, 1))
    evening.move(after((8, 5)))
    evening.tell(Rebuild(evening.t))
    assert evening.table.phase is Phase.SET_UP
    evening.tell(GoOn(evening.t))
    assert evening.table.phase is Phase.RESIGNATION_OFFERED
    evening.say(ruled.ResignationRefused(Side.DARK))
    assert evening.table.phase is Phase.MOVING


def test_what_was_moved_before_a_pause_belongs_to_the_play() -> None:
    evening = opened()
    evening.move(after((8, 5)))
    evening.press(Button.PAUSE)
    evening.tell(GoOn(evening.t))
    evening.move(GOOD)
    evening.done()
    assert [(turn.text, turn.legal) for turn in turns(evening)] == [("8/5 6/5", True)]


def test_a_ruling_on_a_play_names_the_turn_from_which_it_holds() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    evening.roll(6, 4)
    assert evening.table.ply == 1
    evening.tell(PositionRuled(evening.t, after((13, 8)), Side.DARK))
    evening.move(after((13, 8)))
    assert (evening.table.phase, evening.table.ply) == (Phase.TO_ROLL, 1)
    evening.tell(PositionRuled(evening.t, START, Side.LIGHT, ply=0))
    evening.move(START)
    assert (evening.table.phase, evening.table.ply, evening.table.on_turn) == (Phase.TO_ROLL, 0, Side.LIGHT)


def test_no_position_is_ruled_before_the_first_roll_and_after_the_last_play() -> None:
    evening = fresh()
    evening.look(START)
    evening.tell(PositionRuled(evening.t, GOOD, Side.DARK))
    assert evening.table.phase is Phase.OPENING_ROLL
    evening = resigned()
    evening.tell(PositionRuled(evening.t, GOOD, Side.DARK))
    assert evening.table.phase is Phase.GAME_OVER
    assert evening.messages()[-1] is Message.NOT_NOW


def test_after_a_game_any_position_may_be_laid_out_to_look_at() -> None:
    evening = resigned()
    evening.tell(Rebuild(evening.t, GOOD))
    assert (evening.table.phase, evening.table.target) == (Phase.GAME_OVER, GOOD)
    assert evening.messages()[-1] is Message.SET_UP


def test_the_director_rules_how_the_board_stands_and_it_is_laid_out_so() -> None:
    evening = opened()
    evening.tell(Disputed(evening.t))
    ruled_position = after((13, 8))
    evening.tell(PositionRuled(evening.t, ruled_position, Side.DARK))
    assert evening.table.phase is Phase.SET_UP
    evening.move(ruled_position)
    assert evening.table.phase is Phase.TO_ROLL
    assert evening.table.on_turn is Side.DARK
    assert evening.table.position == ruled_position


def test_a_person_may_say_what_was_played() -> None:
    evening = opened()
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    turn = evening.of(TurnJudged)[-1]
    assert isinstance(turn, TurnJudged)
    assert turn.text == "8/5 6/5"
    assert evening.table.on_turn is Side.DARK


def test_a_knocked_over_board_is_rebuilt_and_the_roll_is_played_on() -> None:
    evening = opened()
    evening.move(Position.from_counts([0] * 24))
    evening.tell(Rebuild(evening.t))
    assert evening.table.phase is Phase.SET_UP
    evening.move(START)
    assert evening.table.phase is Phase.MOVING
    assert evening.table.thrown is not None
    evening.move(GOOD)
    evening.done()
    assert evening.table.position == GOOD


def told(evening: Evening) -> dict[int, tuple[Position, bool | None]]:
    """What the record has of each turn in the end: the board after it, and whether it was legal."""
    return {turn.ply: (turn.after, turn.legal) for turn in turns(evening)}


@pytest.mark.parametrize("pictures", [1, 3])
def test_a_board_that_is_laid_out_as_was_played_is_played_on_where_another_play_was_said(
    pictures: int,
) -> None:
    evening = said(OTHER)
    evening.move(after((24, 18), of=OTHER, side=Side.DARK), pictures=pictures)
    evening.tell(Rebuild(evening.t))
    assert evening.table.phase is Phase.SET_UP
    evening.move(OTHER, pictures=1)
    assert evening.table.phase is Phase.SET_UP
    evening.look()
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.GOES_ON
    reply = after((8, 2), (6, 2), of=OTHER, side=Side.DARK)
    evening.move(reply)
    evening.done()
    assert not evening.of(Flagged)
    assert told(evening) == {0: (OTHER, True), 1: (reply, True)}


def test_the_lights_lead_from_the_board_that_lies_there_to_what_was_said() -> None:
    evening = said(OTHER)
    evening.tell(Rebuild(evening.t))
    evening.look(pictures=3)
    assert evening.table.phase is Phase.SET_UP
    assert [evening.table.lit[point] for point in (23, 10)] == [Signal.TAKE] * 2
    evening.move(GOOD, pictures=3)
    assert evening.table.phase is Phase.MOVING
    reply = after((24, 18), (13, 9), of=GOOD, side=Side.DARK)
    evening.move(reply)
    evening.done()
    assert told(evening) == {0: (GOOD, True), 1: (reply, True)}


def test_another_position_that_is_to_be_looked_at_is_laid_out_whatever_was_played() -> None:
    evening = said(OTHER)
    evening.tell(Rebuild(evening.t, START))
    evening.move(after((6, 5)), pictures=3)
    evening.move(OTHER, pictures=3)
    assert evening.table.phase is Phase.SET_UP
    evening.move(START, pictures=3)
    assert evening.table.phase is Phase.MOVING


def test_a_program_that_starts_again_plays_on_from_what_was_played_where_another_play_was_said() -> None:
    evening = opened()
    evening.move(OTHER, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.tell(Resumed(evening.t))
    evening.look(after((6, 5)), pictures=3)
    assert evening.table.phase is Phase.SET_UP
    evening.look(OTHER, pictures=3)
    assert evening.table.phase is Phase.TO_ROLL
    evening.roll(6, 4)
    reply = after((8, 2), (6, 2), of=OTHER, side=Side.DARK)
    evening.move(reply)
    evening.done()
    assert told(evening) == {0: (OTHER, True), 1: (reply, True)}


@pytest.mark.parametrize("position", [GOOD, START, after((6, 5))])
def test_a_ruling_on_another_board_leaves_what_was_said_as_it_is(position: Position) -> None:
    evening = opened()
    evening.move(OTHER, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=3)
    evening.tell(Disputed(evening.t))
    evening.tell(PositionRuled(evening.t, position, Side.DARK))
    evening.move(position)
    assert told(evening) == {0: (GOOD, True)}
    assert (evening.table.phase, evening.table.position) == (Phase.TO_ROLL, position)


def test_a_ruling_that_what_lies_there_counts_tells_the_turn_anew_that_was_said_otherwise() -> None:
    evening = opened()
    evening.move(OTHER, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=3)
    evening.tell(Disputed(evening.t))
    evening.tell(PositionRuled(evening.t, OTHER, Side.DARK))
    evening.look(pictures=3)
    assert told(evening) == {0: (OTHER, True)}
    assert (evening.table.phase, evening.table.ply) == (Phase.TO_ROLL, 1)


@pytest.mark.parametrize("lies", [True, False])
def test_what_was_seen_of_the_turn_that_a_ruling_ends_tells_the_one_before_anew(lies: bool) -> None:
    evening = said(OTHER)
    reply = after((8, 2), (6, 2), of=OTHER, side=Side.DARK)
    evening.move(reply, pictures=3)
    evening.tell(Disputed(evening.t))
    position = reply if lies else after((6, 5), of=reply)
    evening.tell(PositionRuled(evening.t, position, Side.LIGHT))
    evening.move(position)
    assert not evening.of(Flagged)
    assert told(evening) == {0: (OTHER, True)}
    assert (evening.table.phase, evening.table.ply) == (Phase.TO_ROLL, 1)
    assert (evening.table.position, evening.table.on_turn) == (position, Side.LIGHT)


@pytest.mark.parametrize(
    "ends",
    [
        (ruled.GameAwarded(Side.LIGHT, 1),),
        (ruled.MatchForfeited(Side.DARK),),
        (ruled.Resigned(Side.DARK, 1), ruled.ResignationAccepted(Side.LIGHT)),
    ],
    ids=["award", "forfeit", "resignation"],
)
def test_what_was_seen_of_the_play_in_which_a_game_ends_tells_the_turn_before_anew(
    ends: tuple[ruled.RulesEvent, ...],
) -> None:
    evening = said(OTHER)
    evening.move(after((8, 2), (6, 2), of=OTHER, side=Side.DARK), pictures=3)
    for event in ends:
        evening.say(event)
    assert evening.table.phase in (Phase.GAME_OVER, Phase.MATCH_OVER)
    assert told(evening) == {0: (OTHER, True)}


def test_a_ruling_has_a_game_go_on_that_the_turn_before_would_have_ended() -> None:
    before = Position.from_counts([0, 1, 1, *[0] * 18, 0, 0, -1])
    left, all_off = after((3, 1), (2, 0), of=before), after((3, 0), (2, 0), of=before)
    evening = opened()
    evening.stand(before, Side.LIGHT)
    evening.roll(3, 2)
    evening.move(all_off, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, left, None))
    evening.look(pictures=3)
    evening.tell(PositionRuled(evening.t, all_off, Side.DARK))
    evening.look(pictures=3)
    assert not evening.of(GameEnded)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, Side.DARK)
    assert told(evening)[0] == (all_off, True)


def test_a_program_that_starts_again_goes_on_in_the_same_state() -> None:
    evening = opened()
    before = evening.table
    evening.tell(Resumed(evening.t))
    assert (evening.table.phase, evening.table.position, evening.table.thrown) == (
        before.phase,
        before.position,
        before.thrown,
    )
    evening.move(GOOD)
    evening.done()
    assert evening.table.position == GOOD


def test_what_was_moved_before_the_program_started_again_belongs_to_the_play() -> None:
    evening = opened()
    evening.move(after((8, 5)))
    evening.tell(Resumed(evening.t))
    evening.move(GOOD)
    evening.done()
    assert [(turn.text, turn.legal) for turn in turns(evening)] == [("8/5 6/5", True)]


def test_a_program_that_starts_again_asks_for_the_roll_that_was_awaited() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    asked = len(evening.of(RollAllowed))
    evening.tell(Resumed(evening.t))
    evening.move(GOOD)
    assert evening.table.phase is Phase.TO_ROLL
    assert len(evening.of(RollAllowed)) == asked + 1


def test_a_device_that_fails_stops_nothing() -> None:
    evening = opened()
    evening.tell(DeviceChanged(evening.t, "board", False, "unplugged"))
    assert evening.messages()[-1] is Message.DEVICE_GONE
    evening.move(GOOD)
    evening.tell(DeviceChanged(evening.t, "board", True))
    evening.done()
    assert evening.table.position == GOOD


@pytest.mark.parametrize(
    ("trouble", "lost"),
    [
        (BoardTrouble.POWER_CUT, True),
        (BoardTrouble.QUEUE_FULL, True),
        (BoardTrouble.TAKEN, True),
        (BoardTrouble.RESTART, False),
        (BoardTrouble.REQUEST_REFUSED, False),
    ],
)
def test_a_roll_that_the_electronics_may_have_lost_is_asked_for_again(
    trouble: BoardTrouble, lost: bool
) -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    assert evening.table.phase is Phase.TO_ROLL
    asked = len(evening.of(RollAllowed))
    evening.tell(BoardTroubled(evening.t, trouble, 2, "brown_out"))
    assert Message.BOARD_TROUBLE in evening.messages()
    assert (Message.ROLL_AGAIN in evening.messages()) is lost
    assert len(evening.of(RollAllowed)) == asked + lost


def test_electronics_that_lose_something_while_nobody_is_to_roll_ask_for_no_roll() -> None:
    evening = opened()
    evening.tell(BoardTroubled(evening.t, BoardTrouble.POWER_CUT))
    assert Message.BOARD_TROUBLE in evening.messages()
    assert Message.ROLL_AGAIN not in evening.messages()
    assert evening.table.phase is Phase.MOVING


def test_nothing_is_said_of_electronics_that_start_anew_as_their_port_is_opened() -> None:
    evening = opened()
    known = evening.messages()
    evening.tell(BoardTroubled(evening.t, BoardTrouble.RESTART, 0, PORT_OPENED))
    assert evening.messages() == known


def test_before_the_first_roll_checkers_are_laid_out_without_breaking_anything_off() -> None:
    evening = fresh()
    evening.look(START)
    evening.tell(Rebuild(evening.t, None))
    assert (evening.table.phase, evening.table.target) == (Phase.OPENING_ROLL, START)
    evening.roll(3, 1)
    assert evening.table.phase is Phase.MOVING


def test_rolls_without_a_camera_are_held_until_the_board_is_seen() -> None:
    evening = fresh()
    evening.tell(RollReported(1.0, (3, 1)))
    evening.tell(DeviceChanged(1.5, "camera", False, "unplugged"))
    evening.press(Button.CLOCK_LIGHT)
    evening.tell(RollReported(9.0, (6, 4)))
    assert evening.table.phase is Phase.TURN_ENDED
    evening.t = 12.0
    evening.tell(DeviceChanged(12.0, "camera", True))
    evening.look(GOOD, pictures=3)
    assert evening.table.position == GOOD
    assert evening.table.phase is Phase.MOVING
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (6, 4)


def test_other_rules_are_refused_within_a_match() -> None:
    evening = opened()
    evening.tell(ProfileChosen(evening.t, STANDARD))
    assert Message.PROFILE_FIXED not in evening.messages()
    other = replace(STANDARD, cube=replace(STANDARD.cube, max=8))
    evening.tell(ProfileChosen(evening.t, other))
    assert evening.messages()[-1] is Message.PROFILE_FIXED
    assert evening.table.match.game.profile == STANDARD


def test_another_board_under_the_camera_is_told_and_nothing_is_concluded_from_it() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    evening.move(Position.from_counts([0, 0, 3, 3, 3, 3, 3] + [0] * 10 + [-3] * 5 + [0, 0]), pictures=4)
    assert Message.BOARD_OTHER in evening.messages()
    assert evening.table.position == GOOD
    evening.move(GOOD)
    evening.roll(6, 4)
    assert evening.table.phase is Phase.MOVING


def test_a_checker_that_fell_off_the_board_is_missed_and_nobody_is_accused() -> None:
    evening = opened()
    points = list(GOOD.points)
    points[12] -= 1
    evening.film.tray_seen = False
    evening.move(Position.from_counts(points), pictures=3)
    evening.done()
    assert not evening.of(TurnJudged)
    assert not evening.of(Flagged)
    assert evening.table.phase is Phase.TURN_ENDED
    evening.move(GOOD, pictures=3)
    assert evening.table.position == GOOD


def test_the_dice_are_released_once_for_each_roll_that_is_due() -> None:
    evening = opened()
    evening.move(GOOD)
    assert len(evening.of(RollAllowed)) == 1
    evening.done()
    assert len(evening.of(RollAllowed)) == 2


def test_a_clock_that_runs_backwards_and_events_told_twice_change_nothing_for_the_worse() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.tell(FrameMoving(0.0, 0))
    evening.t += 1.0
    evening.look(GOOD)
    evening.done()
    evening.press(Button.CLOCK_LIGHT)
    evening.press(Button.CLOCK_LIGHT)
    assert evening.table.position == GOOD
    assert evening.table.on_turn is Side.DARK
    assert len(evening.of(TurnJudged)) == 1
