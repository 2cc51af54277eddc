"""The faces of dice as templates, and how well a face fits a flattened patch of a picture.

A face is modelled as a blurred square of one colour with blurred round pips of another, and outside each of
its four edges a narrow strip of a colour of its own (the table, a shadow, a side of the die). For given
pose the best colours follow by linear least squares, so only the pose, the blur and the pips are searched.
Lengths are in nominal millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

FloatArray = NDArray[np.float64]
SingleArray = NDArray[np.float32]

# Half the side of a window: room for the largest die with its strips, turned by 45 degrees.
REACH_MM = 14.0
# Where pips can be, in quarters of the side from the centre, and which of them each face shows.
_PLACES = ((-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))
_FACES: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 3)),
    (2, (1, 2)),
    (3, (0, 3, 4)),
    (3, (1, 2, 4)),
    (4, (0, 1, 2, 3)),
    (5, (0, 1, 2, 3, 4)),
    (6, (0, 1, 2, 3, 5, 6)),
    (6, (0, 1, 2, 3, 7, 8)),
)
FACE_VALUES = np.array([value for value, _ in _FACES])
_PIP_RADIUS = 0.10
_STRIP_MM = 2.5
# Variance (grey levels squared, over three colours) that noise and texture explain.
_NOISE = 20.0
_PLAIN = 5


@dataclass(frozen=True, eq=False)
class FaceBank:
    """Templates of one size and blur for a set of angles.

    ``rows`` is (angles, 5 + 9, n): five orthonormal rows that carry the face and the strips without pips, then
    one row for each face pattern, each times the square root of the weight; ``weights`` is (angles, n).
    ``solve`` is (angles, 5, 5): from what the plain rows carry to the colours of the four strips and the face.
    n is the number of pixels of a window, (2 * reach + 1) squared with the reach of :func:`reach_of`.
    """

    rows: SingleArray
    weights: SingleArray
    solve: SingleArray

    def turned(self, which: Sequence[int]) -> "FaceBank":
        """The templates of some of the angles."""
        return FaceBank(self.rows[which], self.weights[which], self.solve[which])


def _blurred_step(distance: FloatArray, blur: float) -> FloatArray:
    return np.asarray(0.5 * (1 + erf(distance / (blur * np.sqrt(2)))), float)


def reach_of(pixel_mm: float) -> int:
    """Half the side of a window in pixels of ``pixel_mm``."""
    return round(REACH_MM / pixel_mm)


@lru_cache(maxsize=40)
def face_bank(side_mm: float, blur_mm: float, angles: tuple[float, ...], pixel_mm: float) -> FaceBank:
    """The templates of dice of ``side_mm`` seen with a Gaussian blur of ``blur_mm`` at angles in degrees."""
    made = [_templates(side_mm, blur_mm, float(np.deg2rad(angle)), pixel_mm) for angle in angles]
    return FaceBank(*(np.stack([m[k] for m in made]) for k in range(3)))


def _templates(
    side: float, blur: float, angle: float, pixel: float
) -> tuple[SingleArray, SingleArray, SingleArray]:
    reach = reach_of(pixel)
    grid = np.arange(-reach, reach + 1) * pixel
    x, y = np.meshgrid(grid, grid)
    u = x * np.cos(angle) + y * np.sin(angle)
    v = -x * np.sin(angle) + y * np.cos(angle)
    half = 0.49 * side
    face = _blurred_step(half - np.abs(u), blur) * _blurred_step(half - np.abs(v), blur)
    edge = half + _STRIP_MM
    corner = (np.abs(u) > 0.95 * half) & (np.abs(v) > 0.95 * half)
    weight = _blurred_step(edge - np.abs(u), 0.5) * _blurred_step(edge - np.abs(v), 0.5) * ~corner
    root = np.sqrt(weight).ravel()
    strips = [u >= np.abs(v), -u > np.abs(v), v > np.abs(u), -v >= np.abs(u)]
    plain = np.stack([(1 - face) * strip for strip in strips] + [face]).reshape(_PLAIN, -1) * root
    columns, upper = np.linalg.qr(plain.T)
    basis = columns.T
    discs = [
        _blurred_step(_PIP_RADIUS * side - np.hypot(u - i * side / 4, v - j * side / 4), blur)
        for i, j in _PLACES
    ]
    pips = (
        np.stack([face * sum(discs[k] for k in shown) for _, shown in _FACES]).reshape(len(_FACES), -1) * root
    )
    pips -= (pips @ basis.T) @ basis
    pips /= np.linalg.norm(pips, axis=1, keepdims=True)
    rows = np.concatenate([basis, pips]) * root
    solve = np.linalg.inv(upper)
    return rows.astype(np.float32), weight.ravel().astype(np.float32), solve.astype(np.float32)


def windows(patch: SingleArray, centres: NDArray[np.intp], reach: int) -> SingleArray:
    """Windows of a patch (h, w, 3) about pixels ``centres`` (k, 2) (x, y), at least ``reach`` inside it: (k, 3, n)."""
    side = 2 * reach + 1
    views = np.lib.stride_tricks.sliding_window_view(patch, (side, side), axis=(0, 1))
    chosen = views[centres[:, 1] - reach, centres[:, 0] - reach]
    return np.ascontiguousarray(chosen.reshape(len(centres), 3, side * side), np.float32)


@dataclass(frozen=True, eq=False)
class FaceFit:
    """How well faces explain windows: variances (grey levels squared, summed over three colours) a pixel.

    ``variance`` (k, angles) is what there is to explain, ``plain`` (k, angles) what a face without pips leaves,
    ``left`` (k, angles, 9) what each face leaves; ``edge`` (k, angles) is the squared difference of colour across
    the third sharpest of the four edges of the face.
    """

    variance: SingleArray
    plain: SingleArray
    left: SingleArray
    edge: SingleArray

    @property
    def scores(self) -> SingleArray:
        """Scores (k, angles, 9) to compare poses and faces in one place; larger is better.

        The logarithm of what is left, with half a bonus for windows in which there is something to explain: with
        none, a smooth patch of table would be the best die; with all of it, the sharpest edge.
        """
        bonus = 0.5 * np.log(self.variance + _NOISE)
        return np.asarray(bonus[..., None] - np.log(self.left + _NOISE), np.float32)

    @property
    def edges(self) -> SingleArray:
        """How sharp at least three edges of the face are, (k, angles, 9), as a logarithm."""
        return np.asarray(np.log(self.edge + _NOISE)[..., None] - np.log(self.left + _NOISE), np.float32)

    @property
    def pips(self) -> SingleArray:
        """How much pips explain beyond a plain face, (k, angles, 9), as a logarithm."""
        return np.asarray(np.log(self.plain + _NOISE)[..., None] - np.log(self.left + _NOISE), np.float32)

    @property
    def shares(self) -> SingleArray:
        """Log of variance over what is left, (k, angles, 9): to compare places."""
        return np.asarray(np.log(self.variance + _NOISE)[..., None] - np.log(self.left + _NOISE), np.float32)


def fit_faces(cut: SingleArray, bank: FaceBank) -> FaceFit:
    """Fit every template of a bank to windows (k, 3, n)."""
    count, _, pixels = cut.shape
    angles = bank.rows.shape[0]
    loads = (cut.reshape(-1, pixels) @ bank.rows.reshape(-1, pixels).T).reshape(count, 3, angles, -1)
    carried = loads**2
    colours = np.einsum("kcap,aqp->kcaq", loads[..., :_PLAIN], bank.solve)
    edges = ((colours[..., :4] - colours[..., 4:]) ** 2).sum(axis=1)
    total_weight = bank.weights.sum(axis=1)
    square = (cut**2).sum(axis=1) @ bank.weights.T
    mean = (cut.reshape(-1, pixels) @ bank.weights.T).reshape(count, 3, angles) / total_weight
    plain = square - carried[..., :_PLAIN].sum(axis=(1, 3))
    left = plain[..., None] - carried[..., _PLAIN:].sum(axis=1)
    return FaceFit(
        np.maximum(square / total_weight - (mean**2).sum(axis=1), 0),
        np.maximum(plain / total_weight, 0),
        np.maximum(left / total_weight[:, None], 0),
        np.partition(edges, 1, axis=-1)[..., 1],
    )
