"""A file of events, one JSON object a line, that is only ever added to: the log of a tournament.

What is told to be written is on the disk. A last line that a power cut has torn is set aside, and told; everything
before it counts.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.errors import UserError
from controller.json_object import parse_object
from controller.locks import hold
from controller.whole_file import write_through

START: Final = b'{"event": 1, '
"""How every such file begins."""
LARGEST: Final = 100_000_000
"""Bytes of the largest file that is read."""
TORN: Final = ".torn"
"""The end of the name of the file that keeps torn lines."""


class EventFileError(UserError):
    """A file of events that cannot be read or written; what is in it stays as it is."""


@dataclass(slots=True)
class EventFile:
    """The events in a file, and what is added to them.

    Attributes:
        path: the file.
        records: each line, in its order.
        torn: what a last line that is not whole holds, empty if there is none.
        good: bytes of the lines that are whole.
    """

    path: Path
    records: list[dict[str, Any]] = field(default_factory=list)
    torn: bytes = b""
    good: int = 0

    def append(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Add lines, numbered on, all or none; they are on the disk when this returns.

        Raises EventFileError if the disk takes nothing.
        """
        numbered = [
            {"event": number, **each} for number, each in enumerate(records, start=len(self.records) + 1)
        ]
        data = b"".join(_line(each) for each in numbered)
        try:
            self._set_torn_aside()
            with self.path.open("r+b") as file:
                file.seek(self.good)
                if self.good and not self._ends_with_newline():
                    data = b"\n" + data
                _write(file.fileno(), data, self.good)
        except OSError as error:
            raise EventFileError(
                f"{self.path} cannot be written ({error.strerror}); nothing was changed: make room, or free the file."
            ) from error
        self.good += len(data)
        self.records += numbered

    def _ends_with_newline(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(self.good - 1)
            return file.read(1) == b"\n"

    def _set_torn_aside(self) -> None:
        if not self.torn:
            return
        with self.path.with_name(f"{self.path.name}{TORN}").open("ab") as aside:
            aside.write(self.torn + b"\n")
            aside.flush()
            os.fsync(aside.fileno())
        os.truncate(self.path, self.good)
        self.torn = b""


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def _write(descriptor: int, data: bytes, place: int) -> None:
    """Write through to the disk, or leave the file as long as it was."""
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, place)
        raise


def create_event_file(path: Path, first: Mapping[str, Any]) -> None:
    """Begin a file with one event. Raises EventFileError if there is something already, or it cannot be written."""
    try:
        with path.open("xb") as file:
            _write(file.fileno(), _line({"event": 1, **first}), 0)
        write_through(path.resolve().parent)
    except FileExistsError:
        raise EventFileError(f"{path} exists already; name a new file.") from None
    except OSError as error:
        raise EventFileError(f"{path} cannot be written ({error.strerror}); choose another place.") from None


def read_event_file(path: Path) -> EventFile:
    """The events in a file as it stands. Raises EventFileError if there is none, or it is damaged in the middle."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        raise EventFileError(f"{path}: there is no such file; check the path.") from None
    except OSError as error:
        raise EventFileError(f"{path} cannot be read ({error.strerror}); check the path.") from None
    if not data.startswith(START) or len(data) > LARGEST:
        raise EventFileError(f"{path} is no tournament; give a file that pointsman tournament new made.")
    found = EventFile(path)
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        record = _record(line)
        if record is not None and record.get("event") == number:
            found.records.append(record)
            found.good += len(line) + (number < len(lines))
        elif not any(part.strip(b"\0 \r") for part in lines[number:]):
            found.torn = data[found.good :].strip(b"\n")
            break
        else:
            raise EventFileError(
                f"{path}, line {number} is damaged; go on with a copy of the file that is whole."
            )
    return found


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        return parse_object(line.decode())
    except ValueError:
        return None


@contextmanager
def change_event_file(path: Path) -> Iterator[EventFile]:
    """The events in a file, for somebody who adds to it; anybody else who wants to waits meanwhile.

    Raises EventFileError as reading does.
    """
    try:
        with path.open("r+b") as held:
            hold(held.fileno(), wait=True)
            yield read_event_file(path)
    except FileNotFoundError:
        raise EventFileError(f"{path}: there is no such file; check the path.") from None
    except PermissionError:
        raise EventFileError(f"{path} cannot be written; check whose it is.") from None
    except IsADirectoryError:
        raise EventFileError(f"{path} is a folder; name a file in it.") from None
