"""What the pages say of dice units of other makers is so."""

import re
import time
from pathlib import Path
from textwrap import dedent

import pytest

from controller.config.config import parse_config
from controller.config.sections import DiceAt
from controller.devices.dice.patterns import find_pattern
from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.textdice import TextDice
from controller.devices.dice.textline import USUAL_PATTERN, LinePattern
from controller.devices.dice.unit_rolls import UnitRolls
from tests.devices.dice_unit import DiceUnit
from tests.rows import each_row

DOCS = Path(__file__).resolve().parents[2] / "hardware_docs"


def rows(page: str, header: str) -> list[tuple[str, str]]:
    """The rows of a table of two columns."""
    lines = (DOCS / page).read_text(encoding="utf-8").partition(f"| {header} |\n|---|---|\n")[2].splitlines()
    told = lines[: next(number for number, line in enumerate(lines) if not line.startswith("|"))]
    cells = [re.split(r"(?<!\\)\|", line.strip("|")) for line in told]
    return [(first.strip(), second.strip().replace("\\|", "|")) for first, second in cells]


def lines_of(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def heard(pattern: str, lines: list[str]) -> list[DeviceRoll]:
    """What comes of lines that a real port was told."""
    with DiceUnit() as unit:
        dice = UnitRolls(TextDice.at(unit.port, 9600, pattern), unit.port, "text")
        rolls = dice.poll(0.0)
        for number, line in enumerate(lines):
            unit.say(line)
            for _ in range(20):  # a busy system hands on what a pseudo terminal was told a little later
                rolls += dice.poll(1.0 + number)
                time.sleep(0.005)
        dice.close()
    return rolls


UNDERSTOOD = rows("electronics.md", "the unit writes | Pointsman takes it for")
PATTERNS = rows("electronics.md", "the unit writes | pattern")
NAMED = rows("electronics.md", "the unit writes | named pattern")
WIRINGS = rows("wiring.md", "way | configuration under `[dice]`")


def test_the_tables_are_found() -> None:
    assert (len(UNDERSTOOD), len(PATTERNS), len(NAMED), len(WIRINGS)) == (6, 4, 5, 3)


@each_row(("cell", "roll"), UNDERSTOOD)
def test_lines_are_understood_as_the_page_says(cell: str, roll: str) -> None:
    (told,) = heard(USUAL_PATTERN, lines_of(cell))
    assert "-".join(map(str, told.dice)) == roll


@pytest.mark.parametrize(("cell", "pattern"), PATTERNS)
def test_patterns_fit_the_lines_beside_them(cell: str, pattern: str) -> None:
    (told,) = heard(pattern.strip("`"), lines_of(cell))
    assert sorted(told.dice) in ([1, 3], [1, 4])


@each_row(("cell", "name"), NAMED)
def test_named_patterns_fit_the_lines_beside_them(cell: str, name: str) -> None:
    (told,) = heard(find_pattern(name.strip("`")), lines_of(cell))
    assert sorted(told.dice) == [1, 4]


@pytest.mark.parametrize(("way", "keys"), WIRINGS)
def test_each_way_of_wiring_is_a_configuration(way: str, keys: str) -> None:
    text = "[dice]\n" + "\n".join(lines_of(keys))
    dice = parse_config(text, way, Path()).dice
    assert dice.source is DiceAt.TEXT
    assert dice.port.startswith("/dev/")


def test_the_examples_are_configurations() -> None:
    pages = [(DOCS / name).read_text(encoding="utf-8") for name in ("electronics.md", "bluetooth_dice.md")]
    examples = [found for page in pages for found in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]
    first, own, shared, four = (parse_config(dedent(example), "example", Path()).dice for example in examples)
    assert (first.source, first.baud) == (DiceAt.TEXT, 115_200)
    LinePattern(first.pattern)
    assert (own.light, own.dark) == (("A", "B"), ("C", "D"))
    assert shared.source is four.source is DiceAt.BLUETOOTH


def test_the_ways_of_lines_are_addresses() -> None:
    ways = [lines_of(cell)[0] for _, cell in rows("electronics.md", "way | `dice.port`")]
    assert len(ways) == 3
    for way in ways:
        parse_config(f"[dice]\nsource = 'text'\nport = '{way}'", way, Path())
