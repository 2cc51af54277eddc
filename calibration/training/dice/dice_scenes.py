"""Pictures to learn dice and cubes from: boards with truth, onto which further dice and cubes are painted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from controller.simulation.boards.faces import (
    CUBE_VALUES,
    CubeStyle,
    DieStyle,
    cube_face,
    die_face,
    random_cube_style,
    random_die_style,
)
from controller.simulation.painting.box import Box, DistantLight, leaning, paint_box, resting
from controller.vision import Board

SHARE_COCKED = 0.12
SHARE_TWIN = 0.35
SHARE_BLANK = 0.06
# Some dice have pips whose colour differs from the body's by so few grey levels only.
SHARE_FAINT = 0.2
FAINT = (30.0, 70.0)
# Noise is drawn for a square of this many pixels and repeated.
NOISE_TILE = 256


@dataclass(frozen=True, slots=True)
class DiceItem:
    """A die or the cube in a picture: pixel of its upper face's middle, its value, how much of it is seen (0..1).

    ``value`` is 0 for a blank look-alike.
    """

    kind: str
    value: int
    x: float
    y: float
    visible: float
    cocked: bool = False


@dataclass(frozen=True)
class DiceScene:
    """A picture, (h, w, 3) BGR uint8, what lies in it, and pixels of checkers' upper faces."""

    picture: Picture
    things: tuple[DiceItem, ...]
    checkers: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Stock:
    """Styles with their six faces ready drawn."""

    dice: Sequence[tuple[DieStyle, Sequence[Picture]]]
    cubes: Sequence[tuple[CubeStyle, Sequence[Picture]]]


def draw_stock(rng: np.random.Generator, dice: int, cubes: int) -> Stock:
    """Draw this many styles of dice and cubes."""
    die_styles = [any_die_style(rng) for _ in range(dice)]
    cube_styles = [random_cube_style(rng) for _ in range(cubes)]
    return Stock(
        [(style, [die_face(style, value, 40) for value in range(1, 7)]) for style in die_styles],
        [(style, [cube_face(style, value, 56) for value in CUBE_VALUES]) for style in cube_styles],
    )


def any_die_style(rng: np.random.Generator) -> DieStyle:
    """A die of any colours, now and then with faint pips."""
    style = random_die_style(rng)
    if rng.random() >= SHARE_FAINT:
        return style
    body = np.array(style.body)
    levels = float(rng.uniform(*FAINT)) * (1 if body.mean() < 128 else -1)
    b, g, r = np.clip(body + levels * rng.uniform(0.7, 1.3, 3), 0, 255)
    return replace(style, pips=(float(b), float(g), float(r)))


def things_of(truth: Mapping[str, Any]) -> tuple[DiceItem, ...]:
    """Dice and cube in a picture, from a line of its truth (see the README of the pictures)."""
    things = [DiceItem("die", d["value"], d["x"], d["y"], d["visible"]) for d in truth["dice"]]
    cube = truth["cube"]
    if cube:
        things.append(DiceItem("cube", cube["face"], cube["x"], cube["y"], cube["visible"]))
    return tuple(things)


def compose(scene: DiceScene, board: Board, stock: Stock, rng: np.random.Generator) -> DiceScene:
    """The scene with a few more dice and cubes, taken by a slightly different camera."""
    picture = scene.picture.copy()
    painter = _Painter(picture, board, rng, [(t.x, t.y) for t in scene.things])
    for _ in range(int(rng.integers(3, 9))):
        painter.add_dice(stock)
    for _ in range(int(rng.integers(2, 7))):
        painter.add_cube(stock)
    return DiceScene(_taken(picture, rng), (*scene.things, *painter.things), scene.checkers)


class _Painter:
    """Adds things to a picture where nothing else has been put."""

    def __init__(
        self, picture: Picture, board: Board, rng: np.random.Generator, taken: Sequence[tuple[float, float]]
    ) -> None:
        self.picture, self.board, self.rng = picture, board, rng
        self.things: list[DiceItem] = []
        self.taken = [board.camera.to_board(np.array(p), 15.0) for p in taken]
        slope, way = rng.uniform(0.1, 1.0), rng.uniform(0, 2 * np.pi)
        towards = (np.sin(slope) * np.cos(way), np.sin(slope) * np.sin(way), np.cos(slope))
        self.lamp = DistantLight(
            (float(towards[0]), float(towards[1]), float(towards[2])),
            float(rng.uniform(0.03, 0.35)),
            float(rng.uniform(0.25, 0.8)),
        )
        self.gain = rng.uniform(0.5, 1.15) * rng.uniform(0.88, 1.1, 3)
        self.blur = float(rng.uniform(0.2, 0.9)) * min(1.0, board.camera.width / 1000)
        self.die_side = float(rng.uniform(10.0, 20.0))
        self.pair = int(rng.integers(1 << 30))

    def add_dice(self, stock: Stock) -> None:
        """One die, or two that lie close together."""
        geometry, rng = self.board.geometry, self.rng
        floor = 0.0
        x = rng.uniform(-0.5, 0.5) * (geometry.surface_width_mm - self.die_side)
        y = rng.uniform(-0.5, 0.5) * (geometry.surface_height_mm - self.die_side)
        if rng.random() < 0.15:
            floor = geometry.checker_thickness_mm
        if rng.random() < 0.1:
            x = rng.uniform(-0.5, 0.5) * geometry.bar_mm
        style, faces = stock.dice[(self.pair + int(rng.random() < 0.25)) % len(stock.dice)]
        if rng.random() < 0.3:
            style, faces = stock.dice[int(rng.integers(len(stock.dice)))]
        if not self._free(x, y, 2.0 * self.die_side):
            return
        spots = [(x, y)]
        if rng.random() < SHARE_TWIN:
            way, reach = rng.uniform(0, 2 * np.pi), self.die_side * rng.uniform(1.1, 2.0)
            spots.append((x + reach * np.cos(way), y + reach * np.sin(way)))
        eye = self.board.camera.centre_mm
        for spot in sorted(spots, key=lambda p: -float(np.hypot(p[0] - eye[0], p[1] - eye[1]))):
            self._die(style, faces, *spot, floor)

    def _die(self, style: DieStyle, faces: Sequence[Picture], x: float, y: float, floor: float) -> None:
        rng = self.rng
        values = rng.permutation(6) + 1
        cocked = rng.random() < SHARE_COCKED
        turn = leaning(
            rng.uniform(0, 2 * np.pi),
            rng.uniform(0.2, 0.65) if cocked else rng.normal(0, 0.01),
            rng.uniform(0, 2 * np.pi),
        )
        blank = rng.random() < SHARE_BLANK
        sides = [faces[v - 1] for v in values]
        if blank:
            sides = [np.asarray(np.full_like(faces[0], faces[0][0, 0]), np.uint8)] * 6
        centre = resting(x, y, floor, self.die_side, turn)
        self._paint(
            centre,
            turn,
            self.die_side,
            rounding=style.rounding,
            faces=sides,
            gloss=style.gloss,
            clear=style.clear,
            floor=floor,
        )
        value = 0 if blank else int(values[4])
        self._note("die", value, centre, turn, self.die_side, bool(cocked))

    def add_cube(self, stock: Stock) -> None:
        """A cube on the bar, by a rail, in a tray or beside the board; now and then on the surface."""
        geometry, rng = self.board.geometry, self.rng
        side = float(rng.uniform(22.0, 33.0))
        half = geometry.surface_width_mm / 2
        y = rng.uniform(-0.5, 0.5) * geometry.surface_height_mm
        x = rng.normal(0, 5.0)
        place = rng.random()
        if place < 0.5:
            x = (half + rng.uniform(25, 140)) * rng.choice([-1, 1])
        elif place < 0.65:
            x = rng.uniform(-1, 1) * half
        if not self._free(x, y, 2.0 * side):
            return
        style, faces = stock.cubes[int(rng.integers(len(stock.cubes)))]
        values = rng.permutation(6)
        turn = leaning(rng.uniform(0, 2 * np.pi), rng.normal(0, 0.01), rng.uniform(0, 2 * np.pi))
        floor = float(rng.choice([0.0, 0.0, rng.uniform(-8, 20)]))
        blank = rng.random() < SHARE_BLANK
        sides = [faces[v] for v in values]
        if blank:
            sides = [np.asarray(np.full_like(faces[0], faces[0][0, 0]), np.uint8)] * 6
        centre = resting(x, y, floor, side, turn)
        self._paint(
            centre,
            turn,
            side,
            rounding=style.rounding,
            faces=sides,
            gloss=style.gloss,
            clear=0.0,
            floor=floor,
        )
        value = 0 if blank else CUBE_VALUES[values[4]]
        if value == 64 and style.logo:
            value = 1
        self._note("cube", value, centre, turn, side, False)

    def _free(self, x: float, y: float, reach: float) -> bool:
        if any(np.hypot(p[0] - x, p[1] - y) < reach for p in self.taken):
            return False
        self.taken.append(np.array([x, y]))
        return True

    def _paint(
        self,
        centre: FloatArray,
        turn: FloatArray,
        side: float,
        rounding: float,
        faces: Sequence[Picture],
        gloss: float,
        clear: float,
        floor: float,
    ) -> None:
        lit = [np.asarray(np.clip(face * self.gain, 0, 255), np.uint8) for face in faces]
        box = Box(
            (centre[0], centre[1], centre[2]),
            turn,
            side,
            rounding=rounding,
            faces=lit,
            gloss=gloss,
            clear=clear,
        )
        paint_box(self.picture, self.board.camera, box, self.lamp, floor, self.blur)

    def _note(
        self, kind: str, value: int, centre: FloatArray, turn: FloatArray, side: float, cocked: bool
    ) -> None:
        x, y = self.board.camera.project(centre + turn[:, 2] * side / 2)
        height, width = self.picture.shape[:2]
        seen = 0 <= x < width and 0 <= y < height
        self.things.append(DiceItem(kind, value, float(x), float(y), 1.0 if seen else 0.0, cocked))


def _taken(picture: Picture, rng: np.random.Generator) -> Picture:
    """The picture in slightly other light, sharper or softer, with noise, and as it comes out of JPEG."""
    work = picture.astype(np.float32)
    kind = rng.random()
    if kind < 0.25:
        work += np.float32(rng.uniform(0.2, 0.8)) * (work - cv2.GaussianBlur(work, (0, 0), 1.0))
    elif kind < 0.45:
        work = np.asarray(cv2.GaussianBlur(work, (0, 0), rng.uniform(0.4, 0.8)), np.float32)
    work *= (rng.uniform(0.9, 1.1) * rng.uniform(0.97, 1.03, 3)).astype(np.float32)
    grain = rng.standard_normal((NOISE_TILE, NOISE_TILE, 3), np.float32) * np.float32(rng.uniform(0.5, 5.0))
    height, width = picture.shape[:2]
    work += np.tile(grain, (height // NOISE_TILE + 1, width // NOISE_TILE + 1, 1))[:height, :width]
    options = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 97))]
    coded = cv2.imencode(".jpg", np.clip(work, 0, 255).astype(np.uint8), options)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
