"""The lines of `events.jsonl` as the journal of a live table tells them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from controller.record.journal.journal import Draft, Event
from controller.record.match.history import ACT, GAME, OWN_KINDS, TURN
from controller.record.match.json_values import event_line, turn_from
from controller.record.table.table_log import FLAGGED


def lines_of(events: Iterable[Event | Draft]) -> Iterator[str]:
    """One line, without its end, for each turn, act and note among the events, in their order.

    An act, such as a double, has the name of its event as ``kind``.
    """
    for event in events:
        payload: dict[str, Any] = dict(event.payload)
        if event.kind == TURN:
            yield event_line(turn_from(payload))
        elif event.kind == ACT:
            act = {name: value for name, value in payload.items() if name != "event"}
            yield json.dumps({"kind": payload["event"], **act}, ensure_ascii=False)
        elif event.kind not in OWN_KINDS:
            yield json.dumps(payload, ensure_ascii=False)


def last_word(events: Iterable[Event]) -> list[Event]:
    """The events of one match with no turn that was told anew later on, as hindsight does.

    Of each ply of a game the last turn that counts stays, and the tries that were put right before it; they stand
    together where the first of them was told. That a play was flagged while it could be put right is left out: its
    turn tells what became of it. All other events keep their places.
    """
    places: list[list[Event]] = []
    turns: dict[int, list[Event]] = {}
    for event in events:
        payload: dict[str, Any] = dict(event.payload)
        if event.kind == GAME:
            turns = {}
        if event.kind == FLAGGED:
            continue
        if event.kind != TURN:
            places.append([event])
        elif payload["ply"] in turns:
            tries = turns[payload["ply"]]
            tries[:] = [*(earlier for earlier in tries if not _counts(earlier)), event]
        else:
            turns[payload["ply"]] = [event]
            places.append(turns[payload["ply"]])
    return [event for place in places for event in place]


def number_through(events: Iterable[Event]) -> Iterator[Event]:
    """The events of one match with plies that go on counting from game to game, as in a film."""
    first = plies = 0
    for event in events:
        if event.kind == GAME:
            first += plies
            plies = 0
        ply = event.payload.get("ply")
        if not isinstance(ply, int):
            yield event
            continue
        if event.kind == TURN:
            plies = max(plies, ply + 1)
        yield replace(event, payload={**event.payload, "ply": first + ply})


def _counts(event: Event) -> bool:
    """Whether the game went on from the turn of an event."""
    return turn_from(event.payload).counts
