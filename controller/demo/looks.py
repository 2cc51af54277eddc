"""How the table is looked at: by painted pictures and the real reader."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from controller.app.eyes import Eyes, NewsWithPicture
from controller.arrays import Picture
from controller.devices import FilmFrame
from controller.referee import FrameSeen
from controller.referee.events import FrameSame
from controller.rules import Profile
from controller.simulation import Painter
from controller.simulation.boards.scene import Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision.board.board import PointSegments
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

    Painting takes most of the time. So of what moves all pictures but the first two and the last are left out, and
    whose hands they would show is then not known; of what rests those after the eyes have read it often enough,
    which are only told to be the same. `picture` is the latest one.
    """

    def __init__(
        self, painter: Painter, eyes: Eyes, rng: np.random.Generator, *, all_moving: bool = False
    ) -> None:
        """``rng`` makes the noise; with ``all_moving`` every picture of what moves is painted, hands and all."""
        super().__init__()
        self.picture: Picture | None = None
        self.painted = 0
        self._painter, self._eyes, self._rng = painter, eyes, rng
        self._all_moving = all_moving
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
            return [] if table.moving else [(FrameSame(t, self._number), None)]
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
            return self._all_moving or self._stirring <= STIRRING or table.settles_by(soon)
        if scene != self._rested:
            self._rested, self._read, self._stirring = scene, 0, 0
        return self._read < LOOKS


class TableSight(Protocol):
    """A table as it is set up, and how it is looked at."""

    @property
    def setting(self) -> Setting:
        """What lies on the table, and where."""

    @property
    def segments(self) -> PointSegments | None:
        """Where the 24 points lie in the picture; None without pictures."""

    def looks(self, profiles: Sequence[Profile], rng: np.random.Generator) -> Looks:
        """What sees a match by these rules; ``rng`` makes the noise."""
