"""The cube, resignations, and the end of games and matches at a table."""

from dataclasses import replace

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import (
    Acted,
    CubeUnclear,
    GameEnded,
    GameOpened,
    MatchEnded,
    Message,
    Phase,
    Told,
)
from controller.referee.events import FrameSeen, Rebuild, RollReported, Stopped
from controller.referee.table.settings import Settings
from controller.rules.game import events as ruled
from controller.rules.game.match import Terms
from controller.rules.position import START, Position, Side
from controller.rules.profile.conduct import FinalAt
from controller.rules.profile.profile import STANDARD, MatchKind, MatchRules
from controller.vision.reading import CubeSeen
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, WRONG, after, opened, rules, turns

MONEY = replace(
    STANDARD,
    match=MatchRules(MatchKind.MONEY, crawford=False),
    cube=replace(STANDARD.cube, beaver=True),
)


CENTRED = CubeSeen(1, "center", 0.95, 64)


def dark_to_roll(settings: Settings | None = None) -> Evening:
    """Light has opened with 3-1, dark is to roll."""
    evening = Evening(settings or Settings(match_terms(STANDARD), clock=True))
    evening.start(3, 1)
    evening.move(evening.legal())
    evening.done()
    return evening


def said(evening: Evening) -> list[ruled.RulesEvent]:
    return [action.event for action in evening.actions if isinstance(action, Acted)]


def show(evening: Evening, cube: CubeSeen | None, pictures: int = 3) -> None:
    """The cube is seen to lie like that."""
    evening.film.cube = cube
    for _ in range(pictures):
        evening.t += 0.3
        evening.tell(FrameSeen(evening.t, 1, evening.film.read(evening.shown)))


def test_a_double_is_offered_before_the_roll_and_taken_by_buttons() -> None:
    evening = dark_to_roll()
    evening.press(Button.DOUBLE)
    assert evening.table.phase is Phase.CUBE_OFFERED
    assert evening.table.on_turn is Side.LIGHT
    evening.press(Button.TAKE)
    assert evening.table.phase is Phase.TO_ROLL
    assert evening.table.match.game.cube.value == 2
    assert evening.table.match.game.cube.owner is Side.LIGHT
    assert said(evening)[-2:] == [ruled.Doubled(Side.DARK), ruled.Taken(Side.LIGHT)]
    evening.roll(6, 4)
    assert evening.table.phase is Phase.MOVING


def test_a_double_that_is_dropped_ends_the_game_at_the_value_before_it() -> None:
    evening = dark_to_roll()
    evening.press(Button.DOUBLE)
    evening.press(Button.DROP)
    assert evening.table.phase is Phase.GAME_OVER
    assert evening.table.match.score.dark == 1


def test_no_double_after_the_roll() -> None:
    evening = dark_to_roll()
    evening.roll(6, 4)
    evening.press(Button.DOUBLE)
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.REFUSED


def test_a_roll_before_the_answer_does_not_count() -> None:
    evening = dark_to_roll()
    evening.press(Button.DOUBLE)
    evening.roll(6, 4)
    assert evening.table.phase is Phase.CUBE_OFFERED
    assert evening.messages()[-1] is Message.ROLL_BEFORE_ANSWER


def test_a_beaver_is_answered_in_its_turn() -> None:
    evening = dark_to_roll(Settings(Terms.money(MONEY), clock=True))
    evening.press(Button.DOUBLE)
    evening.say(ruled.Beavered(Side.LIGHT))
    assert evening.table.phase is Phase.CUBE_OFFERED
    assert evening.table.on_turn is Side.DARK
    evening.press(Button.TAKE)
    assert evening.table.match.game.cube.value == 4
    assert evening.table.match.game.cube.owner is Side.LIGHT


def test_who_doubles_lets_the_illegal_play_before_it_stand_and_who_played_it_cannot_double() -> None:
    for side, doubled in ((Side.DARK, True), (Side.LIGHT, False)):
        evening = opened()
        evening.move(WRONG)
        evening.done()
        assert evening.table.phase is Phase.PUT_RIGHT
        evening.say(ruled.Doubled(side))
        assert [(turn.legal, turn.stands) for turn in turns(evening)] == ([(False, True)] if doubled else [])
        assert evening.table.phase is (Phase.CUBE_OFFERED if doubled else Phase.PUT_RIGHT)


def test_each_word_about_the_cube_is_told_with_the_value_that_it_brings() -> None:
    evening = dark_to_roll(Settings(Terms.money(MONEY), clock=True))
    evening.press(Button.DOUBLE)
    evening.say(ruled.Beavered(Side.LIGHT))
    evening.press(Button.TAKE)
    words = (Message.DOUBLES, Message.BEAVERS, Message.TAKES)
    told = [(each.message, each.arguments) for each in evening.of(Told) if each.message in words]
    assert told == [
        (Message.DOUBLES, {"side": "dark", "value": 2}),
        (Message.BEAVERS, {"side": "light", "value": 4}),
        (Message.TAKES, {"side": "dark", "value": 4}),
    ]


def test_a_cube_seen_turned_and_pushed_over_is_a_double_and_the_doublers_roll_its_take() -> None:
    evening = dark_to_roll()
    show(evening, CubeSeen(2, "light", 0.95, 2))
    assert evening.table.phase is Phase.CUBE_OFFERED
    evening.roll(6, 4)
    assert said(evening)[-2:] == [ruled.Doubled(Side.DARK), ruled.Taken(Side.LIGHT)]
    assert evening.table.phase is Phase.MOVING


def test_a_double_that_was_seen_only_after_the_roll_is_set_down_before_it() -> None:
    evening = dark_to_roll()
    evening.tell(RollReported(evening.t, (6, 4)))
    show(evening, CubeSeen(2, "light", 0.95, 2))
    assert evening.table.phase is Phase.MOVING
    assert said(evening)[-2:] == [ruled.Doubled(Side.DARK), ruled.Taken(Side.LIGHT)]
    assert evening.table.match.game.cube.owner is Side.LIGHT
    evening.move(evening.legal())
    evening.done()
    assert evening.table.on_turn is Side.LIGHT


def test_a_cube_that_was_seen_in_the_middle_after_the_roll_was_not_turned_before_it() -> None:
    evening = dark_to_roll()
    evening.tell(RollReported(evening.t, (6, 6)))
    show(evening, CubeSeen(1, "center", 0.95, 64), 2)
    show(evening, CubeSeen(2, "light", 0.95, 2))
    assert evening.of(CubeUnclear)
    assert evening.messages()[-1] is Message.CUBE_MOVED
    assert evening.table.match.game.cube.value == 1
    assert not [event for event in said(evening) if isinstance(event, ruled.Doubled)]


def test_a_cube_turned_in_the_middle_over_a_whole_play_is_the_next_players_double_and_ends_the_turn() -> None:
    evening = opened(Settings(match_terms(STANDARD)))
    show(evening, CENTRED)
    evening.move(GOOD)
    show(evening, CubeSeen(2, "center", 0.95, 2))
    assert said(evening)[-1] == ruled.Doubled(Side.DARK)
    assert [(turn.side, turn.legal, turn.after) for turn in turns(evening)] == [(Side.LIGHT, True, GOOD)]
    assert evening.table.phase is Phase.CUBE_OFFERED
    assert not evening.of(CubeUnclear)


@pytest.mark.parametrize("lies", [START, after((8, 5)), WRONG], ids=["nothing", "half", "wrong"])
def test_a_cube_turned_in_the_middle_is_asked_about_where_no_whole_play_lies(lies: Position) -> None:
    evening = opened(Settings(match_terms(STANDARD)))
    show(evening, CENTRED)
    evening.move(lies)
    show(evening, CubeSeen(2, "center", 0.95, 2))
    assert evening.messages()[-1] is Message.CUBE_MOVED
    assert not [event for event in said(evening) if isinstance(event, ruled.Doubled)]
    assert not turns(evening)


def test_whoever_cannot_double_yet_offers_nothing_by_turning_the_cube_in_the_middle() -> None:
    evening = dark_to_roll()
    show(evening, CubeSeen(2, "light", 0.95, 2))
    evening.roll(6, 4)  # dark doubled, light took
    evening.move(evening.legal())
    evening.done()
    evening.roll(5, 2)
    evening.move(evening.legal())
    show(evening, CubeSeen(4, "center", 0.95, 4))
    assert [event for event in said(evening) if isinstance(event, ruled.Doubled)] == [
        ruled.Doubled(Side.DARK)
    ]


def test_a_double_is_told_although_an_earlier_place_of_the_cube_was_never_explained() -> None:
    evening = dark_to_roll()
    show(evening, CubeSeen(64, "dark", 0.95, 64))
    assert evening.of(CubeUnclear)
    show(evening, CubeSeen(64, "light", 0.95, 64))
    assert said(evening)[-1] == ruled.Doubled(Side.DARK)


def test_a_cube_that_lies_differently_without_a_double_is_asked_about() -> None:
    evening = dark_to_roll()
    show(evening, CubeSeen(4, "dark", 0.95, 4))
    assert evening.of(CubeUnclear)
    assert evening.messages()[-1] is Message.CUBE_MOVED
    assert evening.table.match.game.cube.value == 1


def test_a_cube_turned_after_a_button_said_so_is_nothing_to_ask_about() -> None:
    evening = dark_to_roll()
    evening.press(Button.DOUBLE)
    evening.press(Button.TAKE)
    show(evening, CubeSeen(2, "light", 0.95, 2))
    assert not evening.of(CubeUnclear)
    assert evening.table.phase is Phase.TO_ROLL


def test_a_cube_that_was_taken_by_word_may_be_turned_in_peace_and_is_asked_for_only_once_there_was_time() -> (
    None
):
    evening = dark_to_roll()
    show(evening, CENTRED)
    evening.press(Button.DOUBLE)
    evening.press(Button.TAKE)
    show(evening, CENTRED)
    show(evening, CubeSeen(2, "center", 0.95, 2))
    assert not {Message.CUBE_MOVED, Message.CUBE_DUE} & {*evening.messages()}
    evening.t += evening.table.caution.cube_turn_s
    show(evening, CubeSeen(2, "center", 0.95, 2), pictures=6)
    assert evening.messages().count(Message.CUBE_DUE) == 1
    (told,) = [each for each in evening.of(Told) if each.message is Message.CUBE_DUE]
    assert told.arguments == {"owner": "light", "value": 2}
    assert not evening.of(CubeUnclear)
    show(evening, CubeSeen(2, "light", 0.95, 2))
    evening.t += 60.0
    show(evening, CENTRED)
    assert evening.messages()[-1] is Message.CUBE_MOVED


def test_a_cube_that_nobody_sees_is_not_asked_for() -> None:
    evening = dark_to_roll()
    evening.press(Button.DOUBLE)
    evening.press(Button.TAKE)
    evening.t += 60.0
    show(evening, None, pictures=6)
    assert not {Message.CUBE_MOVED, Message.CUBE_DUE} & {*evening.messages()}


def test_a_cube_left_with_its_owner_when_a_new_game_begins_is_no_double() -> None:
    settings = Settings(Terms.match(STANDARD, 5))
    evening = dark_to_roll(settings)
    evening.press(Button.DOUBLE)
    evening.press(Button.TAKE)
    left = CubeSeen(2, "light", 0.95, 2)
    show(evening, left)
    evening.say(ruled.GameAwarded(Side.DARK, 1))
    show(evening, left)
    evening.look(START)
    evening.start(1, 3)
    doubled = len([each for each in said(evening) if isinstance(each, ruled.Doubled)])
    show(evening, left)
    evening.move(evening.legal())
    evening.done()
    evening.t += 20.0
    show(evening, left)
    assert len([each for each in said(evening) if isinstance(each, ruled.Doubled)]) == doubled == 1
    assert Message.CUBE_MOVED not in evening.messages()
    assert evening.messages().count(Message.CUBE_DUE) == 1


def test_a_resignation_is_refused_and_play_goes_on_where_it_was() -> None:
    evening = dark_to_roll()
    evening.roll(6, 4)
    evening.say(ruled.Resigned(Side.DARK, 1))
    assert evening.table.phase is Phase.RESIGNATION_OFFERED
    evening.press(Button.DROP)
    assert evening.table.phase is Phase.MOVING
    evening.move(evening.legal())
    evening.done()
    assert evening.table.on_turn is Side.LIGHT


def test_an_accepted_resignation_ends_the_game_and_the_next_one_begins_at_the_start_position() -> None:
    evening = dark_to_roll()
    evening.say(ruled.Resigned(Side.DARK, 2))
    evening.press(Button.TAKE)
    assert evening.table.match.score.light == 2
    assert evening.table.phase is Phase.GAME_OVER
    evening.move(evening.table.position)
    assert evening.table.phase is Phase.OPENING_ROLL
    opened = [action for action in evening.actions if isinstance(action, GameOpened)]
    assert [game.number for game in opened] == [1, 2]


def test_the_match_ends_with_its_last_point() -> None:
    evening = dark_to_roll(Settings(match_terms(STANDARD, 2), clock=True))
    evening.say(ruled.Resigned(Side.DARK, 2))
    evening.press(Button.TAKE)
    assert evening.table.phase is Phase.MATCH_OVER
    ended = evening.of(MatchEnded)[-1]
    assert isinstance(ended, MatchEnded)
    assert ended.winner is Side.LIGHT
    before = evening.table.match
    evening.roll(3, 1)
    evening.press(Button.DOUBLE)
    assert evening.table.match == before


def test_the_director_may_award_a_game_and_forfeit_a_match() -> None:
    evening = dark_to_roll()
    evening.say(ruled.GameAwarded(Side.LIGHT, 1))
    assert evening.of(GameEnded)
    assert evening.table.match.score.light == 1
    evening.say(ruled.MatchForfeited(Side.DARK))
    assert evening.table.phase is Phase.MATCH_OVER


def test_the_crawford_game_is_played_without_doubling() -> None:
    evening = dark_to_roll(Settings(match_terms(STANDARD, 3), clock=True))
    evening.say(ruled.GameAwarded(Side.LIGHT, 2))
    evening.move(evening.table.position)
    evening.start(3, 1)
    evening.move(evening.legal())
    evening.done()
    evening.press(Button.DOUBLE)
    assert evening.table.phase is Phase.TO_ROLL
    assert evening.messages()[-1] is Message.REFUSED


def test_equal_opening_dice_are_thrown_again() -> None:
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    evening.start(4, 4)
    assert evening.table.phase is Phase.OPENING_ROLL
    assert evening.messages()[-1] is Message.TIE
    evening.roll(2, 5)
    assert evening.table.on_turn is Side.DARK


def test_a_money_session_stops_between_two_games_and_nobody_wins_it() -> None:
    evening = dark_to_roll(Settings(Terms.money(MONEY), clock=True))
    evening.tell(Stopped(evening.t))
    assert evening.table.phase is Phase.TO_ROLL
    evening.move(START)
    evening.tell(Rebuild(evening.t))
    evening.tell(Stopped(evening.t))
    assert evening.table.phase is Phase.SET_UP  # the board is laid out again in the middle of a game
    evening.look(evening.table.position)
    evening.press(Button.DOUBLE)
    evening.press(Button.DROP)
    evening.tell(Stopped(evening.t))
    assert evening.table.phase is Phase.MATCH_OVER
    ended = evening.of(MatchEnded)[-1]
    assert isinstance(ended, MatchEnded)
    assert ended.winner is None
    assert ended.score.dark == 1


def test_a_double_stays_offered_when_the_turn_before_it_is_told_anew() -> None:
    profile = rules(illegal_final_at=FinalAt.OPPONENT_PLAY_COMPLETE)
    evening = opened(Settings(match_terms(profile), clock=True))
    evening.move(GOOD, hidden=(4, 5, 6, 8))
    evening.done()
    evening.press(Button.DONE)
    evening.say(ruled.Doubled(Side.DARK))
    evening.look(after((8, 5), (24, 23)), pictures=3)
    assert [(turn.text, turn.revises) for turn in turns(evening)] == [("8/5 6/5", False), ("24/23 8/5", True)]
    assert evening.table.phase is Phase.CUBE_OFFERED
    evening.say(ruled.Taken(Side.LIGHT))
    assert evening.table.match.game.cube.value == 2
