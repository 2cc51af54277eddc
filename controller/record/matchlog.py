"""A match in the journal: its events written as they happen, and the match read back from them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from controller.errors import UserError
from controller.record.entries import Act, Entry, RecordError, Turn
from controller.record.events import Json, note_object
from controller.record.journal import Event, Journal, JournalError
from controller.record.plain import (
    act_from,
    act_record,
    facts_from,
    facts_record,
    result_from,
    result_record,
    turn_from,
    turn_record,
)
from controller.record.transcript import Facts, GameRecord, MatchRecord, Result
from controller.rules.match import Terms
from controller.rules.match_record import terms_from_record, terms_record
from controller.rules.position import Position

MATCH: Final = "match"
GAME: Final = "game"
TURN: Final = "turn"
ACT: Final = "act"
RESULT: Final = "result"
OWN_KINDS: Final = frozenset({MATCH, GAME, TURN, ACT, RESULT})
"""Kinds of events that make up a match; every other kind is a note."""


@dataclass(frozen=True, slots=True)
class MatchLog:
    """Writes one match into a journal; each call is on the disk when it returns.

    Attributes:
        journal: where it goes.
        match: the match's name in the journal, different from every other one there.
        clock: gives the time in UTC, ISO 8601.
    """

    journal: Journal
    match: str
    clock: Callable[[], str]

    def begin_match(self, light: str, dark: str, terms: Terms, facts: Facts) -> Event:
        """The players, what they agreed, when and where it is. The rules are written out in full."""
        payload: dict[str, Json] = {"light": light, "dark": dark, "facts": facts_record(facts)}
        return self._append(MATCH, payload | {"terms": terms_record(terms)})

    def begin_game(self, start: Position, light_score: int = 0, dark_score: int = 0) -> Event:
        """A new game from a position, with the score before it."""
        return self._append(
            GAME, {"start": start.compact(), "light_score": light_score, "dark_score": dark_score}
        )

    def add(self, entry: Entry) -> Event:
        """A turn, an act or a note of the game that was begun last.

        Raises:
            RecordError: if a note bears the name of one of the match's own events.
        """
        if isinstance(entry, Turn):
            return self._append(TURN, turn_record(entry), entry.t)
        if isinstance(entry, Act):
            return self._append(ACT, act_record(entry), entry.t)
        if entry.kind in OWN_KINDS:
            raise RecordError(f"A note cannot be called {entry.kind!r}; the record uses that word itself.")
        return self._append(entry.kind, note_object(entry), entry.t)

    def end_game(self, result: Result) -> Event:
        """How the game that was begun last ended."""
        return self._append(RESULT, result_record(result))

    def _append(self, kind: str, payload: dict[str, Json], t: float | None = None) -> Event:
        return self.journal.append(self.match, kind, payload, utc=self.clock(), t=t)


def read_match(journal: Journal, match: str) -> MatchRecord:
    """A match as its events in the journal tell it; a game without a result was broken off.

    Raises:
        JournalError: if there is no such match, or an event does not say what one of its kind must.
    """
    reading = _Reading()
    for event in journal.events(match):
        try:
            reading.take(event)
        except (KeyError, TypeError, ValueError, IndexError, UserError) as error:
            raise JournalError(
                f"Event {event.id} of {journal.path} is not a {event.kind} that can be read ({error!r}); "
                "the journal was not written by Pointsman or was changed."
            ) from error
    if reading.match is None:
        known = ", ".join(journal.matches()) or "none"
        raise JournalError(f"There is no match {match!r} in {journal.path}; it holds: {known}.")
    return replace(reading.match, games=tuple(reading.games))


@dataclass(slots=True)
class _Reading:
    """What the events so far have told."""

    match: MatchRecord | None = None
    games: list[GameRecord] = field(default_factory=list)

    def take(self, event: Event) -> None:
        payload: Any = event.payload
        if event.kind == MATCH:
            terms, facts = terms_from_record(payload["terms"]), facts_from(payload["facts"])
            self.match = MatchRecord(payload["light"], payload["dark"], terms, (), facts)
        elif event.kind == GAME:
            start = Position.from_compact(payload["start"])
            self.games.append(GameRecord((), start, payload["light_score"], payload["dark_score"]))
        elif event.kind == TURN:
            self._add(turn_from(payload))
        elif event.kind == ACT:
            self._add(act_from(payload))
        elif event.kind == RESULT:
            self._change_game(result=result_from(payload))

    def _add(self, entry: Entry) -> None:
        self._change_game(entries=(*self.games[-1].entries, entry))

    def _change_game(self, **changes: Any) -> None:
        self.games[-1] = replace(self.games[-1], **changes)
