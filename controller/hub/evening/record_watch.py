"""The records of matches that may be over: each is read until its result stands in the tournament, or is none."""

import logging
import math
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from controller.errors import UserError
from controller.hub.evening.notice import EveningNotices, NoticeKind, RecordKey
from controller.hub.evening.record_fit import Misfit, fit_record, seated_score
from controller.hub.evening.sent_match import SaidInAnyLanguage
from controller.hub.evening.shown_match import is_between
from controller.hub.evening.tournament_file import TournamentFile
from controller.hub.evening.tournament_log import TournamentLog
from controller.hub.evening.version import EveningVersion
from controller.hub.hall import Hall, TableShown, find_table, table_title
from controller.hub.stored_match import StoredMatch, journal_events, start_command, stored_match
from controller.logs.defect import DefectScene
from controller.tournament import changes
from controller.tournament.events import ResultReported
from controller.tournament.fault import RefusalError
from controller.tournament.tournament import Progress, Tournament

_LOGGER: Final = logging.getLogger(__name__)

LOOK_S: Final = 2.0
"""How often is looked again at a record that has not come whole, or waits to be confirmed."""
AWAITED_MS: Final = 120_000
"""How long a record may take to arrive whole once its match has ended; then the director is told."""
LOOK_BACK_MS: Final = 30_000
"""How often the records of before are looked through for one of an open match that was never heard to end."""
RECORDS_BACK: Final = 12
"""This many of each table, the newest ones."""
FIRST_ENTRIES: Final = 50
"""A record names the command that began the match within this many of its first entries."""


@dataclass(slots=True)
class _Watched:
    """A record whose match may be over.

    Attributes:
        since_ms: when it was heard so first.
        looks: how often it was looked at.
        looked_s: when last, by the machine's monotonic clock.
        after: up to which entry it was read.
        command: the command that began its match; empty if no hub did, or that entry has not come.
        stored: its match, once it is over.
        defect: why it cannot be read; empty if it can.
    """

    since_ms: int
    looks: int = 0
    looked_s: float = -math.inf
    after: int = 0
    command: str = ""
    stored: StoredMatch | None = None
    defect: str = ""


@dataclass(slots=True)
class RecordWatch:
    """Follows the records of the tables; one thread looks at them, and any thread may say what a table shows.

    Seals of players in a record confirm nothing: whoever has the table can make a key for each of them.
    """

    hall: Hall
    file: TournamentFile
    notices: EveningNotices
    version: EveningVersion
    look_s: float = LOOK_S
    _watched: dict[RecordKey, _Watched] = field(default_factory=dict)
    _done: set[RecordKey] = field(default_factory=set)
    _passed: set[RecordKey] = field(default_factory=set)
    _heard: set[str] = field(default_factory=set)
    _journals: dict[str, str] = field(default_factory=dict)
    _looked_back_ms: int | None = None

    def hear(self, table: TableShown) -> None:
        """Take in what a table shows now: the match before may be over."""
        with self.version.lock:
            before = self._journals.get(table.name, "")
            journal = self._journals[table.name] = table.journal or before
            # Its last entries may still be on their way when the next match begins.
            for each in {before} - {journal} | ({journal} if is_between(table) else set()):
                if each:
                    self._watch((table.name, each))
            self._heard.add(table.name)

    def clear(self) -> None:
        """Be done with all of them: what waited to be confirmed is nothing for the next tournament."""
        with self.version.lock:
            self._done.update(self._watched)
            self._watched.clear()

    def _watch(self, record: RecordKey) -> None:
        if record not in self._done:
            self._watched.setdefault(record, _Watched(self.file.now_ms()))

    def look_back(self) -> None:
        """Watch the records of open matches that this hub never heard to end, such as when it was not running."""
        tournament, now_ms, before_ms = self.file.tournament(), self.file.now_ms(), self._looked_back_ms
        if tournament is None or (before_ms is not None and 0 <= now_ms - before_ms < LOOK_BACK_MS):
            return
        self._looked_back_ms = now_ms
        states = tournament.states()
        given = tournament.commands.values()
        for table in {table for match, table in given if states[match].progress is Progress.OPEN}:
            for journal in self.hall.journals(table, most=RECORDS_BACK):
                self._look_back_at(tournament, (table, journal))

    def _look_back_at(self, tournament: Tournament, record: RecordKey) -> None:
        table, journal = record
        if record in self._passed or record in self._done or journal == self._journals.get(table):
            return
        first = self.hall.events(table, journal=journal, most=FIRST_ENTRIES)
        command = start_command(first)
        with self.version.lock:
            if command in tournament.commands:
                self._watch(record)
            elif command or len(first) == FIRST_ENTRIES:
                self._passed.add(record)

    def look(self) -> None:
        """Look at each record whose table was heard since, or that was not looked at for a while."""
        now_s = time.monotonic()
        with self.version.lock:
            heard, self._heard = self._heard, set()
            waiting = [
                (record, each)
                for record, each in self._watched.items()
                if record[0] in heard or now_s - each.looked_s >= self.look_s
            ]
        for record, watched in waiting:
            watched.looked_s = now_s
            if self._goes_on(record):
                watched.since_ms = self.file.now_ms()
                self.notices.take_back(record)
            else:
                self._look_safely(record, watched)
            watched.looks += 1

    def _goes_on(self, record: RecordKey) -> bool:
        """Whether a table plays the match of a record just now, such as after a power cut."""
        table, journal = record
        shown = find_table(self.hall, table)
        return shown is not None and self._journals.get(table) == journal and not is_between(shown)

    def _look_safely(self, record: RecordKey, watched: _Watched) -> None:
        """Look at one record; whatever is wrong with it, the others are looked at, and it is tried again."""
        done = False
        try:
            done = self._follow_record(record, watched)
        except UserError as error:  # the disk is full, or the file cannot be read just now
            self._tell_failure(record, watched, error if isinstance(error, RefusalError) else str(error))
        except Exception as error:  # a defect
            _LOGGER.exception("A defect while a record was looked at.", extra=_scene(record).extra)
            self._tell_failure(record, watched, _defect(error))
        if done or self._is_nobodys(record, watched):
            with self.version.lock:
                self._watched.pop(record, None)
                self._done.add(record)

    def _is_nobodys(self, record: RecordKey, watched: _Watched) -> bool:
        """Whether a record that its table has put away, and that has not come whole, is of no match that counts."""
        table, journal = record
        if self._journals.get(table) == journal or self.file.now_ms() - watched.since_ms < AWAITED_MS:
            return False
        try:
            tournament = self.file.tournament()
        except UserError:
            return False
        return tournament is None or watched.command not in tournament.commands

    def _follow_record(self, record: RecordKey, watched: _Watched) -> bool:
        """Read what has come of a record, and do what follows from it; returns whether that is all."""
        self._read_record(record, watched)
        # What follows is of the tournament that is here now, and not of one that is put away meanwhile.
        with self.version.lock:
            log, tournament = self.file.log(), self.file.tournament()
            return (
                log is not None and tournament is not None and self._follow(log, tournament, record, watched)
            )

    def _follow(
        self, log: TournamentLog, tournament: Tournament, record: RecordKey, watched: _Watched
    ) -> bool:
        """Take a match's result from its record, or look whether that changes; returns whether that is all."""
        (table, journal), stored = record, watched.stored
        if stored is None:
            self._tell_unfinished(tournament, record, watched)
            return False
        entered = [
            each for each in log.events if isinstance(each, ResultReported) and each.journal == journal
        ]
        if not entered:
            return self._take_result(tournament, record, stored)
        number = next((n for n, each in tournament.journals.items() if each == journal), None)
        if number is None or tournament.tables.get(number) != table:
            return True
        self.notices.take_back(record)
        said = seated_score(tournament, tournament.states()[number], stored)
        if tournament.results[number] != replace(tournament.results[number], score=said):
            score = "-".join(map(str, said))
            self._notify(NoticeKind.RECORD_CHANGED, record, stored, score=score, match=str(number))
        return not tournament.is_unconfirmed(number)

    def _read_record(self, record: RecordKey, watched: _Watched) -> None:
        """Read what has come of a record since it was read last."""
        table, journal = record
        if not self.hall.events(table, after=watched.after, journal=journal, most=1):
            return
        entries = journal_events(self.hall, table, journal)
        watched.after, watched.command = entries[-1].number, start_command(entries)
        watched.stored, watched.defect = None, ""
        try:
            watched.stored = stored_match(entries)
        except Exception as error:  # a defect; it is read again when more of it comes
            _LOGGER.exception("A defect while a record was read.", extra=_scene(record).extra)
            watched.defect = _defect(error)

    def _take_result(self, tournament: Tournament, record: RecordKey, stored: StoredMatch) -> bool:
        """Enter the result that a record brings, or say what it is instead."""
        table, journal = record
        found = fit_record(tournament, table, journal, stored, partial(self.file.ended_before, table, stored))
        if isinstance(found, Misfit):
            self._notify(found.kind, record, stored, **found.arguments)
            return True
        if found is not None:
            self.file.change(lambda events: [changes.report(events, found)], table_title(self.hall, table))
        self.notices.take_back(record)
        return found is None

    def _tell_unfinished(self, tournament: Tournament, record: RecordKey, watched: _Watched) -> None:
        """Tell of an open match that has ended at its table, and of which no result comes."""
        table, _ = record
        number, sent_to = tournament.commands.get(watched.command, (0, ""))
        state = tournament.states().get(number)
        if state is None or state.progress is not Progress.OPEN or table != sent_to:
            self.notices.take_back(record)
            return
        if self.file.now_ms() - watched.since_ms >= AWAITED_MS:
            names = " - ".join(tournament.entries[each].name for each in state.players)
            kind = NoticeKind.NOT_ENTERED if watched.defect else NoticeKind.UNFINISHED
            why = {"why": watched.defect} if watched.defect else {}
            self.notices.tell(kind, record, {"table": table, "names": names, "match": str(number), **why})

    def _tell_failure(self, record: RecordKey, watched: _Watched, why: str | SaidInAnyLanguage) -> None:
        """Tell that a result of the tournament cannot be entered just now.

        Where the tournament's file cannot be read, the pages say that themselves.
        """
        with suppress(UserError):
            tournament, stored = self.file.tournament(), watched.stored
            if tournament is not None and stored is not None and stored.command in tournament.commands:
                number, _ = tournament.commands[stored.command]
                self._notify(NoticeKind.NOT_ENTERED, record, stored, match=str(number), why=why)

    def _notify(
        self, kind: NoticeKind, record: RecordKey, stored: StoredMatch, **more: str | SaidInAnyLanguage
    ) -> None:
        names = " - ".join(stored.names.values())
        score = "-".join(str(points) for points in stored.score.values())
        told = {"table": record[0], "names": names, "score": score, "played": str(stored.length), **more}
        self.notices.tell(kind, record, told)


def _scene(record: RecordKey) -> DefectScene:
    table, journal = record
    return DefectScene("evening", table=table, task={"record": [table, journal]})


def _defect(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
