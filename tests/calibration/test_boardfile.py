"""A board file in place of an older one."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.boardfile import FacesKept, save_board
from calibration.calibrate import CalibrationPicture, calibrate
from controller.errors import UserError
from controller.vision import Board
from controller.vision.board.board import load_board
from controller.vision.dice.dice_size import die_pixels
from controller.vision.fitted.last_layer import LOOSELY, LastLayer
from tests.calibration.pictures import START, corners, picture


@pytest.fixture(scope="module")
def board() -> Board:
    return calibrate([CalibrationPicture("game", picture("game"), START)], corners=corners("game")).board


DICE, CUBE = (LastLayer.from_weights("0123", np.zeros((classes, 3)), 0.04) for classes in (7, 8))


def loaded(path: Path) -> Board:
    return load_board(path.read_text(), str(path))


def test_the_older_file_is_kept_under_another_name_and_its_lights_stay(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert save_board(replace(board, lights={"point-1": 3}), path).aside is None
    moved = replace(board, geometry=replace(board.geometry, trays=()))
    assert save_board(moved, path).aside == tmp_path / "board-1.toml"
    assert loaded(path).lights == {"point-1": 3}
    assert loaded(path).geometry.trays == ()
    assert loaded(tmp_path / "board-1.toml").geometry == board.geometry


def test_the_same_board_again_leaves_no_copies(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    assert save_board(board, path).aside is None
    assert save_board(board, path).aside is None
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_no_board_file_is_kept_as_well(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xff\xfe no text")
    aside = save_board(board, path).aside
    assert aside is not None
    assert aside.read_bytes() == b"\xff\xfe no text"


def test_whenever_the_power_goes_there_is_a_whole_board_file(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.toml"
    save_board(board, path)
    older, seen = path.read_bytes(), disk_seen(path, monkeypatch)
    save_board(replace(board, geometry=replace(board.geometry, trays=())), path)
    newer = path.read_bytes()
    assert set(seen) == {older, newer}
    assert (tmp_path / "board-1.toml").read_bytes() == older


def test_a_board_file_that_cannot_be_read_is_kept_under_another_name(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.toml"
    path.write_text("of root's")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as refusing:
        refusing.setattr(Path, "read_bytes", refuse)
        assert save_board(board, path).aside == tmp_path / "board-1.toml"
    assert loaded(path).geometry == board.geometry
    assert (tmp_path / "board-1.toml").read_text() == "of root's"


def disk_seen(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bytes | None]:
    """What a power cut would leave of a file after each change of a name, noted in the list as they are made.

    A file that was not written through before it got its name is empty then, as ext4 leaves it.
    """
    through, seen = {path.stat().st_ino}, list[bytes | None]()

    def note() -> None:
        there = path.exists()
        seen.append((path.read_bytes() if path.stat().st_ino in through else b"") if there else None)

    def sync(descriptor: int) -> None:
        through.add(os.fstat(descriptor).st_ino)

    def noting(change: Callable[..., Any]) -> Callable[..., Any]:
        def changing(*names: Any, **more: Any) -> Any:
            done = change(*names, **more)
            note()
            return done

        return changing

    monkeypatch.setattr(os, "fsync", sync)
    for name in ("rename", "replace", "unlink", "link"):
        monkeypatch.setattr(os, name, noting(getattr(os, name)))
    return seen


def test_a_folder_that_is_not_there_is_one_sentence(board: Board, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        save_board(board, tmp_path / "nowhere" / "board.toml")


def seen_as(board: Board, pixels: float) -> Board:
    """The board in pictures in which dice are so many pixels wide."""
    share = pixels / die_pixels(board)
    size = round(board.camera.width * share), round(board.camera.height * share)
    return replace(board, camera=board.camera.resized(*size))


@pytest.mark.parametrize(
    ("then", "now", "kept"),
    [(20.0, 12.0, True), (12.0, 30.0, True), (8.0, 9.0, True), (8.0, 14.0, False), (20.0, 8.0, False)],
)
def test_what_was_learned_of_dice_stays_unless_they_were_tiny_then_or_are_now(
    board: Board, tmp_path: Path, then: float, now: float, *, kept: bool
) -> None:
    path = tmp_path / "board.toml"
    learned = replace(seen_as(board, then), dice=DICE, cube=CUBE)
    assert save_board(learned, path).faces is FacesKept.NONE
    saved = save_board(seen_as(board, now), path)
    assert saved.faces is (FacesKept.KEPT if kept else FacesKept.OTHER_SIZE)
    assert loaded(path) == saved.board
    assert (saved.board.dice, saved.board.cube) == ((DICE, CUBE) if kept else (None, None))
    assert saved.aside is not None
    assert loaded(saved.aside).dice == DICE


def test_what_tiny_dice_taught_loosely_is_left_out(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    loose = replace(DICE, held=LOOSELY)
    save_board(replace(seen_as(board, 8.0), dice=loose), path)
    saved = save_board(seen_as(board, 8.5), path)
    assert (saved.board.dice, saved.faces) == (None, FacesKept.NONE)


def test_a_board_that_learned_its_own_dice_keeps_those(board: Board, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    save_board(replace(board, dice=DICE), path)
    other = LastLayer.from_weights("4567", np.ones((7, 3)))
    assert save_board(replace(board, dice=other), path).faces is FacesKept.NONE
    assert loaded(path).dice == other
