"""The clock of a live table."""

from controller.app.timekeeper import Timekeeper
from controller.record.journal.journal import Journal
from controller.record.match.history import CLOCK
from controller.record.table.match_folder import NAME
from controller.referee.events import FlagFell
from controller.rules.game.clock import TimeControl
from controller.rules.position import Side
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
