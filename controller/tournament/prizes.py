"""What everybody gets of the pot, to the cent. It is arithmetic only: nobody is paid here."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from typing import Final

from controller.tournament.draw import is_over
from controller.tournament.fault import RefusalError, TournamentError
from controller.tournament.format import PrizeRules
from controller.tournament.match import Bracket
from controller.tournament.standings import Standing, StandingTable, standing_tables
from controller.tournament.tournament import Tournament

PERCENT: Final = 100
CENTS: Final = 100
"""In whatever the pot is counted in."""


@dataclass(frozen=True, slots=True)
class Prize:
    """What one player gets in one table of standings.

    Attributes:
        player: their number.
        place, last: from which to which place; equal unless it is shared.
        cents: hundredths of whatever the pot is counted in.
    """

    player: int
    place: int
    last: int
    cents: int


def event_pot(tournament: Tournament) -> int:
    """What there is to give, by the format: what each player adds, and what is added."""
    rules = tournament.format.prizes
    whole = Fraction(str(rules.fee)) * len(tournament.entries) + Fraction(str(rules.added))
    return round(whole * CENTS)


def known_prizes(tournament: Tournament) -> tuple[tuple[StandingTable, tuple[Prize, ...]], ...]:
    """The prizes of the pot that the format tells of; none while the event is on, or where it tells of none."""
    pot = event_pot(tournament)
    known = pot and tournament.format.prizes.total and is_over(tournament)
    return prizes(tournament, pot) if known else ()


def prizes(tournament: Tournament, pot_cents: int) -> tuple[tuple[StandingTable, tuple[Prize, ...]], ...]:
    """The prizes of an event that is over, table by table; together they are the shares of the pot, to the cent.

    Several groups without a knockout each have an equal part of it. What is left after rounding down goes, cent by
    cent, to the best places of the first table.

    Raises TournamentError if the event is not over, or its format gives no prizes.
    """
    if not is_over(tournament):
        raise TournamentError(f"{tournament.name} is not over; prizes follow from the last places.")
    rules = tournament.format.prizes
    if not rules.total:
        raise TournamentError(
            f"The format of {tournament.name} gives no prizes; give shares of the pot, such as 50,30,20."
        )
    return _shared(standing_tables(tournament), rules, pot_cents)


def pool_prizes(
    tournament: Tournament, pot_cents: int, players: Collection[int]
) -> tuple[tuple[StandingTable, tuple[Prize, ...]], ...]:
    """The prizes of a side pool: only these players, by number, have places in it, and only in the first table.

    Raises TournamentError as `prizes` does, or where several groups have no table together.
    """
    prizes(tournament, 0)
    table = standing_tables(tournament)[0]
    if table.bracket is Bracket.GROUP and table.group:
        raise TournamentError(
            f"{tournament.name} has groups and no table of all; share out a side pool by hand."
        )
    rows = [row for row in table.rows if row.player in players]
    only = replace(table, rows=tuple(_places_anew(rows)))
    return _shared((only,), replace(tournament.format.prizes, consolation=(), last_chance=()), pot_cents)


def _places_anew(rows: list[Standing]) -> Iterator[Standing]:
    """The rows of a table from which others were taken out, with places from 1."""
    before = 0
    for place, same in groupby(rows, key=lambda row: row.place):
        equal = list(same)
        for row in equal:
            yield replace(row, place=before + 1, last=before + len(equal)) if place else row
        before += len(equal)


def _shared(
    tables: tuple[StandingTable, ...], rules: PrizeRules, pot_cents: int
) -> tuple[tuple[StandingTable, tuple[Prize, ...]], ...]:
    parts = [
        list(_parts(table, shares)) for table, shares in zip(tables, _shares(tables, rules), strict=True)
    ]
    exact = [part * pot_cents for rows in parts for _, part in rows]
    left = int(sum(exact)) - sum(map(int, exact))
    found: list[tuple[StandingTable, tuple[Prize, ...]]] = []
    for table, rows in zip(tables, parts, strict=True):
        here = []
        for prize, part in rows:
            here.append(replace(prize, cents=int(part * pot_cents) + (left > 0)))
            left -= left > 0
        if here:
            found.append((table, tuple(here)))
    return tuple(found)


def with_shares(tournament: Tournament, shares: tuple[float, ...]) -> Tournament:
    """The tournament with other shares of the first table. Raises TournamentError if they are more than the pot."""
    rules = replace(tournament.format.prizes, shares=shares)
    if rules.total > PERCENT or min(shares, default=0) < 0:
        raise RefusalError("shares_total", total=f"{rules.total:g}")
    return replace(tournament, format=replace(tournament.format, prizes=rules))


def _shares(tables: tuple[StandingTable, ...], rules: PrizeRules) -> Iterator[tuple[Fraction, ...]]:
    """The parts of the pot that the places of each table get."""
    of: Mapping[Bracket, tuple[float, ...]] = {
        Bracket.CONSOLATION: rules.consolation,
        Bracket.LAST_CHANCE: rules.last_chance,
    }
    groups = sum(table.bracket is Bracket.GROUP for table in tables)
    for number, table in enumerate(tables):
        alike = groups if tables[0].bracket is Bracket.GROUP else 1
        own = rules.shares if number < alike else of.get(table.bracket, ())
        yield tuple(Fraction(str(share)) / PERCENT / alike for share in own)


def _parts(table: StandingTable, shares: tuple[Fraction, ...]) -> Iterator[tuple[Prize, Fraction]]:
    """Who gets something, and what part of the pot."""
    for row in table.rows:
        if row.place is not None and row.last is not None:
            places = shares[row.place - 1 : row.last]
            if part := sum(places, Fraction()) / (row.last - row.place + 1):
                yield Prize(row.player, row.place, row.last, 0), part
