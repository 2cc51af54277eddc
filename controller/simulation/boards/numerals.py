"""Numbers for the faces of a doubling cube, in several letterings that need no font files."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Picture

HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_HERSHEY_COMPLEX | cv2.FONT_ITALIC,
    cv2.FONT_HERSHEY_TRIPLEX | cv2.FONT_ITALIC,
)


@dataclass(frozen=True, slots=True)
class Lettering:
    """How digits are drawn. ``font`` indexes ``HERSHEY``, beyond it the digits of our own.

    ``weight`` is the stroke's width and ``contrast`` how much thinner level strokes are, as shares of the height;
    ``width`` stretches, ``slant`` leans, ``gap`` parts the digits (shares of the height); ``serif`` adds feet.
    """

    font: int
    weight: float
    contrast: float
    width: float
    slant: float
    gap: float
    serif: bool
    open_four: bool


def random_lettering(rng: np.random.Generator) -> Lettering:
    """Any lettering in which a person could still read the number."""
    own = rng.random() < 0.55
    return Lettering(
        font=len(HERSHEY) if own else int(rng.integers(len(HERSHEY))),
        weight=float(rng.uniform(0.07, 0.21)),
        contrast=float(rng.choice([0.0, rng.uniform(0.2, 0.7)])),
        width=float(rng.uniform(0.45, 0.75)),
        slant=float(rng.normal(0, 0.06)),
        gap=float(rng.uniform(0.08, 0.2)),
        serif=bool(rng.random() < 0.4),
        open_four=bool(rng.random() < 0.25),
    )


def draw_number(text: str, lettering: Lettering, height: float, widest: float, size: int) -> Picture:
    """A number in the middle of a square mask, shape (size, size) uint8, 255 where there is ink.

    ``height`` of the digits and ``widest`` a number may be are shares of the square's side; one that would be
    wider is made smaller.
    """
    glyphs = _hershey(text, lettering) if lettering.font < len(HERSHEY) else _own(text, lettering)
    rows, columns = np.nonzero(glyphs > 64)
    glyphs = glyphs[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    scale = height * size / glyphs.shape[0]
    scale = min(scale, widest * size / glyphs.shape[1])
    wide, tall = (max(2, round(n * scale)) for n in (glyphs.shape[1], glyphs.shape[0]))
    small = cv2.resize(glyphs, (wide, tall), interpolation=cv2.INTER_AREA)
    mask = np.zeros((size, size), np.uint8)
    top, left = (size - tall) // 2, (size - wide) // 2
    mask[top : top + tall, left : left + wide] = small
    return mask


def _hershey(text: str, lettering: Lettering) -> Picture:
    font, scale = HERSHEY[lettering.font], 6.0
    plain = font in (cv2.FONT_HERSHEY_PLAIN, cv2.FONT_HERSHEY_COMPLEX_SMALL)
    if plain:
        scale = 9.0
    thickness = max(2, round(100 * lettering.weight))
    (width, height), base = cv2.getTextSize(text, font, scale, thickness)
    canvas = np.zeros((height + base + 80, width + 80), np.uint8)
    cv2.putText(canvas, text, (40, height + 40), font, scale, 255, thickness, cv2.LINE_AA)
    stretch = 0.8 + 0.6 * (lettering.width - 0.45)
    return np.asarray(cv2.resize(canvas, None, fx=stretch, fy=1.0, interpolation=cv2.INTER_AREA), np.uint8)


def _arc(cx: float, cy: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points on an ellipse from one angle to another (degrees, 0 to the right, 90 down)."""
    angles = np.radians(np.linspace(start, end, 24))
    return [(cx + rx * float(np.cos(a)), cy + ry * float(np.sin(a))) for a in angles]


# Strokes in a box of width and height 1, y down.
_STROKES: Mapping[str, tuple[list[tuple[float, float]], ...]] = {
    "1": ([(0.22, 0.22), (0.55, 0.0), (0.55, 1.0)],),
    "2": ([*_arc(0.5, 0.28, 0.45, 0.28, 190, 390), (0.05, 1.0), (0.98, 1.0)],),
    "3": (
        [*_arc(0.48, 0.25, 0.4, 0.25, 200, 450)],
        [*_arc(0.48, 0.74, 0.46, 0.26, 270, 520)],
    ),
    "4": ([(0.72, 1.0), (0.72, 0.0), (0.02, 0.7), (1.0, 0.7)],),
    "6": ([(0.78, 0.02), *_arc(0.5, 0.5, 0.46, 0.46, 265, 180), *_arc(0.5, 0.69, 0.46, 0.31, 180, 540)],),
    "8": ([*_arc(0.5, 0.25, 0.4, 0.25, 90, 450)], [*_arc(0.5, 0.74, 0.47, 0.26, -90, 270)]),
}
_FEET: Mapping[str, tuple[list[tuple[float, float]], ...]] = {
    "1": ([(0.25, 1.0), (0.85, 1.0)],),
    "4": ([(0.5, 1.0), (0.94, 1.0)],),
    "2": ([(0.98, 1.0), (0.98, 0.86)],),
}
_OPEN_FOUR = ([(0.1, 0.0), (0.1, 0.62), (0.95, 0.62)], [(0.75, 0.3), (0.75, 1.0)])


def _own(text: str, lettering: Lettering) -> Picture:
    """Digits drawn with a pen that is broader across than along, as a quill is."""
    tall = 200.0
    wide = lettering.width * tall
    pen = max(3.0, lettering.weight * tall)
    canvas = np.zeros(
        (round(tall + 120), round(len(text) * (wide + lettering.gap * tall + pen) + 140)), np.uint8
    )
    left = 60.0
    for digit in text:
        breadth = wide * (0.62 if digit == "1" else 1.0)
        strokes = _OPEN_FOUR if digit == "4" and lettering.open_four else _STROKES[digit]
        feet = _FEET.get(digit, ()) if lettering.serif else ()
        for stroke in (*strokes, *feet):
            x = np.array([left + breadth * p[0] for p in stroke])
            y = np.array([60 + tall * p[1] for p in stroke])
            x = x - lettering.slant * (y - 60)
            line = np.rint(np.stack([x, y], axis=-1) * 16).astype(np.int32)
            cv2.polylines(canvas, [line], False, 255, 2, cv2.LINE_AA, 4)
        left += breadth + pen + lettering.gap * tall
    thin = max(2.0, pen * (1 - lettering.contrast))
    nib = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(pen) | 1, round(thin) | 1))
    return np.asarray(cv2.dilate(canvas, nib), np.uint8)
