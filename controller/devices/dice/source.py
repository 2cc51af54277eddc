"""The seam that all dice are behind, and which of their rolls count."""

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from controller.devices.link.happenings import DiceRolled

_GROUPS = range(29, 0, -3)
FACES: Final = range(1, 7)
KEYS_KEPT: Final = 256
ECHO_S: Final = 1.5


@dataclass(frozen=True, slots=True)
class DeviceRoll:
    """Two dice were thrown.

    Attributes:
        dice: the faces in the order they were reported. They may be no faces at all: `RollGate` judges that.
        at_s: when, on the host's monotonic clock.
        source: what reported it: `firmware`, `text`, `pins`, `plugin`, `bluetooth`.
        key: tells this roll from every other one, where the source can; then it can come twice without harm.
        raw: the 32 random bits that the faces follow from, where the source has them.
        doubtful: the source itself warns of it.
        cocked: a die leans.
        owner: whose dice they are, `light` or `dark`; empty for dice that both use.
    """

    dice: tuple[int, int]
    at_s: float
    source: str
    key: Hashable = None
    raw: int | None = None
    doubtful: bool = False
    cocked: bool = False
    owner: str = ""


class DiceSource(Protocol):
    """Dice of any kind that tell their rolls by themselves; `RollGate` sorts out what was not asked for.

    Nothing here blocks, or raises because a device is away.
    """

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """The rolls since the last call, in order."""

    def expect(self, *, opening: bool, side: str = "") -> None:
        """What is waited for: at an ``opening`` each side may throw one of its own dice; else ``side`` rolls.

        It is `light` or `dark`, or empty where that is not known. What the other side's own dice do meanwhile is
        nobody's trouble.
        """

    def close(self) -> None:
        """Let go of the device."""


def faces(raw: int) -> tuple[int, int] | None:
    """The dice that 32 random bits stand for by the rule of hardware_docs/protocol.md; None if they hold too few."""
    found = [group + 1 for group in (raw >> shift & 7 for shift in _GROUPS) if group < 6]
    return (found[0], found[1]) if len(found) >= 2 else None


def roll_of(rolled: DiceRolled, at_s: float, key: Hashable) -> DeviceRoll:
    """A roll that the microcontroller reported."""
    return DeviceRoll(rolled.dice, at_s, "firmware", key, rolled.raw, rolled.doubtful)


class RollVerdict(StrEnum):
    """What became of a roll."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    """It was reported before."""
    IMPOSSIBLE = "impossible"
    """No dice show that, or its random bits give other faces."""
    LATE = "late"
    """It was thrown before this turn's roll was waited for."""
    UNASKED = "unasked"
    """No roll is waited for."""


class RollGate:
    """Decides over one table's rolls. Pure: all times come in."""

    def __init__(self, echo_s: float = ECHO_S) -> None:
        """The same faces from one source without keys are one roll within `echo_s` seconds."""
        self._echo_s = echo_s
        self._opened_at: float | None = None
        self._last: DeviceRoll | None = None
        self._keys: deque[Hashable] = deque(maxlen=KEYS_KEPT)

    def open(self, now_s: float) -> None:
        """A roll is waited for from now on."""
        self._opened_at = now_s

    def close(self) -> None:
        """No roll is waited for any more."""
        self._opened_at = None

    @property
    def is_open(self) -> bool:
        """Whether a roll is waited for."""
        return self._opened_at is not None

    def judge(self, roll: DeviceRoll) -> RollVerdict:
        """Judge a roll; an accepted one closes the gate."""
        verdict = self._judge(roll)
        if verdict is not RollVerdict.DUPLICATE:
            self._last = roll
            if roll.key is not None:
                self._keys.append(roll.key)
        if verdict is RollVerdict.ACCEPTED:
            self.close()
        return verdict

    def _judge(self, roll: DeviceRoll) -> RollVerdict:
        if self._is_known(roll):
            return RollVerdict.DUPLICATE
        if any(die not in FACES for die in roll.dice):
            return RollVerdict.IMPOSSIBLE
        if roll.raw is not None and faces(roll.raw) != roll.dice:
            return RollVerdict.IMPOSSIBLE
        if self._opened_at is None:
            return RollVerdict.UNASKED
        return RollVerdict.ACCEPTED if roll.at_s >= self._opened_at else RollVerdict.LATE

    def _is_known(self, roll: DeviceRoll) -> bool:
        if roll.key is not None:
            return roll.key in self._keys
        last = self._last
        if last is None or (last.source, last.dice) != (roll.source, roll.dice):
            return False
        return roll.at_s - last.at_s < self._echo_s
