"""A tournament as it stands: what follows from its events, and from nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from controller.tournament.entry import Entry
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
from controller.tournament.fault import RefusalError, TournamentError
from controller.tournament.format import StageKind, TournamentFormat
from controller.tournament.match import (
    NOBODY,
    Bracket,
    Lateness,
    MatchEnding,
    MatchSource,
    ReportedResult,
    SourceKind,
    TournamentMatch,
)


class Progress(StrEnum):
    """How far a match is."""

    WAITING = "waiting"
    """Not both players are known."""
    OPEN = "open"
    """It can be played, or is being played."""
    OVER = "over"
    BYE = "bye"
    """There is one player, who goes on; or none at all."""
    NEEDLESS = "needless"
    """A decider that decides nothing."""


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A match with what is known of it.

    Attributes:
        match: the match.
        seats: its players, `NOBODY` for an empty place, `None` while it is not known.
        progress: how far it is.
        winner, loser: who goes on and who drops; `NOBODY` if there is none, `None` while it is not known.
        result: as reported; made up where a player has left; `None` without one.
    """

    match: TournamentMatch
    seats: tuple[int | None, int | None]
    progress: Progress
    winner: int | None = None
    loser: int | None = None
    result: ReportedResult | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """Who is known to play in it."""
        return tuple(each for each in self.seats if each)

    def played(self) -> bool:
        """Whether it was played, and not walked over."""
        return self.result is not None and self.result.ending is MatchEnding.PLAYED


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that follows from the events.

    Attributes:
        name, format, seed: as it began.
        entries: by number.
        withdrawn: the numbers of those who left.
        absences: the rounds that were drawn without somebody who had left and is back, by player.
        matches: as drawn, by number.
        results: as reported, by match.
        draws: of each draw its first match and what it kept small.
        journals: the table's record that a result follows from, by match; without those that somebody said.
        confirmed: the matches with a result from a record that was confirmed, for both or by both players.
        confirmed_by: the players who have confirmed the result that a match has, by match.
        tables: where a match is played, by match.
        commands: of each command that had a table begin a match, since the match was drawn: its match and its table.
        lateness: who came late to a match, by match.
    """

    name: str
    format: TournamentFormat
    seed: str
    entries: Mapping[int, Entry]
    withdrawn: frozenset[int]
    matches: Mapping[int, TournamentMatch]
    results: Mapping[int, ReportedResult]
    draws: tuple[MatchesDrawn, ...]
    journals: Mapping[int, str] = field(default_factory=dict)
    confirmed: frozenset[int] = frozenset()
    confirmed_by: Mapping[int, frozenset[int]] = field(default_factory=dict)
    tables: Mapping[int, str] = field(default_factory=dict)
    commands: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    lateness: Mapping[int, Lateness] = field(default_factory=dict)
    absences: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def is_unconfirmed(self, number: int) -> bool:
        """Whether a match has a result from a table's record that nobody has confirmed."""
        return number in self.journals and number not in self.confirmed

    def states(self) -> dict[int, DrawnMatch]:
        """Every match as it stands, by number."""
        found: dict[int, DrawnMatch] = {}
        for number in sorted(self.matches):
            found[number] = self._state(self.matches[number], found)
        return found

    def _state(self, match: TournamentMatch, earlier: Mapping[int, DrawnMatch]) -> DrawnMatch:
        first, second = (_seat(source, earlier) for source in match.sources)
        seats = (first, second)
        if match.decider:
            before = earlier[match.first.number]
            if before.winner is not None and before.winner != before.seats[1]:
                return DrawnMatch(match, seats, Progress.NEEDLESS, before.winner, before.loser)
        if first is None or second is None:
            return DrawnMatch(match, seats, Progress.WAITING)
        if first == NOBODY or second == NOBODY:
            return DrawnMatch(match, seats, Progress.BYE, first or second, NOBODY)
        result = self.results.get(match.number) or self._walkover(first, second)
        if result is None:
            return DrawnMatch(match, seats, Progress.OPEN)
        return DrawnMatch(match, seats, Progress.OVER, result.winner, result.loser, result)

    def start(self, state: DrawnMatch) -> tuple[int, int]:
        """The points that a match begins with: head starts, and what the opponent's coming late gives."""
        one, other = (self.entries[each].head_start if each else 0 for each in state.seats)
        late = self.lateness.get(state.match.number)
        gains = (0, 0)
        if late is not None and late.players == state.seats:
            rules = self.format.lateness
            first, second = (rules.points(each) for each in late.minutes)
            gains = (max(second - first, 0), max(first - second, 0))
        most = state.match.length - 1
        return min(max(one - other, 0) + gains[0], most), min(max(other - one, 0) + gains[1], most)

    def _walkover(self, first: int, second: int) -> ReportedResult | None:
        """What becomes of a match of which a player has left; `None` if both are there."""
        here = (first not in self.withdrawn, second not in self.withdrawn)
        if all(here):
            return None
        ending = MatchEnding.WALKOVER if any(here) else MatchEnding.DOUBLE_WALKOVER
        return ReportedResult((first, second), (int(here[0]), int(here[1])), ending)

    def stage(self, *, knockout: bool) -> list[DrawnMatch]:
        """The matches of the knockout that follows groups or rounds, or all the others; without play-offs."""
        return [
            each
            for each in self.states().values()
            if (each.match.bracket is Bracket.KNOCKOUT) is knockout
            and each.match.bracket is not Bracket.PLAY_OFF
        ]

    def play_offs(self) -> list[DrawnMatch]:
        """The matches between players who would share a place."""
        return [each for each in self.states().values() if each.match.bracket is Bracket.PLAY_OFF]

    def rounds_drawn(self) -> int:
        """How many rounds have been drawn, of an event that draws them one by one."""
        return max(
            (each.round for each in self.matches.values() if each.bracket is Bracket.ROUNDS), default=0
        )

    def missed(self, player: int) -> int:
        """How many rounds somebody has missed, because they entered late or had left for a while."""
        return self.entries[player].missed + len(self.absences.get(player, ()))


def _seat(source: MatchSource, earlier: Mapping[int, DrawnMatch]) -> int | None:
    match source.kind:
        case SourceKind.ENTRY:
            return source.number
        case SourceKind.WINNER:
            return earlier[source.number].winner
        case SourceKind.LOSER:
            return earlier[source.number].loser
        case _:
            return NOBODY


def playable(states: Mapping[int, DrawnMatch]) -> list[DrawnMatch]:
    """The open matches that can be played at once: of each player the first one."""
    busy: set[int] = set()
    found = []
    for state in sorted(states.values(), key=lambda each: (each.match.round, each.match.number)):
        if state.progress is Progress.OPEN:
            if busy.isdisjoint(state.players):
                found.append(state)
            busy.update(state.players)
    return sorted(found, key=lambda each: each.match.number)


def undone_numbers(events: Sequence[TournamentEvent]) -> set[int]:
    """The numbers, from 1, of the events that are undone by one that is not undone itself."""
    undone: set[int] = set()
    for number in range(len(events), 0, -1):
        event = events[number - 1]
        if isinstance(event, EventsUndone) and number not in undone:
            undone.update(each for each in event.numbers if each < number)
    return undone


def active_events(events: Sequence[TournamentEvent]) -> list[tuple[int, TournamentEvent]]:
    """The events that count, with their numbers: what is undone does not, nor does any undoing itself."""
    undone = undone_numbers(events)
    return [
        (number, event)
        for number, event in enumerate(events, start=1)
        if number not in undone and not isinstance(event, EventsUndone)
    ]


def fold(events: Sequence[TournamentEvent]) -> Tournament:
    """The tournament after these events.

    Raises TournamentError if they do not begin with its beginning, or contradict each other.
    """
    counted = [event for _, event in active_events(events)]
    if not counted or not isinstance(counted[0], TournamentBegun):
        raise TournamentError(
            "The first event of a tournament is its beginning; take the file as it was written."
        )
    begun = counted[0]
    entries: dict[int, Entry] = {}
    withdrawn: set[int] = set()
    matches: dict[int, TournamentMatch] = {}
    results: dict[int, ReportedResult] = {}
    draws: list[MatchesDrawn] = []
    journals: dict[int, str] = {}
    confirmed: set[int] = set()
    confirmed_by: dict[int, frozenset[int]] = {}
    tables: dict[int, str] = {}
    commands: dict[str, tuple[int, str]] = {}
    lateness: dict[int, Lateness] = {}
    absences: dict[int, tuple[int, ...]] = {}
    for event in counted[1:]:
        match event:
            case PlayerEntered(entry=entry, bye_of=bye_of):
                _refuse(entry.number in entries, "entered_twice", player=entry.number)
                entries[entry.number] = entry
                if bye_of:
                    _refuse(bye_of not in matches, "bye_undone", match=bye_of, name=entry.name)
                    matches[bye_of] = _without_bye(matches[bye_of], entry)
            case PlayerWithdrew(entry=number):
                _refuse(number not in entries, "withdrawn_unentered", player=number)
                withdrawn.add(number)
            case MatchesDrawn():
                _add_matches(matches, event, entries)
                draws.append(event)
                for number in event.gone:
                    # Whose withdrawal counts is still gone; with the others it was undone later.
                    if number in entries and number not in withdrawn:
                        absences[number] = (*absences.get(number, ()), event.matches[0].round)
            case ResultReported(match=number, result=result, journal=journal):
                _refuse(number not in matches, "result_undrawn", match=number)
                results[number] = result
                journals[number] = journal
                confirmed.discard(number)
                confirmed_by.pop(number, None)
            case ResultConfirmed(match=number, player=player) if number in results:
                if player:
                    confirmed_by[number] = confirmed_by.get(number, frozenset()) | {player}
                if not player or confirmed_by[number] >= {*results[number].players}:
                    confirmed.add(number)
            case LatenessReported(match=number, lateness=late) if number in matches:
                lateness[number] = late
            case TableAssigned(match=number, table=table, command=command) if number in matches:
                tables[number] = table
                if command:
                    commands[command] = (number, table)
            case TournamentBegun():
                raise TournamentError("The tournament begins twice; take the file as it was written.")
    made = Tournament(
        begun.name,
        begun.format,
        begun.seed,
        entries=entries,
        withdrawn=frozenset(withdrawn),
        matches=matches,
        results=results,
        draws=tuple(draws),
        journals={number: journal for number, journal in journals.items() if journal},
        confirmed=frozenset(confirmed),
        confirmed_by=confirmed_by,
        tables={number: table for number, table in tables.items() if table},
        commands=commands,
        lateness=lateness,
        absences=absences,
    )
    _check_results(made)
    return made


def _refuse(wrong: bool, key: str, **values: object) -> None:
    if wrong:
        raise RefusalError(key, **values)


def _without_bye(match: TournamentMatch, entry: Entry) -> TournamentMatch:
    taken = MatchSource(SourceKind.ENTRY, entry.number)
    if match.second.kind is SourceKind.BYE:
        return replace(match, second=taken)
    taken_already = match.first.kind is not SourceKind.BYE
    _refuse(taken_already, "no_bye_left", match=match.number, name=entry.name)
    return replace(match, first=taken)


def _add_matches(
    matches: dict[int, TournamentMatch], drawn: MatchesDrawn, entries: Mapping[int, Entry]
) -> None:
    for match in drawn.matches:
        _refuse(match.number in matches, "drawn_twice", match=match.number)
        for source in match.sources:
            if source.kind is SourceKind.ENTRY:
                gone = source.number not in entries
                _refuse(gone, "player_unentered", player=source.number, match=match.number)
            elif source.kind in (SourceKind.WINNER, SourceKind.LOSER):
                lost = source.number not in matches
                _refuse(lost, "source_missing", source=source.number, match=match.number)
            elif source.kind is SourceKind.SEED:
                raise TournamentError(
                    f"Match {match.number} waits for a seed that was never drawn; take the file as it was written."
                )
        matches[match.number] = match


def _check_results(made: Tournament) -> None:
    """Refuse results of matches that other players play, and rounds drawn before the last one was over."""
    states = made.states()
    for number, result in made.results.items():
        if states[number].seats != result.players:
            names = ", ".join(made.entries[each].name for each in result.players if each in made.entries)
            raise RefusalError("played_by_others", match=number, names=names)
    last = made.rounds_drawn()
    free = made.format.stage.kind is StageKind.FREE
    brackets = {each.bracket for each in made.matches.values()}
    for state in states.values():
        match = state.match
        early = match.bracket is Bracket.ROUNDS and match.round < last and not free
        if state.progress in (Progress.OPEN, Progress.WAITING) and (
            early or brackets & _AFTER.get(match.bracket, _AFTER_GROUPS)
        ):
            raise RefusalError("open_behind", match=match.number, round=match.round)


_AFTER_GROUPS: Final = frozenset({Bracket.PLAY_OFF, Bracket.KNOCKOUT})
_AFTER: Final[Mapping[Bracket, frozenset[Bracket]]] = {
    Bracket.PLAY_OFF: frozenset({Bracket.KNOCKOUT}),
    Bracket.KNOCKOUT: frozenset(),
}
"""What is drawn only when all matches of a bracket are over."""
