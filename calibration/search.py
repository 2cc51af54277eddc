"""A calibration that goes on beside other work: it tells how far it is, and can be ended."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from calibration.calibrate import (
    Calibration,
    CalibrationError,
    CalibrationPicture,
    CalibrationStep,
    MarkerUse,
    calibrate,
)
from calibration.finder import Quadrant
from controller.arrays import FloatArray
from controller.aside import thread_aside

_LOGGER: Final = logging.getLogger(__name__)

STEPS: Final = tuple(CalibrationStep)


class SearchEndedError(Exception):
    """Nobody wants the outcome any more."""


@dataclass(frozen=True, eq=False)
class SearchProgress:
    """How far a search is.

    Attributes:
        step: what is being done, or was done last.
        over: whether nothing more comes.
        board: what was learned, if it was.
        trouble: why nothing was learned, with the remedy.
        why: the same where only the program is to blame.
    """

    step: CalibrationStep = CalibrationStep.FINDING
    over: bool = False
    board: Calibration | None = None
    trouble: CalibrationError | None = None
    why: str = ""

    @property
    def done(self) -> float:
        """The share of the steps that are done, 0 to 1."""
        return 1.0 if self.over else STEPS.index(self.step) / len(STEPS)


class BoardSearch:
    """Calibrates in a thread of its own, once. All methods may be called from any thread."""

    def __init__(
        self,
        views: Sequence[CalibrationPicture],
        light_home: Quadrant | None = None,
        corners: FloatArray | None = None,
        markers: MarkerUse = "auto",
        after: "BoardSearch | None" = None,
    ) -> None:
        """Nothing is looked at before `start`, nor before the search ``after`` has ended.

        The other arguments are those of `calibrate`. The networks that read pictures serve one thread at a time, so
        nobody else may read while a search is `alive`.
        """
        self._after = after
        self._views, self._light_home, self._corners, self._markers = views, light_home, corners, markers
        self._progress = SearchProgress()
        self._ending = threading.Event()
        self._thread = thread_aside(self._work, "pointsman-calibration")

    @property
    def progress(self) -> SearchProgress:
        """How far it is now."""
        return self._progress

    @property
    def alive(self) -> bool:
        """Whether it still looks at pictures, ended or not."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """Have it stop at the next opportunity, a second later at most; what it learns after that is not kept."""
        self._ending.set()

    def wait(self, timeout_s: float | None = None) -> SearchProgress:
        """How far it is when it is over, or when this many seconds have gone by."""
        self._thread.join(timeout_s)
        return self._progress

    def _follow(self, step: CalibrationStep) -> None:
        if self._ending.is_set():
            raise SearchEndedError
        self._progress = SearchProgress(step)

    def _work(self) -> None:
        if self._after is not None:
            self._after.wait()
            self._after = None
        try:
            board = calibrate(self._views, self._light_home, self._corners, self._markers, self._follow)
            self._follow(CalibrationStep.CHECKING)
            outcome = SearchProgress(CalibrationStep.CHECKING, over=True, board=board)
        except SearchEndedError:
            outcome = SearchProgress(self._progress.step, over=True)
        except CalibrationError as error:
            outcome = SearchProgress(self._progress.step, over=True, trouble=error)
        except Exception as error:  # whatever is wrong with one picture, another one may be tried
            _LOGGER.exception("A defect while a board was looked for.")
            why = f"{type(error).__name__}: {error}"
            outcome = SearchProgress(self._progress.step, over=True, why=why)
        self._progress = outcome
