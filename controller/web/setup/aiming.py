"""A camera that is being aimed at a board, and the board that is found in its pictures."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.aim import Aim, aim_of, frame_of, guessed_corners, order_corners
from calibration.calibrate import CalibrationPicture
from calibration.finder import Found, Quadrant
from calibration.search import BoardSearch, SearchProgress
from controller.arrays import FloatArray
from controller.errors import UserError
from controller.rules import START, Position
from controller.vision import Board, Reading, read_board
from controller.vision.watch import Read
from controller.web.table_service import Glimpse

PICTURES: Final = 2
"""This many of the newest pictures a board is learned from: each has its own noise."""


@dataclass(frozen=True, slots=True, eq=False)
class AimingView:
    """The aim at one moment.

    Attributes:
        glimpse: the newest picture; None where there is none.
        aim: its measures; None likewise.
        frame: the frame to fill: left, top, width and height in pixels.
        corners: of the playing surface in pixels, (4, 2), by light's 1-, 12-, 13- and 24-point; a guess where nothing
            was found and nothing was placed by hand.
        placed: whether a person or a search said so.
        search: how far the search is; None before the first one.
    """

    glimpse: Glimpse | None = None
    aim: Aim | None = None
    frame: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    corners: FloatArray | None = None
    placed: bool = False
    search: SearchProgress | None = None

    @property
    def found(self) -> bool:
        """Whether a board was learned."""
        return self.search is not None and self.search.board is not None


class Aiming:
    """Measures the newest picture, looks for the board, and reads with what it found.

    All methods may be called from any thread.
    """

    def __init__(
        self,
        look: Callable[[], Glimpse | None],
        keep: Callable[[Board], object],
        position: Position = START,
        read: Read = read_board,
    ) -> None:
        """Nothing is looked for before `find`.

        Args:
            look: the camera's newest picture; None where it gives none.
            keep: keeps a board for good; may raise UserError.
            position: what lies on the board.
            read: reads a picture.
        """
        self._look, self._keep, self._position, self._read = look, keep, position, read
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._last: tuple[Glimpse, Board, Reading] | None = None
        self._ended: BoardSearch | None = None
        self._search: BoardSearch | None = None
        self._corners: FloatArray | None = None
        self._pictures: list[Glimpse] = []
        self._measured: tuple[int, FloatArray | None, Aim] | None = None

    def view(self) -> AimingView:
        """The aim now."""
        glimpse = self._newest()
        progress = None if self._search is None else self._search.progress
        corners = self._corners_of(progress)
        if glimpse is None:
            return AimingView(search=progress, corners=corners, placed=corners is not None)
        size = (glimpse.picture.shape[1], glimpse.picture.shape[0])
        aim = self._measure(glimpse, corners)
        guess = guessed_corners(size) if corners is None else corners
        return AimingView(glimpse, aim, frame_of(size), guess, corners is not None, progress)

    def find(self, corners: FloatArray | None = None, light_home: Quadrant | None = None) -> bool:
        """Look for the board in the newest pictures; False where there is no picture yet.

        Args:
            corners: pixels, (4, 2), by light's 1-, 12-, 13- and 24-point, or with ``light_home`` in any order around
                the board; the board lies there, and nothing is searched for.
            light_home: where light's home lies in the picture, else the colours tell.
        """
        if self._newest() is None:
            return False
        if corners is not None and light_home is not None:
            corners = order_corners(corners, light_home)
        with self._lock:
            views = [
                CalibrationPicture(f"picture {one.number}", one.picture, self._position.points)
                for one in self._pictures
            ]
            self._end()
            self._corners = corners
            self._search = BoardSearch(views, light_home, corners, after=self._ended)
            self._search.start()
        return True

    def end(self) -> None:
        """Have the search ended; a board that was found is forgotten."""
        with self._lock:
            self._end()
            self._search = None

    def _end(self) -> None:
        if self._search is not None:
            self._search.end()
            self._ended = self._search

    def board(self) -> Board | None:
        """The board that was found."""
        progress = None if self._search is None else self._search.progress
        return None if progress is None or progress.board is None else progress.board.board

    def read(self, known: Board | None = None) -> tuple[Glimpse, Board, Reading] | None:
        """The newest picture as it is read by the board that was found, else by one that is known already.

        None without a picture or a board, while a search goes on, or where the picture is of another size than the
        board's. The networks that read serve one thread at a time: nobody else may read meanwhile.
        """
        with self._reading:
            glimpse, board = self._newest(), self.board() or known
            searches = [one for one in (self._search, self._ended) if one is not None]
            if glimpse is None or board is None or any(one.alive for one in searches):
                return None
            last = self._last
            if last is not None and last[0].number == glimpse.number and last[1] == board:
                return last
            try:
                self._last = glimpse, board, self._read(glimpse.picture, board)
            except UserError:
                return None
            return self._last

    def confirm(self) -> Board | None:
        """Keep the board that was found, and return it; None if none was. Raises UserError if it cannot be kept."""
        board = self.board()
        if board is not None:
            self._keep(board)
        return board

    def _newest(self) -> Glimpse | None:
        glimpse = self._look()
        if glimpse is None:
            return None
        with self._lock:
            if self._pictures and self._pictures[-1].picture.shape != glimpse.picture.shape:
                self._pictures = []
            if not self._pictures or self._pictures[-1].number != glimpse.number:
                self._pictures = [*self._pictures, glimpse][-PICTURES:]
        return glimpse

    def _corners_of(self, progress: SearchProgress | None) -> FloatArray | None:
        """Where the board was found, or else where a person placed it."""
        if progress is None:
            return self._corners
        trouble = progress.trouble
        found: Found | None = None
        if progress.board is not None:
            found = progress.board.found
        elif trouble is not None and self._corners is None:
            found = trouble.found
        if found is None:
            return self._corners
        corners = found.fit.camera.project(found.fit.geometry.corners())
        return corners if np.isfinite(corners).all() else self._corners

    def _measure(self, glimpse: Glimpse, corners: FloatArray | None) -> Aim:
        """The measures of a picture, reckoned once."""
        known = self._measured
        if known is not None and known[0] == glimpse.number and known[1] is corners:
            return known[2]
        aim = aim_of(glimpse.picture, corners)
        self._measured = (glimpse.number, corners, aim)
        return aim
