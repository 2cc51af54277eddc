"""The tournament of an evening in its file, which programs beside the hub may change as well."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from controller.errors import UserError
from controller.hub.evening.tournament_log import TournamentLog, begin_log, change_log, read_log
from controller.hub.evening.version import EveningVersion
from controller.hub.hall import Hall
from controller.hub.stored_match import StoredMatch
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
        hall: the tables whose records bring results.
        path: the file; the commands of `pointsman tournament` may be used on it at any time.
        utc: tells the time of day for the file, ISO 8601.
        now_ms: tells it as milliseconds since 1970, on a clock that jumps only where the machine's is set.
        version: of the evening.
    """

    hall: Hall
    path: Path
    utc: Callable[[], str]
    now_ms: Callable[[], int]
    version: EveningVersion
    _stored: dict[int, Mapping[str, int]] = field(default_factory=dict)
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
                self._stored.clear()
                return None
            stamp = (found.st_mtime_ns, found.st_size)
            if self._read is None or self._read.stamp != stamp:
                log = read_log(self.path)
                if self._read is not None:
                    before = self._read.log.events
                    if log.events[: len(before)] != before:  # it is another file
                        self._stored.clear()
                    else:
                        self._see_draws(log, len(before))
                self._read = _Read(stamp, log, log.tournament())
                self.version.grow()
            return self._read

    def ended_before(self, table: str, stored: StoredMatch, match: int) -> bool:
        """Whether what a table has played had ended when a match was drawn, or for 0 when the tournament began.

        The order in which entries are stored tells it: clocks are set. Of what was drawn while this hub did not run
        only the times tell.
        """
        log = self.log()
        if log is None:
            return False
        draw = log.draw_of(match)
        if draw in self._stored:
            return stored.ended <= self._stored[draw].get(table, 0)
        return stored.ended_ms < log.told_ms(draw)

    def _see_draws(self, log: TournamentLog, before: int) -> None:
        """Remember what is stored of each table now that something was drawn; ``before``: events there were."""
        drawn = [
            number
            for number, each in enumerate(log.events, start=1)
            if number > before
            and (number == 1 or isinstance(each, MatchesDrawn))
            and number not in self._stored
        ]
        if drawn:
            with suppress(UserError):  # then the times tell
                stored = {each.name: self.hall.newest_number(each.name) for each in self.hall.tables()}
                self._stored.update(dict.fromkeys(drawn, stored))

    def begin(self, event: TournamentEvent, by: str) -> None:
        """Make the file. Raises UserError if there is one."""
        with self.version.lock:
            begin_log(self.path, event, self.utc(), by)
            self._stored.clear()
            self._see_draws(read_log(self.path), 0)
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
            self._stored.clear()
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
                self._see_draws(log, before)
            self.version.grow()
