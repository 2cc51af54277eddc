"""How often the evening has changed, and the lock that those who change it share."""

import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class EveningVersion:
    """One lock for all parts of an evening, since what one does often needs two of them.

    Attributes:
        number: grows with everything that changes what can be seen.
        lock: held while something changes; whoever holds it may take it again.
    """

    number: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)

    def grow(self) -> None:
        """Note that something has changed."""
        with self.lock:
            self.number += 1
