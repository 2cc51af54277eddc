"""The words of a tournament's sheets."""

import unicodedata
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final

from controller.messages.catalogue import Catalogue, catalogue
from controller.tournament.draw import is_over
from controller.tournament.events import (
    EventsUndone,
    LatenessReported,
    MatchesDrawn,
    PlayerEntered,
    PlayerWithdrew,
    ResultConfirmed,
    ResultReported,
    TableAssigned,
    TournamentBegun,
    TournamentEvent,
)
from controller.tournament.format import EventClock, StageKind, TournamentFormat
from controller.tournament.match import (
    NOBODY,
    Bracket,
    MatchEnding,
    MatchSource,
    ReportedResult,
    SourceKind,
    TournamentMatch,
)
from controller.tournament.prizes import CENTS, Prize, known_prizes
from controller.tournament.standings import Standing, StandingTable, standing_tables
from controller.tournament.tie_break import TieBreakValue
from controller.tournament.tournament import DrawnMatch, Progress, Tournament, playable

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LAST_ROUNDS: Final = ("final", "semifinals", "quarterfinals")
KNOCKOUTS: Final = (Bracket.MAIN, Bracket.CONSOLATION, Bracket.LAST_CHANCE, Bracket.KNOCKOUT)


def format_title(made: TournamentFormat, texts: Catalogue) -> str:
    """What a format is called: ours as ``texts`` say, one of your own as it calls itself."""
    path, english = ("tournament", "format_title"), catalogue("en")
    if made.name in english.names(*path) and made.title == english.text(*path, made.name):
        return texts.text(*path, made.name)
    return made.title


class TournamentWords:
    """Says in one language what a tournament holds."""

    def __init__(self, tournament: Tournament, language: str = "en") -> None:
        """Raises LanguageError for a language that there is no catalogue for."""
        self.tournament = tournament
        self.states: Mapping[int, DrawnMatch] = tournament.states()
        self._texts = catalogue(language)
        self.prizes: Mapping[tuple[Bracket, int, int], Prize] = {
            (table.bracket, table.group, each.player): each
            for table, given in known_prizes(tournament)
            for each in given
        }
        self._rounds: dict[Bracket, int] = {}
        for match in tournament.matches.values():
            self._rounds[match.bracket] = max(match.round, self._rounds.get(match.bracket, 0))

    def text(self, *path: str, **arguments: object) -> str:
        """The text of an entry."""
        return self._texts.text("tournament", *path, **arguments)

    def name(self, player: int | None) -> str:
        """What a player is called."""
        return self.tournament.entries[player].name if player else self.text("bye")

    def title(self) -> str:
        """The tournament and its format."""
        return f"{self.tournament.name}: {format_title(self.tournament.format, self._texts)}"

    def facts(self) -> list[str]:
        """How many play, how many points, which clock, which seed."""
        made = self.tournament.format
        found = [self.text("players", count=len(self.tournament.entries))]
        if made.clock.kind is not EventClock.NONE:
            found.append(self.clock(made.match.length[0], 1))
        return [*found, self.text("seed", seed=self.tournament.seed)]

    def clock(self, length: int, turn: int) -> str:
        """The clock of a match of this length in points, in this round, from 1."""
        rules = self.tournament.format.clock
        minutes = timedelta(seconds=rules.reserve_for(length, turn)) / timedelta(minutes=1)
        return self.text("clock", reserve=f"{minutes:g}", delay=f"{rules.delay_for(turn):g}")

    def round_name(self, match: TournamentMatch) -> str:
        """The round of a match with its bracket, such as "Consolation, Semifinals"."""
        if match.bracket is Bracket.TITLE:
            return self.text("decider") if match.decider else self.text("bracket", "title")
        if match.bracket is Bracket.PLAY_OFF:
            return self.text("bracket", "play_off")
        last = self._rounds[match.bracket]
        whole = self.text("round", number=match.round)
        if match.bracket in KNOCKOUTS:
            left = last - match.round
            if self._counts_down(match.bracket) and left < len(LAST_ROUNDS):
                whole = self.text(LAST_ROUNDS[left])
            return f"{self.text('bracket', match.bracket)}, {whole}"
        if match.bracket is Bracket.ROUNDS and self.tournament.format.stage.rounds is not None:
            return self.text("round_of", number=match.round, all=self.tournament.format.stage.rounds)
        return whole

    def _counts_down(self, bracket: Bracket) -> bool:
        """Whether each round has half the matches of the one before, so that its end has names."""
        return bracket in (Bracket.MAIN, Bracket.KNOCKOUT) and Bracket.TITLE not in self._rounds

    def length(self, match: TournamentMatch) -> str:
        """How many points it is to."""
        return self.text("length", count=match.length)

    def seat(self, state: DrawnMatch, place: int) -> str:
        """A player, or where they come from."""
        player = state.seats[place]
        if player:
            return self.name(player)
        return self._source(state.match.sources[place]) if player is None else self.text("bye")

    def _source(self, source: MatchSource) -> str:
        entry = "winner_of" if source.kind is SourceKind.WINNER else "loser_of"
        return self.text(entry, number=source.number)

    def score(self, result: ReportedResult | None) -> str:
        """A result, empty if there is none."""
        if result is None:
            return ""
        if result.ending is MatchEnding.DOUBLE_WALKOVER:
            return self.text("double_walkover")
        points = f"{result.score[0]}-{result.score[1]}"
        return points if result.ending is MatchEnding.PLAYED else f"{points} {self.text('walkover')}"

    def start(self, state: DrawnMatch) -> str:
        """What an open match begins with, empty if with nothing."""
        start = self.tournament.start(state)
        if state.progress is not Progress.OPEN or not any(start):
            return ""
        return self.text("begins", score=f"{start[0]}-{start[1]}")

    def table_name(self, table: StandingTable) -> str:
        """The heading of a table of standings."""
        if table.group:
            return self.text("group", group=group_letter(table.group))
        if table.bracket in (Bracket.ROUNDS, Bracket.GROUP):
            return self.text("standings")
        return self.text("bracket", table.bracket)

    def place(self, standing: Standing, table: StandingTable) -> str:
        """A place, `3-4` if it is shared; words for somebody who has none."""
        if standing.place is not None:
            shared = standing.last is not None and standing.last > standing.place
            return f"{standing.place}-{standing.last}" if shared else f"{standing.place}"
        drawn = bool(self.tournament.matches) and table.bracket not in (Bracket.ROUNDS, Bracket.GROUP)
        return self.text("still_in") if drawn and standing.player not in self.tournament.withdrawn else "-"

    def prize(self, player: int, table: StandingTable) -> str:
        """What a player gets of the event's pot in this table; empty if nothing."""
        prize = self.prizes.get((table.bracket, table.group, player))
        return "" if prize is None else amount_text(prize.cents)

    def working(self, value: TieBreakValue) -> str:
        """A tie-break with its working: "Buchholz 7 = Ann 4 + Bob 3"."""
        if not value.working:
            return f"{self.text('tie_break', value.rule)} {value.value:g}"
        parts = " + ".join(
            f"{self.name(player)} {amount:g}" if amount >= 0 else f"{self.name(player)} ({amount:g})"
            for player, amount in value.working
        )
        return f"{self.text('tie_break', value.rule)} {value.value:g} = {parts}"

    def totals(self, drawn: MatchesDrawn) -> str:
        """What a draw kept small, and how small; empty if there is nothing."""
        parts = [f"{self.text('criterion', key)} {value}" for key, value in drawn.totals.items()]
        return self.text("kept_small", totals=", ".join(parts)) if parts else ""

    def champion(self) -> str:
        """Who won, in a sentence; empty while that is open."""
        if not is_over(self.tournament):
            return ""
        first = standing_tables(self.tournament)[0].rows
        winners = [row for row in first if row.place == 1 and row.last == 1]
        return self.text("champion", name=self.name(winners[0].player)) if winners else ""

    def remarks(self, player: int) -> list[str]:
        """What else there is to know of a player: late, or gone."""
        entry = self.tournament.entries[player]
        missed = self.tournament.missed(player)
        found = [self.text("missed", count=missed)] if missed else []
        found += [self.text("head_start", count=entry.head_start)] if entry.head_start else []
        return [*found, self.text("withdrawn")] if player in self.tournament.withdrawn else found

    def event(self, event: TournamentEvent) -> str:
        """An event of the log."""
        match event:
            case TournamentBegun():
                return self.text("event", "begun")
            case PlayerEntered(entry=entry):
                return self.text("event", "entered", name=entry.name)
            case PlayerWithdrew(entry=number):
                return self.text("event", "withdrew", name=self._known(number))
            case MatchesDrawn(matches=matches):
                return self.text("event", "drawn", count=len(matches))
            case ResultReported(match=number, result=result):
                names = " - ".join(map(self._known, result.players))
                source = "recorded" if event.journal else "reported"
                return self.text("event", source, number=number, names=names, score=self.score(result))
            case ResultConfirmed(match=number, player=0):
                return self.text("event", "confirmed", number=number)
            case ResultConfirmed(match=number, player=player):
                return self.text("event", "confirmed_by", number=number, name=self._known(player))
            case LatenessReported(match=number, lateness=late):
                names = ", ".join(
                    f"{self._known(player)} {minutes}"
                    for player, minutes in zip(late.players, late.minutes, strict=True)
                    if minutes
                )
                return self.text("event", "late", number=number, names=names)
            case TableAssigned(match=number, table=table):
                kind = "assigned" if table else "unassigned"
                return self.text("event", kind, number=number, table=table)
            case EventsUndone(numbers=numbers):
                return self.text("event", "undone", numbers=", ".join(map(str, numbers)))

    def _known(self, player: int) -> str:
        entry = self.tournament.entries.get(player)
        return f"#{player}" if entry is None else entry.name

    def current(self) -> Iterator[DrawnMatch]:
        """The matches of the round that is on, or all that can be played now, nobody in two of them."""
        later = {Bracket.KNOCKOUT, Bracket.PLAY_OFF} & {*self._rounds}
        if self.tournament.format.stage.kind is StageKind.ROUNDS and not later:
            now = self.tournament.rounds_drawn()
            yield from (each for each in self.states.values() if each.match.round == now)
        else:
            yield from playable(self.states)


def amount_text(cents: int) -> str:
    """An amount with two digits after the point."""
    return f"{cents // CENTS}.{cents % CENTS:02}"


def group_letter(group: int) -> str:
    """A group's letter; from the 27th on two."""
    high, low = divmod(group - 1, len(LETTERS))
    return (LETTERS[high - 1] if high else "") + LETTERS[low]


def is_played(state: DrawnMatch) -> bool:
    """Whether a match belongs on a list of matches: not a bye of nobody, nor a decider that decides nothing."""
    return state.progress is not Progress.NEEDLESS and state.seats != (NOBODY, NOBODY)


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide letter, none for an accent."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )
