"""Exercises of blunders: what they ask, when they come again, how they are kept and what Anki gets."""

import csv
import io
import json
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from controller.analysis.engine import BLUNDER, Analysis
from controller.analysis.gnubg import analyse
from controller.analysis.quiz import Asked, Quiz, QuizError, QuizItem, anki_text, items_of, question, reviewed
from controller.messages.catalogue import LANGUAGES
from controller.rules.position import Side
from tests.analysis.test_gnubg import cubed

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(cubed(), lambda _done, _of: None)


@pytest.fixture(scope="module")
def items(analysis: Analysis) -> list[QuizItem]:
    return list(items_of(cubed(), analysis, NOW))


def test_every_blunder_is_an_exercise_and_nothing_else(analysis: Analysis, items: list[QuizItem]) -> None:
    blunders = [each for each in analysis.mistakes if each.loss >= BLUNDER]
    assert len(items) == len(blunders) > 2
    assert {item.asked for item in items} >= {Asked.DOUBLE, Asked.TAKE}
    for item, blunder in zip(items, blunders, strict=True):
        assert (item.position, item.side) == (blunder.before, blunder.player)
        played = next(each for each in item.answers if each.text == item.played)
        assert item.loss(played.text, played.after) == pytest.approx(blunder.loss)
        assert item.loss(item.answers[0].text, item.answers[0].after) == 0
        assert item.due == NOW


def test_one_may_be_asked_for_the_own_blunders_alone(analysis: Analysis) -> None:
    for side in Side:
        own = list(items_of(cubed(), analysis, NOW, side))
        assert own
        assert {item.side for item in own} == {side}


def test_what_is_known_comes_later_and_what_is_not_comes_soon(items: list[QuizItem]) -> None:
    known, forgotten = items[0], reviewed(items[0], 0.5, NOW)
    assert forgotten.due - NOW < timedelta(hours=1)
    now, waits = NOW, []
    for _ in range(5):
        known = reviewed(known, 0.0, now)
        waits.append(known.due - now)
        now = known.due
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(days=10)
    assert reviewed(items[0], 0.0, NOW) == reviewed(items[0], 0.0, NOW)


def test_exercises_are_kept_and_known_ones_keep_their_times(tmp_path: Path, items: list[QuizItem]) -> None:
    quiz = Quiz.load(tmp_path / "own" / "quiz.json")
    assert quiz.add(items) == len(items)
    later = reviewed(items[0], 0.0, NOW)
    quiz.put(later)
    quiz.save()
    again = Quiz.load(quiz.path)
    assert again.items == quiz.items
    assert again.add(items) == 0
    assert again.items[later.key] == later
    assert later not in again.due(NOW)
    assert len(again.due(NOW)) == len(items) - 1
    assert not list(quiz.path.parent.glob("*.part"))


def kept_values(folder: Path, items: list[QuizItem]) -> dict[str, Any]:
    """What a file of exercises holds."""
    Quiz(folder / "whole.json", items).save()
    values: dict[str, Any] = json.loads((folder / "whole.json").read_text())
    return values


@pytest.mark.parametrize("fault", ["state", "stability", "step"])
def test_a_card_that_the_scheduler_cannot_read_is_one_sentence(
    fault: str, tmp_path: Path, items: list[QuizItem]
) -> None:
    values = kept_values(tmp_path, items)
    values["items"][0]["card"] |= {"state": 9} if fault == "state" else {"stability": "x"}
    if fault == "step":
        del values["items"][0]["card"]["step"]
    (tmp_path / "quiz.json").write_text(json.dumps(values))
    with pytest.raises(QuizError, match="does not hold exercises"):
        Quiz.load(tmp_path / "quiz.json")


def test_an_exercise_whose_answers_answer_something_else_is_refused(
    tmp_path: Path, items: list[QuizItem]
) -> None:
    values = kept_values(tmp_path, items)
    cube = next(each for each in values["items"] if each["asked"] == "take")
    faults: tuple[dict[str, Any], ...] = (
        {"asked": "play"},
        {"answers": []},
        {"answers": [["8/5 6/5", "", 0.1]]},
        {"answers": [["take", "", float("nan")]]},
    )
    for wrong in faults:
        (tmp_path / "quiz.json").write_text(json.dumps({**values, "items": [{**cube, **wrong}]}))
        with pytest.raises(QuizError, match="does not hold exercises"):
            Quiz.load(tmp_path / "quiz.json")


def test_what_a_newer_version_wrote_is_refused_and_left_as_it_is(
    tmp_path: Path, items: list[QuizItem]
) -> None:
    text = json.dumps({**kept_values(tmp_path, items), "version": 2})
    (tmp_path / "quiz.json").write_text(text)
    with (
        pytest.raises(QuizError, match="written by a newer Pointsman"),
        Quiz.changing(tmp_path / "quiz.json"),
    ):
        pass
    assert (tmp_path / "quiz.json").read_text() == text


def test_exercises_that_two_programs_add_at_one_moment_are_all_kept(
    tmp_path: Path, items: list[QuizItem]
) -> None:
    path, begun = tmp_path / "quiz.json", threading.Event()

    def add() -> None:
        begun.set()
        with Quiz.changing(path) as other:
            other.add(items[1:])

    adding = threading.Thread(target=add)
    with Quiz.changing(path) as quiz:
        adding.start()
        begun.wait()
        adding.join(0.3)
        quiz.add(items[:1])
    adding.join()
    assert len(Quiz.load(path).items) == len(items)


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"items": [{}]}', '{"items": 3}', "\0"])
def test_a_damaged_file_is_refused_and_left_as_it_is(text: str, tmp_path: Path) -> None:
    path = tmp_path / "quiz.json"
    path.write_text(text)
    with pytest.raises(QuizError, match="does not hold exercises"):
        Quiz.load(path)
    assert path.read_text() == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_anki_gets_a_card_for_each_with_the_board_in_it(language: str, items: list[QuizItem]) -> None:
    text = anki_text([replace(items[0], name="<i>\tEve\n"), *items[1:]], language)
    head = [line for line in text.splitlines() if line.startswith("#")]
    assert head[:2] == ["#separator:tab", "#html:true"]
    rows = list(csv.reader(io.StringIO("\n".join(text.splitlines()[len(head) :])), delimiter="\t"))
    assert [row[0] for row in rows] == [f"pointsman-{item.key}" for item in items]
    for row, item in zip(rows, items, strict=True):
        assert len(row) == 4
        assert row[1].count("<svg") == 1
        assert "<i>" not in row[1]
        assert f"{item.answers[0].equity:+.3f}" in row[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_names_the_player_and_the_roll(language: str, items: list[QuizItem]) -> None:
    for item in items:
        asked = question(item, language)
        assert item.name in asked
        assert item.asked is not Asked.PLAY or str(item.state.roll) in asked
