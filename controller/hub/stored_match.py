"""A match as the hub has stored it: who played, whether it is over and how."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.hub.hall import Hall, StoredEvent
from controller.record.journal.journal import Draft, EventLog, JournalError, JournalEvent
from controller.record.match.history import INPUT
from controller.record.match.match_log import read_match
from controller.record.match.playthrough import moments
from controller.rules import Side

PAGE: Final = 1000
"""Entries that are asked for at once."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match that is over.

    Attributes:
        names: the players, as the table was told them.
        length: points that win it.
        event: the tournament that the table was told.
        begun: the points of both at its beginning.
        winner: who won it.
        score: the points of both at its end.
    """

    names: Mapping[Side, str]
    length: int
    event: str
    begun: Mapping[Side, int]
    winner: Side
    score: Mapping[Side, int]


def stored_match(stored: Sequence[StoredEvent]) -> StoredMatch | None:
    """The match of a journal, None while it is not over, is no match to a length, or cannot be read."""
    log = StoredJournal(stored, Path(stored[0].journal if stored else ""))
    if not log.matches():
        return None
    try:
        record = read_match(log, log.matches()[0])
        played = None
        for moment in moments(record):
            played = moment.match
    except JournalError:
        return None
    if played is None or played.winner is None or record.terms.length is None:
        return None
    first = record.games[0]
    return StoredMatch(
        {side: record.name(side) for side in Side},
        record.length,
        record.facts.event,
        {Side.LIGHT: first.light_score, Side.DARK: first.dark_score},
        played.winner,
        {side: played.score.of(side) for side in Side},
    )


def journal_events(hall: Hall, table: str, journal: str) -> list[StoredEvent]:
    """All stored entries of a journal."""
    found: list[StoredEvent] = []
    while part := hall.events(table, after=found[-1].number if found else 0, journal=journal, most=PAGE):
        found += part
    return found


class StoredJournal(EventLog):
    """The entries of one journal in the hub's store, to be read as a journal is."""

    def __init__(self, stored: Sequence[StoredEvent], path: Path) -> None:
        """``path`` is what complaints call it."""
        self.path = path
        self._stored = stored

    def append_all(self, drafts: Iterable[Draft]) -> tuple[JournalEvent, ...]:
        """See `EventLog`; the store takes entries from its table only."""
        raise JournalError(
            f"{self.path} takes no {len([*drafts])} entries; it is stored at the hub, and only its table adds to it."
        )

    def events(
        self, match: str | None = None, *, after: int = 0, without: str = ""
    ) -> Iterator[JournalEvent]:
        """See `EventLog`."""
        for each in self._stored:
            number, of, utc, t, kind, payload, chain = each.row
            if number > after and match in (None, of) and kind != without:
                told = {} if kind == INPUT else json.loads(payload)
                yield JournalEvent(number, of, utc, t, kind, told, chain)

    def matches(self) -> tuple[str, ...]:
        """See `EventLog`."""
        return tuple(dict.fromkeys(each.row[1] for each in self._stored))

    def fold(self) -> None:
        """See `EventLog`; there is no file to fold into."""
        return
