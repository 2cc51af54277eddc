"""Where things come to lie: checkers that a hand puts down, one at a time, and dice that are thrown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from controller.simulation.boards.arranging import borne_off, lean_on, lie_flat, separate, thrown_die
from controller.simulation.boards.scene import Checker, Die, Place
from controller.simulation.boards.setting import Setting
from controller.vision.geometry import FLAT_ROW, Colour

CLOSE = 0.97
"""Checkers of one layer whose middles are nearer than this (in diameters) would stand in one another."""
NUDGES = 24

ROLLING_S = 0.55
SPINS = 40
"""How many faces come up on the way."""


class FreePlaces:
    """Finds free places; what lies there already never moves."""

    def __init__(self, setting: Setting, rng: np.random.Generator, sloppiness: float) -> None:
        """``sloppiness`` scales how unevenly things are put down: 0 is neat, 1 usual, 2 very careless."""
        self._geometry, self._setting = setting.geometry, setting
        self._rng, self._sloppiness = rng, sloppiness
        self._off: dict[Colour, tuple[Checker, ...]] = {
            "light": tuple(borne_off(setting, "light", 15, rng)),
            "dark": tuple(borne_off(setting, "dark", 15, rng)),
        }

    def on(self, place: Place, colour: Colour, others: Iterable[Checker]) -> Checker:
        """A checker as it comes to lie on a point, on the bar or off the board."""
        lying = [one for one in others if one.place != "hand"]
        if place == "bar":
            return self._on_bar(colour, lying)
        if place == "off":
            return self._off_board(colour, lying)
        if not isinstance(place, int):
            raise ValueError("a checker is put down on a point, on the bar or off the board")
        return self._on_point(place, colour, lying)

    def _on_point(self, point: int, colour: Colour, others: list[Checker]) -> Checker:
        geometry = self._geometry
        diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
        half, side = geometry.surface_height_mm / 2, geometry.side_of(point)
        own = [one for one in others if one.place == point]
        flat = [one for one in own if one.layer == 0]
        if len(flat) >= FLAT_ROW:

            def pile(base: Checker) -> int:
                return sum(np.hypot(one.x_mm - base.x_mm, one.y_mm - base.y_mm) < diameter / 2 for one in own)

            # The checker of the row that fewest others lie on, from the edge inwards.
            base = min(flat, key=lambda base: (pile(base), -abs(base.y_mm)))
            x, y = (value + self._scatter(1.5) for value in (base.x_mm, base.y_mm))
            return lie_flat(colour, point, pile(base), x, y, pile(base) * thick, self._rng)
        ground = [one for one in others if one.layer == 0 and isinstance(one.place, int)]
        x = geometry.column_x(point) + self._scatter(1.3)
        for row in range(FLAT_ROW + 2):
            inward = diameter / 2 + abs(self._scatter(0.8)) + row * geometry.row_pitch_mm
            y = side * min(half - diameter / 2, half - inward)
            if is_free(x, y, ground, 0.75 * diameter):
                break
        # The nearest place along the point, towards the middle, at which nothing stands in anything.
        for _ in range(NUDGES):
            if is_free(x, y, ground, CLOSE * diameter):
                break
            y -= side * 0.08 * diameter
        return lie_flat(colour, point, 0, x, y, 0.0, self._rng)

    def _on_bar(self, colour: Colour, others: list[Checker]) -> Checker:
        """On the bar: light's checkers on dark's half, as the field lays them, from the middle outwards."""
        geometry = self._geometry
        diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
        height = self._setting.frame.bar_height_mm
        own = [one for one in others if one.place == "bar"]
        sign = 1 if colour == "light" else -1
        wide = max(0.5, min(3.0, abs(geometry.bar_mm - diameter) / 2))
        x = float(self._rng.uniform(-wide, wide))
        for slot in range(1, 5):
            y = sign * slot * 1.08 * diameter + self._scatter(1.5)
            if is_free(x, y, own, CLOSE * diameter):
                return lie_flat(colour, "bar", 0, x, y, height, self._rng)
        base, layer = own[-1], own[-1].layer + 1
        return lie_flat(colour, "bar", layer, base.x_mm, base.y_mm, height + layer * thick, self._rng)

    def _off_board(self, colour: Colour, others: list[Checker]) -> Checker:
        count = sum(one.place == "off" and one.side == colour for one in others)
        return self._off[colour][min(count, 14)]

    def _scatter(self, mm: float) -> float:
        return float(self._rng.normal(0, mm * self._sloppiness))


def is_free(x_mm: float, y_mm: float, others: Iterable[Checker], least_mm: float) -> bool:
    """Whether all these checkers are at least so far from a place."""
    return all(np.hypot(one.x_mm - x_mm, one.y_mm - y_mm) >= least_mm for one in others)


def topmost(place: Place, colour: Colour, checkers: Iterable[Checker]) -> Checker | None:
    """The checker of a place that a hand takes first: the highest, then the one nearest to the middle."""
    there = [one for one in checkers if one.place == place and one.side == colour]
    if not there:
        return None
    return max(there, key=lambda one: (one.layer, -abs(one.y_mm), -one.x_mm))


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
        dice[0] = lean_on(dice[0], one, setting, 0.5, float(rng.uniform(0, 2 * np.pi)))
    return ThrownDice(separate(tuple(dice), setting), t + ROLLING_S)
