"""The link against the real firmware in real time, and against everything else that may be plugged in."""

import fcntl
import os
import stat
import struct
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.devices.link import transport
from controller.devices.link.framing import frame
from controller.devices.link.happenings import Answered, BoardEvent, Button, ButtonChanged, ChipRestarted
from controller.devices.link.link import Link
from controller.devices.link.messages import LampPicture, LightsOk, Style
from controller.devices.link.status import LinkState, LinkStatus
from controller.devices.link.transport import candidates, free_ports, likely_ports, open_transport
from controller.messages.device_words import reason_of, remedy_of
from tests.devices.dice_unit import DiceUnit
from tests.devices.other_program import other_program
from tests.firmware.board import Board, patient

__all__ = ["patient"]

SESSION = 4711
GREEN = LampPicture((Style(0, 200, 0),), ((1, 0),))


class Listener:
    """What a link told, and a link to tell it."""

    def __init__(self, port: str, **options: object) -> None:
        self.events: list[BoardEvent] = []
        self.statuses: list[LinkStatus] = []
        self.happenings: list[object] = []
        self.link = Link(
            port,
            host_session=SESSION,
            deliver=self.deliver,
            tell=self.statuses.append,
            notice=self.happenings.append,
            **options,  # type: ignore[arg-type]
        )
        self.trouble: Exception | None = None

    def deliver(self, event: BoardEvent) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.events.append(event)

    def codes(self) -> list[str]:
        return [status.code for status in self.statuses]

    def whats(self) -> list[object]:
        return [event.what for event in self.events]


def until(condition: Callable[[], bool]) -> float:
    """Wait for it, however slow the machine is; returns the seconds it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < 60, "it did not come to that"
        time.sleep(0.002)
    return time.monotonic() - began


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with Board(tmp_path) as board:
        yield board


def pressed(listener: Listener, button: Button) -> int:
    return listener.whats().count(ButtonChanged(button, True))


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("loader", ["old", "optiboot"])
def test_a_board_that_goes_through_its_boot_loader_when_its_port_is_opened_is_greeted(
    tmp_path: Path, loader: str
) -> None:
    with Board(tmp_path, loader) as board:
        listener = Listener(board.port)
        with listener.link:
            until(lambda: listener.link.status.state == LinkState.READY)
        assert listener.codes() == ["greeting", "ready", "closed"]


@pytest.mark.usefixtures("patient")
def test_presses_arrive_and_pictures_are_shown(board: Board) -> None:
    listener = Listener(board.port)
    with listener.link as link:
        until(lambda: link.status.state == LinkState.READY)
        link.show(GREEN)
        until(lambda: board.do("leds").startswith("c80000"))
        board.press(Button.TAKE)
        until(lambda: len(listener.events) >= 2)
    assert listener.whats()[:2] == [ButtonChanged(Button.TAKE, True), ButtonChanged(Button.TAKE, False)]
    assert listener.codes() == ["greeting", "ready", "closed"]
    assert any(isinstance(h, Answered) and isinstance(h.answer, LightsOk) for h in listener.happenings)
    assert board.do("state").split()[2:] == ["0", "0"]


@pytest.mark.usefixtures("patient")
def test_a_pulled_cable_is_noticed_and_everything_goes_on_when_it_is_back(board: Board) -> None:
    listener = Listener(board.port)
    with listener.link as link:
        link.show(GREEN)
        until(lambda: link.status.state == LinkState.READY)
        for round_ in range(1, 4):
            board.do("unplug")
            until(lambda: link.status.code in ("lost", "absent"))
            board.press(Button.DONE)
            board.do("replug")
            until(lambda: link.status.state == LinkState.READY)
            until(lambda n=round_: pressed(listener, Button.DONE) == n)  # type: ignore[misc]
        until(lambda: board.do("leds").startswith("c80000"))
    assert listener.codes().count("lost") == 3
    assert len({event.mark for event in listener.events}) == len(listener.events)


@pytest.mark.usefixtures("patient")
def test_a_board_that_comes_back_under_another_number_is_found(board: Board, tmp_path: Path) -> None:
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    link, numbered = by_id / "usb-Board-if00", tmp_path / "ttyUSB0"
    link.symlink_to(board.port)
    numbered.symlink_to(board.port)
    listener = Listener(str(numbered), by_id=by_id)
    with listener.link as held:
        until(lambda: held.status.state == LinkState.READY)
        numbered.unlink()
        board.do("unplug")
        until(lambda: held.status.code in ("lost", "absent"))
        board.do("replug")
        until(lambda: held.status.state == LinkState.READY)


def test_a_board_that_dies_and_comes_back_is_found_again(board: Board) -> None:
    listener = Listener(board.port)
    with listener.link as link:
        until(lambda: link.status.state == LinkState.READY)
        board.kill()
        until(lambda: link.status.code == "absent")
        board.start()
        until(lambda: link.status.state == LinkState.READY)
        board.press(Button.DROP)
        until(lambda: pressed(listener, Button.DROP) == 1)


def test_a_reset_of_the_chip_is_told_and_the_picture_comes_back(board: Board) -> None:
    listener = Listener(board.port)
    with listener.link as link:
        link.show(GREEN)
        until(lambda: board.do("leds").startswith("c80000"))
        board.do("reset")
        until(lambda: any(isinstance(what, ChipRestarted) for what in listener.whats()))
        until(lambda: board.do("leds").startswith("c80000"))


@pytest.mark.usefixtures("patient")
def test_events_wait_until_the_journal_takes_them(board: Board) -> None:
    listener = Listener(board.port)
    with listener.link as link:
        until(lambda: link.status.state == LinkState.READY)
        listener.trouble = OSError("the disk is full")
        board.press(Button.TAKE)
        until(lambda: link.status.code == "journal")
        assert "the disk is full" in reason_of(link.status)
        time.sleep(0.3)
        assert link.status.code == "journal"
        listener.trouble = None
        until(lambda: link.status.state == LinkState.READY)
        until(lambda: len(listener.events) == 2)
    assert listener.whats() == [ButtonChanged(Button.TAKE, True), ButtonChanged(Button.TAKE, False)]


def test_the_next_program_goes_on_behind_the_journal_of_this_one(board: Board) -> None:
    first = Listener(board.port)
    with first.link as link:
        until(lambda: link.status.state == LinkState.READY)
        board.press(Button.TAKE)
        until(lambda: len(first.events) == 2)
    board.press(Button.DROP)
    second = Listener(board.port, last=first.events[-1].mark)
    with second.link:
        until(lambda: len(second.events) == 2)
    assert second.whats() == [ButtonChanged(Button.DROP, True), ButtonChanged(Button.DROP, False)]


def test_a_port_that_is_taken_is_waited_for(board: Board) -> None:
    first, second = Listener(board.port), Listener(board.port)
    with first.link as holder:
        until(lambda: holder.status.state == LinkState.READY)
        second.link.start()
        until(lambda: second.link.status.code == "taken")
        assert board.port in reason_of(second.link.status)
        assert "fuser" in remedy_of(second.link.status)
    until(lambda: second.link.status.state == LinkState.READY)
    second.link.close()


def test_automatic_search_passes_over_ports_that_do_not_answer(board: Board, tmp_path: Path) -> None:
    listener = Listener("auto", find_ports=lambda: [str(tmp_path / "none"), board.port])
    with listener.link as link:
        until(lambda: link.status.state == LinkState.READY)
        assert link.status.port == board.port
        board.do("reset")
        until(lambda: link.status.state == LinkState.READY)


def test_nothing_plugged_in_is_said_once() -> None:
    listener = Listener("auto", find_ports=lambda: [])
    with listener.link as link:
        until(lambda: link.status.code == "no_port")
        time.sleep(0.8)
    assert listener.codes() == ["no_port", "closed"]


def test_a_port_that_does_not_exist_is_said_once_with_the_remedy(tmp_path: Path) -> None:
    listener = Listener(str(tmp_path / "ttyUSB7"))
    with listener.link as link:
        until(lambda: link.status.code == "absent")
        time.sleep(0.8)
    assert listener.codes() == ["absent", "closed"]
    assert "/dev/serial/by-id" in remedy_of(listener.statuses[0])


def test_a_file_that_is_no_port_is_refused_in_words(tmp_path: Path) -> None:
    plain = tmp_path / "notes.txt"
    plain.write_text("no port")
    listener = Listener(str(plain))
    with listener.link as link:
        until(lambda: link.status.code == "open_failed")
        assert str(plain) in reason_of(link.status)


class Terminal:
    """The far end of a pseudo terminal, played by a test."""

    def __init__(self) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self.master)
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        os.set_blocking(self.master, False)

    def say(self, data: bytes) -> None:
        os.write(self.master, data)

    def close(self) -> None:
        for descriptor in (self.master, self._slave):
            os.close(descriptor)


@contextmanager
def far_end() -> Iterator[Terminal]:
    terminal = Terminal()
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with far_end() as terminal:
        yield terminal


def test_a_device_that_never_answers_is_told_from_a_board(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.link.link.GREETING_S", 0.3)
    listener = Listener(terminal.port)
    with listener.link as link:
        until(lambda: link.status.code == "silent")
        assert "pointsman board flash --port " in remedy_of(link.status)
        time.sleep(0.8)
    assert listener.codes() == ["greeting", "silent", "closed"]


def test_a_printer_or_modem_is_told_from_a_board(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.devices.link.link.GREETING_S", 0.3)
    listener = Listener(terminal.port)
    with listener.link as link:
        until(lambda: link.status.code == "greeting")
        terminal.say(b"NO CARRIER\r\n" * 20)
        until(lambda: link.status.code == "other_device")
        assert "not a Pointsman board" in reason_of(link.status)


def test_a_board_of_another_version_is_named_with_both_versions_and_the_command(terminal: Terminal) -> None:
    listener = Listener(terminal.port)
    with listener.link as link:
        until(lambda: link.status.code == "greeting")
        terminal.say(frame(bytes([0x81, 2, 4]) + bytes(20)))
        until(lambda: link.status.code == "version")
        assert "2.4" in reason_of(link.status)
        assert "1.2" in reason_of(link.status)
        assert f"pointsman board flash --port {terminal.port}" in remedy_of(link.status)


def test_a_board_that_falls_silent_in_the_middle_of_a_frame_is_lost_and_greeted_again(
    terminal: Terminal,
) -> None:
    hello_ok = struct.pack(
        ">BBB3BIBBBHIIBHHHI", 0x81, 1, 0, 1, 0, 0, 5, 1, 29, 8, 15, 42, 7, 1, 1, 1, 0, SESSION
    )
    listener = Listener(terminal.port)
    with listener.link as link:
        until(lambda: link.status.code == "greeting")
        terminal.say(frame(hello_ok) + frame(bytes([0x82]) + bytes(14))[:6])
        until(lambda: link.status.code == "lost")
        assert "silent" in link.status.arguments["error"]
        until(lambda: link.status.code == "greeting")
        terminal.say(frame(hello_ok))
        until(lambda: "ready" in listener.codes()[-2:])


def test_a_flood_does_not_keep_the_link_from_closing(terminal: Terminal) -> None:
    listener = Listener(terminal.port)
    ending = threading.Event()

    def flood() -> None:
        while not ending.is_set():
            try:
                os.write(terminal.master, b"\x55\x00" * 500)
            except BlockingIOError:
                time.sleep(0.001)

    flooder = threading.Thread(target=flood)
    flooder.start()
    try:
        with listener.link as link:
            until(lambda: link.status.code == "other_device")
        assert link.status.state == LinkState.CLOSED
    finally:
        ending.set()
        flooder.join()


def test_closing_a_link_that_was_never_started_or_twice_does_nothing(tmp_path: Path) -> None:
    listener = Listener(str(tmp_path / "none"))
    listener.link.close()
    started = Listener(str(tmp_path / "none"))
    started.link.start()
    started.link.close()
    started.link.close()
    assert started.link.status.state == LinkState.CLOSED


def test_a_port_that_may_not_be_opened_says_which_group_is_missing() -> None:
    def forbidden(_: str) -> transport.Transport:
        raise PermissionError(13, "Permission denied")

    listener = Listener("/dev/ttyUSB0", open_port=forbidden)
    with listener.link as link:
        until(lambda: link.status.code == "denied")
        assert "dialout" in remedy_of(link.status)


def test_a_socket_carries_the_same_bytes(board: Board, tmp_path: Path) -> None:
    """What a network bridge to a board would be: a Unix socket in front of the pseudo terminal."""
    import socket

    path = tmp_path / "bridge"
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    listening.listen()
    ending = threading.Event()

    def bridge() -> None:
        near, _ = listening.accept()
        near.settimeout(0.005)
        far = open_transport(board.port)
        while not ending.is_set():
            near.sendall(far.read(0.005))
            try:
                far.write(near.recv(4096))
            except TimeoutError:
                continue
        far.close()
        near.close()

    thread = threading.Thread(target=bridge)
    thread.start()
    listener = Listener(f"unix:{path}")
    try:
        with listener.link as link:
            until(lambda: link.status.state == LinkState.READY)
            board.press(Button.PAUSE)
            until(lambda: pressed(listener, Button.PAUSE) == 1)
            ending.set()
            thread.join()
            until(lambda: link.status.code in ("lost", "absent", "silent"))
    finally:
        ending.set()
        listening.close()


@pytest.mark.parametrize(("dtr", "request_"), [(True, termios.TIOCMBIS), (False, termios.TIOCMBIC)])
def test_the_line_dtr_of_a_port_is_raised_or_lowered_as_asked(
    monkeypatch: pytest.MonkeyPatch, dtr: bool, request_: int
) -> None:
    """A pseudo terminal has no such line, so it is looked at what the system is asked for."""
    asked: list[tuple[int, bytes]] = []
    real = fcntl.ioctl

    def ioctl(descriptor: int, request: int, argument: bytes = b"", *more: object) -> object:
        if request in (termios.TIOCMBIS, termios.TIOCMBIC):
            asked.append((request, argument))
            return argument
        return real(descriptor, request, argument, *more)

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    with DiceUnit() as unit:
        open_transport(unit.port, 9600, dtr=dtr).close()
    line = struct.pack("I", termios.TIOCM_DTR)
    assert [request for request, argument in asked if argument == line] == [request_]


def test_the_port_of_the_board_is_opened_at_its_own_rate() -> None:
    with DiceUnit() as unit:
        line = open_transport(unit.port)
        assert unit.port_rate == 250_000
        line.close()


def test_addresses_that_lead_nowhere_are_refused(tmp_path: Path) -> None:
    for address in (f"unix:{tmp_path / 'none'}", "socket://", "socket://127.0.0.1:x"):
        with pytest.raises(OSError, match=r"."):
            open_transport(address)


def test_likely_ports_come_first_and_each_port_once(tmp_path: Path) -> None:
    by_id, by_path, devices = tmp_path / "by-id", tmp_path / "by-path", tmp_path / "dev"
    for folder in (by_id, by_path, devices):
        folder.mkdir()
    for name in ("ttyUSB0", "ttyUSB1", "ttyACM0"):
        (devices / name).touch()
    (by_id / "usb-Acme_Printer-if00").symlink_to(devices / "ttyUSB0")
    (by_id / "usb-1a86_USB_Serial-if00-port0").symlink_to(devices / "ttyUSB1")
    (by_path / "pci-0-usb-1").symlink_to(devices / "ttyUSB1")
    (by_path / "pci-0-usb-2").symlink_to(devices / "ttyACM0")
    names = [Path(port).name for port in candidates(by_id, by_path)]
    assert names == ["usb-1a86_USB_Serial-if00-port0", "usb-Acme_Printer-if00", "pci-0-usb-2"]
    assert candidates(tmp_path / "no", tmp_path / "where") == ()


def test_automatic_search_opens_only_what_looks_like_a_board_by_its_name_or_its_usb_chip(
    tmp_path: Path,
) -> None:
    by_id, by_path, devices, terminals = (tmp_path / name for name in ("by-id", "by-path", "dev", "tty"))
    for folder in (by_id, by_path, devices, terminals):
        folder.mkdir()
    for number, vendor in enumerate(("0000", "1a86", "2341", "dead")):
        (devices / f"ttyUSB{number}").touch()
        usb = tmp_path / f"usb{number}"
        (usb / "interface").mkdir(parents=True)
        (usb / "idVendor").write_text(f"{vendor}\n")
        (terminals / f"ttyUSB{number}").mkdir()
        (terminals / f"ttyUSB{number}" / "device").symlink_to(usb / "interface")
    (by_id / "usb-Acme_Scale-if00").symlink_to(devices / "ttyUSB0")
    (by_id / "usb-Arduino_Nano-if00").symlink_to(devices / "ttyUSB2")
    (by_path / "socket-1").symlink_to(devices / "ttyUSB1")
    (by_path / "socket-2").symlink_to(devices / "ttyUSB3")
    names = [Path(port).name for port in likely_ports(by_id, by_path, terminals)]
    assert names == ["usb-Arduino_Nano-if00", "socket-1"]


def test_automatic_search_leaves_a_port_alone_that_another_program_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = tmp_path / "usb-1a86_USB_Serial-if00-port0"
    printer.touch()
    monkeypatch.setattr(transport, "likely_ports", lambda: (str(printer),))
    assert free_ports() == (str(printer),)
    with other_program(printer):
        assert free_ports() == ()
    assert free_ports() == (str(printer),)


def test_the_simulated_port_is_a_character_device(board: Board) -> None:
    assert stat.S_ISCHR(Path(board.port).stat().st_mode)
