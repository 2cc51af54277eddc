"""The time of day that tables and hubs reckon with: it runs evenly, and jumps only where somebody has it follow."""

import time
from collections.abc import Callable
from typing import Final

SET_MS: Final = 1_000
"""A clock that is less wrong than this is left as it is."""
TOGETHER_NS: Final = 50_000_000
"""Two clocks that were not read within this time say nothing of each other: the program was held up."""


class EvenClock:
    """Milliseconds since 1970, as the machine says at the start; they jump only in `follow`.

    A machine without a clock of its own hears what time it is from the network, after it has begun; one that slept
    wakes up later.
    """

    def __init__(
        self,
        wall_ns: Callable[[], int] = time.time_ns,
        steady_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Begin with the machine's time.

        Args:
            wall_ns: nanoseconds since 1970, as the machine says; they may jump.
            steady_ns: nanoseconds on a clock that never jumps.
        """
        self._wall_ns, self._steady_ns = wall_ns, steady_ns
        self._began_ns = wall_ns() - steady_ns()

    def __call__(self) -> int:
        """The time now."""
        return (self._began_ns + self._steady_ns()) // 1_000_000

    def follow(self) -> int:
        """Take the machine's time if its clock was set; by how many milliseconds this one has moved."""
        before_ns, wall_ns, after_ns = self._steady_ns(), self._wall_ns(), self._steady_ns()
        moved_ns = wall_ns - (self._began_ns + before_ns)
        if abs(moved_ns) <= SET_MS * 1_000_000 or after_ns - before_ns > TOGETHER_NS:
            return 0
        self._began_ns += moved_ns
        return moved_ns // 1_000_000
