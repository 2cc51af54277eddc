"""The self-test of camera, board file, and the board in the pictures."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.config.config import Config, parse_config
from controller.devices.camera.camera import Wish
from controller.devices.camera.status import CameraCode, CameraStatus
from controller.devices.pictures import encode_jpeg, load_picture
from controller.doctor import sight
from controller.doctor.finding import Finding, State
from controller.vision.board.board import Board, dump_board
from controller.vision.fitted.last_layer import LastLayer
from tests.devices.cameras import SIZE, Sender, at_rest, noise
from tests.devices.other_program import other_program
from tests.vision.boards import DATA, learned

NAME = "board1"
FRAME = DATA / "board1_002.jpg"
OK = CameraStatus(CameraCode.OK, "eye", {"size": "1x1"})


@pytest.fixture(scope="module")
def board() -> Board:
    return learned(NAME)


def configured(folder: Path, text: str = "") -> Config:
    return parse_config(text, "table.toml", folder)


def with_board(folder: Path, board: Board, text: str = "") -> Config:
    (folder / "board.toml").write_text(dump_board(board))
    return configured(folder, text)


def sees(picture: Picture | None, *, code: str = "ok") -> sight.WatchCamera:
    told = OK if code == "ok" else CameraStatus(CameraCode.ABSENT, "eye")
    return lambda _: sight.Watched(told, 45, 3.0, picture)


def watch(wish: Wish) -> sight.Watched:
    """Watch a camera for as many looks as half a second has pictures, however long a busy machine takes for them."""
    return sight.watch(wish, seconds=0.5, clock=count(0.0, 0.02).__next__)


def by_name(findings: list[Finding]) -> dict[str, Finding]:
    found = {finding.name: finding for finding in findings}
    assert len(found) == len(findings)
    return found


def test_a_table_in_order_is_told_so(tmp_path: Path, board: Board) -> None:
    found = by_name(list(sight.sight(with_board(tmp_path, board), sees(load_picture(FRAME)))))
    assert set(found) == {
        "board file",
        "camera",
        "pictures",
        "brightness",
        "board in sight",
        "sharpness",
        "reading",
    }
    slow = {"reading"}
    assert {name for name, each in found.items() if each.state is not State.OK} <= slow
    assert "moved by" in found["board in sight"].measured


def test_dice_that_an_older_version_learned_too_small_are_to_be_shown_again(
    tmp_path: Path, board: Board
) -> None:
    loose = LastLayer.from_weights("0123", np.zeros((7, 3)), 0.01)
    size = board.camera.width // 3, board.camera.height // 3
    small = replace(board, camera=board.camera.resized(*size), dice=loose)
    own = by_name(list(sight.sight(with_board(tmp_path, small), sees(noise(1, size)))))["own dice"]
    assert own.state is State.WARN
    assert "an older version learned them" in own.measured
    assert own.remedy.startswith("Show the dice again")


def test_without_a_board_file_the_remedy_is_how_to_make_one(tmp_path: Path) -> None:
    found = by_name(list(sight.sight(configured(tmp_path), sees(noise(1)))))
    assert found["board file"].state is State.FAIL
    assert "pointsman calibrate board" in found["board file"].remedy
    assert found["board in sight"].state is State.ABSENT
    assert found["camera"].state is State.OK


@pytest.mark.parametrize("content", [b"format = 99", b"\xff\xfe", b"[[["])
def test_a_board_file_that_is_none_fails(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "board.toml").write_bytes(content)
    found, board = sight.board_file(configured(tmp_path))
    assert found.state is State.FAIL
    assert board is None
    assert "board.toml" in found.measured


def test_a_camera_that_does_not_work_is_told_with_its_own_remedy(tmp_path: Path, board: Board) -> None:
    found = by_name(list(sight.sight(with_board(tmp_path, board), sees(None, code="absent"))))
    assert found["camera"].state is State.FAIL
    assert found["camera"].measured == "There is no camera eye."
    assert found["camera"].remedy


def test_the_wrong_board_is_not_recognised(board: Board) -> None:
    size = (board.camera.width, board.camera.height)
    (found,) = sight.board_in_sight(noise(1, size), board)
    assert found.state is State.FAIL


def test_a_blurred_picture_is_told_as_such(board: Board) -> None:
    blurred = np.asarray(cv2.GaussianBlur(load_picture(FRAME), (0, 0), 6), np.uint8)
    (found,) = sight.board_in_sight(blurred, board)
    assert found.state is State.FAIL
    assert "Focus" in found.remedy


def test_a_picture_that_is_burnt_out_is_told_as_such(board: Board) -> None:
    bright = np.asarray(cv2.convertScaleAbs(load_picture(FRAME), alpha=2.6), np.uint8)
    (found,) = sight.board_in_sight(bright, board)
    assert found.state is State.FAIL
    assert "exposure" in found.remedy


def test_pictures_of_another_size_are_told_with_both(board: Board) -> None:
    (found,) = sight.board_in_sight(noise(1, (640, 480)), board)
    assert found.state is State.FAIL
    assert "640x480" in found.measured


def test_a_board_that_was_pushed_is_worth_a_look(board: Board) -> None:
    picture = load_picture(FRAME)
    scale = board.camera.width / 900.0
    shift = np.float32([[1, 0, 22 * scale], [0, 1, 0]])
    height, width = picture.shape[:2]
    pushed = np.asarray(
        cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    found = next(iter(sight.board_in_sight(pushed, board)))
    assert found.state in (State.WARN, State.FAIL)


def test_slow_pictures_dark_ones_and_glare_are_told() -> None:
    watched = sight.Watched(OK, 6, 3.0, noise(1))
    assert sight.rate(watched, Wish(fps=15)).state is State.WARN
    assert sight.rate(replace(watched, count=44), Wish(fps=15)).state is State.OK
    assert sight.rate(replace(watched, count=0, seconds=0.0), Wish(fps=15)).state is State.WARN
    assert sight.brightness(noise(1)).state is State.OK
    assert sight.brightness(noise(1, level=60)).state is State.WARN
    glaring = noise(1)
    glaring[:80] = 255
    assert "mirrors" in sight.brightness(glaring).remedy


def test_a_real_stream_is_watched_and_let_go_of() -> None:
    with Sender() as sender:
        watched = watch(Wish(sender.address, SIZE))
    assert watched.status.code == "ok"
    assert watched.count > 2
    assert watched.seconds > 0.1
    assert watched.last is not None


def test_a_camera_that_a_match_is_using_is_not_touched(
    tmp_path: Path, board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touched(_: Wish) -> sight.Watched:
        raise AssertionError("it was opened")

    monkeypatch.setattr(sight, "DEVICES", tmp_path)
    monkeypatch.setattr(sight, "cameras", lambda: ())
    device = tmp_path / "media0"
    device.touch()
    for source in (str(device), "picamera2", "auto"):
        config = with_board(tmp_path, board, f"[camera]\nsource = '{source}'")
        with other_program(device) as process:
            found = by_name(list(sight.sight(config, touched)))
        assert found["camera"].state is State.WARN, source
        assert f"process {process}" in found["camera"].measured


def test_a_camera_that_repeats_itself_is_found_out() -> None:
    with Sender(repeat=True) as sender:
        watched = watch(Wish(sender.address, SIZE))
    assert watched.status.code == "frozen"


def test_a_camera_whose_pictures_come_incomplete_is_found_out(tmp_path: Path) -> None:
    with Sender(paint=at_rest) as sender:
        sender.cutting.set()
        text = f"[camera]\nsource = '{sender.address}'\nwidth = {SIZE[0]}\nheight = {SIZE[1]}"
        found = by_name(list(sight.sight(configured(tmp_path, text))))
    assert found["camera"].state is State.FAIL
    assert "incomplete" in found["camera"].measured
    assert found["camera"].remedy


def test_a_film_as_the_camera_is_read_like_any_other(tmp_path: Path, board: Board) -> None:
    (tmp_path / "film").mkdir()
    for number in range(2):
        (tmp_path / "film" / f"{number}.jpg").write_bytes(encode_jpeg(load_picture(FRAME), 5000, 95))
    text = f"[camera]\nsource = '{tmp_path / 'film'}'"
    found = by_name(list(sight.sight(with_board(tmp_path, board, text))))
    assert found["camera"].state is State.OK
    assert "pictures" not in found
    assert found["board in sight"].state is State.OK


def test_a_camera_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    config = configured(tmp_path, "[camera]\nsource = '/dev/video97'")
    found = by_name(list(sight.sight(config)))
    assert found["camera"].state is State.FAIL
    assert "/dev/video97" in found["camera"].measured
