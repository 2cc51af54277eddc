"""What a table's program counts of itself."""

import shutil
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.logs.defect import Defect
from controller.referee import Action, Flagged, TurnJudged
from controller.web.health import Figure, Health, Times

LOOK_BACK_S: Final = 10.0
"""Pictures a second are those of so many seconds before now."""
STUCK_S: Final = 10.0
"""A loop that has not turned for so long is stuck: it turns fifty times a second."""


class Figures:
    """Counts at a table; read from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` tells monotonic seconds."""
        self._clock = clock
        self._pictures = self._defects = 0
        self._recent: deque[float] = deque(maxlen=1000)
        self._verdicts = Times()
        self._turned_at: float | None = None

    def turned(self) -> None:
        """The loop has turned once more."""
        self._turned_at = self._clock()

    def picture(self) -> None:
        """A picture came."""
        self._pictures += 1
        self._recent.append(self._clock())

    def defect(self, _: Defect) -> None:
        """A defect was logged."""
        self._defects += 1

    def put(self, actions: tuple[Action, ...], seconds: float) -> None:
        """What came of an event was written down and shown so long after it was taken from the queue."""
        if any(isinstance(action, TurnJudged | Flagged) for action in actions):
            self._verdicts.add(seconds)

    def health(self, waiting: int, unwritten: int, folder: Path) -> Health:
        """How the table does.

        Args:
            waiting: events in the queue.
            unwritten: events of the journal that the disk has not taken.
            folder: where matches go.
        """
        now = self._clock()
        recent = sum(now - at <= LOOK_BACK_S for at in tuple(self._recent))
        well = self._turned_at is None or now - self._turned_at < STUCK_S
        age = now - self._recent[-1] if self._recent else None
        return Health(
            well,
            (
                Figure("pictures", "Pictures that the camera gave.", self._pictures, counts_up=True),
                Figure("pictures_per_second", "Pictures a second, of late.", recent / LOOK_BACK_S),
                Figure("picture_age_seconds", "How old the newest picture is.", age),
                Figure("queue_events", "Events that wait for the referee.", waiting),
                Figure("journal_waiting_events", "Events that wait for the disk.", unwritten),
                Figure("disk_free_bytes", "Room on the disk of the matches.", free_bytes(folder)),
                Figure(
                    "defects", "Errors of the program that nobody foresaw.", self._defects, counts_up=True
                ),
            ),
            (self._verdicts.spread("verdict_seconds", "From an event to its verdict, written down."),),
        )


def free_bytes(folder: Path) -> float | None:
    """Room on the disk of a folder, or of the nearest one above it that exists; None where that is not known."""
    for place in (folder, *folder.absolute().parents):
        try:
            return float(shutil.disk_usage(place).free)
        except OSError:
            continue
    return None
