"""Answers of engines on the disk."""

import sqlite3
from pathlib import Path

import pytest

from controller.analysis import answers as module
from controller.analysis.answers import Answers, answer_key


def test_answers_are_found_again_by_everything_they_depend_on(tmp_path: Path) -> None:
    key = answer_key("gnubg", "1.07", 2, ("position", "match"))
    with Answers(tmp_path / "new" / "answers.db") as answers:
        answers.keep({key: {"luck": 0.5}})
    with Answers(tmp_path / "new" / "answers.db") as answers:
        assert answers.find([key]) == {key: {"luck": 0.5}}
        assert answers.find([answer_key("gnubg", "1.08", 2, ("position", "match"))]) == {}


def test_an_answer_is_there_although_nobody_closed_the_file(tmp_path: Path) -> None:
    open_still = Answers(tmp_path / "answers.db")
    open_still.keep({"key": 1})
    with Answers(tmp_path / "answers.db") as answers:
        assert answers.find(["key"]) == {"key": 1}
    open_still.__exit__()


@pytest.mark.parametrize("damage", ["no database", "a folder"])
def test_a_file_that_cannot_be_used_is_no_hindrance(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    if damage == "a folder":
        path.mkdir()
    else:
        path.write_text("no database at all" * 99)
    with Answers(path) as answers:
        assert not answers.kept
        answers.keep({"key": 1})
        assert answers.find(["key"]) == {"key": 1}


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Answers(tmp_path / "answers.db") as answers:
        for number in range(9):
            answers.keep({f"key{number}": number})
    monkeypatch.setattr(module, "MOST", 4)
    with Answers(tmp_path / "answers.db") as answers:
        assert sorted(answers.find([f"key{number}" for number in range(9)]).values()) == [5, 6, 7, 8]


def test_an_answer_that_is_damaged_is_asked_again(tmp_path: Path) -> None:
    with Answers(tmp_path / "answers.db") as answers:
        answers.keep({"key": 1})
    with sqlite3.connect(tmp_path / "answers.db") as table:
        table.execute("UPDATE answers SET said = '{'")
    table.close()
    with Answers(tmp_path / "answers.db") as answers:
        assert answers.find(["key"]) == {}
