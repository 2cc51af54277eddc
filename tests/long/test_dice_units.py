"""A thousand rolls of every kind of dice unit: none is lost, doubled or mixed with another one."""

import random
from pathlib import Path

import pytest

from controller.devices.link.happenings import BoardEvent, Button, DiceRolled
from controller.devices.link.messages import DiceMode
from controller.simulation.electronics.twin import Twin
from controller.simulation.electronics.twin_parts import LEDS
from controller.simulation.electronics.wire import Wire
from tests.devices.dice_air import TELLS_S, Air
from tests.devices.dice_air import throw_many as throw_through
from tests.devices.dice_units import UNITS, throw_many

ROLLS = 1000


@pytest.mark.parametrize("unit", UNITS)
def test_a_thousand_rolls_of_a_unit_arrive_once(unit: str, tmp_path: Path) -> None:
    rolled, arrived = throw_many(unit, tmp_path, ROLLS)
    assert len(arrived) == ROLLS
    assert arrived == rolled


@pytest.mark.parametrize("kind", ["GoDice", "Pixels"])
@pytest.mark.parametrize("seed", range(5))
def test_a_thousand_rolls_through_bad_air_are_right_and_trouble_is_told_at_once(kind: str, seed: int) -> None:
    result = throw_through(kind, Air(lost=0.05, cuts=20), ROLLS, seed)
    assert result.wrong == []
    assert result.battery_told == 1
    assert result.untold <= 1, "everything that tells a throw from dice that are picked up was lost"
    assert max(result.told_after_s) <= TELLS_S


@pytest.mark.parametrize("cuts", [0, 20])
def test_a_thousand_rolls_of_the_boards_own_dice_arrive_once_and_are_what_they_show(cuts: int) -> None:
    told: list[tuple[int, int]] = []
    shown: list[tuple[int, int]] = []

    def deliver(event: BoardEvent) -> None:
        if isinstance(event.what, DiceRolled):
            told.append(event.what.dice)

    rng = random.Random(cuts)
    cut_at = set(rng.sample(range(ROLLS), cuts))
    with Twin(noise_seed=7) as chip:
        wire = Wire(chip, host_session=1, deliver=deliver)
        for number in range(ROLLS):
            wire.arm_dice(DiceMode.ONCE)
            wire.run_until(chip.now + 1.0)
            wire.press(Button.ROLL, chip.now + 0.1)
            if number in cut_at:
                wire.run_until(chip.now + rng.uniform(0.1, 0.4))
                wire.pull()
                wire.run_until(chip.now + 2.0)
                wire.plug()
            wire.run_until(chip.now + 2.0)
            first, second = chip.dice
            shown.append((LEDS.index(first), LEDS.index(second)))
    assert told == shown
