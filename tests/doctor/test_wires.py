"""The self-test of whatever hangs on wires, with the real firmware in the simulator."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.config.config import Config, parse_config
from controller.devices.lights.spi_clock import CoreClock
from controller.devices.lights.wled import FoundWled
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged
from controller.devices.link.link import Link
from controller.devices.link.status import LinkState
from controller.doctor import wires
from controller.doctor.finding import Finding, State
from tests.devices.dice_unit import DiceUnit
from tests.devices.other_program import other_program
from tests.devices.simulated_wled import SimulatedWled
from tests.firmware.board import Board


def configured(text: str) -> Config:
    return parse_config(text, "table.toml", Path())


def at(port: str, more: str = "") -> Config:
    return configured(f"[board]\nport = '{port}'\n{more}")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    with Board(tmp_path) as board:
        yield board


def only(findings: Iterator[Finding]) -> Finding:
    (finding,) = findings
    return finding


def test_a_board_that_answers_is_told_with_its_firmware(board: Board) -> None:
    found = list(wires.electronics(at(board.port), patience_s=60.0))
    assert found[0].state is State.OK
    assert "firmware 1." in found[0].measured
    assert board.port in found[0].measured
    assert [each.state for each in found[1:] if each.state is State.FAIL] == []


def test_what_the_chip_keeps_is_told_against_the_configuration(board: Board) -> None:
    def found(more: str) -> Finding:
        return list(wires.electronics(at(board.port, more), patience_s=60.0))[-1]

    assert found("").state is State.OK
    assert "limit_ma 500" in found("").measured
    other = found("[lights]\nlimit_ma = 100")
    assert other.state is State.WARN
    assert other.measured.endswith("configured: limit_ma = 100")
    assert "pointsman board settings" in other.remedy
    assert found("[lights]\nlimit_ma = 500").state is State.OK
    assert found("[lights]\nsource = 'none'\nlimit_ma = 100").state is State.OK


def test_auto_finds_the_board(board: Board) -> None:
    found = list(wires.electronics(at("auto"), find_ports=lambda: (board.port,), patience_s=60.0))
    assert found[0].state is State.OK


def test_the_self_test_takes_no_event_from_the_board(board: Board) -> None:
    list(wires.electronics(at(board.port), patience_s=60.0))
    board.press(int(Button.PAUSE))
    assert next(wires.electronics(at(board.port), patience_s=60.0)).state is State.OK
    came: list[BoardEvent] = []
    with Link(board.port, host_session=77, deliver=came.append) as link:
        began = time.monotonic()
        while not any(event.what == ButtonChanged(Button.PAUSE, True) for event in came):
            assert time.monotonic() - began < 60, f"the press is lost: {came}, {link.status}"
            time.sleep(0.005)
        assert link.status.state is LinkState.READY


def test_a_board_that_a_match_is_using_is_not_touched(tmp_path: Path) -> None:
    device = tmp_path / "usb-board"
    device.touch()
    with other_program(device) as process:
        found = only(wires.electronics(at(str(device))))
        unit = wires.dice_unit(configured(f"[dice]\nsource = 'text'\nport = '{device}'"))
    assert found.state is State.WARN
    assert f"process {process}" in found.measured
    assert unit.state is State.WARN
    assert device.read_bytes() == b""


@pytest.mark.parametrize(
    ("config", "state"),
    [
        (at("none"), State.ABSENT),
        (at("auto"), State.ABSENT),
        (at("auto", "[dice]\nsource = 'board'"), State.FAIL),
        (at("/dev/serial/by-id/usb-none"), State.FAIL),
    ],
)
def test_a_board_that_is_away_fails_only_if_it_is_needed(config: Config, state: State) -> None:
    found = only(wires.electronics(config, find_ports=lambda: (), patience_s=1.0))
    assert found.state is state
    assert found.remedy or state is State.ABSENT


def test_pins_are_asked_for_only_where_they_are_used() -> None:
    assert wires.pins(configured(""), None, has_lgpio=False).state is State.ABSENT
    found = wires.pins(configured("[buttons]\nroll = 5"), None, has_lgpio=False)
    assert found.state is State.FAIL
    assert "not a Raspberry Pi" in found.measured
    assert found.remedy.startswith("Connect them")


def test_a_pin_library_that_is_missing_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    found = wires.pins(configured("[buttons]\nroll = 5"), "Raspberry Pi 5 Model B", has_lgpio=False)
    assert found.state is State.FAIL
    assert "lgpio" in found.remedy


def test_a_strip_and_a_dice_unit_are_looked_for_only_where_they_are_wired(tmp_path: Path) -> None:
    assert wires.strip(configured("")).state is State.ABSENT
    assert wires.dice_unit(configured("")).state is State.ABSENT
    gone = tmp_path / "gone"
    assert wires.strip(configured(f"[lights]\nsource = 'strip'\ndevice = '{gone}'")).state is State.FAIL
    assert wires.dice_unit(configured(f"[dice]\nsource = 'text'\nport = '{gone}'")).state is State.FAIL
    gone.touch()
    assert wires.strip(configured(f"[lights]\nsource = 'strip'\ndevice = '{gone}'")).state is State.OK
    # A file that is no port, and an address where nobody listens: only who has opened something may call it good.
    for port in (gone, "socket://127.0.0.1:9"):
        unit = wires.dice_unit(configured(f"[dice]\nsource = 'text'\nport = '{port}'"))
        assert (unit.state, bool(unit.remedy)) == (State.FAIL, True)


def unit_at(unit: DiceUnit, more: str = "") -> Config:
    return configured(f"[dice]\nsource = 'text'\nport = '{unit.port}'\n{more}")


@contextmanager
def chatter(unit: DiceUnit, *lines: str) -> Iterator[None]:
    """The unit says these lines over and over."""
    stop = threading.Event()

    def talk() -> None:
        while not stop.wait(0.05):
            for line in lines:
                unit.say(line)

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        yield
    finally:
        stop.set()
        talker.join()


def test_a_dice_unit_that_says_nothing_is_reached_and_what_it_was_not_asked_is_not_claimed() -> None:
    with DiceUnit() as unit:
        found = wires.dice_unit(unit_at(unit), heard_s=0.2)
    assert found.state is State.OK
    assert "9600" in found.measured
    assert "no roll was tried" in found.measured


def test_a_roll_that_a_dice_unit_tells_is_told() -> None:
    with DiceUnit() as unit, chatter(unit, "ROLL 5 2"):
        found = wires.dice_unit(unit_at(unit), heard_s=60.0)
    assert (found.state, found.measured.endswith("told 5-2")) == (State.OK, True)


@pytest.mark.parametrize("sends", [115_200, 19_200, 4800, 1200])
def test_rubbish_from_a_dice_unit_is_never_ok(sends: int) -> None:
    with DiceUnit(sends) as unit, chatter(unit, "ROLL 5 2", "ROLL 3 1", "ROLL 6 6"):
        found = wires.dice_unit(unit_at(unit), heard_s=60.0)
    assert found.state is State.FAIL
    assert "9600 bits a second" in found.measured
    assert "dice.baud" in found.remedy


def test_random_bytes_from_a_dice_unit_are_never_ok() -> None:
    with DiceUnit() as unit, chatter(unit, "\x07\x1b~%\x0e\x02"):
        assert wires.dice_unit(unit_at(unit), heard_s=60.0).state is State.FAIL


def test_lines_of_a_dice_unit_that_fit_no_pattern_are_told_with_the_line() -> None:
    with DiceUnit() as unit, chatter(unit, "threw three and one"):
        found = wires.dice_unit(unit_at(unit), heard_s=60.0)
    assert found.state is State.WARN
    assert "threw three and one" in found.measured
    assert "dice.pattern" in found.remedy


def test_an_spi_clock_that_can_fall_is_told_with_the_line_that_stops_it() -> None:
    at_spi = configured("[lights]\nsource = 'strip'")
    falls = CoreClock(500, 200, "core_freq_min=500")
    found = wires.spi_clock(at_spi, "Raspberry Pi 4 Model B", falls)
    assert (found.state, found.measured) == (State.WARN, "falls to 40 % of its rate when the Pi is idle")
    assert "core_freq_min=500" in found.remedy
    assert wires.spi_clock(at_spi, "Raspberry Pi 4 Model B", CoreClock(500, 500, "")).state is State.OK
    assert wires.spi_clock(at_spi, "Raspberry Pi 5 Model B", None).state is State.OK
    assert wires.spi_clock(at_spi, None, None).state is State.ABSENT
    assert wires.spi_clock(configured(""), "Raspberry Pi 4 Model B", falls).state is State.ABSENT


def test_a_wled_is_found_in_the_network_and_one_that_is_gone_or_short_is_told(tmp_path: Path) -> None:
    def told(more: str, *found: FoundWled) -> Finding:
        return wires.wled(parse_config(f'[lights]\nsource = "wled"\n{more}', "", tmp_path), lambda: found)

    lamps = SimulatedWled(40, "Lamps")
    one = FoundWled("Lamps", lamps.address)
    try:
        assert told("", one) == Finding(
            "WLED", State.OK, "The lights are there: Lamps, WLED 0.15.0, 40 pixels."
        )
        short = told(f'address = "{lamps.address}"\npixels = 2')
        assert (short.state, "58 are needed" in short.measured) == (State.WARN, True)
    finally:
        lamps.power_off()
    assert told("", one).state is State.FAIL
    assert told("").measured == "No WLED was found in this network."
    assert wires.wled(parse_config("", "", tmp_path)).state is State.ABSENT
