"""What a director does: each function looks at the events so far and returns the next one, which fits them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from controller.tomlfile.document import nearest
from controller.tournament.draw import draw_next, draw_play_off, qualified_order
from controller.tournament.entry import Entry, same, tidy
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
from controller.tournament.format import LONGEST_MATCH, LateEntry, StageKind, TournamentFormat
from controller.tournament.lot import lot
from controller.tournament.match import Bracket, Lateness, MatchEnding, ReportedResult, SourceKind
from controller.tournament.pairing import clash
from controller.tournament.tournament import (
    DrawnMatch,
    Progress,
    Tournament,
    active_events,
    fold,
    playable,
    undone_numbers,
)

MOST_PLAYERS = 1024
"""More are refused: somebody read the wrong file."""
MOST_MINUTES = 600
"""Nobody waits longer for a match."""
BEST_RATING = 4000
"""More are refused: somebody read the wrong column."""
MOST_EXPERIENCE = 1_000_000
"""The same."""


@dataclass(frozen=True, slots=True)
class EntryWish:
    """Somebody who wants to play, as given."""

    name: str
    rating: float | None = None
    experience: float = 0
    club: str = ""
    country: str = ""
    family: str = ""
    head_start: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a match as given.

    Attributes:
        match: its number, or the two players in the order of the points.
        score: the points of both, `None` for a walk-over.
        ending: how it came to an end; of a walk-over the first player goes on, or whoever has more points.
        journal: the record of a table that says so, empty if somebody does.
    """

    match: int | tuple[str, str]
    score: tuple[int, int] | None
    ending: MatchEnding = MatchEnding.PLAYED
    journal: str = ""


def begin(name: str, chosen: TournamentFormat, seed: str) -> TournamentBegun:
    """A new tournament. The seed is public from now on: all lots are drawn from it."""
    return TournamentBegun(tidy(name, "tournament_name"), chosen, tidy(seed, "seed"))


# --- entries ---------------------------------------------------------------------------------------------


def enter(events: Sequence[TournamentEvent], wishes: Iterable[EntryWish]) -> list[PlayerEntered]:
    """The entries of some players, all or none.

    Raises TournamentError for a name that is none or taken, a rating that is none, or if it is too late.
    """
    found: list[PlayerEntered] = []
    for wish in wishes:
        found.append(_enter([*events, *found], wish))
    return found


def _enter(events: Sequence[TournamentEvent], wish: EntryWish) -> PlayerEntered:
    tournament = fold(events)
    name = tidy(wish.name, "player_name")
    _refuse_taken(tournament, name)
    if len(tournament.entries) >= MOST_PLAYERS:
        raise RefusalError("full", most=MOST_PLAYERS)
    if not 0 <= (wish.rating or 0) <= BEST_RATING:
        raise RefusalError("no_rating", name=name, value=f"{wish.rating:g}", most=BEST_RATING)
    if not 0 <= wish.experience <= MOST_EXPERIENCE:
        raise RefusalError("no_experience", name=name, value=f"{wish.experience:g}", most=MOST_EXPERIENCE)
    if not 0 <= wish.head_start < LONGEST_MATCH:
        raise RefusalError("no_head_start", name=name, value=wish.head_start, most=LONGEST_MATCH - 1)
    club, country, family = (tidy(each, "group", least=0) for each in (wish.club, wish.country, wish.family))
    number = max(tournament.entries, default=0) + 1
    entry = Entry(
        number,
        name,
        wish.rating,
        experience=wish.experience,
        club=club,
        country=country,
        family=family,
        head_start=wish.head_start,
    )
    return _late(events, tournament, entry) if tournament.matches else PlayerEntered(entry)


def _refuse_taken(tournament: Tournament, name: str) -> None:
    for entry in tournament.entries.values():
        if same(entry.name) == same(name):
            if entry.number in tournament.withdrawn:
                raise RefusalError("has_withdrawn", name=entry.name)
            raise RefusalError("has_entered", name=entry.name)


def _late(events: Sequence[TournamentEvent], tournament: Tournament, entry: Entry) -> PlayerEntered:
    """The entry of somebody who comes when matches have been drawn: in the place of a bye, or with rounds missed."""
    rules = tournament.format.stage
    knockout = any(each.bracket is Bracket.KNOCKOUT for each in tournament.matches.values())
    if knockout or rules.kind is StageKind.ROUND_ROBIN:
        raise RefusalError("late_all_drawn", name=entry.name)
    if rules.kind is StageKind.FREE:
        return PlayerEntered(entry)
    drawn = tournament.rounds_drawn()
    places = _free_places(events, tournament, replace(entry, missed=max(drawn - 1, 0)))
    if rules.kind is StageKind.BRACKETS:
        if not places:
            raise RefusalError("late_no_bye", name=entry.name)
        missed = 0
    else:
        missed = drawn - 1 if places else drawn
        if missed and rules.late is LateEntry.REFUSED:
            raise RefusalError("late_first_round", name=entry.name)
        if rules.late is LateEntry.LOSS and rules.lives is not None and missed >= rules.lives:
            raise RefusalError("late_losses", name=entry.name, missed=missed)
    made = replace(entry, missed=missed)
    if not places:
        return PlayerEntered(made)
    other = {place: tournament.entries[tournament.states()[place].players[0]] for place in places}
    best = min(
        places,
        key=lambda place: (
            clash(made, other[place], rules.apart),
            lot(tournament.seed, "late", made.number, place),
        ),
    )
    return PlayerEntered(made, best)


def _free_places(events: Sequence[TournamentEvent], tournament: Tournament, entry: Entry) -> list[int]:
    """Byes of the first round of a bracket, or of the round that is on, whose taker has not played on."""
    now = max(tournament.rounds_drawn(), 1)
    states = tournament.states().values()
    running = any(each.progress in (Progress.OPEN, Progress.WAITING) for each in states)
    found = [
        state.match.number
        for state in states
        if running
        and state.match.round == now
        and state.match.bracket in (Bracket.MAIN, Bracket.ROUNDS)
        and any(source.kind is SourceKind.BYE for source in state.match.sources)
        and state.players
        and state.players[0] not in tournament.withdrawn
    ]
    return [each for each in found if _fits([*events, PlayerEntered(entry, each)])]


def _fits(events: Sequence[TournamentEvent]) -> bool:
    try:
        fold(events)
    except TournamentError:
        return False
    return True


def withdraw(events: Sequence[TournamentEvent], name: str) -> PlayerWithdrew:
    """Somebody leaves. Raises TournamentError if there is no such player or they have left already."""
    tournament = fold(events)
    entry = find_player(tournament, name)
    if entry.number in tournament.withdrawn:
        raise RefusalError("withdrawn_already", name=entry.name)
    event = PlayerWithdrew(entry.number)
    fold([*events, event])
    return event


def find_player(tournament: Tournament, text: str) -> Entry:
    """The player with this name, this number, or a name of which a word begins like this.

    Raises TournamentError if there is none, or more than one.
    """
    entries = list(tournament.entries.values())
    wanted = same(text)
    exact = [each for each in entries if same(each.name) == wanted]
    if not exact and text.strip().lstrip("#").isdecimal():
        exact = [each for each in entries if each.number == int(text.strip().lstrip("#"))]
    found = exact or [each for each in entries if wanted and _begins(each, wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(each.name for each in found[:5])
        raise RefusalError("several_players", text=text, names=names)
    if near := nearest(text, [each.name for each in entries]):
        raise RefusalError("no_player_but", text=text, near=near)
    raise RefusalError("no_player", text=text)


def _begins(entry: Entry, wanted: str) -> bool:
    name = same(entry.name)
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())


# --- draws and results -----------------------------------------------------------------------------------


def draw(
    events: Sequence[TournamentEvent], seed: str | None = None, pairs: Iterable[tuple[str, str]] = ()
) -> MatchesDrawn:
    """What is drawn next; `pairs` of players are made by the director.

    Raises TournamentError if that is not possible now, or a player of a pair is out or in two pairs.
    """
    tournament = fold(events)
    fixed = [
        (find_player(tournament, one).number, find_player(tournament, other).number) for one, other in pairs
    ]
    named = [each for pair in fixed for each in pair]
    for each in named:
        entry = tournament.entries[each]
        if named.count(each) > 1:
            raise RefusalError("twice_at_once", name=entry.name)
    drawn = draw_next(tournament, tournament.seed if seed is None else tidy(seed, "seed"), fixed)
    fold([*events, drawn])
    return drawn


def play_off(events: Sequence[TournamentEvent], one: str, other: str, length: int = 1) -> MatchesDrawn:
    """A match that decides between two players who would share a place after rounds or groups.

    Raises TournamentError if it decides nothing, or one of them has left.
    """
    tournament = fold(events)
    players = [find_player(tournament, each) for each in (one, other)]
    for entry in players:
        if entry.number in tournament.withdrawn:
            raise RefusalError("has_withdrawn", name=entry.name)
    drawn = draw_play_off(tournament, players[0].number, players[1].number, length)
    fold([*events, drawn])
    return drawn


def report(events: Sequence[TournamentEvent], given: Report, *, instead: bool = False) -> ResultReported:
    """The result of a match; with `instead` one that has a result already.

    Raises TournamentError if it was not paired, is not open, the score cannot be, later matches stand in the way, or
    others would have come into the knockout that is drawn.
    """
    tournament = fold(events)
    states = tournament.states()
    if isinstance(given.match, int):
        state, turned = _by_number(tournament, states, given.match), False
    else:
        state, turned = _by_players(tournament, states, *given.match, instead=instead)
    here = state.match.number in tournament.results
    if here and not instead:
        result = tournament.results[state.match.number]
        score = f"{result.score[0]}-{result.score[1]}"
        raise RefusalError("has_result", **_named(tournament, state), score=score)
    if instead and not here:
        raise RefusalError("no_result", **_named(tournament, state))
    result = _result(tournament, state, given, turned=turned)
    event = ResultReported(state.match.number, result, given.journal)
    try:
        fold([*events, event])
    except TournamentError as error:
        raise RefusalError("cannot_replace", why=error) from None
    if here:
        _refuse_other_knockout(events, event)
    return event


def _by_number(tournament: Tournament, states: dict[int, DrawnMatch], number: int) -> DrawnMatch:
    if number not in states:
        raise RefusalError("no_match", match=number)
    state = states[number]
    if state.progress is Progress.WAITING:
        first, *rest = (
            source.number
            for source, seat in zip(state.match.sources, state.seats, strict=True)
            if seat is None
        )
        if rest:
            raise RefusalError("waits_for_two", match=number, first=first, second=rest[0])
        raise RefusalError("waits_for_one", match=number, first=first)
    if state.progress in (Progress.BYE, Progress.NEEDLESS):
        if not state.players:
            raise RefusalError("not_played_at_all", match=number)
        raise RefusalError("not_played", match=number, name=tournament.entries[state.players[0]].name)
    return state


def _by_players(
    tournament: Tournament, states: dict[int, DrawnMatch], one: str, other: str, *, instead: bool
) -> tuple[DrawnMatch, bool]:
    first, second = find_player(tournament, one), find_player(tournament, other)
    wanted = {first.number, second.number}
    both = [each for each in states.values() if {*each.players} == wanted and len(each.players) == 2]
    reported = [each for each in both if each.match.number in tournament.results]
    rest = [each for each in both if each not in reported and each.progress is not Progress.NEEDLESS]
    chosen = reported[-1:] if instead else rest[:1] or reported[-1:]
    if not chosen:
        playing = [each for each in states.values() if each.progress is Progress.OPEN]
        if not playing:
            raise RefusalError("nobody_paired", one=first.name, other=second.name)
        shown = "; ".join("{match} {names}".format(**_named(tournament, each)) for each in playing[:4])
        more = "; ..." if len(playing) > 4 else ""
        raise RefusalError("not_paired", one=first.name, other=second.name, matches=shown + more)
    return chosen[0], chosen[0].seats[0] != first.number


def _named(tournament: Tournament, state: DrawnMatch) -> dict[str, object]:
    """A match for a sentence: its number and its players."""
    names = " - ".join(tournament.entries[each].name for each in state.players)
    return {"match": state.match.number, "names": names}


def _result(tournament: Tournament, state: DrawnMatch, given: Report, *, turned: bool) -> ReportedResult:
    first, second = state.players
    length = state.match.length
    if given.ending is MatchEnding.DOUBLE_WALKOVER:
        return ReportedResult((first, second), (0, 0), given.ending)
    if given.ending is MatchEnding.WALKOVER or given.score is None:
        second_named = given.score is not None and given.score[1] > given.score[0]
        score = (0, 1) if second_named is not turned else (1, 0)
        return ReportedResult((first, second), score, MatchEnding.WALKOVER)
    one, other = given.score[::-1] if turned else given.score
    said = f"{given.score[0]}-{given.score[1]}"
    high, low = max(one, other), min(one, other)
    if low < 0 or high < length or low >= length or high > 3 * 64 * length:
        raise RefusalError("no_score", score=said, length=length)
    for player, points, least in zip((first, second), (one, other), tournament.start(state), strict=True):
        if points < least:
            name = tournament.entries[player].name
            raise RefusalError("below_start", score=said, name=name, least=least)
    return ReportedResult((first, second), (one, other))


def come_late(
    events: Sequence[TournamentEvent], one: str, minutes: int, other: str = "", others: int = 0
) -> list[LatenessReported | ResultReported]:
    """Somebody came late to the match that they are to play now, or they and `other`, their opponent, did.

    The match begins with points for the opponent, or is walked over if the event's rules say so. Raises
    TournamentError for minutes that cannot be, or if they play no open match.
    """
    if not (0 < minutes <= MOST_MINUTES and 0 <= others <= MOST_MINUTES):
        wrong = others if 0 < minutes <= MOST_MINUTES else minutes
        raise RefusalError("no_minutes", minutes=wrong, most=MOST_MINUTES)
    tournament = fold(events)
    player = find_player(tournament, one)
    state = next((each for each in playable(tournament.states()) if player.number in each.players), None)
    if state is None:
        raise RefusalError("nothing_to_play", name=player.name)
    first, second = state.players
    opponent = second if player.number == first else first
    if other and find_player(tournament, other).number != opponent:
        now = tournament.entries[opponent].name
        raise RefusalError("plays_another", name=player.name, opponent=now)
    both = (minutes, others) if player.number == first else (others, minutes)
    late = LatenessReported(state.match.number, Lateness((first, second), both))
    rules, length = tournament.format.lateness, state.match.length
    lost = [rules.is_lost(each, length) for each in both]
    if all(lost):
        ending, score = MatchEnding.DOUBLE_WALKOVER, (0, 0)
    elif any(lost):
        ending, score = MatchEnding.WALKOVER, (int(lost[1]), int(lost[0]))
    else:
        return [late]
    return [late, ResultReported(state.match.number, ReportedResult((first, second), score, ending))]


def confirm(events: Sequence[TournamentEvent], number: int, player: int = 0) -> ResultConfirmed:
    """Vouch for a result that a table's record has told: as one of its two players, or with 0 for both.

    Raises TournamentError if there is none, it needs nobody to vouch for it, or this player has done so or may not.
    """
    tournament = fold(events)
    if number not in tournament.matches:
        raise RefusalError("no_match", match=number)
    if not tournament.is_unconfirmed(number):
        raise RefusalError("nothing_to_confirm", match=number)
    if player and player not in tournament.results[number].players:
        raise RefusalError("not_theirs", player=player, match=number)
    if player in tournament.confirmed_by.get(number, ()):
        raise RefusalError("has_confirmed", name=tournament.entries[player].name, match=number)
    return ResultConfirmed(number, player)


def assign(events: Sequence[TournamentEvent], number: int, table: str, command: str = "") -> TableAssigned:
    """Have a match played at a table; with an empty name at none. `command` is what has the table begin it.

    Raises TournamentError if it is not open, or another open match is at that table.
    """
    tournament = fold(events)
    states = tournament.states()
    state = _by_number(tournament, states, number)
    if state.progress is not Progress.OPEN:
        raise RefusalError("table_after_end", **_named(tournament, state))
    for other, there in tournament.tables.items():
        if table and there == table and other != number and states[other].progress is Progress.OPEN:
            raise RefusalError("table_taken", **_named(tournament, states[other]), table=table)
    return TableAssigned(number, table, command)


# --- the knockout that stands on results ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Knockout:
    """A knockout that is drawn.

    Attributes:
        event: the number of its draw.
        drawn: who stands in it, by seed.
        now: who would, if it were drawn from the results as they are now.
    """

    event: int
    drawn: list[int]
    now: list[int]


def _knockout(events: Sequence[TournamentEvent]) -> _Knockout | None:
    """The knockout that follows groups or rounds; None while it is not drawn."""
    active = active_events(events)
    for place, (number, event) in enumerate(active):
        if isinstance(event, MatchesDrawn) and _is_knockout(event):
            before = [each for _, each in active[:place]]
            drawn = fold(before)
            later = (each for _, each in active[place:])
            changed = [
                each for each in later if isinstance(each, ResultReported) and each.match in drawn.matches
            ]
            order = qualified_order(drawn, event.seed)
            now = qualified_order(fold([*before, *changed]), event.seed) if changed else order
            return _Knockout(number, order, now)
    return None


def _is_knockout(drawn: MatchesDrawn) -> bool:
    return any(each.bracket is Bracket.KNOCKOUT for each in drawn.matches)


def _refuse_other_knockout(events: Sequence[TournamentEvent], event: ResultReported | EventsUndone) -> None:
    """Raise RefusalError if another knockout would have been drawn with this event than the one that is drawn."""
    before, after = _knockout(events), _knockout([*events, event])
    if before is None or after is None or after.now in (before.now, before.drawn):
        return
    names = fold(events).entries
    left = ", ".join(names[each].name for each in before.drawn if each not in after.now)
    come = ", ".join(names[each].name for each in after.now if each not in before.drawn)
    if left and come:
        raise RefusalError("knockout_others", left=left, come=come, draw=before.event)
    raise RefusalError("knockout_seats", draw=before.event)


# --- undoing ---------------------------------------------------------------------------------------------


def undo(
    events: Sequence[TournamentEvent], number: int | None = None, *, later: bool = False
) -> EventsUndone:
    """Take an event back, the last one without a number; with `later` also what cannot stand without it.

    Raises TournamentError if there is no such event, it is the beginning, it is undone already, or others need it.
    """
    counted = [each for each, _ in active_events(events)]
    if number is None:
        number = counted[-1]
    if not 1 <= number <= len(events):
        raise RefusalError("no_event", number=number)
    if number == 1:
        raise RefusalError("undo_beginning")
    if number in undone_numbers(events):
        raise RefusalError("undone_already", number=number)
    event = EventsUndone((number,))
    try:
        fold([*events, event])
        _refuse_other_knockout(events, event)
    except TournamentError as error:
        if not later and (refusal := _unplayed_behind(events, number)):
            raise refusal from None
        event = EventsUndone(_dependents(events, number))
        if later and isinstance(events[number - 1], EventsUndone):
            raise
        _refuse_other_knockout(events, event)
        if not later:
            others = ", ".join(map(str, event.numbers[1:]))
            raise RefusalError("undo_alone", number=number, why=error, events=others) from None
    return event


def _unplayed_behind(events: Sequence[TournamentEvent], number: int) -> RefusalError | None:
    """What to do first where a withdrawal is to be undone, and later matches stand on its walk-overs."""
    event = events[number - 1]
    if not isinstance(event, PlayerWithdrew):
        return None
    tournament = fold(events)
    results = {
        place: ResultReported(place, state.result)
        for place, state in tournament.states().items()
        if event.entry in state.players and state.result is not None and place not in tournament.results
    }
    undone = EventsUndone((number,))

    def fits_with(places: Iterable[int]) -> bool:
        return _fits([*events, *(results[each] for each in places), undone])

    needed = [place for place in results if not fits_with(each for each in results if each != place)]
    if not needed or not fits_with(needed):
        return None
    name = tournament.entries[event.entry].name
    return RefusalError("undo_withdrawal", name=name, count=len(needed), matches=", ".join(map(str, needed)))


def _dependents(events: Sequence[TournamentEvent], number: int) -> tuple[int, ...]:
    """An event and all later ones that contradict the rest when it is gone."""
    gone = [number]
    kept = [event for each, event in active_events(events) if each < number]
    before = [*kept, events[number - 1]]
    for each, event in active_events(events):
        if each > number:
            if _fits([*kept, event]) and _draws_as_before(before, kept, event):
                kept.append(event)
            else:
                gone.append(each)
            before.append(event)
    return tuple(gone)


def _draws_as_before(
    before: Sequence[TournamentEvent], kept: Sequence[TournamentEvent], event: TournamentEvent
) -> bool:
    """Whether an event is no draw of a knockout, or the same are in it after the events that are kept."""
    if not isinstance(event, MatchesDrawn) or not _is_knockout(event):
        return True
    one, other = (qualified_order(fold(each), event.seed) for each in (before, kept))
    return one == other
