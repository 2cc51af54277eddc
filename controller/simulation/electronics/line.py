"""The twin's serial line: bytes in both directions, each with the time at which its last bit is through."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

BYTE_S: Final = 10 / 250_000


@dataclass(slots=True)
class SerialLine:
    """One direction of the line."""

    _bytes: deque[tuple[float, int]] = field(default_factory=deque)
    _free_at: float = 0.0

    def put(self, data: bytes, now: float) -> None:
        """Begin to send bytes behind those under way."""
        at = max(self._free_at, now)
        for byte in data:
            at += BYTE_S
            self._bytes.append((at, byte))
        self._free_at = at

    def take(self, now: float) -> list[tuple[float, bytes]]:
        """What is through by now."""
        taken: list[tuple[float, bytes]] = []
        while self._bytes and self._bytes[0][0] <= now:
            at, byte = self._bytes.popleft()
            taken.append((at, bytes([byte])))
        return taken

    @property
    def next_s(self) -> float | None:
        """When the next byte is through."""
        return self._bytes[0][0] if self._bytes else None

    def cut(self, now: float) -> None:
        """What is under way is gone."""
        self._bytes.clear()
        self._free_at = now
