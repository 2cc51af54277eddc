"""From painted pictures to the referee: whose hand it was that moved a checker when nobody was to play."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.demo.preparing import Prepared
from controller.devices import FilmFrame
from controller.record.table.inputs import input_from, input_record
from controller.referee.actions import Message, Told
from controller.referee.events import RollReported
from controller.referee.table.settings import Settings
from controller.rules.position import START, Position, Side
from controller.rules.profile.profile import STANDARD
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.hands import hand_at
from controller.simulation.boards.scene import Hand, Scene
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, after

FPS = 10.0
PUSHED = after((8, 7), of=GOOD)
REACH_MM = (-60.0, 0.0, 20.0, -20.0)
"""How far the tips of a hand come past the edge of the pile on 8, picture by picture."""


class Table:
    """A painted table, the eyes that see it, and the referee who is told what they see, as the journal keeps it."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared, self.eyes = prepared, Eyes(prepared.board)
        self.evening = Evening(Settings(match_terms(STANDARD), clock=True))
        self._rng, self._number = np.random.default_rng(4), 0

    def rest(self, position: Position, pictures: int = 4) -> None:
        """The board lies still."""
        still = self._still(position)
        for _ in range(pictures):
            noise = self._rng.normal(0, 1.5, still.shape)
            self._see(np.clip(still + noise, 0, 255).astype(np.uint8))

    def reach(self, position: Position, side: Side) -> None:
        """A hand of a side comes over the point 8, and leaves."""
        for hand in self._hands(side):
            scene = replace(self._scene(position), hands=(hand,))
            self._see(self.prepared.painter.paint(scene, self._rng).picture)

    def told(self, message: Message) -> list[Told]:
        return [one for one in self.evening.actions if isinstance(one, Told) and one.message is message]

    def _hands(self, side: Side) -> Iterator[Hand]:
        geometry = self.prepared.board.geometry
        edge = -geometry.surface_height_mm / 2
        for reach in REACH_MM:
            goal = (geometry.column_x(8) - 10, edge + 60 + reach)
            if side is Side.DARK:
                # From the other side of the board the whole arm is over it.
                goal = (goal[0], edge + 60 - reach)
            yield hand_at(goal, np.pi / 2 if side is Side.LIGHT else -np.pi / 2)

    @cache  # noqa: B019
    def _scene(self, position: Position) -> Scene:
        return arrange(self.prepared.setting, position, np.random.default_rng(2), cube=None)

    @cache  # noqa: B019
    def _still(self, position: Position) -> Picture:
        return self.prepared.painter.paint(self._scene(position), self._rng).picture

    def _see(self, picture: Picture) -> None:
        self._number += 1
        self.evening.t += 1 / FPS
        for news, _ in self.eyes.read_frame(FilmFrame(self._number, "camera", self.evening.t, picture)):
            self.evening.tell(input_from(input_record(news)))


@pytest.mark.parametrize("side", Side)
def test_who_moved_a_checker_between_two_turns_is_named_by_the_hand_that_the_camera_saw(
    prepared: Prepared, side: Side
) -> None:
    table = Table(prepared)
    table.rest(START)
    table.evening.tell(RollReported(table.evening.t, (3, 1)))
    table.rest(START)
    table.reach(START, Side.LIGHT)
    table.rest(GOOD)
    table.evening.done()
    table.rest(GOOD)
    table.reach(GOOD, side)
    table.rest(PUSHED)
    (told,) = table.told(Message.MOVED_OUT_OF_TURN)
    assert told.arguments["side"] == str(side)
