"""By how much a table's clock differs from the hub's, from questions and answers."""

from collections import deque
from statistics import median
from typing import Final

from controller.club.messages import TimeAnswer

ANSWERS: Final = 8
"""The median of this many answers counts, so that an answer that was held up on its way changes nothing."""
NOTED_S: Final = 0.2
"""A difference that has changed by more is written into the journal."""


class HubTime:
    """The hub's time, reckoned on a table whose own clock may be wrong."""

    def __init__(self) -> None:
        """No answer has come yet: the table's own time counts."""
        self._ahead_ms: deque[float] = deque(maxlen=ANSWERS)

    @property
    def known(self) -> bool:
        """Whether enough answers have come."""
        return len(self._ahead_ms) == ANSWERS

    @property
    def ahead_s(self) -> float:
        """By how many seconds the hub's clock is ahead of the table's; 0 while that is not known."""
        return median(self._ahead_ms) / 1000 if self._ahead_ms else 0.0

    def update(self, answer: TimeAnswer, arrived: int) -> None:
        """An answer of the hub came when the table's clock said ``arrived`` (milliseconds since 1970)."""
        ahead = ((answer.received - answer.asked) + (answer.sent - arrived)) / 2
        if self._ahead_ms and abs(ahead - median(self._ahead_ms)) > JUMP_MS:
            self._ahead_ms.clear()
        self._ahead_ms.append(ahead)

    def at(self, own_ms: int) -> int:
        """The hub's time when the table's clock says that, milliseconds since 1970."""
        return own_ms + round(self.ahead_s * 1000)


JUMP_MS: Final = 5_000.0
"""No answer is held up by so much and still comes: one of the two clocks was set."""
