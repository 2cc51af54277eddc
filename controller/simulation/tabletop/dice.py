"""Dice as hands throw them onto a table, roll, and come to rest there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.simulation.boards.arranging import separate, thrown_die
from controller.simulation.boards.scene import Checker, Die
from controller.simulation.boards.setting import Setting
from controller.vision import Colour

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


def throw_dice(
    setting: Setting,
    side: Colour,
    values: Sequence[int],
    lying: Sequence[Checker],
    t: float,
    rng: np.random.Generator,
) -> ThrownDice:
    """A throw of ``side`` that begins at ``t``; none leans on a checker."""
    dice = tuple(_lying_die(setting, side, value, lying, rng) for value in values)
    return ThrownDice(separate(dice, setting), t + ROLLING_S)


def _lying_die(
    setting: Setting, side: Colour, value: int, lying: Sequence[Checker], rng: np.random.Generator
) -> Die:
    """A die that lies flat and clear of the checkers: one that would lean on some is thrown again."""
    # Set upright where it leaned, it would stand in the checkers.
    while (die := thrown_die(setting, side, value, lying, rng)).lean:
        pass
    return die


class TableDice:
    """The dice of one table; there are none before the first throw.

    Attributes:
        rolls: whether they roll.
    """

    def __init__(self, setting: Setting, rng: np.random.Generator) -> None:
        """None lie there."""
        self._setting, self._rng = setting, rng
        self._thrown = ThrownDice()
        self.rolls = False

    @property
    def at_rest(self) -> tuple[Die, ...]:
        """The dice that lie still on the board."""
        return () if self.rolls else self._thrown.dice

    @property
    def rest_t(self) -> float:
        """When they come to rest, or came."""
        return self._thrown.rest_t

    def at(self, t: float) -> tuple[Die, ...]:
        """The dice at a moment."""
        return self._thrown.at(t)

    def throw(self, side: Colour, values: tuple[int, ...], lying: Iterable[Checker], t: float) -> None:
        """Throw them among the checkers that lie there; see `throw_dice`."""
        self._thrown = throw_dice(self._setting, side, values, tuple(lying), t=t, rng=self._rng)
        self.rolls = True

    def come_to_rest(self, t: float) -> None:
        """Roll no more if it is time for that."""
        if self.rolls and self.rest_t <= t:
            self.rolls = False

    def turn(self, die: Die, value: int) -> None:
        """Have one that lies there show another number."""
        dice = (replace(each, value=value) if each is die else each for each in self._thrown.dice)
        self._thrown = replace(self._thrown, dice=tuple(dice))

    def lift(self) -> None:
        """None lie there any more."""
        self._thrown, self.rolls = ThrownDice(), False
