"""What happens in a tournament, as values and as the lines of its file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from controller.tomlfile.document import cut
from controller.tournament.catalogue import format_from
from controller.tournament.entry import Entry
from controller.tournament.fault import TournamentError
from controller.tournament.format import LONGEST_MATCH, TournamentFormat, format_values
from controller.tournament.match import (
    BYE,
    Bracket,
    Lateness,
    MatchEnding,
    MatchSource,
    ReportedResult,
    SourceKind,
    TournamentMatch,
)

VERSION: Final = 1
"""Of the lines; a file with a greater one is not read."""
LARGEST: Final = 1_000_000
"""No number in a file is greater."""
LONGEST: Final = 1_000
"""No text in a file has more letters; names have far fewer."""


@dataclass(frozen=True, slots=True)
class TournamentBegun:
    """The first event: everything that is fixed before anybody enters."""

    name: str
    format: TournamentFormat
    seed: str


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """Somebody plays. `bye_of` is the match whose bye a late entry takes, 0 if none."""

    entry: Entry
    bye_of: int = 0


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """Somebody leaves: every match that is not over yet is walked over."""

    entry: int


@dataclass(frozen=True, slots=True)
class MatchesDrawn:
    """Matches were drawn: a round, or all of a bracket or round robin.

    `totals` are what the draw kept small, by criterion; `gone` are the players who had left before a round was drawn.
    """

    seed: str
    matches: tuple[TournamentMatch, ...]
    totals: Mapping[str, int] = field(default_factory=dict)
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultReported:
    """The result of a match; a later one takes its place.

    `journal` is the record of a table that it follows from, empty if somebody said it.
    """

    match: int
    result: ReportedResult
    journal: str = ""


@dataclass(frozen=True, slots=True)
class ResultConfirmed:
    """The result that a match has was confirmed. Without a result it says nothing.

    `player` is the one of its two players who did, 0 for somebody who speaks for both.
    """

    match: int
    player: int = 0


@dataclass(frozen=True, slots=True)
class LatenessReported:
    """Somebody came late to a match; a later report takes its place. It counts while these two play it."""

    match: int
    lateness: Lateness


@dataclass(frozen=True, slots=True)
class TableAssigned:
    """A match is played at this table, by the table's name; an empty name: at none.

    `command` is the name of the command that has the table begin it, empty if none was given.
    """

    match: int
    table: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class EventsUndone:
    """These events count as if they had never happened, until this one is undone itself."""

    numbers: tuple[int, ...]


TournamentEvent = (
    TournamentBegun
    | PlayerEntered
    | PlayerWithdrew
    | MatchesDrawn
    | ResultReported
    | ResultConfirmed
    | LatenessReported
    | TableAssigned
    | EventsUndone
)


def event_record(event: TournamentEvent) -> dict[str, Any]:
    """An event as a line of the file, without number and time."""
    match event:
        case TournamentBegun(name=name, format=chosen, seed=seed):
            values = {"name": chosen.name, "title": chosen.title, **format_values(chosen)}
            return {"kind": "tournament", "version": VERSION, "name": name, "seed": seed, "format": values}
        case PlayerEntered(entry=entry, bye_of=bye_of):
            record: dict[str, Any] = {"kind": "enter", "player": entry.number, "name": entry.name}
            for each in ("rating", "experience", "club", "country", "family", "missed", "head_start"):
                if value := getattr(entry, each):
                    record[each] = value
            return record | ({"bye_of": bye_of} if bye_of else {})
        case PlayerWithdrew(entry=number):
            return {"kind": "withdraw", "player": number}
        case MatchesDrawn(seed=seed, matches=matches, totals=totals, gone=gone):
            drawn = [_match_record(each) for each in matches]
            record = {"kind": "draw", "seed": seed, "totals": dict(totals), "matches": drawn}
            return record | ({"gone": [*gone]} if gone else {})
        case ResultReported(match=number, result=result, journal=journal):
            return {
                "kind": "result",
                "match": number,
                "players": [*result.players],
                "score": [*result.score],
                "ending": str(result.ending),
            } | ({"journal": journal} if journal else {})
        case ResultConfirmed(match=number, player=player):
            return {"kind": "confirm", "match": number} | ({"player": player} if player else {})
        case LatenessReported(match=number, lateness=late):
            return {
                "kind": "late",
                "match": number,
                "players": [*late.players],
                "minutes": [*late.minutes],
            }
        case TableAssigned(match=number, table=table, command=command):
            record = {"kind": "assign", "match": number, "table": table}
            return record | ({"command": command} if command else {})
        case EventsUndone(numbers=numbers):
            return {"kind": "undo", "events": [*numbers]}


def _match_record(match: TournamentMatch) -> dict[str, Any]:
    record: dict[str, Any] = {
        "match": match.number,
        "bracket": str(match.bracket),
        "round": match.round,
        "of": [[str(each.kind), each.number] for each in match.sources],
        "length": match.length,
    }
    return (
        record
        | ({"group": match.group} if match.group else {})
        | ({"decider": True} if match.decider else {})
    )


def event_from(record: Mapping[str, Any], label: str) -> TournamentEvent:
    """The event of a line.

    Raises TournamentError, beginning with `label`, for one that no version of Pointsman wrote.
    """
    kind = record.get("kind")
    if kind == "tournament" and isinstance(version := record.get("version"), int) and version > VERSION:
        raise TournamentError(f"{label}: a newer Pointsman wrote this file; bring this one up to date.")
    if not isinstance(kind, str) or kind not in _READERS:
        raise TournamentError(
            f"{label}: there is no event {cut(repr(kind))} in a tournament; take the file as it was written."
        )
    try:
        return _READERS[kind](record, label)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = cut(str(error))
        raise TournamentError(
            f"{label}: something is missing or wrong in this event ({why}); take the file as it was written."
        ) from None


def _begun(record: Mapping[str, Any], label: str) -> TournamentBegun:
    values = dict(record["format"])
    name, title = _text(values.pop("name")), _text(values.pop("title"))
    return TournamentBegun(
        _text(record["name"]), format_from(values, name, title, label), _text(record["seed"])
    )


def _entered(record: Mapping[str, Any], _: str) -> PlayerEntered:
    rating = record.get("rating")
    club, country, family = (_text(record.get(each, "")) for each in ("club", "country", "family"))
    entry = Entry(
        _whole(record["player"], least=1),
        _text(record["name"]),
        None if rating is None else _number(rating),
        experience=_number(record.get("experience", 0)),
        club=club,
        country=country,
        family=family,
        missed=_whole(record.get("missed", 0)),
        head_start=_whole(record.get("head_start", 0), most=LONGEST_MATCH),
    )
    return PlayerEntered(entry, _whole(record.get("bye_of", 0)))


def _withdrew(record: Mapping[str, Any], _: str) -> PlayerWithdrew:
    return PlayerWithdrew(_whole(record["player"], least=1))


def _drawn(record: Mapping[str, Any], _: str) -> MatchesDrawn:
    totals = {_text(key): _whole(value) for key, value in record["totals"].items()}
    gone = tuple(_whole(each, least=1) for each in record.get("gone", ()))
    return MatchesDrawn(_text(record["seed"]), tuple(map(_match, record["matches"])), totals, gone)


def _match(record: Mapping[str, Any]) -> TournamentMatch:
    number = _whole(record["match"], least=1)
    first, second = (MatchSource(SourceKind(kind), _whole(of)) for kind, of in record["of"])
    for each in (first, second):
        if each.kind in (SourceKind.WINNER, SourceKind.LOSER) and not 1 <= each.number < number:
            raise ValueError(f"match {number} comes from match {each.number}")
    decider = record.get("decider", False) is True
    if decider and not (
        first.kind is SourceKind.WINNER and second == MatchSource(SourceKind.LOSER, first.number)
    ):
        raise ValueError(f"match {number} decides nothing")
    if first == second and first != BYE:
        raise ValueError(f"in match {number} a player plays against themselves")
    return TournamentMatch(
        number,
        Bracket(record["bracket"]),
        _whole(record["round"], least=1),
        first=first,
        second=second,
        length=_whole(record["length"], least=1, most=LONGEST_MATCH),
        group=_whole(record.get("group", 0)),
        decider=decider,
    )


def _result(record: Mapping[str, Any], _: str) -> ResultReported:
    one, other = (_whole(each, least=1) for each in record["players"])
    points, others = (_whole(each) for each in record["score"])
    result = ReportedResult((one, other), (points, others), MatchEnding(record["ending"]))
    if (points == others) is not (result.ending is MatchEnding.DOUBLE_WALKOVER):
        raise ValueError(f"{points}-{others} has no winner")
    return ResultReported(_whole(record["match"], least=1), result, _text(record.get("journal", "")))


def _confirmed(record: Mapping[str, Any], _: str) -> ResultConfirmed:
    return ResultConfirmed(_whole(record["match"], least=1), _whole(record.get("player", 0)))


def _late(record: Mapping[str, Any], _: str) -> LatenessReported:
    one, other = (_whole(each, least=1) for each in record["players"])
    minutes, others = (_whole(each) for each in record["minutes"])
    return LatenessReported(_whole(record["match"], least=1), Lateness((one, other), (minutes, others)))


def _assigned(record: Mapping[str, Any], _: str) -> TableAssigned:
    command = _text(record.get("command", ""))
    return TableAssigned(_whole(record["match"], least=1), _text(record["table"]), command)


def _undone(record: Mapping[str, Any], _: str) -> EventsUndone:
    numbers: Sequence[Any] = record["events"]
    return EventsUndone(tuple(_whole(each, least=1) for each in numbers))


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any], str], TournamentEvent]]] = {
    "tournament": _begun,
    "enter": _entered,
    "withdraw": _withdrew,
    "draw": _drawn,
    "result": _result,
    "confirm": _confirmed,
    "late": _late,
    "assign": _assigned,
    "undo": _undone,
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    if len(value) > LONGEST:
        raise ValueError(f"a text of {len(value)} letters")
    return value


def _whole(value: object, least: int = 0, most: int = LARGEST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise TypeError(f"{value!r} is no whole number from {least} to {most}")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise TypeError(f"{value!r} is no number from 0 to {LARGEST}")
    return value
