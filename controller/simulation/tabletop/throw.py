"""Dice that are thrown onto the board: rolling for a moment, then at rest until they are lifted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.simulation.boards.arranging import separate, thrown_die
from controller.simulation.boards.scene import Checker, Die
from controller.simulation.boards.setting import Setting
from controller.vision.geometry import Colour

ROLLING_S = 0.55
SPINS = 40
"""How many faces come up on the way."""


@dataclass(frozen=True, slots=True)
class ThrownDice:
    """Dice as they come to rest at ``rest_t``."""

    dice: tuple[Die, ...] = ()
    rest_t: float = 0.0

    def at(self, t: float) -> tuple[Die, ...]:
        """The dice at a moment."""
        left = max(0.0, self.rest_t - t) / ROLLING_S
        if not left:
            return self.dice
        spun = round(SPINS * left)
        return tuple(
            replace(
                die,
                value=(die.value + spun) % 6 + 1,
                x_mm=die.x_mm * (1 - 0.4 * left),
                y_mm=die.y_mm * (1 - 0.4 * left),
                turn=die.turn + 9.0 * left,
            )
            for die in self.dice
        )


def thrown(
    setting: Setting,
    side: Colour,
    values: Sequence[int],
    cocked: bool,
    lying: Sequence[Checker],
    t: float,
    rng: np.random.Generator,
) -> ThrownDice:
    """A throw of ``side`` that begins at ``t``; only a ``cocked`` one leans a die on a checker."""
    dice = [thrown_die(setting, side, value, lying, rng) for value in values]
    if not cocked:
        dice = [replace(die, lean=0.0) for die in dice]
    elif dice and lying:
        one = lying[int(rng.integers(len(lying)))]
        away = setting.geometry.checker_diameter_mm / 2 + 0.35 * setting.dice[side].size_mm
        towards = float(rng.uniform(0, 2 * np.pi))
        x, y = one.x_mm + away * float(np.cos(towards)), one.y_mm + away * float(np.sin(towards))
        dice[0] = replace(dice[0], x_mm=x, y_mm=y, lean=0.5, lean_to=towards)
    return ThrownDice(separate(tuple(dice), setting), t + ROLLING_S)
