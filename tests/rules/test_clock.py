"""The tournament clock, with a test clock."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.game.clock import (
    ClockError,
    ClockEvent,
    ClockNews,
    Delay,
    TimeControl,
    TournamentClock,
)
from controller.rules.position import Side

LIGHT, DARK = Side
SIMPLE = TimeControl(600, 12)
BRONSTEIN = TimeControl(600, 12, Delay.BRONSTEIN)


def test_the_delay_is_used_before_the_reserve() -> None:
    clock = TournamentClock(SIMPLE)
    clock.start(LIGHT, 100.0)
    reading = clock.reading(105.0)
    assert (reading.light_s, reading.delay_s, reading.running) == (600, 7, LIGHT)
    reading = clock.reading(115.0)
    assert (reading.light_s, reading.delay_s) == (597, 0)


def test_unused_delay_is_not_saved_up() -> None:
    clock = TournamentClock(SIMPLE)
    clock.start(LIGHT, 0.0)
    for move in range(20):
        clock.press((LIGHT, DARK)[move % 2], (move + 1) * 5.0)
    reading = clock.reading(100.0)
    assert (reading.light_s, reading.dark_s, reading.delay_s) == (600, 600, 12)


def test_bronstein_shows_the_delay_in_the_reserve_and_gives_back_what_was_used() -> None:
    clock = TournamentClock(BRONSTEIN)
    clock.start(DARK, 0.0)
    assert clock.reading(0.0).dark_s == 612
    assert clock.reading(20.0).dark_s == 592
    clock.press(DARK, 20.0)
    assert clock.reading(20.0).dark_s == 592
    clock.press(LIGHT, 21.0)
    clock.press(DARK, 22.0)
    assert clock.reading(22.0).dark_s == 592


@given(st.lists(st.floats(0, 60), min_size=1, max_size=60))
def test_both_kinds_of_delay_spend_the_same_time(moves: list[float]) -> None:
    clocks = [TournamentClock(control) for control in (SIMPLE, BRONSTEIN)]
    now = 0.0
    for clock in clocks:
        clock.start(LIGHT, now)
    for number, seconds in enumerate(moves):
        now += seconds
        for clock in clocks:
            clock.press((LIGHT, DARK)[number % 2], now)
    for clock in clocks:
        clock.start(LIGHT, now + 1)
        clock.start(DARK, now + 1)
        clock.pause(now + 1)
    simple, bronstein = (clock.reading(now + 1) for clock in clocks)
    assert abs(simple.light_s - bronstein.light_s) < 1e-6
    assert bronstein.dark_s == pytest.approx(min(simple.dark_s + 12, bronstein.dark_s))


@given(st.lists(st.floats(0, 40), min_size=1, max_size=80))
def test_no_time_is_made_or_lost(moves: list[float]) -> None:
    clock = TournamentClock(TimeControl(10_000, 0))
    clock.start(LIGHT, 0.0)
    now = 0.0
    for number, seconds in enumerate(moves):
        now += seconds
        clock.press((LIGHT, DARK)[number % 2], now)
    reading = clock.reading(now)
    assert reading.light_s + reading.dark_s == pytest.approx(20_000 - now)


def test_it_is_right_to_ten_milliseconds_after_an_hour_of_ticks_pauses_and_late_presses() -> None:
    chance = random.Random(7)
    clock = TournamentClock(TimeControl(3600, 12))
    now, used = 0.0, {LIGHT: 0.0, DARK: 0.0}
    clock.start(LIGHT, now)
    side = LIGHT
    while now < 3600:
        spent = chance.uniform(0.5, 40)
        pressed = now
        for _ in range(3):
            played = spent / 3
            pressed += played
            clock.tick(pressed + chance.uniform(0, 0.05))
            clock.pause(pressed)
            pressed += chance.uniform(0, 5)
            clock.resume(pressed)
        clock.tick(pressed + 0.1)
        clock.press(side, pressed)
        used[side] += max(0.0, spent - 12)
        side = DARK if side == LIGHT else LIGHT
        now = pressed
    reading = clock.reading(now)
    assert abs(3600 - reading.light_s - used[LIGHT]) < 0.01
    assert abs(3600 - reading.dark_s - used[DARK]) < 0.01


def test_warning_and_flag_are_told_once_with_their_exact_times() -> None:
    clock = TournamentClock(TimeControl(100, 10, low_s=30))
    clock.start(LIGHT, 0.0)
    assert clock.tick(79.9) == []
    assert clock.tick(81.0) == [ClockEvent(ClockNews.LOW, LIGHT, 80.0)]
    assert clock.tick(109.0) == []
    assert clock.tick(200.0) == [ClockEvent(ClockNews.FLAG, LIGHT, 110.0)]
    assert clock.tick(300.0) == []
    reading = clock.reading(300.0)
    assert (reading.light_s, reading.flag) == (0, LIGHT)


def test_only_the_first_flag_is_the_flag() -> None:
    clock = TournamentClock(TimeControl(10, 0, low_s=0))
    clock.start(LIGHT, 0.0)
    clock.press(LIGHT, 20.0)
    clock.press(DARK, 40.0)
    assert clock.reading(40.0).flag == LIGHT


def test_a_press_in_time_that_is_told_late_takes_the_flag_back() -> None:
    clock = TournamentClock(TimeControl(100, 0, low_s=0))
    clock.start(LIGHT, 0.0)
    assert ClockEvent(ClockNews.FLAG, LIGHT, 100.0) in clock.tick(100.02)
    assert clock.press(LIGHT, 99.99) == [ClockEvent(ClockNews.WITHDRAWN, LIGHT, 99.99)]
    reading = clock.reading(100.02)
    assert reading.flag is None
    assert reading.light_s == pytest.approx(0.01)
    assert reading.running == DARK


def test_only_the_side_to_move_can_press() -> None:
    clock = TournamentClock(SIMPLE)
    assert clock.press(LIGHT, 0.0) == []
    clock.start(LIGHT, 1.0)
    clock.press(DARK, 2.0)
    assert clock.reading(3.0).running == LIGHT
    clock.pause(4.0)
    clock.press(LIGHT, 5.0)
    assert clock.reading(6.0).running is None
    clock.resume(7.0)
    assert clock.reading(8.0).running == LIGHT


def test_a_pause_does_not_renew_the_delay() -> None:
    clock = TournamentClock(SIMPLE)
    clock.start(LIGHT, 0.0)
    clock.pause(9.0)
    clock.resume(1000.0)
    assert clock.reading(1001.0).delay_s == 2


def test_the_director_corrects_a_reserve_and_a_fallen_flag() -> None:
    clock = TournamentClock(TimeControl(10, 0))
    clock.start(LIGHT, 0.0)
    clock.tick(11.0)
    clock.correct(LIGHT, 300, 12.0)
    reading = clock.reading(13.0)
    assert (reading.light_s, reading.flag) == (299, None)
    clock.correct(DARK, 5, 13.0)
    assert clock.reading(13.0).dark_s == 5


def test_resuming_before_the_start_does_nothing() -> None:
    clock = TournamentClock(SIMPLE)
    assert clock.resume(1.0) == []
    assert clock.reading(2.0).running is None


@pytest.mark.parametrize(
    "wrong", [{"reserve_s": 0}, {"reserve_s": 5, "delay_s": -1}, {"reserve_s": 5, "low_s": -1}]
)
def test_times_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ClockError, match="clock"):
        TimeControl(**wrong)  # type: ignore[arg-type]


def test_corrections_that_make_no_sense_are_refused() -> None:
    clock = TournamentClock(SIMPLE)
    with pytest.raises(ClockError, match="-1 s"):
        clock.correct(LIGHT, -1, 0.0)
