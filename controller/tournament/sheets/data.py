"""A tournament for other programs: CSV with a heading, and JSON with everything."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from controller.tournament.draw import is_over
from controller.tournament.format import ClockRules, format_values
from controller.tournament.prizes import event_pot, known_prizes
from controller.tournament.rating import player_ratings, rated_matches
from controller.tournament.sheets.wording import TournamentWords, is_played
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import DrawnMatch, Progress, Tournament

FORMULA: Final = ("=", "+", "-", "@")
"""Cells that begin like this are formulas to spreadsheets; a blank in front makes them text."""


def tournament_csv(tournament: Tournament, table: str, language: str = "en") -> str:
    """A table, `standings`, `matches`, `ratings` or `players`, as CSV with commas. Raises LanguageError."""
    words = TournamentWords(tournament, language)
    rows = {"standings": _standings, "matches": _matches, "ratings": _ratings, "players": _players}[table](
        words
    )
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_cell(each) for each in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    return (
        f" {value}"
        if isinstance(value, str) and value.startswith(FORMULA) and not _is_number(value)
        else value
    )


def _is_number(text: str) -> bool:
    return text.lstrip("+-").replace(".", "", 1).isdecimal()


def _standings(words: TournamentWords) -> Iterator[Sequence[object]]:
    heading = ("place", "player", "points", "wins", "losses", "byes", "tie_breaks")
    with_prizes = ["prize"] if words.prizes else []
    yield [words.text("standings"), *map(words.text, (*heading, *with_prizes))]
    for table in standing_tables(words.tournament):
        for row in table.rows:
            record = row.record
            counts = (
                ("",) * 4
                if record is None
                else (f"{record.points:g}", record.wins, record.losses, record.byes)
            )
            breaks = "; ".join(map(words.working, row.tie_breaks))
            place = words.place(row, table)
            prize = [words.prize(row.player, table)] if words.prizes else []
            yield [words.table_name(table), place, words.name(row.player), *counts, breaks, *prize]


def _matches(words: TournamentWords) -> Iterator[Sequence[object]]:
    heading = ("match", "round_column", "player", "player", "score", "match_length")
    yield [words.text(each) for each in heading]
    for state in words.states.values():
        if is_played(state):
            seats = (words.seat(state, 0), words.seat(state, 1))
            score = words.score(state.result)
            yield [state.match.number, words.round_name(state.match), *seats, score, state.match.length]


def _ratings(words: TournamentWords) -> Iterator[Sequence[object]]:
    yield [words.text(each) for each in ("player", "before", "after", "change", "played", "experience")]
    for each in player_ratings(words.tournament):
        change = f"{each.after - each.before:+.2f}"
        ends = (f"{each.before:.2f}", f"{each.after:.2f}", change)
        yield [words.name(each.player), *ends, each.matches, f"{each.experience:g}"]


def _players(words: TournamentWords) -> Iterator[Sequence[object]]:
    yield ["name", "rating", "experience", "club", "country", "family", "head_start"]
    for entry in words.tournament.entries.values():
        rating = "" if entry.rating is None else f"{entry.rating:g}"
        about = (entry.club, entry.country, entry.family, entry.head_start or "")
        yield [entry.name, rating, f"{entry.experience:g}", *about]


def tournament_json(tournament: Tournament) -> str:
    """Everything, players by number and matches by theirs. Ends with a line break."""
    made, states = tournament.format, tournament.states()
    data = {
        "name": tournament.name,
        "over": is_over(tournament),
        "seed": tournament.seed,
        "format": {"name": made.name, "title": made.title, **format_values(made)},
        "players": [
            {
                "number": entry.number,
                "name": entry.name,
                "rating": entry.rating,
                "experience": entry.experience,
                "club": entry.club,
                "country": entry.country,
                "family": entry.family,
                "missed": tournament.missed(entry.number),
                "head_start": entry.head_start,
                "withdrawn": entry.number in tournament.withdrawn,
            }
            for entry in tournament.entries.values()
        ],
        "draws": [{"seed": each.seed, "totals": dict(each.totals)} for each in tournament.draws],
        "matches": [_match_data(each, made.clock) | _at_table(each, tournament) for each in states.values()],
        "standings": [
            {
                "bracket": str(table.bracket),
                "group": table.group or None,
                "rows": [
                    {
                        "player": row.player,
                        "place": row.place,
                        "last": row.last,
                        "points": None if row.record is None else row.record.points,
                        "tie_breaks": {str(each.rule): each.value for each in row.tie_breaks},
                    }
                    for row in table.rows
                ],
            }
            for table in standing_tables(tournament)
        ],
        "pot_cents": event_pot(tournament),
        "prizes": [
            {
                "bracket": str(table.bracket),
                "group": table.group or None,
                "player": each.player,
                "place": each.place,
                "last": each.last,
                "cents": each.cents,
            }
            for table, given in known_prizes(tournament)
            for each in given
        ],
        "ratings": [
            {"player": each.player, "before": each.before, "after": each.after, "experience": each.experience}
            for each in player_ratings(tournament)
        ],
        "rated": [
            {
                "match": each.match,
                "winner": each.players[0],
                "loser": each.players[1],
                "changes": [*each.changes],
            }
            for each in rated_matches(tournament)
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _at_table(state: DrawnMatch, tournament: Tournament) -> dict[str, Any]:
    """What a match begins with, where it is played, and whether a table's record tells its result."""
    number = state.match.number
    late = tournament.lateness.get(number)
    return {
        "start": [*tournament.start(state)],
        "late_min": [*late.minutes] if late is not None and late.players == state.seats else [0, 0],
        "table": tournament.tables.get(number),
        "journal": tournament.journals.get(number),
        "confirmed": state.result is not None and not tournament.is_unconfirmed(number),
        "confirmed_by": sorted(tournament.confirmed_by.get(number, ())),
    }


def _match_data(state: DrawnMatch, clock: ClockRules) -> dict[str, Any]:
    match, result = state.match, state.result
    return {
        "number": match.number,
        "bracket": str(match.bracket),
        "round": match.round,
        "group": match.group or None,
        "length": match.length,
        "clock": {
            "kind": str(clock.kind),
            "reserve_s": clock.reserve_for(match.length, match.round),
            "delay_s": clock.delay_for(match.round),
        },
        "sources": [[str(each.kind), each.number] for each in match.sources],
        "players": [each or None for each in state.seats],
        "progress": str(state.progress),
        "winner": (state.winner or None) if state.progress is not Progress.OPEN else None,
        "score": None if result is None else [*result.score],
        "ending": None if result is None else str(result.ending),
    }
