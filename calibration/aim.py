"""How well a camera is aimed at a board: how sharp its picture is, how large the board in it, how good the light.

Each measure is a level from 0 to 1 with a mark that should be reached. Short of the mark a board may still be read.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from calibration.finder import QUADRANTS, Quadrant
from controller.arrays import FloatArray, GreyPicture, Picture
from controller.vision.fitted.fitted import fitted

WIDE: Final = 1280
"""Pictures are measured at this width at most: more pixels make no edge of a checker steeper."""
STEEP: Final = fitted("aim", "flat", "steep")
"""The steepness of the edges, a share of their height for each pixel, that is level 0, and level 1."""
SHARP_MARK: Final = 0.6
STRONGEST: Final = 0.98
"""The edges that are looked at are steeper than this share of all pixels."""
EDGE_REACH: Final = 9
LARGE_PX: Final = 60.0
"""Points this many pixels apart are level 1; that is a board that fills the height of a picture of 1280 x 720."""
SIZE_MARK: Final = 0.75
PITCHES: Final = 13.1
"""The width of a playing surface in widths of its points, the bar included, as most boards have it."""
MARGIN: Final = 0.01
"""So near to the picture's edge, as a share of its size, a corner counts as cut off."""
FRAME: Final = (0.15, 0.05)
"""What the frame to fill leaves free at each side, and above and below, as shares of its width and height."""
FRAME_RATIO: Final = 1.33
"""Width to height of the frame: a board with its rims."""
BRIGHTNESS: Final = (35.0, 95.0)
"""Mean levels (of 255) that are level 0, and no longer matter."""
TOP: Final = 250
GLARE: Final = 0.06
"""So large a share of the board at the very top of the range halves the level."""
EVEN: Final = (0.35, 0.85)
"""The darkest quarter's brightness as a share of the brightest one's: level 0, and no longer a matter."""
LIGHT_MARK: Final = 0.5
FLAT: Final = (444, 356)
"""Width and height of a board that is drawn straight, in pixels."""


class AimWord(StrEnum):
    """A measure in a word."""

    SHARP = "sharp"
    SOFT = "soft"
    BLURRED = "blurred"
    LARGE = "large"
    CLOSER = "closer"
    FAR = "far"
    CUT_OFF = "cut_off"
    EVEN = "even"
    DARK = "dark"
    GLARING = "glaring"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure of the aim: its level and the mark to reach, both 0 to 1, and what it amounts to."""

    level: float
    mark: float
    word: AimWord

    @property
    def enough(self) -> bool:
        """Whether the mark is reached, and nothing else is amiss."""
        return self.level >= self.mark and self.word is not AimWord.CUT_OFF


@dataclass(frozen=True, slots=True)
class Aim:
    """All measures of one picture; ``size`` is None as long as nobody knows where the board is."""

    sharpness: Measure
    size: Measure | None
    light: Measure


def aim_of(picture: Picture, corners: FloatArray | None = None) -> Aim:
    """The measures of a picture, (h, w, 3) BGR uint8.

    ``corners`` are pixels, shape (4, 2), of the playing surface one after the other around it. Without them sharpness
    and light are those of the middle of the picture.
    """
    part = _board_part(picture, corners)
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    size = None if corners is None else _size(corners, (picture.shape[1], picture.shape[0]))
    return Aim(_sharpness(grey), size, _light(grey))


def frame_of(size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The frame to fill in a picture of this width and height: left, top, width and height in pixels."""
    width, height = size
    room_x, room_y = width * (1 - 2 * FRAME[0]), height * (1 - 2 * FRAME[1])
    across = min(room_x, room_y * FRAME_RATIO)
    down = across / FRAME_RATIO
    return (width - across) / 2, (height - down) / 2, across, down


def guessed_corners(size: tuple[int, int]) -> FloatArray:
    """Corners to begin with where a person is to place them, (4, 2): those of a board that fills the frame."""
    left, top, across, down = frame_of(size)
    inset_x, inset_y = 0.06 * across, 0.06 * down
    right, bottom = left + across - inset_x, top + down - inset_y
    left, top = left + inset_x, top + inset_y
    return np.array([[right, bottom], [left, bottom], [left, top], [right, top]], float)


def order_corners(corners: FloatArray, light_home: Quadrant) -> FloatArray:
    """Four corners, (4, 2), by light's 1-, 12-, 13- and 24-point; they come one after the other around the board.

    Light's 1-point is at the corner nearest to where light's home lies; its 12-point at the end of a long side.
    """
    towards = np.array(QUADRANTS[light_home], float)
    spread = np.ptp(corners, axis=0)
    first = int(np.argmax(((corners - corners.mean(axis=0)) / np.maximum(spread, 1)) @ towards))
    onwards, back = corners[(first + 1) % 4], corners[(first - 1) % 4]
    step = 1 if np.hypot(*(onwards - corners[first])) >= np.hypot(*(back - corners[first])) else -1
    return np.array([corners[(first + step * k) % 4] for k in range(4)], float)


def flatten_board(picture: Picture, corners: FloatArray) -> Picture:
    """The playing surface drawn straight, (356, 444, 3), up in the picture being up as far as that goes.

    ``corners`` are pixels, shape (4, 2), by light's 1-, 12-, 13- and 24-point.
    """
    width, height = FLAT
    first = corners - corners.mean(axis=0)
    start = int(np.argmin(first.sum(axis=1)))
    clockwise = first[1][1] * first[0][0] - first[1][0] * first[0][1] > 0
    step = 1 if clockwise else -1
    around = np.array([corners[(start + step * k) % 4] for k in range(4)], np.float32)
    across = np.hypot(*(around[1] - around[0])) + np.hypot(*(around[2] - around[3]))
    down = np.hypot(*(around[3] - around[0])) + np.hypot(*(around[2] - around[1]))
    size = (width, height) if across >= down else (height, width)
    target = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    there = cv2.getPerspectiveTransform(around, target)
    return np.asarray(cv2.warpPerspective(picture, there, size, flags=cv2.INTER_AREA), np.uint8)


def _board_part(picture: Picture, corners: FloatArray | None) -> Picture:
    """The part of a picture with the board, or its middle."""
    height, width = picture.shape[:2]
    if corners is None:
        return picture[height // 6 : height - height // 6, width // 6 : width - width // 6]
    low = np.clip(np.floor(corners.min(axis=0)), 0, (width - 2, height - 2)).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)), low + 2, (width, height)).astype(int)
    return picture[low[1] : high[1], low[0] : high[0]]


def _sharpness(grey: GreyPicture) -> Measure:
    """How steep the steepest edges are: each is compared with the step from dark to bright that it is part of."""
    if grey.shape[1] > WIDE:
        size = (WIDE, max(1, round(grey.shape[0] * WIDE / grey.shape[1])))
        grey = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)
    calm = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    across, down = (cv2.Sobel(calm, cv2.CV_32F, dx, dy) / 8 for dx, dy in ((1, 0), (0, 1)))
    slope = np.hypot(across, down)
    near = np.ones((EDGE_REACH, EDGE_REACH), np.uint8)
    step = cv2.dilate(calm, near) - cv2.erode(calm, near)
    steep = slope >= np.quantile(slope, STRONGEST)
    share = float(np.median(slope[steep] / np.maximum(step[steep], 1)))
    # Without anything to see, as with a cover on the lens, there are no edges to go by.
    seen = float(step.max()) > 2 * EDGE_REACH
    level = _level(share, STEEP) if seen else 0.0
    word = AimWord.SHARP if level >= SHARP_MARK else AimWord.SOFT
    return Measure(level, SHARP_MARK, word if level >= SHARP_MARK / 2 else AimWord.BLURRED)


def _size(corners: FloatArray, size: tuple[int, int]) -> Measure:
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    across = max(sides[0] + sides[2], sides[1] + sides[3]) / 2
    level = float(np.clip(across / PITCHES / LARGE_PX, 0, 1))
    free = MARGIN * np.array(size)
    if ((corners < free) | (corners > np.array(size) - 1 - free)).any():
        return Measure(level, SIZE_MARK, AimWord.CUT_OFF)
    word = AimWord.LARGE if level >= SIZE_MARK else AimWord.CLOSER
    return Measure(level, SIZE_MARK, word if level >= SIZE_MARK / 2 else AimWord.FAR)


def _light(grey: GreyPicture) -> Measure:
    mean = float(grey.mean())
    rows, columns = grey.shape[0] // 2, grey.shape[1] // 2
    quarters = (
        grey[:rows, :columns],
        grey[:rows, columns:],
        grey[rows:, :columns],
        grey[rows:, columns:],
    )
    levels = sorted(float(np.median(quarter)) for quarter in quarters)
    bright = _level(mean, BRIGHTNESS)
    even = _level((levels[0] + 1) / (levels[-1] + 1), EVEN)
    calm = 1 / (1 + float((grey >= TOP).mean()) / GLARE)
    faults = {AimWord.DARK: bright, AimWord.UNEVEN: even, AimWord.GLARING: calm}
    worst = min(faults, key=lambda word: faults[word])
    level = faults[worst]
    return Measure(level, LIGHT_MARK, AimWord.EVEN if level >= LIGHT_MARK else worst)


def _level(value: float, ends: tuple[float, ...]) -> float:
    low, high = ends
    return float(np.clip((value - low) / (high - low), 0, 1))
