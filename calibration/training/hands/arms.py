"""Hands, arms, cups, lamps and shadows drawn over coarse looks at boards, to learn from.

Everything is drawn on the grid of :mod:`controller.vision.hands.overview`, four times finer, and shrunk. A drawing
has its colours in BGR (0 to 255, float32) and says where the covering thing is (0 to 1).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, FloatArray
from controller.vision import BoardGeometry
from controller.vision.hands.overview import COLUMNS, ROWS, STEP_MM

Rng = np.random.Generator

FINE = 4
# Skin from the palest to the darkest, BGR in good light.
SKIN = ((196, 214, 242), (150, 180, 228), (110, 150, 205), (80, 115, 170), (50, 75, 120), (32, 46, 78))


@dataclass(frozen=True, eq=False)
class Drawing:
    """Something in front of the board: its colours, (rows, columns, 3), and how much it hides, (rows, columns)."""

    colour: AnyFloatArray
    cover: AnyFloatArray


def draw_arm(rng: Rng, geometry: BoardGeometry) -> Drawing:
    """An arm that reaches in over one of the rails, its hand somewhere over the surface."""
    scale = rng.uniform(0.85, 1.5)
    tip = np.array(
        [
            rng.uniform(-0.5, 0.5) * geometry.surface_width_mm,
            rng.uniform(-0.5, 0.5) * geometry.surface_height_mm,
        ]
    )
    seat = np.array([rng.uniform(-0.8, 0.8) * geometry.surface_width_mm, rng.choice([-1.0, 1.0]) * 600.0])
    sideways = rng.random() < 0.2
    if sideways:
        seat = np.array([rng.choice([-1.0, 1.0]) * 700.0, rng.uniform(-300, 300)])
    if rng.random() < 0.4:
        # Only just over the rail: the commonest kind that is missed.
        axis = 0 if sideways else 1
        edge = (geometry.surface_width_mm, geometry.surface_height_mm)[axis] / 2
        tip[axis] = np.sign(seat[axis]) * (edge - rng.uniform(-10, 80))
    along = (tip - seat) / np.hypot(*(tip - seat))
    across = np.array([-along[1], along[0]])
    canvas, sleeve = _Canvas(), _Canvas()
    palm_length, palm_width = rng.uniform(75, 105) * scale, rng.uniform(70, 95) * scale
    reach = rng.choice([0.0, 0.35, 0.7, 1.0]) * rng.uniform(50, 85) * scale
    knuckles = tip - along * reach
    wrist = knuckles - along * palm_length
    canvas.limb(knuckles - along * palm_width * 0.35, wrist, palm_width, palm_width * rng.uniform(0.6, 0.8))
    fingers = int(rng.integers(1, 6))
    thick = rng.uniform(15, 21) * scale
    for k in range(fingers):
        base = knuckles + across * (k - (fingers - 1) / 2) * thick * 1.1 - along * thick
        length = reach * rng.uniform(0.65, 1.05) + thick
        spread = rng.normal(0, 0.12) + (k - (fingers - 1) / 2) * rng.uniform(0, 0.22)
        way = along * np.cos(spread) + across * np.sin(spread)
        canvas.limb(base + way * length, base, thick * 0.85, thick)
    if rng.random() < 0.7:
        side = rng.choice([-1.0, 1.0])
        base = wrist + along * palm_length * 0.3 + across * side * palm_width * 0.35
        way = along * np.cos(0.6) + across * side * np.sin(rng.uniform(0.1, 0.9))
        canvas.limb(base + way * rng.uniform(60, 95) * scale, base, thick, thick * 1.3)
    elbow = wrist - along * 450.0 + across * rng.normal(0, 60)
    canvas.limb(wrist, elbow, palm_width * rng.uniform(0.6, 0.8), palm_width * rng.uniform(0.9, 1.3))
    cuff = wrist - along * rng.uniform(-0.8 * palm_length, 150)
    if rng.random() < 0.85:
        wide = palm_width * rng.uniform(0.85, 1.35)
        sleeve.limb(cuff, elbow, wide, wide * rng.uniform(1.0, 1.4), flat=True)
    bare, covered = canvas.coarse(), sleeve.coarse()
    over = covered[..., None]
    colour = _skin(rng, bare, along) * (1 - over) + _cloth(rng, covered, along) * over
    return _moved(rng, Drawing(np.asarray(colour, np.float32), np.maximum(bare, covered)))


def draw_cup(rng: Rng, geometry: BoardGeometry) -> Drawing:
    """A cup, standing or lying, or something flat and large on the surface."""
    canvas, mouth = _Canvas(), _Canvas()
    at = np.array(
        [
            rng.uniform(-0.45, 0.45) * geometry.surface_width_mm,
            rng.uniform(-0.4, 0.4) * geometry.surface_height_mm,
        ]
    )
    lean = rng.normal(0, 1, 2)
    width = rng.uniform(58, 95)
    end = at + lean / np.hypot(*lean) * rng.uniform(10, 110)
    canvas.limb(at, end, width, width * rng.uniform(0.75, 1.1), flat=rng.random() < 0.3)
    cover = canvas.coarse()
    body = _cloth(rng, cover, lean / np.hypot(*lean))
    mouth.limb(at, at + 0.1, width * 0.86, width * 0.86)
    dark = 1 - rng.uniform(0.2, 0.8) * mouth.coarse()[..., None]
    return Drawing(np.asarray(body * dark, np.float32), cover)


def shadow(rng: Rng, cover: AnyFloatArray) -> AnyFloatArray:
    """How much light is left, (rows, columns), beside something that covers: its soft shadow."""
    shift = rng.normal(0, 9, 2)
    moved = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    cast = cv2.warpAffine(cover, moved, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE)
    cast = cv2.GaussianBlur(cast, (0, 0), rng.uniform(0.8, 6))
    return np.asarray(1 - rng.uniform(0, 0.55) * cast, np.float32)


def light_change(rng: Rng) -> AnyFloatArray:
    """Light on the whole board, (rows, columns, 3): brightness, tint, a gradient, at times the edge of a shadow."""
    x, y = np.meshgrid(np.linspace(-1, 1, COLUMNS), np.linspace(-1, 1, ROWS))
    slope = rng.normal(0, 0.12, 2)
    field = 1 + slope[0] * x + slope[1] * y
    if rng.random() < 0.2:
        turn, soft = rng.uniform(0, 2 * np.pi), rng.uniform(0.02, 0.4)
        far = np.clip((x * np.cos(turn) + y * np.sin(turn) + rng.uniform(-0.6, 0.6)) / soft, -1, 1)
        field *= 1 - rng.uniform(0.1, 0.5) * (far + 1) / 2
    tint = rng.normal(1, 0.04, 3) * rng.normal(1, 0.06)
    return np.asarray(field[..., None] * tint, np.float32)


def add_lamp(rng: Rng, picture: AnyFloatArray) -> AnyFloatArray:
    """The reflection of a lamp: a bright soft spot."""
    x, y = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    at, wide = rng.uniform(0, 1, 2) * (COLUMNS, ROWS), rng.uniform(3, 14, 2)
    far = np.hypot((x - at[0]) / wide[0], (y - at[1]) / wide[1])
    bright = rng.uniform(60, 320) * (1 / (1 + np.exp((far - 1) * rng.uniform(2, 9))))
    return np.asarray(picture + bright[..., None], np.float32)


class _Canvas:
    """A fine mask on which shapes given in board millimetres are drawn."""

    def __init__(self) -> None:
        self._mask = np.zeros((ROWS * FINE, COLUMNS * FINE), np.uint8)

    def coarse(self) -> AnyFloatArray:
        """The mask on the coarse grid, 0 to 1."""
        small = cv2.resize(self._mask, (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
        return small.astype(np.float32) / 255

    def limb(
        self,
        start: FloatArray,
        end: FloatArray,
        width: float,
        end_width: float,
        flat: bool = False,
    ) -> None:
        """A rounded (or at its start flat) limb from ``start`` to ``end``, ``width`` wide at its start."""
        way = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
        across = np.array([-way[1], way[0]])
        corners = np.array(
            [
                start + across * width / 2,
                end + across * end_width / 2,
                end - across * end_width / 2,
                start - across * width / 2,
            ]
        )
        cv2.fillConvexPoly(self._mask, np.round(_pixels(corners)).astype(np.int32), 255)
        if not flat:
            self._round(start, width)
        self._round(end, end_width)

    def _round(self, at: FloatArray, width: float) -> None:
        x, y = np.round(_pixels(at)).astype(int)
        if abs(x) < 4000 and abs(y) < 4000:
            cv2.circle(self._mask, (int(x), int(y)), max(1, round(width / 2 / STEP_MM * FINE)), 255, -1)


def _pixels(at: FloatArray) -> FloatArray:
    middle = np.array([COLUMNS * FINE / 2, ROWS * FINE / 2])
    return np.asarray(at / STEP_MM * FINE + middle, float)


def _skin(rng: Rng, cover: AnyFloatArray, along: FloatArray) -> AnyFloatArray:
    step = rng.uniform(0, len(SKIN) - 1)
    low = int(min(step, len(SKIN) - 2))
    tone = np.array(SKIN[low]) * (1 - (step - low)) + np.array(SKIN[low + 1]) * (step - low)
    tone = tone * rng.normal(1, 0.06, 3) * rng.uniform(0.5, 1.1)
    return _shaded(rng, cover, along) * tone.astype(np.float32)


def _cloth(rng: Rng, cover: AnyFloatArray, along: FloatArray) -> AnyFloatArray:
    tone = rng.uniform(0, 1) ** 1.5 * 235 + 8
    colour = tone * (1 + rng.normal(0, 0.35, 3) * (rng.random() < 0.7))
    light = _shaded(rng, cover, along)
    cloth = light * np.clip(colour, 3, 250).astype(np.float32)
    if rng.random() < 0.25:
        x, y = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
        turn, wave = rng.uniform(0, np.pi), rng.uniform(2, 8)
        stripes = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / wave) > rng.uniform(-0.5, 0.8)
        cloth = np.where(stripes[..., None], cloth, light * rng.uniform(5, 240, 3))
    return np.asarray(cloth, np.float32)


def _shaded(rng: Rng, cover: AnyFloatArray, along: FloatArray) -> AnyFloatArray:
    """Light on something round, and its grain; shape (rows, columns, 1)."""
    depth = cv2.GaussianBlur(cover, (0, 0), rng.uniform(1.5, 5))
    turn = rng.uniform(0, 2 * np.pi)
    across, down = cv2.Sobel(depth, cv2.CV_32F, 1, 0), cv2.Sobel(depth, cv2.CV_32F, 0, 1)
    noise = np.asarray(rng.normal(0, 1, cover.shape), np.float32)
    grain = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.6, 3))
    grain = grain * (rng.uniform(0, 0.12) / max(float(grain.std()), 1e-6))
    x, y = np.meshgrid(np.arange(COLUMNS), np.arange(ROWS))
    run = (x * along[0] + y * along[1]) / COLUMNS * rng.normal(0, 0.4)
    light = 1 + rng.uniform(0, 0.5) * (across * np.cos(turn) + down * np.sin(turn)) + grain
    light = light + run - float(run.mean()) - rng.uniform(0, 0.5) * (1 - np.clip(depth, 0, 1))
    return np.asarray(np.clip(light, 0.15, 1.8)[..., None], np.float32)


def _moved(rng: Rng, drawing: Drawing) -> Drawing:
    """At times in motion while the picture was taken."""
    if rng.random() < 0.65:
        return drawing
    length, turn = rng.uniform(1, 8), rng.uniform(0, 2 * np.pi)
    kernel = np.zeros((17, 17), np.float32)
    way = np.array([np.cos(turn), np.sin(turn)]) * length / 2
    ends = np.round((8 + np.stack([-way, way])) * 16).astype(int)
    start, end = (int(ends[0][0]), int(ends[0][1])), (int(ends[1][0]), int(ends[1][1]))
    cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
    kernel /= kernel.sum()
    cover = cv2.filter2D(drawing.cover, -1, kernel)
    colour = cv2.filter2D(drawing.colour * drawing.cover[..., None], -1, kernel)
    colour = colour / np.maximum(cover, 1e-3)[..., None]
    return Drawing(np.asarray(colour, np.float32), np.asarray(cover, np.float32))
