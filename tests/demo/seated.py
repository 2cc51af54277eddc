"""A simulated room at work in a thread, for tests that are the people at its table or at its pages."""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.arrays import Picture
from controller.demo.floor import Manner
from controller.demo.preparing import Prepared
from controller.demo.sitting import SimulatedRoom, Sitting
from controller.referee.actions import Phase
from controller.referee.table.state import Table
from controller.rules.position import Position, Side
from controller.simulation.players.player import CLOCKS
from controller.web.table_service import Reply

SETTLED_S = 180.0
AGAIN_S = 3.0
"""A press before the board was looked at changes nothing; people press again."""
STILL = dict.fromkeys(Side, Manner.STILL)
"""Hands that do only what the test has them do."""


def sitting_in(folder: Path, **changes: Any) -> Sitting:
    """A table whose people are quick, and whose electronics need no compiler."""
    usual = {"seed": 5, "out": folder, "speed": 10.0, "length": 1, "firmware": False}
    return Sitting(**{**usual, **changes})


class Seated:
    """A simulated room that runs until the block ends."""

    def __init__(self, prepared: Prepared, sitting: Sitting) -> None:
        self.text: list[str] = []
        self.simulated = SimulatedRoom(sitting, prepared, self.text.append)
        self.table, self.room = self.simulated.table, self.simulated.room
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self.simulated.run, args=(self._stop,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self.room.inbox.wake()
        self._thread.join()

    # --- what can be seen -----------------------------------------------------------------------------------

    @property
    def known(self) -> Table:
        """What the referee knows."""
        known = self.room.view().referee
        assert known is not None, "no match is on"
        return known

    def until(self, what: Callable[[], bool]) -> None:
        """Wait for something to come true."""
        end = time.monotonic() + SETTLED_S
        while not what():
            assert time.monotonic() < end, "".join(self.text)
            assert self._thread.is_alive()
            time.sleep(0.03)

    def until_phase(self, *phases: Phase) -> None:
        self.until(lambda: self.room.view().referee is not None and self.known.phase in phases)

    def until_turn(self, side: Side) -> None:
        """Wait until a side is to roll or to play."""
        self.until_phase(Phase.TO_ROLL, Phase.MOVING)
        self.until(lambda: self.known.on_turn is side and self.known.phase in (Phase.TO_ROLL, Phase.MOVING))

    def until_told(self, words: str) -> None:
        self.until(lambda: words in "".join(self.text))

    def until_lies(self, position: Position) -> None:
        """Wait until the checkers truly lie like that."""
        self.until(lambda: self.table.table.checkers.position() == position)

    def next_picture(self) -> Picture:
        """The next picture of the camera."""
        before = self.room.glimpse()
        number = 0 if before is None else before.number
        self.until(lambda: (now := self.room.glimpse()) is not None and now.number > number)
        seen = self.room.glimpse()
        assert seen is not None
        return seen.picture

    # --- what people at the pages say -----------------------------------------------------------------------

    def ask(self, what: str, by: str = "director", **keys: Any) -> Reply:
        """Say something; it must be taken in."""
        reply = self.room.ask({"what": what, **keys}, by).result(SETTLED_S)
        assert reply.done, reply.words and reply.words("en")
        return reply

    def roll_opening(self) -> None:
        """Light opens with 3-1."""
        self.until_phase(Phase.OPENING_ROLL)
        self.ask("opening_roll", light=3, dark=1)

    # --- what hands do --------------------------------------------------------------------------------------

    def lay(self, after: Position) -> None:
        """Have the player on turn move checkers until the board lies so, and press his clock."""
        side = self.known.on_turn
        assert side is not None
        self.table.move(side, after)
        self.until(lambda: self.table.at_rest)
        self.press(lambda: self.table.press(side, CLOCKS[side]))

    def press(self, once: Callable[[], object]) -> None:
        """Press until the table asks for something else."""
        asked = self._asked
        while self._asked == asked:
            once()
            self._wait_for_another(asked)

    def _wait_for_another(self, asked: tuple[Phase, int]) -> None:
        end = time.monotonic() + AGAIN_S
        self.until(lambda: self._asked != asked or time.monotonic() > end)

    @property
    def _asked(self) -> tuple[Phase, int]:
        return self.known.phase, self.known.ply


def moved(position: Position, side: Side, *moves: tuple[int, int]) -> Position:
    """The position after a side carried checkers from point to point, legal or not; the points are its own."""
    points = list(position.points)
    for source, target in moves:
        for point, change in ((source, -1), (target, 1)):
            points[point - 1 if side is Side.LIGHT else 24 - point] += (
                change if side is Side.LIGHT else -change
            )
    return Position.from_counts(points, position.bar(Side.LIGHT), position.bar(Side.DARK))
