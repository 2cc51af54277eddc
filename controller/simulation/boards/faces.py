"""Faces of dice and of the doubling cube as flat textures, in many styles.

All textures are square BGR pictures seen from straight above, in even light, before any blur. Styles are drawn at
random from a ``numpy`` generator; the same style and value always give the same picture.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from controller.simulation.boards.numerals import Lettering, draw_number, random_lettering

Colour = tuple[float, float, float]
Frame = Literal["none", "square", "disc", "ring"]

CUBE_VALUES = (2, 4, 8, 16, 32, 64)
# Textures are drawn this many times larger and shrunk, for smooth edges.
FINER = 4
# Pips of a 6 do not touch: a radius is at most this share of the spread.
TOUCHING = 0.44
# The widest a number may be, plain and inside of a frame, as a share of the side.
WIDEST: Mapping[Frame, float] = {"none": 0.82, "square": 0.7, "disc": 0.64, "ring": 0.64}

_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
# Pips in units of the spread from the middle of the face.
PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: _CORNERS,
    5: (*_CORNERS, (0, 0)),
    6: (*_CORNERS, (-1, 0), (1, 0)),
}


@dataclass(frozen=True, slots=True)
class DieStyle:
    """What a die looks like. Colours are BGR, 0..255; lengths are shares of the die's side.

    ``drilled`` pips are hollows: one side of them is in shade. ``one_radius`` is for the single pip of a 1, larger on
    many dice. ``marble`` is how far (0..1) the body wanders to ``vein``; ``clear`` how much of the ground
    shines through. ``six`` is how far the pips of the 6 lie from the middle along its two rows, and how far the
    rows do: on many dice the rows are nearer than ``spread``, which holds where it is None. ``inks`` are numbers
    whose pips have a colour of their own.
    """

    body: Colour
    pips: Colour
    vein: Colour
    pip_radius: float
    one_radius: float
    spread: float
    drilled: bool
    marble: float
    clear: float
    rounding: float
    gloss: float
    seed: int
    six: tuple[float, float] | None = None
    inks: tuple[tuple[int, Colour], ...] = ()


@dataclass(frozen=True, slots=True)
class CubeStyle:
    """What a doubling cube looks like. Colours are BGR, 0..255; lengths are shares of the cube's side.

    ``logo`` stands in place of the 64. ``engraved`` numbers have a lit and a shaded edge.
    """

    body: Colour
    ink: Colour
    trim: Colour
    frame: Frame
    lettering: Lettering
    height: float
    engraved: bool
    logo: bool
    marble: float
    rounding: float
    gloss: float
    seed: int


def random_die_style(rng: np.random.Generator) -> DieStyle:
    """A die of any colours whose pips can be told from its body."""
    body = random_colour(rng)
    pips = contrasting(rng, body, 70.0)
    spread = float(rng.uniform(0.22, 0.29))
    radius = min(float(rng.uniform(0.075, 0.125)), TOUCHING * spread)
    return DieStyle(
        body=body,
        pips=pips,
        vein=random_colour(rng),
        pip_radius=radius,
        one_radius=radius * float(rng.choice([1.0, 1.0, 1.25, 1.6])),
        spread=spread,
        drilled=bool(rng.random() < 0.5),
        marble=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.2 else 0.0,
        clear=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.2 else 0.0,
        rounding=float(rng.choice([0.0, rng.uniform(0.05, 0.3)])),
        gloss=float(rng.uniform(0.0, 1.0)),
        seed=int(rng.integers(2**31)),
    )


def random_cube_style(rng: np.random.Generator) -> CubeStyle:
    """A cube of any colours whose numbers can be told from its body."""
    body = random_colour(rng)
    frame: Frame = ("none", "none", "square", "disc", "ring")[int(rng.integers(5))]
    trim = random_colour(rng)
    return CubeStyle(
        body=body,
        ink=contrasting(rng, trim if frame == "disc" else body, 75.0),
        trim=trim,
        frame=frame,
        lettering=random_lettering(rng),
        height=float(rng.uniform(0.38, 0.68)) * (0.8 if frame in ("disc", "ring") else 1.0),
        engraved=bool(rng.random() < 0.35),
        logo=bool(rng.random() < 0.12),
        marble=float(rng.uniform(0.1, 0.5)) if rng.random() < 0.15 else 0.0,
        rounding=float(rng.uniform(0.03, 0.2)),
        gloss=float(rng.uniform(0.0, 1.0)),
        seed=int(rng.integers(2**31)),
    )


def random_colour(rng: np.random.Generator) -> Colour:
    """White and black, ivory and wood, and any other colour: as dice, cubes and checkers come."""
    kind = rng.random()
    if kind < 0.25:
        hue, saturation, value = rng.uniform(10, 40), rng.uniform(0, 60), rng.uniform(190, 255)
    elif kind < 0.45:
        hue, saturation, value = rng.uniform(0, 180), rng.uniform(0, 120), rng.uniform(12, 60)
    else:
        hue, saturation, value = rng.uniform(0, 180), rng.uniform(40, 255), rng.uniform(50, 245)
    pixel = np.array([[[hue, saturation, value]]], np.float64).astype(np.uint8)
    b, g, r = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def contrasting(rng: np.random.Generator, ground: Colour, least: float) -> Colour:
    """A colour whose brightness differs from the ground's by at least this many grey levels (up to 100)."""
    base = brightness(ground)
    if rng.random() < 0.6:
        plain = 245.0 if base < 128 else 16.0
        return (plain, plain, plain)
    for _ in range(40):
        colour = random_colour(rng)
        if abs(brightness(colour) - base) >= least:
            return colour
    plain = 245.0 if base < 128 else 16.0
    return (plain, plain, plain)


def brightness(colour: Colour) -> float:
    """Grey level of a BGR colour, by the weights of ITU-R BT.601."""
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def die_face(style: DieStyle, value: int, size: int = 48) -> Picture:
    """The face of a die that shows ``value`` (1..6), shape (size, size, 3) uint8."""
    fine = size * FINER
    face = _body(style.body, style.vein, style.marble, style.seed + value, fine)
    radius = style.one_radius if value == 1 else style.pip_radius
    pips = np.zeros((fine, fine), np.uint8)
    for across, along in pip_places(style, value):
        centre = (_subpixel((0.5 + across) * fine), _subpixel((0.5 + along) * fine))
        cv2.circle(pips, centre, round(radius * fine * 16), 255, -1, cv2.LINE_AA, 4)
    face = _inked(face, pips, dict(style.inks).get(value, style.pips))
    if style.drilled:
        face = _sunk(face, pips, 0.35 * radius * fine, 45.0)
    return shrunk(face, size)


def pip_places(style: DieStyle, value: int) -> tuple[tuple[float, float], ...]:
    """Where the pips of a face lie, from its middle to the right and down, as shares of the side.

    The rows of the 6 run downwards.
    """
    along, across = style.six if value == 6 and style.six else (style.spread, style.spread)
    return tuple((x * across, y * along) for x, y in PIPS[value])


def cube_face(style: CubeStyle, value: int, size: int = 64) -> Picture:
    """The face of a cube that shows ``value`` (2..64), shape (size, size, 3) uint8."""
    fine = size * FINER
    face = _body(style.body, style.trim, style.marble, style.seed + value, fine)
    face = _inked(face, _frame_mask(style.frame, fine), style.trim)
    mask = _logo(style.seed, fine) if value == 64 and style.logo else None
    if mask is None:
        mask = draw_number(str(value), style.lettering, style.height, WIDEST[style.frame], fine)
    face = _inked(face, mask, style.ink)
    if style.engraved:
        face = _sunk(face, mask, 0.012 * fine, 60.0)
    return shrunk(face, size)


def shrunk(face: FloatArray, size: int) -> Picture:
    """A finely drawn picture at its final size."""
    small = cv2.resize(face, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(np.rint(small), 0, 255), np.uint8)


def _subpixel(place: float) -> int:
    return round((place - 0.5) * 16)


def _body(colour: Colour, vein: Colour, marble: float, seed: int, size: int) -> FloatArray:
    face = np.empty((size, size, 3))
    face[:] = colour
    if marble > 0:
        noise = np.random.default_rng(seed).normal(size=(8, 8)).astype(np.float32)
        cloud = cv2.resize(noise, (size, size), interpolation=cv2.INTER_CUBIC)
        share = marble / (1 + np.exp(-4 * (cloud - 0.4)))
        face += share[..., None] * (np.array(vein) - face)
    return face


def _inked(face: FloatArray, mask: Picture, ink: Colour) -> FloatArray:
    share = mask[..., None] / 255.0
    return np.asarray(face * (1 - share) + share * np.array(ink), float)


def _sunk(face: FloatArray, mask: Picture, depth: float, levels: float) -> FloatArray:
    """Shade the far edge of a hollow and light the near one."""
    soft = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(depth, 0.6))
    slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3) + cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3)
    strength = slope / max(float(np.abs(slope).max()), 1e-6)
    return np.asarray(face - levels * strength[..., None], float)


def _frame_mask(frame: Frame, size: int) -> Picture:
    mask = np.zeros((size, size), np.uint8)
    middle, line = size // 2, max(1, size // 24)
    if frame == "square":
        inset = size // 12
        cv2.rectangle(mask, (inset, inset), (size - inset, size - inset), 255, line, cv2.LINE_AA)
    elif frame in ("disc", "ring"):
        thickness = -1 if frame == "disc" else line
        cv2.circle(mask, (middle, middle), round(0.4 * size), 255, thickness, cv2.LINE_AA)
    return mask


def _logo(seed: int, size: int) -> Picture:
    """A maker's mark: a polygon with a hole, or a few strokes."""
    rng = np.random.default_rng(seed)
    mask = np.zeros((size, size), np.uint8)
    corners = int(rng.integers(3, 8))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = rng.uniform(0.15, 0.38, corners) * size
    points = np.stack([size / 2 + reach * np.cos(angles), size / 2 + reach * np.sin(angles)], axis=-1)
    cv2.fillPoly(mask, [np.rint(points).astype(np.int32)], 255, cv2.LINE_AA)
    cv2.circle(mask, (size // 2, size // 2), round(rng.uniform(0.04, 0.14) * size), 0, -1, cv2.LINE_AA)
    return mask
