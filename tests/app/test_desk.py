"""The desk of a live table: written down first, acted on after."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from controller.app.desk import Desk
from controller.devices.link.happenings import Button
from controller.messages.catalogue import catalogue
from controller.messages.device_words import LocalText
from controller.record.journal.journal import Journal
from controller.record.match.match import Act, Turn
from controller.record.match.match_log import read_match
from controller.record.match.playthrough import objections
from controller.record.table.inputs import input_from
from controller.record.table.table_log import TableLog
from controller.referee.actions import Action, Message, Phase, Told
from controller.referee.events import (
    DIRECTOR,
    Event,
    FrameMoving,
    FrameSeen,
    HintAsked,
    Pause,
    Pressed,
    RollReported,
    Said,
    Ticked,
)
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table
from controller.rules.game.events import Played, RollVoided
from controller.rules.game.match import Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.profile import STANDARD
from tests.app.opened import book_in, standing
from tests.referee.staging import Film

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


def test_an_opening_roll_that_was_void_leaves_a_record_that_the_rules_have_nothing_against(
    book: TableLog,
) -> None:
    desk = Desk.open(SETTINGS, book)
    film = Film(Random(1))
    for second in range(4):
        desk.put(FrameSeen(float(second), second, film.read(START)))
    desk.put(RollReported(4.0, (4, 2)))
    assert desk.table.on_turn is Side.LIGHT
    desk.put(Said(5.0, RollVoided(Side.LIGHT), Side.LIGHT))
    desk.put(RollReported(6.0, (2, 5)))
    assert (desk.table.phase, desk.table.on_turn) == (Phase.MOVING, Side.DARK)
    roll = Roll.from_dice(2, 5)
    desk.put(Said(7.0, Played(Side.DARK, legal_plays(START, Side.DARK, roll)[0].after, None), DIRECTOR))
    record = read_match(book.log.journal, book.log.match)
    assert [type(entry) for entry in record.games[0].course] == [Act, Act, Act, Turn]
    assert [each.text for each in objections(record)] == []
    assert standing(Desk.resume(book).table) == standing(desk.table)


def test_a_checker_that_was_pushed_for_a_moment_before_a_dance_is_no_part_of_the_turn_before(
    book: TableLog,
) -> None:
    begun = Position.from_compact("BB.aAD...A.cC...bAc.Aaab.b")
    played = Position.from_compact("BB.aAD...A.cC.A.b.cA.aab.b")
    pushed = Position.from_compact("BB.bAD...A.cC.A.a.cA.aab.b")
    desk, film, t = Desk.open(replace(SETTINGS, clock=False), book, position=begun), Film(Random(1)), 0.0

    def put(event: Event) -> None:
        nonlocal t
        t += 0.4
        desk.put(replace(event, t=t))

    def lie(board: Position) -> None:
        nonlocal t
        put(FrameMoving(t, round(15 * t)))
        t += 1.0
        for _ in range(3):
            put(FrameSeen(t, round(15 * t), film.read(board)))

    lie(begun)
    put(RollReported(t, (3, 1)))
    lie(played)
    put(Pressed(t, Button.DONE))
    lie(pushed)
    lie(played)
    put(RollReported(t, (1, 1)))
    lie(played)
    put(Pressed(t, Button.DONE))
    put(RollReported(t, (2, 1)))
    told = [event.payload["position"] for event in book.log.journal.events() if event.kind == "turn"]
    assert pushed.compact() in told
    record = read_match(book.log.journal, book.log.match)
    first, dance = record.games[0].played
    assert (first.legal, first.after) == (True, played)
    assert (dance.legal, dance.text, dance.before, dance.after) == (True, "Cannot Move", played, played)
    assert not list(objections(record))
