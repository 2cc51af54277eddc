"""Rolls of every kind of dice unit arrive: none is lost, doubled or mixed with another one."""

from pathlib import Path

import pytest

from tests.devices.dice_air import TELLS_S, Air
from tests.devices.dice_air import throw_many as throw_through
from tests.devices.dice_units import UNITS, throw_many


@pytest.mark.parametrize("unit", UNITS)
def test_every_roll_of_a_unit_arrives_once(unit: str, tmp_path: Path) -> None:
    rolled, arrived = throw_many(unit, tmp_path, 30)
    assert arrived == rolled


@pytest.mark.parametrize("kind", ["GoDice", "Pixels"])
def test_no_wrong_roll_comes_through_bad_air_and_what_is_none_is_told(kind: str) -> None:
    air = Air(lost=0.05, doubled=0.1, rubbish=0.05, cuts=10)
    result = throw_through(kind, air, 150)
    assert result.wrong == []
    assert result.battery_told == 1
    assert len(result.told_after_s) + result.untold == result.thrown - result.counted
    assert len(result.told_after_s) >= 10
    assert result.untold <= 1
    assert max(result.told_after_s) <= TELLS_S


@pytest.mark.parametrize("kind", ["GoDice", "Pixels"])
def test_late_doubled_and_damaged_messages_alone_cost_no_roll(kind: str) -> None:
    result = throw_through(kind, Air(doubled=0.3, rubbish=0.2), 100)
    assert (result.wrong, result.thrown) == ([], 100)
