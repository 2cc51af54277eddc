"""Rolls of every kind of dice unit arrive: none is lost, doubled or mixed with another one."""

from pathlib import Path

import pytest

from tests.devices.dice_doors import DOORS, throw_many


@pytest.mark.parametrize("door", DOORS)
def test_every_roll_of_a_unit_arrives_once(door: str, tmp_path: Path) -> None:
    rolled, arrived = throw_many(door, tmp_path, 30)
    assert arrived == rolled
