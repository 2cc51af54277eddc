"""What `pointsman demo` answers to what it cannot do; whole demos are in tests/demo and tests/long."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from controller.cli.demo import has_display
from controller.errors import UserError
from tests.cli.conftest import Run
from tests.rows import each_row

ROOT = Path(__file__).parents[2]
MAKEFILE = ROOT / "Makefile"
SHOWN = "ILLEGAL, corrected: "


@each_row(
    ("arguments", "named"),
    [
        (("--headless", "--faults", "earthquake"), "earthquake"),
        (("--headless", "--profile", "no-such-rules"), "no-such-rules"),
        (("--headless", "--profile", "standard-money", "--length", "5"), "standard-money"),
        (("--headless", "--language", "xx"), "xx"),
        (("--headless", "--games", "0"), "games"),
        (("--headless", "--pictures", "/proc/no/such"), "/proc/no/such"),
        (("--web", "--headless"), "--headless goes not with --web"),
        (("--web", "--speed", "0"), "--speed 0"),
        (("--web", "--faults", "power"), "power"),
        (("--play", "light"), "--play goes only with --web"),
        (("--port", "0", "--headless"), "--port goes only with --web"),
        (("--tour", "--headless"), "--headless goes not with --web"),
        (("--tour", "--play", "light"), "--play goes not with --tour"),
        (("--tour", "--profile", "standard-money"), "--profile goes not with --tour"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_exit_2(
    arguments: tuple[str, ...], named: str, run: Run
) -> None:
    assert named in run("demo", *arguments, status=2)


def test_the_first_illegal_play_stands_within_the_first_ten_lines_of_make_demo(tmp_path: Path) -> None:
    seed = re.search(r"^SEED := (\d+)$", MAKEFILE.read_text(), re.MULTILINE)
    assert seed is not None
    command = [sys.executable, "-m", "controller", "demo", "--headless", "--cheat", "3", "--seed", seed[1]]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        assert running.stdout is not None
        first = []
        while len(first) < 10 and not any(SHOWN in line for line in first):
            first.append(running.stdout.readline())
        running.send_signal(signal.SIGINT)
        running.communicate()
    assert SHOWN in first[-1], first


def test_help_names_every_option(run: Run) -> None:
    told = run("demo", "--help")
    for option in (
        "--headless",
        "--games",
        "--seed",
        "--speed",
        "--cheat",
        "--out",
        "--faults",
        "--web",
        "--tour",
        "--port",
        "--log-level",
    ):
        assert option in told


def test_what_goes_wrong_in_it_stands_in_the_log_beside_its_matches(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(seed: int) -> None:
        logging.getLogger("controller.demo").debug("Board %d cannot be painted.", seed)
        raise UserError("no board")

    monkeypatch.setattr("controller.cli.demo.prepare", fail)
    for level, written in (("info", False), ("debug", True)):
        out = tmp_path / level
        run("demo", "--headless", "--twin", "--seed", 7, "--out", out, "--log-level", level, status=2)
        log = out / "pointsman.log"
        assert (log.exists() and "Board 7 cannot be painted." in log.read_text()) is written


def test_the_pages_of_a_simulated_table_are_at_the_address_of_the_first_line_until_ctrl_c(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-m", "controller", "demo", "--web", "--port", "0", "--seed", "1", "--twin"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        lines = iter(running.stdout.readline, "")
        assert any("rolled" in line for line in lines)
        with urlopen(f"{address}api/v1/state") as answer:
            state = json.load(answer)["state"]
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate()
    assert state["room"] == "playing"
    assert state["match"]["light"] == "Anna"
    assert running.returncode == 0
    assert "Traceback" not in complaints
    assert [path.name for path in tmp_path.glob("*/match.mat")] == ["match.mat"]


def test_without_options_a_browser_is_opened_where_people_are_shown_round(tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    browser.chmod(0o755)
    told = {**os.environ, "DISPLAY": ":99", "BROWSER": f"{browser} %s", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-m", "controller", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=told,
    ) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        while not opened.exists():
            assert running.poll() is None
            time.sleep(0.05)
        with urlopen(f"{address}api/v1/state") as answer:
            demo = json.load(answer)["state"]["demo"]
        running.send_signal(signal.SIGINT)
        _, complaints = running.communicate()
    assert opened.read_text().strip() == address
    assert "about to cheat" in demo["text"]
    assert "Traceback" not in complaints
    assert "pointsman run" in complaints


def test_without_a_display_the_demo_stays_in_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()
