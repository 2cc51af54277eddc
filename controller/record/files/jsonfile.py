"""A match as JSON of our own: everything the record holds, described in `hardware_docs/match_files.md`."""

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from controller.record.files.match_text import MatchFileError
from controller.record.journal.journal import Json, JsonObject
from controller.record.match.json_values import (
    READING_ERRORS,
    act_from,
    act_record,
    facts_from,
    facts_record,
    note_from,
    note_record,
    result_from,
    result_record,
    text_value,
    turn_from,
    turn_record,
    whole_value,
)
from controller.record.match.match import Act, Entry, GameRecord, MatchRecord, Turn
from controller.record.match.playthrough import moment_xgid, moments
from controller.rules import Position
from controller.rules.game.match_record import terms_from_record, terms_record

FORMAT: Final = "pointsman match"
VERSION: Final = 1


def json_text(match: MatchRecord) -> str:
    """The match as one JSON object, an entry a line; each turn that counts with the XGID before it."""
    xgids = {
        (moment.game, moment.entry.ply): moment_xgid(moment)
        for moment in moments(match)
        if isinstance(moment.entry, Turn)
    }
    content = match_object(match, xgids)
    games = content.pop("games")
    assert isinstance(games, list)
    head = _dump(content, indent=1).removesuffix("\n}")
    return f'{head},\n "games": [{",".join(map(_game_text, games))}]\n}}\n'


def _game_text(game: Json) -> str:
    assert isinstance(game, dict)
    entries = game["entries"]
    assert isinstance(entries, list)
    head = _dump({name: value for name, value in game.items() if name != "entries"}).removesuffix("}")
    lines = [f"\n   {_dump(entry)}" for entry in entries]
    return f'\n  {head}, "entries": [{",".join(lines)}]}}'


def _dump(value: Json, indent: int | None = None) -> str:
    """The keys in their order, so that a record has one text wherever it was read from."""
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)


def match_object(
    match: MatchRecord, xgids: Mapping[tuple[int, int], str | None] = MappingProxyType({})
) -> dict[str, Json]:
    """The match as plain values; ``xgids`` are those before each turn, by game and ply from 0."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "light": match.light,
        "dark": match.dark,
        "facts": facts_record(match.facts),
        "remarks": list(match.remarks),
        "terms": terms_record(match.terms),
        "games": [
            {
                "start": game.start.compact(),
                "light_score": game.light_score,
                "dark_score": game.dark_score,
                "result": None if game.result is None else result_record(game.result),
                "entries": list(_entries(game, number, xgids)),
            }
            for number, game in enumerate(match.games)
        ],
    }


def _entries(game: GameRecord, number: int, xgids: Mapping[tuple[int, int], str | None]) -> Iterator[Json]:
    for entry in game.entries:
        if isinstance(entry, Turn):
            xgid = xgids.get((number, entry.ply))
            yield {"entry": "turn", **turn_record(entry), **({"xgid": xgid} if xgid else {})}
        elif isinstance(entry, Act):
            yield {"entry": "act", **act_record(entry)}
        else:
            yield {"entry": "note", **note_record(entry)}


def read_json(text: str, name: str) -> MatchRecord:
    """The match that `json_text` wrote; ``name`` is the file's, for messages.

    Raises:
        MatchFileError: no JSON, another format, a newer version, or a value that makes no sense.
    """
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MatchFileError(f"{name} is no JSON ({error}); give a match file.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise MatchFileError(f"{name} is JSON, but no match of Pointsman; give a file that export wrote.")
    version = content.get("version")
    if version != VERSION:
        raise MatchFileError(
            f"{name} has version {version!r} of the match format and this Pointsman knows {VERSION}; update it."
        )
    where = "head"
    try:
        games: list[GameRecord] = []
        for number, game in enumerate(content["games"], start=1):
            where = f"game {number}"
            games.append(_game(game))
        where = "head"
        record = MatchRecord(
            text_value(content["light"]),
            text_value(content["dark"]),
            terms_from_record(content["terms"]),
            tuple(games),
            facts_from(content["facts"]),
            tuple(map(text_value, content["remarks"])),
        )
        where = "games"
        deque(moments(record), maxlen=0)
    except READING_ERRORS as error:
        raise MatchFileError(
            f"{name} cannot be read in its {where} ({_short(error)}); give a file that export wrote."
        ) from None
    return record


def _game(record: JsonObject) -> GameRecord:
    result = record["result"]
    return GameRecord(
        tuple(_entry(dict(entry)) for entry in record["entries"]),
        Position.seen_compact(record["start"]),
        whole_value(record["light_score"]),
        whole_value(record["dark_score"]),
        None if result is None else result_from(result),
    )


def _entry(record: dict[str, Any]) -> Entry:
    kind = record.pop("entry")
    record.pop("xgid", None)
    if kind not in _READERS:
        raise ValueError(f"{kind!r} is no kind of entry")
    return _READERS[kind](record)


_READERS: Final[Mapping[str, Callable[[JsonObject], Entry]]] = {
    "turn": turn_from,
    "act": act_from,
    "note": note_from,
}


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:200]}..."
