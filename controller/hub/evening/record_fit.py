"""Whether a table's record is the result of a match of the tournament; and if it is not, what it is.

A result counts where it was played as the hub wanted it: the record names the command that began the match, and that
command was given for a match of this tournament, after its draw, to the very table that sends the record. Names and
length alone say nothing: the same two meet again next week, and play for themselves beside the event.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from controller.hub.evening.notice import NoticeKind
from controller.hub.stored_match import StoredMatch
from controller.rules import Side
from controller.tournament.changes import Report
from controller.tournament.entry import same
from controller.tournament.tournament import DrawnMatch, Tournament, playable


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a record is no result.

    Attributes:
        kind: what it is instead.
        arguments: of the notice to the director, besides the table, the players and the score.
    """

    kind: NoticeKind
    arguments: Mapping[str, str] = field(default_factory=dict)


def fit_record(
    tournament: Tournament, table: str, journal: str, stored: StoredMatch, ended_before: Callable[[int], bool]
) -> Report | Misfit | None:
    """The result that a record brings, or why it brings none; None if its match has this very result already.

    Args:
        tournament: as it stands.
        table: which one sends the record.
        journal: the name of the record.
        stored: what it says.
        ended_before: whether what is stored had ended when a match was drawn, or for 0 when the tournament began.
    """
    if stored.command not in tournament.commands or stored.event != tournament.name:
        return _foreign(tournament, stored, ended_before)
    number, sent_to = tournament.commands[stored.command]
    state, match = tournament.states()[number], {"match": str(number)}
    if table != sent_to or tournament.tables.get(number) != table:
        return Misfit(NoticeKind.OTHER_TABLE, match)
    if _players(tournament, state) != {same(each) for each in stored.names.values()}:
        return Misfit(NoticeKind.NOT_PAIRED)
    score = seated_score(tournament, state, stored)
    if state.result is not None:
        agrees = state.result == replace(state.result, score=score)
        return None if agrees else Misfit(NoticeKind.HAS_RESULT, match)
    if state.match.length != stored.length:
        return Misfit(NoticeKind.OTHER_LENGTH, {**match, "length": str(state.match.length)})
    start, begun = tournament.start(state), _seated(tournament, state, stored, stored.begun)
    if any(start) and begun != start:
        return Misfit(NoticeKind.HEAD_START, {**match, "start": _dashed(start), "begun": _dashed(begun)})
    return Report(number, score, journal=journal)


def seated_score(tournament: Tournament, state: DrawnMatch, stored: StoredMatch) -> tuple[int, int]:
    """The points in the order of the match's seats; whoever won without them has the full length."""
    return _seated(tournament, state, stored, {side: _points(stored, side) for side in Side})


def _foreign(tournament: Tournament, stored: StoredMatch, ended_before: Callable[[int], bool]) -> Misfit:
    """What a record is that no command of this tournament began."""
    paired = _paired(tournament, stored)
    if ended_before(0 if paired is None else paired.match.number):
        return Misfit(NoticeKind.EARLIER)
    if stored.event and stored.event != tournament.name:
        return Misfit(NoticeKind.OTHER_EVENT, {"event": stored.event})
    if paired is None:
        return Misfit(NoticeKind.NOT_PAIRED)
    return Misfit(NoticeKind.NOT_SENT, {"match": str(paired.match.number)})


def _paired(tournament: Tournament, stored: StoredMatch) -> DrawnMatch | None:
    """The open match of these two players."""
    wanted = {same(each) for each in stored.names.values()}
    found = (each for each in playable(tournament.states()) if _players(tournament, each) == wanted)
    return next(found, None)


def _players(tournament: Tournament, state: DrawnMatch) -> set[str]:
    return {same(tournament.entries[each].name) for each in state.players}


def _seated(
    tournament: Tournament, state: DrawnMatch, stored: StoredMatch, points: Mapping[Side, int]
) -> tuple[int, int]:
    """Points of both sides in the order of the match's seats."""
    first = state.seats[0]
    name = same(tournament.entries[first].name) if first else ""
    light, dark = points[Side.LIGHT], points[Side.DARK]
    return (light, dark) if same(stored.names[Side.LIGHT]) == name else (dark, light)


def _points(stored: StoredMatch, side: Side) -> int:
    points = stored.score[side]
    return max(points, stored.length) if side is stored.winner else min(points, stored.length - 1)


def _dashed(score: tuple[int, int]) -> str:
    return "-".join(map(str, score))
