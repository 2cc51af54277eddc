"""How the board stood, what dice and cube showed, and whose hands were over it."""

from dataclasses import dataclass
from math import hypot
from typing import Literal

from controller.vision.geometry.geometry import Colour

Owner = Literal["center", "light", "dark"]


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: the number on its upper face (1..6) and the centre of that face in pixels.

    ``confidence`` is the probability that it is a die and the number right. ``cocked``: it does not lie flat.
    ``owner`` is whose it is where dice of two kinds are in view: the paler ones are light's. ``shares`` are the
    probabilities of the numbers 1 to 6, should it be a die that shows what it seems to show: in a coarse picture some
    seem to show another number, and only ``confidence`` knows. They are empty where nothing tells them.
    """

    value: int
    x: float
    y: float
    confidence: float = 1.0
    cocked: bool = False
    owner: Colour | None = None
    shares: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """The doubling cube: what it is worth (1 while centred) and on whose side it lies.

    ``face`` is the number that is up (2..64), whatever the cube is worth; ``x``, ``y`` its middle in pixels.
    """

    value: int
    owner: Owner
    confidence: float = 1.0
    face: int = 64
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class BoardDrift:
    """By how much board and light have changed since the calibration.

    The board was pushed by ``x_mm`` and ``y_mm`` (board frame, nominal mm) and turned by ``turn_deg`` degrees.
    ``light`` is the factor of each channel, blue, green and red, that the surface is brighter by. ``likeness``
    is how much what is seen resembles the bare board (-1 to 1: see ``drift.Push``), ``sharpness`` how much
    of its finest details is left: 1 as at the calibration, near 0 when blurred. ``uneven`` is by what factor (its
    logarithm) light differs from place to place otherwise than at the calibration, in the middle of the board.
    """

    x_mm: float
    y_mm: float
    turn_deg: float
    light: tuple[float, float, float]
    likeness: float
    sharpness: float = 1.0
    uneven: float = 0.0


@dataclass(frozen=True, slots=True)
class ReflectionSeen:
    """A lamp that mirrors in the board: its middle in pixels, and the point 1..24 next to it."""

    x: float
    y: float
    point: int


Misplaced = Literal["moved", "turned", "tilted", "other_board"]
"""Why a board is not read: it was pushed too far, turned round, is seen by a camera that was tilted or raised, or it
is another board."""


@dataclass(frozen=True, slots=True)
class Misplacement:
    """How the board stands otherwise than at its calibration, so that it is not read there.

    Its middle lies ``x_mm``, ``y_mm`` off (board frame, nominal mm), it is turned by ``turn_deg`` and tilted by
    ``tilt_deg`` degrees, and the camera is nearer by this share of its height (negative: further off). ``chance`` is
    the probability of ``kind``.
    """

    kind: Misplaced
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0
    tilt_deg: float = 0.0
    nearer: float = 0.0
    chance: float = 1.0

    @property
    def shift_mm(self) -> float:
        """How far off the middle of the board lies."""
        return hypot(self.x_mm, self.y_mm)


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand over the board.

    ``side`` is the side of the board that it came from, ``None`` where that is not known. ``points`` are the points
    1..24 that it covered; none where it was only over the dice, the cube, the bar or a tray.
    """

    side: Colour | None
    points: frozenset[int]


Hands = tuple[HandSeen, ...]
"""Hands over the board, each with its side and the points that it covered."""
