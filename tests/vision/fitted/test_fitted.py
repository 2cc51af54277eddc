"""Every number that was fitted stands in the table once, is used, and says what it was fitted to."""

import re
import tomllib
from pathlib import Path

import pytest

from controller.vision.fitted.fitted import fitted
from tests.rows import each_row

ROOT = Path(__file__).resolve().parents[3]
TABLES = tomllib.loads(
    (ROOT / "controller" / "vision" / "fitted" / "fitted.toml").read_text(encoding="utf-8")
)
ROOMS = ("controller/vision", "controller/vision/*", "calibration")
ABOUT = {"data", "script"}


@each_row("table", sorted(TABLES))
def test_every_number_is_used_by_the_module_of_its_table(table: str) -> None:
    (module,) = (path for room in ROOMS for path in ROOT.glob(f"{room}/{table}.py"))
    text = module.read_text(encoding="utf-8")
    asked = "".join(re.findall(rf'fitted\(\s*"{table}",(.*?)\)', text, re.DOTALL))
    assert set(re.findall(r'"(\w+)"', asked)) == set(TABLES[table]) - ABOUT


@each_row("table", sorted(TABLES))
def test_every_table_names_its_data_and_a_script_that_is_there(table: str) -> None:
    assert TABLES[table]["data"]
    assert (ROOT / TABLES[table].get("script", "LICENSE")).is_file()


def test_numbers_come_in_the_order_that_is_asked_for() -> None:
    assert fitted("aim", "steep", "flat") == (0.30, 0.10)
    with pytest.raises(KeyError, match="steeper"):
        fitted("aim", "steeper")
