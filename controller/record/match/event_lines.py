"""The lines of `events.jsonl`: one JSON object per finished turn, and one per note between them."""

import json
from collections.abc import Mapping

from controller.messages.game_words import reason_words
from controller.record.journal.payload import Json
from controller.record.match.entries import Note, Turn
from controller.rules.reasons import Argument, Reason


def event_line(entry: Turn | Note) -> str:
    """One line of `events.jsonl` without its end: see `turn_object` and `note_object`."""
    content = turn_object(entry) if isinstance(entry, Turn) else note_object(entry)
    return json.dumps(content, ensure_ascii=False)


def turn_object(turn: Turn) -> dict[str, Json]:
    """A turn as plain values.

    `ply` from 0, `player`, `dice` (the larger first), `move` in standard notation, `legal`, `reasons`,
    `position` after it (compact), `frame`, `t` in seconds (null where no clock ran);
    `stands` only where an illegal play was left standing.
    """
    content: dict[str, Json] = {
        "ply": turn.ply,
        "player": str(turn.player),
        "dice": [*turn.roll.dice],
        "move": turn.text,
        "legal": turn.legal,
        "reasons": [reason_object(reason) for reason in turn.reasons],
        "position": turn.after.compact(),
        "frame": turn.frame,
        "t": _rounded(turn.t),
    }
    if turn.stands:
        content["stands"] = True
    return content


def note_object(note: Note) -> dict[str, Json]:
    """A note as plain values: `kind`, `frame`, `t` and its own arguments."""
    return {"kind": note.kind, "frame": note.frame, "t": _rounded(note.t), **_plain(note.arguments)}


def reason_object(reason: Reason) -> dict[str, Json]:
    """A reason as plain values: `code`, `text` (English) and its own arguments."""
    return {"code": str(reason.code), "text": reason_words(reason), **_plain(reason.arguments)}


def _rounded(t: float | None) -> float | None:
    return None if t is None else round(t, 3)


def _plain(arguments: Mapping[str, Argument] | Mapping[str, Argument | float]) -> dict[str, Json]:
    copied: dict[str, Json] = json.loads(json.dumps(dict(arguments)))
    return copied
