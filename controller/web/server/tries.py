"""Limits on guessing a PIN: for each address by itself, and for all of them together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

TRIES: Final = 5
"""So many wrong PINs one address may send before it has to wait."""
WAIT_S: Final = 30.0
LONGEST_WAIT_S: Final = 900.0
TRIES_AN_HOUR: Final = 60
"""So many wrong PINs all addresses together may send in an hour."""


@dataclass(slots=True)
class _Waits:
    """Wrong PINs of one address."""

    wrong: int = 0
    until: float = 0.0


@dataclass(slots=True)
class WrongTries:
    """Wrong PINs, by the addresses that they came from.

    Attributes:
        now: seconds on a clock that never runs backwards.
        wrong: how many there were.
    """

    now: Callable[[], float]
    wrong: int = 0
    _waits: dict[str, _Waits] = field(default_factory=dict)
    _wrong_at: list[float] = field(default_factory=list)

    def must_wait(self, address: str) -> bool:
        """Whether an address may not try just now."""
        now = self.now()
        self._wrong_at = [t for t in self._wrong_at if t > now - 3600]
        waits = self._waits.get(address)
        return len(self._wrong_at) >= TRIES_AN_HOUR or (waits is not None and now < waits.until)

    def count(self, address: str) -> None:
        """Another wrong PIN came; from the fifth on each has its address wait twice as long."""
        now = self.now()
        self.wrong += 1
        self._wrong_at.append(now)
        waits = self._waits.setdefault(address, _Waits())
        waits.wrong += 1
        if waits.wrong >= TRIES:
            waits.until = now + min(WAIT_S * 2 ** (waits.wrong - TRIES), LONGEST_WAIT_S)
