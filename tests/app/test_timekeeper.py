"""The clock of a live table."""

from controller.app.timekeeper import Timekeeper
from controller.record.journal.journal import Journal
from controller.record.match.history import CLOCK
from controller.record.table.match_folder import NAME
from controller.referee.events import FlagFell
from controller.rules.game.clock import Delay, TimeControl
from controller.rules.position import Side
from controller.speech.announcement import TimeLeft
from tests.app.opened import book_in

CONTROL = TimeControl(reserve_s=100.0, delay_s=10.0, low_s=30.0)


def test_the_clock_runs_for_whom_the_referee_says() -> None:
    keeper = Timekeeper(CONTROL)
    keeper.run(Side.LIGHT, 0.0)
    keeper.run(Side.DARK, 40.0)
    keeper.run(Side.LIGHT, 45.0)
    shown = keeper.reading(45.0)
    assert (shown.light_s, shown.dark_s, shown.running) == (70.0, 100.0, "light")


def test_a_pause_gives_no_new_delay() -> None:
    keeper = Timekeeper(CONTROL)
    keeper.run(Side.LIGHT, 0.0)
    keeper.run(None, 8.0)
    keeper.run(Side.LIGHT, 500.0)
    assert keeper.reading(507.0).light_s == 95.0


def test_a_new_game_begins_with_a_new_delay() -> None:
    keeper = Timekeeper(CONTROL)
    keeper.run(Side.LIGHT, 0.0)
    keeper.run(None, 8.0)
    keeper.game_over()
    keeper.run(Side.LIGHT, 500.0)
    assert keeper.reading(510.0).light_s == 100.0


def test_a_low_reserve_is_told_and_a_flag_falls_once_when_it_is_due() -> None:
    low: list[Side] = []
    keeper = Timekeeper(CONTROL, low.append)
    keeper.run(Side.DARK, 0.0)
    assert keeper.tick(85.0) == []
    assert low == [Side.DARK]
    assert keeper.tick(200.0) == [FlagFell(110.0, Side.DARK)]
    assert keeper.tick(201.0) == []


def test_what_is_left_outlives_the_program(journal: Journal) -> None:
    book = book_in(journal)
    keeper = Timekeeper(CONTROL)
    keeper.run(Side.LIGHT, 0.0)
    keeper.run(Side.DARK, 60.0)
    book.log.append(book.log.draft(CLOCK, keeper.record(60.0), 60.0))
    again = Timekeeper(CONTROL)
    again.restore(book.log.journal, NAME, 0.0)
    assert (again.reading(0.0).light_s, again.reading(0.0).dark_s) == (50.0, 100.0)


def test_a_minute_and_ten_seconds_left_are_told_once_for_each_side() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(CONTROL, left=told.append)
    keeper.run(Side.DARK, 0.0)
    for t in (10.0, 49.0, 50.5, 51.0, 99.0, 101.0, 102.0):
        keeper.tick(t)
    assert told == [TimeLeft(Side.DARK, 60), TimeLeft(Side.DARK, 10)]


def test_a_mark_is_told_in_the_moment_in_which_the_reserve_comes_down_to_it() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(CONTROL, left=told.append)
    keeper.run(Side.LIGHT, 0.0)
    keeper.tick(49.9)
    assert not told
    keeper.tick(50.0)
    assert told == [TimeLeft(Side.LIGHT, 60)]


def test_time_that_a_busy_machine_slept_through_is_told_by_the_last_mark_alone() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(CONTROL, left=told.append)
    keeper.run(Side.LIGHT, 0.0)
    keeper.tick(105.0)
    assert told == [TimeLeft(Side.LIGHT, 10)]


def test_a_reserve_that_is_used_up_is_told_by_no_mark() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(CONTROL, left=told.append)
    keeper.run(Side.LIGHT, 0.0)
    keeper.tick(500.0)
    assert not told


def test_a_reserve_that_the_director_filled_up_is_told_again() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(CONTROL, left=told.append)
    keeper.run(Side.LIGHT, 0.0)
    keeper.tick(60.0)
    keeper.correct(Side.LIGHT, 100.0, 60.0)
    keeper.tick(61.0)
    keeper.tick(120.0)
    assert told == [TimeLeft(Side.LIGHT, 60), TimeLeft(Side.LIGHT, 60)]


def test_a_delay_that_is_shown_in_the_reserve_tells_a_mark_at_one_move_only() -> None:
    told: list[TimeLeft] = []
    keeper = Timekeeper(TimeControl(65.0, 10.0, Delay.BRONSTEIN, 30.0), left=told.append)
    t = 0.0
    for move in range(3):
        keeper.run(Side.LIGHT, t)
        keeper.tick(t + 1)
        keeper.tick(t + 17)
        keeper.run(Side.DARK, t + 17)
        keeper.tick(t + 18)
        t += 20 + move
    assert [each for each in told if each.side is Side.LIGHT] == [TimeLeft(Side.LIGHT, 60)]
