"""What goes wrong on request: each fault comes now and then, and passes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from controller.errors import UserError
from controller.simulation.tabletop.tabletop import Tabletop

FIRST_S: Final = (15.0, 45.0)
NEXT_S: Final = (30.0, 90.0)
LASTS_S: Final = 4.0
DIM_S: Final = 20.0
DIMMED: Final = (0.55, 0.8)
BUMP_MM: Final = 4.0


class Mishap(StrEnum):
    """What can go wrong."""

    CAMERA = "camera"
    """The camera is pulled out for a moment."""
    CABLE = "cable"
    """So is the cable of the electronics."""
    BUMP = "bump"
    """Somebody pushes the board."""
    LIGHT = "light"
    """A lamp goes off, and on again."""
    POWER = "power"
    """The computer loses its power, and starts again from the journal."""


class FaultError(UserError):
    """A fault that there is not."""


def faults_of(text: str) -> tuple[Mishap, ...]:
    """The faults that a list such as ``camera,bump`` names; ``all`` are all. Raises FaultError."""
    if text == "all":
        return tuple(Mishap)
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(Mishap)]
    if unknown:
        raise FaultError(f'There is no fault "{unknown[0]}"; give some of {", ".join(Mishap)}, or all.')
    return tuple(Mishap(name) for name in names)


class FaultyTable(Protocol):
    """What faults befall."""

    @property
    def t(self) -> float:
        """Seconds since play began."""

    @property
    def table(self) -> Tabletop:
        """What lies there."""

    def blind(self, lost: bool) -> None:
        """The camera is pulled out, or put back."""

    def unplug(self, pulled: bool) -> None:
        """The cable of the electronics comes off, or is put back."""

    def cut_power(self) -> None:
        """The computer loses its power, and starts again."""


@dataclass(slots=True)
class Trouble:
    """Makes the faults happen, one after the other.

    Attributes:
        kinds: which.
        rng: when, and how much.
        happened: those that came so far.
    """

    kinds: Sequence[Mishap]
    rng: np.random.Generator
    happened: list[Mishap] = field(default_factory=list)
    _next_t: float | None = None
    _mend_t: float | None = None

    def attend(self, show: FaultyTable) -> None:
        """Begin what is due, end what has lasted."""
        if not self.kinds:
            return
        if self._next_t is None:
            self._next_t = show.t + float(self.rng.uniform(*FIRST_S))
        if self._mend_t is not None and show.t >= self._mend_t:
            self._mend(show)
        if self._mend_t is None and show.t >= self._next_t:
            self._begin(show)

    def _begin(self, show: FaultyTable) -> None:
        kind = self.kinds[len(self.happened) % len(self.kinds)]
        self.happened.append(kind)
        self._next_t = show.t + float(self.rng.uniform(*NEXT_S))
        lasts = LASTS_S
        match kind:
            case Mishap.CAMERA:
                show.blind(True)
            case Mishap.CABLE:
                show.unplug(True)
            case Mishap.BUMP:
                x, y = (float(value) for value in self.rng.uniform(-BUMP_MM, BUMP_MM, 2))
                show.table.bump(x, y, float(self.rng.normal(0, 0.004)))
            case Mishap.LIGHT:
                show.table.lamp.change(show.table.t, float(self.rng.uniform(*DIMMED)))
                lasts = DIM_S
            case Mishap.POWER:
                show.cut_power()
        self._mend_t = show.t + lasts

    def _mend(self, show: FaultyTable) -> None:
        self._mend_t = None
        match self.happened[-1]:
            case Mishap.CAMERA:
                show.blind(False)
            case Mishap.CABLE:
                show.unplug(False)
            case Mishap.LIGHT:
                show.table.lamp.change(show.table.t, 1.0)
