"""Copies of journals: one taken while it is in use, and what is good of a damaged one."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.record.journal.journal import COLUMNS, STEPS, Journal, JournalError, Row, migrate, unbroken
from controller.whole_file import part_of, write_through

PAGE_SIZE: Final = slice(16, 18)
"""Where the header of an SQLite file holds the size of its pages (file format, section 1.3)."""
PAGE_COUNT: Final = slice(28, 32)
"""Where it holds their number."""
RESCUED: Final = ".rescued"
"""How the name of a journal ends, before its ending, that was rescued from a damaged one."""


class CopyError(JournalError):
    """A copy that cannot be made."""


@dataclass(frozen=True, slots=True)
class Rescue:
    """What came of a damaged journal.

    Attributes:
        path: the new journal, whole and ready to be written on.
        kept: how many events it holds: all of the old one up to its last good event.
        last_utc: when the last of them was written, `None` if there is none.
    """

    path: Path
    kept: int
    last_utc: str | None


def copy_database(source: Path, out: Path) -> None:
    """Copy an SQLite file that may be in use, as it stands at one moment, into one new file.

    Raises:
        CopyError: if `out` exists, or one of the two cannot be used.
    """
    with _make_file(out) as part:
        try:
            with (
                closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as here,
                closing(sqlite3.connect(part)) as there,
            ):
                here.backup(there)
                there.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.Error as error:
            raise CopyError(
                f"{source} cannot be copied to {out} ({error}); check both places, and that there is room."
            ) from error


def copy_journal(source: Path, out: Path) -> int:
    """Copy a journal that may be in use into the new file `out`, and check the copy; how many events it holds.

    Raises:
        JournalError: if `source` is no journal, or damaged.
        CopyError: if `out` exists or cannot be written.
    """
    with Journal(source, read_only=True):
        copy_database(source, out)
    with Journal(out, read_only=True) as copy:
        return copy.verify()


def rescue(damaged: Path, out: Path) -> Rescue:
    """Make a new journal `out` of all events of a damaged one up to its last good event.

    An event is good if it can be read and the chain holds from the first event to it. Nothing of the damaged
    journal is changed; it is read from a copy, helper files included.

    Raises:
        JournalError: if nothing in it is an event of a journal.
        CopyError: if `out` exists or cannot be written.
    """
    if not damaged.is_file():
        raise JournalError(f"There is no journal {damaged}; name the file to rescue.")
    with tempfile.TemporaryDirectory(prefix=".rescue-", dir=out.parent) as folder:
        rows = tuple(unbroken(_rows(_most_readable(damaged, Path(folder)))))
    if not rows:
        raise JournalError(f"Nothing in {damaged} can be read as a journal; open a copy of it instead.")
    write_rows(rows, out)
    return Rescue(out, rows[-1][0], rows[-1][2])


def write_rows(rows: Iterable[Row], out: Path) -> None:
    """Make a new journal `out` of the entries of another, from the first on.

    Raises:
        CopyError: if `out` exists or cannot be written.
    """
    with _make_file(out) as part, closing(sqlite3.connect(part, isolation_level=None)) as new:
        new.execute("BEGIN IMMEDIATE")
        migrate(new, STEPS)
        new.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        new.execute("COMMIT")


def _most_readable(damaged: Path, folder: Path) -> Path:
    """The first of several ways to look at a damaged file that shows any events."""
    whole = folder / "whole.db"
    for way in (_copy, _copy_without_log, _copy_with_new_head):
        way(damaged, whole)
        if next(unbroken(_rows(whole)), None) is not None:
            break
    return whole


def _copy(damaged: Path, to: Path) -> None:
    """The file and its write-ahead log."""
    shutil.copyfile(damaged, to)
    log = damaged.with_name(f"{damaged.name}-wal")
    if log.is_file():
        shutil.copyfile(log, to.with_name(f"{to.name}-wal"))


def _copy_without_log(damaged: Path, to: Path) -> None:
    """The file without its log."""
    to.with_name(f"{to.name}-wal").unlink(missing_ok=True)
    shutil.copyfile(damaged, to)


def _copy_with_new_head(damaged: Path, to: Path) -> None:
    """The file with the first page of a new journal: one script makes both, so their tables lie on the same pages.

    If that does not fit nothing is lost: what is read through it must still pass the chain.
    """
    fresh = to.with_name("fresh.db")
    Journal(fresh).close()
    head = bytearray(fresh.read_bytes())
    page = int.from_bytes(head[PAGE_SIZE], "big")
    _copy(damaged, to)
    content = to.read_bytes()
    head[PAGE_COUNT] = (len(content) // page).to_bytes(4, "big")
    to.write_bytes(bytes(head[:page]) + content[page:])


def _rows(path: Path) -> Iterator[Row]:
    """The rows in their order, up to the first that cannot be read."""
    try:
        with closing(sqlite3.connect(path)) as database:
            yield from database.execute(f"SELECT {COLUMNS} FROM event ORDER BY id")
    except sqlite3.Error:
        return


@contextmanager
def _make_file(out: Path) -> Iterator[Path]:
    """A place next to `out` to make a file in, moved there whole at the end; taken away if that fails."""
    if out.exists():
        raise CopyError(f"{out} exists already; name a new file for the copy.")
    try:
        with part_of(out) as part:
            yield part
        write_through(out.parent)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", None) or error
        raise CopyError(f"{out} cannot be written ({why}); name another place, or make room.") from error


def rescued_name(damaged: Path) -> Path:
    """Where a damaged journal is rescued to if nobody names a place: next to it."""
    return damaged.with_name(f"{damaged.stem}{RESCUED}{damaged.suffix}")
