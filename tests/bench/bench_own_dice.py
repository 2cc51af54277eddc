"""What it is worth to show a table its own dice and cube: on painted tables whose dice no lesson had.

Each table has dice of a make that was kept back from learning, small in the picture or large. A pair is shown once
with each number, as a person is asked to; then four lie in the middle of games, half of them in other light, and are
read before and after. Cubes have numbers in fonts that no lesson had: python -m tests.bench.bench_own_dice.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import cv2
import numpy as np

from calibration.faces import CUBE_FACES, NUMBERS, FaceError, FacesShown, learn_faces, look_at_faces
from calibration.training.variety import miscalibrated
from controller.arrays import Picture
from controller.rules.position import Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_light, random_setting
from controller.simulation.boards.makes import DieMake, die_of, kept_back_makes
from controller.simulation.boards.numerals import Lettering
from controller.simulation.boards.scene import Die
from controller.simulation.boards.scenes import START, random_position, start_scene
from controller.simulation.boards.setting import DieLook, Setting
from controller.simulation.painting.painter import Painter
from controller.simulation.painting.truth import truth_of
from controller.vision.board.board import Board
from controller.vision.counting.appearance import learn_appearance
from controller.vision.dice.views import DIE_VIEW
from controller.vision.geometry.geometry import COLOURS, Colour
from controller.vision.reader import read_board
from controller.vision.reading import DieSeen, Owner

Random = np.random.Generator

SIDES: Final = COLOURS
OWNERS: Final[tuple[Owner, ...]] = ("center", "light", "dark")
SIZE: Final = (1280, 720)
FONTS: Final = Path("/usr/share/fonts/truetype/dejavu")
"""Fonts that no lesson had; without them, and before OpenCV 5, cubes are not measured."""
CUBES: Final = 6
GOAL: Final = 0.998
GOAL_PX: Final = 11.0
SEED: Final = 970_000
"""Of the painted tables; those that networks learn from have small seeds, other benchmarks 900,000 and more."""
WIDTHS: Final = {"9 to 11": (9.0, 11.0), "11 to 13": (11.0, 13.0), "13 and more": (13.0, 24.0)}
"""How many pixels wide the dice are; goals are for 11 and more."""
SMALLEST: Final = ("7 to 9", (7.0, 9.0))
SMALLEST_SEEDS: Final = 100
"""Among the numbers of tables."""
LEAST_SEEN: Final = 0.9
"""Dice of which less is visible are not asked for."""
SAME_MM: Final = 8.0
SURE: Final = 0.9
PICTURES, AT_ONCE = 8, 4
"""Pictures in which is read, half of them in another light, and dice in each."""
SPREAD: Final = 0.15
"""How much brighter or darker pictures are (log)."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture with the true dice: number and pixels of the face's middle."""

    picture: Picture
    dice: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, eq=False)
class OwnTable:
    """A table as it was calibrated, what was shown to it, and what is read there afterwards."""

    name: str
    pixels: float
    board: Board
    shown: tuple[FacesShown, ...]
    read: tuple[Shot, ...]


def own_table(make: DieMake, widths: tuple[float, float], seed: int) -> OwnTable:
    """A painted table with a pair of dice of one make."""
    rng = np.random.default_rng([SEED, seed])
    setting = random_setting(rng, SIZE)
    looks: dict[Colour, DieLook] = {side: DieLook(make.side_mm, die_of(make, rng)) for side in SIDES}
    pixels = float(rng.uniform(*widths))
    painter = Painter(_as_wide(replace(setting, dice=looks), pixels))
    board = _board(painter, rng)
    shown = tuple(
        FacesShown(f"the {number}", _shot(painter, [number, number], rng, START).picture, number)
        for number in NUMBERS
    )
    return OwnTable(make.name, pixels, board, shown, tuple(_throws(painter, rng)))


def _throws(painter: Painter, rng: Random) -> Iterator[Shot]:
    """Dice in the middle of games, every number as often, the later half in another light."""
    for number in range(PICTURES):
        values = [1 + (number * AT_ONCE + place) % 6 for place in range(AT_ONCE)]
        if number == PICTURES // 2:
            painter = Painter(replace(painter.setting, light=random_light(rng)))
        yield _shot(painter, values, rng)


def _board(painter: Painter, rng: Random) -> Board:
    """The board as it is calibrated, not quite exactly."""
    setting = painter.setting
    starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(2)]
    camera, geometry = miscalibrated(setting.camera, setting.geometry, rng)
    return Board(camera, geometry, learn_appearance(starts, camera, geometry, START.points))


def _as_wide(setting: Setting, pixels: float) -> Setting:
    """The setting in pictures in which a die in the middle is so many pixels wide."""
    side = setting.dice["light"].size_mm
    left, right = setting.camera.project(np.array([[-side / 2, 0, side], [side / 2, 0, side]]))
    share = pixels / float(np.hypot(*(right - left)))
    size = round(setting.camera.width * share), round(setting.camera.height * share)
    return replace(setting, camera=setting.camera.resized(*size))


def _shot(painter: Painter, values: Sequence[int], rng: Random, position: Position | None = None) -> Shot:
    """A picture of dice with these numbers, all of them level; of a game in light of any brightness, if not otherwise
    said.
    """
    setting = painter.setting
    where = random_position(rng) if position is None else position
    thrown = [(SIDES[place % 2], value) for place, value in enumerate(values)]
    scene = arrange(setting, where, rng, dice=thrown)
    while not _are_level(scene.dice, setting):
        scene = arrange(setting, where, rng, dice=thrown)
    brightness = 1.0 if position is not None else float(np.exp(rng.normal(0, SPREAD)))
    scene = replace(scene, brightness=brightness)
    painted = painter.paint(scene, rng)
    truth = truth_of(setting, scene, painted, "")
    dice = [(die["value"], die["x"], die["y"]) for die in truth["dice"] if die["visible"] >= LEAST_SEEN]
    return Shot(painted.picture, tuple(dice))


def _are_level(dice: Sequence[Die], setting: Setting) -> bool:
    half = setting.geometry.surface_width_mm / 2 - 15
    return all(die.lean == 0 and abs(die.x_mm) < half for die in dice)


def told_of(shot: Shot, board: Board) -> Iterator[tuple[int, DieSeen | None]]:
    """Each true number with the die that is told there; nothing of a picture in which the board is not read."""
    reading = read_board(shot.picture, board)
    if not reading.recognised or reading.hand:
        return
    dice = reading.dice
    places = [board.camera.to_board(np.array([die.x, die.y]), DIE_VIEW.height_mm) for die in dice]
    for value, x, y in shot.dice:
        place = board.camera.to_board(np.array([x, y]), DIE_VIEW.height_mm)
        apart = [float(np.hypot(*(other - place))) for other in places]
        near = min(range(len(dice)), key=lambda k: apart[k], default=None)
        yield value, None if near is None or apart[near] > SAME_MM else dice[near]


def count_dice(tally: Counter[str], shots: Sequence[Shot], board: Board, when: str) -> None:
    """Count what is read of dice."""
    for shot in shots:
        for value, die in told_of(shot, board):
            tally[f"{when} asked"] += 1
            tally[f"{when} right"] += die is not None and die.value == value
            tally[f"{when} wrong"] += die is not None and die.value != value and die.confidence >= SURE


@dataclass(frozen=True, eq=False)
class CubeTable:
    """A table as it was calibrated, what was shown to it, and pictures with the face and the owner of the cube."""

    board: Board
    shown: tuple[FacesShown, ...]
    read: tuple[tuple[Picture, int, Owner], ...]


def cube_table(font: Path, seed: int) -> CubeTable:
    """A painted table whose cube has numbers in a font of its own; it is shown lying in the middle."""
    rng = np.random.default_rng([SEED, seed, 1])
    setting = random_setting(rng, SIZE)
    style = replace(setting.cube.style, logo=False, seed=SEED + seed)
    painter = Painter(replace(setting, cube=replace(setting.cube, style=style)))
    with patch("controller.simulation.boards.faces.draw_number", partial(_draw_in, font)):
        board = _board(painter, rng)
        shown = tuple(
            FacesShown(f"the {n}", _cube(painter, CUBE_FACES[n], "center", rng, n)[0], n, CUBE_FACES[n])
            for n in NUMBERS
        )
        taken = [
            (*_cube(painter, face, owner, rng), face, owner)
            for face, owner in product(CUBE_FACES.values(), OWNERS)
        ]
    read = tuple((picture, face, owner) for picture, seen, face, owner in taken if seen)
    return CubeTable(board, shown, read)


def _draw_in(font: Path, text: str, _: Lettering, height: float, widest: float, size: int) -> Picture:
    """`numerals.draw_number` in a font of the system."""
    canvas = np.zeros((400, 600), np.uint8)
    cv2.putText(canvas, text, (50, 300), (255,), cv2.FontFace(str(font)), 200)
    rows, columns = np.nonzero(canvas > 64)
    glyphs = canvas[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    scale = min(height * size / glyphs.shape[0], widest * size / glyphs.shape[1])
    small = cv2.resize(glyphs, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    mask = np.zeros((size, size), np.uint8)
    top, left = (size - small.shape[0]) // 2, (size - small.shape[1]) // 2
    mask[top : top + small.shape[0], left : left + small.shape[1]] = small
    return mask


def _cube(
    painter: Painter, face: int, owner: Owner, rng: Random, number: int | None = None
) -> tuple[Picture, bool]:
    """A picture with the cube, any way round, and whether it is in view; it is shown on the bar, with two dice of the
    ``number``.
    """
    usual = painter.setting
    place = usual.cube.place if number is None else "bar"
    painter.setting = setting = replace(usual, cube=replace(usual.cube, place=place))
    thrown = [] if number is None else [(side, number) for side in SIDES]
    where = random_position(rng) if number is None else START
    scene = arrange(setting, where, rng, dice=thrown, cube=(face, owner))
    while number is not None and not _are_level(scene.dice, setting):
        scene = arrange(setting, where, rng, dice=thrown, cube=(face, owner))
    painted = painter.paint(scene, rng)
    painter.setting = usual
    truth = truth_of(setting, scene, painted, "")["cube"]
    return painted.picture, truth is not None and truth["visible"] >= LEAST_SEEN


def count_cubes(tally: Counter[str], table: CubeTable, board: Board, when: str) -> None:
    """Count what is read of the cube: its face by a rail or in the middle, however it is turned."""
    for picture, face, owner in table.read:
        reading = read_board(picture, board)
        if not reading.recognised or reading.hand:
            continue
        cube, where = reading.cube, "middle" if owner == "center" else "side"
        right = cube is not None and (cube.face, cube.owner) == (face, owner)
        tally[f"{when} {where} asked"] += 1
        tally[f"{when} {where} right"] += right
        tally[f"{when} {where} wrong"] += cube is not None and not right and cube.confidence >= SURE


def run() -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    return [*_dice_rows(), *_cube_rows()]


def _dice_rows() -> Iterator[dict[str, Any]]:
    for width, (name, widths) in [*enumerate(WIDTHS.items()), (SMALLEST_SEEDS, SMALLEST)]:
        tally: Counter[str] = Counter()
        for number, make in enumerate(kept_back_makes()):
            table = own_table(make, widths, 1 + number * len(WIDTHS) + width)
            known = _learned(table.shown, table.board, tally)
            count_dice(tally, table.read, table.board, "before")
            count_dice(tally, table.read, known, "after")
        what = f"own dice, {name} pixels"
        yield row(f"{what}: tables that learned", tally["learned"], f"of {len(kept_back_makes())}", None)
        for when in ("before", "after"):
            asked = f"of {tally[f'{when} asked']}"
            target = tally[f"{when} asked"] * GOAL if when == "after" and widths[0] >= GOAL_PX else None
            yield row(f"{what}: read right {when}", tally[f"{when} right"], asked, target)
            yield row(f"{what}: told wrong with 0.9 and more {when}", tally[f"{when} wrong"], asked, 0)


def _cube_rows() -> Iterator[dict[str, Any]]:
    fonts = sorted(FONTS.glob("*-Bold*.ttf"))[:CUBES] if hasattr(cv2, "FontFace") else []
    tally: Counter[str] = Counter()
    for number, font in enumerate(fonts):
        table = cube_table(font, number)
        known = _learned(table.shown, table.board, tally)
        count_cubes(tally, table, table.board, "before")
        count_cubes(tally, table, known, "after")
    for where, when in product(("middle", "side") if fonts else (), ("before", "after")):
        asked = f"of {tally[f'{when} {where} asked']}"
        what = f"own cube, {where}"
        yield row(f"{what}: face read right {when}", tally[f"{when} {where} right"], asked, None)
        yield row(f"{what}: told wrong with 0.9 and more {when}", tally[f"{when} {where} wrong"], asked, None)


def _learned(shown: Sequence[FacesShown], board: Board, tally: Counter[str]) -> Board:
    """The board after what was shown; as it was where that could not be used."""
    try:
        known = learn_faces([look_at_faces(one, board) for one in shown], board)
    except FaceError as error:
        print(f"refused: {error}", file=sys.stderr)
        return board
    tally["learned"] += 1
    return known.board


def row(name: str, value: float, unit: str, target: float | None) -> dict[str, Any]:
    """One figure."""
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    json.dump(run(), sys.stdout, indent=1)
