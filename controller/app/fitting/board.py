"""The board under the camera of a room: looked for, confirmed, kept in its file."""

from dataclasses import replace

from calibration.boardfile import FacesKept, save_board
from calibration.finder import Quadrant
from controller.app.fitting.errands import have_done
from controller.app.room import Room
from controller.arrays import FloatArray
from controller.errors import UserError
from controller.messages.device_words import face_words, program_words
from controller.vision import Board, Reading
from controller.web.setup.aiming import Aiming, AimingView
from controller.web.table_service import Glimpse, Reply


class BoardFitting:
    """Looks for the board of one room; see `BoardSetUp`."""

    def __init__(self, room: Room) -> None:
        """Nothing is looked for yet."""
        self._room = room
        self._aiming = Aiming(room.glimpse, self._keep, read=room.read)
        self._faces = FacesKept.NONE

    def view(self) -> AimingView:
        """How far the search is."""
        return self._aiming.view()

    def find(self, corners: FloatArray | None, light_home: Quadrant | None) -> Reply:
        """See `BoardSetUp`."""
        if self._room.match.playing:
            return Reply(False, program_words("match_on"))
        if not self._aiming.find(corners, light_home):
            return Reply(False, program_words("no_picture"))
        self._room.calibrate(True)
        return Reply(True)

    def end_search(self) -> Reply:
        """See `BoardSetUp`."""
        self._aiming.end()
        self._room.calibrate(False)
        return Reply(True)

    def close(self) -> None:
        """The table is switched off: the board is not searched for any more."""
        self._aiming.end()

    def read(self) -> tuple[Glimpse, Board, Reading] | None:
        """See `BoardSetUp`."""
        room = self._room
        if room.match.playing and room.board is not None:
            glimpse = room.glimpse()
            read = None if glimpse is None else glimpse.reading
            return None if glimpse is None or read is None else (glimpse, room.board, read)
        return self._aiming.read(room.board)

    def confirm(self) -> Reply:
        """See `BoardSetUp`."""
        try:
            board = self._aiming.confirm()
        except UserError as error:
            return Reply.refusing(error)
        if board is None:
            return Reply(False, program_words("no_board"))
        self._room.calibrate(False)
        return Reply(True, None if self._faces is FacesKept.NONE else face_words(self._faces))

    def camera_changes(self) -> None:
        """Other pictures come from now on: those of this search are good for nothing."""
        self._aiming.end()

    def _keep(self, board: Board) -> None:
        """Write the board file, with the focus that the camera has, and use the board."""
        last = self._room.camera.last
        board = replace(board, lens_position=None if last is None else last.frame.lens_position)
        saved = save_board(board, self._room.config.board_file())
        self._faces = saved.faces
        have_done(self._room, lambda: self._room.know_board(saved.board))
