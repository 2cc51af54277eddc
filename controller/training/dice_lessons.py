"""Everything the networks for dice and cube learn from, made from the pictures that ship with the project."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from controller.training.boards import KnownBoard, Shot, known_boards
from controller.training.dice_cuts import Map, Patch, cut, look_alikes, settled
from controller.training.dice_scenes import Scene, compose, draw_stock, things_of
from controller.vision.appearance import learn_appearance
from controller.vision.board import Board

SEED = 5
DIE_STYLES, CUBE_STYLES = 400, 300
# Each picture is painted over so many times; only the first few are kept as maps, which are large.
PAINTED = 14
MAPPED = 5
# Unpainted pictures are shown so many times as often.
TRUE_WORTH = 6.0
# How often every checker is looked at.
LOOKS = 2


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
    rng = np.random.default_rng(SEED)
    stock = draw_stock(rng, DIE_STYLES, CUBE_STYLES)
    maps: list[tuple[Map, Map, float]] = []
    dice: list[Patch] = []
    cubes: list[Patch] = []
    for known in known_boards():
        board = _board(known)
        for shot in (*known.starts, *known.shots):
            plain, now = settled(Scene(shot.image, things_of(shot.truth)), board)
            for number in range(PAINTED + 1):
                scene = compose(plain, now, stock, rng) if number else plain
                worth = 1.0 if number else TRUE_WORTH
                lesson = cut(scene, now, rng)
                dice += (replace(patch, worth=worth) for patch in lesson.dice)
                cubes += (replace(patch, worth=worth) for patch in lesson.cubes)
                if number <= MAPPED:
                    maps.append((lesson.dice_map, lesson.cube_map, worth))
    more_dice, more_cubes = _look_alikes()
    dice += more_dice
    cubes += more_cubes
    dice_maps, cube_maps, map_worth = zip(*maps, strict=True)
    return Lessons(dice_maps, cube_maps, map_worth, tuple(dice), tuple(cubes))


def _look_alikes() -> tuple[list[Patch], list[Patch]]:
    """What is easily mistaken for dice and cubes, from the pictures as they are."""
    rng = np.random.default_rng(SEED + 1)
    dice: list[Patch] = []
    cubes: list[Patch] = []
    for known in known_boards():
        board = _board(known)
        for shot in (*known.starts, *known.shots):
            scene, now = settled(Scene(shot.image, things_of(shot.truth)), board)
            checkers = [(c["x"], c["y"]) for c in shot.truth["checkers"]]
            for _ in range(LOOKS):
                alike = look_alikes(scene, now, checkers, rng)
                dice += (replace(patch, worth=TRUE_WORTH) for patch in alike[0])
                cubes += (replace(patch, worth=TRUE_WORTH) for patch in alike[1])
    return dice, cubes


def _board(known: KnownBoard) -> Board:
    starts: tuple[Shot, ...] = known.starts
    look = learn_appearance([start.image for start in starts], known.camera, known.geometry, starts[0].points)
    return Board(known.camera, known.geometry, look)
