"""The signals that this system has: Windows knows fewer."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

ENDING: Final = tuple(
    number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)) is not None
)
"""By these a program is told to end: Ctrl-C, the service manager, a terminal that is closed."""
SWITCHING: Final[signal.Signals | None] = getattr(signal, "SIGUSR1", None)
"""By this the log is told to say more, or less again; None where there is no such signal."""


@contextmanager
def on_signals(act: Callable[[], object], numbers: Iterable[int] = ENDING) -> Iterator[None]:
    """Have ``act`` called at each of these signals as long as the block lasts; only in the main thread."""
    before = {number: signal.signal(number, lambda _, __: act()) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
