"""Writes the lines of `pointsman referee`: what the referee answers, and the input of a recorded table."""

import json
from collections.abc import Iterable, Iterator

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import SIDES
from controller.record.journal.journal import Draft, EventLog, JournalError, JournalEvent, Json
from controller.record.match.history import INPUT, TABLE, history_of, unknown_match
from controller.record.match.json_values import reason_object
from controller.record.table.inputs import input_from, input_record, settings_from, settings_record
from controller.record.table.table_log import candidate_object, contents_of, lines_of
from controller.referee import (
    Action,
    Flagged,
    FrameLost,
    FrameSeen,
    Pressed,
    RollReported,
    Settings,
    Ticked,
    Told,
    TurnJudged,
)
from controller.referee.actions import (
    BestPlayWanted,
    ClockRuns,
    Lit,
    PhaseBegun,
    RollAllowed,
    TurnAsked,
    Unsure,
)
from controller.referee.events import FrameMoving, FrameSame
from controller.rules import Party
from controller.rules.game.match_record import terms_record

Object = dict[str, Json]


def answer_lines(t: float, actions: Iterable[Action]) -> Iterator[str]:
    """The lines, without their ends, that answer what happened at ``t``."""
    for action in _doubts_first(tuple(actions)):
        for content in (*_journal_objects(action), *_table_objects(action)):
            yield _line(t, content)


def _line(t: float, content: Object) -> str:
    return json.dumps({"t": t} | content | {"t": t}, ensure_ascii=False)


def _doubts_first(actions: tuple[Action, ...]) -> Iterator[Action]:
    """The doubt about a turn stands before the turn that counts nevertheless."""
    doubts = [action for action in actions if isinstance(action, Unsure)]
    for action in actions:
        if isinstance(action, TurnJudged):
            yield from (doubt for doubt in doubts if doubt.ply == action.ply)
            doubts = [doubt for doubt in doubts if doubt.ply != action.ply]
        elif isinstance(action, Unsure):
            if action in doubts:
                doubts.remove(action)
                yield action
            continue
        yield action


def _journal_objects(action: Action) -> Iterator[Object]:
    """What goes into `events.jsonl`."""
    drafts = (Draft("", kind, payload, "", t) for kind, payload, t in contents_of(action))
    for line in lines_of(drafts):
        content: Object = json.loads(line)
        if isinstance(action, TurnJudged) and action.revises:
            content["revises"] = True
        if isinstance(action, Flagged):
            reasons = action.turn.reasons + action.turn.also
            content |= {"reasons": [reason_object(reason) for reason in reasons], "to": _to(action.to)}
        yield content


def _table_objects(action: Action) -> Iterator[Object]:
    """What is said at the table, and sent to its devices."""
    match action:
        case Told(message=message, arguments=arguments, to=to):
            points = arguments.get("points")
            yield {
                "kind": "told",
                "message": str(message),
                "arguments": json.loads(json.dumps(dict(arguments))),
                "points": [*points] if isinstance(points, list | tuple) else [],
                "to": _to(to),
            }
        case TurnAsked(ply=ply, points=points, candidates=candidates):
            told: list[Json] = [{**candidate_object(each)} for each in candidates]
            yield {"kind": "asked", "ply": ply, "points": [*points], "candidates": told}
        case Lit(frame=frame):
            yield {"kind": "lit", **_lights(frame)}
        case PhaseBegun(phase=phase, on_turn=side):
            yield {"kind": "phase", "phase": str(phase), "on_turn": side and str(side)}
        case ClockRuns(side=side):
            yield {"kind": "clock", "runs": side and str(side)}
        case RollAllowed():
            yield {"kind": "roll_allowed"}
        case BestPlayWanted(ply=ply, position=position, side=side, dice=dice):
            yield {
                "kind": "best_play_wanted",
                "ply": ply,
                "position": position.compact(),
                "side": str(side),
                "dice": list(dice),
            }


def _lights(frame: LightFrame) -> Object:
    """The places that are lit; the status lamp always has its signal."""
    return {
        "points": {
            str(point): str(signal)
            for point, signal in enumerate(frame.points, start=1)
            if signal is not Signal.DARK
        },
        "bar": _by_side(frame.bar),
        "tray": _by_side(frame.tray),
        "status": str(frame.status),
    }


def _by_side(signals: tuple[Signal, Signal]) -> Object:
    return {
        side: str(signal) for side, signal in zip(SIDES, signals, strict=True) if signal is not Signal.DARK
    }


def _to(parties: frozenset[Party]) -> list[Json]:
    return [str(party) for party in Party if party in parties]


KINDS = {
    FrameSeen: "seen",
    FrameSame: "same",
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
