"""Two tables that play one match conclude the same, whatever becomes of the line between them."""

import json
from dataclasses import replace
from random import Random
from typing import Final

from controller.devices.link.happenings import Button
from controller.referee.actions import Flagged, Message, Phase
from controller.referee.belief.steps import shift_checker
from controller.referee.events import DIRECTOR, Disputed, GoOn, LetStand, Pause, PositionRuled, Said
from controller.referee.table.choices import choices_of
from controller.rules import START, Profile, Roll, Side, Terms, load_profile
from controller.rules.game import events as ruled
from controller.rules.game.match_record import event_record
from controller.rules.profile.conduct import Consent, IllegalPolicy
from tests.partner.far_tables import FarMatch, far_match
from tests.rows import each_row

STANDARD: Final = load_profile("standard-match")
CHOICE: Final = replace(
    STANDARD,
    conduct=replace(
        STANDARD.conduct,
        illegal_policy=IllegalPolicy.CONDONE_OPTION,
        device_consent=Consent.GIVEN,
    ),
)
"""Rules by which the opponent decides about an illegal play."""


def test_both_tables_record_the_same_match_over_a_line_that_breaks_all_the_time() -> None:
    match = far_match(1, 1, cheats=0.1, doubles=0.05)
    match.play(share=0.7)
    light, dark = match.tables
    assert match.cuts > 20
    assert light.turns() == dark.turns()
    assert light.table.match.results == dark.table.match.results
    assert light.table.match.score == dark.table.match.score
    flagged = [sum(isinstance(each, Flagged) for each in table.actions) for table in match.tables]
    assert flagged[0] == flagged[1] > 0


def moving(profile: Profile = CHOICE) -> FarMatch:
    """Light has rolled 3-1 to start, and both tables know."""
    match = FarMatch(Terms.match(profile, 3), Random(1))
    light, dark = match.tables
    for each in match.tables:
        each.look(START)
    light.roll(3, 6)
    dark.roll(6, 1)
    settle(match)
    assert [each.table.thrown and each.table.thrown.side for each in match.tables] == [Side.LIGHT] * 2
    return match


def settle(match: FarMatch) -> None:
    for _ in range(3):
        match.pass_on()
        for each in match.tables:
            each.hear()


def test_each_side_rolls_one_die_of_its_own_and_the_second_one_does_not_count() -> None:
    match = far_match(1)
    light, dark = match.tables
    for each in match.tables:
        each.look(START)
    light.roll(3, 6)
    light.roll(5, 5)
    assert light.messages()[-1] is Message.ROLL_NOT_DUE
    dark.roll(2, 3)
    settle(match)
    assert {each.table.phase for each in match.tables} == {Phase.OPENING_ROLL}  # a tie
    light.roll(4, 1)
    dark.roll(4, 6)
    settle(match)
    assert [each.table.match.game.turn for each in match.tables] == [Side.DARK] * 2


def test_dice_and_buttons_of_one_table_do_nothing_for_the_side_at_the_other() -> None:
    _, dark = moving().tables
    before = dark.table
    dark.roll(5, 2)
    assert dark.messages()[-1] is Message.ROLL_TOO_EARLY
    for press in (Button.DONE, Button.DOUBLE, Button.TAKE):
        dark.press(press)
        assert dark.messages()[-1] is Message.NOT_NOW
    dark.tell(Said(dark.t, ruled.Rolled(Side.LIGHT, Roll.from_dice(6, 6)), "director"))
    dark.tell(LetStand(dark.t, "dark"))
    assert (dark.table.phase, dark.table.thrown, dark.table.match) == (
        before.phase,
        before.thrown,
        before.match,
    )
    assert not [choice for choice in choices_of(dark.table, DIRECTOR) if choice.side is Side.LIGHT]


def test_the_opponent_at_the_other_table_may_let_an_illegal_play_stand() -> None:
    match = moving()
    light, dark = match.tables
    wrong = shift_checker(START, Side.LIGHT, 13, 8)
    light.move(wrong)
    light.press(Button.DONE)
    settle(match)
    assert light.table.phase is Phase.PUT_RIGHT
    assert [choice.what for choice in choices_of(dark.table, "dark") if choice.what == "let_stand"]
    light.tell(LetStand(light.t, "director"))
    assert light.table.phase is Phase.PUT_RIGHT  # it is for the person at the other table
    dark.tell(LetStand(dark.t, "dark"))
    settle(match)
    assert dark.table.announced == wrong
    dark.move(wrong)
    assert [each.table.position for each in match.tables] == [wrong] * 2
    assert light.turns() == dark.turns()
    assert [turn[-2:] for turn in dark.turns()] == [(True, True)]


def test_a_pause_and_a_play_taken_back_hold_at_both_tables() -> None:
    match = moving(load_profile("teaching"))
    light, dark = match.tables
    dark.tell(Pause(dark.t))
    settle(match)
    assert light.table.phase is Phase.PAUSED
    light.tell(GoOn(light.t))
    settle(match)
    assert dark.table.phase is Phase.MOVING
    light.move(light.legal())
    light.press(Button.DONE)
    settle(match)
    assert dark.table.announced is not None
    dark.move(dark.table.announced)
    light.tell(Said(light.t, ruled.TakenBack(Side.LIGHT), "light"))
    settle(match)
    for each in match.tables:
        each.look(START)
        assert (each.table.phase, each.table.on_turn, each.table.position) == (
            Phase.MOVING,
            Side.LIGHT,
            START,
        )


def played(profile: Profile = CHOICE) -> FarMatch:
    """Light has played 3-1; at dark's table its checkers are yet to be moved."""
    match = moving(profile)
    light, _ = match.tables
    light.move(light.legal())
    light.press(Button.DONE)
    settle(match)
    return match


def test_a_double_before_the_others_play_is_carried_out_has_that_done_first() -> None:
    light, dark = played().tables
    dark.press(Button.DOUBLE)
    assert dark.table.announced == light.table.position
    assert dark.messages()[-1] is Message.OTHER_PLAY
    dark.move(light.table.position)
    dark.press(Button.DOUBLE)
    assert dark.table.phase is Phase.CUBE_OFFERED


def test_the_director_takes_a_turn_back_from_either_table() -> None:
    for number in range(2):
        match = played()
        light, dark = match.tables
        dark.move(light.table.position)
        at = match.tables[number]
        at.tell(Said(at.t, ruled.TakenBack(at.own), DIRECTOR))
        settle(match)
        for each in match.tables:
            each.look(START)
        assert [each.table.on_turn for each in match.tables] == [Side.LIGHT] * 2
        assert [each.table.position for each in match.tables] == [START] * 2


def test_a_wish_to_take_a_turn_back_is_about_that_turn_alone() -> None:
    match = played()
    light, dark = match.tables
    light.tell(Said(light.t, ruled.TakenBack(Side.LIGHT), "light"))
    dark.move(light.table.position)
    dark.roll(6, 2)
    dark.move(dark.legal())
    dark.press(Button.DONE)
    settle(match)
    light.move(dark.table.position)
    dark.tell(Said(dark.t, ruled.TakenBack(Side.DARK), "dark"))
    settle(match)
    assert [each.table.undo_asked for each in match.tables] == [Side.DARK] * 2
    light.tell(Said(light.t, ruled.TakenBack(Side.LIGHT), "light"))
    settle(match)
    assert [(each.table.ply, each.table.on_turn) for each in match.tables] == [(1, Side.DARK)] * 2


def test_a_resignation_that_crosses_a_roll_is_void_at_both_tables() -> None:
    match = played()
    light, dark = match.tables
    dark.move(light.table.position)
    light.tell(Said(light.t, ruled.Resigned(Side.LIGHT, 1), "light"))
    dark.roll(6, 2)
    settle(match)
    assert [each.table.phase for each in match.tables] == [Phase.MOVING] * 2
    assert [each.table.match.game.resignation for each in match.tables] == [None] * 2
    light.tell(Said(light.t, ruled.Resigned(Side.LIGHT, 1), "light"))
    settle(match)
    assert [each.table.phase for each in match.tables] == [Phase.RESIGNATION_OFFERED] * 2


def test_who_resigns_instead_of_carrying_out_a_play_has_it_in_the_record() -> None:
    match = played()
    light, dark = match.tables
    dark.tell(Said(dark.t, ruled.Resigned(Side.DARK, 1), "dark"))
    settle(match)
    light.tell(Said(light.t, ruled.ResignationAccepted(Side.LIGHT), "light"))
    settle(match)
    assert light.turns() == dark.turns()
    assert [len(each.table.match.results) for each in match.tables] == [1, 1]


def test_a_ruling_from_the_table_that_waits_is_carried_out_by_the_one_that_is_to_act() -> None:
    match = played()
    light, dark = match.tables
    other = shift_checker(START, Side.LIGHT, 24, 23)
    light.tell(Disputed(light.t))
    light.tell(PositionRuled(light.t, other, Side.DARK, DIRECTOR))
    assert light.messages()[-1] is Message.OTHER_ASKED
    settle(match)
    for each in match.tables:
        each.look(other)
        assert (each.table.phase, each.table.position, each.table.ply) == (Phase.TO_ROLL, other, 1)
    assert light.turns() == dark.turns()


def test_a_ruling_that_comes_when_play_has_gone_on_is_told_at_both_tables_and_changes_nothing() -> None:
    match = played()
    light, dark = match.tables
    dark.move(light.table.position)
    light.tell(PositionRuled(light.t, shift_checker(START, Side.LIGHT, 24, 23), Side.DARK, DIRECTOR))
    dark.roll(6, 2)
    dark.move(dark.legal())
    dark.press(Button.DONE)
    settle(match)
    assert light.table.announced == dark.table.position
    assert [Message.TOO_LATE in each.messages() for each in match.tables] == [True, True]
    assert [Message.RULED in each.messages() for each in match.tables] == [False, False]
    light.look(dark.table.position)
    light.roll(6, 2)
    settle(match)
    assert [each.messages().count(Message.TOO_LATE) for each in match.tables] == [1, 1]
    assert light.turns() == dark.turns()


def test_a_wish_about_an_earlier_turn_is_told_as_too_late() -> None:
    match = played()
    light, dark = match.tables
    dark.move(light.table.position)
    light.tell(Said(light.t, ruled.TakenBack(Side.LIGHT), "light"))
    dark.roll(6, 2)
    dark.move(dark.legal())
    dark.press(Button.DONE)
    settle(match)
    assert [each.messages().count(Message.TOO_LATE) for each in match.tables] == [1, 1]


def test_boards_that_differ_are_set_up_as_the_listening_table_has_it() -> None:
    match = moving()
    light, dark = match.tables
    light.move(light.legal())
    light.press(Button.DONE)
    settle(match)
    assert dark.table.announced is not None
    dark.move(dark.table.announced)
    other = shift_checker(dark.table.position, Side.DARK, 1, 3)
    dark.table = replace(
        dark.table, match=replace(dark.table.match, game=replace(dark.table.match.game, position=other))
    )
    dark.roll(6, 2)
    settle(match)
    for each in match.tables:
        each.look(light.table.position)
    settle(match)
    assert [each.table.phase for each in match.tables] == [Phase.TO_ROLL] * 2
    assert dark.table.position == light.table.position
    dark.roll(6, 2)
    settle(match)
    assert [each.table.thrown and each.table.thrown.roll for each in match.tables] == [
        Roll.from_dice(6, 2)
    ] * 2


def test_the_page_asks_each_side_for_one_die_and_for_none_once_it_has_it() -> None:
    light, _ = far_match(1).tables
    light.look(START)
    asked = [choice.arguments for choice in choices_of(light.table, "light") if choice.what == "opening_roll"]
    assert asked == [{"light": number, "dark": number} for number in range(1, 7)]
    light.tell(Said(light.t, ruled.OpeningRoll(4, 4), "light"))
    assert light.table.opening == {Side.LIGHT: 4}
    assert not [choice for choice in choices_of(light.table, "light") if choice.what == "opening_roll"]


def test_two_dice_of_one_table_take_the_place_of_no_opening_roll_and_void_ones_are_rolled_by_both() -> None:
    match = moving()
    light, dark = match.tables
    light.roll(5, 2)
    assert light.messages()[-1] is Message.OPENING_DICE
    light.tell(Said(light.t, ruled.RollVoided(Side.LIGHT), "light"))
    settle(match)
    assert {each.table.phase for each in match.tables} == {Phase.OPENING_ROLL}
    light.roll(2, 6)
    dark.roll(6, 4)
    settle(match)
    assert [each.table.on_turn for each in match.tables] == [Side.DARK] * 2
    assert [each.table.playing.roll.dice for each in match.tables] == [(4, 2)] * 2


def tell_forged(match: FarMatch, *facts: dict[str, object]) -> None:
    """Dark's table tells light's what no table tells."""
    light, _ = match.tables
    for fact in facts:
        told = {"game": 1, "heard": 99, **fact}
        light.line.hear(json.dumps({"n": light.line.received + 1, "fact": told}))
    light.hear()


@each_row(
    "said",
    (
        [ruled.Resigned(Side.LIGHT, 3), ruled.ResignationAccepted(Side.DARK)],
        [ruled.RollVoided(Side.LIGHT)],
        [ruled.RollVoided(Side.LIGHT), ruled.Rolled(Side.LIGHT, Roll.from_dice(2, 1))],
    ),
)
def test_nobody_at_the_other_table_speaks_for_who_sits_here(said: list[ruled.RulesEvent]) -> None:
    match = moving()
    light, _ = match.tables
    before = light.table.match, light.table.thrown
    tell_forged(match, *({"what": "said", "event": event_record(event)} for event in said))
    assert (light.table.match, light.table.thrown) == before


@each_row(
    "fact",
    (
        {"what": "die", "die": 3, "game": 1e999},
        {"what": "die", "die": 3, "heard": 1e999},
        {"what": "undo", "ply": 1e999},
        {"what": "said", "event": None},
        {"what": "said", "event": 7},
        {"what": "ruled", "position": 7, "on_roll": "light", "ply": 0},
    ),
)
def test_what_no_table_tells_stops_nothing_that_comes_after_it(fact: dict[str, object]) -> None:
    match = moving()
    light, _ = match.tables
    tell_forged(match, fact, {"what": "pause"})
    assert light.table.phase is Phase.PAUSED


def test_what_no_table_tells_stops_nothing_in_a_pause() -> None:
    match = moving()
    light, _ = match.tables
    light.tell(Pause(light.t))
    rolled = {"what": "rolled", "dice": [1, 2], "from": START.compact()}
    tell_forged(match, rolled, {"what": "said", "event": {"event": []}}, {"what": "go_on"})
    assert light.table.phase is Phase.MOVING
