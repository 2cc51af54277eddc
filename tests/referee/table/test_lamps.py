"""What the lights of a table show, from setting up to putting right."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from controller.devices.lights.frame import LightFrame, Place, Signal
from controller.devices.link.happenings import Button
from controller.referee.actions import BestPlayWanted, Lit, Phase
from controller.referee.belief.steps import shift_checker
from controller.referee.events import BestPlayFound, FrameSeen, HintAsked, Pause
from controller.referee.table.coach import Seen, ways
from controller.referee.table.lamps import broken_places, lesson_frame
from controller.referee.table.settings import Settings
from controller.rules.judging.judge import judge
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.conduct import DeviceRole, IllegalPolicy, Leds
from controller.rules.profile.profile import STANDARD, Profile
from tests.referee.table.evening import Evening, match_terms
from tests.rows import each_row
from tests.rules.strategies import positions, rolls, sides

LIGHT, DARK = Side.LIGHT, Side.DARK
EMPTY = Position.from_counts([0] * 24)


def rules(**conduct: object) -> Profile:
    return replace(STANDARD, conduct=replace(STANDARD.conduct, **conduct))


TEACHING = rules(leds=Leds.TEACH, device_role=DeviceRole.TEACHER)


def table(profile: Profile = STANDARD, hint: int = 0) -> Evening:
    return Evening(Settings(match_terms(profile), clock=True, hint=hint))


def shown(evening: Evening, signal: Signal) -> set[Place]:
    frame = evening.table.lit
    return {
        place
        for place in (*range(1, 25), "bar-light", "bar-dark", "tray-light", "tray-dark", "status")
        if frame[place] is signal
    }


def lifted(evening: Evening, point: int, side: Side = LIGHT) -> None:
    """A hand is over the board and holds the checker of a point."""
    evening.t += 0.3
    bare = shift_checker(evening.shown, side, point, 0)
    evening.tell(FrameSeen(evening.t, round(evening.t * 15), evening.film.read(bare, hidden=frozenset({2}))))
    reading = replace(evening.film.read(bare, hidden=frozenset({2})), hand=True)
    evening.tell(FrameSeen(evening.t, round(evening.t * 15), reading))


def test_the_lights_are_told_only_when_they_change() -> None:
    evening = table()
    evening.look(EMPTY, 1)
    assert [type(action) for action in evening.actions].count(Lit) == 1
    before = len(evening.of(Lit))
    evening.look(EMPTY, 3)
    assert len(evening.of(Lit)) == before


def test_an_empty_board_is_to_be_filled_and_a_board_set_up_is_dark() -> None:
    evening = table()
    evening.look(EMPTY, 2)
    assert shown(evening, Signal.PUT)
    assert evening.table.lit["status"] is Signal.WAITING
    evening.look(START, 3)
    assert evening.table.phase is Phase.OPENING_ROLL
    assert evening.table.lit == LightFrame()


def test_a_legal_play_is_lit_where_it_went_until_the_next_roll() -> None:
    evening = table()
    evening.start(3, 1)
    evening.move(Position.from_compact("b...BD.B...eE...c.e....B.."))
    assert evening.table.lit == LightFrame()
    evening.done()
    assert shown(evening, Signal.PLAYED) == {5}
    evening.roll(6, 2)
    assert evening.table.lit == LightFrame()


def test_points_that_a_hand_hides_at_the_end_of_a_turn_are_lit_as_doubtful_until_each_is_seen() -> None:
    evening = table()
    evening.start(3, 1)
    played = shift_checker(shift_checker(START, LIGHT, 8, 5), LIGHT, 6, 5)
    evening.move(played, 3, hidden=(9, 10, 11))
    evening.done()
    assert shown(evening, Signal.UNSURE) == {9, 10, 11}
    evening.look(hidden=(10, 11))
    assert shown(evening, Signal.UNSURE) == {10, 11}
    evening.look()
    assert not shown(evening, Signal.UNSURE)
    assert shown(evening, Signal.PLAYED) >= {5}


def test_an_illegal_play_shows_where_it_is_wrong_and_the_way_back() -> None:
    evening = table()
    evening.start(6, 5)
    evening.move(shift_checker(shift_checker(START, LIGHT, 13, 7), LIGHT, 13, 9), 3)
    evening.done()
    assert evening.table.phase is Phase.PUT_RIGHT
    assert (shown(evening, Signal.WRONG), shown(evening, Signal.TAKE)) == ({9}, {7})
    assert shown(evening, Signal.PUT) == {13}
    evening.move(shift_checker(START, LIGHT, 13, 7))
    assert (shown(evening, Signal.WRONG), shown(evening, Signal.TAKE)) == (set(), {7})
    evening.move(START, 3)
    assert evening.table.phase is Phase.MOVING
    assert evening.table.lit == LightFrame()


@pytest.mark.parametrize(
    "conduct",
    [
        {"device_role": DeviceRole.SILENT_RECORDER},
        {"illegal_policy": IllegalPolicy.RESPONSIBLE},
        {"illegal_policy": IllegalPolicy.CONDONE_OPTION},
    ],
)
def test_a_device_that_may_not_tell_the_players_keeps_its_verdicts_dark(conduct: dict[str, object]) -> None:
    evening = table(rules(**conduct))
    evening.start(6, 5)
    evening.move(Position.from_compact("b....E.C.AAeC...c.e....B.."), 3)
    evening.done()
    assert evening.table.lit == LightFrame()
    quiet = table(rules(**conduct))
    quiet.start(3, 1)
    quiet.move(quiet.legal())
    quiet.done()
    assert quiet.table.lit == LightFrame()


def test_hints_stay_dark_where_the_rules_forbid_aids() -> None:
    evening = Evening(replace(Settings(match_terms(STANDARD), clock=True), hint=2))
    evening.start(3, 1)
    lifted(evening, 8)
    assert evening.table.lit == LightFrame()


def test_a_learner_sees_what_may_be_moved_and_where_the_checker_in_hand_may_land() -> None:
    evening = table(TEACHING, hint=2)
    evening.start(3, 1)
    assert shown(evening, Signal.MOVABLE) == {24, 8, 6, 13}
    lifted(evening, 8)
    assert shown(evening, Signal.LANDING) == {7, 5, 4}
    assert not shown(evening, Signal.MOVABLE)
    evening.move(shift_checker(START, LIGHT, 8, 5))
    assert shown(evening, Signal.MOVABLE) == {24, 8, 6, 5}
    lifted(evening, 6)
    assert shown(evening, Signal.LANDING) == {5}


def test_a_finger_beside_what_the_hand_hides_is_not_taken_for_a_checker() -> None:
    evening = table(TEACHING, hint=2)
    evening.start(3, 1)
    finger = evening.film.read(
        shift_checker(shift_checker(START, LIGHT, 13, 0), LIGHT, 24, 10), hidden=frozenset({11, 24})
    )
    evening.tell(FrameSeen(evening.t, round(evening.t * 15), replace(finger, hand=True)))
    assert shown(evening, Signal.LANDING) == {10, 9}


def test_the_lowest_hint_does_not_show_where_to_go() -> None:
    evening = table(TEACHING, hint=1)
    evening.start(3, 1)
    lifted(evening, 8)
    assert not shown(evening, Signal.LANDING)


def test_the_best_play_is_shown_from_where_to_where_and_goes_out_with_its_moves() -> None:
    evening = table(TEACHING, hint=3)
    evening.start(3, 1)
    point = Position.from_compact("b...BD.B...eE...c.e....B..")
    evening.tell(BestPlayFound(evening.t, evening.table.ply, point))
    assert (shown(evening, Signal.MOVABLE), shown(evening, Signal.LANDING)) == ({8, 6}, {5})
    evening.move(shift_checker(START, LIGHT, 8, 5))
    assert (shown(evening, Signal.MOVABLE), shown(evening, Signal.LANDING)) == ({6}, {5})
    evening.move(point)
    assert evening.table.lit == LightFrame()


def test_a_play_that_the_rules_do_not_allow_is_no_best_play() -> None:
    evening = table(TEACHING, hint=3)
    evening.start(3, 1)
    before = evening.table.lit
    evening.tell(BestPlayFound(evening.t, evening.table.ply, shift_checker(START, LIGHT, 8, 1)))
    assert evening.table.lit == before


@each_row(
    ("name", "asked"),
    [("standard-match", 1), ("portes", 1), ("fevga", 0), ("plakoto", 0), ("hypergammon", 0)],
)
def test_engines_are_asked_about_the_games_that_they_play(name: str, asked: int) -> None:
    rules = load_profile(name)
    evening = table(replace(rules, conduct=TEACHING.conduct), hint=3)
    evening.start(3, 1)
    if rules.opening.roll_uses is not STANDARD.opening.roll_uses:
        evening.roll(3, 1)
    assert len(evening.of(BestPlayWanted)) == asked


def test_a_board_on_no_way_to_a_legal_play_shows_a_learner_nothing() -> None:
    evening = table(TEACHING, hint=2)
    evening.start(3, 1)
    evening.move(shift_checker(START, LIGHT, 13, 11))
    assert evening.table.lit == LightFrame()


def test_a_hint_is_put_on_and_off_in_the_middle_of_a_turn() -> None:
    evening = table(TEACHING)
    evening.start(3, 1)
    assert evening.table.lit == LightFrame()
    evening.tell(HintAsked(evening.t, 1))
    evening.look()
    assert shown(evening, Signal.MOVABLE)
    evening.tell(HintAsked(evening.t, 0))
    assert evening.table.lit == LightFrame()


def test_a_pause_shows_that_the_device_waits() -> None:
    evening = table()
    evening.start(3, 1)
    evening.tell(Pause(evening.t))
    assert evening.table.lit == LightFrame(status=Signal.WAITING)


def test_after_a_pause_the_lights_are_what_they_were() -> None:
    evening = table(TEACHING, hint=1)
    evening.start(3, 1)
    before = evening.table.lit
    evening.tell(Pause(evening.t))
    evening.press(Button.PAUSE)
    evening.look()
    assert evening.table.lit == before


@settings(max_examples=60)
@given(positions(), sides, rolls)
def test_what_may_be_moved_and_where_to_is_lit_for_the_mover_only(
    position: Position, side: Side, roll: Roll
) -> None:
    course = ways(position, side, roll)
    start = Seen(course.stages[0])
    lit = {place for place in range(1, 25) if lesson_frame(course, start, 1)[place] is not Signal.DARK}
    assert lit == course.movable(start.stage) - {f"bar-{side}"}
    for source in course.movable(start.stage):
        frame = lesson_frame(course, Seen(start.stage, source), 2)
        for target in course.landings(start.stage, source):
            assert frame[target] is Signal.LANDING


@pytest.mark.parametrize("side", list(Side))
def test_a_broken_rule_is_lit_where_it_is_broken(side: Side) -> None:
    before, after = (
        Position.from_compact("b....E.C...eE...a.eb...B.."),
        Position.from_compact("b....E.C...eE.A.a.eb...A.."),
    )
    if side is DARK:
        before, after = before.mirrored(), after.mirrored()
    reasons = judge(before, side, Roll(5, 4), after).reasons
    assert set(broken_places(reasons)) == ({19, 20} if side is LIGHT else {5, 6})


def test_a_checker_borne_off_too_early_is_lit_in_the_tray() -> None:
    before = Position.from_compact("b....E.C...eE...c.e....B..")
    after = shift_checker(before, LIGHT, 6, 0)
    assert "tray-light" in set(broken_places(judge(before, LIGHT, Roll(6, 1), after).reasons))
