"""A match as the hub has stored it: who played, whether it is over and how."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.club.commands import START_MATCH
from controller.hub.hall import Hall, StoredEvent
from controller.json_object import parse_object
from controller.record.journal.journal import Draft, EventLog, JournalError, JournalEvent, Json
from controller.record.match.history import ACT, COMMAND, INPUT, RESULT, TURN
from controller.record.match.match_log import read_match
from controller.record.match.playthrough import moments
from controller.rules import Side

PAGE: Final = 1000
"""Entries that are asked for at once."""
PLAYED: Final = frozenset({TURN, ACT, RESULT})
"""The entries of which a match consists; one that was given up has no result of its own."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match that is over.

    Attributes:
        names: the players, as they were named to the table.
        length: points that win it.
        event: the tournament that was named to the table.
        begun: the points of both at its beginning.
        winner: who won it.
        score: the points of both at its end.
        command: the name of the command by which a hub had the table begin it, see `start_command`.
        ended_ms: when the hub stored the last that was played of it, milliseconds since 1970; what was signed or
            corrected later counts for nothing.
        ended: the number of the entry that this is, see `StoredEvent`.
    """

    names: Mapping[Side, str]
    length: int
    event: str
    begun: Mapping[Side, int]
    winner: Side
    score: Mapping[Side, int]
    command: str = ""
    ended_ms: int = 0
    ended: int = 0


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
    last = [each for each in stored if each.row[4] in PLAYED]
    return StoredMatch(
        {side: record.name(side) for side in Side},
        record.length,
        record.facts.event,
        begun={Side.LIGHT: first.light_score, Side.DARK: first.dark_score},
        winner=played.winner,
        score={side: played.score.points(side) for side in Side},
        command=start_command(stored),
        ended_ms=max((each.stored_ms for each in last), default=0),
        ended=max((each.number for each in last), default=0),
    )


def start_command(stored: Sequence[StoredEvent]) -> str:
    """The name of the command by which a hub had the table begin a match; empty for a match that no hub began."""
    for each in stored:
        if each.row[4] == COMMAND:
            with suppress(JournalError):
                told = payload_of(each)
                body = told.get("body")
                if isinstance(body, dict) and body.get("what") == START_MATCH:
                    return str(told.get("id", ""))
    return ""


def payload_of(stored: StoredEvent) -> dict[str, Json]:
    """What an entry says. Its table vouches for the text, and for nothing in it; raises JournalError."""
    try:
        return parse_object(stored.row[5])
    except ValueError:
        raise JournalError(
            f"Entry {stored.number} of the journal {stored.journal} says nothing that can be read; look at its table."
        ) from None


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
            number, of, utc, t, kind, _, chain = each.row
            if number > after and match in (None, of) and kind != without:
                told = {} if kind == INPUT else payload_of(each)
                yield JournalEvent(number, of, utc, t=t, kind=kind, payload=told, chain=chain)

    def matches(self) -> tuple[str, ...]:
        """See `EventLog`."""
        return tuple(dict.fromkeys(each.row[1] for each in self._stored))

    def fold(self) -> None:
        """See `EventLog`; there is no file to fold into."""
        return
