"""Light that falls otherwise from place to place than at the calibration: somebody's shadow, or a lamp put on.

With one factor for the whole picture a pale checker in a shadow is as grey as a dark one beside it. How the light
falls is found from the bare surface between the checkers, and the picture is evened out by it before it is read.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from controller.arrays import Float32Array, Picture
from controller.vision.geometry.board_grid import BoardGrid
from controller.vision.geometry.camera import CameraModel

CELL: Final = 12
"""Pixels of a grid along each side of a cell, 18 mm, half a checker: between the rows of both sides, and over points
that are empty, many show the bare surface alone."""
EVERY: Final = 2
"""Of so many of them one is looked at, down and across."""
LEVELS: Final = np.log(np.arange(256) + 8.0).astype(np.float32)
"""In the dark a level is no factor: 8 are added to each."""
STEPS: Final = ((6.0, 0.5), (5.0, 0.4), (4.0, 0.3), (3.0, 0.25), (2.5, 0.2), (2.0, 0.18), (2.0, 0.15))
"""From coarse to fine: over how many cells light is taken for the same, and from which factor on, its logarithm, a
cell shows a checker or a hand, and not light. Chosen: a shadow with a soft edge is followed, an arm is not."""
TRUST: Final = 0.05
"""Where nothing but such cells is near, as under an arm, the coarser step stands: it weighs so much, against 1 for
all cells that agree. Chosen."""
MOST: Final = 0.9
"""The brightest and the darkest cells beyond this share of all do not tell how uneven light is. The brightest are not
darkened either: a lamp that mirrors adds its light, and what lies under it would become darker than it is."""
UNEVEN: Final = 0.28
"""By what factor, its logarithm, light differs where a picture is evened out. On 12 painted and rendered boards in
their own light, arms over some, it was 0.02 to 0.06 in half of 96 pictures and 0.17 at most; a shadow over half of a
filmed board that takes half of the light has 0.6. Below this readers do without."""
MOVED: Final = 0.1
"""Where light differs by this factor, its logarithm, from how it fell when all was read last, all is read again.
In 802 pictures of a filmed game with its hands, each within five seconds of the one it was held against, it was 0.01
in half of them and above 0.09 in one of twenty; while a shadow crept over them it was above 0.27 in one of five."""
PIXELS: Final = 8
"""Light is told at every so many pixels of a picture, and interpolated between."""


@dataclass(frozen=True, eq=False)
class LightField:
    """What a picture is multiplied by, at each eighth pixel, (rows, columns), for light to fall as it did before.

    ``uneven`` is by what factor, its logarithm, light differs from place to place.
    """

    gains: Float32Array
    uneven: float

    def even_out(self, picture: Picture) -> Picture:
        """A picture, (h, w, 3) BGR uint8 of the size that this was found in, in the light of the calibration."""
        height, width = picture.shape[:2]
        rows, columns = self.gains.shape
        gains = cv2.resize(self.gains, (columns * PIXELS, rows * PIXELS))[:height, :width]
        return np.asarray(cv2.multiply(picture, cv2.merge([gains] * 3), dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True, eq=False)
class Lighting:
    """How light falls in a picture that was read.

    ``field`` is what it was evened out by, if it had to be; ``light`` is as `measure_light` found it then.
    """

    field: LightField | None
    light: Float32Array


def measure_light(image: Picture, camera: CameraModel, grid: BoardGrid, bare: Picture) -> Float32Array:
    """By what factor, its logarithm, each cell of the board was lighter at the calibration, (rows, columns).

    ``image`` is (h, w, 3) BGR uint8, ``camera`` sees the board as it stands in it, ``bare`` is the bare board on
    ``grid``. Checkers and hands are left out.
    """
    return _smooth(_gaps(grid.flatten(image, camera, 0.0), bare))


def find_light_field(
    light: Float32Array, image: Picture, camera: CameraModel, grid: BoardGrid
) -> LightField | None:
    """How light falls in the picture in which that was measured; ``None`` if much as at the calibration."""
    uneven = _range(light)
    if uneven < UNEVEN:
        return None
    shadow = np.maximum(light, np.quantile(light, 1 - MOST)) - np.median(light)
    gains = np.exp(_seen(shadow, image, camera, grid))
    return LightField(gains.astype(np.float32), uneven)


def falls_otherwise(light: Float32Array, then: Float32Array) -> bool:
    """Whether light falls otherwise than it did, both as measured: a shadow came, went or moved."""
    return _range(light - then) > MOVED


def _range(light: Float32Array) -> float:
    low, high = np.quantile(light, (1 - MOST, MOST))
    return float(high - low)


def _gaps(flat: Picture, bare: Picture) -> Float32Array:
    """By what factor, its logarithm, each cell of the bare board was lighter: the median of its pixels."""
    now, then = (
        np.asarray(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), np.uint8)[::EVERY, ::EVERY] for one in (flat, bare)
    )
    ratios = np.take(LEVELS, then) - np.take(LEVELS, now)
    size = CELL // EVERY
    rows, columns = ratios.shape[0] // size, ratios.shape[1] // size
    cells = ratios[: rows * size, : columns * size].reshape(rows, size, columns, size)
    pixels = cells.transpose(0, 2, 1, 3).reshape(rows, columns, size * size)
    middle = size * size // 2
    return np.asarray(np.partition(pixels, middle, axis=2)[..., middle], np.float32)


def _smooth(gaps: Float32Array) -> Float32Array:
    """The same as far as it is light: what varies slowly, checkers and hands left out by robust weights."""
    field = np.full_like(gaps, np.median(gaps))
    for wide, outlier in STEPS:
        weights = (1 + ((gaps - field) / outlier) ** 2) ** -2
        seen, known = (
            cv2.GaussianBlur(one, (0, 0), wide, borderType=cv2.BORDER_REPLICATE)
            for one in (weights * gaps, weights)
        )
        field = np.asarray((seen + TRUST * field) / (known + TRUST), np.float32)
    return field


def _seen(field: Float32Array, image: Picture, camera: CameraModel, grid: BoardGrid) -> Float32Array:
    """What lies in cells of the board, at every eighth pixel of the picture; beyond the board as at its edge."""
    rows, columns = (-(-size // PIXELS) for size in image.shape[:2])
    x, y = np.meshgrid(*(PIXELS * (np.arange(number) + 0.5) - 0.5 for number in (columns, rows)))
    board = camera.to_board(np.stack([x, y], axis=-1))
    across, down = (
        ((board[..., axis] - first) / grid.step_mm + 0.5) / CELL - 0.5
        for axis, first in enumerate((grid.left_mm, grid.near_mm))
    )
    return np.asarray(
        cv2.remap(
            field,
            across.astype(np.float32),
            down.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )
