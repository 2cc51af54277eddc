"""Writes a board file in place of an older one, of which nothing is lost."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path

from controller.errors import UserError
from controller.vision import Board
from controller.vision.board import dump_board, load_board


def save_board(board: Board, path: Path) -> Path | None:
    """Write a board file, whole or not at all, and keep the one that was there under another name.

    The order of the lights is taken over from it: the strip stays where it was. Returns the older file's new name,
    None if there was none.

    Raises:
        UserError: if it cannot be written; the older file is then where it was.
    """
    part = path.with_name(path.name + ".part")
    text = dump_board(replace(board, lights=board.lights or lights_in(path)))
    if _is(path, text):
        return None
    aside = _free_name(path) if path.exists() else None
    try:
        part.write_text(text, encoding="utf-8")
        if aside is not None:
            path.rename(aside)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UserError(f"{path} cannot be written ({error.strerror}); choose another place.") from None
    return aside


def _is(path: Path, text: str) -> bool:
    """Whether a file says this already."""
    try:
        return path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())


def lights_in(path: Path) -> Mapping[str, int | list[int]] | None:
    """The order of the lights in a board file; None where there is no such file, or none that can be read."""
    try:
        return load_board(path.read_text(encoding="utf-8"), str(path)).lights
    except (OSError, UnicodeDecodeError, UserError):
        return None
