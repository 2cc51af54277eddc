"""Who stands where: by points and tie-breaks in rounds and groups, by how far they came in brackets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from controller.tournament.format import StageKind, TieBreak
from controller.tournament.match import NOBODY, Bracket, SourceKind
from controller.tournament.record import PlayerRecord, annulled_players, player_records
from controller.tournament.tie_break import TieBreakValue, tie_break
from controller.tournament.tournament import DrawnMatch, Progress, Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place.

    Attributes:
        player: their number.
        place, last: from which to which place, equal unless it is shared; `None` for somebody still in a bracket.
        record: in rounds and groups.
        tie_breaks: those that were needed, in their order.
    """

    player: int
    place: int | None
    last: int | None
    record: PlayerRecord | None = None
    tie_breaks: tuple[TieBreakValue, ...] = ()


@dataclass(frozen=True, slots=True)
class StandingTable:
    """The standings of a bracket, of the rounds, or of a group."""

    bracket: Bracket
    rows: tuple[Standing, ...]
    group: int = 0


def standing_tables(tournament: Tournament) -> tuple[StandingTable, ...]:
    """All tables: that of the knockout or the main bracket first."""
    if tournament.format.stage.kind is StageKind.BRACKETS:
        return _bracket_tables(tournament)
    knockout = tournament.stage(knockout=True)
    tables = [_knockout_table(Bracket.KNOCKOUT, knockout)] if knockout else []
    return (*tables, *group_tables(tournament))


def group_tables(tournament: Tournament) -> tuple[StandingTable, ...]:
    """The tables of all groups, or the one of the rounds; before the draw, of everybody."""
    states = tournament.stage(knockout=False)
    records = player_records(tournament, states)
    robin = tournament.format.stage.kind is StageKind.ROUND_ROBIN
    bracket = Bracket.GROUP if robin else Bracket.ROUNDS
    gone = annulled_players(tournament, states)
    groups = sorted({state.match.group for state in states}) or [0]
    tables = []
    for group in groups:
        members = (
            sorted({player for state in states if state.match.group == group for player in state.players})
            if robin and states
            else sorted(tournament.entries)
        )
        present = [each for each in members if each not in gone]
        left = [Standing(each, None, None, records[each]) for each in members if each in gone]
        ranked = _ranked(tournament, present, records, _tie_breaks(tournament))
        tables.append(StandingTable(bracket, (*ranked, *left), group))
    return tuple(tables)


def _tie_breaks(tournament: Tournament) -> tuple[TieBreak, ...]:
    """The tie-breaks in their order; play-offs are the last where the format does not name them."""
    rules = tournament.format.stage.tie_breaks
    return rules if TieBreak.PLAY_OFF in rules else (*rules, TieBreak.PLAY_OFF)


def play_off_groups(tournament: Tournament) -> list[tuple[int, ...]]:
    """Of rounds and groups, the players who are equal by all that comes before play-offs, the best first."""
    states = tournament.stage(knockout=False)
    records = player_records(tournament, states)
    rules = _tie_breaks(tournament)
    before = rules[: rules.index(TieBreak.PLAY_OFF)]
    found = []
    for table in group_tables(tournament):
        here = [row.player for row in table.rows if row.place is not None]
        rows = _ranked(tournament, here, records, before)
        equal = [tuple(row.player for row in same) for _, same in groupby(rows, key=lambda row: row.place)]
        found += [each for each in equal if len(each) > 1]
    return found


@dataclass(slots=True)
class _Row:
    player: int
    ties: list[TieBreakValue] = field(default_factory=list)


def _ranked(
    tournament: Tournament,
    players: Sequence[int],
    records: Mapping[int, PlayerRecord],
    rules: Sequence[TieBreak],
) -> list[Standing]:
    """The players by points, then by tie-breaks in their order; who is equal shares the place."""
    rows = [_Row(each) for each in players]
    groups = _split(rows, [records[each.player].points for each in rows])
    for rule in rules:
        groups = [part for group in groups for part in _break(rule, group, records, tournament.seed)]
    found: list[Standing] = []
    for group in groups:
        first, last = len(found) + 1, len(found) + len(group)
        ordered = sorted(group, key=lambda row: row.player)
        found += [Standing(row.player, first, last, records[row.player], tuple(row.ties)) for row in ordered]
    return found


def _break(
    rule: TieBreak, group: list[_Row], records: Mapping[int, PlayerRecord], seed: str
) -> list[list[_Row]]:
    """What a tie-break makes of players who are equal so far."""
    if len(group) == 1:
        return [group]
    tied = [row.player for row in group]
    values = [tie_break(rule, row.player, tied, records, seed) for row in group]
    for row, value in zip(group, values, strict=True):
        if value is not None:
            row.ties.append(value)
    return _split(group, [0.0 if value is None else value.value for value in values])


def _split(group: Sequence[_Row], values: Sequence[float]) -> list[list[_Row]]:
    pairs = sorted(zip(values, group, strict=True), key=lambda each: (-each[0], each[1].player))
    return [[row for _, row in equal] for _, equal in groupby(pairs, key=lambda each: each[0])]


def _bracket_tables(tournament: Tournament) -> tuple[StandingTable, ...]:
    states = list(tournament.states().values())
    of = {bracket: [each for each in states if each.match.bracket is bracket] for bracket in Bracket}
    if of[Bracket.TITLE]:
        return (
            _knockout_table(
                Bracket.MAIN, [*of[Bracket.CONSOLATION], *of[Bracket.TITLE][1:]], of[Bracket.MAIN]
            ),
        )
    played = (Bracket.MAIN, Bracket.CONSOLATION, Bracket.LAST_CHANCE)
    tables = [_knockout_table(each, of[each]) for each in played if of[each]]
    if not tables:
        rows = tuple(Standing(each, None, None) for each in sorted(tournament.entries))
        return (StandingTable(Bracket.MAIN, rows),)
    return (tables[0], *(each for each in tables[1:] if len(each.rows) > 1))


def _knockout_table(
    bracket: Bracket, last_lives: Sequence[DrawnMatch], first_lives: Sequence[DrawnMatch] = ()
) -> StandingTable:
    """Who came how far. A loss in `last_lives` ends it; losses in `first_lives` do not."""
    members = {player for state in (*first_lives, *last_lives) for player in state.players}
    outside = first_lives or last_lives
    inside = {state.match.number for state in outside}
    total = sum(
        seat != NOBODY
        for state in outside
        for seat, source in zip(state.seats, state.match.sources, strict=True)
        if source.kind is SourceKind.ENTRY or source.number not in inside
    )
    placed: dict[int, tuple[int, int]] = {}
    rounds = sorted(last_lives, key=lambda state: _depth(state))
    for _, level in groupby(rounds, key=_depth):
        states = list(level)
        out = [player for state in states for player in _losers(state)]
        pending = sum(
            state.progress in (Progress.OPEN, Progress.WAITING) and NOBODY not in state.seats
            for state in states
        )
        here = len(out) + pending
        for player in out:
            placed[player] = (total - here + 1, total)
        total -= here
    champion = rounds[-1].winner if rounds else None
    if champion:
        placed[champion] = (1, 1)
    still = [Standing(each, None, None) for each in sorted(members) if each not in placed]
    ordered = sorted(placed.items(), key=lambda each: (each[1], each[0]))
    done = [Standing(player, first, last) for player, (first, last) in ordered]
    over = champion is not None
    return StandingTable(bracket, (*done, *still) if over else (*still, *done))


def _depth(state: DrawnMatch) -> tuple[bool, int]:
    return state.match.bracket is Bracket.TITLE, state.match.round


def _losers(state: DrawnMatch) -> tuple[int, ...]:
    """Who lost a match: one, both after a double walk-over, nobody while it is not over."""
    if state.progress is Progress.OVER:
        return tuple(player for player in state.players if player != state.winner)
    return (state.loser,) if state.progress is Progress.NEEDLESS and state.loser else ()
