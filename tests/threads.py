"""Threads that a test leaves behind; those of tests before it, in the same process, are not its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_thread_left(name: str) -> Iterator[None]:
    """No thread whose name begins so is left of what was begun inside."""
    before = set(threading.enumerate())
    yield
    left = set(threading.enumerate()) - before
    assert not [each for each in left if each.name.startswith(name)]
