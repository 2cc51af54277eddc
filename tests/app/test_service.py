"""What systemd hears of a table, through a real socket."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from controller.app.room import Room
from controller.app.service import READY_S, RoomService
from controller.config import Config
from controller.config.sections import TableSection
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.systemd import ServiceManager
from controller.web.table_service import DeviceShown, RoomState, RoomView
from tests.cli.test_run import ENV, table
from tests.listening import Clock, Systemd, systemd

__all__ = ["systemd", "table"]


@pytest.mark.parametrize("systemd", ["a path"], indirect=True)
def test_a_camera_that_says_nothing_is_not_waited_for_for_ever(systemd: Systemd) -> None:
    clock = Clock()
    service = RoomService(Room(Config(), None, str, clock=clock), ServiceManager(systemd.address))
    service.turned()
    assert systemd.listen() == ["STATUS=No camera delivers pictures yet."]
    clock.now += READY_S
    service.turned()
    assert systemd.listen()[1:] == ["READY=1"]


class Unready(Room):
    """A room whose devices all fail, each for a reason of many words."""

    def view(self) -> RoomView:
        words = partial(str.__add__, "What is the matter with it and what to do about that, in many words: ")
        names = ("camera", "board", "dice", "lights", "journal", "club")
        devices = tuple(DeviceShown(name, False, words) for name in names)
        return RoomView(RoomState.PLAYING, devices=devices)


@pytest.mark.parametrize("systemd", ["a path"], indirect=True)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_status_of_a_service_says_in_its_first_words_what_is_on_and_what_fails(
    systemd: Systemd, language: str
) -> None:
    config = Config(table=TableSection(languages=(language,)))
    service = RoomService(Unready(config, None, str, clock=Clock()), ServiceManager(systemd.address))
    service.turned()
    (status,) = (line.removeprefix("STATUS=") for line in systemd.listen() if line.startswith("STATUS="))
    texts = catalogue(language)
    assert texts.text("live", "room", "playing") in status[:60]
    assert texts.text("live", "device", "camera") in status[:60]
    assert len(status) <= 100


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
    environment = {**ENV, "NOTIFY_SOCKET": systemd.address, "WATCHDOG_USEC": "2000000"}
    running = subprocess.Popen(
        [sys.executable, "-m", "controller", "run", "--config", str(table)],
        cwd=table.parent,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    systemd.wait_for("READY=1")
    systemd.wait_for("STATUS=A match is on.")
    systemd.wait_for("WATCHDOG=1")
    os.kill(running.pid, signal.SIGTERM)
    assert running.wait() == 0
    assert systemd.listen()[-1] == "STOPPING=1"
