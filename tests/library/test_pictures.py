"""Boards in pictures, read with a board file."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from controller.arrays import Picture
from controller.vision.board.board import dump_board
from pointsman import Position, UserError, read_board
from tests.vision.boards import DATA, frames, learned, picture

BOARD = "board6"
START = f"{BOARD}_start"


@pytest.fixture(scope="module")
def board_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.toml"
    path.write_text(dump_board(learned(BOARD)), encoding="utf-8")
    return path


def test_a_picture_may_be_a_file_its_bytes_or_an_array(board_file: Path) -> None:
    file = DATA / frames()[START].file
    for given in (file, str(file), file.read_bytes(), picture(START)):
        reading = read_board(given, board_file)
        assert reading.position == Position.start().with_cube(reading.cube or 1, reading.cube_owner)
        assert reading.confidence > 0.5
        assert len(reading.point_confidence) == 24
    assert read_board(file, learned(BOARD)).position.points == frames()[START].points


def black(_: Path) -> Picture:
    return np.zeros((540, 960, 3), np.uint8)


WRONG: dict[str, tuple[Callable[[Path], object], Callable[[Path], object], str]] = {
    "no board file": (black, lambda path: path.with_name("none.toml"), "there is no such board file"),
    "no picture": (lambda path: path.with_name("none.jpg"), lambda path: path, "there is no such file"),
    "no picture's bytes": (lambda _: b"x" * 200, lambda path: path, "picture"),
    "grey": (lambda _: np.zeros((540, 960), np.uint8), lambda path: path, "height x width x 3"),
    "nothing to see": (black, lambda path: path, "picture"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_read_is_told_in_one_sentence(board_file: Path, what: str) -> None:
    given, board, says = WRONG[what]
    with pytest.raises(UserError, match=says) as caught:
        read_board(given(board_file), board(board_file))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
