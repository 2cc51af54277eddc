"""How far confidences can be believed: of what was stated so surely, how much was right."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any

BOUNDS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.01)
SAID = (0.0, 0.5, 0.8, 0.9, 0.99, 1.01)
"""The same in the bands in which people think of verdicts: 99 % and more, 90 to 99 %, and so on."""


@dataclass(frozen=True, slots=True)
class Stated:
    """Something that was told: how surely (0..1), and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Part:
    """What was stated about equally surely: how many, how surely on average, and the share that is right (0..1).

    ``low`` and ``high`` (0..1) are between what it was stated.
    """

    count: int
    stated: float
    right: float
    low: float = 0.0
    high: float = 1.0

    @property
    def spread(self) -> tuple[float, float]:
        """Between which shares the true one lies, by Wilson's interval of 95 %."""
        z, n, p = 1.96, self.count, self.right
        middle, wide = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - wide) / (1 + z * z / n), (middle + wide) / (1 + z * z / n)


def reliability(stated: Sequence[Stated], bounds: Sequence[float] = BOUNDS) -> list[Part]:
    """The reliability curve: a part for each two bounds between which anything was stated.

    What was stated just as surely as the lower bound belongs to it. The last bound lies above 1, so that what was
    stated with certainty is counted, too.
    """
    parts = []
    for low, high in pairwise(bounds):
        here = [one for one in stated if low <= one.confidence < high]
        if here:
            sure, right = sum(one.confidence for one in here), sum(one.right for one in here)
            parts.append(Part(len(here), sure / len(here), right / len(here), low, min(1.0, high)))
    return parts


def calibration_error(stated: Sequence[Stated]) -> float:
    """The expected calibration error (0..1): how far the parts of the curve are off, weighed by their sizes."""
    gaps = sum(part.count * abs(part.stated - part.right) for part in reliability(stated))
    return gaps / max(len(stated), 1)


def rows_of_calibration(what: str, stated: Sequence[Stated]) -> list[dict[str, Any]]:
    """Of what was told so surely so much was so: rows of a benchmark, the surest first."""
    return [
        {
            "name": f"{what}: of {part.count} turns told with {name_band(part.low, part.high)} so many were so",
            "value": round(100 * part.right, 1),
            "unit": "%",
            "target": round(100 * part.low) if part.low >= 0.9 else None,
        }
        for part in reversed(reliability(stated, SAID))
    ]


def name_band(low: float, high: float) -> str:
    """Between what something was told, in words."""
    return f"{100 * low:.0f} % and more" if high >= 1.0 else f"{100 * low:.0f} to {100 * high:.0f} %"
