"""What is released is what the sources give."""

import subprocess
from pathlib import Path

from controller.devices.firmware.image import released_image
from controller.devices.link.framing import FrameParser
from controller.devices.link.link import dotted
from controller.devices.link.messages import HelloOk, parse
from controller.simulation.electronics.chip import FIRMWARE, Chip

REMEDY = "the firmware was changed: run make firmware-release"


def compiler() -> str:
    told = subprocess.run(["avr-gcc", "--version"], capture_output=True, text=True, check=True)
    return told.stdout.splitlines()[0]


def test_the_released_firmware_is_built_again_to_the_bit(tmp_path: Path) -> None:
    """By the compiler that is named beside it. Another one, as in Debian 13, makes other code of the same sources."""
    image = released_image()
    subprocess.run(
        ["make", "-s", "-C", str(FIRMWARE), f"BUILD={tmp_path}", str(tmp_path / "pointsman.hex")], check=True
    )
    same = (tmp_path / "pointsman.hex").read_bytes() == image.path.read_bytes()
    assert same or compiler() != image.compiler, REMEDY


def test_the_released_firmware_is_of_these_sources_whatever_the_compiler() -> None:
    with Chip() as chip:
        chip.run(0.1)
        greeting = parse(FrameParser().feed(chip.read_output())[0])
    assert isinstance(greeting, HelloOk)
    image = released_image()
    assert (greeting.build, dotted(greeting.firmware)) == (image.build, image.version), REMEDY
