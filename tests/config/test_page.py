"""The page on the configuration says what the program says."""

import re
from pathlib import Path

import pytest

from controller.config.config import all_keys, parse_config
from controller.config.sample import tables

PAGE = (Path(__file__).parents[2] / "hardware_docs" / "configuration.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_tables_are_those_of_the_program() -> None:
    assert PAGE.endswith(tables().rstrip() + "\n")


def test_every_row_has_four_cells() -> None:
    rows = [line for line in tables().splitlines() if line.startswith("| `")]
    assert len(rows) == sum(map(len, all_keys().values()))
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_are_configurations(example: str) -> None:
    parse_config(example, "example", Path()).settings()


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 2
