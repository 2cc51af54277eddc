"""How far confidences can be believed: of what was stated so surely, how much was right."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

BOUNDS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.01)


@dataclass(frozen=True, slots=True)
class Stated:
    """Something that was told: how surely (0..1), and whether it is right."""

    confidence: float
    right: bool


@dataclass(frozen=True, slots=True)
class Part:
    """What was stated about equally surely: how many, how surely on average, and the share that is right (0..1)."""

    count: int
    stated: float
    right: float


def reliability(stated: Sequence[Stated]) -> list[Part]:
    """The reliability curve: a part for each two of `BOUNDS` between which anything was stated."""
    parts = []
    for low, high in pairwise(BOUNDS):
        here = [one for one in stated if low <= one.confidence < high]
        if here:
            sure, right = sum(one.confidence for one in here), sum(one.right for one in here)
            parts.append(Part(len(here), sure / len(here), right / len(here)))
    return parts


def calibration_error(stated: Sequence[Stated]) -> float:
    """The expected calibration error (0..1): how far the parts of the curve are off, weighed by their sizes."""
    gaps = sum(part.count * abs(part.stated - part.right) for part in reliability(stated))
    return gaps / max(len(stated), 1)
