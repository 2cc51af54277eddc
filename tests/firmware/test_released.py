"""What is released is what the sources give."""

import subprocess
from pathlib import Path

import pytest

from controller.devices.firmware.image import CHIP, MEGA, released_image
from controller.devices.link.framing import FrameParser
from controller.devices.link.link import dotted
from controller.devices.link.messages import HelloOk, parse
from controller.simulation.electronics.chip import FIRMWARE, Chip

REMEDY = "the firmware was changed: run make firmware-release"


def compiler() -> str:
    told = subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True)
    return told.stdout.splitlines()[0]


@pytest.mark.parametrize(("chip", "built"), [(CHIP, "pointsman.hex"), (MEGA, "pointsman-atmega2560.hex")])
def test_the_released_firmware_is_built_again_to_the_bit(chip: str, built: str, tmp_path: Path) -> None:
    """By the compiler that is named beside it. Another one, as in Debian 13, makes other code of the same sources."""
    image = released_image(chip)
    subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={tmp_path}", str(tmp_path / built)], check=True
    )
    same = (tmp_path / built).read_bytes() == image.path.read_bytes()
    assert same or compiler() != image.compiler, REMEDY


@pytest.mark.parametrize(("chip", "hardware"), [(CHIP, 1), (MEGA, 2)])
def test_the_released_firmware_is_of_these_sources_whatever_the_compiler(chip: str, hardware: int) -> None:
    with Chip(chip=chip) as board:
        board.run(0.1)
        greeting = parse(FrameParser().feed(board.read_output())[0])
    assert isinstance(greeting, HelloOk)
    image = released_image(chip)
    assert (greeting.build, dotted(greeting.firmware)) == (image.build, image.version), REMEDY
    assert greeting.hardware == hardware
