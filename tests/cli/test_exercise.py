"""`pointsman exercise`, as a learner types it; what the pictures show is scripted."""

import json
from functools import partial
from pathlib import Path
from random import Random

import cv2
import pytest

from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.cli.learning import exercise as command
from controller.devices.lights.frame import LightFrame, Signal
from controller.rules.position import START, Position, Side
from controller.vision.board.board import Board
from controller.vision.reading import Reading
from tests.cli.conftest import Run
from tests.referee.staging import Film
from tests.striped import BOARD, number_in, picture_of

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
NO_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
POINT = Position.from_compact("b...BD.B...eE...c.e....B..")


def filmed(folder: Path, monkeypatch: pytest.MonkeyPatch, *lying: tuple[Position, int]) -> Path:
    """A film in which positions stand one after the other, each in so many pictures; the reader knows them."""
    film, lines = Film(Random(1)), []
    by_stripes = {number: film.read(position) for number, (position, _) in enumerate(lying, start=1)}
    shown = [number for number, (_, count) in enumerate(lying, start=1) for _ in range(count)]
    folder.mkdir()
    for number, stripes in enumerate(shown):
        name = f"{number:05d}.png"
        assert cv2.imwrite(str(folder / name), picture_of(stripes))
        lines.append(json.dumps({"file": name, "t": number * 0.5}))
    (folder / "times.jsonl").write_text("\n".join(lines))

    def read(picture: Picture, _: Board) -> Reading:
        return by_stripes[number_in(picture)]

    monkeypatch.setattr(command, "Eyes", partial(Eyes, read=read))
    monkeypatch.setattr(command, "read_board_file", lambda _: BOARD)
    return folder


@pytest.fixture
def frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A film in which the position stands and the five-point is made."""
    return filmed(tmp_path / "frames", monkeypatch, (START, 4), (POINT, 12))


def test_a_film_of_an_exercise_is_followed_to_its_judgement(frames: Path, run: Run) -> None:
    told = run("exercise", XGID, "--board", "board.toml", "--frames", frames, "--engine", "none")
    said = told.splitlines()
    assert said[0].startswith("Set up the position")
    assert said[1] == "The position is set up."
    assert said[2].startswith("Light plays 3-1.")
    assert said[3] == "Light, 3-1: 8/5 6/5 is legal."


def test_without_lamps_each_point_is_named_as_the_player_counts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lights = command._WrittenLights("en", Side.DARK)
    lights.show(LightFrame().lit(Signal.TAKE, [6]))
    lights.show(LightFrame().lit(Signal.TAKE, [6]))
    assert capsys.readouterr().err == "  Take a checker away: 19.\n"


def test_the_words_are_in_the_learners_language(frames: Path, run: Run) -> None:
    told = run(
        "exercise",
        NO_ROLL,
        "--dice",
        "13",
        "--board",
        "b",
        "--frames",
        frames,
        "--engine",
        "none",
        "--language",
        "hu",
    )
    assert "8/5 6/5 szabályos." in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((XGID, "--frames", "f", "--camera", "auto"), "give --frames or --camera"),
        ((XGID,), "give --frames or --camera"),
        ((NO_ROLL, "--frames", "f"), "give it with --dice"),
        ((XGID, "--frames", "f", "--dice", "77"), "--dice 77 is no roll"),
        ((XGID, "--frames", "f", "--hint", "4"), "--hint 4 is not possible"),
        ((XGID, "--frames", "f", "--plies", "9"), "--plies 9 is not possible"),
        (("XGID=nonsense", "--frames", "f"), "fields"),
    ],
)
def test_bad_input_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "read_board_file", lambda _: BOARD)
    assert sentence in run("exercise", *arguments, "--board", "board.toml", status=2)
