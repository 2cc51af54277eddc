"""`pointsman dice watch`, `dice find` and `dice patterns`, as people type them."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from controller.devices.dice.patterns import PATTERNS
from controller.devices.dice.textline import Line, LinePattern
from tests.cli.conftest import Run
from tests.devices.radio_dice import Air, GoDiceLanguage, RadioDie
from tests.rows import each_row


def configured(folder: Path, dice: str) -> Path:
    file = folder / "pointsman.toml"
    file.write_text(f"[dice]\n{dice}\n")
    return file


def test_what_a_unit_tells_and_what_comes_of_it_is_printed(tmp_path: Path) -> None:
    file = configured(tmp_path, "source = 'text'\nport = '-'\nlight = ['A', 'B']\ndark = ['C', 'D']")
    ended = subprocess.run(
        [sys.executable, "-m", "controller", "dice", "watch", "--config", str(file)],
        input="die A: 4\ndie C: 6\ndie B: 1\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told = [line.strip().partition("  ")[2] for line in ended.stdout.splitlines()]
    assert told[:5] == [
        "the unit: there",
        "A: settled 4",
        "C: settled 6",
        "B: settled 1",
        "ROLL 4-1 of Light",
    ]
    assert "has ended" in told[-1]


@each_row(
    ("dice", "complaint"),
    [
        ("source = 'camera'", "No dice unit is to be watched"),
        ("source = 'text'", "dice.port has to name the port"),
        ("source = 'text'\nport = 'mqtt://broker'", "write it as mqtt://host:1883/topic"),
        ("source = 'bluetooth'", "name two dice in dice.shared"),
        ("source = 'bluetooth'\nlight = ['A', 'B']", "name those of the other side"),
        ("source = 'bluetooth'\nlight = ['A', 'B']\ndark = ['b', 'C']", "named twice"),
    ],
)
def test_dice_that_cannot_be_watched_say_why(
    dice: str, complaint: str, tmp_path_factory: pytest.TempPathFactory, run: Run
) -> None:
    file = configured(tmp_path_factory.mktemp("table"), dice)
    assert complaint in run("dice", "watch", "--config", file, status=2)


def test_dice_with_bluetooth_are_listed_with_their_addresses(run: Run) -> None:
    dice = RadioDie("GoDice_1A2B3C_R_v03", "AA:BB:CC:DD:EE:FF", GoDiceLanguage(random.Random(1)))
    with Air({"red": dice}).on():
        assert run("dice", "find", "--seconds", 0.1) == "AA:BB:CC:DD:EE:FF  GoDice_1A2B3C_R_v03\n"
    with Air({}).on():
        assert "shake them" in run("dice", "find", "--seconds", 0.1, status=2)


def test_the_patterns_are_listed_with_lines_that_they_fit(run: Run) -> None:
    listed = run("dice", "patterns")
    for name, pattern in PATTERNS.items():
        assert name in listed
        faces = [
            die.face for line in pattern.examples for die in LinePattern(pattern.pattern).dice(Line(line))
        ]
        assert faces == [4, 1], name
