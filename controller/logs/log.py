"""The log of a program that runs for long: begun once, with a level that can be changed while it runs."""

import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, TextIO

from controller import __version__
from controller.logs.handlers import DefectLine, JournaldLine, LogLine, Seldom, is_defect
from controller.logs.level import PACKAGES, LogLevel
from controller.signals import SWITCHING, on_signals

LOG_FILE: Final = "pointsman.log"
DEFECT_FILE: Final = "defects.jsonl"
FILE_BYTES: Final = 1_000_000
"""So large a file of the ring may be; a busy evening at level `info` writes a tenth of it."""
FILES: Final = 4
"""This many older files are kept beside it."""

_LOGGER: Final = logging.getLogger(__name__)


class ProgramLog:
    """The log of this process."""

    def __init__(self, level: LogLevel, again: Callable[[], LogLevel]) -> None:
        """``again`` tells the level that is wished for now, such as from the configuration; `begin_log` makes one."""
        self._again = again
        self._level = level
        self.set_level(level)

    @property
    def level(self) -> LogLevel:
        """How much is written now."""
        return self._level

    def begin(self) -> None:
        """Write the first line, once it is certain that the program will run."""
        _LOGGER.info("Pointsman %s begins, process %d.", __version__, os.getpid())

    def set_level(self, level: LogLevel) -> None:
        """Write so much from now on."""
        self._level = level
        for name in PACKAGES:
            logging.getLogger(name).setLevel(level.number)

    def switch(self) -> None:
        """Write everything from now on, or again as much as is wished for."""
        wished = self._again()
        level = LogLevel.DEBUG if self._level is not LogLevel.DEBUG else wished
        self.set_level(level)
        _LOGGER.warning("The level of the log is %s now.", level)


@contextmanager
def begin_log(
    level: LogLevel,
    folder: Path,
    again: Callable[[], LogLevel] | None = None,
    *,
    stderr: TextIO | None = None,
) -> Iterator[ProgramLog]:
    """Write a log while the block runs; SIGUSR1 turns `debug` on and off in the main thread's program.

    Under systemd it goes to standard error with systemd's priorities, else into a ring of files in a folder. Defects
    go into a file of their own there, too, as lines of JSON. A folder that cannot be written to is done without.

    Args:
        level: how much is written.
        folder: where the files lie.
        again: tells the level that is wished for when `debug` is turned off again; without it ``level``.
        stderr: standard error.
    """
    out = stderr or sys.stderr
    handlers = _handlers(folder, out)
    root = logging.getLogger()
    log = ProgramLog(level, again or (lambda: level))
    for handler in handlers:
        root.addHandler(handler)
    try:
        with threads_logged(), _switched(log):
            yield log
    finally:
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()


def is_journald(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream leads to systemd's journal: JOURNAL_STREAM names its device and inode, systemd.exec(5)."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return environment.get("JOURNAL_STREAM", "") == f"{status.st_dev}:{status.st_ino}"


def _handlers(folder: Path, out: TextIO) -> list[logging.Handler]:
    handlers: list[logging.Handler] = []
    if is_journald(out, os.environ):
        handler: logging.Handler = logging.StreamHandler(out)
        handler.setFormatter(JournaldLine())
        handlers.append(handler)
    else:
        ring = _PrivateRing(folder / LOG_FILE)
        ring.setFormatter(LogLine())
        handlers.append(ring)
    defects = _PrivateRing(folder / DEFECT_FILE)
    defects.setFormatter(DefectLine())
    defects.addFilter(is_defect)
    handlers.append(defects)
    for each in handlers:
        each.addFilter(Seldom())
    return handlers


class _PrivateRing(RotatingFileHandler):
    """A ring of files for their owner only, made with the first line.

    A folder that cannot be made, or a disk that is full, costs lines of the log and nothing else.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=FILE_BYTES, backupCount=FILES, encoding="utf-8", delay=True)

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return open(self.baseFilename, "a", encoding="utf-8", opener=_private)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        if isinstance(sys.exc_info()[1], OSError):
            return
        super().handleError(record)


def _private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


@contextmanager
def threads_logged() -> Iterator[None]:
    """Log what ends a thread while the block runs."""
    before = threading.excepthook
    threading.excepthook = _thread_ended
    try:
        yield
    finally:
        threading.excepthook = before


def _thread_ended(told: threading.ExceptHookArgs) -> None:
    if told.exc_value is not None and not issubclass(told.exc_type, SystemExit):
        name = "" if told.thread is None else told.thread.name
        _LOGGER.critical("A defect has ended the thread %s.", name, exc_info=told.exc_value)


def _switched(log: ProgramLog) -> AbstractContextManager[None]:
    """Listen to SIGUSR1, in the main thread."""
    if SWITCHING is None or threading.current_thread() is not threading.main_thread():
        return nullcontext()
    return on_signals(log.switch, (SWITCHING,))
