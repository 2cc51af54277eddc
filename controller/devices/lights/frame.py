"""What the lights say, before anybody asks which lamp lies where."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Self


class Signal(StrEnum):
    """The meanings that a light can have. Each has a colour *and* a rhythm of its own (`palette`), so that nobody has
    to tell them apart by colour alone.
    """

    DARK = "dark"
    MOVABLE = "movable"
    """This checker may be moved."""
    LANDING = "landing"
    """The checker in hand may land here."""
    PLAYED = "played"
    """Something was moved here, all in order."""
    WRONG = "wrong"
    """This is where the play breaks a rule."""
    TAKE = "take"
    """Take a checker away from here."""
    PUT = "put"
    """Put a checker here."""
    UNSURE = "unsure"
    """The camera is not sure: please look."""
    WAITING = "waiting"
    """The device waits for somebody."""


SIDES: Final = ("light", "dark")
POINTS: Final = 24

Place = int | str
"""A point 1 to 24 counted from light's side, or `bar-light`, `bar-dark`, `tray-light`, `tray-dark`, `status`."""

PLACES: Final[tuple[Place, ...]] = (
    *range(1, POINTS + 1),
    *(f"bar-{side}" for side in SIDES),
    *(f"tray-{side}" for side in SIDES),
    "status",
)
"""Every place that has a light."""


def _index(place: Place) -> int:
    if place not in PLACES:
        raise ValueError(f"no light at {place!r}")
    return PLACES.index(place)


@dataclass(frozen=True, slots=True)
class LightFrame:
    """One signal for every place: a whole picture, never a change to another one.

    Attributes:
        points: 24 signals, `points[0]` is light's 1-point.
        bar, tray: for light and for dark.
        status: the lamp that tells how the device is.
    """

    points: tuple[Signal, ...] = (Signal.DARK,) * POINTS
    bar: tuple[Signal, Signal] = (Signal.DARK, Signal.DARK)
    tray: tuple[Signal, Signal] = (Signal.DARK, Signal.DARK)
    status: Signal = Signal.DARK
    _all: tuple[Signal, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the number of points; ValueError if it is not 24."""
        if len(self.points) != POINTS:
            raise ValueError(f"a frame of {len(self.points)} points")
        object.__setattr__(self, "_all", (*self.points, *self.bar, *self.tray, self.status))

    def __getitem__(self, place: Place) -> Signal:
        """The signal of a place; ValueError if there is no such place."""
        return self._all[_index(place)]

    def signals(self) -> tuple[Signal, ...]:
        """All signals in the order of `PLACES`."""
        return self._all

    def lit(self, signal: Signal, places: Iterable[Place]) -> Self:
        """The same frame with these places showing `signal`; ValueError if there is no such place."""
        signals = list(self._all)
        for place in places:
            signals[_index(place)] = signal
        bars, trays = POINTS, POINTS + len(SIDES)
        return replace(
            self,
            points=tuple(signals[:POINTS]),
            bar=(signals[bars], signals[bars + 1]),
            tray=(signals[trays], signals[trays + 1]),
            status=signals[-1],
        )
