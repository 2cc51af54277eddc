"""Says at the table that a reflection may be why a die is not seen."""

from collections.abc import Callable
from functools import partial
from typing import Final

from controller.messages.device_words import LocalText
from controller.messages.sight_words import reflection_words
from controller.referee import Event, FrameSeen, Table
from controller.referee.events import FrameMoving
from controller.referee.table.settings import DiceFrom
from controller.vision import Reading

REST_S: Final = 3.0
"""So long one die must lie there alone: who takes up two dice one after the other needs less. Estimated."""


class Reflections:
    """Tells of each reflection once, where one die of a pair lies at rest and a lamp mirrors where the other may."""

    def __init__(self, tell: Callable[[LocalText], None], clock: Callable[[], float]) -> None:
        """Nothing was read yet; ``tell`` is given the sentences, ``clock`` gives monotonic seconds."""
        self._tell, self._clock = tell, clock
        self._seen: int | None = None
        self._told: int | None = None
        self._since: float | None = None

    def happened(self, table: Table, event: Event | None) -> None:
        """What happened at a table; None if only time went by. It matters where pictures tell the rolls."""
        now = self._clock()
        if isinstance(event, FrameSeen) and table.settings.dice is DiceFrom.CAMERA:
            self.read(event.reading, now)
        elif isinstance(event, FrameMoving):
            self._since = None
        self.rest(now)

    def read(self, reading: Reading, t: float) -> None:
        """What was read at a time (seconds)."""
        if not reading.recognised or reading.hand:
            self._since = None
            return
        before, self._seen = self._seen, None if reading.reflection is None else reading.reflection.point
        if self._seen is None:
            self._told = None
        elif self._seen != before or self._since is None:
            self._since = t

    def rest(self, t: float) -> None:
        """Nothing else happened until a time (seconds)."""
        if self._seen in (None, self._told) or self._since is None or t - self._since < REST_S:
            return
        self._told = self._seen
        self._tell(partial(reflection_words, self._seen))
