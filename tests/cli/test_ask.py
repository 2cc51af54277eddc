"""`pointsman ask`, as a learner types it, about a picture of a real board and about boards that are no position."""

import io
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import pytest

from controller.analysis.quiz import Quiz
from controller.cli.learning import ask as command
from controller.devices.pictures import load_picture
from controller.messages.catalogue import LANGUAGES
from controller.rules import START, Position
from controller.vision.reading import DieSeen, Reading
from tests.calibration.pictures import corner_words, corners
from tests.cli.conftest import Run
from tests.referee.staging import Film
from tests.striped import BOARD, picture_of

FRAMES = Path(__file__).parents[1] / "data" / "game" / "frames"


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Reading]:
    """What the reader makes of every picture: the last one that is put in."""
    readings = [Film(Random(1)).read(START)]
    monkeypatch.setattr(command, "read_board", lambda *_: readings[-1])
    monkeypatch.setattr(command, "read_board_file", lambda _: BOARD)
    return readings


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Asks about a picture with these lines typed, the last argument."""
    picture = tmp_path / "board.png"
    assert cv2.imwrite(str(picture), picture_of(1))

    def command(*arguments: object, status: int = 0) -> str:
        *options, lines = arguments
        monkeypatch.setattr("sys.stdin", io.StringIO(str(lines)))
        return run("ask", "--board", "board.toml", picture, *options, status=status)

    return command


@pytest.mark.usefixtures("shown")
def test_what_is_not_seen_is_asked_and_the_play_is_compared_with_the_best_three(ask: Run) -> None:
    said = ask("nobody\nlight\n99\n31\n13/9\n")
    assert "nobody is no side" in said
    assert "99 is no roll" in said
    assert "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10" in said
    assert "Light plays 3-1." in said
    assert "It gives up 0." in said
    assert "  1. 8/5 6/5 " in said
    assert "  3. " in said
    assert "  4. " not in said
    assert "Better was 8/5 6/5" in said.splitlines()[-1]


def test_dice_that_lie_on_the_board_are_taken_with_whose_they_are(shown: list[Reading], ask: Run) -> None:
    dice = tuple(DieSeen(value, 9.0 * value, 1.0, 0.99, owner="dark") for value in (6, 1))
    shown.append(replace(shown[0], dice=dice))
    said = ask("13/7 13/11\n13/7 8/7\n")
    assert "Dark plays 6-1." in said
    assert "which the roll 6-1 does not allow" in said
    assert "That is the best." in said


@pytest.mark.usefixtures("shown")
def test_an_illegal_play_and_what_is_no_play_are_explained_and_asked_again(ask: Run) -> None:
    said = ask("--side", "light", "--dice", "31", "8/4 6/5\nnonsense\n?\n")
    assert "which the roll 3-1 does not allow" in said
    assert "cannot be read as a play: nonsense" in said
    assert "A good play" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_asked_and_answered_in_every_language(shown: list[Reading], ask: Run, language: str) -> None:
    said = ask("--side", "light", "--dice", "31", "--play", "13/9", "--language", language, "")
    assert "1. 8/5 6/5" in said
    assert not shown[0].unsure


def test_a_board_that_is_no_position_is_told_with_its_points(shown: list[Reading], ask: Run) -> None:
    sixteen = Position.seen((*START.points[:3], 1, *START.points[4:]))
    shown.append(Film(Random(1)).read(sixteen))
    assert "16 checkers seem to lie on the board" in ask("", status=2)
    shown.append(replace(shown[0], unsure=frozenset({6, 13})))
    assert "6, 13. It is not certain" in ask("", status=2)


def test_where_nothing_can_be_played_there_is_nothing_to_ask(shown: list[Reading], ask: Run) -> None:
    shown.append(Film(Random(1)).read(Position.from_compact("CCCCB" + "." * 12 + "cbbbbbbA.")))
    assert "no legal play" in ask("--side", "light", "--dice", "31", "", status=2)


@pytest.mark.usefixtures("shown")
def test_it_is_kept_once_and_the_quiz_asks_it(
    ask: Run, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "quiz.json"
    options = ("--side", "light", "--dice", "31", "--keep", "--collection", kept)
    assert "Kept: the quiz asks" in ask(*options, "13/9\n")
    assert "already" in ask(*options, "?\n")
    (item,) = Quiz.load(kept).items.values()
    assert item.played == "13/9"
    assert item.answers[0].text == "8/5 6/5"
    monkeypatch.setattr("sys.stdin", io.StringIO("8/5 6/5\n"))
    assert "That is the best." in run("quiz", "--collection", kept)


@pytest.mark.usefixtures("shown")
def test_nobody_answers_and_nothing_happens(ask: Run) -> None:
    assert "The best plays" not in ask("q\n")
    assert "The best plays" not in ask("--side", "light", "q\n")


def test_a_picture_or_a_camera_is_named(shown: list[Reading], run: Run) -> None:
    assert shown
    assert "name one IMAGE, or give --camera" in run("ask", "--board", "board.toml", status=2)


def test_a_filmed_board_is_read_and_shared_as_a_drawing_and_as_a_straight_picture(
    run: Run, tmp_path: Path
) -> None:
    board, drawn, straight = (tmp_path / name for name in ("board.toml", "board.svg", "board.png"))
    images = [option for name in ("00000.jpg", "00001.jpg") for option in ("--image", FRAMES / name)]
    run("calibrate", "board", *images, *corner_words(corners("game")), "--out", board)
    shared = ("--drawing", drawn, "--picture", straight)
    said = run(
        "ask",
        "--board",
        board,
        FRAMES / "00030.jpg",
        *shared,
        "--side",
        "dark",
        "--dice",
        "22",
        "--play",
        "?",
    )
    assert "XGID=aA-a--FBB---cB--bcBb---ba-:0:0:-1:22:0:0:0:0:10" in said
    assert drawn.read_text().startswith("<svg")
    assert load_picture(straight).shape == (600, 805, 3)
