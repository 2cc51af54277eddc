"""What the referee tells as lines: those of `events.jsonl`, and what is said, flagged and lit at the table."""

import json
from collections.abc import Iterable, Iterator

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import SIDES
from controller.record.journal.journal import Draft, Json
from controller.record.match.json_values import reason_object
from controller.record.table.table_log import contents_of, lines_of
from controller.referee import Action, Flagged, Told, TurnJudged
from controller.referee.actions import BestPlayWanted, ClockRuns, Lit, PhaseBegun, RollAllowed, Unsure
from controller.rules import Party

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
    """What is told at the table, and to its devices."""
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
