"""What lies on a board at one moment, each thing at its exact place.

Places are millimetres in the board's frame, angles radians, counter-clockwise seen from above.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from controller.simulation.boards.setting import Bgr
from controller.vision import Colour, Owner
from controller.vision.geometry.geometry import COLOURS

CheckerPlace = int | Literal["bar", "off", "beside", "hand"]


@dataclass(frozen=True, slots=True)
class Checker:
    """A checker: (x, y) of its axis, ``z_mm`` of its underside (0: on the surface).

    ``place`` is a point 1..24 in light's numbering, the bar, off, beside the board (until it enters, in games that
    begin so), or in a hand. ``on_edge`` stands it on its
    rim with its axis along ``turn``; then (x, y) is its middle. ``flipped`` shows the back.
    """

    side: Colour
    place: CheckerPlace
    layer: int
    x_mm: float
    y_mm: float
    z_mm: float
    turn: float = 0.0
    on_edge: bool = False
    flipped: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A die of one side: ``value`` up, centre of its underside at (x, y, z).

    ``lean`` tips a cocked die by so much about the horizontal axis at angle ``lean_to``.
    """

    side: Colour
    value: int
    x_mm: float
    y_mm: float
    z_mm: float = 0.0
    turn: float = 0.0
    lean: float = 0.0
    lean_to: float = 0.0
    on_board: bool = True


@dataclass(frozen=True, slots=True)
class CubeBlock:
    """The doubling cube: number on its upper face, place of its underside, turn, and who owns it."""

    face: int
    owner: Owner
    x_mm: float
    y_mm: float
    z_mm: float
    turn: float


@dataclass(frozen=True, slots=True)
class Limb:
    """A tapering rod with round ends from one point to another (x, y, z of the axis, radii), all one colour."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_radius_mm: float
    end_radius_mm: float
    colour: Bgr
    cloth: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand with its arm: rods drawn from the lowest to the highest."""

    limbs: tuple[Limb, ...]


@dataclass(frozen=True, slots=True)
class Cup:
    """A dice cup (or a mug) that stands upside up; ``z_mm`` is where it stands."""

    x_mm: float
    y_mm: float
    z_mm: float
    radius_mm: float
    height_mm: float
    colour: Bgr
    inside: Bgr


@dataclass(frozen=True, slots=True)
class TableItem:
    """A box beside the board: a score card, a phone, a clock. ``kind`` says what is drawn on top of it."""

    kind: Literal["card", "phone", "clock", "book"]
    x_mm: float
    y_mm: float
    z_mm: float
    width_mm: float
    depth_mm: float
    height_mm: float
    turn: float
    colour: Bgr
    ink: Bgr


@dataclass(frozen=True, slots=True)
class BoardPush:
    """How far the board was pushed against the camera since it was set up: mm and radians."""

    x_mm: float = 0.0
    y_mm: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True)
class Scene:
    """Everything on and around a board at one moment.

    ``off`` counts borne-off checkers of (light, dark), also such as are out of the picture. ``brightness`` and
    ``tint`` are factors on the light since the setting was made.
    """

    checkers: tuple[Checker, ...]
    off: tuple[int, int]
    dice: tuple[Die, ...] = ()
    cube: CubeBlock | None = None
    hands: tuple[Hand, ...] = ()
    cups: tuple[Cup, ...] = ()
    things: tuple[TableItem, ...] = ()
    push: BoardPush = field(default_factory=BoardPush)
    brightness: float = 1.0
    tint: Bgr = (1.0, 1.0, 1.0)

    def counts(self) -> tuple[int, ...]:
        """The 24 signed counts of the points in light's numbering; what is pinned does not count."""
        points = [0] * 24
        for point, there in self._by_point().items():
            under = pinned_among(there)
            points[point - 1] = sum(1 if one.side == "light" else -1 for one in there if one is not under)
        return tuple(points)

    def pinned(self) -> tuple[int, ...]:
        """The points on which a single checker lies under one of the other side, the lowest first."""
        points = self._by_point().items()
        return tuple(sorted(point for point, there in points if pinned_among(there) is not None))

    def _by_point(self) -> dict[int, list[Checker]]:
        found: dict[int, list[Checker]] = {}
        for checker in self.checkers:
            if isinstance(checker.place, int):
                found.setdefault(checker.place, []).append(checker)
        return found

    def beside(self, side: Colour) -> int:
        """How many checkers of a side lie beside the board and have not entered yet."""
        return sum(checker.place == "beside" and checker.side == side for checker in self.checkers)

    def on_bar(self, side: Colour) -> int:
        """How many checkers of a side are on the bar."""
        return sum(checker.place == "bar" and checker.side == side for checker in self.checkers)


def pinned_among(there: Sequence[Checker]) -> Checker | None:
    """The checker of a point that lies alone under one of the other side, if there is one."""
    for side in COLOURS:
        own = [one for one in there if one.side == side]
        above = any(one.side != side and one.layer for one in there)
        if len(own) == 1 and own[0].layer == 0 and above:
            return own[0]
    return None
