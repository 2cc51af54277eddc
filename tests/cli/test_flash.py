"""`pointsman board flash`: avrdude, a simulated boot loader, and a board that tells its firmware."""

from pathlib import Path

import pytest

from controller.cli.devices import firmware
from controller.devices.firmware.image import released_image
from tests.cli.conftest import Run
from tests.devices.boot_loader import BootLoader, hex_bytes
from tests.devices.other_program import other_program
from tests.firmware.board import Board


def test_the_firmware_that_runs_and_the_one_that_is_here_are_told(tmp_path: Path, run: Run) -> None:
    with Board(tmp_path) as chip:
        told = run("board", "flash", "--show", "--port", chip.port)
    assert told == "Pointsman brings firmware 1.2.0.\nThe board has firmware 1.2.0.\n"


def test_the_firmware_is_written(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware, "MEET_S", 0.5)
    with BootLoader(115_200) as board:
        told = run("board", "flash", "--port", board.port)
    wanted = hex_bytes(released_image().path)
    assert bytes(board.flash[: len(wanted)]) == wanted
    # A boot loader alone tells no firmware; a board would.
    assert told == "No firmware of Pointsman answers.\n"


def test_a_board_in_a_match_is_left_alone(tmp_path: Path, run: Run) -> None:
    with Board(tmp_path) as chip, other_program(Path(chip.port).resolve()):
        assert "is in use by" in run("board", "flash", "--port", chip.port, status=2)


def test_without_a_board_its_port_is_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware, "likely_ports", tuple)
    assert "Plug it in" in run("board", "flash", status=2)
    monkeypatch.setattr(firmware, "likely_ports", lambda: ("/dev/a", "/dev/b"))
    assert "/dev/a, /dev/b" in run("board", "flash", status=2)
    assert "no port /dev/nowhere" in run("board", "flash", "--port", "/dev/nowhere", status=2)
