"""The lines of a match: as they were told, with the last word about each turn, and counted through a film."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.record.files.mat import mat_text
from controller.record.journal.journal import Draft, Journal, JournalEvent
from controller.record.match.match import MONEY, Facts, GameRecord, Note, Turn
from controller.record.match.match_log import MatchLog, read_match
from controller.record.table.table_log import contents_of, entry_of, last_word, lines_of, number_through
from controller.referee.actions import Candidate, Unsure
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Roll, Side
from tests.record.matches import misplay, misplayed, random_game

GAME = random_game(random.Random(4), longest=6)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as journal:
        yield journal


def told(journal: Journal, *games: list[Turn | Note]) -> tuple[JournalEvent, ...]:
    """A match in which this was told, in this order."""
    log = MatchLog(journal, "1", lambda: "2026-11-21T12:00:00Z")
    log.begin_match("", "", MONEY, Facts())
    for entries in games:
        log.begin_game(START)
        for entry in entries:
            log.add(entry)
    return tuple(journal.events("1"))


def turns_in(events: Any) -> list[tuple[int, str]]:
    return [(event.payload["ply"], event.payload["position"]) for event in events if event.kind == "turn"]


def another(turn: Turn) -> Turn:
    """The same roll played in another way."""
    others = random.Random(7)
    while True:
        wrong = misplay(others, turn.before, turn.player, turn.roll)
        if wrong is not None and wrong != turn.after:
            return misplayed(turn.ply, turn.player, turn.roll, turn.before, wrong, stands=True)


def test_a_turn_that_was_told_anew_takes_the_place_of_the_first(journal: Journal) -> None:
    turns = list(GAME.turns)
    first = [*turns[:2], another(turns[2]), *turns[3:5], turns[2], *turns[5:]]
    events = told(journal, [*first])
    assert turns_in(last_word(events)) == [(turn.ply, turn.after.compact()) for turn in turns]
    assert len(list(lines_of(events))) == len(turns) + 1
    assert [turn.after for turn in read_match(journal, "1").games[0].played] == [turn.after for turn in turns]
    plain = replace(read_match(journal, "1"), games=(GameRecord(tuple(turns)),))
    assert mat_text(read_match(journal, "1")) == mat_text(plain)


def test_a_try_that_was_put_right_stays_before_the_turn_that_counts(journal: Journal) -> None:
    turns = list(GAME.turns)
    stood = another(turns[1])
    tried = replace(stood, stands=False)
    events = told(journal, [turns[0], stood, turns[2], tried, turns[1], *turns[3:]])
    kept = turns_in(last_word(events))
    assert kept[:4] == [
        (0, turns[0].after.compact()),
        (1, tried.after.compact()),
        (1, turns[1].after.compact()),
        (2, turns[2].after.compact()),
    ]


def test_notes_stay_and_games_do_not_mix(journal: Journal) -> None:
    turns = list(GAME.turns[:3])
    bump = Note("bump", 3, 1.5, {"shift_mm": 4.0})
    events = told(journal, [turns[0], bump, *turns[1:]], [*turns])
    assert last_word(events) == list(events)


def test_that_a_play_was_flagged_is_not_its_last_word(journal: Journal) -> None:
    flag = Note("flagged", 3, 1.5, {"ply": 1, "move": "24/22"})
    events = told(journal, [GAME.turns[0], flag, GAME.turns[1]])
    assert [json.loads(line)["ply"] for line in lines_of(events) if "ply" in line] == [0, 1, 1]
    assert [json.loads(line)["ply"] for line in lines_of(last_word(events)) if "ply" in line] == [0, 1]


def test_plies_go_on_counting_through_a_film_of_several_games(journal: Journal) -> None:
    turns = list(GAME.turns[:3])
    doubt = Note("unsure", 3, 1.5, {"ply": 1, "points": [3]})
    events = told(journal, [*turns], [turns[0], doubt, *turns[1:]])
    numbered = [event.payload["ply"] for event in number_through(events) if "ply" in event.payload]
    assert numbered == [0, 1, 2, 3, 4, 4, 5]


def test_a_doubt_tells_what_the_turn_may_have_been_and_keeps_it_in_the_journal(journal: Journal) -> None:
    first, second = legal_plays(START, Side.LIGHT, Roll.from_dice(3, 1))[:2]
    candidates = (Candidate("8/5 6/5", True, first.after, 0.61), Candidate("", None, second.after, 0.3))
    (content,) = contents_of(Unsure(1.0, 7, 0, (6, 8), candidates))
    event = Draft("1", *content[:2], "", content[2])
    assert json.loads(next(lines_of([event]))) == {
        "kind": "unsure",
        "frame": 7,
        "t": 1.0,
        "ply": 0,
        "points": [6, 8],
        "candidates": [
            {"move": "8/5 6/5", "legal": True, "position": first.after.compact(), "probability": 0.61},
            {"move": None, "legal": None, "position": second.after.compact(), "probability": 0.3},
        ],
    }
    doubt = entry_of(Unsure(1.0, 7, 0, (6, 8), candidates))
    assert isinstance(doubt, Note)
    events = told(journal, [doubt])
    assert json.loads(list(lines_of(events))[-1]) == json.loads(next(lines_of([event])))


def test_a_doubt_of_which_nothing_more_is_known_is_told_as_ever() -> None:
    doubt = entry_of(Unsure(1.0, 7, 0, (6, 8)))
    assert isinstance(doubt, Note)
    assert doubt.arguments == {"ply": 0, "points": [6, 8]}


def test_a_turn_that_was_confirmed_later_is_the_last_word(journal: Journal) -> None:
    turns = list(GAME.turns)
    doubted = replace(turns[2], legal=None, probability=0.7)
    events = told(journal, [*turns[:2], doubted, *turns[2:]])
    assert [json.loads(line)["legal"] for line in lines_of(last_word(events))] == [True] * len(turns)
    assert [turn.legal for turn in read_match(journal, "1").games[0].played] == [True] * len(turns)
