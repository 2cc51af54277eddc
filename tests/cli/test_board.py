"""`pointsman board settings`, and what `pointsman run` has the real chip keep."""

import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import pytest

from controller.config import load_config
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged
from controller.devices.link.link import Link
from controller.devices.link.messages import BoardSettings
from controller.doctor.finding import State
from controller.doctor.reports import reports
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import EVENTS, JOURNAL, NAME
from controller.vision.board.board import dump_board
from tests.cli.conftest import Run
from tests.cli.test_run import begun, ended, matches_of
from tests.firmware.board import Board
from tests.vision.test_film import board as film_board
from tests.vision.test_film import shot

DELIVERED = (
    "lamps = 29\nstatus_lamp = 28\nlimit_ma = 500\nmax_brightness = 255\ndebounce_ms = 8\nwhite = no\n"
)


@pytest.fixture
def chip(tmp_path: Path) -> Iterator[Board]:
    with Board(tmp_path) as chip:
        yield chip


def until(come_true: Callable[[], bool]) -> None:
    """Wait for something, however slow the machine is."""
    end = time.monotonic() + 120
    while not come_true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def test_what_the_board_keeps_is_shown_and_nothing_is_taken_from_it(chip: Board, run: Run) -> None:
    assert run("board", "settings", "--port", chip.port) == DELIVERED
    chip.press(Button.PAUSE)
    assert run("board", "settings", "--port", chip.port) == DELIVERED
    came: list[BoardEvent] = []
    with Link(chip.port, host_session=77, deliver=came.append):
        until(lambda: any(event.what == ButtonChanged(Button.PAUSE, True) for event in came))


def test_settings_are_changed_and_outlive_a_power_cut(chip: Board, run: Run) -> None:
    at = ("board", "settings", "--port", chip.port)
    told = run(*at, "--limit-ma", 100, "--lamps", 30, "--status-lamp", 14, "--debounce-ms", 20)
    assert (
        told
        == "lamps = 30\nstatus_lamp = 14\nlimit_ma = 100\nmax_brightness = 255\ndebounce_ms = 20\nwhite = no\n"
    )
    chip.wait(0.1)
    chip.do("power")
    assert run(*at) == told
    none = run(*at, "--status-lamp", "none", "--max-brightness", 90)
    assert (
        none
        == "lamps = 30\nstatus_lamp = none\nlimit_ma = 100\nmax_brightness = 90\ndebounce_ms = 20\nwhite = no\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--limit-ma", 99], "--limit-ma: 99 is not between 100 and 2500"),
        (["--debounce-ms", 51], "--debounce-ms: 51 is not between 1 and 50"),
        (["--lamps", 41], "--lamps: 41 is not between 0 and 40"),
        (["--status-lamp", "28a"], "--status-lamp is '28a'; give the lamp's number"),
        (["--status-lamp", 29], "The status lamp 29 is none of the board's lamps 0 to 28"),
        (["--lamps", 20], "The status lamp 28 is none of the board's lamps 0 to 19"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_changes_nothing(
    chip: Board, run: Run, arguments: list[object], said: str
) -> None:
    refused = run("board", "settings", "--port", chip.port, *arguments, status=2)
    assert said in refused
    assert refused.count("\n") == 1
    assert run("board", "settings", "--port", chip.port) == DELIVERED


def test_a_board_that_is_not_there_is_told_with_the_remedy(tmp_path: Path, run: Run) -> None:
    port = tmp_path / "nothing"
    assert f"There is no {port}. Plug the board in" in run("board", "settings", "--port", port, status=2)


CONFIG = """
[camera]
source = "{film}"
[board]
port = "{port}"
[dice]
source = "board"
[lights]
limit_ma = 100
[web]
use = false
[match]
light = "Anna"
dark = "Béla"
"""


@pytest.fixture
def table(tmp_path: Path, chip: Board) -> Path:
    """The configuration of a table with this board, whose camera is a film of checkers that are set up."""
    film = tmp_path / "film"
    film.mkdir()
    for number in range(40):
        assert cv2.imwrite(str(film / f"{number:05d}.jpg"), shot(number % 2))
    (tmp_path / "board.toml").write_text(dump_board(film_board()))
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(film=film, port=chip.port))
    return config


def test_a_running_table_has_the_board_keep_the_configured_limit_also_a_new_one(
    table: Path, chip: Board, run: Run
) -> None:
    running = begun(table, "answers")
    until(lambda: set(chip.do("leds")) != {"0"})
    ended(running, signal.SIGTERM)
    assert run("board", "settings", "--port", chip.port) == DELIVERED.replace("500", "100")
    assert BoardSettings().limit_ma == 500


def test_a_press_that_a_power_cut_swallowed_is_told_journalled_and_the_roll_asked_for_again(
    table: Path, chip: Board, run: Run
) -> None:
    running = begun(table, "Opening roll")
    chip.do("unplug")
    chip.press(Button.ROLL)
    chip.do("power")
    chip.do("replug")
    assert running.stdout is not None
    said = ""
    for line in running.stdout:
        said += line
        if "please roll again" in line:
            break
    assert "The electronics were without power. What they had not reported yet is lost" in said
    (folder,) = matches_of(table)
    chip.press(Button.ROLL)
    until(lambda: "opening_roll" in (folder / EVENTS).read_text() or "tie" in (folder / EVENTS).read_text())
    ended(running, signal.SIGTERM)
    notes = [line for line in (folder / EVENTS).read_text().splitlines() if '"board_trouble"' in line]
    assert len(notes) == 1
    assert '"trouble": "power_cut"' in notes[0]
    with Journal(folder / JOURNAL, read_only=True) as journal:
        inputs = [event.payload for event in journal.events(NAME) if event.kind == "input"]
    assert [each["trouble"] for each in inputs if each["input"] == "board_troubled"][-1] == "power_cut"
    reported = reports(load_config(table))
    assert (reported.state, reported.measured) == (State.WARN, "in the newest match power_cut: 1")
    assert "please do it again" in reported.remedy
    run("journal", "check", folder)
    run("journal", "rescue", folder, "--out", folder.parent / "rescued.db")
    lines = folder.parent / "lines.jsonl"
    lines.write_text(run("journal", "inputs", folder))
    again = run("referee", lines)
    assert again.count('"message": "board_trouble"') == again.count('"message": "roll_again"') == 1
