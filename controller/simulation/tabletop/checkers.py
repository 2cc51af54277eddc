"""Where checkers come to lie on a table, and those that lie there."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count, repeat
from typing import Final

import numpy as np

from controller.arrays import another_chance
from controller.rules import Position, Side
from controller.rules.position import CHECKERS
from controller.simulation.boards.arranging import beside, borne_off, colour_of, lie_flat
from controller.simulation.boards.scene import Checker, CheckerPlace, Scene, pinned_among
from controller.simulation.boards.setting import Setting
from controller.vision import Colour
from controller.vision.geometry.geometry import COLOURS, FLAT_ROW

CLOSE = 0.97
"""Checkers of one layer whose middles are nearer than this (in diameters) would stand in one another."""
NUDGES = 24
OFF: Final[CheckerPlace] = "off"
BESIDE: Final[CheckerPlace] = "beside"


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
        luck = another_chance(rng)
        self._beside = {colour: tuple(beside(setting, colour, CHECKERS, luck)) for colour in COLOURS}

    def on(self, place: CheckerPlace, colour: Colour, others: Iterable[Checker]) -> Checker:
        """A checker as it comes to lie on a point, on the bar or off the board."""
        lying = [one for one in others if one.place != "hand"]
        if place == "bar":
            return self._on_bar(colour, lying)
        if place == "off":
            return self._off_board(colour, lying)
        if place == "beside":
            count = sum(one.place == "beside" and one.side == colour for one in lying)
            return self._beside[colour][min(count, CHECKERS - 1)]
        if not isinstance(place, int):
            raise ValueError("a checker is put down on a point, on the bar, off the board or beside it")
        return self._on_point(place, colour, lying)

    def _on_point(self, point: int, colour: Colour, others: list[Checker]) -> Checker:
        geometry = self._geometry
        diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
        half, side = geometry.surface_height_mm / 2, geometry.side_of(point)
        own = [one for one in others if one.place == point]
        if len(own) == 1 and own[0].side != colour:
            # What stands alone is covered by a checker of the other side, and pinned.
            x, y = (value + self._scatter(1.0) for value in (own[0].x_mm, own[0].y_mm))
            return lie_flat(colour, point, 1, x=x, y=y, z=thick, rng=self._rng)
        flat = [one for one in own if one.layer == 0]
        if len(flat) >= FLAT_ROW:

            def pile(base: Checker) -> int:
                return sum(np.hypot(one.x_mm - base.x_mm, one.y_mm - base.y_mm) < diameter / 2 for one in own)

            # The checker of the row that fewest others lie on, from the edge inwards.
            base = min(flat, key=lambda base: (pile(base), -abs(base.y_mm)))
            x, y = (value + self._scatter(1.5) for value in (base.x_mm, base.y_mm))
            return lie_flat(colour, point, pile(base), x=x, y=y, z=pile(base) * thick, rng=self._rng)
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
        return lie_flat(colour, point, 0, x=x, y=y, z=0.0, rng=self._rng)

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
                return lie_flat(colour, "bar", 0, x=x, y=y, z=height, rng=self._rng)
        base, layer = own[-1], own[-1].layer + 1
        return lie_flat(
            colour, "bar", layer, x=base.x_mm, y=base.y_mm, z=height + layer * thick, rng=self._rng
        )

    def _off_board(self, colour: Colour, others: list[Checker]) -> Checker:
        count = sum(one.place == "off" and one.side == colour for one in others)
        return self._off[colour][min(count, 14)]

    def _scatter(self, mm: float) -> float:
        return float(self._rng.normal(0, mm * self._sloppiness))


def is_free(x_mm: float, y_mm: float, others: Iterable[Checker], least_mm: float) -> bool:
    """Whether all these checkers are at least so far from a place."""
    return all(np.hypot(one.x_mm - x_mm, one.y_mm - y_mm) >= least_mm for one in others)


def topmost(place: CheckerPlace, colour: Colour, checkers: Iterable[Checker]) -> Checker | None:
    """The checker of a place that a hand takes first: the highest, then the one nearest to the middle.

    The one that covers a pinned checker is taken last.
    """
    lying = [one for one in checkers if one.place == place]
    there, under = [one for one in lying if one.side == colour], pinned_among(lying)
    if under is not None and under.side != colour and len(there) > 1:
        above = min((one for one in there if one.layer), key=lambda one: _apart(one, under))
        there = [one for one in there if one is not above]
    if not there:
        return None
    return max(there, key=lambda one: (one.layer, -abs(one.y_mm), -one.x_mm))


def _apart(one: Checker, other: Checker) -> float:
    """How far the middles of two checkers are from each other, seen from above; of a pile, lower ones first."""
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)) + 1000.0 * one.layer


class LyingCheckers:
    """The checkers that lie somewhere; one in a hand is not among them. What nobody touches never moves."""

    def __init__(self, setting: Setting, rng: np.random.Generator, sloppiness: float) -> None:
        """None lies anywhere yet; see `FreePlaces`."""
        self._setting = setting
        self._places = FreePlaces(setting, rng, sloppiness)
        self._numbers = count()
        self._lying: dict[int, Checker] = {}

    def __iter__(self) -> Iterator[Checker]:
        """All of them, in the order in which they were put down."""
        return iter(tuple(self._lying.values()))

    def __len__(self) -> int:
        """How many they are."""
        return len(self._lying)

    def at(self, place: CheckerPlace) -> list[Checker]:
        """Those of a place, in the order in which they were put down."""
        return [one for one in self._lying.values() if one.place == place]

    def position(self) -> Position:
        """What lies on points and bar, under others and beside the board."""
        lying = Scene(tuple(self), (0, 0))
        position = Position.seen(lying.counts(), lying.on_bar("light"), lying.on_bar("dark"))
        return position.with_hidden(lying.pinned(), lying.beside("light"), lying.beside("dark"))

    def lay_out(self, on_board: Iterable[Checker], off: Iterable[int], position: Position) -> None:
        """Lie as they do on points and bar, with ``off`` of light and dark borne off, and those of ``position``
        that have not entered beside the board."""
        lying = list(on_board)
        for side, number in zip(Side, off, strict=True):
            for place in (*repeat(OFF, number), *repeat(BESIDE, position.hand(side))):
                lying.append(self._places.on(place, colour_of(side), lying))
        self._lying = {next(self._numbers): one for one in lying}

    def landing(self, place: CheckerPlace, colour: Colour) -> Checker:
        """A checker as it would come to lie on a point, on the bar or off the board."""
        return self._places.on(place, colour, self._lying.values())

    def topmost(self, place: CheckerPlace, colour: Colour) -> Checker | None:
        """See `topmost`."""
        return topmost(place, colour, self._lying.values())

    def lay(self, one: Checker) -> None:
        """One more lies there."""
        self._lying[next(self._numbers)] = one

    def take(self, one: Checker) -> bool:
        """Take one away, and what lies on it comes down; whether it lay there."""
        number = self._number(one)
        if number is None:
            return False
        del self._lying[number]
        self._sink(one)
        return True

    def clear(self, place: CheckerPlace) -> None:
        """Take away what lies at a place."""
        self._lying = {number: one for number, one in self._lying.items() if one.place != place}

    def shove(self, one: Checker, aside: Checker) -> None:
        """Have one lie otherwise, if it still lies there and nothing of its layer is in the way."""
        number = self._number(one)
        others = [two for two in self._lying.values() if two is not one and two.layer == one.layer]
        least = CLOSE * self._setting.geometry.checker_diameter_mm
        if number is not None and is_free(aside.x_mm, aside.y_mm, others, least):
            self._lying[number] = aside

    def slip(self, start: int, end: int, colour: Colour) -> None:
        """The uppermost checker of a colour on one point slips on to another one; no hand is over the board."""
        one = self.topmost(start, colour)
        if one is not None:
            self.take(one)
            self.lay(replace(self.landing(end, colour), turn=one.turn, flipped=one.flipped))

    def spot_above(self, place: CheckerPlace, side: Colour) -> tuple[float, float]:
        """Where the hand of a side is over a place."""
        there = self.at(place)
        if there:
            return there[-1].x_mm, there[-1].y_mm
        if isinstance(place, int):
            x, y, _ = self._setting.geometry.slot(place, 1)
            return float(x), float(y)
        return 0.0, (-1 if side == "light" else 1) * 60.0

    def _number(self, one: Checker) -> int | None:
        return next((number for number, lying in self._lying.items() if lying is one), None)

    def _sink(self, taken: Checker) -> None:
        """What lay on a checker that was taken away comes down."""
        near = self._setting.geometry.checker_diameter_mm / 2
        thick = self._setting.geometry.checker_thickness_mm
        for number, one in self._lying.items():
            if (
                one.place == taken.place
                and one.layer > taken.layer
                and np.hypot(one.x_mm - taken.x_mm, one.y_mm - taken.y_mm) < near
            ):
                self._lying[number] = replace(one, layer=one.layer - 1, z_mm=one.z_mm - thick)
