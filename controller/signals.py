"""The signals that this system has: Windows knows fewer."""

import signal
from typing import Final

ENDING: Final = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)
"""By these a program is told to end: Ctrl-C, the service manager, a terminal that is closed."""
SWITCHING: Final[signal.Signals | None] = getattr(signal, "SIGUSR1", None)
"""By this the log is told to say more, or less again; None where there is no such signal."""
