"""Painted boards to learn from: any material, camera and light, and more piles than real games have."""

from dataclasses import replace

import numpy as np

from calibration.training.boards import KnownBoard, Shot
from controller.rules import Position
from controller.simulation import Painter, random_setting
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import shifted
from controller.simulation.boards.hands import random_hand
from controller.simulation.boards.scenes import random_position
from controller.simulation.boards.setting import CheckerLook, Setting
from controller.simulation.painting.truth import truth_of
from controller.vision.counting.counts import SIDE

Random = np.random.Generator

SIZES = ((1280, 720), (1280, 720), (960, 540), (800, 600), (640, 480))
START = Position.from_compact("b....E.C...eE...c.e....B..")
# How often a point holds 1, 2, ... checkers where piles are to be learned.
SIZES_OF_ROWS = np.array([10, 10, 9, 8, 14, 14, 11, 8, 6, 4, 3, 2, 1.5, 1, 0.7])
# Share of the pictures with such positions; the others are out of games.
PILED = 0.75
GAMES_WITH_PILES = 0.6
# Share of the boards whose checkers have backs of another shade, and how far off that is.
TWO_SHADES, SHADE_SPREAD = 0.35, 0.2
# Share of the pictures with a hand over the board, and how much brighter or darker pictures are (log).
HANDS, LIGHT_SPREAD = 0.2, 0.08


def painted_board(seed: int, count: int) -> KnownBoard:
    """One painted setting with two start pictures and ``count`` others; the same for the same seed."""
    random = np.random.default_rng([seed, 1])
    setting = random_setting(random, SIZES[int(random.integers(len(SIZES)))])
    if random.random() < TWO_SHADES:
        setting = _two_shades(setting, random)
    painter = Painter(setting)

    def shot(position: Position, dice: tuple[int, ...], hands: float = 0.0) -> Shot:
        sides = [("light", "dark")[int(random.integers(2))] for _ in dice]
        scene = arrange(
            setting,
            position,
            random,
            dice=[
                ("light" if side == "light" else "dark", value)
                for side, value in zip(sides, dice, strict=True)
            ],
            sloppiness=float(random.uniform(0.2, 2.0)),
        )
        scene = replace(
            scene,
            hands=(random_hand(setting, random),) if random.random() < hands else (),
            brightness=float(np.exp(random.normal(0, LIGHT_SPREAD))),
        )
        painted = painter.paint(scene, random)
        return Shot(painted.picture, truth_of(setting, scene, painted, "painted"))

    def thrown() -> tuple[int, ...]:
        return tuple(int(die) for die in random.integers(1, 7, 2)) if random.random() < 0.7 else ()

    starts = tuple(shot(START, ()) for _ in range(2))
    others = tuple(shot(_position(random), thrown(), HANDS) for _ in range(count))
    return KnownBoard(f"painted {seed}", setting.camera, setting.geometry, starts, others)


def _two_shades(setting: Setting, random: Random) -> Setting:
    """The setting with checkers whose two faces differ."""

    def look(one: CheckerLook) -> CheckerLook:
        return replace(one, back=shifted(random, one.colour, SHADE_SPREAD))

    light, dark = look(setting.checkers["light"]), look(setting.checkers["dark"])
    return replace(setting, checkers={"light": light, "dark": dark})


def _position(random: Random) -> Position:
    return piled_position(random) if random.random() < PILED else random_position(random, GAMES_WITH_PILES)


def piled_position(random: Random) -> Position:
    """Rows and piles of any height anywhere; what is left over is on the bar or borne off."""
    points = [0] * 24
    bar = [0, 0]
    free = random.permutation(24).tolist()
    for number, sign in enumerate((1, -1)):
        left = SIDE - int(random.integers(0, 8)) if random.random() < 0.4 else SIDE
        if random.random() < 0.15:
            bar[number] = int(random.integers(1, 4))
            left = max(0, left - bar[number])
        while left and free:
            share = SIZES_OF_ROWS / SIZES_OF_ROWS.sum()
            size = min(left, 1 + int(random.choice(len(share), p=share)))
            points[free.pop()] = sign * size
            left -= size
    return Position.from_counts(points, bar[0], bar[1])
