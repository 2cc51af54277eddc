"""A match in the journal: its events written as they happen, and the match read back from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from controller.record.journal.journal import Draft, EventLog, JournalEvent, Json
from controller.record.match.history import ACT, EVIDENCE, GAME, MATCH, OWN_KINDS, RESULT, TURN, read_history
from controller.record.match.json_values import (
    act_record,
    facts_record,
    note_object,
    result_record,
    turn_record,
)
from controller.record.match.match import Act, Entry, Facts, MatchRecord, RecordedResult, RecordError, Turn
from controller.rules import Position, Terms
from controller.rules.game.match_record import terms_record

Content = tuple[str, Mapping[str, Json], float | None]
"""What is said in an event: its kind, payload and time."""


def game_content(start: Position, light_score: int, dark_score: int) -> Content:
    """A game begins."""
    return GAME, {"start": start.compact(), "light_score": light_score, "dark_score": dark_score}, None


def entry_content(entry: Entry) -> Content:
    """A turn, an act or a note.

    Raises:
        RecordError: if a note bears the name of one of the match's own events.
    """
    if isinstance(entry, Turn):
        return TURN, turn_record(entry), entry.t
    if isinstance(entry, Act):
        return ACT, act_record(entry), entry.t
    if entry.kind in OWN_KINDS:
        raise RecordError(f"A note cannot be called {entry.kind!r}; the record uses that word itself.")
    return entry.kind, note_object(entry), entry.t


def result_content(result: RecordedResult) -> Content:
    """A game is over."""
    return RESULT, result_record(result), None


@dataclass(frozen=True, slots=True)
class MatchLog:
    """Writes one match into a journal; each call is on the disk when it returns.

    Attributes:
        journal: where it goes.
        match: the match's name in the journal, different from every other one there.
        clock: gives the time in UTC, ISO 8601.
    """

    journal: EventLog
    match: str
    clock: Callable[[], str]

    def begin_match(
        self, light: str, dark: str, terms: Terms, facts: Facts, remarks: tuple[str, ...] = ()
    ) -> JournalEvent:
        """The players, what they agreed, when and where it is. The rules are written out in full.

        ``remarks`` are those that came with a match from a file.
        """
        payload: dict[str, Json] = {"light": light, "dark": dark, "facts": facts_record(facts)}
        payload["terms"] = terms_record(terms)
        if remarks:
            payload["remarks"] = list(remarks)
        return self.append(self.draft(MATCH, payload))[0]

    def write(self, record: MatchRecord) -> None:
        """A whole match that was recorded elsewhere."""
        self.begin_match(record.light, record.dark, record.terms, record.facts, record.remarks)
        for game in record.games:
            self.begin_game(game.start, game.light_score, game.dark_score)
            for entry in game.entries:
                self.add(entry)
            if game.result is not None:
                self.end_game(game.result)

    def begin_game(self, start: Position, light_score: int = 0, dark_score: int = 0) -> JournalEvent:
        """A new game from a position, with the score before it."""
        return self.append(self.draft(*game_content(start, light_score, dark_score)))[0]

    def add(self, entry: Entry) -> JournalEvent:
        """A turn, an act or a note of the game that was begun last.

        Raises:
            RecordError: if a note bears the name of one of the match's own events.
        """
        return self.append(self.draft(*entry_content(entry)))[0]

    def end_game(self, result: RecordedResult) -> JournalEvent:
        """How the game that was begun last ended."""
        return self.append(self.draft(*result_content(result)))[0]

    def add_pictures(self, event: JournalEvent, pictures: list[Json]) -> JournalEvent:
        """The pictures that show the turn or the doubt of an event; see `PictureRecorder.keep`."""
        return self.append(self.draft(EVIDENCE, {"of": event.id, "pictures": pictures}))[0]

    def append(self, *drafts: Draft) -> tuple[JournalEvent, ...]:
        """Events that belong together, all of them or none."""
        return self.journal.append_all(drafts)

    def draft(self, kind: str, payload: Mapping[str, Json], t: float | None = None) -> Draft:
        """An event of this match that is not written yet."""
        return Draft(self.match, kind, payload, self.clock(), t)


def read_match(journal: EventLog, match: str, *, corrected: bool = True) -> MatchRecord:
    """A match as its events in the journal tell it; a game without a result was broken off.

    Corrections are followed, unless `corrected` is false: then it is what was recorded in the first place.

    Raises:
        JournalError: if there is no such match, or an event does not say what one of its kind must.
    """
    return read_history(journal, match, corrected=corrected).record()
