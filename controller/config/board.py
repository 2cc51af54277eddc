"""The board file of a table."""

from pathlib import Path

from controller.errors import UserError
from controller.vision import Board
from controller.vision.board.board import load_board


def read_board_file(path: Path) -> Board:
    """The board in a file. Raises ``UserError`` when it cannot be used."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(
            f"{path}: there is no such board file; make it with pointsman calibrate board."
        ) from None
    except (OSError, UnicodeDecodeError):
        raise UserError(f"{path} is not a board file; make one with pointsman calibrate board.") from None
    return load_board(text, str(path))
