"""The matches in a folder of matches, in the order in which they were begun, and whether the last one can go on.

Each match of a live table has a number that only grows. It stands in the first event of its journal, and the last one
that was given stands in the file `counter` beside the match folders. Neither the clock nor the name of a folder has a
say, so a clock that was set back changes nothing. If the counter is lost, it follows from the journals.
"""

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.json_object import parse_object
from controller.record.evidence.store import evidence_name
from controller.record.journal.copies import rescue
from controller.record.journal.delivery import make_folder
from controller.record.journal.head import head_name
from controller.record.journal.journal import (
    DamagedJournalError,
    Journal,
    JournalError,
    JournalEvent,
    Json,
    ShortJournalError,
)
from controller.record.journal.soundness import check_journal, check_log, newest_copy
from controller.record.match.history import BEGUN, HUB_TIME, INPUT, MATCH, TABLE
from controller.record.match.match import MatchRecord
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import EVENTS, JOURNAL, JSON, MAT, NAME, OGXM
from controller.record.table.resume import LiveMatch
from controller.record.table.table_log import OVER
from controller.record.table.trace import count_missing
from controller.referee import Message
from controller.whole_file import replace_file

COUNTER: Final = "counter"
"""The file in a folder of matches that knows the last number that was given, and to which match."""
GONE: Final = "It is gone."
"""Why a match whose folder is no longer there cannot be continued."""
MOST_REMEMBERED: Final = 4096
"""The first events of so many journals are remembered."""


@dataclass(frozen=True, slots=True)
class LastMatch:
    """The match that was begun last and is not over.

    Attributes:
        folder: where it lies, or lay.
        record: how far it has come; None if it cannot be continued.
        why: why not, a sentence.
    """

    folder: Path
    record: MatchRecord | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class LastNumber:
    """What the counter says: the last number that was given, and the name of its folder, empty if it is no more."""

    number: int
    folder: str


def match_journals(matches: Path) -> list[Path]:
    """The journals of a folder of matches, the one that was begun last at the end; of each match the newest copy."""
    found = []
    for folder in list_folders(matches):
        with contextlib.suppress(PermissionError):  # a folder of another user
            journal = newest_copy(folder / JOURNAL)
            found += [journal] if journal.is_file() else []
    return found


def list_folders(matches: Path) -> list[Path]:
    """The match folders in a folder of matches in the order in which they were begun, also those that lost files.

    Those from before there were numbers come first, by the time that their journals tell. Where nothing can be
    read, the counter knows; without it such a match counts as the newest, so that it is not passed over.
    """
    count = read_counter(matches)
    folders = [folder for folder in matches.glob("*/") if _holds_match(folder)]
    return sorted(folders, key=lambda folder: _place_of(folder, count))


def find_unfinished(matches: Path) -> LastMatch | None:
    """The match in a folder of matches that was begun last; None if there is none, it is over, or was never begun.

    Nothing is changed. A damaged journal counts with what can be rescued of it.
    """
    _refuse_unreadable(matches)
    folders, count = list_folders(matches), read_counter(matches)
    if count is not None and count.folder and not _holds_match(matches / count.folder):
        return LastMatch(matches / count.folder, None, GONE)
    if not folders:
        return None
    folder = folders[-1]
    try:
        journal = newest_copy(folder / JOURNAL)
    except PermissionError as error:
        return LastMatch(folder, None, f"It cannot be read ({error.strerror}).")
    try:
        check_log(journal)
        check_journal(journal)
        return _unfinished(folder, journal)
    except ShortJournalError as short:
        if short.missing is None and not _agrees(folder, journal):
            return LastMatch(folder, None, str(short))
        return _rescued(folder, journal, short)
    except DamagedJournalError as damage:
        return _rescued(folder, journal, damage)
    except JournalError as error:
        return LastMatch(folder, None, str(error))


def begin_next(matches: Path, folder: Path, last: LastMatch | None = None) -> dict[str, Json]:
    """What a new match in `folder` writes first: its number, and which match could not go on before it.

    The number is written into the counter, as far as the disk takes it.
    """
    count = read_counter(matches)
    known = [number for number in map(_number_of, matches.glob("*/")) if number is not None]
    number = max([0, *known, *([count.number] if count is not None else [])]) + 1
    _write_counter(matches, LastNumber(number, folder.name))
    after: dict[str, Json] = {"folder": last.folder.name, "why": last.why} if last is not None else {}
    return {"number": number, **({"after": after} if after else {})}


def discard_if_blank(path: Path) -> bool:
    """Remove the folder of a match of which nothing was seen, rolled or pressed; whether it was one.

    A folder that cannot be read, or that holds anything else, stays.
    """
    if newest_copy(path / JOURNAL) != path / JOURNAL:
        return False
    try:
        with Journal(path / JOURNAL, read_only=True) as journal:
            if any(event.kind not in _IDLE and not _is_idle(event) for event in journal.events()):
                return False
    except JournalError:
        return False
    evidence = evidence_name(Path(JOURNAL)).name
    for name in (EVENTS, MAT, OGXM, JSON, JOURNAL, evidence, head_name(Path(JOURNAL)).name):
        for end in ("", "-wal", "-shm"):
            (path / f"{name}{end}").unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        path.rmdir()
    count = read_counter(path.parent)
    if count is not None and count.folder == path.name:
        _write_counter(path.parent, LastNumber(count.number, ""))
    return True


def read_counter(matches: Path) -> LastNumber | None:
    """What the counter says; None if there is none, or it is damaged."""
    try:
        written = parse_object((matches / COUNTER).read_bytes())
        count = LastNumber(int(written["number"]), str(written["folder"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return count if written.get("sum") == _sum(count) else None


def _write_counter(matches: Path, count: LastNumber) -> None:
    values = {"number": count.number, "folder": count.folder, "sum": _sum(count)}
    with contextlib.suppress(OSError):  # it follows from the journals
        make_folder(matches)
        replace_file(matches / COUNTER, f"{json.dumps(values)}\n".encode())


def _sum(count: LastNumber) -> str:
    """A check on the file itself, so that a damaged counter is not believed."""
    return hashlib.sha256(f"{count.number} {count.folder}".encode()).hexdigest()[:16]


def _holds_match(folder: Path) -> bool:
    """Whether a folder holds a match, or any trace of one; it may, if it cannot be looked into."""
    traces = (JOURNAL, f"{JOURNAL}-wal", head_name(Path(JOURNAL)).name, EVENTS)
    try:
        return any((folder / name).exists() for name in traces) or any(folder.glob("journal.*.db"))
    except PermissionError:
        return True


def _refuse_unreadable(matches: Path) -> None:
    """Raise UserError for a folder of matches that cannot be read: one that was interrupted would be passed over."""
    try:
        next(matches.iterdir(), None)
    except PermissionError as error:
        raise UserError(
            f"The matches in {matches} cannot be read ({error.strerror}); give them back to whom the table runs as: "
            "what a command made with sudo belongs to root."
        ) from None
    except OSError:  # there is none yet
        return


def _place_of(folder: Path, count: LastNumber | None) -> tuple[int, int, str, str]:
    """What match folders are sorted by."""
    number, utc = _number_of(folder), _utc_of(folder)
    if number is None and count is not None and count.folder == folder.name:
        number = count.number
    if number is not None:
        return 1, number, utc, folder.name
    if utc or count is not None:
        return 0, 0, utc, folder.name
    return 2, 0, "", folder.name


def _number_of(folder: Path) -> int | None:
    """The number of the match in a folder, as any of its journals tells it."""
    for event in _first_events(folder):
        number = event.payload.get("number") if event.kind == BEGUN else None
        if isinstance(number, int):
            return number
    return None


def _utc_of(folder: Path) -> str:
    """When the match in a folder was begun, as its journal says; empty if that cannot be read."""
    return min((event.utc for event in _first_events(folder)), default="")


def _first_events(folder: Path) -> Iterator[JournalEvent]:
    """The first event of each journal of a match that can be read."""
    for path in sorted(folder.glob("journal*.db")):
        if path.name == evidence_name(Path(JOURNAL)).name:
            continue
        with contextlib.suppress(JournalError, OSError, StopIteration):
            told = path.stat()
            yield _first_event(path, (told.st_dev, told.st_ino, told.st_mtime_ns, told.st_size))


@lru_cache(maxsize=MOST_REMEMBERED)
def _first_event(path: Path, _: tuple[int, ...]) -> JournalEvent:
    """The first event of a journal, read once as long as its file is the same.

    A table begins match after match beside those of years. Raises JournalError, and StopIteration if there is none.
    """
    with Journal(path, read_only=True) as journal:
        return next(iter(journal.events()))


def _unfinished(folder: Path, journal: Path) -> LastMatch | None:
    """The match in a journal that is whole, if it is not over."""
    if not journal.exists():
        return LastMatch(folder, None, f"There is no journal {journal}.")
    with Journal(journal, read_only=True) as opened:
        kinds = _kinds(opened.events(NAME, without=INPUT))
        if not {MATCH, TABLE} <= kinds or OVER in kinds:
            return None
        return LastMatch(folder, read_match(opened, NAME))


def _rescued(folder: Path, journal: Path, damage: JournalError) -> LastMatch | None:
    """The match in a damaged journal, as it will be when it was rescued."""
    try:
        with tempfile.TemporaryDirectory(prefix="pointsman-") as place:
            path = rescue(journal, Path(place) / JOURNAL).path
            with Journal(path, read_only=True) as opened:
                kinds = _kinds(opened.events(NAME, without=INPUT))
                if OVER in kinds:
                    return None
                LiveMatch.read(opened, NAME).table()
                return LastMatch(folder, read_match(opened, NAME))
    except (UserError, OSError, ValueError, KeyError, TypeError, IndexError, StopIteration):
        return LastMatch(folder, None, str(damage))


def _agrees(folder: Path, journal: Path) -> bool:
    """Whether the lines of a match tell of something, and all of it is in a journal that its head does not fit."""
    try:
        with Journal(journal, read_only=True) as opened:
            events = list(opened.events(NAME, without=INPUT))
        told = count_missing(folder / EVENTS, ())
        return told > 0 and count_missing(folder / EVENTS, events) == 0
    except (JournalError, OSError):
        return False


def _kinds(events: Iterable[JournalEvent]) -> set[str]:
    return {event.kind for event in events}


def _is_idle(event: JournalEvent) -> bool:
    return event.kind == INPUT and event.payload.get("input") in _IDLE_INPUTS


_IDLE: Final = frozenset(
    {
        BEGUN,
        MATCH,
        TABLE,
        HUB_TIME,
        "resumed",
        Message.DEVICE_GONE,
        Message.DEVICE_BACK,
        Message.BOARD_TROUBLE,
    }
)
_IDLE_INPUTS: Final = frozenset({"resumed", "device_changed", "board_troubled", "ticked"})
"""What the journal holds of a table at which nobody has done anything."""
