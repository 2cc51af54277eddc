"""What a table shows of the match that is played at it."""

from collections.abc import Mapping
from typing import Final

from controller.hub.hall import TableFault, TableShown
from controller.record.journal.journal import Json
from controller.referee import Phase
from controller.tournament.entry import same
from controller.tournament.tournament import Tournament

FREE_ROOMS: Final = frozenset({"ready", "over"})
OUT_OF_USE: Final = frozenset(
    {TableFault.SILENT, TableFault.NOT_ACCEPTED, TableFault.TWO_TABLES, TableFault.OTHER_CHAIN}
)


def is_free(table: TableShown) -> bool:
    """Whether a match can be sent to a table: it is there, and between two matches."""
    state = table.desk or table.screen or {}
    out = any(each.fault in OUT_OF_USE for each in table.faults)
    return table.up and not out and state.get("room") in FREE_ROOMS


def shown_match(table: TableShown) -> Mapping[str, Json]:
    """The match that a table shows, empty if none."""
    match = (table.desk or table.screen or {}).get("match")
    return match if isinstance(match, dict) else {}


def shown_score(table: TableShown) -> tuple[Json, Json]:
    """Light's and dark's points as a table shows them."""
    score = shown_match(table).get("score")
    return (score.get("light"), score.get("dark")) if isinstance(score, dict) else (None, None)


def has_game(table: TableShown) -> bool:
    """Whether the checkers of a game have been seen as they should stand."""
    state = table.desk or table.screen or {}
    return state.get("phase") not in (None, str(Phase.SET_UP))


def is_between(table: TableShown) -> bool:
    """Whether a table plays nothing now: then the match of its journal is over, or was broken off."""
    state = table.desk or table.screen or {}
    over = shown_match(table).get("winner") is not None
    return over or (bool(state) and state.get("room") != "playing")


def plays(table: TableShown, tournament: Tournament, number: int) -> bool:
    """Whether a table plays just this match, and not one that the same two have for themselves, or had last week."""
    match = shown_match(table)
    if not match or number not in tournament.matches:
        return False
    if match.get("winner") is not None or match.get("event") != tournament.name:
        return False
    names = {same(tournament.entries[each].name) for each in tournament.states()[number].players}
    return {same(str(match.get("light", ""))), same(str(match.get("dark", "")))} == names
