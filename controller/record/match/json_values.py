"""Entries, facts and results of a match as plain values for JSON, read back without loss; lines of `events.jsonl`.

The reading functions raise one of `READING_ERRORS` for values that no writing function made; whoever calls them
says which file and which entry it was.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from controller.errors import UserError
from controller.messages.game_words import offence_words, reason_words
from controller.record.journal.journal import Json, JsonObject
from controller.record.match.match import Act, Facts, Note, NoteValue, RecordedResult, Turn
from controller.rules import Ending, Move, Position, Reason, ReasonCode, Roll, Side
from controller.rules.game.match_record import event_from_record, event_record
from controller.rules.notation import BAR, OFF
from controller.rules.reasons import Argument

READING_ERRORS: Final = (KeyError, TypeError, ValueError, IndexError, AttributeError, UserError)
"""What reading functions raise for values that were not written here."""


def event_line(entry: Turn | Note) -> str:
    """One line of `events.jsonl` without its end: see `turn_object` and `note_object`."""
    content = turn_object(entry) if isinstance(entry, Turn) else note_object(entry)
    return json.dumps(content, ensure_ascii=False)


def turn_object(turn: Turn) -> dict[str, Json]:
    """A turn as plain values.

    `ply` from 0, `player`, `dice` (the larger first), `move` in standard notation, `legal`, `reasons`,
    `position` after it (compact), `frame`, `t` in seconds (null where no clock ran);
    `stands` only where an illegal play was left standing, `probability` only where it is known. `legal` is null where
    nobody has confirmed the turn; its `move` is then the likeliest, or null.
    """
    content: dict[str, Json] = {
        "ply": turn.ply,
        "player": str(turn.player),
        "dice": [*turn.roll.dice],
        "move": (turn.text or None) if turn.legal is None else turn.text,
        "legal": turn.legal,
        "reasons": [reason_object(reason) for reason in turn.reasons],
        "position": turn.after.compact(),
        "frame": turn.frame,
        "t": _round(turn.t),
    }
    if turn.stands:
        content["stands"] = True
    if turn.probability is not None:
        content["probability"] = turn.probability
    return content


def note_object(note: Note) -> dict[str, Json]:
    """A note as plain values: `kind`, `frame`, `t` and its own arguments."""
    return {"kind": note.kind, "frame": note.frame, "t": _round(note.t), **_json_arguments(note.arguments)}


def reason_object(reason: Reason) -> dict[str, Json]:
    """A reason as plain values: `code`, `text` (English) and its own arguments."""
    return {"code": str(reason.code), "text": reason_words(reason), **_json_arguments(reason.arguments)}


def reasons_text(reasons: Iterable[Reason]) -> str:
    """The sentences of reasons in English, each of them once."""
    return " ".join(offence_words(tuple(reasons)))


def turn_record(turn: Turn) -> dict[str, Json]:
    """A turn with the names of `turn_object`, and the position before it and the single moves as well.

    `moves` holds `[source, target, hit]` from the mover's side, or is null where it is no play of the roll;
    `t` is not rounded; `utc` stands only where it is known.
    """
    moves: Json = None
    if turn.play is not None:
        moves = [[move.source, move.target, move.hit] for move in turn.play]
    more: dict[str, Json] = {"before": turn.before.compact(), "moves": moves, "t": turn.t}
    return turn_object(turn) | more | _drop_none(utc=turn.utc)


def turn_from(record: JsonObject) -> Turn:
    """The turn that `turn_record` wrote."""
    moves = record["moves"]
    return Turn(
        ply=whole_value(record["ply"]),
        player=Side(record["player"]),
        roll=Roll.from_dice(*record["dice"]),
        play=None if moves is None else tuple(_move(*move) for move in moves),
        text="" if record["move"] is None else text_value(record["move"]),
        legal=None if record["legal"] is None else _truth(record["legal"]),
        reasons=tuple(_reason(**reason) for reason in record["reasons"]),
        stands=_truth(record.get("stands", False)),
        before=Position.seen_compact(record["before"]),
        after=Position.seen_compact(record["position"]),
        frame=None if record["frame"] is None else whole_value(record["frame"]),
        t=_seconds(record["t"]),
        utc=_text_or_none(record.get("utc")),
        probability=_seconds(record.get("probability")),
    )


def act_record(act: Act) -> dict[str, Json]:
    """An act as `controller.rules.game.match_record.event_record` writes its event, with `t` and `utc` if known."""
    return {**event_record(act.event), **_drop_none(t=act.t, utc=act.utc)}


def act_from(record: JsonObject) -> Act:
    """The act that `act_record` wrote."""
    event = {name: value for name, value in record.items() if name not in ("t", "utc")}
    return Act(event_from_record(event), _seconds(record.get("t")), _text_or_none(record.get("utc")))


def note_from(record: JsonObject) -> Note:
    """The note that `note_object` wrote, its time to the millisecond."""
    arguments = {name: value for name, value in record.items() if name not in ("kind", "frame", "t")}
    frame = None if record["frame"] is None else whole_value(record["frame"])
    return Note(text_value(record["kind"]), frame, _seconds(record["t"]), arguments)


def note_record(note: Note) -> dict[str, Json]:
    """A note as in `note_object`, its time not rounded."""
    return note_object(note) | {"t": note.t}


def result_record(result: RecordedResult) -> dict[str, Json]:
    """`winner`, `points`, `ending` (null if not known) and `working`."""
    ending = None if result.ending is None else str(result.ending)
    return {
        "winner": str(result.winner),
        "points": result.points,
        "ending": ending,
        "working": result.working,
    }


def result_from(record: JsonObject) -> RecordedResult:
    """The result that `result_record` wrote; `ending` and `working` may be missing."""
    ending = record.get("ending")
    return RecordedResult(
        Side(record["winner"]),
        whole_value(record["points"]),
        None if ending is None else Ending(ending),
        text_value(record.get("working", "")),
    )


def facts_record(facts: Facts) -> dict[str, Json]:
    """Only what is known; the day as `2026-11-21`."""
    day = facts.played_on.isoformat() if facts.played_on else ""
    return {name: value for name, value in (asdict(facts) | {"played_on": day}).items() if value}


def facts_from(record: JsonObject) -> Facts:
    """The facts that `facts_record` wrote."""
    day = record.get("played_on")
    texts: dict[str, Any] = {name: text_value(value) for name, value in record.items() if name != "played_on"}
    return Facts(played_on=date.fromisoformat(day) if day else None, **texts)


def _drop_none(**values: Json) -> dict[str, Json]:
    return {name: value for name, value in values.items() if value is not None}


def _reason(code: str, text: str, **arguments: Any) -> Reason:
    """A reason that can be put into words."""
    del text
    reason = Reason(ReasonCode(code), arguments)
    reason_words(reason)
    return reason


def _move(source: object, target: object, hit: object) -> Move:
    move = Move(whole_value(source), whole_value(target), _truth(hit))
    if not (OFF <= move.target < BAR and OFF < move.source <= BAR) or (move.hit and move.target == OFF):
        raise ValueError(f"no checker moves from {move.source} to {move.target}")
    return move


def whole_value(value: object) -> int:
    """A whole number as it is. Raises TypeError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is not true or false")
    return value


def text_value(value: object) -> str:
    """A text as it is. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else text_value(value)


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number of seconds")
    return float(value)


def _round(t: float | None) -> float | None:
    return None if t is None else round(t, 3)


def _json_arguments(arguments: Mapping[str, Argument] | Mapping[str, NoteValue]) -> dict[str, Json]:
    copied: dict[str, Json] = json.loads(json.dumps(dict(arguments)))
    return copied
