"""A match in the journal: its events written as they happen, and the match read back from them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from controller.errors import UserError
from controller.record.events import Json, note_object, turn_object
from controller.record.journal import Event, EventLog, JournalError
from controller.record.transcript import GameRecord, MatchRecord, Note, RecordError, Result, Turn
from controller.rules.notation import Move
from controller.rules.position import Position, Side
from controller.rules.reasons import Reason, ReasonCode
from controller.rules.roll import Roll

MATCH: Final = "match"
GAME: Final = "game"
TURN: Final = "turn"
RESULT: Final = "result"
OWN_KINDS: Final = frozenset({MATCH, GAME, TURN, RESULT})
"""Kinds of events that make up a match; every other kind is a note."""


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

    def begin_match(self, light: str, dark: str, length: int, played_on: date | None) -> Event:
        """The players and the length (0 for a money session)."""
        day = played_on.isoformat() if played_on else None
        return self._append(MATCH, {"light": light, "dark": dark, "length": length, "played_on": day})

    def begin_game(self, start: Position, light_score: int = 0, dark_score: int = 0) -> Event:
        """A new game from a position, with the score before it."""
        return self._append(
            GAME, {"start": start.compact(), "light_score": light_score, "dark_score": dark_score}
        )

    def add(self, entry: Turn | Note) -> Event:
        """A turn or a note of the game that was begun last.

        Raises:
            RecordError: if a note bears the name of one of the match's own events.
        """
        if isinstance(entry, Turn):
            moves: Json = None if entry.play is None else [_plain_move(move) for move in entry.play]
            more: dict[str, Json] = {"before": entry.before.compact(), "moves": moves, "t": entry.t}
            return self._append(TURN, turn_object(entry) | more, entry.t)
        if entry.kind in OWN_KINDS:
            raise RecordError(f"A note cannot be called {entry.kind!r}; the record uses that word itself.")
        return self._append(entry.kind, note_object(entry), entry.t)

    def end_game(self, result: Result) -> Event:
        """How the game that was begun last ended."""
        return self._append(RESULT, {"winner": str(result.winner), "points": result.points})

    def _append(self, kind: str, payload: dict[str, Json], t: float | None = None) -> Event:
        return self.journal.append(self.match, kind, payload, utc=self.clock(), t=t)


def read_match(journal: EventLog, match: str) -> MatchRecord:
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
            day = payload["played_on"]
            self.match = MatchRecord(
                payload["light"], payload["dark"], payload["length"], day and date.fromisoformat(day), ()
            )
        elif event.kind == GAME:
            start = Position.from_compact(payload["start"])
            self.games.append(GameRecord((), start, payload["light_score"], payload["dark_score"]))
        elif event.kind == TURN:
            self._change_game(turns=(*self.games[-1].turns, turn_of(event)))
        elif event.kind == RESULT:
            self._change_game(result=Result(Side(payload["winner"]), payload["points"]))

    def _change_game(self, **changes: Any) -> None:
        self.games[-1] = replace(self.games[-1], **changes)


def turn_of(event: Event) -> Turn:
    """The turn that an event of that kind holds.

    Raises:
        KeyError, TypeError, ValueError, UserError: if it does not hold one.
    """
    payload: Any = event.payload
    moves = payload["moves"]
    return Turn(
        ply=payload["ply"],
        player=Side(payload["player"]),
        roll=Roll.of(*payload["dice"]),
        play=None if moves is None else tuple(Move(*move) for move in moves),
        text=payload["move"],
        legal=payload["legal"],
        reasons=tuple(_reason(**reason) for reason in payload["reasons"]),
        stands=payload.get("stands", False),
        before=Position.seen_compact(payload["before"]),
        after=Position.seen_compact(payload["position"]),
        frame=payload["frame"],
        t=payload["t"],
    )


def _reason(code: str, text: str, **arguments: Any) -> Reason:
    del text
    return Reason(ReasonCode(code), arguments)


def _plain_move(move: Move) -> Json:
    return [move.source, move.target, move.hit]
