"""The eyes of a live table: every picture is looked at, few are read, and only news is told."""

from controller.devices.film import Frame
from controller.devices.pictures import Picture, encode_jpeg
from controller.errors import UserError
from controller.record.gallery import MOVING, Shot, seen_object
from controller.referee.events import FrameLost, FrameMoving, FrameSeen
from controller.vision.board import Board
from controller.vision.outline import board_part
from controller.vision.reader import read_board
from controller.vision.watch import Read, look, watch_of

SPACING_S = 0.1
"""Between two readings of the same scene."""
WIDEST, QUALITY = 1280, 80
"""Of the pictures kept as evidence: pixels across, and JPEG quality."""

News = FrameSeen | FrameMoving | FrameLost


class Eyes:
    """Looks at the pictures of one camera.

    A scene at rest is read a few times, not more often than every `SPACING_S`; then it gives nothing until it
    changes. That something moves, and that pictures are lost, is told once until something else is.
    """

    def __init__(self, board: Board, read: Read = read_board) -> None:
        """``board`` is where the camera sees it; ``read`` reads one picture."""
        self.board = board
        self._read = read
        self._watch = watch_of(board)
        self._told: type[News] | None = None

    def look(self, frame: Frame) -> list[News]:
        """What a picture tells that was not told before; a frame without a picture is one that was lost."""
        if frame.picture is None:
            return self._once(FrameLost(frame.t, frame.number, frame.name, frame.fault))
        before = self._watch
        try:
            self._watch, reading = look(before, frame.picture, frame.t, self._read, SPACING_S)
        except UserError as error:
            return self._once(FrameLost(frame.t, frame.number, frame.name, f"{frame.name}: {error}"))
        if reading is None:
            return self._once(FrameMoving(frame.t, frame.number))
        if reading is before.reading:
            return []
        self._told = FrameSeen
        return [FrameSeen(frame.t, frame.number, reading)]

    def shot(self, frame: Frame, news: News) -> Shot | None:
        """The picture as evidence for what it told; ``None`` for one that was lost."""
        if frame.picture is None or isinstance(news, FrameLost):
            return None
        seen = seen_object(news.reading) if isinstance(news, FrameSeen) else MOVING
        return Shot(frame.number, frame.t, self._kept(frame.picture), seen)

    def _kept(self, picture: Picture) -> bytes:
        return encode_jpeg(board_part(picture, self.board), WIDEST, QUALITY)

    def _once(self, news: News) -> list[News]:
        told, self._told = self._told, type(news)
        return [] if told is type(news) else [news]
