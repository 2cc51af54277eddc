"""A defect: an error that nobody foresaw, with all that is needed to find its cause."""

import logging
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from controller.logs.level import PACKAGES
from controller.logs.privacy import without_private

ROOT: Final = Path(__file__).resolve().parents[2]
"""The folder in which the packages of the program lie."""
LONGEST_TRACEBACK: Final = 16_000
"""Characters; of a longer traceback, such as of a recursion without end, the beginning and the end are kept."""
AGAIN_S: Final = 10.0
"""A defect that comes again within this time is counted, and not reported again."""
_EXTRA: Final = "pointsman_scene"
"""The name under which a scene goes with a log record, or with an error."""

Place = tuple[str, str, int]
"""File, function and line."""


@dataclass(frozen=True, slots=True)
class DefectScene:
    """What was going on when an error came that nobody foresaw.

    Attributes:
        during: the part of the program: ``referee``, ``table``, ``pages``, ``camera``, ``club``, ``hub`` ...
        event: the number of the journal's newest event; 0 where there is none.
        state: the digest of the referee's state; empty where there is none.
        table: the table's name in its club; empty where it has none.
        task: what was being done, as plain values, where the journal does not tell; enough to do it again.
        kept: whether the journal tells of it already.
    """

    during: str = ""
    event: int = 0
    state: str = ""
    table: str = ""
    task: Mapping[str, Any] = field(default_factory=dict)
    kept: bool = False

    @property
    def extra(self) -> dict[str, "DefectScene"]:
        """For the argument of that name of a logger's methods."""
        return {_EXTRA: self}


@dataclass(frozen=True, slots=True)
class Defect:
    """An error that nobody foresaw.

    Attributes:
        kind: the name of its class.
        text: what it says.
        file: the program's own file that was running, such as ``controller/referee/table/turns.py``.
        function: the function in it.
        line: the line in it.
        traceback: the whole way there.
        during, event, state, table, task: see `DefectScene`.
    """

    kind: str
    text: str
    file: str
    function: str
    line: int
    traceback: str
    during: str = ""
    event: int = 0
    state: str = ""
    table: str = ""
    task: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_error(cls, error: BaseException, scene: DefectScene | None = None) -> Self:
        """The defect that an error is."""
        at = scene or DefectScene()
        file, function, line = place_of(error.__traceback__)
        return cls(
            type(error).__name__,
            without_private(_said(error)),
            file,
            function=function,
            line=line,
            traceback=_shortened(without_private("".join(traceback.format_exception(error)))),
            during=at.during,
            event=at.event,
            state=at.state,
            table=at.table,
            task=at.task,
        )

    @property
    def signature(self) -> tuple[str, str, str]:
        """What makes two defects the same: class, file and function."""
        return (self.kind, self.file, self.function)

    def record(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """What `record` made; what is not known is passed over.

        Raises:
            TypeError: if something is missing.
        """
        known = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in record.items() if name in known})


def place_of(trace: TracebackType | None) -> Place:
    """Where the program was when an error came: the innermost frame of its own, or of all if none is its own."""
    found = [(_name(frame.filename), frame.name, frame.lineno or 0) for frame in traceback.extract_tb(trace)]
    own = [place for place in found if place[0].split("/")[0] in PACKAGES]
    return (own or found or [("", "", 0)])[-1]


_doing: ContextVar[DefectScene | None] = ContextVar("doing", default=None)


@contextmanager
def doing(during: str, task: Mapping[str, Any], table: str = "") -> Iterator[None]:
    """While the block runs this is being done, also by threads and tasks that it has do it.

    ``task`` is kept with a defect that comes meanwhile; it may be filled until then.
    """
    scene = DefectScene(during, table=table, task=task)
    token = _doing.set(scene)
    try:
        yield
    except Exception as error:
        # It may be logged further out, or in another thread, where nobody knows what was being done.
        if not hasattr(error, _EXTRA):
            setattr(error, _EXTRA, scene)
        raise
    finally:
        _doing.reset(token)


def scene_of(record: logging.LogRecord) -> DefectScene:
    """What was going on when a log record was made, as far as it says so, or whoever had it done."""
    scene = getattr(record, _EXTRA, None)
    around = getattr(error_of(record), _EXTRA, None) or _doing.get() or DefectScene()
    if not isinstance(scene, DefectScene):
        scene = DefectScene()
    during = scene.during or around.during or record.name.removeprefix("controller.")
    return replace(
        scene, during=during, table=scene.table or around.table, task=scene.task or dict(around.task)
    )


@dataclass(slots=True)
class Recent:
    """Which defects came a moment ago: some loops turn fifty times a second.

    Attributes:
        told_at: when each was reported last, and how often it has come since.
    """

    told_at: dict[object, tuple[float, int]] = field(default_factory=dict)

    def passed_over(self, error: BaseException, now_s: float) -> int | None:
        """How often an error has come since it was last reported; None if it is not to be reported now either."""
        key = (type(error), place_of(error.__traceback__))
        at, count = self.told_at.get(key, (float("-inf"), 0))
        if now_s - at < AGAIN_S:
            self.told_at[key] = (at, count + 1)
            return None
        self.told_at[key] = (now_s, 0)
        return count


def error_of(record: logging.LogRecord) -> BaseException | None:
    """The error that a log record is about; None where it is about none."""
    return record.exc_info[1] if record.exc_info else None


def _name(file: str) -> str:
    """A file as it is called in every installation."""
    path = Path(file)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001 - whatever is wrong with it, the defect itself is reported
        return "(it cannot be written)"


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_TRACEBACK:
        return text
    half = LONGEST_TRACEBACK // 2
    return f"{text[:half]}\n...\n{text[-half:]}"
