"""The lines of `events.jsonl` as the journal of a live table tells them."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from controller.record.events import event_line
from controller.record.journal import Draft, Event
from controller.record.plain import turn_from
from controller.record.story import ACT, OWN_KINDS, TURN


def lines_of(events: Iterable[Event | Draft]) -> Iterator[str]:
    """One line, without its end, for each turn, act and note among the events, in their order.

    An act, such as a double, has the name of its event as ``kind``.
    """
    for event in events:
        payload: dict[str, Any] = dict(event.payload)
        if event.kind == TURN:
            yield event_line(turn_from(payload))
        elif event.kind == ACT:
            told = {name: value for name, value in payload.items() if name != "event"}
            yield json.dumps({"kind": payload["event"], **told}, ensure_ascii=False)
        elif event.kind not in OWN_KINDS:
            yield json.dumps(payload, ensure_ascii=False)
