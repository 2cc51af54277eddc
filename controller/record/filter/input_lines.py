"""What a live table was told, from its journal, as lines that `pointsman referee` takes."""

import json
from collections.abc import Iterator

from controller.record.journal.journal import EventLog, JournalError, JournalEvent, Json
from controller.record.match.history import INPUT, TABLE, history_of, unknown_match
from controller.record.table.inputs import input_from, input_record, settings_from, settings_record
from controller.referee import FrameLost, FrameSeen, Pressed, RollReported, Settings, Ticked
from controller.referee.events import FrameMoving
from controller.rules.game.match_record import terms_record

KINDS = {
    FrameSeen: "seen",
    FrameMoving: "moving",
    FrameLost: "lost",
    RollReported: "rolled",
    Pressed: "pressed",
    Ticked: "tick",
}
"""The inputs that have a kind of line of their own; the others stand in lines of the kind ``input``."""


def input_lines(journal: EventLog, match: str) -> Iterator[str]:
    """The settings and every input of a match, a line each, without their ends.

    Raises:
        JournalError: if there is no such match, or it was not played at a live table.
        InputError: if an input cannot be read.
    """
    events, latest = list[JournalEvent](), None
    for event in journal.events(match):
        if latest is None:
            events.append(event)
            if event.kind == TABLE:
                latest = event.t or 0.0
                yield _settings_line(_settings(tuple(events), journal, match), latest)
        elif event.kind == INPUT:
            content, latest = _content(event, latest)
            yield json.dumps(content, ensure_ascii=False)
    if latest is None:
        if match not in journal.matches():
            raise unknown_match(journal, match)
        raise JournalError(
            f"The match {match!r} in {journal.path} was not played at a live table: it has no inputs."
        )


def _settings(events: tuple[JournalEvent, ...], journal: EventLog, match: str) -> Settings:
    terms = history_of(events, journal, match).record().terms
    try:
        return settings_from(events[-1].payload, terms)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise JournalError(
            f"Event {events[-1].id} of {journal.path} does not say how the table was run ({error!r})."
        ) from error


def _settings_line(settings: Settings, t: float) -> str:
    terms = terms_record(settings.terms)
    return json.dumps(
        {"t": t, "kind": "agreed", "terms": terms, "settings": settings_record(settings)}, ensure_ascii=False
    )


def _content(event: JournalEvent, latest: float) -> tuple[dict[str, Json], float]:
    """A line's keys, and its time: news that came late keep their own time within the line."""
    given = input_from(event.payload)
    record = input_record(given)
    kind = KINDS.get(type(given))
    if kind is None or given.t < latest:
        t = max(given.t, latest)
        return {"t": t, "kind": "input", "input": record}, t
    keys = {name: value for name, value in record.items() if name not in ("input", "t")}
    return {"t": given.t, "kind": kind, **keys}, given.t
