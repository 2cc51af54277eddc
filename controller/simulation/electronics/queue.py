"""The twin's events that wait for the host (hardware_docs/protocol.md, "Events, exactly once")."""

import struct
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

SLOTS: Final = 16
MAX_PAYLOAD: Final = 112
MOST: Final = 0xFFFF
SEQ: Final = 2**16


class EventKind(IntEnum):
    """Of an event."""

    DICE = 1
    BUTTON = 2
    RESTARTED = 3
    LOST = 4
    LEASE_OVER = 5


@dataclass(slots=True)
class EventQueue:
    """Up to 16 events that were not acknowledged; what finds no room is counted, and told when there is room again.

    ``boot_id`` names the numbering; ``lost`` counts all that were dropped, ``untold`` those no event tells of yet.
    """

    boot_id: int
    next_seq: int = 1
    lost: int = 0
    untold: int = 0
    waiting: deque[bytes] = field(default_factory=deque)

    @property
    def oldest(self) -> int:
        """The number of the first event that waits, or of the next one."""
        return (self.next_seq - len(self.waiting)) % SEQ

    def push(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        """Append an event or count it as lost."""
        self._tell_lost(t_ms)
        if len(self.waiting) < SLOTS:
            self._append(kind, t_ms, data)
            return
        self.lost = min(self.lost + 1, MOST)
        self.untold = min(self.untold + 1, MOST)

    def acknowledge(self, through: int, now_ms: int) -> bool:
        """Forget the events up to this number; whether there were any. Numbers never sent are passed over."""
        done = (through - self.oldest + 1) % SEQ
        if not 0 < done <= len(self.waiting):
            return False
        for _ in range(done):
            self.waiting.popleft()
        self._tell_lost(now_ms)
        return True

    def payload(self, now_ms: int) -> bytes:
        """The EVENTS message: as many of those that wait as fit."""
        head = struct.pack(">BIIHH", 0x90, self.boot_id, now_ms, self.lost, self.oldest)
        body, count = b"", 0
        for event in self.waiting:
            if len(head) + 1 + len(body) + len(event) > MAX_PAYLOAD:
                break
            body += event
            count += 1
        return head + bytes([count]) + body

    def _tell_lost(self, t_ms: int) -> None:
        if self.untold and len(self.waiting) < SLOTS:
            self._append(EventKind.LOST, t_ms, struct.pack(">H", self.untold))
            self.untold = 0

    def _append(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        self.waiting.append(struct.pack(">BIB", kind, t_ms, len(data)) + data)
        self.next_seq = (self.next_seq + 1) % SEQ
