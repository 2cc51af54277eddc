"""Lights at the Pi when the program that drives them is killed, stopped, or ends in order."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.devices.lights.backends import REFRESH_S, ShiftLights, StripLights
from controller.devices.lights.darkener import darken_registers
from controller.devices.lights.encoding import spi_bytes
from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.pins import PinLibrary, pin_factory
from tests.devices.test_lights import Registers

ORDER = StripOrder.as_delivered()
DARK = spi_bytes(((0, 0, 0),) * ORDER.count)
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import os, sys, time
from controller.devices.lights.backends import StripLights
from controller.devices.lights.encoding import spi_bytes
from controller.devices.lights.darkener import Darkener
from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
device = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
order = StripOrder.as_delivered()
dark = spi_bytes(((0, 0, 0),) * order.count)
darkener = Darkener("strip", device, dark.hex(), share=(device,))
strip = StripLights(lambda data: os.write(device, data), order, Dimming(), lambda: None, darkener)
strip.show(LightFrame().lit(Signal.MOVABLE, [6]))
print("lit", flush=True)
began = time.monotonic()
while time.monotonic() - began < float(sys.argv[2]):
    strip.tick(time.monotonic())
    time.sleep(0.02)
strip.close()
"""


def until(come_true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not come_true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


class Strip:
    """A file in place of the SPI device, which keeps all pictures, and a program that lights a lamp of it."""

    def __init__(self, file: Path, seconds: float) -> None:
        file.touch()
        self._file = file
        self.program = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(file), str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
        assert self.program.stdout is not None
        assert self.program.stdout.readline() == "lit\n"
        until(lambda: len(self.pictures()) > 0)

    def pictures(self) -> list[bool]:
        """Of each picture so far whether it was dark."""
        data = self._file.read_bytes()
        return [data[at : at + len(DARK)] == DARK for at in range(0, len(data), len(DARK))]

    def children(self) -> list[int]:
        """The processes that the program began."""
        listed = Path(f"/proc/{self.program.pid}/task/{self.program.pid}/children").read_text()
        return [int(each) for each in listed.split()]


@pytest.fixture
def strip(tmp_path: Path) -> Iterator[Strip]:
    strip = Strip(tmp_path / "spidev0.0", 600)
    yield strip
    strip.program.kill()
    strip.program.communicate()


def is_there(process: int) -> bool:
    """Whether a process is at work; one that has ended may still wait to be asked how."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("whole_group", [False, True])
def test_lamps_are_dark_after_a_kill_and_nothing_is_left_running(strip: Strip, whole_group: bool) -> None:
    (darkener,) = strip.children()
    assert not any(strip.pictures())
    if whole_group:
        os.kill(darkener, signal.SIGTERM)
        os.kill(darkener, signal.SIGINT)
        os.killpg(strip.program.pid, signal.SIGKILL)
    else:
        strip.program.kill()
    until(lambda: strip.pictures()[-1])
    until(lambda: not is_there(darkener))
    assert strip.pictures().count(True) == 1


def test_a_program_that_hangs_leaves_no_lamp_lit_and_lights_them_again_when_it_goes_on(strip: Strip) -> None:
    strip.program.send_signal(signal.SIGSTOP)
    until(lambda: strip.pictures()[-1])
    strip.program.send_signal(signal.SIGCONT)
    until(lambda: not strip.pictures()[-1])


def test_a_program_that_ends_in_order_makes_its_lamps_dark_itself_and_leaves_nothing(tmp_path: Path) -> None:
    strip = Strip(tmp_path / "spidev0.0", 0.3)
    strip.program.communicate()
    shown = strip.pictures()
    assert shown == [False] * (len(shown) - 1) + [True]


def test_a_strip_is_sent_its_picture_each_second_though_nothing_changes() -> None:
    written: list[bytes] = []
    strip = StripLights(written.append, ORDER, Dimming(), lambda: None)
    strip.show(LightFrame().lit(Signal.MOVABLE, [1]))
    for tick in range(100):
        strip.tick(tick / 20)
    assert len(written) == 5 / REFRESH_S
    assert len(set(written)) == 1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_registers_that_were_disturbed_come_right_within_a_second() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    registers = Registers(factory, data=10, clock=11, latch=8)
    leds = ShiftLights(factory, ORDER, data=10, clock=11, latch=8, enable=7)
    leds.show(LightFrame().lit(Signal.PLAYED, [3]))
    leds.tick(0.0)
    registers.outputs = (True,) * len(registers.outputs)
    leds.tick(0.5)
    assert all(registers.outputs)
    leds.tick(REFRESH_S)
    assert [n for n, on in enumerate(registers.outputs) if on] == [ORDER.lamps[3]]
    leds.close()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_registers_are_made_dark_once_nobody_holds_their_pins() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    registers = Registers(factory, data=10, clock=11, latch=8)
    registers.outputs = (True,) * len(registers.outputs)
    darken_registers(factory, 10, 11, 8, 4)
    assert not any(registers.outputs)


def test_a_strip_at_an_spi_device_has_its_darkener_and_ends_dark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "spidev0.0"
    device.touch()
    monkeypatch.setattr("fcntl.ioctl", lambda *_: 0)
    strip = StripLights.on_spi(str(device), ORDER, Dimming())
    strip.show(LightFrame().lit(Signal.MOVABLE, [1]))
    strip.tick(0.0)
    strip.close()
    pictures = device.read_bytes()
    assert len(pictures) == 2 * len(DARK)
    assert pictures.endswith(DARK)
    assert not pictures.startswith(DARK)
