"""The doubling cube as the pictures show it: turned and moved to a side, a double was offered and taken.

Nobody tells the camera of an offer. A cube that comes to lie on a side says that the other side doubled and this one
took: a cube only goes from 1 to 2 to 4, so where it lies tells its value, and its face, which is easily misread, need
not. In one film of four it read as 64 for the whole game while it was a 2. What fits no double is told as something
to ask about.
"""

from dataclasses import dataclass, replace
from math import inf
from typing import Final, Self

from controller.referee.caution import Caution
from controller.rules.game.cube import Cube, Offer
from controller.vision import Owner
from controller.vision.reading import CubeSeen

SURE: Final = 0.6
"""A picture in which the cube is read with less confidence than this says nothing about it: rather one than not."""


@dataclass(frozen=True, slots=True)
class Shown:
    """How the cube lies: on whose side, and what it counts (1 while it was not turned)."""

    owner: Owner = "center"
    value: int = 1

    @classmethod
    def due_for(cls, cube: Cube | Offer) -> Self:
        """How a cube should lie by the rules, or will when an offer is taken."""
        return cls("center" if cube.owner is None else cube.owner.value, cube.value)


@dataclass(frozen=True, slots=True)
class Turned:
    """The cube came to lie differently, as ``shown``, first seen at ``t`` on ``frame``.

    ``after_t`` is when it was last seen as it had lain before: it was turned after that.
    """

    t: float
    frame: int
    shown: Shown
    after_t: float = -inf


@dataclass(frozen=True, slots=True)
class CubeWatch:
    """What is known of the cube.

    ``shown`` is how it lies (``None`` while that is not known), ``maybe`` how it was seen lately instead, in
    ``times`` pictures in a row.

    ``agreed_t`` is when it was agreed last how it is to lie, ``seen_t`` when it was last seen as ``shown``, and
    ``turned_t`` when it was seen to have been moved. ``told`` says that the players were asked to turn it as agreed.
    """

    shown: Shown | None = None
    maybe: Turned | None = None
    times: int = 0
    agreed_t: float = -inf
    seen_t: float = -inf
    turned_t: float = -inf
    told: bool = False

    def after_agreement(self, t: float) -> "CubeWatch":
        """The watch once it was agreed that the cube is to lie otherwise: that takes a moment to be done."""
        return replace(self, agreed_t=t, told=False)

    @property
    def was_seen(self) -> bool:
        """Whether it was ever seen as it is taken to lie."""
        return self.seen_t > -inf

    def is_overdue(self, caution: Caution) -> bool:
        """Whether it was seen as it lies after the time that players have to turn it as agreed."""
        return self.seen_t >= self.agreed_t + caution.cube_turn_s

    def was_moved(self, caution: Caution) -> bool:
        """Whether it was moved after that time, so that its lying is no agreement that is yet to be carried out."""
        return self.turned_t > self.agreed_t + caution.cube_turn_s

    def with_cube(
        self, cube: CubeSeen | None, t: float, frame: int, due: Shown, offered: int | None, caution: Caution
    ) -> tuple["CubeWatch", Turned | None]:
        """The watch after one more picture at rest, and the change if there now is one.

        A picture in which no cube is seen, or hardly, changes nothing. ``due`` is how the cube should lie, and
        ``offered`` the value that was offered, if one was.
        """
        if cube is None or cube.confidence < SURE:
            return self, None
        seen = Shown(cube.owner, cube.value) if self.shown is None else _lies(cube, due, offered)
        known = replace(self, maybe=None, times=0, seen_t=t)
        if seen == self.shown:
            return known, None
        if self.maybe is None or seen != self.maybe.shown:
            return replace(self, maybe=Turned(t, frame, seen, self.seen_t), times=1), None
        if self.times + 1 < caution.steady_cube:
            return replace(self, times=self.times + 1), None
        if self.shown is None:
            return replace(known, shown=seen), None
        return replace(known, shown=seen, turned_t=self.maybe.t), self.maybe


def _lies(cube: CubeSeen, due: Shown, offered: int | None) -> Shown:
    """How the cube lies, by where it is seen and how it should lie; its face only tells whether it was turned."""
    turned = 2 * due.value if offered is None else offered
    if cube.owner == "center":
        return Shown("center", turned if cube.value == turned else due.value)
    return due if cube.owner == due.owner else Shown(cube.owner, turned)
