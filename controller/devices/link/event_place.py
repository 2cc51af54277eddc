"""Where in the chip's numbering of events the host is: each event comes once, in order, or is told to be missing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.devices.link import messages
from controller.devices.link.happenings import (
    BoardEvent,
    EventMark,
    EventsMissing,
    Greeted,
    Happening,
    what_of,
)

SEQ: Final = 2**16


def behind(seq: int, last: int) -> int:
    """How far `seq` is after `last` on the ring of 16 bits; negative or 0 where it is not after it."""
    return (seq - last + SEQ // 2) % SEQ - SEQ // 2


@dataclass(slots=True)
class EventPlace:
    """How far the host is.

    Attributes:
        last: the last event that was returned, None before the greeting of a chip that the journal does not know.
        written: the last one that is in the journal.
    """

    last: EventMark | None
    written: EventMark | None

    def undo(self, mark: EventMark) -> None:
        """This event could not be written: it will be returned again."""
        self.last = EventMark(mark.board_id, mark.boot_id, (mark.seq - 1) % SEQ)

    def find(self, chip: messages.HelloOk) -> tuple[list[Happening], EventMark | None]:
        """Where to go on with a chip that was greeted, and which event is to be acknowledged, if one is."""
        before = (chip.oldest_unacked - 1) % SEQ
        last = self.last
        same_board = last is not None and last.board_id == chip.board_id
        known = last is not None and same_board and last.boot_id == chip.boot_id
        if last is None or not known or behind(last.seq, (chip.next_seq - 1) % SEQ) > 0:
            self.last = self.written = EventMark(chip.board_id, chip.boot_id, before)
            return [Greeted(chip, memory_lost=same_board)], None
        missing = behind(before, last.seq)
        if missing > 0:
            self.last = EventMark(chip.board_id, chip.boot_id, before)
            return [Greeted(chip, memory_lost=False), EventsMissing(missing)], None
        return [Greeted(chip, memory_lost=False)], last

    def take(
        self, events: messages.Events, chip: messages.HelloOk, at_s: Callable[[int], float]
    ) -> list[Happening]:
        """The events not returned before; ``at_s`` turns milliseconds of the chip into seconds of the host."""
        taken: list[Happening] = []
        for index, event in enumerate(events.events):
            seq = (events.first_seq + index) % SEQ
            ahead = 1 if self.last is None else behind(seq, self.last.seq)
            if ahead <= 0:
                continue
            if ahead > 1:
                taken.append(EventsMissing(ahead - 1))
            self.last = EventMark(chip.board_id, chip.boot_id, seq)
            taken.append(BoardEvent(self.last, at_s(event.t_ms), event.t_ms, what_of(event)))
        return taken
