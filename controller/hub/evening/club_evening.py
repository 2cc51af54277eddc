"""The tournament of an evening at the hub: matches go to tables, and the tables' records bring the results."""

import logging
import threading
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.errors import UserError
from controller.hub.evening.given_matches import GivenMatches
from controller.hub.evening.notice import EveningNotices
from controller.hub.evening.record_watch import LOOK_S, RecordWatch
from controller.hub.evening.tournament_file import TournamentFile
from controller.hub.evening.tournament_log import TournamentLog
from controller.hub.evening.version import EveningVersion
from controller.hub.hall import Hall, TableShown
from controller.logs.defect import DefectScene
from controller.tournament import changes
from controller.tournament.changes import EntryWish, Report
from controller.tournament.events import TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.format import TournamentFormat
from controller.tournament.match import MatchEnding
from controller.tournament.tournament import Tournament, fold, playable

_LOGGER: Final = logging.getLogger(__name__)


class ClubEvening(Closeable):
    """One tournament and the tables of a hall. Every method may be called from any thread.

    The file has the tournament, `RecordWatch` looks after the results; what a director does is here, and the thread
    that looks on.

    Attributes:
        hall: the tables.
        matches: what became of matches at their tables.
        notices: what the director is to know.
        path: the tournament's file; the commands of `pointsman tournament` may be used on it at any time.
        now_ms: the time of day, milliseconds since 1970, on a clock that jumps only where the machine's is set.
    """

    def __init__(
        self,
        hall: Hall,
        path: Path,
        utc: Callable[[], str],
        now_ms: Callable[[], int],
        look_s: float = LOOK_S,
    ) -> None:
        """Begin to hear the tables.

        ``utc`` tells the time of day for the file, ISO 8601. Records that wait are looked at each ``look_s`` seconds.
        """
        self.hall, self.path, self.now_ms = hall, path, now_ms
        self._version = EveningVersion()
        self._file = TournamentFile(hall, path, utc, now_ms, self._version)
        self.notices = EveningNotices(self._version)
        self.matches = GivenMatches(hall, self._file, self._version)
        self._records = RecordWatch(hall, self._file, self.notices, self._version, look_s)
        self._wake = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._look_on, name="pointsman-evening", daemon=True)
        hall.subscribe(self._on_table)
        for table in hall.tables():
            self._on_table(table)
        self._thread.start()

    def close(self) -> None:
        """Hear nothing any more."""
        self._closed = True
        self._wake.set()
        self._thread.join(LOOK_S)

    def _on_table(self, table: TableShown) -> None:
        self._records.hear(table)
        self._wake.set()

    def _look_on(self) -> None:
        while not self._closed:
            self._wake.wait(self._records.look_s)
            self._wake.clear()
            for work in (self.matches.tell_scores, self._records.look_back, self._records.look):
                try:
                    work()
                except UserError:
                    pass  # a file that cannot be read just now is read the next time
                except Exception:  # a defect keeps no result out
                    _LOGGER.exception(
                        "A defect while the tournament was looked at.", extra=DefectScene("evening").extra
                    )

    # --- what there is -------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """A number that grows with everything that changes what can be seen."""
        return self._version.number

    def log(self) -> TournamentLog | None:
        """The tournament's events as the file has them now; None while there is no tournament.

        Raises:
            UserError: if the file cannot be read.
        """
        return self._file.log()

    def tournament(self) -> Tournament | None:
        """The tournament as it stands. Raises UserError if its file cannot be read."""
        return self._file.tournament()

    def unconfirmed(self) -> frozenset[str]:
        """The journals whose results were entered and wait to be confirmed."""
        tournament = self.tournament()
        if tournament is None:
            return frozenset()
        journals = tournament.journals.items()
        return frozenset(each for number, each in journals if tournament.is_unconfirmed(number))

    # --- what a director does ------------------------------------------------------------------------------

    def begin(self, name: str, chosen: TournamentFormat, seed: str, by: str) -> None:
        """Begin the tournament. Raises UserError if there is one, or it cannot be."""
        self._file.begin(changes.begin(name, chosen, seed), by)

    def put_away(self) -> Path:
        """Put the tournament's file beside, so that another one can begin; returns where it lies now.

        Raises:
            UserError: if there is none, or the file cannot be moved.
        """
        with self._version.lock:
            place = self._file.put_away()
            self._records.clear()
            self.notices.clear()
            self.matches.clear()
            return place

    def enter(self, wishes: Iterable[EntryWish], by: str) -> None:
        """Enter players, all or none. Raises UserError."""
        self._file.change(lambda events: changes.enter(events, wishes), by)

    def withdraw(self, player: str, by: str) -> None:
        """Take a player out. Raises UserError."""
        self._file.change(lambda events: [changes.withdraw(events, player)], by)

    def come_late(self, player: str, minutes: int, by: str) -> None:
        """Note that somebody came late to the match that they play now. Raises UserError."""
        self._file.change(lambda events: changes.come_late(events, player, minutes), by)
        self._wake.set()

    def draw(self, by: str, *, assign: bool, pair: tuple[str, str] | None = None) -> None:
        """Draw what comes next, and with ``assign`` give its matches to the free tables. Raises UserError.

        ``pair`` is one that the director has made.
        """
        self._file.change(lambda events: [changes.draw(events, None, () if pair is None else (pair,))], by)
        if assign:
            self.assign_free(by)

    def play_off(self, one: str, other: str, length: int, by: str) -> None:
        """Have two who share a place play for it, at a free table if there is one. Raises UserError."""
        self._file.change(lambda events: [changes.play_off(events, one, other, length)], by)
        self.assign_free(by)

    def report(
        self, match: int, score: tuple[int, int] | None, by: str, ending: MatchEnding = MatchEnding.PLAYED
    ) -> None:
        """Enter a result by hand; it takes the place of one that the match has. Raises UserError.

        ``score`` has the points of both seats; of a walk-over the seat with more goes on.
        """

        def change(events: list[TournamentEvent]) -> list[TournamentEvent]:
            instead = match in fold(events).results
            return [changes.report(events, Report(match, score, ending), instead=instead)]

        self._file.change(change, by)

    def confirm(self, match: int, by: str) -> None:
        """Vouch for a result that came from a record. Raises UserError."""
        self._file.change(lambda events: [changes.confirm(events, match)], by)

    def confirm_as(self, match: int, player: int) -> None:
        """Vouch for a result as one of the two players. Raises UserError if they may not, or have done so."""
        tournament = self.tournament()
        named = None if tournament is None else tournament.entries.get(player)
        by = "" if named is None else named.name
        self._file.change(lambda events: [changes.confirm(events, match, player)], by)

    def undo(self, number: int, by: str, *, later: bool = False) -> None:
        """Take an event back, with ``later`` what needs it, too. Raises UserError."""
        self._file.change(lambda events: [changes.undo(events, number, later=later)], by)

    def assign(self, match: int, table: str, by: str) -> None:
        """Have a match played at a table, and send it there; with an empty name take it away.

        Raises:
            UserError: if there is no such table, it plays something else, or the match is not open.
        """
        if table:
            self.matches.refuse_busy(match, table)
        command = _new_command() if table else ""
        self._file.change(lambda events: [changes.assign(events, match, table, command)], by)
        self.matches.forget(match)
        if table:
            self._begin_at_table(match, command, by)

    def assign_free(self, by: str) -> int:
        """Give every match that can be played and has no table to a free one; returns how many. Raises UserError."""
        tournament = self._file.needed()
        waiting = [
            each for each in playable(tournament.states()) if each.match.number not in tournament.tables
        ]
        pairs = [
            (state.match.number, table.name, _new_command())
            for state, table in zip(waiting, self.matches.free_tables(), strict=False)
        ]

        def change(events: list[TournamentEvent]) -> list[TournamentEvent]:
            found: list[TournamentEvent] = []
            for pair in pairs:
                found.append(changes.assign([*events, *found], *pair))
            return found

        if pairs:
            self._file.change(change, by)
        for match, _, command in pairs:
            with suppress(RefusalError):  # somebody has changed this one just now; the others are sent
                self._begin_at_table(match, command, by)
        return len(pairs)

    def send(self, match: int, by: str) -> None:
        """Tell a match to its table once more, so that it is played there next.

        Raises:
            UserError: if it is at none, or not open.
        """
        tournament = self.tournament()
        if tournament is None or match not in tournament.tables:
            raise RefusalError("at_no_table", match=match)
        table, command = tournament.tables[match], _new_command()
        self._file.change(lambda events: [changes.assign(events, match, table, command)], by)
        self._begin_at_table(match, command, by)

    def _begin_at_table(self, match: int, command: str, by: str) -> None:
        self.matches.send(match, command, by)
        self._wake.set()


def _new_command() -> str:
    """The name of a command: no two are called the same, and none can be guessed."""
    return uuid.uuid4().hex
