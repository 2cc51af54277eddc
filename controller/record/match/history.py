"""A match as its events in a journal tell it: each entry with the event it stands in, corrections followed."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from controller.record.journal.journal import EventLog, JournalError, JournalEvent
from controller.record.journal.seal import SEAL
from controller.record.match.json_values import (
    READING_ERRORS,
    act_from,
    facts_from,
    note_from,
    result_from,
    text_value,
    turn_from,
)
from controller.record.match.match import (
    MONEY,
    PASSES,
    RULED,
    Act,
    Entry,
    Facts,
    GameRecord,
    MatchRecord,
    Note,
    RecordedResult,
    Turn,
)
from controller.record.match.moves_made import carry_out
from controller.rules import Position, Terms
from controller.rules.game.game import first_position
from controller.rules.game.match_record import terms_from_record
from controller.rules.moves.movement import STANDARD_FAMILY
from controller.rules.profile.profile import STANDARD

MATCH: Final = "match"
GAME: Final = "game"
TURN: Final = "turn"
ACT: Final = "act"
RESULT: Final = "result"
CORRECTION: Final = "correction"
EVIDENCE: Final = "evidence"
TABLE: Final = "table"
INPUT: Final = "input"
CLOCK: Final = "clock"
BEGUN: Final = "begun"
COMMAND: Final = "command"
"""What came from the club's hub, with who said it and the hub's signature; before the input that came of it."""
HUB_TIME: Final = "hub_time"
"""By how many seconds the hub's clock is ahead of the table's, which dates the entries."""
DEFECT: Final = "defect"
"""An error of the program that nobody foresaw, with its traceback; after the input in which it came."""
UNDONE: Final = "undone"
"""The note that a turn was taken back at the table, with all that came of it."""
OWN_KINDS: Final = frozenset(
    {
        MATCH,
        GAME,
        TURN,
        ACT,
        RESULT,
        CORRECTION,
        EVIDENCE,
        TABLE,
        INPUT,
        CLOCK,
        SEAL,
        BEGUN,
        COMMAND,
        HUB_TIME,
        DEFECT,
    }
)
"""Kinds of events the record uses itself; every other kind is a note."""


class CorrectionAction(StrEnum):
    """What a correction does."""

    UNDO = "undo"
    TURN = "turn"
    CUBE = "cube"
    SCORE = "score"
    RESULT = "result"
    VOID = "void"
    RULING = "ruling"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True)
class RecordedEntry:
    """An entry of a game.

    Attributes:
        event: the number of the event with which it came; that of a correction for what it put in.
        utc: when that event was written.
        entry: what happened, as it stands now.
        corrections: the numbers of the corrections that changed it.
    """

    event: int
    utc: str
    entry: Entry
    corrections: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameHistory:
    """One game; `event` is the number of the event that began it."""

    event: int
    start: Position
    light_score: int
    dark_score: int
    entries: tuple[RecordedEntry, ...] = ()
    result: RecordedResult | None = None

    def record(self) -> GameRecord:
        """The game without where it comes from."""
        entries = tuple(each.entry for each in self.entries)
        return GameRecord(entries, self.start, self.light_score, self.dark_score, self.result)


@dataclass(frozen=True, slots=True)
class Correction:
    """What the director put right.

    Attributes:
        event: the number of its event.
        utc: when it was written.
        action: what it does.
        by: who did it, empty if not said.
        why: the reason, empty if not said.
        payload: all that was written.
        revoked: the number of the correction that took it back, `None` if it stands.
    """

    event: int
    utc: str
    action: CorrectionAction
    by: str
    why: str
    payload: Mapping[str, Any]
    revoked: int | None


@dataclass(frozen=True, slots=True)
class MatchHistory:
    """A match with its corrections; `heading` is the match without its games."""

    name: str
    heading: MatchRecord
    games: tuple[GameHistory, ...]
    corrections: tuple[Correction, ...]

    def record(self) -> MatchRecord:
        """The match without where it comes from."""
        return replace(self.heading, games=tuple(game.record() for game in self.games))


def read_history(journal: EventLog, match: str, *, corrected: bool = True) -> MatchHistory:
    """A match as its events tell it; with `corrected` false as it was before any correction.

    Raises:
        JournalError: if there is no such match, or an event does not say what one of its kind must.
    """
    return history_of(tuple(journal.events(match, without=INPUT)), journal, match, corrected=corrected)


def history_of(
    events: tuple[JournalEvent, ...], journal: EventLog, match: str, *, corrected: bool = True
) -> MatchHistory:
    """The match that these events of a journal tell; see `read_history`."""
    corrections: list[Correction] = []
    for event, revoked in _with_revocations([event for event in events if event.kind == CORRECTION]):
        with _naming(journal, event):
            payload: Any = event.payload
            action = CorrectionAction(payload["action"])
            by, why = text_value(payload["by"]), text_value(payload["why"])
            corrections.append(
                Correction(event.id, event.utc, action, by=by, why=why, payload=payload, revoked=revoked)
            )
    standing = {each.event for each in corrections if each.revoked is None} if corrected else set()
    reading = _Reading()
    for event in events:
        if event.kind != CORRECTION or event.id in standing:
            with _naming(journal, event):
                reading.add(event)
    if reading.heading is None:
        raise unknown_match(journal, match)
    games = tuple(game for game in reading.games if game.event not in reading.void)
    return MatchHistory(match, reading.heading, games, tuple(corrections))


def unknown_match(journal: EventLog, match: str) -> JournalError:
    """Says that a journal holds no match of that name, and which it does hold."""
    known = ", ".join(journal.matches()) or "none"
    return JournalError(f"There is no match {match!r} in {journal.path}; it holds: {known}.")


@contextmanager
def _naming(journal: EventLog, event: JournalEvent) -> Iterator[None]:
    """Name the event if it does not say what one of its kind must."""
    try:
        yield
    except READING_ERRORS as error:
        raise JournalError(
            f"Event {event.id} of {journal.path} is not a {event.kind} that can be read ({error!r}); "
            "the journal was not written by Pointsman or was changed."
        ) from error


def _with_revocations(corrections: Iterable[JournalEvent]) -> Iterable[tuple[JournalEvent, int | None]]:
    """Each correction with the one that takes it back; a revocation that is revoked itself does nothing."""
    revoked: dict[int, int] = {}
    for event in reversed(list(corrections)):
        target = event.payload.get("revokes")
        if isinstance(target, int) and event.id not in revoked:
            revoked.setdefault(target, event.id)
    return [(event, revoked.get(event.id)) for event in corrections]


@dataclass(slots=True)
class _Reading:
    """A match as far as its events were read."""

    heading: MatchRecord | None = None
    games: list[GameHistory] = field(default_factory=list)
    """Those that are void, too."""
    void: set[int] = field(default_factory=set)
    """The events that began the games that are void."""

    def add(self, event: JournalEvent) -> None:
        payload: Any = event.payload
        if event.kind == MATCH:
            light, dark = text_value(payload["light"]), text_value(payload["dark"])
            self.heading = MatchRecord(light, dark, *_terms_and_facts(payload))
        elif event.kind == GAME:
            start = Position.from_compact(payload["start"])
            scores = _points(payload["light_score"]), _points(payload["dark_score"])
            self.games.append(GameHistory(event.id, start, *scores))
        elif event.kind == TURN:
            self._add(RecordedEntry(event.id, event.utc, self._as_played(turn_from(payload))))
        elif event.kind == ACT:
            self._add(RecordedEntry(event.id, event.utc, act_from(payload)))
        elif event.kind in (RULED, PASSES):
            self._add(RecordedEntry(event.id, event.utc, note_from(payload)))
        elif event.kind == RESULT:
            at = self._running
            self.games[at] = replace(self.games[at], result=result_from(payload))
        elif event.kind == UNDONE:
            self._undo(payload["ply"])
        elif event.kind == CORRECTION:
            self._correct(event, payload)

    def _as_played(self, turn: Turn) -> Turn:
        """A legal turn with the board that its play made.

        The table tells how the checkers lay, and somebody may have pushed one since: the player did not play that.
        """
        if not turn.legal or turn.play is None or self.heading is None:
            return turn
        rules = self.heading.profile(self._running if self.games else 0).movement
        if rules.variant not in STANDARD_FAMILY:
            return turn
        made = carry_out(turn.before, turn.player, turn.play, rules)
        return turn if made.refused else replace(turn, after=made.after)

    def _undo(self, ply: int) -> None:
        """Leave out a turn of the running game, and all that came of it."""
        at = self._running
        game = self.games[at]
        turns = (place for place, each in enumerate(game.entries) if _is_turn(each, ply))
        self.games[at] = replace(game, entries=game.entries[: next(turns, None)])

    def _add(self, entry: RecordedEntry) -> None:
        if not self.games and self.heading is not None:
            # Earlier versions began no game for what the director awarded before the first one.
            self.games.append(GameHistory(entry.event, first_position(self.heading.profile(0)), 0, 0))
        at = self._running
        self.games[at] = replace(self.games[at], entries=(*self.games[at].entries, entry))

    @property
    def _running(self) -> int:
        """The number of the game that is played: where the last one is void, the one before it if that is not over.

        A table that did not hear of it goes on with the void one.
        """
        last = len(self.games) - 1
        standing = (number for number in range(last, -1, -1) if self.games[number].event not in self.void)
        before = next(standing, last)
        return before if self.games[before].result is None else last

    def _correct(self, event: JournalEvent, payload: Any) -> None:
        """Follow a correction. What it is about may be gone by another one; then it has nothing to do."""
        action = CorrectionAction(payload["action"])
        number = {game.event: number for number, game in enumerate(self.games)}.get(payload.get("game"))
        if action is CorrectionAction.REVOKE or number is None:
            return
        game = self.games[number]
        if action is CorrectionAction.VOID:
            self.void.add(game.event)
        elif action is CorrectionAction.SCORE:
            light, dark = _points(payload["light"]), _points(payload["dark"])
            self.games[number] = replace(game, light_score=light, dark_score=dark)
        elif action is CorrectionAction.RESULT:
            result = payload["result"]
            self.games[number] = replace(game, result=None if result is None else result_from(result))
        else:
            self.games[number] = _STEPS[action](game, event, payload)


def _is_turn(entry: RecordedEntry, ply: int) -> bool:
    return isinstance(entry.entry, Turn) and entry.entry.ply == ply


def _undo(game: GameHistory, _: JournalEvent, payload: Any) -> GameHistory:
    place = _place(game, payload["from"])
    return game if place is None else replace(game, entries=game.entries[:place], result=None)


def _turn(game: GameHistory, event: JournalEvent, payload: Any) -> GameHistory:
    turn = turn_from(payload["turn"])
    return replace(
        game,
        entries=tuple(
            replace(each, entry=turn, corrections=(*each.corrections, event.id))
            if each.event == payload["of"] and isinstance(each.entry, Turn)
            else each
            for each in game.entries
        ),
    )


def _cube(game: GameHistory, event: JournalEvent, payload: Any) -> GameHistory:
    acts = tuple(RecordedEntry(event.id, event.utc, act_from(act), (event.id,)) for act in payload["acts"])
    gone = set(payload["replaces"])
    kept = [each for each in game.entries if not (each.event in gone and isinstance(each.entry, Act))]
    place = _place(replace(game, entries=tuple(kept)), payload["before"])
    place = len(kept) if place is None else place
    return replace(game, entries=(*kept[:place], *acts, *kept[place:]))


def _ruling(game: GameHistory, event: JournalEvent, payload: Any) -> GameHistory:
    if not isinstance(payload["text"], str):
        raise TypeError(f"{payload['text']!r} is no text")
    note = Note("ruling", None, None, {"text": payload["text"], "by": payload["by"]})
    place = _place(game, payload["of"])
    place = len(game.entries) if place is None else place + 1
    return replace(
        game,
        entries=(
            *game.entries[:place],
            RecordedEntry(event.id, event.utc, note, (event.id,)),
            *game.entries[place:],
        ),
    )


_STEPS: Final = {
    CorrectionAction.UNDO: _undo,
    CorrectionAction.TURN: _turn,
    CorrectionAction.CUBE: _cube,
    CorrectionAction.RULING: _ruling,
}


def _place(game: GameHistory, event: int | None) -> int | None:
    """Where in a game the entry of that event stands, `None` if nowhere."""
    return next((place for place, each in enumerate(game.entries) if each.event == event), None)


def _points(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{value!r} is no score")
    return value


def _terms_and_facts(payload: Any) -> tuple[Terms, tuple[GameRecord, ...], Facts, tuple[str, ...]]:
    """What was agreed, and what was remarked. The first journals knew only the length and the day."""
    if "terms" in payload:
        remarks = tuple(map(str, payload.get("remarks", ())))
        return terms_from_record(payload["terms"]), (), facts_from(payload["facts"]), remarks
    length, day = payload["length"], payload["played_on"]
    return Terms.match(STANDARD, length) if length else MONEY, (), facts_from({"played_on": day}), ()
