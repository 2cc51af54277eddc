"""Painted boards to learn dice and cubes from: any material, camera and light, and more dice than a game has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.training.dice.dice_scenes import DiceItem, DiceScene, any_die_style
from calibration.training.variety import miscalibrated
from controller.arrays import FloatArray
from controller.simulation import Painter, random_setting
from controller.simulation.boards.faces import CUBE_VALUES, random_cube_style
from controller.simulation.boards.scene import Checker, CubeBlock, Die
from controller.simulation.boards.scene import Scene as Laid
from controller.simulation.boards.scenes import START, random_scene, start_scene
from controller.simulation.boards.setting import CubeLook, DieLook, Setting
from controller.simulation.painting.painter import Painted
from controller.simulation.painting.solids import die_top
from controller.simulation.painting.truth import upper_face
from controller.vision import Board, Colour, learn_appearance

Random = np.random.Generator

SIZES = ((1280, 720), (1280, 720), (1280, 720), (960, 540), (800, 600), (640, 480), (1920, 1080))
DIE_MM = (10.0, 20.0)
CUBE_MM = (21.0, 34.0)
MOST_DICE = 8
SHARE_HANDS = 0.08
SHARE_COCKED = 0.12
# A die is called cocked from this lean (radians) on.
COCKED = 0.15
# Checkers of whose upper face less is seen are not looked at.
LEAST_SEEN = 0.3
TRIES = 30
SIDES: tuple[Colour, Colour] = ("light", "dark")

# Where something might lie: x, y, the height of its floor, and its turn.
Place = tuple[float, float, float, float]


def painted_scenes(seed: int, count: int) -> tuple[Board, list[DiceScene]]:
    """One painted board as calibrated, not quite exactly, and ``count`` scenes on it; the same for the same seed."""
    random = np.random.default_rng([seed, 4])
    setting = random_setting(random, SIZES[int(random.integers(len(SIZES)))])
    painter = Painter(setting)
    starts = [painter.paint(start_scene(setting, random), random).picture for _ in range(2)]
    camera, geometry = miscalibrated(setting.camera, setting.geometry, random)
    board = Board(camera, geometry, learn_appearance(starts, camera, geometry, START.points))
    scenes = []
    for _ in range(count):
        painter.setting = now = _other_things(setting, random)
        laid = random_scene(now, random, SHARE_HANDS)
        laid = replace(laid, dice=())
        if laid.cube is not None:
            laid = replace(laid, cube=replace(laid.cube, face=int(random.choice(CUBE_VALUES))))
        laid = replace(laid, dice=tuple(_dice(now, laid, random)))
        scenes.append(_scene(now, laid, painter.paint(laid, random)))
    return board, scenes


def _other_things(setting: Setting, random: Random) -> Setting:
    """The same board with other dice and another cube."""
    size, styles = random.uniform(*DIE_MM), [any_die_style(random), any_die_style(random)]
    dice = {
        side: DieLook(float(np.clip(size * random.uniform(0.9, 1.1), *DIE_MM)), style)
        for side, style in zip(SIDES, styles, strict=True)
    }
    where = setting.cube.place if random.random() < 0.5 else "bar"
    cube = CubeLook(float(random.uniform(*CUBE_MM)), random_cube_style(random), 64, where)
    return replace(setting, dice=dice, cube=cube)


def _dice(setting: Setting, laid: Laid, random: Random) -> Iterator[Die]:
    """Dice anywhere on the board: on the surface, at the rail, on checkers, on the bar, side by side."""
    ground = _Ground(setting, laid, random)
    ways: tuple[Callable[[float], Place], ...] = (
        ground.anywhere,
        ground.at_rail,
        ground.on_checker,
        ground.on_bar,
    )
    last: tuple[Place, float] | None = None
    for _ in range(int(random.integers(2, MOST_DICE + 1))):
        side = SIDES[int(random.integers(2))]
        size = setting.dice[side].size_mm
        for _ in range(TRIES):
            if last is not None and random.random() < 0.3:
                place = ground.next_to(last[0], (last[1] + size) / 2)
            else:
                place = ways[int(random.choice(4, p=(0.68, 0.1, 0.12, 0.1)))](size)
            if ground.free(place, size):
                break
        else:
            continue
        ground.taken.append((place, size))
        last = (place, size)
        lean = float(random.uniform(0.2, 0.6)) if random.random() < SHARE_COCKED else 0.0
        x, y, z, turn = place
        value, towards = int(random.integers(1, 7)), float(random.uniform(0, 2 * np.pi))
        yield Die(side, value, x, y_mm=y, z_mm=z, turn=turn, lean=lean, lean_to=towards)


@dataclass
class _Ground:
    """What dice may lie on, and the dice that lie there already with their sizes (mm)."""

    setting: Setting
    laid: Laid
    random: Random

    def __post_init__(self) -> None:
        self.taken: list[tuple[Place, float]] = []
        self.lying = [one for one in self.laid.checkers if not one.on_edge and one.place != "hand"]

    def anywhere(self, size: float) -> Place:
        """A place on the surface."""
        geometry = self.setting.geometry
        x = self.random.uniform(-0.5, 0.5) * (geometry.surface_width_mm - 1.4 * size)
        y = self.random.uniform(-0.5, 0.5) * (geometry.surface_height_mm - 1.4 * size)
        return float(x), float(y), 0.0, self._turn()

    def at_rail(self, size: float) -> Place:
        """A place on the surface close to one of the rails."""
        x, y, z, turn = self.anywhere(size)
        geometry, gap = self.setting.geometry, size * float(self.random.uniform(0.52, 0.75))
        if self.random.random() < 0.5:
            return float(np.sign(x)) * (geometry.surface_width_mm / 2 - gap), y, z, turn
        return x, float(np.sign(y)) * (geometry.surface_height_mm / 2 - gap), z, turn

    def on_checker(self, size: float) -> Place:
        """A place on the uppermost of some checkers."""
        if not self.lying:
            return self.anywhere(size)
        one = self.lying[int(self.random.integers(len(self.lying)))]
        radius = self.setting.geometry.checker_diameter_mm / 2
        upper = max(
            other.z_mm
            for other in self.lying
            if np.hypot(other.x_mm - one.x_mm, other.y_mm - one.y_mm) < radius
        )
        x, y = np.array([one.x_mm, one.y_mm]) + self.random.uniform(-0.4, 0.4, 2) * radius
        return float(x), float(y), upper + self.setting.geometry.checker_thickness_mm, self._turn()

    def on_bar(self, size: float) -> Place:
        """A place on the bar."""
        y = self.random.uniform(-0.5, 0.5) * (self.setting.geometry.surface_height_mm - size)
        return float(self.random.normal(0, 3)), float(y), self.setting.frame.bar_height_mm, self._turn()

    def next_to(self, other: Place, size: float) -> Place:
        """A place beside another die, often face to face with it."""
        x, y, z, turn = other
        reach = size * float(self.random.uniform(1.02, 1.8))
        way = turn + np.pi / 2 * int(self.random.integers(4))
        if reach > 1.45 * size:
            way, turn = self._turn(), self._turn()
        return float(x + reach * np.cos(way)), float(y + reach * np.sin(way)), z, turn

    def free(self, place: Place, size: float) -> bool:
        """Whether a die of that size would stand in nothing else."""
        x, y, z, turn = place
        geometry = self.setting.geometry
        if (
            abs(x) > (geometry.surface_width_mm - size) / 2
            or abs(y) > (geometry.surface_height_mm - size) / 2
        ):
            return False
        if z == 0.0 < self.setting.frame.bar_height_mm and abs(x) < (geometry.bar_mm + 1.3 * size) / 2:
            return False
        for (other_x, other_y, _, other_turn), other_size in self.taken:
            wide = 1.0 if turn == other_turn else 1.42
            if np.hypot(x - other_x, y - other_y) < wide * (size + other_size) / 2:
                return False
        near = geometry.checker_diameter_mm / 2 + 0.6 * size
        if any(
            z < one.z_mm + geometry.checker_thickness_mm - 0.01
            and np.hypot(x - one.x_mm, y - one.y_mm) < near
            for one in self.lying
        ):
            return False
        cube = self.laid.cube
        return cube is None or bool(
            np.hypot(x - cube.x_mm, y - cube.y_mm) > 0.72 * (size + self.setting.cube.size_mm)
        )

    def _turn(self) -> float:
        return float(self.random.uniform(0, 2 * np.pi))


def _scene(setting: Setting, laid: Laid, painted: Painted) -> DiceScene:
    """What was painted, with what is seen of it."""
    seen = np.bincount(np.maximum(painted.owner, 0).ravel(), minlength=len(painted.faces) + 1)
    shares = [
        min(1.0, int(one) / whole) if whole else 0.0
        for one, whole in zip(seen[1:], painted.faces, strict=False)
    ]
    first = len(laid.checkers)

    def pixel(place: FloatArray) -> tuple[float, float]:
        x, y = painted.camera.project(place)
        return float(x), float(y)

    things = [
        DiceItem("die", die.value, *pixel(die_top(setting, die)), shares[first + k], die.lean > COCKED)
        for k, die in enumerate(laid.dice)
    ]
    if laid.cube is not None:
        things.append(_cube(setting, laid.cube, pixel, shares[-1]))
    checkers: list[Checker] = [
        one
        for one, share in zip(laid.checkers, shares, strict=False)
        if share >= LEAST_SEEN and not one.on_edge
    ]
    return DiceScene(
        painted.picture, tuple(things), tuple(pixel(upper_face(setting, one)) for one in checkers)
    )


def _cube(
    setting: Setting, cube: CubeBlock, pixel: Callable[[FloatArray], tuple[float, float]], share: float
) -> DiceItem:
    place = np.array([cube.x_mm, cube.y_mm, cube.z_mm + setting.cube.size_mm])
    value = 1 if cube.face == 64 and setting.cube.style.logo else cube.face
    return DiceItem("cube", value, *pixel(place), share)
