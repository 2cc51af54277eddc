"""The desk of a live table: written down first, acted on after."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.app.desk import Desk
from controller.messages.catalogue import catalogue
from controller.messages.device_words import LocalText
from controller.record.journal.journal import Journal
from controller.record.table.inputs import input_from
from controller.record.table.table_log import TableLog
from controller.referee.actions import Action, Message, Told
from controller.referee.events import Event, HintAsked, Pause, Ticked
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table
from controller.rules.game.match import Terms
from controller.rules.profile.profile import STANDARD
from tests.app.opened import book_in

SETTINGS = Settings(Terms.match(STANDARD, 5))


def obey(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
    """A referee that knows of hints and pauses only."""
    table = replace(table, t=event.t)
    if isinstance(event, HintAsked):
        return replace(table, hint=event.level), ()
    if isinstance(event, Pause):
        return table, (Told(event.t, Message.PAUSED),)
    return table, ()


@pytest.fixture
def book(journal: Journal) -> TableLog:
    return book_in(journal)


def test_what_is_to_be_carried_out_is_on_the_disk_by_then(book: TableLog, tmp_path: Path) -> None:
    desk = Desk.open(SETTINGS, book, step=obey)
    assert desk.put(Pause(1.0)) == (Told(1.0, Message.PAUSED),)
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        assert [event.kind for event in journal.events()] == ["match", "table", "input", "paused"]


def test_the_referee_is_told_what_the_journal_keeps(book: TableLog) -> None:
    told: list[Event] = []

    def listen(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
        told.append(event)
        return obey(table, event)

    desk = Desk.open(SETTINGS, book, step=listen)
    desk.put(HintAsked(1.00004321, 2))
    kept = [input_from(event.payload) for event in book.log.journal.events() if event.kind == "input"]
    assert told == kept == [HintAsked(1.0, 2)]
    assert desk.table.hint == 2


def test_a_tick_that_changes_nothing_leaves_no_trace(book: TableLog) -> None:
    desk = Desk.open(SETTINGS, book, step=obey)
    before = desk.table
    for second in range(100):
        assert desk.put(Ticked(float(second))) == ()
    assert desk.table is before
    assert [event.kind for event in book.log.journal.events()] == ["match", "table"]


def test_what_the_referee_cannot_deal_with_is_told_and_changes_nothing(book: TableLog) -> None:
    def fragile(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
        if isinstance(event, Pause):
            raise ZeroDivisionError
        return obey(table, event)

    said: list[LocalText] = []
    desk = Desk.open(SETTINGS, book, step=fragile, tell=said.append)
    before = desk.table
    assert desk.put(Pause(1.0)) == ()
    assert desk.table is before
    assert [words("en") for words in said] == [catalogue("en").text("program", "referee_failed")]
    desk.put(HintAsked(2.0, 3))
    assert desk.table.hint == 3
    kinds = [event.kind for event in book.log.journal.events()]
    assert kinds == ["match", "table", "input", "defect", "input"]
