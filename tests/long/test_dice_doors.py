"""A thousand rolls of every kind of dice unit: none is lost, doubled or mixed with another one."""

from pathlib import Path

import pytest

from tests.devices.dice_air import TELLS_S, Air
from tests.devices.dice_air import throw_many as throw_through
from tests.devices.dice_doors import DOORS, throw_many

ROLLS = 1000


@pytest.mark.parametrize("door", DOORS)
def test_a_thousand_rolls_of_a_unit_arrive_once(door: str, tmp_path: Path) -> None:
    rolled, arrived = throw_many(door, tmp_path, ROLLS)
    assert len(arrived) == ROLLS
    assert arrived == rolled


@pytest.mark.parametrize("kind", ["GoDice", "Pixels"])
@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_rolls_through_bad_air_are_right_and_trouble_is_told_at_once(kind: str, seed: int) -> None:
    result = throw_through(kind, Air(lost=0.05, cuts=20), ROLLS, seed)
    assert result.wrong == []
    assert result.battery_told == 1
    assert result.untold <= 2, "everything that both dice said was lost"
    late = [told for told in result.told_after_s if told > TELLS_S]
    # Where both dice are heard to roll and neither to settle, they may be rolling still, for all that anybody knows.
    assert len(late) <= ROLLS // 100
