"""Looking closely at small things on the board: where a map of them peaks, and patches of the picture there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.network import load_network
from controller.vision.sheet import Picture, Sheet
from controller.vision.views import View

FloatArray = NDArray[np.float64]
Heat = NDArray[np.float32]
Patches = NDArray[np.float32]
Spot = tuple[float, float]

# Grey levels of noise that are not blown up to a pattern when a patch is evenly coloured.
LEAST_CONTRAST = 6.0
# Map networks look at blocks of so many pixels along each side and answer for the quarters of each.
BLOCK = 4


@dataclass(frozen=True, slots=True)
class Search:
    """Which peaks of a map are followed up: at least ``least`` high (0..1), the highest within ``radius`` cells."""

    least: float
    radius: int
    most: int


def find_spots(name: str, picture: Picture, sheet: Sheet, search: Search) -> list[Spot]:
    """Where (mm) a map network sees something in a picture (rows, columns, channels) uint8 on a sheet.

    The highest peaks come first.
    """
    heat = heat_map(name, picture)
    cell = BLOCK // 2
    middle = (cell - 1) / 2
    return [
        (
            sheet.left_mm + (column * cell + middle) * sheet.step_mm,
            sheet.near_mm + (row * cell + middle) * sheet.step_mm,
        )
        for row, column in find_peaks(heat, search)
    ]


def heat_map(name: str, picture: Picture) -> Heat:
    """Chances (0..1) for cells two pixels wide that a map network gives to a picture on a sheet."""
    rows, columns = (picture.shape[0] // BLOCK, picture.shape[1] // BLOCK)
    whole = picture[: rows * BLOCK, : columns * BLOCK]
    levels = whole.transpose(2, 0, 1).astype(np.float32) / np.float32(255) - np.float32(0.5)
    quarters = load_network(name).run(levels[None]).reshape(2, 2, rows, columns)
    odds = quarters.transpose(2, 0, 3, 1).reshape(2 * rows, 2 * columns)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def find_peaks(heat: Heat, search: Search) -> list[Spot]:
    """Row and column (fractional) of the maxima of a map, the highest first: centroids of 3x3 cells."""
    size = 2 * search.radius + 1
    ridge = np.asarray(cv2.dilate(heat, np.ones((size, size), np.uint8)), np.float32)
    rows, columns = np.nonzero((heat >= ridge) & (heat >= search.least))
    order = np.argsort(-heat[rows, columns], kind="stable")[: search.most]
    peaks = []
    for row, column in zip(rows[order], columns[order], strict=True):
        top, left = max(0, row - 1), max(0, column - 1)
        near = np.maximum(heat[top : row + 2, left : column + 2], 1e-6)
        down, across = np.mgrid[top : top + near.shape[0], left : left + near.shape[1]]
        total = float(near.sum())
        peaks.append((float((near * down).sum()) / total, float((near * across).sum()) / total))
    return peaks


@dataclass(frozen=True, slots=True)
class Look:
    """What a network tells about spots: the probability of each of its classes, (spots, classes), of being cocked,
    (spots,), and where the middles of faces are (mm), (spots, 2).
    """

    chances: FloatArray
    cocked: FloatArray
    middles: FloatArray


def look_closely(
    name: str,
    image: Picture,
    camera: Camera,
    spots: Sequence[Spot],
    view: View,
    turns: Sequence[float],
) -> Look:
    """Look at patches at spots (mm), at each once for every angle (radians) in ``turns``."""
    patches = [cut_patch(image, camera, spot, view, turn) for spot in spots for turn in turns]
    answers = load_network(name).run(normal(patches)).astype(float)
    answers = answers.reshape(len(spots), len(turns), -1)
    powers = np.exp(answers[..., :-3] - answers[..., :-3].max(axis=-1, keepdims=True))
    chances = (powers / powers.sum(axis=-1, keepdims=True)).mean(axis=1)
    cocked = 1 / (1 + np.exp(-answers[..., -3].mean(axis=1)))
    half = view.size / 2 * view.step_mm
    right, up = half * answers[..., -2], -half * answers[..., -1]
    cos, sin = np.cos(turns), np.sin(turns)
    off = np.stack([cos * right - sin * up, sin * right + cos * up], axis=-1).mean(axis=1)
    return Look(chances, cocked, np.array(spots) + off)


def cut_patch(image: Picture, camera: Camera, spot: Spot, view: View, turn: float = 0.0) -> Picture:
    """A square of the picture about a spot, (size, size, 3), as seen on the plane of the view.

    Light's side is down; ``turn`` (radians) turns the square on the board. Few nodes are projected and the
    rest interpolated.
    """
    nodes = np.linspace(-0.5, 0.5, 5) * (view.size - 1) * view.step_mm
    across, along = np.meshgrid(nodes, -nodes)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = camera.map_plane(
        spot[0] + cos * across - sin * along, spot[1] + sin * across + cos * along, view.height_mm
    )
    scale = 4 / (view.size - 1)
    back = np.array([[scale, 0, 0], [0, scale, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    fine_x, fine_y = (
        cv2.warpAffine(nodes, back, (view.size, view.size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        for nodes in (x, y)
    )
    patch = cv2.remap(image, fine_x, fine_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)


def normal(patches: Sequence[Picture]) -> Patches:
    """Patches as a network wants them: (n, 3, size, size), each of mean 0 and spread 1."""
    stack = np.stack(patches).astype(np.float32).transpose(0, 3, 1, 2)
    mean = stack.mean(axis=(1, 2, 3), keepdims=True)
    spread = stack.std(axis=(1, 2, 3), keepdims=True)
    return np.ascontiguousarray((stack - mean) / (spread + LEAST_CONTRAST), np.float32)
