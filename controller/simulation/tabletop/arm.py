"""One player's arm: where its finger tips are at any moment, and what they hold."""

from dataclasses import dataclass, replace

import numpy as np

from controller.simulation.boards.hands import SKINS, hand_at
from controller.simulation.boards.scene import Checker, CubeBlock, Hand
from controller.simulation.boards.setting import Bgr, Setting
from controller.vision import Colour

ArmPoint = tuple[float, float, float]
"""x, y and height (mm) of the finger tips."""

TOUCH_MM = 10.0
CARRY_MM = 45.0
CUBE_MM = 30.0
"""A cube hangs so far below the finger tips."""
RESTS_S = 1.0
"""A hand that stays where it is for this time is resting."""
BEYOND_MM = 420.0
"""How far behind its edge of the board a hand is out of the picture."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The way from one spot to another in an arc, begun at ``t`` and done at ``until``."""

    t: float
    until: float
    start: ArmPoint
    end: ArmPoint
    arc_mm: float = 0.0

    def at(self, t: float) -> ArmPoint:
        """Where the tips are, quick in the middle and slow at both ends."""
        if t >= self.until:
            return self.end
        span = self.until - self.t
        u = float(np.clip((t - self.t) / span, 0.0, 1.0)) if span > 0 else 1.0
        eased = u * u * (3 - 2 * u)
        x, y, z = (a + (b - a) * eased for a, b in zip(self.start, self.end, strict=True))
        return x, y, z + self.arc_mm * float(np.sin(np.pi * u))


@dataclass(frozen=True, slots=True)
class Build:
    """What an arm looks like, and how fast it is (mm per second)."""

    skin: Bgr = SKINS[1]
    sleeve: Bgr | None = (60.0, 50.0, 45.0)
    bare_mm: float = 70.0
    right: bool = True
    scale: float = 1.0
    speed: float = 700.0


@dataclass(slots=True)
class Arm:
    """The arm of a side; ``sweep`` is None while it is out of the picture."""

    side: Colour
    build: Build
    home: ArmPoint
    last: ArmPoint
    sweep: Sweep | None = None
    checker: Checker | None = None
    cube: CubeBlock | None = None

    def tips(self, t: float) -> ArmPoint:
        """Where the finger tips are."""
        return self.last if self.sweep is None else self.sweep.at(t)

    @property
    def outside(self) -> bool:
        """Whether the hand is out of the picture and at rest."""
        return self.sweep is None and self.last == self.home

    @property
    def rests(self) -> bool:
        """Whether the hand lies still for a while, and does not just take or put something."""
        sweep = self.sweep
        if sweep is None:
            return not self.outside
        return sweep.start == sweep.end and sweep.until - sweep.t >= RESTS_S

    def hand(self, t: float) -> Hand | None:
        """The hand as it is painted; None while it is out of the picture."""
        if self.outside:
            return None
        x, y, z = self.tips(t)
        heading = (np.pi / 2 if self.side == "light" else -np.pi / 2) + 0.0006 * (self.home[0] - x)
        holding = self.checker is not None or self.cube is not None
        return hand_at(
            (x, y),
            float(heading),
            skin=self.build.skin,
            sleeve=self.build.sleeve,
            bare_mm=self.build.bare_mm,
            height_mm=z,
            pinch=0.9 if holding else 0.6,
            spread=0.1,
            right=self.build.right,
            scale=self.build.scale,
        )

    def held(self, t: float) -> Checker | None:
        """The checker in the hand, at its place."""
        if self.checker is None:
            return None
        x, y, z = self.tips(t)
        low = max(0.0, z - TOUCH_MM)
        return replace(self.checker, place="hand", layer=0, x_mm=x, y_mm=y, z_mm=low, on_edge=False)

    def held_cube(self, t: float) -> CubeBlock | None:
        """The cube in the hand, at its place."""
        if self.cube is None:
            return None
        x, y, z = self.tips(t)
        return replace(self.cube, x_mm=x, y_mm=y, z_mm=max(0.0, z - CUBE_MM))


def arm_of(side: Colour, setting: Setting, build: Build) -> Arm:
    """An arm that waits at its player's edge, out of the picture."""
    y = setting.geometry.surface_height_mm / 2 + BEYOND_MM
    home = (0.0, -y if side == "light" else y, 60.0)
    return Arm(side, build, home, last=home)
