"""What systemd is told, through a real socket."""

import os
from pathlib import Path

import pytest

from controller.systemd import ServiceManager
from tests.listening import Clock, Systemd, systemd

__all__ = ["systemd"]


def test_what_is_told_arrives_line_by_line(systemd: Systemd) -> None:
    manager = ServiceManager.from_environment({"NOTIFY_SOCKET": systemd.address})
    manager.ready()
    manager.status("two\nlines")
    manager.stopping()
    assert systemd.listen() == ["READY=1", "STATUS=two lines", "STOPPING=1"]


def test_of_a_long_status_the_beginning_is_told(systemd: Systemd) -> None:
    ServiceManager(systemd.address).status("The table waits for its camera. " * 20)
    (line,) = systemd.listen()
    assert line.startswith("STATUS=The table waits for its camera. The table")
    assert line.endswith("…")
    assert len(line) <= len("STATUS=") + 100


def test_the_watchdog_hears_a_few_times_within_its_time_and_only_while_the_loop_turns(
    systemd: Systemd,
) -> None:
    clock = Clock()
    manager = ServiceManager(systemd.address, watchdog_s=8.0, clock=clock)
    for _ in range(80):
        clock.now += 0.1
        manager.goes_on()
    told = len(systemd.listen())
    assert 4 <= told <= 5
    clock.now += 100.0
    assert len(systemd.listen()) == told


@pytest.mark.parametrize(
    ("environment", "hears"),
    [
        ({"WATCHDOG_USEC": "4000000"}, True),
        ({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": str(os.getpid())}, True),
        ({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"}, False),
        ({"WATCHDOG_USEC": "rubbish"}, False),
        ({"WATCHDOG_USEC": "0"}, False),
        ({}, False),
    ],
)
def test_the_watchdog_is_told_only_where_it_is_meant(
    systemd: Systemd, environment: dict[str, str], hears: bool
) -> None:
    ServiceManager.from_environment({"NOTIFY_SOCKET": systemd.address, **environment}).goes_on()
    assert systemd.listen() == (["WATCHDOG=1"] if hears else [])


def test_without_systemd_and_with_a_socket_that_is_gone_nothing_happens(tmp_path: Path) -> None:
    for address in ("", str(tmp_path / "gone"), "@nobody-listens-here"):
        ServiceManager(address).ready()


def test_a_socket_that_is_full_holds_nobody_up(systemd: Systemd) -> None:
    manager = ServiceManager(systemd.address)
    for number in range(5000):
        manager.status(str(number))
    assert systemd.listen()[0] == "STATUS=0"


def test_what_found_the_socket_full_is_told_when_there_is_room_and_only_the_newest_of_it(
    systemd: Systemd,
) -> None:
    manager = ServiceManager(systemd.address)
    for number in range(5000):
        manager.status(str(number))
    manager.ready()
    told = list(systemd.listen())
    assert "READY=1" not in told
    manager.goes_on()
    assert systemd.listen()[len(told) :] == ["STATUS=4999", "READY=1"]
    manager.goes_on()
    assert len(systemd.listen()) == len(told) + 2
