"""The lines of a match as the second trace of what was played: what they tell that the journal does not."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from controller.json_object import parse_object
from controller.record.journal.journal import JournalEvent
from controller.record.table.table_log import lines_of

Told = tuple[str, ...]
"""What a line says of a turn or a result, and no later version says in other words."""
_TURN: Final = ("player", "dice", "move", "position")
_RESULT: Final = ("kind", "winner", "points")


def count_missing(lines: Path, events: Iterable[JournalEvent]) -> int:
    """How many finished turns and results a file of lines tells of that are not among the events of a match.

    A line that is torn, or of a kind that tells neither, counts for nothing. 0 if there is no file.

    Raises:
        OSError: if the file cannot be read.
        JournalError: if an event cannot be.
    """
    try:
        text = lines.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return 0
    told = Counter(_told_lines(text.split("\n")))
    if not told:
        return 0
    return (told - Counter(_told_lines(lines_of(events)))).total()


def ends_alike(lines: Path, events: Iterable[JournalEvent]) -> bool:
    """Whether a file of lines tells of the last turn or result among the events of a match; so if there is none.

    Lines that hindsight took back are in no file, so that only the end can be compared.

    Raises:
        OSError: if the file cannot be read.
        JournalError: if an event cannot be.
    """
    last = list(_told_lines(lines_of(events)))[-1:]
    return set(last) <= set(_told_lines(lines.read_text(encoding="utf-8", errors="replace").split("\n")))


def _told_lines(lines: Iterable[str]) -> Iterator[Told]:
    for line in lines:
        try:
            values = parse_object(line)
        except ValueError:
            continue
        if "kind" not in values and all(name in values for name in _TURN):
            yield tuple(str(values[name]) for name in _TURN)
        elif values.get("kind") == "game_over":
            yield tuple(str(values.get(name)) for name in _RESULT)
