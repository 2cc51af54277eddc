"""Seconds of a match, from seconds of the machine."""

from collections.abc import Callable


class Stopwatch:
    """Runs on from where a match stood."""

    def __init__(self, clock: Callable[[], float], t: float = 0.0) -> None:
        """``clock`` tells monotonic seconds; ``t`` is what the match has come to."""
        self.clock = clock
        self._ahead = t - clock()

    def set(self, t: float) -> None:
        """The match has come to ``t`` now."""
        self._ahead = t - self.clock()

    def t(self, at_s: float) -> float:
        """Seconds of the match at ``at_s`` of the machine's clock, never below 0."""
        return max(0.0, at_s + self._ahead)

    def now(self) -> float:
        """Seconds of the match."""
        return self.t(self.clock())
