"""What systemd hears of a table, through a real socket."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.app.room import Room
from controller.app.service import READY_S, RoomService, ServiceManager
from controller.config import Config
from tests.cli.test_run import ENV, table

__all__ = ["table"]


class Systemd:
    """The other end of the socket."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)
        self.heard: list[str] = []

    def close(self) -> None:
        self.socket.close()

    def listen(self) -> list[str]:
        """All that has come so far."""
        self.socket.setblocking(False)
        while True:
            try:
                self.heard.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return self.heard

    def wait_for(self, line: str) -> None:
        """Until it was told that; the test runner's patience is the limit."""
        while not any(heard.startswith(line) for heard in self.listen()):
            time.sleep(0.05)


@pytest.fixture(params=["a path", "an abstract name"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    address = f"@pointsman-{os.getpid()}" if request.param == "an abstract name" else str(tmp_path / "notify")
    with closing(Systemd(address)) as there:
        yield there


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_what_is_told_arrives_line_by_line(systemd: Systemd) -> None:
    manager = ServiceManager.of({"NOTIFY_SOCKET": systemd.address})
    manager.ready()
    manager.status("two\nlines")
    manager.stopping()
    assert systemd.listen() == ["READY=1", "STATUS=two lines", "STOPPING=1"]


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
    ("surroundings", "hears"),
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
    systemd: Systemd, surroundings: dict[str, str], hears: bool
) -> None:
    ServiceManager.of({"NOTIFY_SOCKET": systemd.address, **surroundings}).goes_on()
    assert systemd.listen() == (["WATCHDOG=1"] if hears else [])


def test_without_systemd_and_with_a_socket_that_is_gone_nothing_happens(tmp_path: Path) -> None:
    for address in ("", str(tmp_path / "gone"), "@nobody-listens-here"):
        ServiceManager(address).ready()


def test_a_socket_that_is_full_holds_nobody_up(systemd: Systemd) -> None:
    manager = ServiceManager(systemd.address)
    for number in range(5000):
        manager.status(str(number))
    assert systemd.listen()[0] == "STATUS=0"


@pytest.mark.parametrize("systemd", ["a path"], indirect=True)
def test_a_camera_that_says_nothing_is_not_waited_for_for_ever(systemd: Systemd) -> None:
    clock = Clock()
    service = RoomService(Room(Config(), None, str, clock=clock), ServiceManager(systemd.address))
    service.turned()
    assert systemd.listen() == ["STATUS=No camera delivers pictures yet."]
    clock.now += READY_S
    service.turned()
    assert systemd.listen()[1:] == ["READY=1"]


def test_what_was_put_off_begins_once_and_without_systemd_too() -> None:
    clock, begun = Clock(), list[float]()
    room = Room(Config(), None, str, clock=clock)
    service = RoomService(room, ServiceManager(), lambda: begun.append(clock.now))
    for _ in range(3):
        service.turned()
        clock.now += READY_S
    assert begun == [100.0 + READY_S]


@pytest.mark.parametrize("systemd", ["a path"], indirect=True)
def test_a_table_is_ready_goes_on_and_stops(table: Path, systemd: Systemd) -> None:
    surroundings = {**ENV, "NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "2000000"}
    running = subprocess.Popen(
        [sys.executable, "-m", "controller", "run", "--config", str(table)],
        cwd=table.parent,
        env=surroundings,
        stdout=subprocess.DEVNULL,
    )
    systemd.wait_for("READY=1")
    systemd.wait_for("STATUS=A match is on.")
    systemd.wait_for("WATCHDOG=1")
    os.kill(running.pid, signal.SIGTERM)
    assert running.wait() == 0
    assert systemd.listen()[-1] == "STOPPING=1"
