"""What a rendered picture shows: a piece of a board with dice, a cube and checkers on it, its lamps and its camera.

Lengths are millimetres, the ground is z = 0, colours are BGR, 0 to 255.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from calibration.training.dice.dice_scenes import any_die_style
from controller.arrays import FloatArray, triple
from controller.simulation.boards.faces import (
    CubeStyle,
    DieStyle,
    random_colour,
    random_cube_style,
    random_die_style,
)
from controller.simulation.boards.makes import LOOSENESS, DieMake, die_of
from controller.simulation.painting.box import leaning, resting
from controller.vision import CameraModel

Random = np.random.Generator
Colour = tuple[float, float, float]
# Finds a free place for something that reaches so far and is so high, if there is one.
Anywhere = Callable[[float, float], tuple[float, float] | None]
Weave = Literal["felt", "leather", "wood", "marble", "cork", "plain"]
WEAVES: tuple[Weave, ...] = ("felt", "leather", "wood", "marble", "cork", "plain")

PIXELS = 320
# Pixels per millimetre in the middle of the picture.
FINENESS = (1.2, 2.2)
TILT = (0.0, 50.0)
DISTANCE_MM = (500.0, 1400.0)
DIE_MM, CUBE_MM, CHECKER_MM = (10.0, 20.0), (21.0, 34.0), (28.0, 46.0)
# Kinds of dice in a picture, dice, checkers, and how often a cube lies there, and four checkers side by side.
STYLES, DICE, CHECKERS, CUBES, HEAPED = 5, (16, 28), (0, 3), 0.3, 0.35
TRIES = 25
COCKED, TOUCHING, ON_CHECKER, FAINT = 0.05, 0.3, 0.06, 0.3
# Lamps as large and as far as bulbs, ceiling lamps, windows and desk lamps, how often each is mirrored by level
# faces, and how far about (radians, twice the slope of a face that mirrors it) it then is.
LAMP_MM, LAMP_FAR_MM, MIRRORED, ABOUT = (15.0, 900.0), (600.0, 2500.0), 0.45, (0.03, 0.25)
LAMPS = (1, 5)
# How often faces are not flat: they bulge or sink by a share of the side; or they are worn to such slopes.
CURVED, BULGE, WORN, WEAR = 0.6, (0.004, 0.05), 0.2, (0.01, 0.08)
# Of those that are not flat, so many sink.
SINKING = 0.3
# How rough dice of a make are: those of so little gloss are matt, the others more or less polished, some lacquered.
MATT, MATT_ROUGH, ROUGH, COATED = 0.2, 0.6, (0.03, 0.4), 0.3


@dataclass(frozen=True, slots=True)
class Polish:
    """How a surface answers light: how rough (0: a mirror), how much passes through, and whether it is lacquered."""

    rough: float
    clear: float = 0.0
    coat: float = 0.0


@dataclass(frozen=True, slots=True)
class DieKind:
    """Dice that are alike: how they look, how deep pips are (shares of a pip's radius), in which order (signs) their
    values run round.

    Their faces bulge in the middle by ``bulge`` (share of the side, negative where they sink), and ``wear`` is how
    steep (radians) their unevenness is: so lamps are mirrored as spots, where a flat face shines as a whole.
    """

    style: DieStyle
    polish: Polish
    side: float
    depth: float
    values: tuple[int, int, int]
    bulge: float
    wear: float


@dataclass(frozen=True, slots=True)
class DieLaid:
    """A die: of which kind, the value up, its middle, and the turn (3, 3) that takes its own axes to the board's."""

    kind: int
    value: int
    centre: tuple[float, float, float]
    turn: tuple[tuple[float, float, float], ...]
    cocked: bool


@dataclass(frozen=True, slots=True)
class CubeLaid:
    """A doubling cube that lies level, turned by an angle (radians)."""

    style: CubeStyle
    polish: Polish
    side: float
    place: tuple[float, float]
    angle: float


@dataclass(frozen=True, slots=True)
class DiscLaid:
    """A checker on the ground."""

    place: tuple[float, float]
    radius: float
    thickness: float
    dish: float
    colour: Colour
    polish: Polish


@dataclass(frozen=True, slots=True)
class Wedge:
    """A point of the board: its three corners and its colour."""

    corners: tuple[tuple[float, float], ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Cloth:
    """The ground: what it is made of, two colours of it, how coarse its pattern is (mm), and its polish."""

    weave: Weave
    colour: Colour
    second: Colour
    coarse: float
    polish: Polish


@dataclass(frozen=True, slots=True)
class Panel:
    """A lamp or a window: where its middle is, how large, how many panes it has, its colour, how much it lights."""

    place: tuple[float, float, float]
    size: tuple[float, float]
    panes: int
    colour: tuple[float, float, float]
    strength: float


@dataclass(frozen=True)
class Laying:
    """All of a picture."""

    camera: CameraModel
    ground: Cloth
    wedges: tuple[Wedge, ...]
    kinds: tuple[DieKind, ...]
    dice: tuple[DieLaid, ...]
    cubes: tuple[CubeLaid, ...]
    discs: tuple[DiscLaid, ...]
    panels: tuple[Panel, ...]
    sky: tuple[float, float, float]


def any_laying(random: Random, makes: Sequence[DieMake] = ()) -> Laying:
    """A picture's worth of things, the same for the same state of chance; its dice are of ``makes`` or invented."""
    camera = any_camera(random)
    if makes:
        kinds = tuple(_made_kind(random, makes) for _ in range(STYLES))
    else:
        side = float(random.uniform(*DIE_MM))
        kinds = tuple(_any_kind(random, side) for _ in range(STYLES))
    taken: list[tuple[float, float, float, float]] = []
    slope = float(np.hypot(*camera.centre_mm[:2]) / camera.centre_mm[2])
    half = 0.5 * PIXELS / (camera.focal / float(np.linalg.norm(camera.centre_mm)))

    def free(x: float, y: float, reach: float, height: float) -> bool:
        """Whether nothing lies there, or stands before something lower."""
        for other_x, other_y, other_reach, other_height in taken:
            shade = slope * abs(height - other_height)
            if np.hypot(x - other_x, y - other_y) < reach + other_reach + shade:
                return False
        taken.append((x, y, reach, height))
        return True

    def anywhere(reach: float, height: float) -> tuple[float, float] | None:
        for _ in range(TRIES):
            x, y = (float(one) for one in random.uniform(-half, half, 2) * 0.92)
            if free(x, y, reach, height):
                return x, y
        return None

    cubes = tuple(_any_cubes(random, anywhere))
    discs = tuple(_any_discs(random, anywhere))
    dice: list[DieLaid] = []
    for _ in range(int(random.integers(*DICE))):
        number = int(random.integers(STYLES))
        kind = kinds[number]
        on = discs[int(random.integers(len(discs)))] if discs and random.random() < ON_CHECKER else None
        angle = float(random.uniform(0, 2 * np.pi))
        beside = _beside(random, dice, kinds, kind) if random.random() < TOUCHING else None
        if on is not None:
            place, floor = on.place, on.thickness
            if any(die.centre[:2] == place for die in dice):
                continue
        elif beside is not None:
            x, y, angle = beside
            near = [one for one in taken if np.hypot(one[0] - x, one[1] - y) < one[2] + 0.75 * kind.side]
            if len(near) > 1 or max(abs(x), abs(y)) > half:
                continue
            taken.append((x, y, 0.71 * kind.side, kind.side))
            place, floor = (x, y), 0.0
        else:
            found = anywhere(0.75 * kind.side, kind.side)
            if found is None:
                continue
            place, floor = found, 0.0
        cocked = beside is None and random.random() < COCKED
        tilt = float(random.uniform(0.2, 0.6)) if cocked else float(random.normal(0, 0.008))
        value = int(random.integers(1, 7))
        turn = leaning(angle, tilt, float(random.uniform(0, 2 * np.pi))) @ _upwards(kind, value)
        centre = resting(*place, floor, kind.side, turn)
        rows = tuple(triple(row) for row in turn)
        dice.append(DieLaid(number, value, triple(centre), rows, cocked))
    ground = _any_cloth(random)
    wedges = tuple(_any_wedges(random, half))
    panels, sky = _any_light(random, camera)
    return Laying(
        camera,
        ground,
        wedges,
        kinds=kinds,
        dice=tuple(dice),
        cubes=cubes,
        discs=discs,
        panels=panels,
        sky=sky,
    )


def any_camera(random: Random) -> CameraModel:
    """A camera that looks at the middle of the ground from anywhere, as steeply as cameras over tables do."""
    tilt, way, roll = np.radians(random.uniform(*TILT)), *random.uniform(0, 2 * np.pi, 2)
    far = float(random.uniform(*DISTANCE_MM))
    ahead = -np.array([np.sin(tilt) * np.cos(way), np.sin(tilt) * np.sin(way), np.cos(tilt)])
    right = np.cross(ahead, [np.cos(roll), np.sin(roll), 0.1])
    right /= np.linalg.norm(right)
    turn = np.stack([right, np.cross(ahead, right), ahead])
    rotation = cv2.Rodrigues(turn)[0].ravel()
    focal = far * float(random.uniform(*FINENESS))
    return CameraModel(
        PIXELS, PIXELS, focal, k1=0.0, k2=0.0, rotation=triple(rotation), translation=(0.0, 0.0, far)
    )


def _any_kind(random: Random, side: float) -> DieKind:
    """Dice of any maker: sharp and round edges, small and large pips, painted or drilled, clear or not."""
    style = any_die_style(random) if random.random() < FAINT else random_die_style(random)
    values = _any_order(random)
    clear = float(random.uniform(0.3, 0.95)) if random.random() < 0.2 else 0.0
    rough = float(np.exp(random.uniform(np.log(0.03), np.log(0.5))))
    depth = float(random.uniform(0.1, 0.7)) if random.random() < 0.6 else 0.0
    polish = Polish(rough, clear, float(random.random() < 0.3))
    size = float(np.clip(side * random.uniform(0.92, 1.08), *DIE_MM))
    bulge = float(np.exp(random.uniform(*np.log(BULGE)))) if random.random() < CURVED else 0.0
    sign = -1.0 if random.random() < SINKING else 1.0
    wear = float(np.exp(random.uniform(*np.log(WEAR)))) if random.random() < WORN else 0.0
    return DieKind(style, polish, size, depth=depth, values=values, bulge=sign * bulge, wear=wear)


def _made_kind(random: Random, makes: Sequence[DieMake]) -> DieKind:
    """Dice of one of the makes."""
    make = makes[int(random.integers(len(makes)))]
    style = die_of(make, random)
    values = _any_order(random)
    rough = float(np.exp(random.uniform(*np.log(ROUGH)))) if make.gloss > MATT else MATT_ROUGH
    polish = Polish(rough, make.clear, float(random.random() < COATED))
    side = float(np.clip(make.side_mm * random.normal(1, LOOSENESS), *DIE_MM))
    bulge = float(np.exp(random.uniform(*np.log(BULGE)))) if random.random() < CURVED else 0.0
    sign = -1.0 if random.random() < SINKING else 1.0
    wear = float(np.exp(random.uniform(*np.log(WEAR)))) if random.random() < WORN else 0.0
    return DieKind(style, polish, side, depth=make.depth, values=values, bulge=sign * bulge, wear=wear)


def _any_order(random: Random) -> tuple[int, int, int]:
    """In which order the values run round a die."""
    signs = random.random(3) < 0.5
    order = random.permutation([1, 2, 3])
    one, two, three = (
        int(7 - value) if sign else int(value) for value, sign in zip(order, signs, strict=True)
    )
    return one, two, three


def _any_cubes(random: Random, anywhere: Anywhere) -> Iterator[CubeLaid]:
    if random.random() < CUBES:
        side = float(random.uniform(*CUBE_MM))
        place = anywhere(0.75 * side, side)
        if place is not None:
            polish = Polish(float(random.uniform(0.05, 0.6)))
            yield CubeLaid(random_cube_style(random), polish, side, place, float(random.uniform(0, 6.3)))


def _any_discs(random: Random, anywhere: Anywhere) -> Iterator[DiscLaid]:
    radius, colours = float(random.uniform(*CHECKER_MM)) / 2, [random_colour(random) for _ in range(2)]
    polish = Polish(float(np.exp(random.uniform(np.log(0.04), np.log(0.5)))))
    thickness = radius * float(random.uniform(0.35, 0.65))
    dish = float(random.choice([0.0, random.uniform(0.2, 1.5), -random.uniform(0.1, 0.5)]))
    middle = anywhere(2.45 * radius, thickness) if random.random() < HEAPED else None
    if middle is not None:
        colour, apart = colours[int(random.integers(2))], radius * float(random.uniform(1.0, 1.06))
        angle, slip = float(random.uniform(0, 2 * np.pi)), float(random.uniform(0, 0.4)) * radius
        for across, along in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            out, up = across * apart, along * apart + 0.5 * across * slip
            x = middle[0] + out * np.cos(angle) - up * np.sin(angle)
            y = middle[1] + out * np.sin(angle) + up * np.cos(angle)
            yield DiscLaid((float(x), float(y)), radius, thickness, dish, colour, polish)
    for _ in range(int(random.integers(CHECKERS[0], CHECKERS[1] + 1))):
        place = anywhere(radius, thickness)
        if place is not None:
            yield DiscLaid(place, radius, thickness, dish, colours[int(random.integers(2))], polish)


def _beside(
    random: Random, dice: list[DieLaid], kinds: tuple[DieKind, ...], kind: DieKind
) -> tuple[float, float, float] | None:
    """A place beside a die, face to face with it, and the turn there."""
    level = [die for die in dice if not die.cocked and die.centre[2] < kinds[die.kind].side]
    if not level:
        return None
    other = level[int(random.integers(len(level)))]
    columns = np.array(other.turn)
    along = columns[:2, int(np.argmax(np.abs(columns[0]) * (np.abs(columns[2]) < 0.5)))]
    angle = float(np.arctan2(along[1], along[0]))
    way = angle + np.pi / 2 * int(random.integers(4))
    reach = (kinds[other.kind].side + kind.side) / 2 * float(random.uniform(1.0, 1.15))
    slip = float(random.normal(0, 0.25)) * kind.side
    x = other.centre[0] + reach * np.cos(way) - slip * np.sin(way)
    y = other.centre[1] + reach * np.sin(way) + slip * np.cos(way)
    return float(x), float(y), angle


def _upwards(kind: DieKind, value: int) -> FloatArray:
    """The rotation (3, 3) that brings the face with a value, among the faces of `solids.block_mesh`, to the top."""
    number = next(k for k in range(6) if face_values(kind)[k] == value)
    up = np.zeros(3)
    up[number // 2] = 1.0 - 2.0 * (number % 2)
    right = np.roll(np.abs(up), 1)
    return np.asarray(np.stack([right, np.cross(up, right), up]), float)


def face_values(kind: DieKind) -> tuple[int, ...]:
    """The values of the faces to +x, -x, +y, -y, +z and -z: opposite ones make seven."""
    return tuple(value for one in kind.values for value in (one, 7 - one))


def _any_cloth(random: Random) -> Cloth:
    """What boards are covered with, in any colour."""
    weave = WEAVES[int(random.integers(len(WEAVES)))]
    colour = random_colour(random)
    second = triple(np.clip(np.array(colour) * random.uniform(0.4, 1.5, 3), 4, 250))
    rough = float(
        random.uniform(0.1, 0.5) if weave in ("wood", "marble", "leather") else random.uniform(0.5, 1)
    )
    return Cloth(weave, colour, second, float(random.uniform(0.6, 12.0)), Polish(rough))


def _any_wedges(random: Random, half: float) -> Iterator[Wedge]:
    """Points of the board, two colours in turn."""
    if random.random() < 0.25:
        return
    colours = [random_colour(random), random_colour(random)]
    wide, long = float(random.uniform(30, 48)), float(random.uniform(120, 190))
    angle = float(random.uniform(0, 2 * np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    count, base = int(2 * half / wide) + 2, float(random.uniform(-1.4, -0.2)) * half
    for number in range(-count, count):
        left = number * wide
        corners = np.array([[left, base], [left + wide, base], [left + wide / 2, base + long]]) @ turn.T
        yield Wedge(tuple((float(x), float(y)) for x, y in corners), colours[number % 2])


def _any_light(random: Random, camera: CameraModel) -> tuple[tuple[Panel, ...], tuple[float, float, float]]:
    """Lamps and windows, and the light from all around. Often level faces mirror some of them into the camera."""
    panels = []
    for _ in range(int(random.integers(*LAMPS))):
        slope, way = random.uniform(0.05, 1.35), random.uniform(0, 2 * np.pi)
        towards = np.array([np.sin(slope) * np.cos(way), np.sin(slope) * np.sin(way), np.cos(slope)])
        if random.random() < MIRRORED:
            towards = camera.centre_mm * [-1, -1, 1] / np.linalg.norm(camera.centre_mm)
            towards = towards + random.normal(0, float(np.exp(random.uniform(*np.log(ABOUT)))), 3)
            towards /= np.linalg.norm(towards)
            towards[2] = abs(towards[2])
        far = float(np.exp(random.uniform(*np.log(LAMP_FAR_MM))))
        wide, high = (float(one) for one in np.exp(random.uniform(np.log(LAMP_MM[0]), np.log(LAMP_MM[1]), 2)))
        strength = float(np.exp(random.uniform(np.log(0.2), np.log(2.5))))
        panes = int(random.choice([1, 1, 2, 3]))
        panels.append(Panel(triple(far * towards), (wide, high), panes, _tint(random), strength))
    around = np.array(_tint(random)) * float(np.exp(random.uniform(np.log(0.1), np.log(1.0))))
    return tuple(panels), triple(around)


def _tint(random: Random) -> tuple[float, float, float]:
    """White light, or a little warmer or colder: red, green, blue."""
    warm = float(random.normal(0, 0.15))
    return triple(np.exp([warm, 0.0, -warm]))
