"""The eyes of a live table: every picture is looked at, few are read, and only news is passed on."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf, radians
from typing import Final

from controller.app.closer.closer import Closer
from controller.arrays import Picture
from controller.devices import FilmFrame
from controller.errors import UserError
from controller.record import TurnPicture
from controller.record.evidence.turn_pictures import shot_of
from controller.referee import FrameLost, FrameSeen
from controller.referee.events import FrameMoving, FrameSame
from controller.rules import Profile, Side
from controller.rules.moves.movement import Contact
from controller.rules.position import side_point
from controller.rules.profile.profile import Layout
from controller.vision import Board, CameraModel, Reading, read_board
from controller.vision.board.board import board_part
from controller.vision.counting.counts import CheckerSet
from controller.vision.geometry.board_grid import moved, push_between
from controller.vision.watch import QUICK_S, Read, glance, look_closer, watch_of, watch_picture

_LOGGER: Final = logging.getLogger(__name__)

Crop = Callable[[Picture, Board], Picture]

SPACING_S = 0.1
"""Between two readings of the same scene, or two times that it is told to be the same."""
LEAST_SURE: Final = 20
"""So many points must be sure for their checkers to prove where a board stands that was moved: read at a wrong place,
12 to 16 of 24 points are wrong."""
MOST_PLAYED: Final = 4
"""On so many of these points the checkers may have changed since they were seen last: a play of two numbers changes
no more."""

News = FrameSeen | FrameSame | FrameMoving | FrameLost
NewsWithPicture = tuple[News, TurnPicture | None]
"""What a picture shows, and the picture as evidence for it; None for one that was lost or shows nothing new."""


def board_of(board: Board, games: Iterable[Profile]) -> Board:
    """The board with the checkers of these games; where they differ, whatever one of them allows.

    Some checkers cannot be seen where they are pinned or wait in a hand.
    """
    played = tuple(games)
    home = frozenset(
        side_point(point, Side.DARK, game.movement.direction) for game in played for point in range(1, 7)
    )
    concealed = any(
        game.movement.contact is Contact.PIN or game.opening.layout is Layout.IN_HAND for game in played
    )
    each = max(game.movement.checkers for game in played)
    return replace(board, checkers=CheckerSet(each, home, concealed))


class Eyes:
    """Looks at the pictures of one camera.

    A scene at rest is read a few times, not more often than every `SPACING_S`; then it is only told, as often, that
    it is still the same. That something moves, and that pictures are lost, is told once until something else is. A
    board that was moved, or a camera, is followed if the checkers lie there as they lay before; its drift is told
    against the calibration.

    Attributes:
        board: where the camera sees it now.
        holds: whether what was read last is how the picture that was looked at last shows the board, too.
    """

    def __init__(
        self,
        board: Board,
        read: Read = read_board,
        clock: Callable[[], float] | None = None,
        crop: Crop = board_part,
        known: Iterable[Sequence[int]] = (),
        *,
        closer: Closer | None = None,
    ) -> None:
        """Nothing was seen yet.

        Args:
            board: where the camera sees it.
            read: reads one picture.
            clock: monotonic seconds, where pictures go by while one is read. After a reading so slow that movement
                does not show from one picture to the next, a picture is only glanced at first.
            crop: cuts the pictures that are kept as evidence to the board.
            known: positions, 24 signed counts each, of which one may lie on the board, besides what was seen last.
            closer: has stills taken of dice; None where there are none.
        """
        self._closer = closer
        self.board, self.holds = board, False
        self._calibrated, self._expected = board, tuple(tuple(points) for points in known)
        self._seen: tuple[int, ...] | None = None
        self._read, self._clock, self._crop = read, clock, crop
        self._blinked = False
        self._watch = watch_of(board)
        self._told: type[News] | None = None
        self._told_t = -inf

    def read_frame(self, frame: FilmFrame) -> list[NewsWithPicture]:
        """What is new in a picture; a frame without a picture is one that was lost."""
        return [(news, self._shot(frame, news)) for news in self._news(frame)]

    def blink(self) -> None:
        """Pictures went by that nobody looked at; live, the next one is only glanced at."""
        self._blinked = self._clock is not None

    def _news(self, frame: FilmFrame) -> list[News]:
        self.holds = False
        if frame.picture is None:
            if self._closer is not None:
                self._closer.forget()
            return self._once(FrameLost(frame.t, frame.number, frame.name, frame.fault))
        before, began = self._watch, self._clock() if self._clock is not None else 0.0
        try:
            if self._blinked:
                self._blinked, self._watch = False, glance(before, frame.picture, frame.t)
                return []
            self._watch, reading = watch_picture(before, frame.picture, frame.t, self._read, SPACING_S)
            if reading is not None and reading is not before.reading and reading.elsewhere is not None:
                reading = self._follow(frame, reading, reading.elsewhere)
            reading = self._look_closer(frame.picture, reading)
        except UserError as error:
            return self._once(FrameLost(frame.t, frame.number, frame.name, f"{frame.name}: {error}"))
        if reading is None:
            return self._once(FrameMoving(frame.t, frame.number))
        self.holds = True
        if reading is before.reading:
            return self._same(frame, reading)
        self._blinked = self._clock is not None and self._clock() - began > QUICK_S
        self._told, self._told_t = FrameSeen, frame.t
        if reading.recognised and not reading.hand:
            self._seen = reading.points
        return [FrameSeen(frame.t, frame.number, self._since_calibration(reading))]

    def _same(self, frame: FilmFrame, reading: Reading) -> list[News]:
        """That a board at rest lies as it was read before, unless that was told just now."""
        if reading.hand or not reading.recognised or frame.t - self._told_t < SPACING_S:
            return []
        self._told, self._told_t = FrameSame, frame.t
        return [FrameSame(frame.t, frame.number)]

    def _look_closer(self, picture: Picture, reading: Reading | None) -> Reading | None:
        """What is read with a still of the dice, if one has come; another one is asked for where it helps."""
        closer = self._closer
        if closer is None:
            return reading
        closer.follow(self._watch.read_glimpse)
        if reading is None:
            return None
        still = closer.collect(picture)
        if still is not None:
            self._watch, seen = look_closer(
                self._watch, picture, self._read, still.picture, beside=still.beside
            )
            reading = seen or reading
            closer.looked(reading)
        closer.ask(reading, picture)
        return reading

    def _follow(self, frame: FilmFrame, reading: Reading, camera: CameraModel) -> Reading:
        """What is read of a picture where the board was found in it, if the checkers prove that it is there."""
        there = replace(self.board, camera=camera)
        if frame.picture is None or not self._proves(self._read(frame.picture, there)):
            return reading
        self.board = there
        self._watch, found = watch_picture(watch_of(there), frame.picture, frame.t, self._read)
        _LOGGER.info("The board is followed to where it was found in picture %d.", frame.number)
        return reading if found is None else found

    def _proves(self, reading: Reading) -> bool:
        """Whether the checkers lie as they lay when they were seen last or as they should, give or take a play."""
        if not reading.recognised or reading.hand:
            return False
        sure = set(range(1, 25)) - reading.unsure
        known = self._expected if self._seen is None else (*self._expected, self._seen)
        differing = [
            sum(reading.points[point - 1] != points[point - 1] for point in sure) for points in known
        ]
        return len(sure) >= LEAST_SURE and min(differing, default=25) <= MOST_PLAYED

    def _since_calibration(self, reading: Reading) -> Reading:
        """The reading with its drift counted from the calibration, and without what nobody is to keep."""
        drift = reading.drift
        if self.board is self._calibrated or drift is None:
            return reading if reading.elsewhere is None else replace(reading, elsewhere=None)
        now = moved(self.board.camera, drift.x_mm, drift.y_mm, radians(drift.turn_deg))
        x_mm, y_mm, turn_deg = push_between(self._calibrated.camera, now)
        drift = replace(drift, x_mm=x_mm, y_mm=y_mm, turn_deg=turn_deg)
        return replace(reading, drift=drift, elsewhere=None)

    def _shot(self, frame: FilmFrame, news: News) -> TurnPicture | None:
        if frame.picture is None or isinstance(news, FrameLost | FrameSame):
            return None
        reading = news.reading if isinstance(news, FrameSeen) else None
        return shot_of(frame.number, frame.t, self._crop(frame.picture, self.board), reading)

    def _once(self, news: News) -> list[News]:
        told, self._told = self._told, type(news)
        return [] if told is type(news) else [news]
