"""Painted boards with many checkers on the bar, in any material, camera and light."""

import numpy as np

from calibration.training.boards import KnownBoard, Shot
from controller.rules import Position, Side
from controller.simulation import Painter, random_setting
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.scenes import random_position
from controller.simulation.painting.truth import truth_of
from controller.vision import Colour, Owner

Random = np.random.Generator

SIZES = ((960, 540), (800, 600), (640, 480))
START = Position.from_compact("b....E.C...eE...c.e....B..")
# Of the pictures this many have 1, 2, 3, 4 more checkers on the bar.
HIT = 0.65
MORE = (0.35, 0.3, 0.2, 0.15)
MOST = 5
COLOURS: tuple[Colour, ...] = ("light", "dark")
OWNERS: tuple[Owner, ...] = ("center", "light", "dark")


def painted_bars(seed: int, count: int) -> KnownBoard:
    """One painted setting with two start pictures and ``count`` others; the same for the same seed."""
    random = np.random.default_rng([seed, 3])
    setting = random_setting(random, SIZES[int(random.integers(len(SIZES)))])
    painter = Painter(setting)

    def shot(position: Position, dice: list[tuple[Colour, int]], cube: tuple[int, Owner] | None) -> Shot:
        neat = float(random.uniform(0.3, 2.0))
        scene = arrange(setting, position, random, dice=dice, cube=cube, sloppiness=neat)
        painted = painter.paint(scene, random)
        return Shot(painted.picture, truth_of(setting, scene, painted, "painted"))

    def other() -> Shot:
        dice = [(COLOURS[int(random.integers(2))], int(random.integers(1, 7))) for _ in range(2)]
        owner = OWNERS[int(random.integers(3))]
        cube = (1 if owner == "center" else 2 ** int(random.integers(1, 6)), owner)
        return shot(with_hits(random_position(random), random), dice, cube if random.random() < 0.9 else None)

    starts = tuple(shot(START, [], (1, "center")) for _ in range(2))
    others = tuple(other() for _ in range(count))
    return KnownBoard(f"painted bars {seed}", setting.camera, setting.geometry, starts, others)


def with_hits(position: Position, random: Random) -> Position:
    """The position, mostly with some of its checkers moved to the bar: never more than ``MOST`` lie there."""
    points = list(position.points)
    bar = [position.bar(Side.LIGHT), position.bar(Side.DARK)]
    wanted = 1 + int(random.choice(len(MORE), p=MORE)) if random.random() < HIT else 0
    for _ in range(min(wanted, MOST - sum(bar))):
        held = [point for point, count in enumerate(points) if count]
        if not held:
            break
        point = held[int(random.integers(len(held)))]
        bar[0 if points[point] > 0 else 1] += 1
        points[point] -= 1 if points[point] > 0 else -1
    return Position.from_counts(points, bar[0], bar[1])
