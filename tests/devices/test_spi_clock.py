"""Whether an SPI line keeps its rate, as firmware and config.txt tell."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from controller.devices.lights import backends, probe
from controller.devices.lights.backends import StripLights
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.probe import StripProbe
from controller.devices.lights.spi_clock import (
    AskFirmware,
    CoreClock,
    SpiClockError,
    ask_vcgencmd,
    core_clock,
    require_steady_clock,
)
from tests.rows import each_row

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_3 = "Raspberry Pi 3 Model B Plus Rev 1.3"
Write = Callable[[str], list[Path]]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> list[Path]:
        (tmp_path / "config.txt").write_text(text)
        return [tmp_path / "none.txt", tmp_path / "config.txt"]

    return written


def says(told: Mapping[str, int]) -> AskFirmware:
    return told.get


def silent(_: str) -> None:
    return None


@each_row(
    ("model", "share"),
    [
        (PI_4, 0.4),
        ("Raspberry Pi 400 Rev 1.0", 0.4),
        ("Raspberry Pi Compute Module 4 Rev 1.1", 0.4),
        (PI_3, 0.625),
        ("Raspberry Pi Zero 2 W Rev 1.0", 0.625),
    ],
)
def test_as_delivered_the_clock_falls_when_idle(model: str, share: float) -> None:
    clock = core_clock(model, silent, [])
    assert clock is not None
    assert clock.share == share


@pytest.mark.parametrize(
    "model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi Compute Module 5 Rev 1.0", None]
)
def test_a_pi_5_and_other_machines_have_no_such_clock(model: str | None) -> None:
    assert core_clock(model, says({"core_freq": 910, "core_freq_min": 500}), []) is None
    require_steady_clock(None)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (PI_4, "core_freq_min=500"),
        (PI_4, "dtparam=spi=on\n[pi3]\ncore_freq=250\n[pi4]\ncore_freq_min=500 # for the lights\n"),
        (PI_4, "[pi3]\narm_freq=900\n[all]\nforce_turbo=1"),
        (PI_3, "core_freq=250"),
    ],
)
def test_the_line_of_the_page_keeps_the_clock_still(write: Write, model: str, text: str) -> None:
    clock = core_clock(model, silent, write(text))
    assert clock is not None
    assert clock.share == 1
    require_steady_clock(clock)


@pytest.mark.parametrize(
    "text", ["#core_freq_min=500", "[pi3]\ncore_freq_min=500", "core_freq_min=fast", "core_freq=500"]
)
def test_lines_that_do_not_count_change_nothing(write: Write, text: str) -> None:
    assert core_clock(PI_4, silent, write(text)) == CoreClock(500, 200, "core_freq_min=500")


def test_what_the_firmware_says_counts_more_than_the_file(write: Write) -> None:
    file = write("core_freq_min=500")
    fallen = core_clock(PI_4, says({"core_freq": 500, "core_freq_min": 200}), file)
    assert fallen is not None
    assert fallen.share == 0.4
    kept = core_clock(PI_4, says({"core_freq": 550, "core_freq_min": 550}), [])
    assert kept is not None
    assert kept.share == 1


@pytest.mark.parametrize(
    ("says", "told"),
    [("core_freq_min=500", 500), ("core_freq_min=0", 0), ("core_freq_min is unknown", None), ("", None)],
)
def test_the_firmware_is_asked_through_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, told: int | None
) -> None:
    program = tmp_path / "vcgencmd"
    program.write_text(f'#!/bin/sh\n[ "$1 $2" = "get_config core_freq_min" ] && echo "{says}"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert ask_vcgencmd("core_freq_min") == told


def test_a_machine_without_that_program_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert ask_vcgencmd("core_freq_min") is None


def test_neither_lights_nor_calibration_use_a_line_that_may_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (backends, probe):
        monkeypatch.setattr(module, "core_clock", lambda _: CoreClock(500, 200, "core_freq_min=500"))
    with pytest.raises(SpiClockError):
        StripLights.on_spi("/dev/null", StripOrder.as_delivered(), Dimming())
    with pytest.raises(SpiClockError):
        StripProbe("/dev/null", dimming=Dimming())


def test_a_strip_that_would_flash_white_is_not_lit() -> None:
    with pytest.raises(
        SpiClockError, match=r"40 % .* add the line core_freq_min=500 to /boot/firmware/config.txt"
    ):
        require_steady_clock(core_clock(PI_4, silent, []))
    require_steady_clock(core_clock(PI_3, silent, []))
