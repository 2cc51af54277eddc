"""One threshold: its value as delivered, its unit, the range in which it makes sense, and what it means.

A class of thresholds is a frozen dataclass whose fields are made by the functions here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, TypeVar

T = TypeVar("T", int, float)


class Unit(StrEnum):
    """What a threshold counts or measures; the values are the words that people read."""

    LOG_ODDS = "log-odds"
    LOG_ODDS_PER_SECOND = "log-odds a second"
    SHARE = "a share"
    TIMES = "times as much"
    PICTURES = "pictures"
    SECONDS = "seconds"
    PIXELS = "pixels"
    MILLIMETRES = "millimetres"
    DEGREES = "degrees"
    POINTS = "points"
    PLACES = "places"
    CHECKERS = "checkers"
    MOVES = "moves"
    RULES = "rules"
    TURNS = "turns"
    EXPLANATIONS = "explanations"


@dataclass(frozen=True, slots=True)
class Threshold:
    """What is known of one threshold.

    Attributes:
        name: the field that holds it.
        default: its value as delivered; a whole number where only whole numbers make sense.
        unit: what it counts or measures.
        least, most: the range in which it makes sense, both ends included.
        meaning: what it is for, in a sentence.
    """

    name: str
    default: int | float
    unit: Unit
    least: int | float
    most: int | float
    meaning: str

    @property
    def whole(self) -> bool:
        """Whether only whole numbers make sense."""
        return isinstance(self.default, int)


def thresholds_of(held: type) -> Iterator[Threshold]:
    """The thresholds of a class, in the order of its fields; a field that is none is left out."""
    for each in fields(held):
        if "unit" in each.metadata:
            yield Threshold(each.name, **each.metadata)


def threshold(default: T, unit: Unit, least: T, most: T, meaning: str) -> T:
    """A field with a threshold; see `Threshold`."""
    metadata = {"default": default, "unit": unit, "least": least, "most": most, "meaning": meaning}
    made: Any = field(default=default, metadata=metadata)
    return made  # type: ignore[no-any-return]


def odds(default: float, meaning: str, most: float = 30.0) -> float:
    """A field in log-odds, from 0: natural logarithms."""
    return threshold(default, Unit.LOG_ODDS, 0.0, most, meaning)


def rate(default: float, meaning: str) -> float:
    """A field with the share of errors: never none, and at most one in two."""
    return threshold(default, Unit.SHARE, 0.0001, 0.5, meaning)


def share(default: float, meaning: str, least: float = 0.0) -> float:
    """A field with a share, up to 1."""
    return threshold(default, Unit.SHARE, least, 1.0, meaning)


def pictures(default: int, meaning: str, most: int = 10) -> int:
    """A field with a number of pictures, one at least."""
    return threshold(default, Unit.PICTURES, 1, most, meaning)


def seconds(default: float, meaning: str) -> float:
    """A field with a time, up to a minute."""
    return threshold(default, Unit.SECONDS, 0.0, 60.0, meaning)


def points(default: int, meaning: str, least: int = 1) -> int:
    """A field with a number of points of the board."""
    return threshold(default, Unit.POINTS, least, 24, meaning)


def turns(default: int, meaning: str, most: int = 8) -> int:
    """A field with a number of turns, which may be none."""
    return threshold(default, Unit.TURNS, 0, most, meaning)


def factor(default: float, meaning: str, least: float, most: float = 10.0) -> float:
    """A field that something is multiplied by."""
    return threshold(default, Unit.TIMES, least, most, meaning)
