"""The matches that tables are told to play: each is sent once, and those with a head start get their score."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final

from controller.club.messages import TableReply
from controller.hub.evening.sent_match import SendingState, SentMatch, match_body, read_answer, score_body
from controller.hub.evening.shown_match import has_game, is_free, plays, shown_match, shown_score
from controller.hub.evening.tournament_file import TournamentFile
from controller.hub.evening.version import EveningVersion
from controller.hub.hall import Hall, TableShown, find_table
from controller.hub.need import number_order
from controller.record.journal.journal import Json
from controller.tournament.fault import RefusalError
from controller.tournament.tournament import DrawnMatch, Progress, Tournament

AUTHOR: Final = "director"
"""Who did what nobody put a name to."""
NAMED: Final = 5
"""So many tables are named to whoever asks for one that there is not."""


@dataclass(slots=True)
class GivenMatches:
    """What became of the matches that the hub has sent to tables since it began."""

    hall: Hall
    file: TournamentFile
    version: EveningVersion
    _sent: dict[int, SentMatch] = field(default_factory=dict)
    _told_scores: dict[int, tuple[Json, Json]] = field(default_factory=dict)

    def sent(self) -> Mapping[int, SentMatch]:
        """What became of each, by the match's number."""
        with self.version.lock:
            return dict(self._sent)

    def forget(self, match: int) -> None:
        """Know of a match no longer that it was sent."""
        with self.version.lock:
            self._sent.pop(match, None)

    def clear(self) -> None:
        """Forget all of them, with the tournament that they belong to."""
        with self.version.lock:
            self._sent.clear()
            self._told_scores.clear()

    def free_tables(self) -> list[TableShown]:
        """The tables that a match can be sent to, by their numbers."""
        tournament = self.file.tournament()
        taken = set() if tournament is None else {table for table, _ in _open_at_tables(tournament)}
        return sorted(
            (each for each in self.hall.tables() if is_free(each) and each.name not in taken),
            key=number_order,
        )

    def refuse_busy(self, match: int, table: str) -> None:
        """Raises UserError if there is no such table, or it plays something else than this match."""
        shown = find_table(self.hall, table)
        if shown is None:
            names = ", ".join(each.name for each in sorted(self.hall.tables(), key=number_order)[:NAMED])
            if not names:
                raise RefusalError("no_tables", table=table)
            raise RefusalError("no_table", table=table, tables=names)
        tournament = self.file.tournament()
        if not is_free(shown) and not (tournament is not None and plays(shown, tournament, match)):
            raise RefusalError("table_busy", table=shown.title or table)

    def send(self, match: int, command: str, by: str) -> None:
        """Have the table of a match begin it, by a command that the tournament's file knows.

        Raises:
            UserError: if it is at no table, or not open any more: somebody else may have changed that just now.
        """
        tournament = self.file.tournament()
        state = None if tournament is None else tournament.states().get(match)
        if tournament is None or state is None or match not in tournament.tables:
            raise RefusalError("at_no_table", match=match)
        if state.progress is not Progress.OPEN:
            raise RefusalError("no_open_match", match=match)
        table = tournament.tables[match]
        with self.version.lock:
            self._sent[match] = SentMatch(table)
            self._told_scores.pop(match, None)
            self.version.grow()
        if any(tournament.start(state)) and self._is_played(tournament, state, table):
            return  # the score that it begins at is all that the table lacks
        body = match_body(tournament, state)
        answer = self.hall.ask(table, body, by="director", name=by, command=command)
        answer.add_done_callback(lambda done: self._answered(match, table, done))

    def tell_scores(self) -> None:
        """Have the matches that do not begin at 0-0 begin so at their tables, once their first game is on there."""
        tournament = self.file.tournament()
        if tournament is None:
            return
        for table, state in _open_at_tables(tournament):
            shown, start = find_table(self.hall, table), tournament.start(state)
            if shown is not None and any(start) and self._is_played(tournament, state, table):
                self._tell_score(tournament, state, shown, start)

    def _tell_score(
        self, tournament: Tournament, state: DrawnMatch, shown: TableShown, start: tuple[int, int]
    ) -> None:
        match, body = state.match.number, score_body(tournament, state, shown)
        has = shown_score(shown)
        wanted = (body["light"], body["dark"])
        with self.version.lock:
            before = self._told_scores.get(match)
            if not has_game(shown) or has == wanted or before == wanted:
                return
            self._told_scores[match] = wanted
        if shown_match(shown).get("game") != 1 or has not in ((0, 0), before):
            # Somebody at the table has ruled meanwhile, or later games count on from what was.
            late = RefusalError("start_too_late", score="-".join(map(str, start)))
            with self.version.lock:
                self._sent[match] = SentMatch(shown.name, SendingState.REFUSED, late)
                self.version.grow()
            return
        answer = self.hall.ask(shown.name, body, by="director", name=AUTHOR)
        answer.add_done_callback(lambda done: self._answered(match, shown.name, done))

    def _is_played(self, tournament: Tournament, state: DrawnMatch, table: str) -> bool:
        shown = find_table(self.hall, table)
        return shown is not None and plays(shown, tournament, state.match.number)

    def _answered(self, match: int, table: str, done: "Future[TableReply]") -> None:
        told = read_answer(table, done)
        with self.version.lock:
            if match in self._sent and self._sent[match].table == table:
                self._sent[match] = told
            self.version.grow()


def _open_at_tables(tournament: Tournament) -> list[tuple[str, DrawnMatch]]:
    states = tournament.states()
    return [
        (table, states[number])
        for number, table in tournament.tables.items()
        if states[number].progress is Progress.OPEN
    ]
