"""A club's evening as plain values for the pages of the hub, in one language; some of it for the director alone."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.given_matches import AUTHOR
from controller.hub.evening.notice import EveningNotice, NoticeKind
from controller.hub.evening.tournament_log import TournamentLog
from controller.hub.hall import TableShown
from controller.hub.need import TableInOrder
from controller.messages.catalogue import Catalogue, catalogue
from controller.tournament.catalogue import format_names, load_format
from controller.tournament.draw import busy_players, is_over, nothing_to_draw, possible_play_offs
from controller.tournament.events import EventsUndone, ResultConfirmed, ResultReported
from controller.tournament.format import EventClock, StageKind, TournamentFormat, later_lengths, takes_rounds
from controller.tournament.sheets.drawing import chart_names
from controller.tournament.sheets.wording import TournamentWords, format_title, is_played
from controller.tournament.standings import StandingTable, standing_tables
from controller.tournament.tournament import DrawnMatch, Progress, Tournament, active_events, undone_numbers

LATEST: Final = 200
"""This many of the latest events are listed for the director: two rounds at forty tables."""

MOST_PLAY_OFFS: Final = 40
"""This many pairs are offered for a play-off."""

Content = dict[str, Any]
PinsOf = Callable[[Tournament], Mapping[int, str]]


def evening_content(
    evening: ClubEvening, language: str, *, director: bool, pins: PinsOf | None = None
) -> Content:
    """What everybody may see: the tournament's rounds and standings; for the director also what they work with.

    ``pins`` makes the PINs with which players confirm their results.

    Raises:
        UserError: if the tournament's file cannot be read.
    """
    tables = {each.name: each for each in evening.hall.tables()}
    content: Content = {
        "tournament": _tournament(evening, language, tables, pins if director else None, director=director)
    }
    if director:
        texts = catalogue(language)
        content["notices"] = [
            {
                "journal": each.journal,
                "table": str(each.arguments["table"]),
                "earlier": each.kind is NoticeKind.EARLIER,
                "text": _notice(each, language, tables),
            }
            for each in evening.notices.shown()
        ]
        content["formats"] = [_format(load_format(name), texts) for name in format_names()]
    return content


def _format(made: TournamentFormat, texts: Catalogue) -> Content:
    """A format to begin with: of what may be chosen for it the usual value, empty if there is none."""
    later = {str(bracket): lengths for bracket, lengths in later_lengths(made).items()}
    lengths = {"length": made.match.length, **later}
    usual = {field: ",".join(map(str, points)) for field, points in lengths.items()}
    if takes_rounds(made):
        usual["rounds"] = str(made.stage.rounds or "")
    return {"name": made.name, "title": format_title(made, texts), "usual": usual}


def needs_content(tables: Iterable[TableInOrder], language: str) -> list[Content]:
    """The tables by need, each with what it needs in words."""
    texts = catalogue(language)
    return [
        {
            "table": each.table.name,
            "needs": [
                {
                    "kind": str(need.kind),
                    "since_ms": need.since_ms,
                    "text": need.text,
                    "fault": None if need.fault is None else str(need.fault),
                }
                for need in each.needs
            ],
            "faults": [
                {
                    "fault": str(fault.fault),
                    "since_ms": fault.since_ms,
                    "text": _fault_words(texts, str(fault.fault), fault.arguments),
                }
                for fault in each.table.faults
            ],
        }
        for each in tables
    ]


def _fault_words(texts: Catalogue, fault: str, arguments: Mapping[str, str]) -> str:
    """What is wrong, and the remedy."""
    told = (
        {**arguments, "why": texts.text("club", "flaw", arguments["why"])}
        if "why" in arguments
        else arguments
    )
    return texts.text("hall", "fault", fault, **told)


def _notice(notice: EveningNotice, language: str, tables: Mapping[str, TableShown]) -> str:
    named = {
        name: each if isinstance(each, str) else each.in_language(language)
        for name, each in notice.arguments.items()
    }
    table = tables.get(named["table"])
    named["table"] = table.title if table else named["table"]
    told: dict[str, object] = {**named}
    told |= {name: int(named[name]) for name in ("played", "length") if name in named}
    return catalogue(language).text("hall", "notice", notice.kind, **told)


def _tournament(
    evening: ClubEvening,
    language: str,
    tables: Mapping[str, TableShown],
    pins: PinsOf | None,
    *,
    director: bool,
) -> Content | None:
    log, tournament = evening.log(), evening.tournament()
    if log is None or tournament is None:
        return None
    words = TournamentWords(tournament, language)
    sent = evening.matches.sent() if director else {}
    confirmers = _confirmers(log, tournament, language)
    known = {} if pins is None else pins(tournament)
    current = {each.match.number for each in words.current()}

    def match_content(state: DrawnMatch) -> Content:
        number = state.match.number
        table = tournament.tables.get(number, "")
        shown = tables.get(table)
        found: Content = {
            "number": number,
            "players": [words.seat(state, place) for place in (0, 1)],
            "seats": [each or 0 for each in state.seats],
            "winner": None if state.winner is None else _winner_place(state),
            "score": words.score(state.result),
            "begins": words.start(state),
            "points": None if state.result is None else [*state.result.score],
            "progress": str(state.progress),
            "current": number in current,
            "length": state.match.length,
            "table": table,
            "title": shown.title if shown else table,
            "unconfirmed": tournament.is_unconfirmed(number),
            "recorded": number in tournament.journals,
            "confirmed_by": confirmers.get(number, []),
        }
        if number in sent and state.progress is Progress.OPEN:
            found["sent"] = {"state": str(sent[number].state), "text": sent[number].text(language)}
        return found

    played = [each for each in words.states.values() if is_played(each)]
    # Only the director knows when pairs that they make come to an end.
    free = tournament.format.stage.kind is StageKind.FREE
    over = is_over(tournament) and not free
    content: Content = {
        "name": tournament.name,
        "format": format_title(tournament.format, catalogue(language)),
        "facts": words.facts(),
        "over": over,
        "champion": f"{words.text('over')} {words.champion()}".rstrip() if over else "",
        "rounds": [
            {
                "name": name,
                "length": words.length(group[0].match),
                "current": any(each.match.number in current for each in group),
                "matches": [match_content(each) for each in group],
            }
            for name, group in _grouped(played, words)
        ],
        "standings": [_table(each, words) for each in standing_tables(tournament)]
        if tournament.matches or not director
        else [],
        "begun": bool(tournament.matches),
        "players": [
            {
                "number": each.number,
                "name": each.name,
                "withdrawn": each.number in tournament.withdrawn,
                "remarks": words.remarks(each.number),
                "club": each.club,
                "rating": each.rating,
                **({"pin": known[each.number]} if each.number in known else {}),
            }
            for each in tournament.entries.values()
        ],
    }
    if director:
        undone = undone_numbers(log.events)
        busy = busy_players(tournament)
        content |= {
            "can_draw": nothing_to_draw(tournament) is None,
            "free_pairs": free,
            "idle": [
                each for each in tournament.entries if each not in busy and each not in tournament.withdrawn
            ],
            "play_offs": [
                {"players": [*pair], "names": [*map(words.name, pair)]}
                for pair in possible_play_offs(tournament)[:MOST_PLAY_OFFS]
            ],
            "free_tables": [
                {"name": each.name, "title": each.title} for each in evening.matches.free_tables()
            ],
            "charts": [
                {"name": str(each), "title": words.text("bracket", each)} for each in chart_names(tournament)
            ],
            "clock": tournament.format.clock.kind is not EventClock.NONE,
            "log": [
                {
                    "number": number,
                    "utc": str(record.get("utc", "")),
                    "by": _author(record, language),
                    "text": words.event(event),
                    "undone": number in undone,
                    "undo": number > 1 and number not in undone and not isinstance(event, EventsUndone),
                }
                for number, (event, record) in enumerate(
                    zip(log.events, log.file.records, strict=True), start=1
                )
            ][-LATEST:],
        }
    return content


def _author(record: Mapping[str, Any], language: str) -> str:
    """Who did something: the name that they gave, or the word for the director."""
    by = str(record.get("by", ""))
    return catalogue(language).text("seal", "by", "director") if by == AUTHOR else by


def _confirmers(log: TournamentLog, tournament: Tournament, language: str) -> dict[int, list[str]]:
    """Who has confirmed the result that a match has, by match."""
    found: dict[int, list[str]] = {}
    for number, event in active_events(log.events):
        if isinstance(event, ResultReported):
            found.pop(event.match, None)
        elif isinstance(event, ResultConfirmed):
            entry = tournament.entries.get(event.player)
            name = _author(log.file.records[number - 1], language) if entry is None else entry.name
            found.setdefault(event.match, []).append(name)
    return found


def _winner_place(state: DrawnMatch) -> int | None:
    return state.seats.index(state.winner) if state.winner and state.winner in state.seats else None


def _grouped(states: Iterable[DrawnMatch], words: TournamentWords) -> Iterator[tuple[str, list[DrawnMatch]]]:
    found: dict[str, list[DrawnMatch]] = {}
    for name, group in groupby(states, key=lambda each: words.round_name(each.match)):
        found.setdefault(name, []).extend(group)
    return iter(found.items())


def _table(table: StandingTable, words: TournamentWords) -> Content:
    return {
        "name": words.table_name(table),
        "records": any(each.record is not None for each in table.rows),
        "prizes": bool(words.prizes),
        "rows": [
            {
                "place": words.place(row, table),
                "name": words.name(row.player),
                "points": None if row.record is None else row.record.points,
                "wins": None if row.record is None else row.record.wins,
                "losses": None if row.record is None else row.record.losses,
                "byes": None if row.record is None else row.record.byes,
                **({"prize": words.prize(row.player, table)} if words.prizes else {}),
                "notes": "; ".join([*words.remarks(row.player), *map(words.working, row.tie_breaks)]),
            }
            for row in table.rows
        ],
    }
