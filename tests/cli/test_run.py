"""``pointsman run`` as people start and end it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.doubts import list_doubts
from controller.record.table.match_folder import EVENTS, JOURNAL, MAT, NAME, OGXM
from controller.vision.board.board import dump_board
from tests.calibration.pictures import GAME
from tests.cli.conftest import Run
from tests.cli.interrupting import interrupt, is_sound
from tests.vision.test_film import board

CONFIG = """
[match]
light = "Anna"
dark = "Béla"
length = 3
[camera]
source = "{film}"
[board]
port = "none"
[dice]
source = "camera"
[web]
use = false
"""
PATIENCE_S = 180.0
ENV = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def test_without_a_board_file_it_says_how_to_make_one(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[web]\nuse = false\n")
    said = run("run", "--config", config, status=2)
    assert "board.toml" in said
    assert "calibrate board" in said


def test_a_configuration_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    assert "nowhere.toml" in run("run", "--config", tmp_path / "nowhere.toml", status=2)


def test_a_table_without_a_camera_keeps_no_empty_match(table: Path) -> None:
    table.write_text(CONFIG.format(film="nowhere.mp4"))
    running = begun(table, "nowhere.mp4: there is no such folder or video")
    said = ended(running, signal.SIGINT)
    assert running.returncode == 0, said
    assert "Nothing was played, so no match was kept." in said
    assert matches_of(table) == []


def test_a_damaged_board_file_is_told_and_the_set_up_page_can_find_the_board_anew(table: Path) -> None:
    board = table.with_name("board.toml")
    board.write_text(board.read_text()[:2000])
    running = begun(with_pages(table), "The set-up page does that, too")
    assert running.stdout is not None
    assert any("http://" in line for line in running.stdout)
    ended(running, signal.SIGINT)
    assert running.returncode == 0


def test_where_no_code_for_a_phone_can_be_kept_the_table_plays_without(table: Path) -> None:
    """As on a file system that can only be read."""
    table.with_name(".pointsman-code").mkdir()
    running = begun(with_pages(table), ".pointsman-code cannot be written")
    assert running.stdout is not None
    assert any("The checkers are set up" in line for line in running.stdout)
    ended(running, signal.SIGINT)
    assert running.returncode == 0


@pytest.mark.parametrize(("pages", "words"), [("false", "set up"), ("true", "gives pictures")])
def test_a_table_judges_before_anything_is_loaded_that_it_may_never_need(
    table: Path, pages: str, words: str
) -> None:
    settings = table.read_text()
    assert "use = false" in settings
    table.write_text(settings.replace("use = false", f"use = {pages}\nport = 0"))
    program = (
        "import json, os, sys\n"
        "from pathlib import Path\n"
        "import controller.cli.run as command\n"
        "def put(text):\n"
        "    if sys.argv[2] in text:\n"
        "        print(json.dumps(sorted(sys.modules)), flush=True)\n"
        "        os._exit(0)\n"
        "command.put = put\n"
        "command.run(Path(sys.argv[1]), False, False)\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, str(table), words],
        cwd=table.parent,
        env=ENV,
        check=True,
        stdout=subprocess.PIPE,
        timeout=PATIENCE_S,
    ).stdout
    loaded = set(json.loads(said))
    assert "controller.vision.reader" in loaded
    assert not loaded & {
        *("calibration", "controller.analysis", "controller.simulation", "controller.web.server"),
        *("argon2", "fastapi", "jinja2", "pydantic", "segno", "starlette", "uvicorn"),
        *("fsrs", "prompt_toolkit", "rich", "scipy"),
        *("aiomqtt", "gpiozero", "picamera2", "serial"),
    }


def matches_of(table: Path) -> list[Path]:
    """The folders of a table's matches; its key lies beside them."""
    return [path for path in (table.parent / "matches").iterdir() if path.is_dir()]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The configuration of a table whose camera is a film of a board that is set up."""
    film = tmp_path / "film"
    film.mkdir()
    for number in range(40):
        shutil.copy(GAME / "frames" / f"{number % 2:05d}.jpg", film / f"{number:05d}.jpg")
    (tmp_path / "board.toml").write_text(dump_board(board()))
    config = tmp_path / "table.toml"
    config.write_text(CONFIG.format(film=film))
    return config


def with_pages(config: Path) -> Path:
    """The configuration of the same table with its pages."""
    config.write_text(config.read_text().replace("use = false", "use = true\nport = 0"))
    return config


def begun(config: Path, words: str) -> "subprocess.Popen[str]":
    """A running table that has said these words."""
    command = [sys.executable, "-m", "controller", "run", "--config", str(config)]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=config.parent, env=ENV
    )
    assert running.stdout is not None
    said = ""
    for line in running.stdout:
        said += line
        if words in line:
            return running
    raise AssertionError(said)


def ended(running: "subprocess.Popen[str]", number: signal.Signals) -> str:
    """What a table says after a signal."""
    running.send_signal(number)
    said, _ = running.communicate(timeout=PATIENCE_S)
    return said


def test_a_film_as_the_camera_plays_once_with_its_gaps_and_its_end_is_told(table: Path) -> None:
    film = table.parent / "film"
    times = [number * 0.05 + (2.5 if number > 20 else 0.0) for number in range(40)]
    lines = [f'{{"file": "{number:05d}.jpg", "t": {t:.2f}}}' for number, t in enumerate(times)]
    (film / "times.jsonl").write_text("\n".join(lines))
    running = begun(table, "gives pictures")
    said, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, said
    assert said.count(f"End of the film {film}.") == 1
    assert "The camera" not in said


def test_a_table_whose_voice_is_switched_on_says_what_happens_through_the_program_that_is_named(
    table: Path,
) -> None:
    program, said = table.parent / "speak", table.parent / "said"
    program.write_text(f'#!/bin/sh\necho "$1: $(cat)" >> {said}\n')
    program.chmod(0o755)
    speech = f"[speech]\nuse = true\nsounds = false\ncommand = '{program} {{language}}'\nlanguage = 'hu'\n"
    table.write_text(table.read_text() + speech)
    running = begun(table, "set up")
    end = time.monotonic() + PATIENCE_S
    while not said.exists() or "hu: " not in said.read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    ended(running, signal.SIGINT)
    assert running.returncode == 0
    assert said.read_text().startswith("hu: A játszma száma: egy. A meccs hossza: három pont.")


def test_a_table_that_is_ended_in_any_way_goes_on_with_its_match(table: Path) -> None:
    running = begun(table, "The checkers are set up.")
    said = ended(running, signal.SIGTERM)
    assert running.returncode == 0, said
    (folder,) = matches_of(table)
    assert str(folder) in said
    assert {EVENTS, JOURNAL, MAT, OGXM} <= {path.name for path in folder.iterdir()}
    assert "game_begun" in (folder / EVENTS).read_text()
    again = begun(table, "goes on")
    ended(again, signal.SIGKILL)
    third = begun(table, "goes on")
    said = ended(third, signal.SIGINT)
    assert third.returncode == 0, said
    assert matches_of(table) == [folder]
    with Journal(folder / JOURNAL, read_only=True) as journal:
        record = read_match(journal, NAME)
    assert (record.light, record.dark, record.length, len(record.games)) == ("Anna", "Béla", 3, 1)


@pytest.mark.parametrize("way", ["HUP", "closed output", "STOP and CONT"])
def test_however_a_table_is_interrupted_it_neither_hangs_nor_loses_anything(table: Path, way: str) -> None:
    found = interrupt(table, way, Random(1))
    assert is_sound(found, 0), found


def test_a_table_without_standard_output_plays_and_ends_in_order(table: Path) -> None:
    command = f'exec "{sys.executable}" -m controller run --config "{table}" >&- 2>&-'
    running = subprocess.Popen(["/bin/sh", "-c", command], cwd=table.parent, env=ENV)
    matches = table.parent / "matches"
    while not any("game_begun" in path.read_text() for path in matches.glob("*/events.jsonl")):
        assert running.poll() is None
        time.sleep(0.1)
    running.terminate()
    assert running.wait(PATIENCE_S) == 0
    (folder,) = matches.glob("*/")
    assert list_doubts(folder / JOURNAL) == []
