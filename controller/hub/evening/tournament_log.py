"""The file of a tournament: its events read, or held while some are added, each with who and when."""

import datetime
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from controller.record.journal.event_file import (
    EventFile,
    change_event_file,
    create_event_file,
    read_event_file,
)
from controller.record.journal.journal import Json
from controller.tournament.events import MatchesDrawn, TournamentEvent, event_from, event_record
from controller.tournament.tournament import Tournament, active_events, fold


@dataclass(slots=True)
class TournamentLog:
    """The events of a tournament's file."""

    file: EventFile
    events: list[TournamentEvent]

    def tournament(self) -> Tournament:
        """The tournament as it stands."""
        return fold(self.events)

    def draw_of(self, match: int) -> int:
        """The number of the event that drew a match; of the beginning for 0."""
        number = 1
        for each, event in active_events(self.events):
            if isinstance(event, MatchesDrawn) and any(drawn.number == match for drawn in event.matches):
                number = each
        return number

    def told_ms(self, event: int) -> int:
        """When an event was written, by its number: milliseconds since 1970; 0 if nobody knows."""
        try:
            told = datetime.datetime.fromisoformat(str(self.file.records[event - 1].get("utc", "")))
        except ValueError:
            return 0
        return int(told.timestamp() * 1000)

    def append(self, events: Iterable[TournamentEvent], utc: str, by: str = "") -> None:
        """Add events; they are on the disk when this returns."""
        new = list(events)
        self.file.append(_stamped(each, utc, by) for each in new)
        self.events += new


def _stamped(event: TournamentEvent, utc: str, by: str) -> dict[str, Json]:
    return {"utc": utc, **({"by": by} if by else {}), **event_record(event)}


def begin_log(path: Path, event: TournamentEvent, utc: str, by: str = "") -> None:
    """Make a tournament's file. Raises UserError if there is one."""
    create_event_file(path, _stamped(event, utc, by))


def read_log(path: Path) -> TournamentLog:
    """The events of a file. Raises UserError if it cannot be read."""
    return _log(read_event_file(path))


@contextmanager
def change_log(path: Path) -> Iterator[TournamentLog]:
    """The events of a file to which some are added; others wait meanwhile. Raises UserError if it cannot be read."""
    with change_event_file(path) as file:
        yield _log(file)


def _log(file: EventFile) -> TournamentLog:
    lines = enumerate(file.records, start=1)
    return TournamentLog(file, [event_from(each, f"{file.path}, line {number}") for number, each in lines])
