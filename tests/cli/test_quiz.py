"""`pointsman quiz` on a real board, as a learner types it; what the pictures show is scripted."""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.analysis.quiz import Asked, Quiz, QuizAnswer, QuizItem
from tests.cli import test_exercise
from tests.cli.conftest import Run
from tests.cli.test_exercise import POINT, XGID

frames = test_exercise.frames
BEST = QuizAnswer("8/5 6/5", POINT.compact(), 0.2)
OTHER = XGID.replace(":31:", ":00:")
PLAYED = QuizAnswer("24/23 13/10", "b...AE.B.A.dE...c.e...A.A.", -0.1)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A collection of one exercise, due since midnight."""
    card = {
        "card_id": 0,
        "state": 1,
        "step": 0,
        "stability": None,
        "difficulty": None,
        "due": datetime(2026, 11, 21, tzinfo=UTC).isoformat(),
        "last_review": None,
    }
    quiz = Quiz(
        tmp_path / "own.json",
        [QuizItem(XGID, Asked.PLAY, (BEST, PLAYED), PLAYED.text, "Anna", "Game 1", card)],
    )
    quiz.save()
    return quiz.path


def test_a_play_that_is_due_is_asked_on_the_board(frames: Path, own: Path, run: Run) -> None:
    said = run("quiz", "--collection", own, "--board", "board.toml", "--frames", frames).splitlines()
    assert said[0] == "1 exercise is due."
    assert said[1].startswith("Set up the position")
    assert any(line.startswith("It comes again on ") for line in said)
    (item,) = Quiz.load(own).items.values()
    assert item.due > datetime(2026, 11, 21, tzinfo=UTC)
    assert item.card["last_review"] is not None


def test_a_board_without_a_film_or_a_camera_is_one_sentence(own: Path, run: Run) -> None:
    said = run("quiz", "--collection", own, "--board", "board.toml", status=2)
    assert "give --frames or --camera" in said


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, run: Run, own: Path) -> Callable[..., str]:
    """Runs the quiz with these lines typed."""

    def command(lines: str, *options: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        return run("quiz", "--collection", own, *options)

    return command


def test_an_illegal_play_that_is_typed_is_told_with_the_rule_it_breaks(typed: Callable[..., str]) -> None:
    said = typed("8/4 6/5\n8/5 6/5\n")
    assert "8/4 6/5 is no legal play of 3-1. 8/4 is 4 pips, which the roll 3-1 does not allow." in said
    assert "That is the best." in said


def test_an_empty_line_is_told_what_to_type_and_no_illegal_play(typed: Callable[..., str]) -> None:
    said = typed("\n  \nq\n")
    assert said.count("Type a play such as 8/5 6/5") == 3
    assert "no legal play" not in said


def test_what_is_no_play_is_not_called_an_illegal_one(typed: Callable[..., str]) -> None:
    said = typed("nonsense\nbar/20\nQ\n8/5 6/5\n")
    assert said.count("This cannot be read as a play: ") == 2
    assert "That is the best." not in said


def test_what_another_program_added_meanwhile_is_kept(
    own: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    before = Quiz.load(own)
    (item,) = before.items.values()

    class Typing(io.StringIO):
        """A learner who thinks long enough for another program to add an exercise."""

        def __next__(self) -> str:  # type: ignore[override]  # as `io.StringIO` has it
            with Quiz.changing(own) as quiz:
                quiz.add(
                    [replace(item, asked=Asked.DOUBLE, place=OTHER, answers=(QuizAnswer("roll", "", 0.1),))]
                )
            return super().__next__()

    monkeypatch.setattr("sys.stdin", Typing("8/5 6/5\n"))
    run("quiz", "--collection", own)
    assert len(Quiz.load(own).items) == 2


def test_an_answer_about_the_cube_may_have_capital_letters(
    own: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (item,) = Quiz.load(own).items.values()
    cube = replace(item, asked=Asked.DOUBLE, place=OTHER, answers=(QuizAnswer("roll", "", 0.1),))
    Quiz(own, [cube]).save()
    monkeypatch.setattr("sys.stdin", io.StringIO("Roll\n"))
    assert "That is the best." in run("quiz", "--collection", own)
