"""Files that a program holds, so that another one of this machine knows it; on any system."""

import os
import sys
from importlib import import_module
from typing import Any, Final

HELD_AT: Final = 1 << 30
"""On Windows a lock keeps others from the bytes that it lies on, so it lies where no file of ours has any."""
FOLDERS: Final = sys.platform != "win32"
"""Whether folders can be opened, and so held."""


def hold(descriptor: int, *, shared: bool = False, wait: bool = False) -> None:
    """Hold an open file or folder until it is closed.

    Args:
        descriptor: of the file.
        shared: others may hold it, too, if they share it; Windows cannot share.
        wait: wait until nobody else holds it.

    Raises:
        BlockingIOError: if another program holds it.
        OSError: where it lies on a file system without locks, such as some of the network.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        _hold_on_windows(descriptor, wait=wait)
        return
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    fcntl.flock(descriptor, kind if wait else kind | fcntl.LOCK_NB)


def _hold_on_windows(descriptor: int, *, wait: bool) -> None:
    msvcrt: Any = import_module("msvcrt")
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, HELD_AT, os.SEEK_SET)
    try:
        # LK_LOCK gives up after ten seconds; whoever waits for us takes far less.
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from None
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)
