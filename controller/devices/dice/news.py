"""The seam that all dice units are behind: what a unit tells, whatever it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from controller.devices.dice.status import DiceCode

WHOLE: str = ""
"""The name in news that are not of one die but of the whole unit; also that of a die that has none."""


class DieState(StrEnum):
    """What a die does."""

    ROLLING = "rolling"
    SETTLED = "settled"
    """It came to rest after it had rolled, and shows its face."""
    LEANING = "leaning"
    """It came to rest after it had rolled, and leans; the face is the one that is nearest."""
    HANDLED = "handled"
    """It is in somebody's hand."""
    TURNED = "turned"
    """It lies still without having rolled: it was turned, moved or put down."""


@dataclass(frozen=True, slots=True)
class DieNews:
    """What one die does, from `at_s` on (host's monotonic seconds); `face` where it lies."""

    die: str
    state: DieState
    at_s: float
    face: int | None = None


@dataclass(frozen=True, slots=True)
class BothSettled:
    """Two dice lie still, of a unit that tells nothing of each by itself; the faces in its order."""

    faces: tuple[int, int]
    at_s: float


@dataclass(frozen=True, slots=True)
class DieBattery:
    """How full a die's battery is, in percent."""

    die: str
    percent: int


class Colour(StrEnum):
    """What a die looks like: plain colours of GoDice, and what the maker of Pixels calls theirs."""

    BLACK = "black"
    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    YELLOW = "yellow"
    ORANGE = "orange"
    ONYX_BLACK = "onyx_black"
    HEMATITE_GREY = "hematite_grey"
    MIDNIGHT_GALAXY = "midnight_galaxy"
    AURORA_SKY = "aurora_sky"
    CLEAR = "clear"
    WHITE_AURORA = "white_aurora"


@dataclass(frozen=True, slots=True)
class DieColour:
    """What a die looks like; GoDice tell the colour of their pips."""

    die: str
    colour: Colour


@dataclass(frozen=True, slots=True)
class DieGone:
    """A die, or the whole unit, cannot be reached, and why in the system's words; empty where nobody says."""

    die: str = WHOLE
    why: str = ""


@dataclass(frozen=True, slots=True)
class DieBack:
    """A die, or the whole unit, can be reached; `kind` is what it turned out to be, such as `GoDice`."""

    die: str = WHOLE
    kind: str = ""


@dataclass(frozen=True, slots=True)
class StrangeLine:
    """The unit sends something that fits nothing: a code, with the arguments of its sentence."""

    code: DiceCode
    arguments: Mapping[str, str] = field(default_factory=dict)


DiceNews = DieNews | BothSettled | DieBattery | DieColour | DieGone | DieBack | StrangeLine


class DiceUnit(Protocol):
    """A dice unit of any kind. Nothing here blocks, or raises because the unit is away."""

    def poll(self, now_s: float, /) -> list[DiceNews]:
        """What the unit told since the last call, in order; call it 20 times a second or more."""

    def close(self) -> None:
        """Let go of the unit."""
