"""What the table hears of its electronics beside their presses and rolls."""

import threading

import pytest

from controller.app.electronics import Electronics
from controller.app.inbox import Inbox, Item
from controller.devices.link.happenings import (
    Answered,
    BoardEvent,
    ChipRestarted,
    EventMark,
    EventsLost,
    EventsMissing,
    Greeted,
    SettingsKept,
    SettingsRefused,
    What,
)
from controller.devices.link.messages import BoardSettings, HelloOk, Refused, ResetCause
from controller.devices.link.status import LinkCode, LinkStatus
from controller.referee.events import PORT_OPENED, BoardTrouble, BoardTroubled

CHIP = HelloOk(1, 0, (1, 0, 0), 0, 1, 29, 8, 15, 7, 1, 0, 1, 1, 0, 4711)


class Bench:
    """Electronics without wires: a test tells them what the link noticed, at 100 seconds by their clock."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        self.electronics = Electronics(self.inbox, lambda at: at, lambda _: None, lambda: 100.0)

    def came(self) -> BoardTroubled | None:
        item = self.inbox.get(0.0)
        if item is None:
            return None
        assert isinstance(item, Item)
        assert isinstance(item.event, BoardTroubled)
        item.taken.set()
        return item.event

    def delivered(self, what: What, at_s: float) -> BoardTroubled | None:
        """What the table hears of an event of the board, which waits until it is written down."""
        event = BoardEvent(EventMark(7, 1, 1), at_s, 0, what)
        link = threading.Thread(target=self.electronics.deliver, args=(event,))
        link.start()
        item = self.inbox.get(60.0)
        assert isinstance(item, Item)
        assert item.mark == event.mark
        item.taken.set()
        link.join()
        return item.event if isinstance(item.event, BoardTroubled) else None


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_board_that_was_off_before_the_match_has_lost_nothing_of_it(bench: Bench) -> None:
    bench.electronics.notice(Greeted(CHIP, memory_lost=True))
    assert bench.came() is None


def test_a_board_that_was_off_while_its_match_was_interrupted_may_have_lost_something(bench: Bench) -> None:
    bench.electronics.goes_on = True
    bench.electronics.notice(Greeted(CHIP, memory_lost=True))
    assert bench.came() == BoardTroubled(100.0, BoardTrouble.POWER_CUT)


def test_a_power_cut_during_play_is_heard_of_and_a_plugged_cable_is_not(bench: Bench) -> None:
    bench.electronics.notice(Greeted(CHIP, memory_lost=False))
    bench.electronics.notice(Greeted(CHIP, memory_lost=False))
    assert bench.came() is None
    bench.electronics.notice(Greeted(CHIP, memory_lost=True))
    assert bench.came() == BoardTroubled(100.0, BoardTrouble.POWER_CUT)


def test_missing_events_and_refused_requests_are_heard_of_with_their_numbers(bench: Bench) -> None:
    bench.electronics.notice(EventsMissing(3))
    assert bench.came() == BoardTroubled(100.0, BoardTrouble.TAKEN, 3)
    bench.electronics.notice(Refused(4, 2))
    assert bench.came() == BoardTroubled(100.0, BoardTrouble.REQUEST_REFUSED, why="BUZZ: LENGTH")
    bench.electronics.notice(Refused(0x77, 99))
    assert bench.came() == BoardTroubled(100.0, BoardTrouble.REQUEST_REFUSED, why="77: 99")
    assert bench.delivered(EventsLost(5), 99.0) == BoardTroubled(99.0, BoardTrouble.QUEUE_FULL, 5)


def test_refused_settings_darken_the_lights_until_they_are_accepted(bench: Bench) -> None:
    electronics = bench.electronics
    electronics.notice(SettingsRefused(None, None, 1))
    assert (
        electronics.trouble
        == bench.came()
        == BoardTroubled(100.0, BoardTrouble.SETTINGS_REFUSED, why="SETTINGS: TYPE")
    )
    electronics.notice(Answered(BoardSettings()))
    assert electronics.trouble is not None, "to be read is not to be accepted"
    electronics.notice(SettingsKept())
    assert electronics.trouble is None


def test_whoever_hears_that_settings_were_refused_finds_the_lights_dark_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []

    def look(_: BoardTroubled) -> None:
        (lights,) = bench.electronics.shown() or [None]
        found.append(lights is not None and not lights.ready)

    monkeypatch.setattr(bench.inbox, "put", look)
    bench.electronics.notice(SettingsRefused(None, None, 1))
    assert found == [True]


@pytest.mark.parametrize(
    ("cause", "after_opening", "why"),
    [
        (ResetCause.RESET_LINE, 1.0, PORT_OPENED),
        (ResetCause.UNKNOWN, 1.0, PORT_OPENED),
        (ResetCause.BROWN_OUT, 1.0, "brown_out"),
        (ResetCause.RESET_LINE, 60.0, "reset_line"),
        (ResetCause.WATCHDOG, 60.0, "watchdog"),
        (17, 60.0, "17"),
    ],
)
def test_restarts_are_told_apart_by_cause_and_by_whether_the_port_was_just_opened(
    bench: Bench, cause: ResetCause | int, after_opening: float, why: str
) -> None:
    bench.electronics.link_changed(LinkStatus(LinkCode.GREETING, "/dev/board"))
    heard = bench.delivered(ChipRestarted(cause, 1), 100.0 + after_opening)
    assert heard == BoardTroubled(100.0 + after_opening, BoardTrouble.RESTART, why=why)
