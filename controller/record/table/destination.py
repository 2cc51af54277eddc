"""Where something may be written: never over a journal, its evidence, its traces, or what is being read."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.record.evidence.store import evidence_name
from controller.record.journal.event_file import START
from controller.record.journal.head import head_name
from controller.record.table.match_folder import EVENTS, JOURNAL, JSON, MAT, OGXM
from controller.record.table.sequence import COUNTER
from controller.whole_file import replace_file

SQLITE: Final = b"SQLite format 3\0"
"""How every database begins."""
HELPERS: Final = ("-wal", "-shm", "-journal")
"""How the names of the files that SQLite keeps beside a database end."""


class DestinationError(UserError):
    """A place that holds what would be lost."""


def refuse_loss(out: Path, inputs: Iterable[Path] = ()) -> None:
    """Refuse a file to write if something would be lost with what is there.

    A journal, its pictures, its log, its head, the lines of a match and the counter of a folder of matches are never
    written over, whatever their names; neither is a file that is being read (``inputs``). A match file such as
    `match.mat` may be, because it can be made again.

    Raises:
        DestinationError: naming the place and what lies there.
    """
    for source in inputs:
        if _same_file(out, source):
            raise DestinationError(f"{out} is what is being read; name another file to write.")
    if out.is_dir():
        raise DestinationError(f"{out} is a folder; name a file in it.")
    what = _treasure(_resolve(out))
    if what is not None:
        raise DestinationError(f"{out} is {what}, and it would be lost; name another file.")


def refuse_other_match(path: Path) -> None:
    """Refuse a folder for results if there is a match in it already: none is written over.

    Raises:
        DestinationError: naming the folder and the first file of the match that is there.
    """
    names = [path / name for name in (JOURNAL, evidence_name(Path(JOURNAL)).name, EVENTS, MAT, OGXM, JSON)]
    names += [path / head_name(Path(JOURNAL)).name, *(path / f"{JOURNAL}{end}" for end in HELPERS)]
    names += sorted(path.glob("journal.*"))
    found = next((name.name for name in names if name.exists()), None)
    if found is not None:
        raise DestinationError(f"{path} holds another match ({found}); name a new folder for the results.")


def write_file(out: Path, data: bytes, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all; what stands there stays until the new one is on the disk.

    A pipe or a device is written to as it is.

    Args:
        out: the file.
        data: its content.
        inputs: the files that are being read.

    Raises:
        DestinationError: see `refuse_loss`.
        UserError: if it cannot be written.
    """
    refuse_loss(out, inputs)
    try:
        if out.exists() and not out.is_file():
            out.write_bytes(data)
            return
        replace_file(_resolve(out), data, _usual_mode())
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}); choose another place.") from None


def _resolve(path: Path) -> Path:
    """Where links lead; one that leads round to itself is taken for a file of that name."""
    return Path(os.path.realpath(path))


def _usual_mode() -> int:
    """The rights of a new file that is nobody's secret."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False


def _treasure(path: Path) -> str | None:
    """What a file is that must not be lost, None if it is nothing of the kind."""
    name = path.name
    for end in HELPERS:
        base = path.with_name(name.removesuffix(end))
        if name.endswith(end) and (path.exists() or base.exists()):
            return f"part of the database {base.name}"
        if path.with_name(f"{name}{end}").exists():
            return f"a database with its log {name}{end}"
    if not path.is_file():
        return None
    if begins_with(path, SQLITE):
        return "a journal, its pictures, or another database"
    if begins_with(path, START):
        return "a tournament"
    if head_name(path).is_file() or (name.startswith("journal.") and path.suffix in (".db", ".head")):
        return "a journal, or belongs to one"
    if path.suffix == ".head" and any(
        begins_with(each, SQLITE) for each in path.parent.glob(f"{path.stem}.*")
    ):
        return "the head of a journal"
    if name == EVENTS or (name.startswith("events.") and name.endswith(".jsonl")):
        return "the lines of a match"
    if name == COUNTER and any(path.parent.glob(f"*/{JOURNAL}")):
        return "the counter of a folder of matches"
    return None


def begins_with(path: Path, start: bytes) -> bool:
    """Whether a file can be read and begins so."""
    try:
        with path.open("rb") as file:
            return file.read(len(start)) == start
    except OSError:
        return False
