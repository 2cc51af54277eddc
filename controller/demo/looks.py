"""How the table is looked at: by painted pictures and the real reader, or straight at the truth."""

from abc import ABC, abstractmethod
from typing import Final

import numpy as np

from controller.app.eyes import Eyes, NewsWithPicture
from controller.arrays import Picture
from controller.devices import FilmFrame
from controller.referee import FrameLost, FrameSeen
from controller.referee.events import FrameMoving
from controller.simulation import Painter
from controller.simulation.boards.scene import Scene
from controller.simulation.tabletop.tabletop import Tabletop
from controller.simulation.tabletop.truthful_eye import TruthfulEye
from controller.vision.watch import LOOKS

STIRRING: Final = 2
"""This many pictures of everything that moves are painted at first: enough to see that it does."""
SOON: Final = 1.2
"""This many pictures before everything rests another one is painted."""


class Looks(ABC):
    """Sees the table."""

    def __init__(self) -> None:
        """Nothing was seen yet."""
        self._number = 0
        self._lost = False
        self._rested: Scene | None = None

    @abstractmethod
    def next_sighting(self, table: Tabletop, t: float) -> list[NewsWithPicture]:
        """What is new in the next picture."""

    def lose(self, lost: bool) -> None:
        """The camera is pulled out, or put back."""
        self._lost = lost

    def forget(self) -> None:
        """The program started again: nothing was seen before."""
        self._rested = None


class PaintedLooks(Looks):
    """A camera before a painted table, and the real eyes behind it.

    Pictures that could tell nothing new are not painted: of what moves all but the first two and the last, of what
    rests those after the eyes have read it often enough. `picture` is the latest one.
    """

    def __init__(self, painter: Painter, eyes: Eyes, rng: np.random.Generator) -> None:
        """``rng`` makes the noise."""
        super().__init__()
        self.picture: Picture | None = None
        self.painted = 0
        self._painter, self._eyes, self._rng = painter, eyes, rng
        self._stirring = self._read = 0
        self._t = 0.0

    def next_sighting(self, table: Tabletop, t: float) -> list[NewsWithPicture]:
        """See `Looks`."""
        self._number += 1
        spacing, self._t = t - self._t, t
        if self._lost:
            return self._eyes.read_frame(
                FilmFrame(self._number, "camera", t, None, "the camera does not answer")
            )
        scene = table.scene()
        if not self._needed(table, scene, t + SOON * spacing):
            return []
        self.painted += 1
        self.picture = self._painter.paint(scene, self._rng).picture
        frame = FilmFrame(self._number, f"picture {self._number}", t, self.picture)
        told = self._eyes.read_frame(frame)
        self._read += sum(isinstance(news, FrameSeen) and not news.reading.hand for news, _ in told)
        return told

    def forget(self) -> None:
        """See `Looks`."""
        super().forget()
        self._eyes = Eyes(self._eyes.board)

    def _needed(self, table: Tabletop, scene: Scene, soon: float) -> bool:
        if table.moving:
            self._stirring, self._rested = self._stirring + 1, None
            return self._stirring <= STIRRING or table.settles_by(soon)
        if scene != self._rested:
            self._rested, self._read, self._stirring = scene, 0, 0
        return self._read < LOOKS


class TruthfulLooks(Looks):
    """Readings of the truth, in the form in which eyes give theirs."""

    def __init__(self, eye: TruthfulEye) -> None:
        """``eye`` makes the readings."""
        super().__init__()
        self._eye = eye
        self._last: Scene | None = None
        self._looks = 0
        self._moving = self._told_lost = False

    def next_sighting(self, table: Tabletop, t: float) -> list[NewsWithPicture]:
        """See `Looks`."""
        self._number += 1
        if self._lost:
            told, self._told_lost = self._told_lost, True
            return (
                [] if told else [(FrameLost(t, self._number, "camera", "the camera does not answer"), None)]
            )
        self._told_lost = False
        scene, last = table.scene(), self._last
        self._last = scene
        # A hand that lies still in two pictures is seen like anything else that hides a part of the board.
        self._eye.notice_hands(table)
        if table.moving and scene != last:
            moved, self._moving, self._rested = self._moving, True, None
            return [] if moved else [(FrameMoving(t, self._number), None)]
        if scene != self._rested:
            self._rested, self._looks = scene, 0
        self._moving = False
        self._looks += 1
        if self._looks > LOOKS:
            return []
        return [(FrameSeen(t, self._number, self._eye.read(table)), None)]
