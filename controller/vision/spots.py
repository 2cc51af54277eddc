"""Finding small things on the board: spots where a map of them peaks, and what a close look at each tells."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, Picture
from controller.vision.camera import CameraModel
from controller.vision.geometry import FLAT_ROW, BoardGeometry
from controller.vision.network import load_network
from controller.vision.sheet import Sheet
from controller.vision.views import BLOCK, PatchView, Spot, cut_patch, facing, leeway, normal

# A camera that looks down less steeply than this (sideways per height) sees side faces; they are found no further
# from where they are expected than this share of the height of the thing.
SLANTED = 0.35
SIDE_SHARE = 0.5
# What is seen over so much of a checker's radius lies on it; further out it may lie beside.
FACE_SHARE = 0.95
# Spots that are nothing, or one certain number, with at least these chances at a first look get no second one.
SURELY_NOTHING = 0.8
SURELY_SOMETHING = 0.95


@dataclass(frozen=True, slots=True)
class Search:
    """Which peaks of a map are followed up: at least ``least`` high (0..1), the highest within ``radius`` cells."""

    least: float
    radius: int
    most: int


def find_spots(name: str, picture: Picture, sheet: Sheet, search: Search) -> list[tuple[Spot, float]]:
    """Where (mm) a map network sees something in a picture (rows, columns, channels) uint8 on a sheet.

    Each comes with the height of its peak, the highest first.
    """
    heat = heat_map(name, picture)
    cell = BLOCK // 2
    middle = (cell - 1) / 2
    found = []
    for row, column in find_peaks(heat, search):
        x = sheet.left_mm + (column * cell + middle) * sheet.step_mm
        y = sheet.near_mm + (row * cell + middle) * sheet.step_mm
        found.append(((x, y), float(heat[round(row), round(column)])))
    return found


def heat_map(name: str, picture: Picture) -> Float32Array:
    """Chances (0..1) for cells two pixels wide that a map network gives to a picture on a sheet."""
    rows, columns = (picture.shape[0] // BLOCK, picture.shape[1] // BLOCK)
    whole = np.ascontiguousarray(picture[: rows * BLOCK, : columns * BLOCK])
    levels = cv2.dnn.blobFromImage(whole, 1 / 255, mean=[127.5] * picture.shape[2])
    quarters = load_network(name).run(np.asarray(levels, np.float32)).reshape(2, 2, rows, columns)
    odds = quarters.transpose(2, 0, 3, 1).reshape(2 * rows, 2 * columns)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def find_peaks(heat: Float32Array, search: Search) -> list[Spot]:
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


def is_side_of(spot: Spot, other: Spot, camera: CameraModel, view: PatchView) -> bool:
    """Whether a spot (mm) lies where the thing at the other one shows its side to a slanted camera.

    Both are on the plane of upper faces; things are as wide as high.
    """
    away = camera.centre_mm[:2] - np.array(other)
    far = float(np.hypot(*away))
    slant = far / float(camera.centre_mm[2])
    side = away / max(far, 1e-6) * (1 + slant) * view.height_mm / 2
    off = np.subtract(spot, other) - side
    return slant > SLANTED and bool(np.hypot(*off) < SIDE_SHARE * view.height_mm)


@dataclass(frozen=True, slots=True)
class CloseLook:
    """How spots are looked at: by which network, in which patches, and where that leaves a doubt in which turns, too.

    Turns are shares of a patch's leeway. To ``follow`` is to look again where the middle was seen to lie.
    """

    network: str
    view: PatchView
    turns: tuple[float, ...]
    follow: bool


@dataclass(frozen=True, slots=True)
class SpotLook:
    """What a network tells about spots: the probability of each of its classes, (spots, classes), of being cocked,
    (spots,), and where the middles of faces are (mm), (spots, 2).
    """

    chances: FloatArray
    cocked: FloatArray
    middles: FloatArray

    @property
    def spots(self) -> list[Spot]:
        """The middles one by one."""
        return [(x, y) for x, y in self.middles.tolist()]


def _look(
    how: CloseLook, image: Picture, camera: CameraModel, spots: Sequence[Spot], turns: Sequence[float]
) -> SpotLook:
    """Look at patches at spots (mm) that face the camera, once for each of ``turns`` from there."""
    view = how.view
    ways = np.array([facing(camera, spot, view) for spot in spots])
    angles = ways[:, :1] + leeway(ways[:, 1:]) * np.array(turns)
    patches = [
        cut_patch(image, camera, spot, view, float(turn))
        for spot, row in zip(spots, angles, strict=True)
        for turn in row
    ]
    answers = load_network(how.network).run(normal(patches)).astype(float)
    answers = answers.reshape(len(spots), len(turns), -1)
    powers = np.exp(answers[..., :-3] - answers[..., :-3].max(axis=-1, keepdims=True))
    chances = (powers / powers.sum(axis=-1, keepdims=True)).mean(axis=1)
    cocked = 1 / (1 + np.exp(-answers[..., -3].mean(axis=1)))
    half = view.size / 2 * view.step_mm
    right, up = half * answers[..., -2], -half * answers[..., -1]
    cos, sin = np.cos(angles), np.sin(angles)
    off = np.stack([cos * right - sin * up, sin * right + cos * up], axis=-1).mean(axis=1)
    return SpotLook(chances, cocked, np.array(spots) + off)


def look_closely(how: CloseLook, image: Picture, camera: CameraModel, spots: Sequence[Spot]) -> SpotLook:
    """Look straight at each spot (mm), one at least, and again where that leaves a doubt; all looks count alike."""
    first = _look(how, image, camera, spots, (0.0,))
    enough = np.where(first.chances.argmax(axis=1) == 0, SURELY_NOTHING, SURELY_SOMETHING)
    doubtful = np.flatnonzero(first.chances.max(axis=1) < enough).tolist()
    if not doubtful:
        return first
    places = first.spots if how.follow else spots
    again = _look(how, image, camera, [places[k] for k in doubtful], how.turns)
    share = len(how.turns) / (1 + len(how.turns))
    for joint, other in (
        (first.chances, again.chances),
        (first.cocked, again.cocked),
        (first.middles, again.middles),
    ):
        joint[doubtful] += share * (other - joint[doubtful])
    return first


def checker_faces(
    camera: CameraModel, geometry: BoardGeometry, points: Sequence[int], height_mm: float
) -> FloatArray:
    """Where the upper faces of checkers are seen on the plane at ``height_mm``: middles (n, 2) in mm.

    ``points`` are 24 signed counts; rows are taken as laid neatly, upper layers as lying on the checkers below.
    """
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    middles = []
    for point, count in enumerate(points, start=1):
        for number in range(abs(count)):
            spot = geometry.slot(point, number % FLAT_ROW, number // FLAT_ROW)
            middles.append(foot + (eye - height_mm) / (eye - spot[2]) * (spot[:2] - foot))
    return np.array(middles, float).reshape(-1, 2)


def lies_on(spot: Spot, faces: FloatArray, geometry: BoardGeometry) -> bool:
    """Whether a spot (mm) is seen within one of the ``faces`` of `checker_faces`."""
    if not len(faces):
        return False
    nearest = float(np.hypot(*(faces - np.array(spot)).T).min())
    return nearest < FACE_SHARE * geometry.checker_diameter_mm / 2
