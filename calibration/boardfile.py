"""Writes a board file in place of an older one, of which nothing is lost."""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.vision import Board
from controller.vision.board.board import dump_board, load_board
from controller.vision.dice.dice_size import die_pixels, known_dice
from controller.whole_file import replace_file

SMALL_PX: Final = 10.0
"""Dice of fewer pixels look different from larger ones. Eight makes were shown on one painted table and read on
another: by what dice of 8 pixels taught, 771 of 864 of 11 to 29 pixels were right, and 20 told wrong with 90 % or
more; without it 831 and 2. What larger ones taught told 29 of 925 dice of 8 pixels wrong, for 16. From 11 pixels on
size made no difference: 3654 of 3824 were right and 3 wrong, for 3710 and 6.
`tests/bench/bench_kept_faces.py` measures fewer sizes."""
USUAL: Final = 0o644
"""The rights of a new board file."""
LARGER: Final = 1.25
"""By less than this factor dice have the same size: estimated, between the sizes that were measured."""


class FacesKept(StrEnum):
    """What became of what an older file knows of the faces of dice and cube."""

    NONE = "none"
    """It knows nothing of them that may be used, or the new board has learned its own."""
    KEPT = "faces_carried"
    OTHER_SIZE = "faces_dropped"
    """They were learned from dice of quite another size in the pictures."""


@dataclass(frozen=True, slots=True)
class BoardSaved:
    """A board as its file has it now, the older file's new name (None if there was none), and what became of faces
    that it knew.
    """

    board: Board
    aside: Path | None
    faces: FacesKept


def save_board(board: Board, path: Path) -> BoardSaved:
    """Write a board file, whole or not at all, and keep the one that was there under another name.

    The order of the lights is taken over from it: the strip stays where it was. So is what was learned of dice and
    cube: they are the same, wherever the camera stands.

    Raises:
        UserError: if it cannot be written; the older file is then where it was.
    """
    older, faces = _board_in(path), FacesKept.NONE
    if older is not None:
        faces = _faces_kept(older, board)
        board = replace(board, lights=board.lights or older.lights)
        if faces is FacesKept.KEPT:
            board = replace(board, dice=known_dice(older), cube=older.cube)
    return BoardSaved(board, _write(dump_board(board), path), faces)


def _faces_kept(older: Board, board: Board) -> FacesKept:
    if (older.dice or older.cube) is None or (board.dice or board.cube) is not None:
        return FacesKept.NONE
    small, large = sorted((die_pixels(older), die_pixels(board)))
    if small < SMALL_PX and large > LARGER * small:
        return FacesKept.OTHER_SIZE
    return FacesKept.NONE if (known_dice(older) or older.cube) is None else FacesKept.KEPT


def _write(text: str, path: Path) -> Path | None:
    """Write a file and return the new name of the one that was there, if it said something else."""
    if _is(path, text):
        return None
    aside = _free_name(path) if path.exists() else None
    try:
        if aside is not None:
            _keep_as(aside, path)
        replace_file(path, text.encode(), USUAL)
    except OSError as error:
        if aside is not None and path.exists():
            aside.unlink(missing_ok=True)
        raise UserError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
    return aside


def _keep_as(aside: Path, path: Path) -> None:
    """Keep a file under another name too, so that there is a board file whenever the power goes.

    What cannot be read, such as a file of root's, only gets the other name: no table could use it.
    """
    try:
        content = path.read_bytes()
    except OSError:
        path.rename(aside)
    else:
        replace_file(aside, content, USUAL)


def _is(path: Path, text: str) -> bool:
    """Whether a file says this already."""
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def _board_in(path: Path) -> Board | None:
    """The board of a file; None where there is no such file, or none that can be read."""
    try:
        return load_board(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError, UserError):
        return None
