"""The seam that all dice are behind."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol

from controller.devices.link.happenings import DiceRolled

_GROUPS = range(29, 0, -3)


@dataclass(frozen=True, slots=True)
class DeviceRoll:
    """Two dice were thrown.

    Attributes:
        dice: the faces in the order they were told. They may be no faces at all: `gate.RollGate` judges that.
        at_s: when, on the host's monotonic clock.
        source: what told it: `firmware`, `text`, `pins`, `camera`, `typed`.
        key: tells this roll from every other one, where the source can; then it can come twice without harm.
        raw: the 32 random bits that the faces follow from, where the source has them.
        doubtful: the source itself warns of it.
    """

    dice: tuple[int, int]
    at_s: float
    source: str
    key: Hashable = None
    raw: int | None = None
    doubtful: bool = False


class DiceSource(Protocol):
    """Dice of any kind that tell their rolls by themselves; `gate.RollGate` sorts out what was not asked for.

    Nothing here blocks, or raises because a device is away.
    """

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """The rolls since the last call, in order."""

    def close(self) -> None:
        """Let go of the device."""


def faces(raw: int) -> tuple[int, int] | None:
    """The dice that 32 random bits stand for by the rule of hardware_docs/protocol.md; None if they hold too few."""
    found = [group + 1 for group in (raw >> shift & 7 for shift in _GROUPS) if group < 6]
    return (found[0], found[1]) if len(found) >= 2 else None


def roll_of(rolled: DiceRolled, at_s: float, key: Hashable) -> DeviceRoll:
    """A roll that the microcontroller reported."""
    return DeviceRoll(rolled.dice, at_s, "firmware", key, rolled.raw, rolled.doubtful)
