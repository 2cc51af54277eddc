"""The tournament of an evening at the hub: matches go to tables, and the tables' records bring the results."""

import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Final

from controller.club.messages import TableReply
from controller.errors import UserError
from controller.hub.evening.sent_match import (
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
from controller.hub.stored_match import StoredMatch, journal_events, stored_match
from controller.record.journal.journal import Closeable, Json
from controller.rules import Side
from controller.tournament import changes
from controller.tournament.changes import EntryWish, Report
from controller.tournament.entry import same
from controller.tournament.events import ResultReported, TournamentEvent
from controller.tournament.fault import RefusalError
from controller.tournament.format import TournamentFormat
from controller.tournament.match import MatchEnding
from controller.tournament.tournament import DrawnMatch, Progress, Tournament, fold, playable

LOOK_S: Final = 2.0
"""How often is looked again at a match whose record has not come whole."""
LOOKS: Final = 60
"""So often at most, for a record that its table has put away."""
AUTHOR: Final = "director"
"""Who did what nobody put a name to."""


class NoticeKind(StrEnum):
    """What the director is to know of a result that did not go into the tournament."""

    NOT_PAIRED = "not_paired"
    """The two are not paired, or their match is over."""
    OTHER_LENGTH = "other_length"
    """They played to another number of points than the tournament says."""
    HEAD_START = "head_start"
    """Their match begins at another score than the record does."""
    RECORD_CHANGED = "record_changed"
    """The record of a result that was entered says something else now."""


@dataclass(frozen=True, slots=True)
class EveningNotice:
    """A sentence for the director.

    Attributes:
        journal: the match that it is about.
        arguments: what it names: ``table``, ``names``, ``score``, ``length``, ``match``.
    """

    kind: NoticeKind
    journal: str
    arguments: Mapping[str, str]


@dataclass(slots=True)
class _Watched:
    """A journal whose match may be over: how often it was looked at, up to which entry, and what it told."""

    table: str
    looks: int = 0
    after: int = 0
    stored: StoredMatch | None = None


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
    _notices: dict[str, EveningNotice] = field(default_factory=dict)
    _watched: dict[str, _Watched] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
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
        self.hall.hear(self._hear)
        for table in self.hall.tables():
            self._hear(table)
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
            self._read, self._sent, self._notices = None, {}, {}
            self.version += 1
            return place

    def enter(self, wishes: Iterable[EntryWish], by: str) -> None:
        """Enter players, all or none. Raises UserError."""
        self._change(lambda events: changes.enter(events, wishes), by)

    def withdraw(self, player: str, by: str) -> None:
        """Take a player out. Raises UserError."""
        self._change(lambda events: [changes.withdraw(events, player)], by)

    def come_late(self, player: str, minutes: int, by: str) -> None:
        """Note that somebody came late to the match that he plays now. Raises UserError."""
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
        """Vouch for a result that a record told. Raises UserError."""
        self._change(lambda events: [changes.confirm(events, match)], by)

    def confirm_as(self, match: int, player: int) -> None:
        """Vouch for a result as one of the two players. Raises UserError if he may not, or has done so."""
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
        self._change(lambda events: [changes.assign(events, match, table)], by)
        with self._turn:
            self._sent.pop(match, None)
        if table:
            self.send(match, by)

    def assign_free(self, by: str) -> int:
        """Give every match that can be played and has no table to a free one; returns how many. Raises UserError."""
        tournament = self.tournament()
        if tournament is None:
            raise RefusalError("no_tournament")
        waiting = [
            each for each in playable(tournament.states()) if each.match.number not in tournament.tables
        ]
        pairs = [*zip(waiting, self.free_tables(), strict=False)]

        def change(events: list[TournamentEvent]) -> list[TournamentEvent]:
            found: list[TournamentEvent] = []
            for state, table in pairs:
                found.append(changes.assign([*events, *found], state.match.number, table.name))
            return found

        if pairs:
            self._change(change, by)
        for state, _ in pairs:
            self.send(state.match.number, by)
        return len(pairs)

    def send(self, match: int, by: str) -> None:
        """Tell a match to its table, so that it is played there next. Raises UserError if it is at none."""
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
        answer = self.hall.ask(table, match_body(tournament, state), by="director", name=by)
        answer.add_done_callback(lambda done: self._answered(match, table, done))

    def forget(self, journal: str) -> None:
        """Take the notice of a journal off the list."""
        with self._turn:
            self._notices.pop(journal, None)
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
                log.append(change(log.events), self.utc(), by)
            self.version += 1

    def _answered(self, match: int, table: str, done: "Future[TableReply]") -> None:
        told = read_answer(table, done)
        with self._turn:
            if match in self._sent and self._sent[match].table == table:
                self._sent[match] = told
            self.version += 1

    # --- what the tables tell ------------------------------------------------------------------------------

    def _hear(self, table: TableShown) -> None:
        with self._turn:
            before = self._journals.get(table.name, "")
            journal = self._journals[table.name] = table.journal or before
            # Its last entries may still be on their way when the next match begins.
            for each in {before} - {journal} | ({journal} if is_between(table) else set()):
                if each and each not in self._seen:
                    self._watched.setdefault(each, _Watched(table.name))
        self._wake.set()

    def _look_on(self) -> None:
        while not self._closed:
            self._wake.wait(LOOK_S)
            self._wake.clear()
            # A file that cannot be read just now is read the next time.
            with suppress(UserError):
                self._tell_scores()
            with self._turn:
                waiting = [*self._watched.items()]
            for journal, watched in waiting:
                self._look_safely(journal, watched)

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

    def _look_safely(self, journal: str, watched: _Watched) -> None:
        """Look at one journal; whatever is wrong with it, the others are looked at."""
        try:
            done = self._look(journal, watched)
        except Exception:
            # A file that cannot be written just now is tried again; a record that nobody can read is given up below.
            done = False
        watched.looks += 1
        current = self._journals.get(watched.table) == journal
        if done or (not current and watched.looks >= LOOKS):
            with self._turn:
                self._watched.pop(journal, None)
                self._seen.add(journal)

    def _look(self, journal: str, watched: _Watched) -> bool:
        """Take a match's result from its record, and look whether that changes; returns whether that is all.

        Seals of players in it confirm nothing: whoever has the table can make a key for each of them.
        """
        log, table = self.log(), watched.table
        if log is None:
            return False
        if self.hall.events(table, after=watched.after, journal=journal, most=1):
            entries = journal_events(self.hall, table, journal)
            watched.after, watched.stored = entries[-1].number, stored_match(entries)
        stored = watched.stored
        if stored is None:
            return False
        entered = [
            each for each in log.events if isinstance(each, ResultReported) and each.journal == journal
        ]
        if not entered:
            return self._take_result(table, journal, stored)
        tournament = log.tournament()
        number = next((n for n, each in tournament.journals.items() if each == journal), None)
        if number is None:
            return True
        if tournament.results[number] != _reported(tournament, number, stored):
            score = "-".join(map(str, _score(tournament, number, stored)))
            self._tell(NoticeKind.RECORD_CHANGED, table, journal, stored, score=score, match=str(number))
        return not tournament.is_unconfirmed(number)

    def _take_result(self, table: str, journal: str, stored: StoredMatch) -> bool:
        tournament = self.tournament()
        assert tournament is not None
        found = _paired(tournament, stored)
        if found is None:
            self._tell(NoticeKind.NOT_PAIRED, table, journal, stored)
            return True
        if found.match.length != stored.length:
            length = str(found.match.length)
            self._tell(
                NoticeKind.OTHER_LENGTH, table, journal, stored, length=length, match=str(found.match.number)
            )
            return True
        number = found.match.number
        start, begun = tournament.start(found), _seated(tournament, number, stored, stored.begun)
        if any(start) and begun != start:
            told = {name: "-".join(map(str, score)) for name, score in (("start", start), ("begun", begun))}
            self._tell(NoticeKind.HEAD_START, table, journal, stored, match=str(number), **told)
            return True
        given = Report(number, _score(tournament, number, stored), journal=journal)
        self._change(lambda events: [changes.report(events, given)], self._title(table))
        return False

    def _shown(self, table: str) -> TableShown | None:
        return next((each for each in self.hall.tables() if each.name == table), None)

    def _title(self, table: str) -> str:
        shown = self._shown(table)
        return table if shown is None else shown.title or table

    def _is_played(self, tournament: Tournament, state: DrawnMatch, table: str) -> bool:
        shown = self._shown(table)
        return shown is not None and plays(shown, tournament, state.match.number)

    def _tell(self, kind: NoticeKind, table: str, journal: str, stored: StoredMatch, **more: str) -> None:
        names = " - ".join(stored.names.values())
        score = "-".join(str(points) for points in stored.score.values())
        arguments = {"table": table, "names": names, "score": score, "played": str(stored.length), **more}
        with self._turn:
            told = EveningNotice(kind, journal, arguments)
            if self._notices.get(journal) != told:
                self._notices[journal] = told
                self.version += 1


def _open_at_tables(tournament: Tournament) -> list[tuple[str, DrawnMatch]]:
    states = tournament.states()
    return [
        (table, states[number])
        for number, table in tournament.tables.items()
        if states[number].progress is Progress.OPEN
    ]


def _paired(tournament: Tournament, stored: StoredMatch) -> DrawnMatch | None:
    """The open match of these two players."""
    wanted = {same(each) for each in stored.names.values()}
    for state in playable(tournament.states()):
        if {same(tournament.entries[each].name) for each in state.players} == wanted:
            return state
    return None


def _score(tournament: Tournament, number: int, stored: StoredMatch) -> tuple[int, int]:
    """The points in the order of the match's seats; whoever won without them has the full length."""
    return _seated(tournament, number, stored, {side: _points(stored, side) for side in Side})


def _seated(
    tournament: Tournament, number: int, stored: StoredMatch, points: Mapping[Side, int]
) -> tuple[int, int]:
    """Points of both sides in the order of the match's seats."""
    first = tournament.states()[number].seats[0]
    name = same(tournament.entries[first].name) if first else ""
    light, dark = points[Side.LIGHT], points[Side.DARK]
    return (light, dark) if same(stored.names[Side.LIGHT]) == name else (dark, light)


def _points(stored: StoredMatch, side: Side) -> int:
    points = stored.score[side]
    return max(points, stored.length) if side is stored.winner else min(points, stored.length - 1)


def _reported(tournament: Tournament, number: int, stored: StoredMatch) -> object:
    return replace(tournament.results[number], score=_score(tournament, number, stored))
