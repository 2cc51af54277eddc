"""The tournament of an evening at the hub: matches go to tables, and the tables' records bring the results."""

import logging
import math
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from controller.club.messages import TableReply
from controller.errors import UserError
from controller.hub.evening.notice import PASSING, EveningNotice, NoticeKind
from controller.hub.evening.record_fit import Misfit, fit_record, seated_score
from controller.hub.evening.sent_match import (
    SaidInAnyLanguage,
    SendingState,
    SentMatch,
    match_body,
    read_answer,
    score_body,
)
from controller.hub.evening.shown_match import has_game, is_between, is_free, plays, shown_match, shown_score
from controller.hub.evening.tournament_log import TournamentLog, begin_log, change_log, read_log
from controller.hub.hall import Hall, TableShown
from controller.hub.need import number_order
from controller.hub.stored_match import StoredMatch, journal_events, start_command, stored_match
from controller.logs.defect import DefectScene
from controller.record.journal.journal import Closeable, Json
from controller.tournament import changes
from controller.tournament.changes import EntryWish, Report
from controller.tournament.events import MatchesDrawn, ResultReported, TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.format import TournamentFormat
from controller.tournament.match import MatchEnding
from controller.tournament.tournament import (
    DrawnMatch,
    Progress,
    Tournament,
    fold,
    playable,
)

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
AUTHOR: Final = "director"
"""Who did what nobody put a name to."""


_Record = tuple[str, str]
"""A record: the table that sends it, and its journal. Two tables may send one under the same name."""


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


@dataclass(frozen=True, slots=True)
class _Read:
    """The tournament's file as it was read: when it was changed last, its size, and what follows from it."""

    stamp: tuple[int, int]
    log: TournamentLog
    tournament: Tournament


@dataclass
class ClubEvening(Closeable):
    """One tournament and the tables of a hall. Every method may be called from any thread.

    Attributes:
        hall: the tables.
        path: the tournament's file; the commands of `pointsman tournament` may be used on it at any time.
        utc: tells the time of day for the file, ISO 8601.
        now_ms: tells it as milliseconds since 1970, on a clock that never runs backwards.
        version: grows with everything that changes what can be seen.
    """

    hall: Hall
    path: Path
    utc: Callable[[], str]
    now_ms: Callable[[], int]
    version: int = 0
    _sent: dict[int, SentMatch] = field(default_factory=dict)
    _notices: dict[_Record, EveningNotice] = field(default_factory=dict)
    _told: dict[_Record, EveningNotice] = field(default_factory=dict)
    _watched: dict[_Record, _Watched] = field(default_factory=dict)
    _seen: set[_Record] = field(default_factory=set)
    _passed: set[_Record] = field(default_factory=set)
    _heard: set[str] = field(default_factory=set)
    _looked_back_ms: int | None = None
    _drawn_ms: dict[int, int] = field(default_factory=dict)
    _told_scores: dict[int, tuple[Json, Json]] = field(default_factory=dict)
    _journals: dict[str, str] = field(default_factory=dict)
    _read: "_Read | None" = None
    _turn: threading.RLock = field(default_factory=threading.RLock)
    _wake: threading.Event = field(default_factory=threading.Event)
    _closed: bool = False
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        """Begin to hear the tables."""
        self._thread = threading.Thread(target=self._look_on, name="pointsman-evening", daemon=True)
        self.hall.subscribe(self._on_table)
        for table in self.hall.tables():
            self._on_table(table)
        self._thread.start()

    def close(self) -> None:
        """Hear nothing any more."""
        self._closed = True
        self._wake.set()
        self._thread.join(LOOK_S)

    # --- what there is -------------------------------------------------------------------------------------

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

    def _read_file(self) -> "_Read | None":
        with self._turn:
            try:
                found = self.path.stat()
            except FileNotFoundError:
                self._read = None
                return None
            stamp = (found.st_mtime_ns, found.st_size)
            if self._read is None or self._read.stamp != stamp:
                log = read_log(self.path)
                self._read = _Read(stamp, log, log.tournament())
                self.version += 1
            return self._read

    def sent(self) -> Mapping[int, SentMatch]:
        """What became of matches that were sent to tables since the hub began, by their number."""
        with self._turn:
            return dict(self._sent)

    def notices(self) -> tuple[EveningNotice, ...]:
        """What the director is to know, the oldest first."""
        with self._turn:
            return tuple(self._notices.values())

    def unconfirmed(self) -> frozenset[str]:
        """The journals whose results were entered and wait to be confirmed."""
        tournament = self.tournament()
        if tournament is None:
            return frozenset()
        journals = tournament.journals.items()
        return frozenset(each for number, each in journals if tournament.is_unconfirmed(number))

    def free_tables(self) -> list[TableShown]:
        """The tables that a match can be sent to, by their numbers."""
        tournament = self.tournament()
        taken = set() if tournament is None else {table for table, _ in _open_at_tables(tournament)}
        return sorted(
            (each for each in self.hall.tables() if is_free(each) and each.name not in taken),
            key=number_order,
        )

    # --- what a director does ------------------------------------------------------------------------------

    def begin(self, name: str, chosen: TournamentFormat, seed: str, by: str) -> None:
        """Begin the tournament. Raises UserError if there is one, or it cannot be."""
        event = changes.begin(name, chosen, seed)
        with self._turn:
            begin_log(self.path, event, self.utc(), by)
            self._drawn_ms = {0: self.now_ms()}
            self.version += 1

    def put_away(self) -> Path:
        """Put the tournament's file beside, so that another one can begin; returns where it lies now.

        Raises:
            UserError: if there is none, or the file cannot be moved.
        """
        with self._turn:
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
            # What waited here to be confirmed is nothing for the next tournament.
            self._seen.update(self._watched)
            for each in (
                self._sent,
                self._notices,
                self._told,
                self._watched,
                self._told_scores,
                self._drawn_ms,
            ):
                each.clear()
            self._read = None
            self.version += 1
            return place

    def enter(self, wishes: Iterable[EntryWish], by: str) -> None:
        """Enter players, all or none. Raises UserError."""
        self._change(lambda events: changes.enter(events, wishes), by)

    def withdraw(self, player: str, by: str) -> None:
        """Take a player out. Raises UserError."""
        self._change(lambda events: [changes.withdraw(events, player)], by)

    def come_late(self, player: str, minutes: int, by: str) -> None:
        """Note that somebody came late to the match that they play now. Raises UserError."""
        self._change(lambda events: changes.come_late(events, player, minutes), by)
        self._wake.set()

    def draw(self, by: str, *, assign: bool, pair: tuple[str, str] | None = None) -> None:
        """Draw what comes next, and with ``assign`` give its matches to the free tables. Raises UserError.

        ``pair`` is one that the director has made.
        """
        self._change(lambda events: [changes.draw(events, None, () if pair is None else (pair,))], by)
        if assign:
            self.assign_free(by)

    def play_off(self, one: str, other: str, length: int, by: str) -> None:
        """Have two who share a place play for it, at a free table if there is one. Raises UserError."""
        self._change(lambda events: [changes.play_off(events, one, other, length)], by)
        self.assign_free(by)

    def report(
        self, match: int, score: tuple[int, int] | None, by: str, ending: MatchEnding = MatchEnding.PLAYED
    ) -> None:
        """Enter a result by hand; it takes the place of one that the match has. Raises UserError.

        ``score`` has the points of both seats; of a walk-over the seat with more goes on.
        """

        def change(events: list[TournamentEvent]) -> list[TournamentEvent]:
            tournament = fold(events)
            instead = match in tournament.results
            named: int | tuple[str, str] = match
            if ending is MatchEnding.WALKOVER and score is not None and score[1] > score[0]:
                first, second = tournament.states()[match].players
                named = (tournament.entries[second].name, tournament.entries[first].name)
            return [changes.report(events, Report(named, score, ending), instead=instead)]

        self._change(change, by)

    def confirm(self, match: int, by: str) -> None:
        """Vouch for a result that came from a record. Raises UserError."""
        self._change(lambda events: [changes.confirm(events, match)], by)

    def confirm_as(self, match: int, player: int) -> None:
        """Vouch for a result as one of the two players. Raises UserError if they may not, or have done so."""
        tournament = self.tournament()
        named = None if tournament is None else tournament.entries.get(player)
        by = "" if named is None else named.name
        self._change(lambda events: [changes.confirm(events, match, player)], by)

    def undo(self, number: int, by: str, *, later: bool = False) -> None:
        """Take an event back, with ``later`` what needs it, too. Raises UserError."""
        self._change(lambda events: [changes.undo(events, number, later=later)], by)

    def assign(self, match: int, table: str, by: str) -> None:
        """Have a match played at a table, and send it there; with an empty name take it away.

        Raises:
            UserError: if there is no such table, it plays something else, or the match is not open.
        """
        if table:
            self._refuse_busy(match, table)
        command = _new_command() if table else ""
        self._change(lambda events: [changes.assign(events, match, table, command)], by)
        with self._turn:
            self._sent.pop(match, None)
        if table:
            self._tell_match(match, command, by)

    def assign_free(self, by: str) -> int:
        """Give every match that can be played and has no table to a free one; returns how many. Raises UserError."""
        tournament = self.tournament()
        if tournament is None:
            raise RefusalError("no_tournament")
        waiting = [
            each for each in playable(tournament.states()) if each.match.number not in tournament.tables
        ]
        pairs = [
            (state.match.number, table.name, _new_command())
            for state, table in zip(waiting, self.free_tables(), strict=False)
        ]

        def change(events: list[TournamentEvent]) -> list[TournamentEvent]:
            found: list[TournamentEvent] = []
            for pair in pairs:
                found.append(changes.assign([*events, *found], *pair))
            return found

        if pairs:
            self._change(change, by)
        for match, _, command in pairs:
            self._tell_match(match, command, by)
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
        self._change(lambda events: [changes.assign(events, match, table, command)], by)
        self._tell_match(match, command, by)

    def _tell_match(self, match: int, command: str, by: str) -> None:
        """Have the table of a match begin it by a command that the tournament's file knows."""
        tournament = self.tournament()
        state = None if tournament is None else tournament.states().get(match)
        if tournament is None or state is None or match not in tournament.tables:
            raise RefusalError("at_no_table", match=match)
        table = tournament.tables[match]
        with self._turn:
            self._sent[match] = SentMatch(table)
            self._told_scores.pop(match, None)
            self.version += 1
        if any(tournament.start(state)) and self._is_played(tournament, state, table):
            self._wake.set()
            return
        body = match_body(tournament, state)
        answer = self.hall.ask(table, body, by="director", name=by, command=command)
        answer.add_done_callback(lambda done: self._answered(match, table, done))

    def forget(self, journal: str) -> None:
        """Take the notices of a journal off the list; what they say is not shown again."""
        with self._turn:
            for record in [each for each in self._notices if each[1] == journal]:
                del self._notices[record]
            self.version += 1

    def _refuse_busy(self, match: int, table: str) -> None:
        shown = self._shown(table)
        if shown is None:
            names = ", ".join(each.name for each in sorted(self.hall.tables(), key=number_order)[:5])
            if not names:
                raise RefusalError("no_tables", table=table)
            raise RefusalError("no_table", table=table, tables=names)
        tournament = self.tournament()
        if not is_free(shown) and not (tournament is not None and plays(shown, tournament, match)):
            raise RefusalError("table_busy", table=shown.title or table)

    def _change(self, change: Callable[[list[TournamentEvent]], Iterable[TournamentEvent]], by: str) -> None:
        with self._turn:
            if self.log() is None:
                raise RefusalError("no_tournament")
            with change_log(self.path) as log:
                before = len(log.events)
                log.append(change(log.events), self.utc(), by)
            # By the clock by which entries are stored: that of the file may have been set meanwhile.
            drawn = (each.matches for each in log.events[before:] if isinstance(each, MatchesDrawn))
            self._drawn_ms |= {each.number: self.now_ms() for matches in drawn for each in matches}
            self.version += 1

    def _answered(self, match: int, table: str, done: "Future[TableReply]") -> None:
        told = read_answer(table, done)
        with self._turn:
            if match in self._sent and self._sent[match].table == table:
                self._sent[match] = told
            self.version += 1

    # --- what the tables tell ------------------------------------------------------------------------------

    def _on_table(self, table: TableShown) -> None:
        with self._turn:
            before = self._journals.get(table.name, "")
            journal = self._journals[table.name] = table.journal or before
            # Its last entries may still be on their way when the next match begins.
            for each in {before} - {journal} | ({journal} if is_between(table) else set()):
                if each:
                    self._watch((table.name, each))
            self._heard.add(table.name)
        self._wake.set()

    def _watch(self, record: _Record) -> None:
        if record not in self._seen:
            self._watched.setdefault(record, _Watched(self.now_ms()))

    def _look_on(self) -> None:
        while not self._closed:
            self._wake.wait(LOOK_S)
            self._wake.clear()
            for work in (self._tell_scores, self._look_back):
                try:
                    work()
                except UserError:
                    pass  # a file that cannot be read just now is read the next time
                except Exception:  # a defect keeps no result out
                    _LOGGER.exception(
                        "A defect while the tournament was looked at.", extra=DefectScene("evening").extra
                    )
            now_s = time.monotonic()
            with self._turn:
                heard, self._heard = self._heard, set()
                waiting = [
                    (record, each)
                    for record, each in self._watched.items()
                    if record[0] in heard or now_s - each.looked_s >= LOOK_S
                ]
            for record, watched in waiting:
                watched.looked_s = now_s
                if self._goes_on(record):
                    watched.since_ms = self.now_ms()
                    self._untell(record)
                else:
                    self._look_safely(record, watched)
                watched.looks += 1

    def _goes_on(self, record: _Record) -> bool:
        """Whether a table plays the match of a record just now, such as after a power cut."""
        table, journal = record
        shown = self._shown(table)
        return shown is not None and self._journals.get(table) == journal and not is_between(shown)

    def _look_back(self) -> None:
        """Watch the records of open matches that this hub never heard to end, such as when it was not running."""
        tournament, now_ms, before_ms = self.tournament(), self.now_ms(), self._looked_back_ms
        if tournament is None or (before_ms is not None and now_ms - before_ms < LOOK_BACK_MS):
            return
        self._looked_back_ms = now_ms
        states = tournament.states()
        given = tournament.commands.values()
        for table in {table for match, table in given if states[match].progress is Progress.OPEN}:
            for journal in self.hall.journals(table, most=RECORDS_BACK):
                record = (table, journal)
                if record in self._passed or record in self._seen or journal == self._journals.get(table):
                    continue
                first = self.hall.events(table, journal=journal, most=FIRST_ENTRIES)
                command = start_command(first)
                with self._turn:
                    if command in tournament.commands:
                        self._watch(record)
                    elif command or len(first) == FIRST_ENTRIES:
                        self._passed.add(record)

    def _tell_scores(self) -> None:
        """Have the matches that do not begin at 0-0 begin so at their tables, once their first game is on there."""
        tournament = self.tournament()
        if tournament is None:
            return
        for table, state in _open_at_tables(tournament):
            shown, start = self._shown(table), tournament.start(state)
            if shown is not None and any(start) and self._is_played(tournament, state, table):
                self._tell_score(tournament, state, shown, start)

    def _tell_score(
        self, tournament: Tournament, state: DrawnMatch, shown: TableShown, start: tuple[int, int]
    ) -> None:
        match, body = state.match.number, score_body(tournament, state, shown)
        has = shown_score(shown)
        wanted = (body["light"], body["dark"])
        with self._turn:
            before = self._told_scores.get(match)
            if not has_game(shown) or has == wanted or before == wanted:
                return
            self._told_scores[match] = wanted
        if shown_match(shown).get("game") != 1 or has not in ((0, 0), before):
            # Somebody at the table has ruled meanwhile, or later games count on from what was.
            score = "-".join(map(str, start))
            late = RefusalError("start_too_late", score=score)
            with self._turn:
                self._sent[match] = SentMatch(shown.name, SendingState.REFUSED, late)
                self.version += 1
            return
        answer = self.hall.ask(shown.name, body, by="director", name=AUTHOR)
        answer.add_done_callback(lambda done: self._answered(match, shown.name, done))

    def _look_safely(self, record: _Record, watched: _Watched) -> None:
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
            with self._turn:
                self._watched.pop(record, None)
                self._seen.add(record)

    def _is_nobodys(self, record: _Record, watched: _Watched) -> bool:
        """Whether a record that its table has put away, and that has not come whole, is of no match that counts."""
        table, journal = record
        if self._journals.get(table) == journal or self.now_ms() - watched.since_ms < AWAITED_MS:
            return False
        try:
            tournament = self.tournament()
        except UserError:
            return False
        return tournament is None or watched.command not in tournament.commands

    def _follow_record(self, record: _Record, watched: _Watched) -> bool:
        """Read what has come of a record, and do what follows from it; returns whether that is all."""
        self._read_record(record, watched)
        # What follows is of the tournament that is here now, and not of one that is put away meanwhile.
        with self._turn:
            read = self._read_file()
            return read is not None and self._follow(read.log, read.tournament, record, watched)

    def _follow(self, log: TournamentLog, tournament: Tournament, record: _Record, watched: _Watched) -> bool:
        """Take a match's result from its record, or look whether that changes; returns whether that is all.

        Seals of players in it confirm nothing: whoever has the table can make a key for each of them.
        """
        (table, journal), stored = record, watched.stored
        if stored is None:
            self._tell_unfinished(tournament, record, watched)
            return False
        entered = [
            each for each in log.events if isinstance(each, ResultReported) and each.journal == journal
        ]
        if not entered:
            return self._take_result(log, tournament, record, stored)
        number = next((n for n, each in tournament.journals.items() if each == journal), None)
        if number is None or tournament.tables.get(number) != table:
            return True
        self._untell(record)
        said = seated_score(tournament, tournament.states()[number], stored)
        if tournament.results[number] != replace(tournament.results[number], score=said):
            score = "-".join(map(str, said))
            self._notify(NoticeKind.RECORD_CHANGED, record, stored, score=score, match=str(number))
        return not tournament.is_unconfirmed(number)

    def _read_record(self, record: _Record, watched: _Watched) -> None:
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

    def _take_result(
        self, log: TournamentLog, tournament: Tournament, record: _Record, stored: StoredMatch
    ) -> bool:
        """Enter the result that a record brings, or say what it is instead."""
        table, journal = record
        found = fit_record(
            tournament,
            table,
            journal,
            stored,
            lambda match: self._drawn_ms[match] if match in self._drawn_ms else log.drawn_ms(match),
        )
        if isinstance(found, Misfit):
            self._notify(found.kind, record, stored, **found.arguments)
            return True
        if found is not None:
            self._change(lambda events: [changes.report(events, found)], self._title(table))
        self._untell(record)
        return found is None

    def _tell_unfinished(self, tournament: Tournament, record: _Record, watched: _Watched) -> None:
        """Tell of an open match that has ended at its table, and of which no result comes."""
        table, _ = record
        number, sent_to = tournament.commands.get(watched.command, (0, ""))
        state = tournament.states().get(number)
        if state is None or state.progress is not Progress.OPEN or table != sent_to:
            self._untell(record)
            return
        if self.now_ms() - watched.since_ms >= AWAITED_MS:
            names = " - ".join(tournament.entries[each].name for each in state.players)
            kind = NoticeKind.NOT_ENTERED if watched.defect else NoticeKind.UNFINISHED
            why = {"why": watched.defect} if watched.defect else {}
            self._tell_of(kind, record, {"table": table, "names": names, "match": str(number), **why})

    def _tell_failure(self, record: _Record, watched: _Watched, why: str | SaidInAnyLanguage) -> None:
        """Tell that a result of the tournament cannot be entered just now.

        Where the tournament's file cannot be read, the pages say that themselves.
        """
        with suppress(UserError):
            tournament, stored = self.tournament(), watched.stored
            if tournament is not None and stored is not None and stored.command in tournament.commands:
                number, _ = tournament.commands[stored.command]
                self._notify(NoticeKind.NOT_ENTERED, record, stored, match=str(number), why=why)

    def _shown(self, table: str) -> TableShown | None:
        return next((each for each in self.hall.tables() if each.name == table), None)

    def _title(self, table: str) -> str:
        shown = self._shown(table)
        return table if shown is None else shown.title or table

    def _is_played(self, tournament: Tournament, state: DrawnMatch, table: str) -> bool:
        shown = self._shown(table)
        return shown is not None and plays(shown, tournament, state.match.number)

    def _notify(
        self, kind: NoticeKind, record: _Record, stored: StoredMatch, **more: str | SaidInAnyLanguage
    ) -> None:
        names = " - ".join(stored.names.values())
        score = "-".join(str(points) for points in stored.score.values())
        told = {"table": record[0], "names": names, "score": score, "played": str(stored.length), **more}
        self._tell_of(kind, record, told)

    def _tell_of(
        self, kind: NoticeKind, record: _Record, arguments: Mapping[str, str | SaidInAnyLanguage]
    ) -> None:
        told = EveningNotice(kind, record[1], arguments)
        with self._turn:
            before = self._told.get(record)
            # What the director has taken off the list stays off it as long as it says the same.
            if before is None or before.said() != told.said():
                self._notices[record] = self._told[record] = told
                self.version += 1

    def _untell(self, record: _Record) -> None:
        """Take back that a result could not be entered, or did not come."""
        with self._turn:
            notice = self._notices.get(record)
            if notice is not None and notice.kind in PASSING:
                del self._notices[record], self._told[record]
                self.version += 1


def _new_command() -> str:
    """The name of a command: no two are called the same, and none can be guessed."""
    return uuid.uuid4().hex


def _scene(record: _Record) -> DefectScene:
    table, journal = record
    return DefectScene("evening", table=table, task={"record": [table, journal]})


def _defect(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _open_at_tables(tournament: Tournament) -> list[tuple[str, DrawnMatch]]:
    states = tournament.states()
    return [
        (table, states[number])
        for number, table in tournament.tables.items()
        if states[number].progress is Progress.OPEN
    ]
