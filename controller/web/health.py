"""How a program does, in figures for whoever keeps it; nothing in them tells of players or of a game."""

import shutil
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

BOUNDS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the classes in which times are counted."""
LOOK_BACK_S: Final = 10.0
"""Pictures a second are counted over this many seconds before now."""
STUCK_S: Final = 10.0
"""A loop that has not turned for this time is stuck: it turns fifty times a second."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure.

    Attributes:
        name: as Prometheus writes it, with its unit, such as ``disk_free_bytes``.
        words: what it is.
        value: how much; None where that is not known.
        counts_up: whether it only ever grows.
    """

    name: str
    words: str
    value: float | None
    counts_up: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """How long something took, each time.

    Attributes:
        name, words: as of `Figure`.
        counts: how often it took at most each of `BOUNDS_S`, and at last how often in all.
        total_s: all times together.
    """

    name: str
    words: str
    counts: tuple[int, ...]
    total_s: float


@dataclass(frozen=True, slots=True)
class Health:
    """How a program does.

    Attributes:
        well: whether it does what it is there for.
        figures: the figures.
        spreads: the times.
    """

    well: bool
    figures: tuple[Figure, ...] = ()
    spreads: tuple[Spread, ...] = ()


@dataclass(slots=True)
class Times:
    """Counts how long something takes."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    total_s: float = 0.0

    def add(self, seconds: float) -> None:
        """Count one more time that it took."""
        for number, bound in enumerate(BOUNDS_S):
            self.counts[number] += seconds <= bound
        self.counts[-1] += 1
        self.total_s += seconds

    def spread(self, name: str, words: str) -> Spread:
        """What was counted."""
        return Spread(name, words, tuple(self.counts), self.total_s)


class TableFigures:
    """Counts at a table; read from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` tells monotonic seconds."""
        self._clock = clock
        self._pictures = self._defects = 0
        self._recent: deque[float] = deque(maxlen=1000)
        self._verdicts = Times()
        self._turned_at: float | None = None
        self._taken_at = 0.0

    def turned(self) -> None:
        """The loop has turned once more."""
        self._turned_at = self._clock()

    def picture(self) -> None:
        """A picture came."""
        self._pictures += 1
        self._recent.append(self._clock())

    def defect(self, _: object) -> None:
        """A defect was logged."""
        self._defects += 1

    def taken(self) -> None:
        """An event was taken from the queue."""
        self._taken_at = self._clock()

    def verdict(self) -> None:
        """A verdict on the event that was taken last is written down: count the time since then."""
        self._verdicts.add(self._clock() - self._taken_at)

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
