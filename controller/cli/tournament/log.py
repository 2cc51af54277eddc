"""The file of a tournament as the commands use it: read, or held while something is added."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from controller.cli.output import note, utc_now
from controller.record.journal.event_file import (
    EventFile,
    change_event_file,
    create_event_file,
    read_event_file,
)
from controller.tournament.events import TournamentEvent, event_from, event_record
from controller.tournament.tournament import Tournament, fold

TournamentPlace = Annotated[
    Path, typer.Argument(metavar="FILE", help="The tournament's file, as `pointsman tournament new` made it.")
]
Author = Annotated[str, typer.Option("--by", metavar="NAME", help="Who says so, for the log.")]


@dataclass(slots=True)
class TournamentLog:
    """The events of a tournament's file."""

    file: EventFile
    events: list[TournamentEvent]

    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        return fold(self.events)

    def append(self, events: Iterable[TournamentEvent], by: str = "") -> None:
        """Add events; they are on the disk when this returns."""
        new = list(events)
        self.file.append(_stamped(each, by) for each in new)
        self.events += new


def _stamped(event: TournamentEvent, by: str) -> Mapping[str, Any]:
    return {"utc": utc_now(), **({"by": by} if by else {}), **event_record(event)}


def begin_log(path: Path, event: TournamentEvent, by: str) -> None:
    """Make a tournament's file."""
    create_event_file(path, _stamped(event, by))


def read_log(path: Path) -> TournamentLog:
    """The events of a file. Raises UserError if it cannot be read."""
    return _log(read_event_file(path))


@contextmanager
def change_log(path: Path) -> Iterator[TournamentLog]:
    """The events of a file to which some are added; others wait meanwhile. Raises UserError if it cannot be read."""
    with change_event_file(path) as file:
        yield _log(file)


def _log(file: EventFile) -> TournamentLog:
    if file.torn:
        note(
            f"Note: the last line of {file.path} is torn and does not count; the next event sets it aside. "
            "Enter again what it was."
        )
    lines = enumerate(file.records, start=1)
    return TournamentLog(file, [event_from(each, f"{file.path}, line {number}") for number, each in lines])
