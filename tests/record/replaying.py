"""A match put through the referee again, input by input."""

from collections.abc import Iterator

from controller.record.journal.journal import EventLog
from controller.record.match.history import INPUT, TABLE, history_of
from controller.record.table.inputs import input_from, settings_from, start_from
from controller.record.table.resume import LiveMatch, RefereeStep
from controller.referee.actions import Action
from controller.referee.events import Event, Resumed
from controller.referee.table import machine
from controller.referee.table.state import begin


def replay_inputs(
    journal: EventLog, name: str, step: RefereeStep = machine.step
) -> Iterator[tuple[Event, tuple[Action, ...]]]:
    """Each input of a match that was played at a live table, with the actions that come of it."""
    events = tuple(journal.events(name))
    number, first = next((n, event) for n, event in enumerate(events) if event.kind == TABLE)
    terms = history_of(events[: number + 1], journal, name).record().terms
    table = begin(settings_from(first.payload, terms), first.t or 0.0, start_from(first.payload))
    for number, event in enumerate(events):
        if event.kind == INPUT:
            happened = input_from(event.payload)
            if isinstance(happened, Resumed):
                table = LiveMatch(journal, name, events[:number]).table(step)
            table, actions = step(table, happened)
            yield happened, actions
