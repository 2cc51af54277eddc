"""`pointsman calibrate board` and `pointsman read` as a user calls them."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.calibrate import Calibration
from controller.cli import main
from controller.cli.boards import reading_text
from controller.demo.preparing import random_table
from controller.errors import UserError
from controller.record.files.transcript import diagram
from controller.rules.position import START, Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.painter import Painter
from controller.vision.board.board import dump_board, load_board
from controller.vision.counting.counts import CheckerSet
from controller.vision.fitted.last_layer import LastLayer
from controller.vision.reader import reading_line
from controller.vision.reading import BoardDrift, Count, CubeSeen, DieSeen, Reading, ReflectionSeen
from tests.calibration.pictures import GAME, corner_words, corners
from tests.rows import each_row

START_1, START_2 = (str(GAME / "frames" / f"0000{n}.jpg") for n in (0, 1))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["pointsman", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    return code if isinstance(code, int) else 0


@pytest.fixture(scope="module")
def board_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("board") / "board.toml"
    with pytest.MonkeyPatch.context() as patch:
        assert (
            run(patch, "calibrate", "board", "--image", START_1, "--image", START_2, "--out", str(path)) == 0
        )
    return path


def painted(setting: Setting, position: str, path: Path, seed: int, each: int = 15) -> str:
    """A picture of a position, painted."""
    rng = np.random.default_rng(seed)
    scene = arrange(setting, Position.from_compact(position), rng, each=each, sloppiness=0.6)
    cv2.imwrite(str(path), Painter(setting).paint(scene, rng).picture)
    return str(path)


def test_a_board_learned_with_twelve_checkers_a_side_is_read_with_twelve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setting, board = random_table(24), str(tmp_path / "board.toml")
    start, later = "b....D.B...dD...b.d....B..", "b...BB.C...cC...c.bb...B.."
    shown = painted(setting, start, tmp_path / "start.png", 1, 12)
    seen = painted(setting, later, tmp_path / "later.png", 2, 12)
    lies = corner_words(setting.camera.project(setting.geometry.corners()))
    told = ("--image", shown, "--position", start, *lies, "--out", board)
    assert run(monkeypatch, "calibrate", "board", *told) == 0
    assert "12 checkers a side" in capsys.readouterr().err
    assert run(monkeypatch, "read", "--board", board, "--json", seen) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["points"] == list(Position.from_compact(later).points)
    assert line["off"] == line["bar"] == {"light": 0, "dark": 0}
    assert line["unsure"] == []
    assert run(monkeypatch, "read", "--board", board, seen) == 0
    text = capsys.readouterr().out
    assert " off 0O 0X" in text
    assert "XGID" not in text


@pytest.mark.parametrize(
    ("smaller", "told"), [(1, "is kept; pointsman calibrate dice --board {} --forget"), (4, "is left out")]
)
def test_a_board_that_is_learned_anew_says_what_became_of_its_dice(
    board_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    smaller: int,
    told: str,
) -> None:
    board, path = load_board(board_file.read_text(), "board"), tmp_path / "board.toml"
    size = board.camera.width // smaller, board.camera.height // smaller
    dice = LastLayer.from_weights("0123", np.zeros((7, 3)))
    path.write_text(dump_board(replace(board, camera=board.camera.resized(*size), dice=dice)))
    shown = ("--image", START_1, *corner_words(corners("game")))
    assert run(monkeypatch, "calibrate", "board", *shown, "--out", str(path)) == 0
    assert f"what was learned of the dice {told}".format(path) in capsys.readouterr().err
    assert load_board(path.read_text(), "board").dice == (dice if smaller == 1 else None)


def test_a_game_that_begins_with_an_empty_board_gives_no_start_to_learn_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "board.toml"
    named = ("--image", START_1, "--profile", "acey-deucey", "--out", str(board))
    assert run(monkeypatch, "calibrate", "board", *named) == 2
    assert "empty board; give --position" in capsys.readouterr().err
    assert not board.exists()


@pytest.mark.parametrize(
    ("arguments", "each"), [((), 15), (("--checkers", "13"), 13), (("--profile", "hypergammon"), 3)]
)
def test_the_number_of_checkers_is_that_of_the_game_or_as_named(
    arguments: tuple[str, ...], each: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = tmp_path / "board.toml"
    called = ("calibrate", "board", "--image", START_1, "--position", START.compact(), *arguments)
    monkeypatch.setattr("controller.cli.boards.calibrate_views", lambda *_, checkers: called_with(checkers))
    told: list[CheckerSet] = []

    def called_with(checkers: CheckerSet) -> Calibration:
        told.append(checkers)
        raise UserError("enough.")

    assert run(monkeypatch, *called, "--out", str(board)) == 2
    assert told == [CheckerSet(each)]


def test_read_answers_one_line_of_json_for_each_picture(
    board_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "read", "--board", str(board_file), "--json", START_1, START_2) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == [START_1, START_2]
    for line in lines:
        assert line["points"] == [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
        assert line["bar"] == line["off"] == {"light": 0, "dark": 0}
        assert line["dice"] == []
        assert line["hand"] is False
        assert len(line["point_confidence"]) == 24
        assert 0 < line["confidence"] <= 1
        assert line["ms"] > 0


def test_read_shows_the_board_as_text_with_its_xgid(
    board_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "read", "--board", str(board_file), START_1) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{START_1}: b....E.C...eE...c.e....B.. dice none, confidence ")
    assert lines[1:6] == [f"  {line}" for line in diagram(START).splitlines()]
    assert lines[6].split("; ")[-1] == "no dice seen"
    assert lines[7].strip() == "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 (if Light is on roll)"


def test_what_is_unsure_is_marked_and_dice_tell_whose_they_are() -> None:
    cube = CubeSeen(4, "dark")
    dice = (DieSeen(3, 0, 0, owner="dark"), DieSeen(1, 9, 9, cocked=True, owner="dark"))
    off = Count(0, 0)
    seen = Reading(
        START.points, off, off, dice, cube, True, 0.9, (1.0,) * 24, frozenset({6}), frozenset(), (), {}
    )
    text = reading_text("x.jpg", seen)
    assert " 5O?" in text
    assert "not sure of 6" in text
    assert "cube 4, Dark's; dice 3 (Dark), 1 (Dark) cocked" in text
    assert "something covers part of the board" in text
    assert text.endswith("XGID=-b----E-C---eE---c-e----B-:2:-1:-1:31:0:0:0:0:10")


@each_row(
    "light, uneven, cause",
    [
        (0.17, 0.3, "much less light than at the calibration: give more light"),
        (0.21, 0.02, None),
        (0.8, 0.3, "light and shadow fall otherwise than at the calibration: light the board evenly"),
        (0.8, 0.02, None),
    ],
)
def test_light_that_makes_points_unsure_is_named_with_its_remedy(
    light: float, uneven: float, cause: str | None
) -> None:
    off, drift = Count(0, 0), BoardDrift(0.0, 0.0, 0.0, (light, light, light), 0.5, uneven=uneven)
    seen = Reading(
        START.points,
        off,
        off,
        (),
        None,
        False,
        0.9,
        (1.0,) * 24,
        frozenset({6}),
        frozenset(),
        (),
        {},
        drift=drift,
    )
    text, sure = reading_text("x.jpg", seen), reading_text("x.jpg", replace(seen, unsure=frozenset()))
    assert (cause in text) if cause else ("light" not in text)
    assert "at the calibration" not in sure


def test_what_may_hide_a_die_is_named() -> None:
    off = Count(0, 0)
    clear = Reading(
        START.points, off, off, (), None, False, 0.9, (1.0,) * 24, frozenset(), frozenset(), (), {}
    )
    seen = replace(clear, dice=(DieSeen(3, 0, 0),), reflection=ReflectionSeen(860.34, 381.2, 8))
    assert "A reflection near point 8 may hide it: move the lamp or the dice." in reading_text("x.jpg", seen)
    told = {"code": "reflection", "point": 8, "x": 860.3, "y": 381.2}
    assert json.loads(reading_line("x.jpg", seen, 40.0))["die_missing"] == told
    assert "die_missing" not in json.loads(reading_line("x.jpg", clear, 40.0))


def test_too_many_checkers_have_no_xgid() -> None:
    off = Count(0, 0)
    points = (1, *START.points[1:])
    seen = Reading(points, off, off, (), None, False, 0.9, (1.0,) * 24, frozenset(), frozenset(), (), {})
    assert "XGID" not in reading_text("x.jpg", seen)


def test_read_draws_what_it_saw(board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (
        run(monkeypatch, "read", "--board", str(board_file), "--debug", str(tmp_path / "seen"), START_1) == 0
    )
    assert cv2.imread(str(tmp_path / "seen" / "00000.png")).shape == (540, 960, 3)


def test_a_picture_that_is_none_does_not_keep_the_others_from_being_read(
    board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture at all")
    assert run(monkeypatch, "read", "--board", str(board_file), "--json", str(broken), START_1) == 2
    answer = capsys.readouterr()
    assert len(answer.out.splitlines()) == 1
    assert answer.err.count("\n") == 1
    assert "broken.jpg is not a picture" in answer.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--image", "nowhere.jpg"], "nowhere.jpg: there is no such file"),
        (["--image", START_1, "--corners", "1,2,3"], "--corners '1,2,3' is not eight numbers"),
        (["--image", START_1, "--corners", "1,1,1,1,1,1,1,1"], "do not make a board"),
        (["--image", START_1, "--position", "xyz"], "26 characters"),
        (["--image", START_1, *(["--position", "b....E.C...eE...c.e....B.."] * 2)], "given 2 times for 1"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_no_board_file(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, "calibrate", "board", *arguments, "--out", str(tmp_path / "board.toml")) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_picture_without_a_board_is_refused_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, debug = tmp_path / "table.png", tmp_path / "seen.png"
    assert cv2.imwrite(str(empty), np.full((360, 480, 3), 90, np.uint8))
    out = tmp_path / "board.toml"
    arguments = ["--image", str(empty), "--debug", str(debug), "--out", str(out)]
    assert run(monkeypatch, "calibrate", "board", *arguments) == 2
    assert "table.png: no board with this position" in capsys.readouterr().err
    assert debug.exists()
    assert not out.exists()


def test_a_board_file_of_another_version_is_refused_by_name(
    board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "old.toml"
    other.write_text(board_file.read_text().replace("format = ", "format = 9"))
    assert run(monkeypatch, "read", "--board", str(other), START_1) == 2
    assert "old.toml has format" in capsys.readouterr().err


def test_a_picture_of_another_size_is_refused_by_name(
    board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = tmp_path / "small.png"
    assert cv2.imwrite(str(small), np.zeros((270, 480, 3), np.uint8))
    assert run(monkeypatch, "read", "--board", str(board_file), str(small)) == 2
    error = capsys.readouterr().err
    assert "small.png" in error
    assert "480x270" in error


def spoilt(kind: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture of the right size that shows no board that could be read."""
    picture = np.asarray(cv2.imread(START_1), np.uint8)
    if kind == "black":
        return np.zeros_like(picture)
    if kind in ("bright", "glaring"):
        return np.asarray(cv2.convertScaleAbs(picture, alpha=3.2 if kind == "bright" else 4), np.uint8)
    if kind == "noise":
        return np.random.default_rng(2).integers(0, 255, picture.shape).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 7), np.uint8)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("black", "the calibrated board is not seen"),
        ("noise", "the calibrated board is not seen"),
        ("blurred", "too blurred"),
        ("bright", "too bright to be read; lower the exposure"),
        ("glaring", "too bright to be read; lower the exposure"),
    ],
)
def test_a_picture_of_something_else_is_refused_and_the_others_are_read(
    kind: str,
    said: str,
    board_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    bad = tmp_path / f"{kind}.png"
    assert cv2.imwrite(str(bad), spoilt(kind))
    assert run(monkeypatch, "read", "--board", str(board_file), "--json", str(bad), START_1) == 2
    answer = capsys.readouterr()
    assert [json.loads(line)["file"] for line in answer.out.splitlines()] == [START_1]
    assert answer.err.count("\n") == 1
    assert said in answer.err
    assert bad.name in answer.err


def test_a_grey_picture_is_never_sworn_to_wrongly(
    board_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = tmp_path / "grey.png"
    assert cv2.imwrite(str(grey), cv2.imread(START_1, cv2.IMREAD_GRAYSCALE))
    run(monkeypatch, "read", "--board", str(board_file), "--json", str(grey))
    for line in map(json.loads, capsys.readouterr().out.splitlines()):
        true = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
        assert {p for p in range(1, 25) if line["points"][p - 1] != true[p - 1]} <= set(line["unsure"])


# --- with the table's own camera ---------------------------------------------------------------------------


def configure(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str = str(GAME / "frames")) -> None:
    """Let a film stand for the camera of a table that is configured in a folder, and go there."""
    source = str(Path(source).resolve()) if Path(source).exists() else source
    (folder / "pointsman.toml").write_text(f'[camera]\nsource = "{source}"\n')
    monkeypatch.chdir(folder)


def test_a_snapshot_is_the_picture_that_run_would_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = cv2.imread(START_1)
    configure(tmp_path, monkeypatch)
    assert run(monkeypatch, "snapshot", "--out", "now.png") == 0
    assert np.array_equal(cv2.imread("now.png"), expected)
    assert capsys.readouterr().out == "Wrote now.png, 960x540 pixels.\n"


def test_a_snapshot_never_writes_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, monkeypatch)
    Path("now.png").write_text("mine")
    assert run(monkeypatch, "snapshot", "--out", "now.png") == 2
    assert "now.png is there already and is not written over" in capsys.readouterr().err
    assert Path("now.png").read_text() == "mine"
    assert run(monkeypatch, "snapshot") == 0
    assert len(list(tmp_path.glob("snapshot-*.png"))) == 1


def test_without_a_camera_there_is_one_sentence_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, monkeypatch, "/dev/video97")
    for arguments in (["snapshot"], ["calibrate", "board", "--camera"]):
        assert run(monkeypatch, *arguments) == 2
        told = capsys.readouterr().err.splitlines()[-1]
        assert told.startswith("pointsman: There is no camera /dev/video97.")
    assert [path.name for path in tmp_path.iterdir()] == ["pointsman.toml"]


def test_a_soft_picture_is_taken_and_the_remedy_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "film"
    film.mkdir()
    assert cv2.imwrite(str(film / "0.png"), cv2.GaussianBlur(cv2.imread(START_1), (0, 0), 4))
    configure(tmp_path, monkeypatch, str(film))
    assert run(monkeypatch, "snapshot", "--out", "now.png") == 0
    assert "the picture is not sharp; focus the camera" in capsys.readouterr().err


def test_a_board_is_learned_with_the_camera_and_the_older_file_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    configure(tmp_path, monkeypatch)
    Path("board.toml").write_text("an older one")
    assert run(monkeypatch, "calibrate", "board", "--camera") == 0
    told = capsys.readouterr().err
    assert "kept as board-1.toml" in told
    assert "wrote board.toml" in told
    assert Path("board-1.toml").read_text() == "an older one"
    assert (
        run(monkeypatch, "read", "--board", "board.toml", str(GAME.resolve() / "frames" / "00000.jpg")) == 0
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give --image FILE, or --camera and no --image"),
        (["--image", "a.jpg", "--camera"], "give --image FILE, or --camera and no --image"),
        (["--image", "a.jpg"], "--out is missing"),
        (["--camera", "nowhere.mp4"], "nowhere.mp4"),
    ],
)
def test_pictures_or_a_camera_but_not_both(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "calibrate", "board", *arguments) == 2
    assert said in capsys.readouterr().err
