"""The twin's buttons: a change counts when the contact has been quiet for a while (hardware_docs/protocol.md)."""

from dataclasses import dataclass, field

BUTTONS = 8


@dataclass(slots=True)
class Buttons:
    """``down`` are those that were reported as down; ``since`` when the contact of a button began to differ."""

    down: set[int] = field(default_factory=set)
    since: dict[int, int] = field(default_factory=dict)

    def take(self, closed: set[int], now_ms: int, quiet_ms: int) -> list[tuple[int, bool, int]]:
        """What changed: button, whether it is down, and when its contact closed or opened for good."""
        changed: list[tuple[int, bool, int]] = []
        for button in range(BUTTONS):
            is_closed = button in closed
            if is_closed == (button in self.down):
                self.since.pop(button, None)
                continue
            began = self.since.setdefault(button, now_ms)
            if now_ms - began < quiet_ms:
                continue
            del self.since[button]
            (self.down.add if is_closed else self.down.remove)(button)
            changed.append((button, is_closed, began))
        return changed

    def due_ms(self, closed: set[int], now_ms: int, quiet_ms: int) -> int | None:
        """When `take` will have something to do."""
        if closed == self.down and not self.since:
            return None
        fresh = any(
            (button in closed) != (button in self.down) and button not in self.since
            for button in range(BUTTONS)
        )
        stale = any((button in closed) == (button in self.down) for button in self.since)
        return now_ms + 1 if fresh or stale else min(self.since.values()) + quiet_ms
