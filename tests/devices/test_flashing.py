"""The released firmware, and avrdude itself writing it through a simulated boot loader."""

import shutil
from pathlib import Path

import pytest

from controller.devices.firmware.flashing import (
    Flashed,
    FlashError,
    FlashFault,
    FlashProgress,
    FlashStep,
    Loader,
    flash,
)
from controller.devices.firmware.image import IMAGES, MEGA, ImageError, released_image, released_images
from tests.devices.boot_loader import BootLoader, MegaBootLoader, hex_bytes
from tests.devices.other_program import other_program


def quiet(_: FlashProgress) -> None:
    pass


def test_the_released_firmware_is_written_through_optiboot_to_the_last_byte() -> None:
    told = list[FlashProgress]()
    image = released_image()
    with BootLoader(115_200) as board:
        assert flash(board.port, released_images(), told.append) == Flashed(Loader.OPTIBOOT, image)
    wanted = hex_bytes(image.path)
    assert bytes(board.flash[: len(wanted)]) == wanted
    steps = [each.step for each in told]
    assert steps == sorted(steps, key=list(FlashStep).index)
    assert set(steps) == set(FlashStep)
    for step in (FlashStep.WRITING, FlashStep.CHECKING):
        done = [each.done for each in told if each.step is step]
        assert done == sorted(done)
        assert done[-1] > 0.5
    assert told[-1] == FlashProgress(FlashStep.CHECKING, 1.0)


def test_an_old_boot_loader_is_found_by_its_rate() -> None:
    with BootLoader(57_600) as board:
        assert flash(board.port, released_images(), quiet).loader is Loader.OLD
    assert bytes(board.flash[:64]) == hex_bytes(released_image().path)[:64]


def test_a_mega_is_known_by_its_boot_loader_and_gets_the_firmware_for_its_chip() -> None:
    with MegaBootLoader() as board:
        flashed = flash(board.port, released_images(), quiet)
    assert flashed == Flashed(Loader.MEGA, released_image(MEGA))
    wanted = hex_bytes(flashed.image.path)
    assert bytes(board.flash[: len(wanted)]) == wanted


def test_another_chip_is_told_and_nothing_is_written() -> None:
    with BootLoader(115_200, signature=b"\x1e\x98\x01") as board, pytest.raises(FlashError) as told:
        flash(board.port, released_images(), quiet)
    assert told.value.fault is FlashFault.OTHER_CHIP
    assert set(board.flash) == {0xFF}


def test_a_port_that_another_program_has_is_left_alone(tmp_path: Path) -> None:
    with BootLoader(115_200) as board, other_program(Path(board.port)) as other:
        with pytest.raises(FlashError) as told:
            flash(board.port, released_images(), quiet)
        assert told.value.fault is FlashFault.IN_USE
        assert str(other) in told.value.about
    with pytest.raises(FlashError) as told:
        flash(str(tmp_path / "gone"), released_images(), quiet)
    assert told.value.fault is FlashFault.ABSENT


def test_a_board_without_a_boot_loader_is_told_within_seconds() -> None:
    with BootLoader(9_600) as board, pytest.raises(FlashError) as told:
        flash(board.port, released_images(), quiet)
    assert told.value.fault is FlashFault.SILENT


def test_a_firmware_that_did_not_arrive_whole_is_told_with_what_avrdude_said() -> None:
    with BootLoader(115_200, keeps=4096) as board, pytest.raises(FlashError) as told:
        flash(board.port, released_images(), quiet)
    assert told.value.fault is FlashFault.BROKEN
    assert told.value.about


def test_without_avrdude_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(FlashError) as told:
        flash("/dev/null", released_images(), quiet, program=str(tmp_path / "avrdude"))
    assert told.value.fault is FlashFault.NO_AVRDUDE


def test_an_image_that_was_changed_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    shutil.copytree(IMAGES, folder)
    image = released_image(folder=folder)
    image.path.write_text(image.path.read_text().replace(":10", ":11", 1))
    with pytest.raises(ImageError, match="SHA-256"):
        released_image(folder=folder)
    image.path.unlink()
    with pytest.raises(ImageError, match="install Pointsman anew"):
        released_image(folder=folder)
