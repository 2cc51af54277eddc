"""How quickly commands may come from one page."""

from collections.abc import Callable
from typing import Final

AT_ONCE: Final = 100
"""This many commands may come at once."""
A_SECOND: Final = 5.0
"""This many more may come with each second."""
KEPT: Final = 1024
"""This many senders are remembered."""


class Pace:
    """Counts what each sender may still send. For one thread."""

    def __init__(self, now: Callable[[], float]) -> None:
        """``now`` tells seconds on a clock that never runs backwards."""
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, sender: str) -> bool:
        """Whether one more may come from a sender; it is counted then."""
        now = self._now()
        left, then = self._left.pop(sender, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - then) * A_SECOND)
        allowed = left >= 1.0
        self._left[sender] = (left - allowed, now)
        if len(self._left) > KEPT:
            del self._left[next(iter(self._left))]
        return allowed
