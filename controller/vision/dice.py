"""Dice on the playing surface: where they lie and which number is up.

Where the picture differs from the learned scene by something small, faces of dice are tried: the picture is flattened
at the height of a die's upper face, so that also from an oblique camera that face is a square, and faces
of all sizes, angles and values are fitted, coarsely everywhere and finely where it is worth it. All
dice on a board have one size.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.pips import FACE_VALUES, FaceFit, face_bank, fit_faces, reach_of, windows
from controller.vision.reading import DieSeen
from controller.vision.scene import MM_PER_PIXEL, Scene, changes, flatten, to_grid

FloatArray = NDArray[np.float64]
SingleArray = NDArray[np.float32]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

# Sides of dice in nominal millimetres (the points are 44 apart): 12 to 18 is what players use.
SIDES_MM = (12.0, 13.2, 14.5, 16.0, 17.6)
_TOP_MM = 14.5
_COARSE_MM = 2.0
_COARSE_BLUR_MM = 1.2
_COARSE_ANGLES = tuple(float(a) for a in range(0, 90, 10))
_FINE_MM = 1.0
_ANGLES = tuple(float(a) for a in range(0, 90, 5))
_ROAM = 3
# Blurs in pixels of the picture; they are brought to millimetres in steps, so that templates can be kept.
_BLURS_PX = (0.5, 0.8, 1.2)
_CHANGE = 24.0
_MOST_WINDOWS = 2500
_MOST_SPOTS = 8
# The likeness from which a thing is taken for a die.
_DIE = 2.9


@dataclass(frozen=True, eq=False)
class Candidate:
    """Something that may be a die. All arrays are indexed like ``SIDES_MM``.

    ``scores`` tell how well each size fits, ``likeness`` how much it looks like a die at all;
    ``values`` is what would be up, ``margins`` by how much it beats the next; ``centres_mm`` is (sizes, 2).
    """

    scores: FloatArray
    likeness: FloatArray
    values: NDArray[np.int64]
    margins: FloatArray
    centres_mm: FloatArray


def find_dice(image: Image, camera: Camera, geometry: BoardGeometry, scene: Scene) -> tuple[DieSeen, ...]:
    """Find the dice on the playing surface of a BGR picture (h, w, 3), the most certain first."""
    small = small_changes(changes(scene, flatten(image, camera, geometry)), geometry)
    candidates = [fit_die(image, camera, spot) for spot in likely_spots(image, small, camera, geometry)]
    return tuple(_chosen(candidates, camera))


def small_changes(change: SingleArray, geometry: BoardGeometry) -> NDArray[np.uint8]:
    """Changes on the grid of the scene that are too narrow for a checker or a hand: (h, w), 0 or 1."""
    changed = (change > _CHANGE).astype(np.uint8)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, _disc(5)), np.uint8)
    wide = cv2.morphologyEx(
        changed, cv2.MORPH_OPEN, _disc(0.62 * geometry.checker_diameter_mm / MM_PER_PIXEL)
    )
    return np.asarray(cv2.morphologyEx(changed & ~wide, cv2.MORPH_OPEN, _disc(5)), np.uint8)


@lru_cache(maxsize=4)
def _coarse_plan(
    camera: Camera, geometry: BoardGeometry
) -> tuple[FloatArray, FloatArray, NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The coarse grid at the height of faces: x and y (mm), maps into the picture and into the grid of the scene."""
    margin = reach_of(_COARSE_MM) * _COARSE_MM
    half_w = geometry.surface_width_mm / 2 + margin
    half_h = geometry.surface_height_mm / 2 + margin
    x_mm, y_mm = np.meshgrid(np.arange(-half_w, half_w, _COARSE_MM), np.arange(half_h, -half_h, -_COARSE_MM))
    u, v = camera.map_plane(x_mm, y_mm, _TOP_MM)
    foot = camera.to_board(np.stack([u, v], axis=-1).astype(float), _TOP_MM / 2)
    ground = camera.to_board(
        camera.project(np.concatenate([foot, np.full((*foot.shape[:2], 1), _TOP_MM / 2)], axis=-1)), 0.0
    )
    cells = to_grid(ground, geometry).astype(np.float32)
    return x_mm, y_mm, u, v, cells


def likely_spots(
    image: Image, small: NDArray[np.uint8], camera: Camera, geometry: BoardGeometry
) -> list[FloatArray]:
    """Places (x, y in mm on the plane of the faces) that look most like a die, the best first."""
    x_mm, y_mm, u, v, cells = _coarse_plan(camera, geometry)
    reach = reach_of(_COARSE_MM)
    allowed = cv2.remap(small, cells[..., 0], cells[..., 1], cv2.INTER_NEAREST)
    inside = (np.abs(x_mm) < geometry.surface_width_mm / 2 - 3) & (
        np.abs(y_mm) < geometry.surface_height_mm / 2 - 3
    )
    inside[:reach], inside[-reach:], inside[:, :reach], inside[:, -reach:] = False, False, False, False
    rows, columns = np.nonzero((allowed > 0) & inside)
    if not len(rows):
        return []
    if len(rows) > _MOST_WINDOWS:
        some = np.linspace(0, len(rows) - 1, _MOST_WINDOWS).astype(int)
        rows, columns = rows[some], columns[some]
    calm = cv2.GaussianBlur(image, (0, 0), 0.6)
    flat = cv2.remap(calm, u, v, cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    cut = windows(flat, np.stack([columns, rows], axis=1), reach)
    best = np.full(len(rows), -np.inf)
    for side in SIDES_MM[::2]:
        fit = fit_faces(cut, face_bank(side, _COARSE_BLUR_MM, _COARSE_ANGLES, _COARSE_MM))
        best = np.maximum(best, _likeness(fit).max(axis=(1, 2)))
    spots: list[FloatArray] = []
    for k in np.argsort(-best):
        place = np.array([x_mm[rows[k], columns[k]], y_mm[rows[k], columns[k]]])
        if all(np.hypot(*(place - other)) > 7.0 for other in spots):
            spots.append(place)
        if len(spots) == _MOST_SPOTS:
            break
    return spots


def fit_die(image: Image, camera: Camera, spot_mm: FloatArray) -> Candidate:
    """Fit faces finely to the picture around a spot (x, y in mm on the plane of the faces)."""
    reach = reach_of(_FINE_MM)
    patch = _patch(image, camera, spot_mm, reach + _ROAM)
    blurs = _blurs_mm(camera, spot_mm)
    steps = np.arange(-_ROAM, _ROAM + 1)
    shifts = np.array([(i, j) for i in steps for j in steps])
    cut = windows(patch, shifts + reach + _ROAM, reach)
    found = [_fit_side(cut, side, blurs) for side in SIDES_MM]
    centres = [spot_mm + shifts[place] * np.array([_FINE_MM, -_FINE_MM]) for *_, place in found]
    return Candidate(
        np.array([f[0] for f in found]),
        np.array([f[1] for f in found]),
        np.array([f[2] for f in found]),
        np.array([f[3] for f in found]),
        np.array(centres),
    )


def _likeness(fit: FaceFit) -> SingleArray:
    """How much windows look like a die at all, (k, angles, 9): sharp edges around pips."""
    return np.asarray(fit.edges + 2 * np.minimum(fit.pips, 1.0), np.float32)


def _fit_side(
    cut: SingleArray, side: float, blurs: tuple[float, ...]
) -> tuple[float, float, int, float, int]:
    """Score, likeness, value, margin and place of the best face of one size."""
    first = fit_faces(cut, face_bank(side, blurs[1], _ANGLES, _FINE_MM))
    merit = first.scores + _likeness(first)
    place, angle, _ = np.unravel_index(int(merit.argmax()), merit.shape)
    turns = [(int(angle) + k) % len(_ANGLES) for k in (-1, 0, 1)]
    near = np.argsort(-merit.max(axis=(1, 2)))[:9]
    fits = []
    for blur in blurs:
        fits.append(fit_faces(cut[near], face_bank(side, blur, _ANGLES, _FINE_MM).turned(turns)))
    scores = np.stack([fit.scores for fit in fits])
    by_face = scores.max(axis=(0, 1, 2))
    by_value = np.array([by_face[FACE_VALUES == value].max() for value in range(1, 7)])
    order = np.argsort(by_value)
    best = np.unravel_index(int(scores.argmax()), scores.shape)
    fit = fits[best[0]]
    return (
        float(by_value[order[-1]]),
        float(_likeness(fit)[best[1:]]),
        int(order[-1]) + 1,
        float(by_value[order[-1]] - by_value[order[-2]]),
        int(near[best[1]]),
    )


def _chosen(candidates: list[Candidate], camera: Camera) -> list[DieSeen]:
    """The candidates that are dice, all of the one size that suits them best."""
    if not candidates:
        return []
    table = np.stack([c.likeness for c in candidates])
    usual = -((np.log(np.array(SIDES_MM) / 14.5) / 0.2) ** 2) * 0.05
    top = np.argsort(-table.max(axis=1))[:2]
    size = int((np.stack([candidates[k].scores for k in top]).sum(axis=0) + usual).argmax())
    kept: list[int] = []
    for k in np.argsort(-table[:, size]):
        if table[k, size] < _DIE or len(kept) == 4:
            break
        apart = [np.hypot(*(candidates[k].centres_mm[size] - candidates[j].centres_mm[size])) for j in kept]
        if all(gap > 0.8 * SIDES_MM[size] for gap in apart):
            kept.append(int(k))
    return [_seen(candidates[k], size, camera) for k in kept]


def _seen(candidate: Candidate, size: int, camera: Camera) -> DieSeen:
    x, y = candidate.centres_mm[size]
    u, v = camera.project(np.array([x, y, SIDES_MM[size]]))
    sure = float(1 - np.exp(-6 * candidate.margins[size]))
    return DieSeen(int(candidate.values[size]), round(float(u), 1), round(float(v), 1), sure)


def _patch(image: Image, camera: Camera, spot_mm: FloatArray, reach: int) -> SingleArray:
    steps = np.arange(-reach, reach + 1) * _FINE_MM
    x_mm, y_mm = np.meshgrid(spot_mm[0] + steps, spot_mm[1] - steps)
    maps = camera.map_plane(x_mm, y_mm, _TOP_MM)
    cut = cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.float32)


def _blurs_mm(camera: Camera, spot_mm: FloatArray) -> tuple[float, ...]:
    ends = camera.project(np.array([[*spot_mm, _TOP_MM], [spot_mm[0] + 1.0, spot_mm[1], _TOP_MM]]))
    scale = float(np.hypot(*(ends[1] - ends[0])))
    return tuple(float(2 ** (round(3 * np.log2(blur / scale)) / 3)) for blur in _BLURS_PX)


@lru_cache(maxsize=8)
def _disc(diameter: float) -> NDArray[np.uint8]:
    size = int(diameter) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
