"""A board file in place of an older one."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.boardfile import save_board
from calibration.calibrate import CalibrationPicture, calibrate
from controller.errors import UserError
from controller.vision import Board
from controller.vision.board import load_board
from tests.calibration.pictures import START, corners, picture


@pytest.fixture(scope="module")
def board() -> Board:
    return calibrate([CalibrationPicture("game", picture("game"), START)], corners=corners("game")).board


def loaded(path: Path) -> Board:
    return load_board(path.read_text(), str(path))


def test_the_older_file_is_kept_under_another_name_and_its_lights_stay(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert save_board(replace(board, lights={"point-1": 3}), path) is None
    moved = replace(board, geometry=replace(board.geometry, trays=()))
    assert save_board(moved, path) == tmp_path / "board-1.toml"
    assert loaded(path).lights == {"point-1": 3}
    assert loaded(path).geometry.trays == ()
    assert loaded(tmp_path / "board-1.toml").geometry == board.geometry


def test_the_same_board_again_leaves_no_copies(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert save_board(board, path) is None
    assert save_board(board, path) is None
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_no_board_file_is_kept_as_well(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xff\xfe no text")
    aside = save_board(board, path)
    assert aside is not None
    assert aside.read_bytes() == b"\xff\xfe no text"


def test_a_folder_that_is_not_there_is_one_sentence(board: Board, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        save_board(board, tmp_path / "nowhere" / "board.toml")
