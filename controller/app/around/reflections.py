"""Says at the table that a reflection may be why a die is not seen."""

from collections.abc import Callable
from functools import partial

from controller.messages.device_words import LocalText
from controller.messages.sight_words import reflection_words
from controller.referee import Event, FrameSeen, Table
from controller.referee.table.settings import DiceFrom
from controller.vision import Reading


class Reflections:
    """Tells of each reflection once, when two readings after each other show a die missing and the lamp there."""

    def __init__(self, tell: Callable[[LocalText], None]) -> None:
        """Nothing was read yet; ``tell`` is given the sentences."""
        self._tell = tell
        self._before: int | None = None
        self._told: int | None = None

    def happened(self, table: Table, event: Event | None) -> None:
        """What happened at a table; only where pictures tell the rolls does a reflection matter."""
        if isinstance(event, FrameSeen) and table.settings.dice is DiceFrom.CAMERA:
            self.read(event.reading)

    def read(self, reading: Reading) -> None:
        """What was read next."""
        if not reading.recognised or reading.hand:
            return
        point = None if reading.reflection is None else reading.reflection.point
        if point is None:
            self._told = None
        elif point == self._before and point != self._told:
            self._told = point
            self._tell(partial(reflection_words, point))
        self._before = point
