"""Readings made from what truly lies on a table, as wrong and as unsure as the real reader is.

For statistics over many thousands of plays, where painting and reading every picture would take days.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.arrays import another_chance
from controller.simulation.tabletop.arm import Arm
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision import Reading
from controller.vision.geometry import FLAT_ROW
from controller.vision.reading import Count, CubeSeen, DieSeen, Stance

MOST: Final = 15
SPREAD: Final = 3
"""Counts that differ by up to so many are considered for each point."""
TRAY_STEP: Final = 4.0
HAND_MM: Final = 50.0
"""A hand with its arm hides what lies no further than this from its middle."""


@dataclass(frozen=True, slots=True)
class Errors:
    """How often the reader errs: shares of points, from painted and rendered boards with known truth.

    ``unsure`` points are read rightly but not sworn to, ``wrong`` ones are read wrongly (and known to be unsure);
    for piles of six and more both are much more frequent. ``sharp`` and ``dull`` are how much likelier the best
    count is than its neighbours (natural logarithms) where the reader is sure and where not. ``hand_unnoticed``
    is the share of hands lying still of which only the points they hide are known, as of a sleeve or a cup.
    """

    unsure: float = 0.01
    wrong: float = 0.002
    pile_unsure: float = 0.6
    pile_wrong: float = 0.1
    sharp: float = 9.0
    dull: float = 1.5
    misread_die: float = 0.02
    hand_unnoticed: float = 0.5


@dataclass(slots=True)
class TruthfulEye:
    """Reads a table without a picture. What a point was taken for stays so until something moves, as in pictures."""

    errors: Errors
    rng: np.random.Generator
    _taken: list[tuple[int | None, tuple[int, bool]]] = field(
        default_factory=lambda: [(None, (0, False))] * 24
    )
    _hands: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        """What is made of hands has its own luck, so that points are read the same however hands lie."""
        self._hands = another_chance(self.rng)

    def read(self, table: Tabletop) -> Reading:
        """What the reader might say of the table as it is now; of points under a hand it knows nothing."""
        reading = self._read_bare(table)
        if not table.hands:
            return reading
        hidden = hidden_points(table)
        lies = all(arm.rests and arm.checker is None for arm in table.hands)
        noticed = not lies or self._hands.random() >= self.errors.hand_unnoticed
        nothing = dict.fromkeys(range(-MOST, MOST + 1), 0.0)
        return replace(
            reading,
            points=tuple(0 if k + 1 in hidden else count for k, count in enumerate(reading.points)),
            hand=noticed,
            covered=hidden,
            unsure=reading.unsure | hidden,
            likelihoods=tuple(
                nothing if k + 1 in hidden else known for k, known in enumerate(reading.likelihoods)
            ),
        )

    def _read_bare(self, table: Tabletop) -> Reading:
        self._taken = [
            taken if taken[0] == count else (count, self._misread(count))
            for taken, count in zip(self._taken, table.position().points, strict=True)
        ]
        seen = [taken for _, taken in self._taken]
        unsure = frozenset(k + 1 for k, (_, doubt) in enumerate(seen) if doubt)
        lying = Counter((one.place, one.side) for one in table.checkers)
        bar = (lying["bar", "light"], lying["bar", "dark"])
        off = (lying["off", "light"], lying["off", "dark"])
        trays = bool(table.setting.geometry.trays)
        return Reading(
            tuple(count for count, _ in seen),
            Count(*bar),
            Count(*off),
            self._dice(table),
            self._cube(table),
            False,
            0.5 if unsure else 0.98,
            tuple(0.6 if doubt else 0.99 for _, doubt in seen),
            unsure,
            frozenset(),
            tuple(self._likelihoods(count, doubt) for count, doubt in seen),
            {bar: 0.0, (bar[0] + 1, bar[1]): -8.0, (bar[0], bar[1] + 1): -8.0},
            assumed_off=not trays,
            off_likelihoods=(_tray(off[0]), _tray(off[1])) if trays else (None, None),
            stance=Stance(0.0, 0.0, 0.0, (1.0, 1.0, 1.0), 0.95),
        )

    def _misread(self, count: int) -> tuple[int, bool]:
        """What a point that truly holds ``count`` is taken for, and whether the reader doubts it."""
        pile = abs(count) > FLAT_ROW
        wrong = self.errors.pile_wrong if pile else self.errors.wrong
        unsure = self.errors.pile_unsure if pile else self.errors.unsure
        chance = float(self.rng.random())
        if chance < wrong and count:
            sign = 1 if count > 0 else -1
            return sign * max(1, min(MOST, abs(count) + (1 if self.rng.random() < 0.5 else -1))), True
        return count, chance < wrong + unsure

    def _likelihoods(self, count: int, doubt: bool) -> dict[int, float]:
        step = self.errors.dull if doubt else self.errors.sharp
        jitter = float(self.rng.uniform(0.8, 1.2))
        near = {
            other: -step * jitter * abs(other - count)
            for other in range(max(-MOST, count - SPREAD), min(MOST, count + SPREAD) + 1)
            if other * count >= 0
        }
        for other in (-1, 0, 1):
            near.setdefault(other, -max(step, 6.0) * jitter)
        return near

    def _dice(self, table: Tabletop) -> tuple[DieSeen, ...]:
        return tuple(
            DieSeen(die.value, die.x_mm, die.y_mm, 0.99, die.lean > 0, die.side) for die in table.dice
        )

    def _cube(self, table: Tabletop) -> CubeSeen | None:
        cube = table.cube
        if cube is None:
            return None
        centred = cube.owner == "center" and cube.face == table.setting.cube.centred_face
        return CubeSeen(1 if centred else cube.face, cube.owner, 0.99, cube.face)


def _tray(count: int) -> dict[int, float]:
    """What a tray shows: the counts beside the right one are possible."""
    return {
        other: -TRAY_STEP * abs(other - count) for other in range(max(0, count - 1), min(MOST, count + 1) + 1)
    }


def hidden_points(table: Tabletop) -> frozenset[int]:
    """The points (1..24) of which hands and arms over the table hide something."""
    geometry = table.setting.geometry
    return frozenset(
        point
        for point in range(1, 25)
        for row in range(FLAT_ROW)
        for arm in table.hands
        if _distance(arm, table.t, *(float(value) for value in geometry.slot(point, row)[:2])) < HAND_MM
    )


def _distance(arm: Arm, t: float, x: float, y: float) -> float:
    """How far (mm) a place is from the line between an arm's finger tips and its player."""
    tips = np.array(arm.tips(t)[:2])
    way = np.array(arm.home[:2]) - tips
    here = np.array((x, y)) - tips
    share = float(np.clip(here @ way / max(float(way @ way), 1.0), 0.0, 1.0))
    return float(np.hypot(*(here - share * way)))
