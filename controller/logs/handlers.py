"""Where log records go: to systemd's journal, to a ring of files, and to whoever keeps the defects."""

import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from controller.logs.defect import Defect, DefectScene, Recent, error_of, scene_of
from controller.logs.privacy import without_private

PRIORITIES: Final = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
"""Levels and systemd's priorities, sd-daemon(3); what is below all of them is 7."""


class LogLine(logging.Formatter):
    """A record as text: time in UTC, level, room, thread, sentence, where the table stood; then the traceback."""

    def __init__(self) -> None:
        """Times are in UTC, ISO 8601."""
        self.converter = time.gmtime
        super().__init__(
            "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s [%(threadName)s] %(message)s",
            "%Y-%m-%dT%H:%M:%S",
        )

    def format(self, record: logging.LogRecord) -> str:
        """The text, with nobody's name in it."""
        return without_private(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The first line."""
        return super().formatMessage(record) + _where(scene_of(record)) + _again(record)


class JournaldLine(LogLine):
    """The same for systemd's journal: it knows the time itself, and every line begins with its priority."""

    def __init__(self) -> None:
        """Without the time."""
        super().__init__()
        self._style._fmt = "%(levelname)s %(name)s [%(threadName)s] %(message)s"

    def format(self, record: logging.LogRecord) -> str:
        """The text; each of its lines is an entry of the journal."""
        number = next((number for level, number in PRIORITIES if record.levelno >= level), 7)
        return "\n".join(f"<{number}>{line}" for line in super().format(record).splitlines())


class DefectLine(logging.Formatter):
    """A defect as a line of JSON, from which it can be replayed."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        error = error_of(record)
        assert error is not None
        utc = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        told = {"utc": f"{utc}Z", **Defect.from_error(error, scene_of(record)).record()}
        return json.dumps(told, ensure_ascii=False, default=str)


class DefectHandler(logging.Handler):
    """Gives every defect that is logged anywhere to somebody who keeps it."""

    def __init__(self, hear: Callable[[Defect], None], *, every: bool = False) -> None:
        """``hear`` is given each, in the thread in which it came; it must not raise.

        With ``every`` also those that the journal tells of already.
        """
        super().__init__(logging.ERROR)
        self._hear, self._every = hear, every
        self.addFilter(is_defect)
        self.addFilter(Seldom())

    def emit(self, record: logging.LogRecord) -> None:
        """Hand a defect on, unless it is in the journal already."""
        error, scene = error_of(record), scene_of(record)
        if error is not None and (self._every or not scene.kept):
            self._hear(Defect.from_error(error, scene))

    def __enter__(self) -> "DefectHandler":
        """Hear from now on."""
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Hear no more."""
        logging.getLogger().removeHandler(self)
        self.close()


class Seldom(logging.Filter):
    """Lets a defect pass once within a time, and tells at the next how many were passed over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` tells monotonic seconds."""
        super().__init__()
        self._clock = clock
        self._turn, self._recent = threading.Lock(), Recent()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is to be written."""
        error = error_of(record)
        if error is None:
            return True
        with self._turn:
            passed_over = self._recent.passed_over(error, self._clock())
        if passed_over is not None:
            record.passed_over = passed_over
        return passed_over is not None


def is_defect(record: logging.LogRecord) -> bool:
    """Whether a record tells of an error that nobody foresaw."""
    return record.levelno >= logging.ERROR and error_of(record) is not None


def _where(scene: DefectScene) -> str:
    told = [
        f"{name} {value}"
        for name, value in (("event", scene.event), ("state", scene.state), ("table", scene.table))
        if value
    ]
    return f" ({', '.join(told)})" if told else ""


def _again(record: logging.LogRecord) -> str:
    passed_over = getattr(record, "passed_over", 0)
    return f" [and {passed_over} times before]" if passed_over else ""
