"""The tournament of an evening in its file, which programs beside the hub may change as well."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from controller.hub.evening.tournament_log import TournamentLog, begin_log, change_log, read_log
from controller.hub.evening.version import EveningVersion
from controller.tournament.events import MatchesDrawn, TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.tournament import Tournament

Change = Callable[[list[TournamentEvent]], Iterable[TournamentEvent]]
"""Says which events come after those that there are."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The file as it was read: when it was changed last, its size, and what follows from it."""

    stamp: tuple[int, int]
    log: TournamentLog
    tournament: Tournament


@dataclass(slots=True)
class TournamentFile:
    """A tournament's file, read anew whenever somebody has changed it.

    Attributes:
        path: the file; the commands of `pointsman tournament` may be used on it at any time.
        utc: tells the time of day for the file, ISO 8601.
        now_ms: tells it as milliseconds since 1970, on a clock that jumps only where the machine's is set.
        version: of the evening.
    """

    path: Path
    utc: Callable[[], str]
    now_ms: Callable[[], int]
    version: EveningVersion
    _drawn_ms: dict[int, int] = field(default_factory=dict)
    _read: _Read | None = None

    def log(self) -> TournamentLog | None:
        """The tournament's events as the file has them now; None while there is no tournament.

        Raises:
            UserError: if the file cannot be read.
        """
        read = self._read_file()
        return None if read is None else read.log

    def tournament(self) -> Tournament | None:
        """The tournament as it stands. Raises UserError if its file cannot be read."""
        read = self._read_file()
        return None if read is None else read.tournament

    def needed(self) -> Tournament:
        """The tournament as it stands. Raises UserError if there is none, or its file cannot be read."""
        tournament = self.tournament()
        if tournament is None:
            raise RefusalError("no_tournament")
        return tournament

    def _read_file(self) -> _Read | None:
        with self.version.lock:
            try:
                found = self.path.stat()
            except FileNotFoundError:
                self._read = None
                return None
            stamp = (found.st_mtime_ns, found.st_size)
            if self._read is None or self._read.stamp != stamp:
                log = read_log(self.path)
                self._read = _Read(stamp, log, log.tournament())
                self.version.grow()
            return self._read

    def drawn_ms(self, match: int) -> int:
        """When a match was drawn, or for 0 when the tournament began; by the clock by which entries are stored.

        Of what was drawn while this hub did not run the file knows it, by a clock that may have been set since. It is
        0 if nobody knows.
        """
        if match in self._drawn_ms:
            return self._drawn_ms[match]
        log = self.log()
        return 0 if log is None else log.drawn_ms(match)

    def begin(self, event: TournamentEvent, by: str) -> None:
        """Make the file. Raises UserError if there is one."""
        with self.version.lock:
            begin_log(self.path, event, self.utc(), by)
            self._drawn_ms = {0: self.now_ms()}
            self.version.grow()

    def put_away(self) -> Path:
        """Put the file beside, so that another tournament can begin; returns where it lies now.

        Raises:
            UserError: if there is none, or the file cannot be moved.
        """
        with self.version.lock:
            if self.log() is None:
                raise RefusalError("nothing_to_put_away")
            stamp = "".join(each for each in self.utc() if each.isalnum())
            place = self.path.with_name(f"{self.path.stem}-{stamp}{self.path.suffix}")
            if place.exists():
                raise RefusalError("put_away_before", file=place.name)
            try:
                self.path.rename(place)
            except OSError as error:
                raise RefusalError("put_away_denied", file=self.path, why=error.strerror) from None
            self._drawn_ms.clear()
            self._read = None
            self.version.grow()
            return place

    def change(self, change: Change, by: str) -> None:
        """Add events; nobody else changes the file meanwhile. Raises UserError."""
        with self.version.lock:
            self.needed()
            with change_log(self.path) as log:
                before = len(log.events)
                log.append(change(log.events), self.utc(), by)
            drawn = (each.matches for each in log.events[before:] if isinstance(each, MatchesDrawn))
            self._drawn_ms |= {each.number: self.now_ms() for matches in drawn for each in matches}
            self.version.grow()
