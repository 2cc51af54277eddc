"""All that the networks for dice and cube learn from: pictures that ship with the project, and painted boards."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.training.boards import KnownBoard, Shot, known_boards
from calibration.training.dice.dice_boards import painted_scenes
from calibration.training.dice.dice_cuts import Lesson, Map, Patch, cut, settled
from calibration.training.dice.dice_scenes import DiceScene, Stock, compose, draw_stock, things_of
from controller.vision import Board, learn_appearance

SEED = 5
DIE_STYLES, CUBE_STYLES = 400, 300
# Each picture is painted over this many times; only the first few are kept as maps, which are large.
PAINTED = 8
MAPPED = 5
# Unpainted pictures are shown this many times as often.
TRUE_WORTH = 6.0
# Wholly painted boards, pictures of each, and how many of these are kept as maps.
BOARDS, PICTURES, BOARD_MAPS = 200, 9, 6
# A share of these gets further dice and cubes painted over.
CROWDED = 0.5


@dataclass(frozen=True)
class Lessons:
    """Maps and patches of dice and cubes; ``map_worth`` says how often each map is shown, relative to the others."""

    dice_maps: tuple[Map, ...]
    cube_maps: tuple[Map, ...]
    map_worth: tuple[float, ...]
    dice: tuple[Patch, ...]
    cubes: tuple[Patch, ...]


@cache
def lessons() -> Lessons:
    """All lessons, the same each time."""
    stock = draw_stock(np.random.default_rng(SEED), DIE_STYLES, CUBE_STYLES)
    parts = [photographed(number, known, stock) for number, known in enumerate(known_boards())]
    return joined([*parts, *(painted(number, stock) for number in range(BOARDS))])


def photographed(number: int, known: KnownBoard, stock: Stock) -> Lessons:
    """The lessons of one board of which there are pictures, ``number`` among them."""
    rng = np.random.default_rng([SEED, number, 1])
    board = learned_board(known)
    made = []
    for shot in (*known.starts, *known.shots):
        checkers = tuple((float(c["x"]), float(c["y"])) for c in shot.truth["checkers"])
        plain, now = settled(DiceScene(shot.image, things_of(shot.truth), checkers), board)
        for turn in range(PAINTED + 1):
            scene = compose(plain, now, stock, rng) if turn else plain
            made.append(_lessons(cut(scene, now, rng), turn <= MAPPED, 1.0 if turn else TRUE_WORTH))
    return joined(made)


def painted(number: int, stock: Stock) -> Lessons:
    """The lessons of one wholly painted board."""
    rng = np.random.default_rng([SEED, number, 2])
    board, scenes = painted_scenes(number, PICTURES)
    made = []
    for turn, scene in enumerate(scenes):
        plain, now = settled(scene, board)
        if rng.random() < CROWDED:
            plain = compose(plain, now, stock, rng)
        made.append(_lessons(cut(plain, now, rng), turn < BOARD_MAPS, 1.0))
    return joined(made)


def joined(parts: Sequence[Lessons]) -> Lessons:
    """All of several lessons, in their order."""
    return Lessons(
        tuple(one for part in parts for one in part.dice_maps),
        tuple(one for part in parts for one in part.cube_maps),
        tuple(worth for part in parts for worth in part.map_worth),
        tuple(one for part in parts for one in part.dice),
        tuple(one for part in parts for one in part.cubes),
    )


def _lessons(lesson: Lesson, mapped: bool, worth: float) -> Lessons:
    return Lessons(
        (lesson.dice_map,) if mapped else (),
        (lesson.cube_map,) if mapped else (),
        (worth,) if mapped else (),
        tuple(replace(patch, worth=worth) for patch in lesson.dice),
        tuple(replace(patch, worth=worth) for patch in lesson.cubes),
    )


def learned_board(known: KnownBoard) -> Board:
    """The board as its start positions show it."""
    starts: tuple[Shot, ...] = known.starts
    look = learn_appearance([start.image for start in starts], known.camera, known.geometry, starts[0].points)
    return Board(known.camera, known.geometry, look)
