"""`pointsman calibrate dice`, as the owner of the dice types it."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.cli.devices import faces as command
from controller.vision.board.board import dump_board, load_board
from controller.vision.fitted.last_layer import LastLayer
from tests.calibration.test_faces import PLAIN, dice, small_board
from tests.cli.conftest import Run


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(dump_board(small_board(PLAIN)))
    return path


def test_six_pictures_teach_the_board_its_dice(tmp_path: Path, board_file: Path, run: Run) -> None:
    files = [tmp_path / f"{number}.png" for number in range(1, 7)]
    for number, file in enumerate(files, start=1):
        cv2.imwrite(str(file), dice((number, number), number, PLAIN))
    images = [word for file in files for word in ("--image", file)]
    run("calibrate", "dice", "--board", board_file, *images)
    board = load_board(board_file.read_text(), "board.toml")
    assert board.dice is not None
    assert board.cube is None
    assert "dice" in run("read", "--board", board_file, files[0])


def test_the_camera_asks_again_until_all_dice_are_seen(
    board_file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures: list[Picture] = [dice((number, number), number, PLAIN) for number in (1, 2, 3, 4, 5, 6)]
    pictures.insert(2, dice((3,), 3, PLAIN))
    pictures.insert(1, np.full_like(pictures[0], 90))
    monkeypatch.setattr(command, "_camera", lambda *_: lambda: pictures.pop(0))
    monkeypatch.setattr("typer.prompt", lambda *_, **__: "")
    run("calibrate", "dice", "--board", board_file, "--camera")
    assert not pictures
    assert load_board(board_file.read_text(), "board.toml").dice is not None


def test_who_gives_no_six_pictures_is_told_what_to_give(board_file: Path, run: Run) -> None:
    told = run("calibrate", "dice", "--board", board_file, "--image", "one.png", status=2)
    assert "given 1 time; give 6 pictures" in told
    assert "give --image FILE, or --camera" in run("calibrate", "dice", "--board", board_file, status=2)
    assert load_board(board_file.read_text(), "board.toml").dice is None


def test_what_was_learned_of_dice_can_be_forgotten(board_file: Path, run: Run) -> None:
    layer = LastLayer.from_weights("0123", np.zeros((7, 3)))
    board_file.write_text(dump_board(replace(small_board(PLAIN), dice=layer)))
    run("calibrate", "dice", "--board", board_file, "--forget")
    assert load_board(board_file.read_text(), "board.toml") == small_board(PLAIN)


def test_dice_that_are_tiny_in_the_pictures_are_not_asked_for(
    board_file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    board_file.write_text(dump_board(small_board(4.0)))
    monkeypatch.setattr(command, "_camera", lambda *_: pytest.fail)
    told = run("calibrate", "dice", "--board", board_file, "--camera", status=2)
    assert "only 3.8 pixels wide in the pictures" in told
    assert "move the camera closer" in told
