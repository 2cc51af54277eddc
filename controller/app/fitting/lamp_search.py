"""Finds out on the set-up page where each lamp lies: they light one after another, and the table's camera looks."""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from calibration.lights import LightsError, see_order, see_pixels
from controller.arrays import Picture
from controller.aside import thread_aside
from controller.devices.lights.backends import Lights
from controller.errors import UserError
from controller.messages.device_words import LocalText, program_words
from controller.vision import Board
from controller.web.setup.set_up import Trial, TrialState
from controller.web.table_service import Glimpse

_LOGGER: Final = logging.getLogger(__name__)
SETTLE_S: Final = 0.35
"""From the word to the lamp until it shows in a picture: the way over the network, and the camera's exposure."""
PICTURE_S: Final = 5.0
"""A camera that gives no picture for so long gives none."""
WAIT_S: Final = 0.02

LampTable = dict[str, int | list[int]]


class _EndedError(Exception):
    """The search is to end."""


class LampSearch:
    """One search at a time; `view` may be asked from any thread."""

    def __init__(
        self,
        glimpse: Callable[[], Glimpse | None],
        lights: Callable[[], Lights],
        keep: Callable[[Board, LampTable], None],
    ) -> None:
        """Nothing is looked for yet.

        Args:
            glimpse: the newest picture.
            lights: those that there are now.
            keep: is given what was found, with the board that it was found for. Raises UserError.
        """
        self._glimpse, self._lights, self._keep = glimpse, lights, keep
        self._state, self._done, self._count = TrialState.READY, 0, 0
        self._said: LocalText | None = None
        self._ended: Callable[[], None] = lambda: None
        self._ending = threading.Event()

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._state is TrialState.RUNNING

    def view(self) -> Trial:
        """How far it is."""
        if self._state is TrialState.RUNNING:
            return Trial(self._state, program_words("lamps_sought", done=self._done, count=self._count))
        if self._state is TrialState.DONE:
            return Trial(self._state, self._said)
        return Trial(self._state if self._lights().lamps else TrialState.ABSENT)

    def begin(self, board: Board, ended: Callable[[], None], *, several: bool) -> None:
        """Look for every lamp; ``several`` may lie under one place. ``ended`` is called at the end."""
        self._state, self._done, self._count = TrialState.RUNNING, 0, self._lights().lamps
        self._ended = ended
        self._ending.clear()
        thread_aside(partial(self._work, board, several), "pointsman-lamps").start()

    def end(self) -> None:
        """Have it stop with the lamp that is lit now; nothing is kept."""
        self._ending.set()

    def _work(self, board: Board, several: bool) -> None:
        try:
            find = see_pixels if several else see_order
            found = find(self._count, self._shine, self._look, board.camera, board.geometry)
            table: LampTable = dict(found.table())
            self._keep(board, table)
            self._said = program_words("lamps_found")
        except _EndedError:
            _LOGGER.info("The search for the lamps was ended.")
        except UserError as error:
            self._said = program_words("lamps_not_found", why=error)
        except Exception:  # a fault of ours must neither look like success nor keep the table from playing
            _LOGGER.exception("The lamps could not be looked for.")
            self._said = program_words("failed")
        finally:
            self._lights().shine(None)
            self._ended()
            self._state = TrialState.DONE

    def _shine(self, lamp: int | None) -> None:
        if lamp is not None:
            self._done = lamp + 1
        self._lights().shine(lamp)
        if self._ending.wait(SETTLE_S):
            raise _EndedError

    def _look(self) -> Picture:
        """The next picture. Raises LightsError where there is none."""
        before, end = self._glimpse(), time.monotonic() + PICTURE_S
        while time.monotonic() < end:
            now = self._glimpse()
            if now is not None and (before is None or now.number != before.number):
                return now.picture
            if self._ending.wait(WAIT_S):
                raise _EndedError
        raise LightsError("The camera gives no pictures; see to it, and look for the lamps again.")
