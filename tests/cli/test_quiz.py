"""`pointsman quiz` on a real board, as a learner types it; what the pictures show is scripted."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.analysis.quiz import Asked, Quiz, QuizAnswer, QuizItem
from tests.cli import test_exercise
from tests.cli.conftest import Run
from tests.cli.test_exercise import POINT, XGID

frames = test_exercise.frames
BEST = QuizAnswer("8/5 6/5", POINT.compact(), 0.2)
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
