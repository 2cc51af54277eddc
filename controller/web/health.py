"""How a program does, in figures for whoever keeps it; nothing in them tells of players or of a game."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

BOUNDS_S: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of the classes in which times are counted; a verdict takes some hundredths on a Pi 5."""


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
        """It took so long once more."""
        for number, bound in enumerate(BOUNDS_S):
            self.counts[number] += seconds <= bound
        self.counts[-1] += 1
        self.total_s += seconds

    def spread(self, name: str, words: str) -> Spread:
        """What was counted."""
        return Spread(name, words, tuple(self.counts), self.total_s)


def value_of(figures: Sequence[Figure], name: str) -> float | None:
    """The value of a figure; None where there is none."""
    return next((each.value for each in figures if each.name == name), None)
