"""`pointsman course`, as a learner types it."""

import io
from pathlib import Path

import pytest

from controller.analysis.lessons.lesson import lesson_named
from controller.analysis.lessons.progress import ProgressFile
from controller.rules import START
from tests.cli import test_exercise
from tests.cli.conftest import Run

frames = test_exercise.frames


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Runs the course with these lines typed, the last argument."""

    def command(*arguments: object, status: int = 0) -> str:
        *options, lines = arguments
        monkeypatch.setattr("sys.stdin", io.StringIO(str(lines)))
        return run("course", *options, status=status)

    return command


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "course.json"


def test_a_play_is_answered_and_kept_for_its_learner(run: Run, typed: Run, kept: Path) -> None:
    said = typed("opening_31", "--learner", "Anna", "--progress", kept, "13/9\n")
    assert "Not the best." in said
    assert "Better was 8/5 6/5" in said
    learned = ProgressFile(kept).load().of("Anna")["opening_31"]
    assert (learned.tries, learned.right) == (1, 0)
    assert "Anna: 0 of 52 lessons known" in run("course", "--class", "--progress", kept)


def test_an_illegal_play_is_explained_and_another_one_may_be_typed(typed: Run, kept: Path) -> None:
    said = typed("opening_31", "--progress", kept, "8/4 6/5\nnonsense\nh\n8/5 6/5\n")
    assert "which the roll 3-1 does not allow" in said
    assert "cannot be read as a play: nonsense" in said
    assert "Hint: Which point" in said
    assert "Right." in said
    assert ProgressFile(kept).load().of("me")["opening_31"].right == 1


def test_the_words_against_a_typed_play_speak_of_the_moves_that_were_typed(typed: Run, kept: Path) -> None:
    said = typed("opening_31", "--progress", kept, "8/4 6/5\n6/off\n\nQ\n")
    assert "8/4 is 4 pips, which the roll 3-1 does not allow." in said
    assert "6/off bears off while not all checkers are home" in said
    assert "missing" not in said
    assert said.count("Type a play such as 8/5 6/5") == 2
    assert "cannot be read" not in said


def test_the_answer_is_shown_on_request_and_counts_as_wrong(typed: Run, kept: Path) -> None:
    assert "take" in typed("last_take", "--progress", kept, "?\n").splitlines()
    assert not ProgressFile(kept).load().of("me")["last_take"].last


def test_lessons_follow_one_another_until_the_learner_stops(typed: Run, kept: Path) -> None:
    said = typed("--progress", kept, "24/13\nq\n")
    assert "Lesson 1:" in said
    assert "Lesson 2:" in said
    assert [*ProgressFile(kept).load().of("me")] == ["way"]


def test_the_lessons_are_listed_with_how_far_one_is(run: Run, typed: Run, kept: Path) -> None:
    typed("way", "--progress", kept, "24/13\n")
    listed = run("course", "--list", "--progress", kept, "--language", "hu")
    assert "Merre mennek a bábuk (megy)" in listed
    assert listed.count("(új)") == 51


def test_a_lesson_is_played_on_the_board(frames: Path, run: Run, kept: Path) -> None:
    said = run("course", "opening_31", "--board", "board.toml", "--frames", frames, "--progress", kept)
    assert "Set up the position" in said
    assert "8/5 6/5 makes the 5-point" in said
    assert ProgressFile(kept).load().of("me")["opening_31"].last


def test_bad_input_is_one_sentence(run: Run, kept: Path) -> None:
    assert "There is no lesson" in run("course", "chess", "--progress", kept, status=2)
    assert "1 to 40 characters" in run("course", "--learner", "", "--progress", kept, status=2)
    assert "give --frames or --camera" in run("course", "--board", "b.toml", "--progress", kept, status=2)


def test_a_lesson_about_the_cube_is_set_up_on_the_board_and_answered_by_a_word(
    typed: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = lesson_named("last_take")
    film = test_exercise.filmed(tmp_path / "film", monkeypatch, (lesson.position, 8))
    watched = ("--board", "board.toml", "--frames", film, "--progress", kept)
    said = typed("last_take", *watched, "take\n")
    assert said.index("The position is set up.") < said.index("Take, or pass?") < said.index("Right.")
    assert ProgressFile(kept).load().of("me")["last_take"].last


def test_a_position_that_is_never_set_up_is_not_asked(
    typed: Run, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = test_exercise.filmed(tmp_path / "film", monkeypatch, (START, 8))
    said = typed("last_take", "--board", "b", "--frames", film, "--progress", kept, "take\n")
    assert "Take, or pass?" not in said
    assert not ProgressFile(kept).load().of("me")
