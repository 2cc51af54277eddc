"""Turns that nobody ends, rolls that nobody makes, and what people agreed: each as players meet it in an evening."""

from dataclasses import replace

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import (
    Acted,
    CubeUnclear,
    DiceVoid,
    Flagged,
    GameEnded,
    Message,
    Phase,
    Told,
    Unsure,
)
from controller.referee.events import ConsentGiven, FrameMoving, FrameSeen, Resumed, RollReported, Ticked
from controller.referee.table.settings import DiceFrom, End, Settings
from controller.rules.game import events as ruled
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import Consent, EndOfTurn, IllegalPolicy, Party
from controller.rules.profile.profile import STANDARD
from controller.rules.reasons import ReasonCode
from controller.vision.reading import CubeSeen
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, OTHER, WRONG, after, opened, rules, turns
from tests.rows import each_row

CLOSED_OUT = Position.from_counts([2, 2, 2, 2, 2, 2, *[0] * 16, -2, 0], 0, 1)
"""Dark is on the bar against a closed board."""
EVERYBODY = frozenset(Party)


def closed_out(*, clock: bool = True) -> Evening:
    """Dark is on turn and cannot enter with any number."""
    evening = opened(Settings(match_terms(STANDARD), clock=clock))
    evening.stand(CLOSED_OUT, Side.DARK)
    return evening


def light_bears_off(evening: Evening) -> Position:
    """Light plays a 6-5 from the closed board, and ends its turn."""
    result = legal_plays(CLOSED_OUT, Side.LIGHT, Roll.from_dice(6, 5))[0].after
    evening.look()
    evening.move(result, 3)
    evening.done()
    return result


@pytest.mark.parametrize("way", ["clock", "done"])
def test_who_is_closed_out_passes_without_rolling(way: str) -> None:
    evening = closed_out(clock=way == "clock")
    evening.press(Button.CLOCK_DARK if way == "clock" else Button.DONE)
    assert Message.PASSES in evening.messages()
    assert Message.NOT_YOUR_CLOCK not in evening.messages()
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, Side.LIGHT)
    evening.roll(6, 5)
    result = light_bears_off(evening)
    assert [(turn.side, turn.legal, turn.after) for turn in turns(evening)] == [(Side.LIGHT, True, result)]
    assert evening.table.on_turn is Side.DARK


@pytest.mark.parametrize("clock", [True, False])
def test_who_is_closed_out_passes_by_the_opponents_roll(clock: bool) -> None:
    evening = closed_out(clock=clock)
    evening.roll(6, 5)
    evening.look()
    result = legal_plays(CLOSED_OUT, Side.LIGHT, Roll.from_dice(6, 5))[0].after
    evening.move(result, 3)
    evening.press(Button.CLOCK_LIGHT if clock else Button.DONE)
    evening.look()
    assert not evening.of(Flagged)
    assert [(turn.side, turn.legal, turn.after) for turn in turns(evening) if turn.before != turn.after] == [
        (Side.LIGHT, True, result)
    ]
    assert evening.table.position == result
    assert evening.table.on_turn is Side.DARK


def test_who_is_closed_out_and_rolls_all_the_same_dances() -> None:
    evening = closed_out()
    evening.roll(6, 5)
    assert evening.messages()[-1] is Message.NO_PLAY
    evening.done()
    assert (turns(evening)[-1].side, turns(evening)[-1].text) == (Side.DARK, "Cannot Move")
    evening.roll(6, 5)
    result = light_bears_off(evening)
    assert turns(evening)[-1].after == result


def test_who_could_not_move_is_not_accused_of_the_roll_that_the_opponent_broke_rules_with() -> None:
    evening = closed_out()
    evening.stand(Position.from_compact(".d.BBFB....AA...A....bde.."), Side.DARK)
    evening.roll(5, 5)
    evening.done()
    evening.roll(3, 2)
    # Light plays 6/1, and takes a checker of dark's from the board.
    evening.move(Position.from_compact("Ad.BBEB....AA...A....ade.."), 5)
    evening.done()
    evening.look(pictures=5)
    assert not [
        flag for flag in evening.of(Flagged) if isinstance(flag, Flagged) and flag.turn.side is Side.DARK
    ]
    assert [turn for turn in turns(evening) if turn.side is Side.DARK and not turn.legal] == []
    assert Message.CHECKER_MISSING in evening.messages()


@pytest.mark.parametrize("seen_at_rest", [1, 4])
def test_a_checker_that_lay_elsewhere_before_the_roll_is_no_try_of_who_rolled(seen_at_rest: int) -> None:
    evening = closed_out()
    evening.stand(Position.from_compact("BB..BCAB...A...cb.cc.bBa.a"), Side.DARK)
    evening.roll(2, 1)
    # Dark cannot enter; he moves a checker of light's, and ends his turn.
    evening.move(Position.from_compact("BB..CBAB...A...cb.cc.bBa.a"), 3)
    evening.done()
    evening.look(pictures=seen_at_rest)
    evening.roll(5, 5)
    evening.look(pictures=4)
    evening.move(Position.from_compact("BCB.BCA........cb.cc.bBa.a"), 4)
    evening.done()
    evening.look()
    assert [turn for turn in turns(evening) if turn.side is Side.LIGHT and not turn.legal] == []
    assert evening.table.position == Position.from_compact("BCB.BCA........cb.cc.bBa.a")


def test_who_can_enter_cannot_pass() -> None:
    evening = opened()
    evening.stand(Position.from_counts([2, 2, 2, 2, 2, *[0] * 17, -2, 0], 0, 1), Side.DARK)
    (said,) = evening.press(Button.CLOCK_DARK)
    assert said == Told(said.t, Message.NOT_NOW, {"why": "to_roll"})
    assert evening.table.on_turn is Side.DARK


def wrong_under(policy: IllegalPolicy, consent: Consent, given: bool | None) -> Evening:
    """An illegal play at a table with these rules, after players have agreed (or not, or were not asked)."""
    profile = rules(illegal_policy=policy, device_consent=consent)
    evening = Evening(Settings(match_terms(profile), clock=True))
    evening.look(START)
    if given is not None:
        evening.tell(ConsentGiven(evening.t, given))
    evening.roll(3, 1)
    evening.move(WRONG)
    evening.done()
    return evening


def heard_by(evening: Evening) -> frozenset[Party]:
    flag = evening.of(Flagged)[-1]
    assert isinstance(flag, Flagged)
    return flag.to


@each_row("policy", IllegalPolicy)
@each_row("given", [None, False, True])
def test_where_the_players_are_asked_nothing_is_told_to_them_until_they_agree(
    policy: IllegalPolicy, given: bool | None
) -> None:
    evening = wrong_under(policy, Consent.ASKED, given)
    assert evening.messages().count(Message.CONSENT_ASKED) == 1
    assert heard_by(evening) == (EVERYBODY if given else {Party.DIRECTOR})


@pytest.mark.parametrize("policy", IllegalPolicy)
def test_where_the_event_has_official_monitors_everybody_is_told_and_nobody_asked(
    policy: IllegalPolicy,
) -> None:
    evening = wrong_under(policy, Consent.GIVEN, None)
    assert Message.CONSENT_ASKED not in evening.messages()
    assert heard_by(evening) == EVERYBODY


@each_row("policy", IllegalPolicy)
@each_row("given", [None, True])
def test_where_the_policy_decides_the_players_are_told_what_they_must_point_out_or_have_agreed_to(
    policy: IllegalPolicy, given: bool | None
) -> None:
    evening = wrong_under(policy, Consent.BY_POLICY, given)
    assert Message.CONSENT_ASKED not in evening.messages()
    told = given or policy is IllegalPolicy.LEGAL_MOVES
    assert heard_by(evening) == (EVERYBODY if told else {Party.DIRECTOR})


@each_row("pictures", [1, 3])
@each_row("number", range(0, 16, 3))
def test_a_legal_play_made_while_the_program_was_away_is_certain_when_it_is_clearly_seen(
    number: int, pictures: int
) -> None:
    evening = opened()
    evening.look(pictures=2)
    result = evening.legal(number)
    evening.tell(Resumed(evening.t + 5.0))
    evening.t += 5.0
    evening.look(result, pictures)
    evening.done()
    evening.look()
    assert not evening.of(Unsure)
    assert [(turn.legal, turn.after) for turn in turns(evening)] == [(True, result)]


def test_an_illegal_play_made_while_the_program_was_away_is_flagged() -> None:
    evening = opened()
    evening.look(pictures=2)
    evening.tell(Resumed(evening.t))
    evening.look(WRONG, 3)
    evening.done()
    assert heard_by(evening) == EVERYBODY


@pytest.mark.parametrize("final", ["roll", "double"])
def test_an_illegal_play_that_nobody_corrects_blocks_nothing(final: str) -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    if final == "double":
        evening.press(Button.DOUBLE, Side.DARK)
        assert evening.table.phase is Phase.CUBE_OFFERED
        evening.press(Button.TAKE, Side.LIGHT)
    expected = WRONG
    for side, dice in ((Side.DARK, (6, 4)), (Side.LIGHT, (5, 2)), (Side.DARK, (4, 1))):
        evening.roll(*dice)
        evening.look()
        expected = legal_plays(expected, side, Roll.from_dice(*dice))[0].after
        evening.move(expected, 3)
        evening.done()
    assert [(turn.ply, turn.legal, turn.stands) for turn in turns(evening)] == [
        (0, False, True),
        (1, True, False),
        (2, True, False),
        (3, True, False),
    ]
    assert turns(evening)[0].reasons
    assert evening.table.position == expected


def without_clock(**settings: object) -> Evening:
    """Electronic dice, neither clock nor button; light has rolled 3-1, and the camera sees the dice lie."""
    evening = Evening(Settings(match_terms(STANDARD), **settings))  # type: ignore[arg-type]
    evening.look(START)
    throw(evening, 3, 1)
    return evening


def throw(evening: Evening, first: int, second: int) -> None:
    """Dice come to lie, are seen, and are reported."""
    evening.film.roll((first, second), reported=False)
    evening.roll(first, second)
    evening.look(pictures=3)


def lift(evening: Evening) -> None:
    """A hand takes the dice off the board."""
    evening.t += 0.5
    evening.tell(FrameMoving(evening.t, 9))
    evening.film.lift()
    evening.t += 0.5
    evening.look(pictures=3)


def test_lifting_reported_dice_ends_the_turn() -> None:
    evening = without_clock()
    evening.move(GOOD, 3)
    assert evening.table.phase is Phase.MOVING
    lift(evening)
    assert evening.table.phase is Phase.TO_ROLL
    assert [(turn.text, turn.legal) for turn in turns(evening)] == [("8/5 6/5", True)]


def test_lifting_reported_dice_has_an_illegal_play_flagged_before_the_opponent_rolls() -> None:
    evening = without_clock()
    evening.move(WRONG, 3)
    assert not evening.of(Flagged)
    lift(evening)
    assert heard_by(evening) == EVERYBODY
    assert evening.table.phase is Phase.PUT_RIGHT


def test_the_last_play_of_a_game_is_judged_without_anybody_saying_so() -> None:
    evening = without_clock()
    evening.stand(Position.from_counts([1, 1] + [0] * 21 + [-2]), Side.LIGHT)
    throw(evening, 6, 5)
    evening.move(Position.from_counts([0] * 23 + [-2]), 3)
    for _ in range(40):
        evening.t += 0.25
        evening.tell(Ticked(evening.t))
    assert evening.of(GameEnded)
    assert evening.table.phase is Phase.GAME_OVER


def at_rest(evening: Evening, seconds: float) -> None:
    """Time goes by without anything new to be seen."""
    for _ in range(round(seconds / 0.1)):
        evening.t += 0.1
        evening.tell(Ticked(evening.t))


def test_the_time_at_rest_runs_anew_after_a_hand() -> None:
    evening = without_clock(ends=frozenset({End.REST}), rest_s=3.0)
    evening.move(GOOD)
    at_rest(evening, 2.0)
    evening.t += 0.3
    evening.tell(FrameMoving(evening.t, 9))
    evening.t += 2.0
    evening.look(GOOD)
    at_rest(evening, 1.0)
    assert evening.table.phase is Phase.MOVING
    at_rest(evening, 3.0)
    assert evening.table.phase is Phase.TO_ROLL


def test_a_trial_that_was_taken_back_and_made_again_does_not_count_its_first_rest() -> None:
    evening = without_clock(ends=frozenset({End.REST}), rest_s=3.0)
    evening.move(GOOD)
    at_rest(evening, 2.5)
    evening.move(START, 1)
    evening.move(GOOD)
    at_rest(evening, 1.0)
    assert evening.table.phase is Phase.MOVING
    assert not turns(evening)


def test_half_a_double_that_stands_still_is_no_turn_however_hands_come_and_go() -> None:
    evening = without_clock(ends=frozenset({End.REST}), rest_s=3.0)
    evening.move(GOOD)
    at_rest(evening, 5.0)
    throw(evening, 4, 4)
    half = after((13, 9), (13, 9), of=GOOD, side=Side.DARK)
    evening.move(half, 3)
    at_rest(evening, 30.0)
    evening.move(half, 3)
    at_rest(evening, 30.0)
    assert not evening.of(Flagged)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)


def by_camera() -> Evening:
    """A table whose dice the camera reads, and whose turns end when they are lifted."""
    profile = rules(end_of_turn=EndOfTurn.DICE_LIFTED)
    evening = Evening(Settings(match_terms(profile), dice=DiceFrom.CAMERA))
    evening.look(START)
    return evening


def see(evening: Evening, first: int, second: int, confidence: float = 0.99, cocked: bool = False) -> None:
    """Dice come to lie and are seen by the camera alone; with ``cocked`` the second one leans."""
    evening.film.roll((first, second), reported=False)
    one, other = evening.film.dice
    evening.film.dice = (
        replace(one, confidence=confidence),
        replace(other, confidence=confidence, cocked=cocked),
    )
    evening.t += 1.0
    evening.look(pictures=3)


def test_dice_that_were_read_surely_are_not_overruled_by_a_roll_that_fits_the_play_better() -> None:
    evening = by_camera()
    see(evening, 3, 1)
    evening.move(GOOD, 3)
    lift(evening)
    see(evening, 5, 3)
    evening.move(after((24, 22), (24, 21), of=GOOD, side=Side.DARK), 4)  # what a 3-2 would be
    lift(evening)
    evening.look(pictures=3)
    dark = [turn for turn in turns(evening) if turn.side is Side.DARK]
    assert not [turn for turn in dark if turn.legal]
    assert evening.of(Flagged) or {Message.LOOK} & set(evening.messages())
    see(evening, 6, 1)
    told = [turn for turn in turns(evening) if turn.side is Side.DARK]
    assert [turn.roll.dice for turn in told] == [(5, 3)]
    assert not told[0].legal or any(isinstance(one, Unsure) and one.ply == 1 for one in evening.of(Unsure))


def test_one_die_played_of_two_that_were_read_surely_is_not_taken_for_another_roll() -> None:
    evening = by_camera()
    see(evening, 3, 1)
    evening.move(GOOD, 3)
    lift(evening)
    see(evening, 5, 3)
    evening.move(after((13, 8), of=GOOD, side=Side.DARK), 4)
    lift(evening)
    evening.look(pictures=3)
    assert not [turn for turn in turns(evening) if turn.side is Side.DARK and turn.legal]
    see(evening, 6, 1)
    told = [turn for turn in turns(evening) if turn.side is Side.DARK]
    assert [turn.roll.dice for turn in told] == [(5, 3)]


def seen_cocked(position: Position, side: Side) -> Evening:
    """Electronic dice report a 6-5 of which the camera sees that one die leans."""
    evening = without_clock()
    evening.move(GOOD, 3)
    evening.press(Button.DONE)
    evening.film.lift()
    evening.stand(position, side)
    evening.film.roll((6, 5), reported=False)
    one, other = evening.film.dice
    evening.film.dice = (one, replace(other, cocked=True))
    evening.t += 0.5
    evening.tell(RollReported(evening.t, (6, 5)))
    evening.look(pictures=3)
    return evening


@pytest.mark.parametrize("position", [GOOD, CLOSED_OUT], ids=["a play", "no play"])
def test_a_cocked_roll_that_the_camera_sees_is_announced_and_rolled_again_by_the_same_side(
    position: Position,
) -> None:
    evening = seen_cocked(position, Side.DARK)
    assert evening.messages().count(Message.COCKED) == 1
    assert [void.roll.dice for void in evening.of(DiceVoid) if isinstance(void, DiceVoid)] == [(6, 5)]
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, Side.DARK)
    evening.film.roll((4, 2), reported=False)
    evening.roll(4, 2)
    evening.look()
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (4, 2)
    assert not [turn for turn in turns(evening) if turn.side is Side.DARK]


def test_a_cocked_roll_of_camera_dice_is_announced_and_the_next_one_is_the_same_sides() -> None:
    evening = by_camera()
    see(evening, 3, 1)
    evening.move(GOOD, 3)
    lift(evening)
    see(evening, 6, 5, cocked=True)
    assert Message.COCKED in evening.messages()
    evening.film.lift()
    evening.look(pictures=3)
    see(evening, 4, 2)
    assert evening.table.thrown is not None
    assert (evening.table.on_turn, evening.table.thrown.roll.dice) == (Side.DARK, (4, 2))


def show_cube(evening: Evening, cube: CubeSeen) -> None:
    evening.film.cube = cube
    for _ in range(3):
        evening.t += 0.3
        evening.tell(FrameSeen(evening.t, 1, evening.film.read(evening.shown)))


def said(evening: Evening) -> list[ruled.RulesEvent]:
    return [action.event for action in evening.actions if isinstance(action, Acted)]


def test_a_cube_turned_in_the_middle_and_then_taken_by_hand_is_a_double_and_a_take() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    show_cube(evening, CubeSeen(1, "center", 0.95, 64))
    show_cube(evening, CubeSeen(2, "center", 0.95, 2))
    assert evening.table.phase is Phase.CUBE_OFFERED
    assert evening.table.on_turn is Side.LIGHT
    show_cube(evening, CubeSeen(2, "light", 0.95, 2))
    assert said(evening)[-2:] == [ruled.Doubled(Side.DARK), ruled.Taken(Side.LIGHT)]
    assert not evening.of(CubeUnclear)
    assert Message.CUBE_MOVED not in evening.messages()
    evening.roll(6, 4)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert (evening.table.match.game.cube.value, evening.table.match.game.cube.owner) == (2, Side.LIGHT)


def test_a_second_play_after_the_first_was_judged_may_be_put_back_without_a_word() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    evening.move(OTHER, 3)
    evening.move(GOOD, 3)
    evening.roll(6, 4)
    assert not evening.of(Flagged)
    assert turns(evening)[-1].after == GOOD
    assert evening.table.position == GOOD


def test_who_lifts_a_blot_before_hitting_it_and_thinks_again_has_done_nothing_wrong() -> None:
    light = {6: 6, 8: 4, 13: 5}
    before = laid(light, {2: 1, 17: 4, 19: 5, 20: 5})
    lifted = laid({**light, 13: 4, 11: 1}, {17: 4, 19: 5, 20: 5}, bar=1)
    played = laid({**light, 13: 4, 5: 1}, {2: 1, 17: 4, 19: 5, 20: 5})
    evening = opened(Settings(match_terms(STANDARD), clock=True))
    evening.stand(before, Side.LIGHT)
    evening.look(before, 3)
    evening.roll(6, 2)
    evening.move(lifted, 4)
    evening.move(played, 3)
    evening.done()
    assert [(turn.legal, turn.after) for turn in turns(evening)] == [(True, played)]


@pytest.mark.parametrize("hidden", [(), range(9, 19)])
def test_what_is_tried_under_a_hand_that_lies_still_accuses_nobody(hidden: tuple[int, ...]) -> None:
    light = {6: 6, 8: 4, 13: 5}
    dark = {2: 1, 17: 4, 19: 5, 20: 5}
    tried = laid({**light, 13: 4, 10: 1}, dark)
    evening = opened(Settings(match_terms(STANDARD), clock=True))
    evening.stand(laid(light, dark), Side.LIGHT)
    evening.look(pictures=3)
    evening.roll(6, 2)
    evening.tell(FrameMoving(evening.t + 0.3, 1))
    for number in range(2, 7):
        evening.t += 0.4
        reading = evening.film.read(tried, hidden=frozenset(hidden))
        evening.tell(FrameSeen(evening.t, number, reading))
    evening.move(laid({**light, 13: 4, 5: 1}, dark), 3)
    evening.done()
    assert [turn.legal for turn in turns(evening)] == [True]


def laid(light: dict[int, int], dark: dict[int, int], bar: int = 0) -> Position:
    """Checkers on points from light's side, and so many of dark's on the bar."""
    return Position.from_counts([light.get(point, 0) - dark.get(point, 0) for point in range(1, 25)], 0, bar)


def said_to_be_over(dice: DiceFrom = DiceFrom.ELECTRONIC) -> Evening:
    """Light has 3-1 to play, and said that the turn is over when nothing was moved."""
    evening = opened(Settings(match_terms(STANDARD), dice=dice))
    evening.stand(START, Side.LIGHT)
    if dice is DiceFrom.CAMERA:
        evening.show_dice(3, 1, 0.999)
    else:
        evening.roll(3, 1)
    evening.done()
    assert evening.messages()[-1] is Message.NOTHING_MOVED
    return evening


def test_who_said_too_early_that_the_turn_is_over_and_begins_to_play_is_not_accused_when_the_opponent_rolls() -> (
    None
):
    evening = said_to_be_over()
    evening.move(after((8, 5)))
    evening.roll(5, 2)
    evening.move(GOOD)
    evening.move(after((13, 8), (13, 11), of=GOOD, side=Side.DARK))
    evening.done()
    assert [each.legal for each in turns(evening)] == [True, True]
    assert not evening.of(Flagged)


def test_who_says_that_the_turn_is_over_and_takes_up_the_dice_unplayed_is_told_when_the_opponent_rolls() -> (
    None
):
    evening = said_to_be_over(DiceFrom.CAMERA)
    evening.lift_dice()
    assert evening.table.phase is Phase.MOVING
    assert not turns(evening)
    evening.show_dice(5, 2, 0.999)
    assert [(each.side, each.legal) for each in turns(evening)] == [(Side.LIGHT, False)]
    assert turns(evening)[0].reasons[0].code is ReasonCode.NOTHING_MOVED
    assert evening.table.on_turn is Side.DARK


def test_who_says_that_the_turn_is_over_and_plays_with_the_dice_in_hand_is_not_accused() -> None:
    evening = said_to_be_over(DiceFrom.CAMERA)
    evening.lift_dice()
    evening.move(GOOD)
    evening.done()
    assert [each.legal for each in turns(evening)] == [True]
    assert not evening.of(Flagged)


def rolls_early(first: int, second: int) -> Evening:
    """Light has 3-1 to play and reaches over the board; dark rolls before anything is seen to be moved."""
    evening = opened(Settings(match_terms(STANDARD)))
    evening.stand(START, Side.LIGHT)
    evening.roll(3, 1)
    evening.tell(FrameMoving(evening.t + 0.3, 1))
    evening.roll(first, second)
    return evening


REPLIED = after((24, 18), (13, 11), of=GOOD, side=Side.DARK)
"""Dark's 6-2 after light's 3-1."""


@pytest.mark.parametrize("again", [0, 1, 2])
def test_an_end_that_a_single_picture_showed_is_no_glitch_once_the_next_one_shows_it_too(again: int) -> None:
    """Light hits. Dark enters, and plays two numbers besides: light is not thought to have played no hit late."""
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.stand(Position.from_compact("DCBE.a...A.b..a....bccab.."), Side.LIGHT)
    evening.roll(4, 3)
    evening.stay()
    evening.move(Position.from_compact("DCCE.......b..a....bccab.a"), pictures=1)
    evening.press(Button.CLOCK_LIGHT)
    evening.look(pictures=again)
    evening.roll(6, 2)
    evening.move(Position.from_compact("DCCE.a.....a..a..a.bcbac.."))
    evening.press(Button.CLOCK_DARK)
    evening.look()
    (flag,) = evening.of(Flagged)
    assert isinstance(flag, Flagged)
    assert [reason.code for reason in flag.turn.reasons] == [ReasonCode.EXTRA_CHECKER_MOVED]
    assert [turn.revises for turn in turns(evening)] == [False]


def test_a_roll_that_seemed_to_be_made_again_is_the_opponents_once_the_play_lies_there() -> None:
    """The board lies unchanged for three seconds more, and then the play is made."""
    evening = rolls_early(6, 2)
    evening.look(START, 10)
    assert [void.roll for void in evening.of(DiceVoid)] == [Roll(3, 1)]
    evening.move(GOOD)
    assert [(each.side, each.legal, each.after) for each in turns(evening)] == [(Side.LIGHT, True, GOOD)]
    evening.move(REPLIED)
    evening.done()
    assert [(each.side, each.legal, each.after) for each in turns(evening)[1:]] == [
        (Side.DARK, True, REPLIED)
    ]
    assert Message.PASSES not in evening.messages()


@pytest.mark.parametrize("dice", [(3, 1), (1, 3)])
def test_who_rolled_early_the_same_numbers_may_pause_in_the_middle_of_their_play(
    dice: tuple[int, int],
) -> None:
    """Light may as well have rolled again until the play goes on."""
    evening = rolls_early(*dice)
    evening.move(GOOD)
    begun = after((8, 5), of=GOOD, side=Side.DARK)
    evening.move(begun, 3)
    evening.move(after((6, 5), of=begun, side=Side.DARK))
    evening.done()
    assert [(each.side, each.legal) for each in turns(evening)[-2:]] == [
        (Side.LIGHT, True),
        (Side.DARK, True),
    ]
    assert evening.table.on_turn is Side.LIGHT
