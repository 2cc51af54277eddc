"""Work beside the program's own that its end waits for."""

import threading
from collections.abc import Callable


def thread_aside(work: Callable[[], object], name: str) -> threading.Thread:
    """A thread for work in which OpenCV may be, still to be started; whoever ends the program has it end, too.

    It is no daemon: a daemon's thread is unwound when Python ends, and OpenCV, if it is in it, calls `abort` then.
    """
    return threading.Thread(target=work, name=name)
