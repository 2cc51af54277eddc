"""The referee alone: whatever is told to it, and a whole match told again."""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.app.desk import Desk
from controller.app.filter import Filter
from controller.devices.link.happenings import Button
from controller.errors import UserError
from controller.record.filter.keys import BUTTONS
from controller.record.filter.line_reader import SAYINGS, LineReader
from controller.record.filter.line_writer import input_lines
from controller.record.journal.journal import Journal, JournalError, Json
from controller.record.table.table_log import lines_of
from controller.referee.events import BoardTrouble, Pressed, RollReported
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules.game.match import Terms
from controller.rules.position import START, Side
from controller.rules.profile.profile import STANDARD
from tests.amounts import amount
from tests.app.opened import FIVE, NAME, book_in, play
from tests.app.playing import Players
from tests.rules.strategies import positions

SHOWN = {"told", "lit", "phase", "clock", "roll_allowed", "best_play_wanted"}
"""Answers that are no lines of `events.jsonl`."""

sides = st.sampled_from(list(Side))
dice = st.lists(st.integers(1, 6), min_size=2, max_size=2)
boards = st.one_of(
    st.just(START.compact()),
    st.sampled_from(["b...BD.B...eE...c.e....B..", "b....E.C...eE...c.e....C..", "O" * 24 + ".."]),
    positions().map(lambda position: position.compact()),
)
KEYS: dict[str, st.SearchStrategy[Any]] = {
    "side": sides,
    "winner": sides,
    "loser": sides,
    "on_roll": sides,
    "position": boards,
    "dice": dice,
    "light": st.integers(1, 6),
    "dark": st.integers(1, 6),
    "amount": st.integers(1, 4),
    "points": st.integers(1, 9),
    "level": st.integers(0, 3),
    "ply": st.integers(0, 3),
    "stands": st.booleans(),
    "given": st.booleans(),
    "ready": st.booleans(),
    "profile": st.just("standard-match"),
    "device": st.just("camera"),
    "why": st.just(""),
    "trouble": st.sampled_from(list(BoardTrouble)),
    "count": st.integers(0, 3),
    "number": st.integers(1, 6),
    "others": st.lists(boards, max_size=2),
    "losses": st.lists(st.floats(0, 2), max_size=2),
}


def saying(what: str) -> st.SearchStrategy[dict[str, Any]]:
    keys = {key: KEYS[key] for key in SAYINGS[what].keys}
    return st.fixed_dictionaries(
        {
            "kind": st.just("said"),
            "by": st.sampled_from(["light", "dark", "director"]),
            "what": st.just(what),
            **keys,
        }
    )


happenings = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("seen"), "position": boards},
        optional={
            "hidden": st.lists(st.integers(1, 24), max_size=4),
            "off": st.fixed_dictionaries({"light": st.integers(0, 15), "dark": st.integers(0, 15)}),
            "dice": st.lists(dice, max_size=2),
            "cube": st.fixed_dictionaries({"value": st.sampled_from([2, 4]), "owner": sides}),
        },
    ),
    st.fixed_dictionaries({"kind": st.sampled_from(["moving", "lost", "tick"])}),
    st.fixed_dictionaries({"kind": st.just("rolled"), "dice": dice}, optional={"cocked": st.booleans()}),
    st.fixed_dictionaries(
        {"kind": st.just("pressed"), "button": st.sampled_from(BUTTONS)}, optional={"side": sides}
    ),
    st.sampled_from(sorted(SAYINGS)).flatmap(saying),
)


@settings(deadline=None, max_examples=amount(12, 60))
@given(
    st.lists(happenings, max_size=25),
    st.booleans(),
    st.sampled_from([None, (START, Side.LIGHT), (START, Side.DARK)]),
)
def test_whatever_is_told_in_whatever_order_is_answered_in_json_or_refused_in_a_sentence(
    told: list[dict[str, Json]], clock: bool, beginning: Any
) -> None:
    trips: list[str] = []
    table = Filter(Settings(Terms.match(STANDARD, 3), clock=clock), beginning, trips.append)
    for number, keys in enumerate(told, start=1):
        with suppress(UserError):
            for answer in table.put(json.dumps({"t": number / 2, **keys}), number):
                assert json.loads(answer)["t"] == number / 2
    assert trips == []


@given(st.text() | st.binary().map(lambda data: data.decode(errors="replace")))
def test_any_text_is_no_line_and_says_so(text: str) -> None:
    table = Filter(FIVE)
    with pytest.raises(UserError):
        list(table.put(text, 1))


def journal_of(folder: Path, seed: int, most: int) -> list[dict[str, Json]]:
    """A match that was played at a desk; gives the lines of `events.jsonl`."""
    lines: list[str] = []
    with Journal(folder / "journal.db") as journal:
        desk = Desk.open(FIVE, book_in(journal), follow=lambda told: lines.extend(lines_of(told)))
        play(desk, Players(Random(seed), cheats=0.2, doubles=0.1, talk=0.1), most)
    return [timeless(json.loads(line)) for line in lines]


def timeless(line: dict[str, Json]) -> dict[str, Json]:
    """A line without its time, which is rounded otherwise, and without what only the filter tells."""
    extra = {"t", "revises", *({"reasons", "to"} if line.get("kind") == "flagged" else ())}
    return {key: value for key, value in line.items() if key not in extra}


@pytest.mark.parametrize("seed", [1, 2, 3][: amount(1, 3)])
def test_a_match_told_again_from_its_journal_comes_to_the_same(seed: int, tmp_path: Path) -> None:
    written = journal_of(tmp_path, seed, 250)
    other = Filter(Settings(Terms.match(STANDARD, 1), clock=True))
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        kept = list(input_lines(journal, NAME))
    answers = [
        json.loads(answer) for number, line in enumerate(kept, start=1) for answer in other.put(line, number)
    ]
    judged_again = [timeless(answer) for answer in answers if answer.get("kind") not in SHOWN]
    assert judged_again == written
    assert sum("player" in line and "kind" not in line for line in written) >= 10


def test_news_that_came_late_are_told_again_in_their_order_with_their_own_time(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        desk = Desk.open(FIVE, book_in(journal))
        for event in (RollReported(5.0, (3, 1)), Pressed(4.2, Button.PAUSE), Pressed(6.0, Button.PAUSE)):
            desk.put(event)
        lines = [json.loads(line) for line in input_lines(journal, NAME)]
    assert [line["t"] for line in lines] == [0.0, 5.0, 5.0, 6.0]
    assert [line["kind"] for line in lines] == ["agreed", "rolled", "input", "pressed"]
    assert LineReader().read(json.dumps(lines[2]), 1)[1] == Pressed(4.2, Button.PAUSE)


@pytest.mark.parametrize("source", list(DiceFrom))
def test_whose_the_dice_are_may_be_agreed(source: DiceFrom, tmp_path: Path) -> None:
    """Then dice that are seen are rolls only where it was agreed that they are."""
    with Journal(tmp_path / "journal.db") as journal:
        Desk.open(replace(FIVE, dice=source), book_in(journal))
        (agreed,) = input_lines(journal, NAME)
    table = Filter(FIVE, (START, Side.DARK))
    board = {"kind": "seen", "position": START.compact()}
    happened = [board, board, {**board, "dice": [[6, 1]]}, {**board, "dice": [[6, 1]]}]
    lines = [agreed, *(json.dumps({"t": n, **keys}) for n, keys in enumerate(happened, start=1))]
    answers = [json.loads(told) for n, line in enumerate(lines, start=1) for told in table.put(line, n)]
    phases = [answer["phase"] for answer in answers if answer.get("kind") == "phase"]
    assert phases == (["moving"] if source is DiceFrom.CAMERA else [])


def test_a_match_that_is_not_there_or_was_not_played_at_a_table_is_named(tmp_path: Path) -> None:
    journal_of(tmp_path, 1, 3)
    with Journal(tmp_path / "journal.db") as journal:
        with pytest.raises(JournalError, match="holds: 1"):
            list(input_lines(journal, "final"))
        journal.append("film", "bump", {}, utc="")
        with pytest.raises(JournalError, match="not played at a live table"):
            list(input_lines(journal, "film"))
