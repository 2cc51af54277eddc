"""`pointsman calibrate lights`, as the person who built the board types it."""

import io
import tomllib
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import pytest

from controller.cli.devices import lights as command
from controller.devices.lights.frame import PLACES
from controller.devices.lights.order import StripOrder, StripOrderError
from controller.vision.board.board import dump_board, load_board
from tests.calibration.test_lights import Table, shuffled
from tests.cli.conftest import Run
from tests.devices.test_lights import strip_order
from tests.firmware.board import Board
from tests.rows import each_row
from tests.vision.boards import learned


@pytest.fixture
def board_file(tmp_path: Path) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(dump_board(learned("board6")))
    return path


def test_asking_lights_the_lamps_of_the_board_and_writes_the_board_file(
    tmp_path: Path, board_file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{place}\n" for place in reversed(PLACES))))
    with Board(tmp_path) as board:
        run("calibrate", "lights", "--board", board_file, "--port", board.port, "--ask")
        kept = run("board", "settings", "--port", board.port)
    assert kept.startswith("lamps = 29\nstatus_lamp = 0\n")
    order = StripOrder.of_table(load_board(board_file.read_text(), "board.toml").lights or {}, "board.toml")
    assert order == strip_order(list(reversed(PLACES)))


def test_lamps_that_the_board_does_not_drive_yet_are_lit_too_and_kept(
    tmp_path: Path, board_file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [*["-"] * 4, *reversed(PLACES)]
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    with Board(tmp_path) as board:
        run("calibrate", "lights", "--board", board_file, "--port", board.port, "--ask", "--lamps", 33)
        kept = run("board", "settings", "--port", board.port)
    assert kept.startswith("lamps = 33\nstatus_lamp = 4\n")


class FakeProbe:
    """Lamps whose light falls on a picture file."""

    lamps = 29
    passed_over = 2

    def __init__(self, table: Table, file: Path) -> None:
        self.table, self.file = table, file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def keep(self, order: StripOrder) -> None: ...

    def shine(self, lamp: int | None) -> None:
        self.table.shine(lamp)
        encoded, data = cv2.imencode(".jpg", self.table.look(), [cv2.IMWRITE_JPEG_QUALITY, 92])
        assert encoded
        self.file.write_bytes(data.tobytes())


def test_a_camera_command_looks_at_the_lamps(
    tmp_path: Path,
    board_file: Path,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order, file = shuffled(8), tmp_path / "now.jpg"
    monkeypatch.setattr(command, "SETTLE_S", 0.0)
    monkeypatch.setattr(command, "_probe", lambda *_: FakeProbe(Table(order), file))
    run("calibrate", "lights", "--board", board_file, "--camera", f"cat {file}")
    assert tomllib.loads(board_file.read_text())["lights"] == order.table()


def test_a_camera_of_another_size_is_refused_before_anything_is_written(
    tmp_path: Path, board_file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, file = board_file.read_text(), tmp_path / "now.jpg"
    table = Table(StripOrder.as_delivered())
    table.base = table.base[:-40]
    monkeypatch.setattr(command, "SETTLE_S", 0.0)
    monkeypatch.setattr(command, "_probe", lambda *_: FakeProbe(table, file))
    said = run("calibrate", "lights", "--board", board_file, "--camera", f"cat {file}", status=2)
    assert "the board was calibrated with" in said
    assert board_file.read_text() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "either looked at or asked for"),
        (["--ask", "--camera", "true"], "either looked at or asked for"),
        (["--camera", "'"], "is no command that takes a picture"),
        (["--ask", "--port", "/dev/spidev99.0"], "/dev/spidev99.0 cannot be opened"),
        (["--ask", "--brightness", "7"], "give a number from 0 to 1"),
    ],
)
def test_bad_input_is_one_sentence(board_file: Path, run: Run, arguments: list[str], told: str) -> None:
    said = run("calibrate", "lights", "--board", board_file, *arguments, status=2)
    assert told in said
    assert said.count("\n") == 1


def test_a_board_that_is_not_there_is_told_with_the_remedy(
    tmp_path: Path, board_file: Path, run: Run
) -> None:
    port = tmp_path / "nothing"
    said = run("calibrate", "lights", "--board", board_file, "--port", port, "--ask", status=2)
    assert f"There is no {port}. Plug the board in" in said


@each_row(
    ("change", "told"),
    [
        (
            {"point-7": 5},
            r"my\.toml: lights\.point-7 = 5 is the lamp of lights\.point-5 already; .*calibrate lights",
        ),
        ({"point-7": 40}, r"my\.toml: lights\.point-7 = 40 is out of range; .*calibrate lights"),
        ({"point-7": -1}, r"my\.toml: lights\.point-7 = -1 is out of range"),
        ({"point-25": 33}, r"my\.toml: lights\.point-25 is no place; .*calibrate lights"),
        ({"tray-dark": None}, r"my\.toml: lights\.tray-dark is missing; .*calibrate lights"),
    ],
)
def test_an_order_that_cannot_be_names_file_key_and_remedy(change: dict[str, int | None], told: str) -> None:
    table = {**StripOrder.as_delivered().table(), **change}
    with pytest.raises(StripOrderError, match=told):
        StripOrder.of_table({key: lamp for key, lamp in table.items() if lamp is not None}, "my.toml")
