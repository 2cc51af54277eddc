"""``pointsman replay`` as people call it."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.record.table.match_folder import EVENTS, JOURNAL, MAT
from controller.vision.board.board import dump_board
from tests.cli.conftest import Run
from tests.vision.test_film import board, shot


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """A film of a board that is set up, and its board file beside it."""
    folder = tmp_path / "film"
    folder.mkdir()
    for number in range(4):
        assert cv2.imwrite(str(folder / f"{number:05d}.jpg"), shot(number % 2))
    (tmp_path / "board.toml").write_text(dump_board(board()))
    return folder


@pytest.mark.parametrize("name", [JOURNAL, EVENTS, MAT, "journal.evidence.db"])
def test_a_folder_that_holds_another_match_is_refused_in_one_sentence(
    run: Run, film: Path, tmp_path: Path, name: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("another match")
    given = ("--board", tmp_path / "board.toml", "--frames", film, "--out", out)
    said = run("replay", *given, status=2)
    assert said.count("\n") == 1
    assert f"{out} holds another match ({name}); name a new folder for the results." in said
    assert [path.name for path in out.iterdir()] == [name]
    assert (out / name).read_text() == "another match"


def test_a_film_without_the_board_is_one_sentence_and_leaves_nothing(
    run: Run, film: Path, tmp_path: Path
) -> None:
    for path in film.iterdir():
        assert cv2.imwrite(str(path), np.zeros_like(shot(0)))
    given = ("--board", tmp_path / "board.toml", "--frames", film, "--out", tmp_path / "out")
    said = run("replay", *given, status=2)
    assert "None of the pictures can be used: the board does not lie still and sharp in any of them" in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_film_in_which_nobody_plays_has_a_record_and_says_what_is_missing(
    run: Run, film: Path, tmp_path: Path
) -> None:
    given = ("--board", tmp_path / "board.toml", "--frames", film, "--out", tmp_path / "out")
    said = run("replay", *given)
    assert "no roll was seen in the pictures" in said
    assert {EVENTS, JOURNAL, MAT} <= {path.name for path in (tmp_path / "out").iterdir()}
