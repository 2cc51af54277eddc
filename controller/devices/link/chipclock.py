"""The chip's clock as seen from the host."""

from typing import Final

DRIFT: Final = 0.006
"""How fast the two clocks may run apart: the 0.5 % of a ceramic resonator (many Nanos have no crystal), with room."""
WRAP_MS: Final = 2**32


class ChipClock:
    """Maps the chip's milliseconds to the host's monotonic seconds.

    A message can arrive late but never early, so the smallest difference seen is the best one; it is allowed to
    grow slowly, because the clocks drift.
    """

    def __init__(self) -> None:
        self._offset: float | None = None
        self._seen_at = 0.0

    def saw(self, now_ms: int, received_s: float) -> None:
        """A message sent at `now_ms` by the chip arrived at `received_s`."""
        offset = received_s - now_ms / 1000
        if self._offset is not None:
            crept = self._offset + DRIFT * (received_s - self._seen_at)
            wrapped = offset - crept > WRAP_MS / 2000
            offset = offset if wrapped else min(offset, crept)
        self._offset, self._seen_at = offset, received_s

    def at(self, t_ms: int, received_s: float, now_ms: int) -> float:
        """Host seconds of `t_ms`, which came in a message sent at `now_ms`; never later than `received_s`."""
        offset = received_s - now_ms / 1000 if self._offset is None else self._offset
        age_ms = (now_ms - t_ms) % WRAP_MS
        return min(received_s, now_ms / 1000 + offset) - age_ms / 1000
