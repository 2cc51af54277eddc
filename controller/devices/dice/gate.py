"""Which rolls count: duplicate, impossible, late and unasked ones are told apart."""

from collections import deque
from collections.abc import Hashable
from enum import StrEnum
from typing import Final

from controller.devices.dice.source import DeviceRoll, faces

FACES: Final = range(1, 7)
KEYS_KEPT: Final = 256
ECHO_S: Final = 1.5


class RollVerdict(StrEnum):
    """What became of a roll."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    """It was told before."""
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

    def take(self, roll: DeviceRoll) -> RollVerdict:
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
