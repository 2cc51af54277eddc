"""What is learned of a room's board beside where it lies: written into its file, and used at once."""

from controller.app.fitting.errands import have_done
from controller.app.room import Room
from controller.errors import UserError
from controller.vision import Board
from controller.vision.board.board import dump_board
from controller.whole_file import replace_file


def keep_board(room: Room, board: Board) -> None:
    """Write a board into the file of a room, and use it from now on. Raises UserError."""
    path = room.config.board_file()
    try:
        replace_file(path.resolve(), dump_board(board).encode(), 0o644)
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror}); make its folder writable.") from None
    if not have_done(room, lambda: room.know_board(board)).done:
        raise UserError(f"{path} has it, but the table was busy; restart Pointsman.")
