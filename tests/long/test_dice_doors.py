"""A thousand rolls of every kind of dice unit: none is lost, doubled or mixed with another one."""

from pathlib import Path

import pytest

from tests.devices.dice_doors import DOORS, throw_many

ROLLS = 1000


@pytest.mark.parametrize("door", DOORS)
def test_a_thousand_rolls_of_a_unit_arrive_once(door: str, tmp_path: Path) -> None:
    rolled, arrived = throw_many(door, tmp_path, ROLLS)
    assert len(arrived) == ROLLS
    assert arrived == rolled
