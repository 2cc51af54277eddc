"""Checkers borne off against the rules are named as what they are, whether the trays are seen or not."""

import pytest

from controller.referee.actions import Flagged, Message, Phase, Told, TurnAsked, Unsure
from controller.rules.moves.plays import legal_plays
from controller.rules.position import Position, Roll, Side
from controller.rules.reasons import ReasonCode
from tests.referee.table.evening import Evening
from tests.referee.table.test_turns import opened, turns

DARK_HOME = [-3, -3, -3, -2, -2, -2]
LAST_SIX = Position.from_counts([0, 2, 2, 0, 2, 0] + [0] * 12 + DARK_HOME)
"""Light has two checkers each on its 2-, 3- and 5-point."""
TOO_SMALL = Position.from_counts([0, 3, 1, 0, 1, 0] + [0] * 12 + DARK_HOME)
"""After 5/off 3/2 with a 4-1."""
ONE_MORE = Position.from_counts([0, 1, 1, 0, 1, 0] + [0] * 12 + DARK_HOME)
"""After 5/off 3/off with a 5-3, and another one off from the 2-point."""

CASES = [
    ((4, 1), TOO_SMALL, ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL),
    ((5, 3), ONE_MORE, ReasonCode.EXTRA_CHECKER_OFF),
]


def bear_off(dice: tuple[int, int], wrong: Position, *, trays: bool) -> Evening:
    """Light has rolled ``dice`` in its bear-off, and taken off what it should not."""
    evening = opened()
    evening.film.tray_seen = trays
    evening.stand(LAST_SIX, Side.LIGHT)
    evening.roll(*dice)
    evening.move(wrong, pictures=3)
    evening.done()
    evening.look()
    return evening


@pytest.mark.parametrize(("dice", "wrong", "code"), CASES)
def test_what_was_taken_off_wrongly_is_flagged_with_its_rule(
    dice: tuple[int, int], wrong: Position, code: ReasonCode
) -> None:
    evening = bear_off(dice, wrong, trays=True)
    flag = evening.of(Flagged)[-1]
    assert isinstance(flag, Flagged)
    assert flag.turn.side is Side.LIGHT
    assert code in {reason.code for reason in flag.turn.reasons}


@pytest.mark.parametrize(("dice", "wrong", "code"), CASES)
def test_what_was_taken_off_wrongly_and_left_so_is_in_the_record_as_that_and_play_goes_on_from_there(
    dice: tuple[int, int], wrong: Position, code: ReasonCode
) -> None:
    evening = bear_off(dice, wrong, trays=True)
    evening.roll(6, 5)
    turn = turns(evening)[-1]
    assert (turn.legal, turn.stands, turn.after) == (False, True, wrong)
    assert code in {reason.code for reason in turn.reasons}
    assert (evening.table.phase, evening.table.on_turn) == (Phase.MOVING, Side.DARK)
    assert evening.table.position == wrong


@pytest.mark.parametrize(("dice", "wrong", "code"), CASES)
def test_where_no_tray_is_seen_what_was_taken_off_wrongly_is_at_least_asked_about(
    dice: tuple[int, int], wrong: Position, code: ReasonCode
) -> None:
    evening = bear_off(dice, wrong, trays=False)
    named = [flag.turn.reasons[0].code for flag in evening.of(Flagged) if isinstance(flag, Flagged)]
    asked = {Message.LOOK, Message.CHECKER_MISSING} & set(evening.messages())
    assert named == [code] or asked
    evening.roll(6, 5)
    assert evening.of(Unsure) or not turns(evening)[-1].legal


@pytest.mark.parametrize(("dice", "wrong"), [case[:2] for case in CASES])
def test_where_no_tray_is_seen_play_goes_on_from_the_board_as_it_lies_after_a_wrong_bear_off(
    dice: tuple[int, int], wrong: Position
) -> None:
    evening = bear_off(dice, wrong, trays=False)
    evening.roll(6, 5)
    evening.look()
    dark = legal_plays(wrong, Side.DARK, Roll.from_dice(6, 5))[0].after
    evening.move(dark, pictures=3)
    evening.done()
    evening.look()
    evening.roll(2, 1)
    evening.look()
    told = {turn.ply: turn for turn in turns(evening)}
    assert told[1].legal is not False
    assert evening.table.position == dark


@pytest.mark.parametrize("trays", [True, False])
def test_a_checker_of_a_side_that_may_not_bear_off_yet_is_missing_and_not_borne_off(trays: bool) -> None:
    outside = Position.from_counts([0, 2, 2, 0, 1, 0, 1] + [0] * 11 + DARK_HOME)
    evening = opened()
    evening.film.tray_seen = trays
    evening.stand(outside, Side.LIGHT)
    evening.roll(2, 1)
    evening.move(Position.from_counts([0, 2, 2, 0, 0, 0, 1] + [0] * 11 + DARK_HOME), pictures=3)
    evening.done()
    evening.look()
    flagged = [flag for flag in evening.of(Flagged) if isinstance(flag, Flagged)]
    codes = {reason.code for flag in flagged for reason in flag.turn.reasons}
    assert not codes & {ReasonCode.BEAR_OFF_NUMBER_TOO_SMALL, ReasonCode.EXTRA_CHECKER_OFF}


LOOKS = {Message.LOOK, Message.CHECKER_MISSING}
TAKEN = Position.from_counts([0, 2, 1, 0, 1, 0] + [0] * 12 + [-3, -2, -3, -2, -2, -2])
"""After 5/off 3/off with a 5-3, and a checker of dark's taken from the 20-point."""


def test_a_checker_of_the_opponents_that_is_gone_and_lies_in_no_tray_is_asked_for() -> None:
    evening = bear_off((5, 3), TAKEN, trays=False)
    asked = [one for one in evening.of(Told) if isinstance(one, Told) and one.message in LOOKS]
    assert [(one.message, one.arguments["side"]) for one in asked] == [(Message.CHECKER_MISSING, "dark")]
    (about,) = (one for one in evening.of(TurnAsked) if isinstance(one, TurnAsked))
    assert about.points == (20,)
    assert not evening.of(Flagged)


def test_a_turn_that_is_told_anew_ends_the_game_if_the_last_checker_was_off_after_all() -> None:
    """A single picture showed a checker on the ace point, and later ones show that none lies there."""
    last_two = Position.from_counts([0] * 4 + [1, 1] + [0] * 12 + DARK_HOME)
    evening = opened()
    evening.stand(last_two, Side.LIGHT)
    evening.roll(6, 5)
    evening.move(Position.from_counts([1] + [0] * 17 + DARK_HOME), pictures=1, hidden=(1,))
    evening.done()
    assert evening.table.phase is Phase.TO_ROLL
    evening.look(Position.from_counts([0] * 18 + DARK_HOME), pictures=3)
    assert [(turn.text, turn.revises) for turn in turns(evening)[-2:]] == [
        ("6/1 5/off", False),
        ("6/off 5/off", True),
    ]
    assert evening.table.phase is Phase.GAME_OVER
    assert evening.table.match.score.light == 2
