"""The end of a turn at a table, and what becomes of illegal plays."""

from dataclasses import replace
from typing import Any

import pytest

from controller.devices.link.happenings import Button
from controller.referee.actions import (
    DiceVoid,
    Flagged,
    GameEnded,
    Message,
    Phase,
    Told,
    TurnAsked,
    TurnJudged,
    Unsure,
)
from controller.referee.belief.branches import EndedBy
from controller.referee.belief.decision import Verdict, decide
from controller.referee.belief.steps import shift_checker
from controller.referee.events import (
    Correct,
    FrameMoving,
    FrameSeen,
    LetStand,
    RollReported,
    RollStands,
    Ticked,
)
from controller.referee.seeing.settled import SettledViews
from controller.referee.table.closing import judge_turn
from controller.referee.table.settings import DiceFrom, End, Premature, Settings
from controller.referee.table.state import Table
from controller.rules.game import events as ruled
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import (
    Conduct,
    DeviceRole,
    EndOfTurn,
    FinalAt,
    IllegalPolicy,
    Party,
    Reroll,
)
from controller.rules.profile.profile import STANDARD, Profile
from controller.rules.reasons import ReasonCode
from controller.vision.geometry.seen import HandSeen
from controller.vision.reading import Reading
from tests.referee.staging import SURE
from tests.referee.table.evening import Evening, match_terms


def after(*moves: tuple[int, int], of: Position = START, side: Side = Side.LIGHT) -> Position:
    """The position after these moves of a side, lawful or not."""
    for source, target in moves:
        of = shift_checker(of, side, source, target)
    return of


GOOD = after((8, 5), (6, 5))
OTHER = after((24, 23), (13, 10))
WRONG = after((8, 5), (6, 4))


def rules(**conduct: object) -> Profile:
    """Standard rules at a table that behaves like this."""
    return replace(STANDARD, conduct=Conduct(**conduct))  # type: ignore[arg-type]


def opened(settings: Settings | None = None) -> Evening:
    """Light has rolled 3-1 to start."""
    evening = Evening(settings or Settings(match_terms(STANDARD), clock=True))
    evening.start(3, 1)
    return evening


def turns(evening: Evening) -> list[TurnJudged]:
    return [action for action in evening.actions if isinstance(action, TurnJudged)]


def laid_out_with(*differences: int) -> Evening:
    """Nobody has rolled, and the checkers are read so: one of light's fewer on each of these points."""
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    counts = list(START.points)
    for point in differences:
        counts[point - 1] -= 1
    evening.look(Position.from_counts(counts))
    return evening


def test_one_pile_that_is_read_wrongly_at_set_up_is_right_if_the_players_say_so() -> None:
    evening = laid_out_with(6)
    assert evening.table.phase is Phase.SET_UP
    evening.press(Button.DONE)
    assert evening.table.phase is Phase.OPENING_ROLL
    assert evening.table.position == START


def test_two_points_that_lie_wrongly_at_set_up_are_not_talked_away() -> None:
    evening = laid_out_with(6, 8)
    evening.press(Button.DONE)
    assert evening.table.phase is Phase.SET_UP


def test_a_play_is_judged_when_the_clock_is_pressed_and_not_before() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.move(START)
    evening.move(GOOD)
    assert not turns(evening)
    evening.done()
    assert [(turn.ply, turn.text, turn.legal) for turn in turns(evening)][-1] == (0, "8/5 6/5", True)
    assert evening.table.phase is Phase.TO_ROLL
    assert evening.table.on_turn is Side.DARK


def test_a_turn_that_ends_under_a_hand_is_judged_when_the_hand_is_gone() -> None:
    evening = opened()
    evening.t += 1
    evening.tell(FrameMoving(evening.t, 99))
    evening.done()
    assert evening.table.phase is Phase.TURN_ENDED
    evening.look(GOOD)
    assert turns(evening)[-1].legal
    assert evening.table.phase is Phase.TO_ROLL


def test_an_illegal_play_must_be_corrected_and_play_goes_on_when_it_is() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.PUT_RIGHT
    flag = evening.of(Flagged)[-1]
    assert isinstance(flag, Flagged)
    assert flag.turn.reasons[0].code is ReasonCode.WRONG_DISTANCE
    assert not turns(evening)
    evening.move(GOOD)
    assert [(turn.ply, turn.legal, turn.stands) for turn in turns(evening)] == [
        (0, False, False),
        (0, True, False),
    ]
    assert evening.table.phase is Phase.TO_ROLL


def test_a_corrected_play_may_be_any_legal_one_from_where_the_checkers_stood() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    evening.move(START)
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.PLAY_AGAIN
    evening.move(OTHER)
    evening.done()
    assert [turn.text for turn in turns(evening)][-1] == "24/23 13/10"


def test_half_a_correction_is_no_other_offence() -> None:
    evening = opened()
    evening.move(after((8, 5), (24, 18)))
    evening.done()
    evening.move(after((24, 18)), pictures=3)
    evening.move(START, pictures=2)
    assert len(evening.of(Flagged)) == 1
    assert [(turn.text, turn.legal) for turn in turns(evening)] == [("24/18 8/5", False)]


def test_a_word_that_the_checkers_are_back_is_no_play_and_no_breach() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    evening.say(ruled.Played(Side.LIGHT, START, None))
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.PLAY_AGAIN
    evening.move(GOOD)
    evening.done()
    assert [(turn.legal, turn.stands) for turn in turns(evening)] == [(False, False), (True, False)]


def test_a_checker_that_is_still_missing_was_not_put_back() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    points = list(START.points)
    points[7] -= 1
    evening.film.tray_seen = False
    evening.move(Position.from_counts(points), pictures=1)
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(START)
    assert evening.table.phase is Phase.MOVING


def test_a_checker_that_is_just_being_put_back_is_waited_for_though_its_point_is_seen_badly() -> None:
    evening = opened()
    evening.film.tray_seen = False
    points = list(START.points)
    points[7] -= 1
    half = Position.from_counts(points)
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(half, pictures=1)
    seen = replace(evening.film.read(half), unsure=frozenset({8}))
    evening.t += 0.3
    evening.tell(FrameSeen(evening.t, 5000, seen))
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(START)
    assert evening.table.phase is Phase.MOVING


def test_an_illegal_play_is_put_back_though_the_bar_is_misread_for_good(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where a dark cube lies at its end."""
    evening = Evening(Settings(match_terms(STANDARD), clock=True))
    read = evening.film.read
    cube = {(light, dark): SURE * (light + abs(dark - 1)) for light in range(8) for dark in range(8)}

    def misread(*how: Any, **also: Any) -> Reading:
        return replace(read(*how, **also), bar_likelihoods=cube)

    monkeypatch.setattr(evening.film, "read", misread)
    evening.look(START)
    evening.roll(3, 1)
    evening.move(WRONG)
    evening.done()
    evening.look(pictures=2)
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(START)
    assert evening.table.phase is Phase.MOVING


def test_a_slip_that_makes_a_pile_which_is_misread_for_good_overturns_no_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The board is bumped: one checker of each side slips, and the five that lie on a point now are read as two."""
    evening = Evening(Settings(match_terms(rules(end_of_turn=EndOfTurn.DICE_LIFTED)), dice=DiceFrom.CAMERA))
    read = evening.film.read

    def misread(position: Position, *how: Any, **also: Any) -> Reading:
        few = list(position.points)
        if few[7] >= 5:
            few[7] -= 3
        shown = read(
            Position.from_counts(few, position.bar(Side.LIGHT), position.bar(Side.DARK)), *how, **also
        )
        return replace(shown, off_likelihoods=read(position).off_likelihoods)

    monkeypatch.setattr(evening.film, "read", misread)
    evening.look(START)
    evening.show_dice(6, 5)
    four = after((13, 7), (13, 8))
    evening.move(four, pictures=4)
    evening.lift_dice()
    bumped = after((7, 8), of=after((8, 9), of=four, side=Side.DARK))
    evening.look(bumped, pictures=6)
    evening.show_dice(6, 4)
    reply = after((24, 18), (13, 9), of=bumped, side=Side.DARK)
    evening.move(reply, pictures=4)
    evening.lift_dice()
    assert {turn.ply for turn in turns(evening)} == {0, 1}
    assert [(turn.text, turn.after, turn.legal) for turn in turns(evening)[-1:]] == [
        ("24/18 13/9", reply, True)
    ]
    assert evening.table.position == reply


def test_an_illegal_play_is_put_back_though_it_is_open_how_the_board_lay_before() -> None:
    evening = opened()
    (known,) = evening.table.beam
    other = after((24, 23))
    doubted = replace(known, position=other, lies=other, score=known.score - 1.5)
    evening.table = replace(evening.table, beam=(known, doubted))
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(START, hidden=(23, 24))
    assert evening.table.phase is Phase.MOVING


def test_an_illegal_play_that_nobody_corrects_stands_when_the_opponent_rolls() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.roll(6, 4)
    assert [(turn.legal, turn.stands) for turn in turns(evening)] == [(False, True)]
    assert turns(evening)[-1].reasons
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert evening.table.position == WRONG


@pytest.mark.parametrize("policy", [IllegalPolicy.RESPONSIBLE, IllegalPolicy.CONDONE_OPTION])
def test_where_the_opponent_decides_his_roll_lets_the_play_stand(policy: IllegalPolicy) -> None:
    evening = opened(
        Settings(match_terms(rules(illegal_policy=policy)), clock=True, consent=True),
    )
    evening.move(WRONG)
    evening.done()
    assert evening.messages()[-1] is Message.CHOOSE
    evening.roll(6, 4)
    assert [(turn.legal, turn.stands) for turn in turns(evening)] == [(False, True)]
    assert evening.table.phase is Phase.MOVING
    assert evening.table.position == WRONG


def test_the_opponent_may_let_an_illegal_play_stand_by_word_or_button() -> None:
    for let in (LetStand(99.0), None):
        evening = opened(
            Settings(match_terms(rules(illegal_policy=IllegalPolicy.RESPONSIBLE)), clock=True, consent=True)
        )
        evening.move(WRONG)
        evening.done()
        if let is None:
            evening.press(Button.TAKE, Side.DARK)
        else:
            evening.tell(let)
        assert turns(evening)[-1].stands
        assert evening.table.phase is Phase.TO_ROLL


def test_the_opponents_clock_lets_an_illegal_play_stand() -> None:
    evening = opened()
    evening.move(WRONG)
    evening.done()
    evening.press(Button.CLOCK_LIGHT)
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.press(Button.CLOCK_DARK)
    assert turns(evening)[-1].stands
    assert (evening.table.phase, evening.table.on_turn) == (Phase.TO_ROLL, Side.DARK)


@pytest.mark.parametrize("presser", [Side.LIGHT, None])
def test_who_played_illegally_cannot_let_it_stand_himself(presser: Side | None) -> None:
    evening = opened(
        Settings(match_terms(rules(illegal_policy=IllegalPolicy.RESPONSIBLE)), clock=True, consent=True)
    )
    evening.move(WRONG)
    evening.done()
    evening.press(Button.TAKE, presser)
    assert evening.table.phase is Phase.PUT_RIGHT
    assert evening.messages()[-1] is Message.ANSWER_IS_OTHERS
    evening.tell(LetStand(evening.t, by="light"))
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.tell(LetStand(evening.t, by="dark"))
    assert turns(evening)[-1].stands


def test_a_silent_recorder_tells_the_director_only_and_records_what_stood_once() -> None:
    evening = opened(
        Settings(match_terms(rules(device_role=DeviceRole.SILENT_RECORDER)), clock=True),
    )
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.TO_ROLL
    flag = evening.of(Flagged)[-1]
    assert isinstance(flag, Flagged)
    assert flag.to == {Party.DIRECTOR}
    assert not turns(evening)
    evening.roll(6, 4)
    assert [(turn.legal, turn.stands) for turn in turns(evening)] == [(False, True)]


def test_players_who_put_it_right_themselves_are_followed_in_silence() -> None:
    evening = opened(
        Settings(match_terms(rules(device_role=DeviceRole.SILENT_RECORDER)), clock=True),
    )
    evening.move(WRONG)
    evening.done()
    evening.move(GOOD)
    evening.roll(6, 4)
    assert turns(evening)[-1].legal
    assert turns(evening)[-1].after == GOOD
    assert evening.table.position == GOOD


def test_the_opponent_may_have_a_silent_illegal_play_corrected_until_he_rolls() -> None:
    profile = rules(illegal_policy=IllegalPolicy.RESPONSIBLE)
    evening = opened(Settings(match_terms(profile), clock=True))
    evening.move(WRONG)
    evening.done()
    assert evening.table.phase is Phase.TO_ROLL
    evening.tell(Correct(evening.t))
    assert evening.table.phase is Phase.PUT_RIGHT
    evening.move(GOOD)
    assert turns(evening)[-1].after == GOOD


def test_where_a_play_is_final_after_the_answer_the_roll_is_withdrawn_with_it() -> None:
    profile = rules(illegal_policy=IllegalPolicy.RESPONSIBLE, illegal_final_at=FinalAt.OPPONENT_PLAY_COMPLETE)
    evening = opened(Settings(match_terms(profile), clock=True))
    evening.move(WRONG)
    evening.done()
    evening.roll(6, 4)
    assert evening.table.phase is Phase.MOVING
    evening.tell(Correct(evening.t))
    assert evening.table.phase is Phase.PUT_RIGHT
    assert evening.table.on_turn is Side.LIGHT
    evening.move(GOOD)
    assert evening.table.position == GOOD
    assert evening.table.on_turn is Side.DARK


def test_a_player_may_change_a_play_until_the_opponent_rolls() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    evening.move(OTHER, pictures=3)
    assert [(turn.ply, turn.text, turn.revises) for turn in turns(evening)] == [
        (0, "8/5 6/5", False),
        (0, "24/23 13/10", True),
    ]
    assert evening.table.position == OTHER


def test_checkers_moved_out_of_turn_are_shown_and_nobody_is_accused() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.done()
    evening.move(after((13, 9), of=GOOD, side=Side.DARK), pictures=4)
    assert evening.messages().count(Message.MOVED_OUT_OF_TURN) == 1
    assert not evening.of(Flagged)
    evening.move(GOOD)
    evening.roll(6, 4)
    assert evening.table.phase is Phase.MOVING
    assert evening.table.position == GOOD


def test_a_board_that_cannot_be_told_is_asked_about_and_settled_by_a_better_look() -> None:
    evening = opened()
    evening.move(GOOD, hidden=(4, 5, 6, 8))
    evening.done()
    assert evening.table.phase is Phase.TURN_ENDED
    assert Message.LOOK in evening.messages()
    (asked,) = evening.of(TurnAsked)
    assert isinstance(asked, TurnAsked)
    assert GOOD in [candidate.after for candidate in asked.candidates]
    assert [candidate.probability for candidate in asked.candidates] == sorted(
        (candidate.probability for candidate in asked.candidates), reverse=True
    )
    evening.look(GOOD)
    assert evening.table.phase is Phase.TO_ROLL
    assert not evening.of(Unsure)
    assert turns(evening)[-1].after == GOOD


def test_a_roll_that_comes_over_a_doubt_is_played_and_the_doubt_recorded() -> None:
    evening = opened()
    evening.move(GOOD, hidden=(4, 5, 6, 8))
    evening.done()
    evening.roll(6, 4)
    assert evening.of(Unsure)
    assert evening.table.phase is Phase.MOVING
    assert evening.table.on_turn is Side.DARK


def test_in_casual_play_a_legal_play_at_rest_ends_the_turn() -> None:
    evening = opened(Settings(match_terms(STANDARD), ends=frozenset({End.REST}), rest_s=3.0))
    evening.move(GOOD)
    evening.tell(Ticked(evening.t + 1.0))
    assert evening.table.phase is Phase.MOVING
    evening.tell(Ticked(evening.t + 4.0))
    assert evening.table.phase is Phase.TO_ROLL


def test_a_checker_tried_at_rest_is_no_end_of_a_turn() -> None:
    evening = opened(Settings(match_terms(STANDARD), ends=frozenset({End.REST}), rest_s=3.0))
    evening.move(after((8, 5)))
    evening.tell(Ticked(evening.t + 4.0))
    assert evening.table.phase is Phase.MOVING
    evening.tell(Ticked(evening.t + 60.0))
    assert evening.table.phase is not Phase.TO_ROLL


def rolled_twice(reroll: Reroll) -> Evening:
    """Dark has rolled 6-4, and 5-2 before anything was moved."""
    evening = opened(Settings(match_terms(rules(reroll=reroll)), clock=True))
    evening.move(GOOD)
    evening.done()
    evening.roll(6, 4)
    evening.roll(5, 2)
    return evening


def test_where_that_is_free_a_roll_made_again_before_anything_moved_takes_the_place_of_the_first() -> None:
    evening = rolled_twice(Reroll.FREE)
    assert evening.of(DiceVoid)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (5, 2)
    assert evening.table.on_turn is Side.DARK


@pytest.mark.parametrize("reroll", [Reroll.ASK, Reroll.COCKED_ONLY])
def test_a_valid_roll_cannot_be_thrown_again_until_it_pleases(reroll: Reroll) -> None:
    evening = rolled_twice(reroll)
    assert not evening.of(DiceVoid)
    assert evening.messages()[-1] is Message.ROLLED_AGAIN
    evening.move(evening.legal())
    evening.done()
    assert (turns(evening)[-1].roll.dice, turns(evening)[-1].legal) == ((6, 4), True)


def test_the_opponent_may_allow_the_second_roll() -> None:
    evening = rolled_twice(Reroll.ASK)
    evening.press(Button.TAKE, Side.DARK)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (6, 4)
    evening.press(Button.TAKE, Side.LIGHT)
    assert evening.table.thrown is not None
    assert evening.table.thrown.roll.dice == (5, 2)
    assert [void.roll.dice for void in evening.of(DiceVoid) if isinstance(void, DiceVoid)] == [(6, 4)]


@pytest.mark.parametrize("void_first", [True, False])
def test_an_opening_roll_made_again_has_its_dice_in_their_order_whenever_it_is_allowed(
    void_first: bool,
) -> None:
    evening = Evening(Settings(match_terms(rules(reroll=Reroll.ASK))))
    evening.look(START)
    evening.roll(6, 4)
    if void_first:
        evening.say(ruled.RollVoided(Side.LIGHT))
    evening.roll(2, 5)
    if not void_first:
        evening.say(ruled.RollVoided(Side.LIGHT))
    assert evening.table.on_turn is Side.DARK
    assert evening.table.playing.roll.dice == (5, 2)


def test_a_second_roll_that_nobody_allowed_is_told_as_doubtful_where_it_was_played() -> None:
    evening = rolled_twice(Reroll.ASK)
    plays = legal_plays(evening.table.position, Side.DARK, Roll.from_dice(5, 2), STANDARD.movement)
    first = {play.after for play in legal_plays(evening.table.position, Side.DARK, Roll.from_dice(6, 4))}
    evening.move(next(play.after for play in plays if play.after not in first))
    evening.done()
    assert evening.messages()[-1] is Message.ROLLED_AGAIN
    assert turns(evening)[-1].legal
    assert turns(evening)[-1].roll.dice == (5, 2)
    assert evening.of(Unsure)


def test_a_cocked_roll_is_void_and_the_next_one_is_the_same_sides() -> None:
    evening = opened(Settings(match_terms(STANDARD), clock=True))
    evening.move(GOOD)
    evening.done()
    evening.tell(RollReported(evening.t, (6, 4), cocked=True))
    assert evening.messages()[-1] is Message.COCKED
    assert evening.table.phase is Phase.TO_ROLL
    evening.roll(5, 2)
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)


def test_pressing_with_nothing_moved_ends_nothing() -> None:
    evening = opened()
    evening.look(START)
    evening.done()
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.NOTHING_MOVED


def test_who_moved_is_not_told_that_nothing_moved_after_a_single_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That one picture is a glitch is likelier than a rare breach where several boards before say so."""
    evening = opened(Settings(match_terms(STANDARD)))
    before = Position.from_compact("BBBBBB...a.aa....de.B.bA.a")
    evening.stand(before, Side.LIGHT)
    evening.roll(6, 4)
    evening.move(after((21, 15), (4, 0), of=before), pictures=1)

    def judge_doubtfully(
        table: Table, views: SettledViews | None = None, ended_by: EndedBy = EndedBy.NOTHING
    ) -> Verdict | None:
        verdict = judge_turn(table, views, ended_by)
        assert verdict is not None
        still = [replace(one, score=-11.0) for one in verdict.beam if one.last.is_idle and one.fit < -3]
        return decide((*verdict.beam, *still, *still), verdict.throw, verdict.look, table.caution)

    monkeypatch.setattr("controller.referee.table.turns.judge_turn", judge_doubtfully)
    evening.done()
    assert (evening.table.phase, evening.messages()[-1]) == (Phase.TURN_ENDED, Message.STARTS)
    monkeypatch.undo()
    evening.look(pictures=1)
    assert evening.table.phase is Phase.PUT_RIGHT


def test_the_opponents_press_ends_nothing() -> None:
    evening = opened()
    evening.move(GOOD)
    evening.press(Button.CLOCK_DARK)
    assert evening.table.phase is Phase.MOVING
    assert evening.messages()[-1] is Message.NOT_YOUR_CLOCK


@pytest.mark.parametrize("premature", Premature)
def test_a_premature_roll_stands_is_void_or_asked_about(premature: Premature) -> None:
    evening = opened(Settings(match_terms(STANDARD), clock=True, premature=premature))
    evening.move(GOOD)
    evening.roll(6, 4)
    side = Side.DARK if premature is Premature.STANDS else Side.LIGHT
    assert evening.table.on_turn is side
    assert (Message.ROLL_TOO_EARLY in evening.messages()) == (premature is not Premature.STANDS)
    if premature is Premature.ASK:
        evening.tell(RollStands(evening.t, stands=True))
        assert evening.table.on_turn is Side.DARK
        assert evening.table.phase is Phase.MOVING


def test_who_cannot_move_is_told_and_the_turn_passes_when_it_ends() -> None:
    evening = opened()
    closed = Position.from_counts([2, 2, 2, 2, 2, 2, *[0] * 16, -2, 0], 0, 1)
    evening.stand(closed, Side.DARK)
    evening.roll(6, 5)
    assert evening.messages()[-1] is Message.NO_PLAY
    evening.done()
    assert turns(evening)[-1].text == "Cannot Move"
    assert evening.table.on_turn is Side.LIGHT


def test_a_roll_after_one_that_could_not_be_played_is_the_opponents() -> None:
    evening = opened(Settings(match_terms(STANDARD)))
    closed = Position.from_counts([2, 2, 2, 2, 2, 2, *[0] * 16, -2, 0], 0, 1)
    evening.stand(closed, Side.DARK)
    evening.roll(6, 5)
    evening.roll(2, 1)
    assert not evening.of(DiceVoid)
    assert evening.table.on_turn is Side.LIGHT


def test_bearing_off_the_last_checker_ends_the_game_by_the_rules() -> None:
    evening = opened()
    evening.stand(Position.from_counts([1] + [0] * 22 + [-2]), Side.LIGHT)
    evening.roll(6, 5)
    evening.move(Position.from_counts([0] * 23 + [-2]))
    evening.done()
    assert evening.of(GameEnded)
    assert evening.table.phase is Phase.GAME_OVER
    assert evening.table.match.score.light == 1


def test_one_point_that_looks_otherwise_than_was_told_is_no_checker_that_somebody_moved() -> None:
    evening = opened()
    points = list(GOOD.points)
    points[23] = 1
    evening.move(Position.from_counts(points), pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=4)
    assert turns(evening)[-1].after == GOOD
    evening.roll(6, 4)
    evening.say(ruled.RollVoided(Side.DARK))
    assert evening.table.phase is Phase.TO_ROLL
    evening.look(pictures=4)
    assert not {Message.MOVED_OUT_OF_TURN, Message.LOOK} & {*evening.messages()}


def test_who_puts_the_play_before_back_is_not_named_as_who_moves_out_of_turn_does() -> None:
    for board, named in ((START, None), (after((13, 9), of=GOOD, side=Side.DARK), "dark")):
        evening = opened()
        evening.move(GOOD)
        evening.done()
        reached = HandSeen("dark", frozenset(range(1, 25)))
        evening.t += 1.0
        seen = evening.film.read(GOOD, hand=True)
        evening.tell(FrameSeen(evening.t, 5000, replace(seen, hands=(reached,))))
        for _ in range(4):
            evening.t += 0.3
            evening.tell(FrameSeen(evening.t, 5001, replace(evening.film.read(board), hands=())))
        (told,) = [
            action
            for action in evening.actions
            if isinstance(action, Told) and action.message is Message.MOVED_OUT_OF_TURN
        ]
        assert told.arguments.get("side") == named


def test_an_illegal_play_that_is_told_is_not_held_against_anybody_while_the_checkers_lie_as_before() -> None:
    evening = opened()
    evening.look(pictures=3)
    evening.say(ruled.Played(Side.LIGHT, WRONG, None))
    assert not evening.of(Flagged)
    assert evening.messages()[-1] is Message.PLAY_AGAIN
    assert evening.table.phase is Phase.MOVING


def test_the_director_is_told_once_of_a_silent_illegal_play_whose_end_was_partly_hidden() -> None:
    profile = rules(device_role=DeviceRole.SILENT_RECORDER)
    evening = opened(Settings(match_terms(profile), clock=True))
    evening.move(WRONG, pictures=3, hidden=(20,))
    evening.done()
    evening.look(WRONG, pictures=4)
    assert len(evening.of(Flagged)) == 1
    evening.roll(6, 4)
    assert [(turn.legal, turn.stands) for turn in turns(evening)] == [(False, True)]


def test_a_checker_that_was_hit_and_is_still_in_the_hand_is_waited_for_and_not_asked_about() -> None:
    evening = opened()
    blot = after((6, 5), (13, 11))
    evening.stand(blot, Side.DARK)
    evening.roll(4, 3)
    plays = legal_plays(blot, Side.DARK, Roll.from_dice(4, 3))
    hit = next(play.after for play in plays if play.after.bar(Side.LIGHT))
    evening.look()
    evening.move(Position.from_counts(list(hit.points), 0, hit.bar(Side.DARK)))
    evening.done()
    evening.look()
    assert evening.table.phase is Phase.TURN_ENDED
    assert not {Message.CHECKER_MISSING, Message.LOOK} & {*evening.messages()}
    evening.move(hit, pictures=3)
    assert [(turn.after, turn.legal) for turn in turns(evening)] == [(hit, True)]


def test_what_people_say_was_played_is_not_overturned_by_the_board_they_said_it_about() -> None:
    evening = opened()
    evening.move(OTHER, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=4)
    assert [(turn.after, turn.revises) for turn in turns(evening)] == [(GOOD, False)]
    assert evening.table.position == GOOD


def said(board: Position) -> Evening:
    """Somebody says the good play while the board lies so, and dark has rolled 6-4."""
    evening = opened()
    if board != START:
        evening.move(board, pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=4)
    evening.roll(6, 4)
    return evening


def said_and_answered(board: Position, reply: Position) -> Evening:
    """The same, and dark has played from that board."""
    evening = said(board)
    evening.move(reply)
    evening.done()
    return evening


def replies(board: Position) -> list[Position]:
    """Every third of the boards to which dark may come from this one by 6-4."""
    return [play.after for play in legal_plays(board, Side.DARK, Roll(6, 4))][::3]


def test_who_plays_on_from_the_board_that_lies_there_is_not_accused_if_another_play_was_said() -> None:
    for reply in replies(OTHER):
        evening = said_and_answered(OTHER, reply)
        assert Message.BOARD_OTHER in evening.messages()
        assert not evening.of(Flagged)
        assert evening.table.position == reply
        told = {turn.ply: (turn.after, turn.legal) for turn in turns(evening)}
        assert told == {0: (OTHER, True), 1: (reply, True)}


def test_nobody_is_asked_about_a_play_that_is_said_before_it_is_made() -> None:
    evening = opened()
    evening.look(pictures=3)
    evening.say(ruled.Played(Side.LIGHT, GOOD, None))
    evening.look(pictures=4)
    evening.move(GOOD, pictures=3)
    assert not {Message.BOARD_OTHER, Message.LOOK, Message.MOVED_OUT_OF_TURN} & {*evening.messages()}


def test_a_play_that_was_said_and_never_made_is_held_against_nobody() -> None:
    for reply in replies(START):
        evening = said_and_answered(START, reply)
        assert not evening.of(Flagged)
        assert evening.table.position == reply
        assert all(turn.legal for turn in turns(evening))


def test_a_place_that_is_misread_for_good_does_not_overturn_what_was_said() -> None:
    for point in (24, 5, 13):
        evening = opened()
        evening.film.tray_seen = False
        counts = list(GOOD.points)
        counts[point - 1] -= 1
        evening.move(Position.from_counts(counts), pictures=3)
        evening.say(ruled.Played(Side.LIGHT, GOOD, None))
        evening.look(pictures=4)
        evening.roll(6, 4)
        reply = after((24, 18), (13, 9), of=GOOD, side=Side.DARK)
        counts = list(reply.points)
        counts[point - 1] -= 1
        evening.move(Position.from_counts(counts), pictures=4)
        evening.done()
        assert [(turn.after, turn.legal) for turn in turns(evening)] == [(GOOD, True), (reply, True)]


def test_a_play_that_is_said_from_the_board_that_lies_there_tells_the_turn_before_anew() -> None:
    evening = said(OTHER)
    reply = after((8, 2), (6, 2), of=OTHER, side=Side.DARK)
    evening.say(ruled.Played(Side.DARK, reply, None))
    assert not evening.of(Flagged)
    assert evening.table.position == reply
    told = {turn.ply: (turn.after, turn.legal) for turn in turns(evening)}
    assert told == {0: (OTHER, True), 1: (reply, True)}


@pytest.mark.parametrize("log_odds", [-9.0, 9.0])
def test_a_play_that_is_said_is_weighed_from_each_board_that_it_may_have_begun_from(log_odds: float) -> None:
    """Light's 8/4 6/5 goes one point too far with 3-1, and is legal where one of its checkers lay on the 7-point."""
    evening = opened()
    (known,) = evening.table.beam
    slipped = replace(known, position=after((8, 7)), lies=after((8, 7)), score=known.score + log_odds)
    evening.table = replace(evening.table, beam=(known, slipped))
    evening.move(WRONG)
    evening.say(ruled.Played(Side.LIGHT, WRONG, None))
    assert bool(evening.of(Flagged)) is (log_odds < 0)


def test_a_play_that_was_said_ahead_of_the_move_gives_way_to_the_one_that_is_made() -> None:
    for made in (play.after for play in legal_plays(START, Side.LIGHT, Roll(3, 1)) if play.after != GOOD):
        evening = opened()
        evening.look(pictures=3)
        evening.say(ruled.Played(Side.LIGHT, GOOD, None))
        evening.move(made, pictures=3)
        assert evening.table.position == made
        assert not evening.of(Unsure)
        assert turns(evening)[-1].probability > 0.998


def test_a_turn_that_nobody_confirmed_is_confirmed_by_a_picture_that_shows_it_clearly() -> None:
    evening = opened()
    evening.move(GOOD, pictures=3, hidden=(4, 5, 6, 7, 8))
    evening.done()
    evening.press(Button.DONE)
    counted = evening.table.position
    assert [(turn.after, turn.legal) for turn in turns(evening)] == [(counted, None)]
    evening.look(counted, pictures=4)
    assert [(turn.after, turn.legal) for turn in turns(evening)] == [(counted, None), (counted, True)]
