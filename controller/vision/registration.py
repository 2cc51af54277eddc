"""Finds by how much the board was pushed since its calibration, from what is still seen of its surface."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from controller.arrays import Float32Array, FloatArray, IndexArray, Picture
from controller.vision.sheet import Sheet

# Further than this is not a nudge: the board has to be calibrated anew.
FURTHEST_MM = 38.0
# Grey levels beyond which a difference is taken for a checker, a hand, a die.
OUTLIER = 12.0
LIKENESS_LIMIT = 40.0
# A push from afar is believed only if it explains the picture so much better than a small one.
WORTHWHILE = 0.99
# A board that is so much like its picture where it was calibrated, give or take so much, was not pushed.
UNMOVED_LIKENESS, UNMOVED_MM, UNMOVED_TURN = 0.7, 1.0, 0.004
COARSE_STEPS, FINE_STEPS = 10, 6
# Poses (pixels, pixels, radians) that differ by less than this are the same.
SAME = (0.4, 0.4, 0.0015)
# Steps that move nothing by more than so many pixels end the search.
STILL = 0.04
# Of the places where the surface has edges only the clearest tell where it lies: this share of all.
TELLING = 0.35
# What varies over more than so many pixels is light, not the board.
COARSE_SLOW, FINE_SLOW = 6.0, 12.0
# Turns (radians) that are tried.
TURNS = (-0.06, -0.03, 0.0, 0.03, 0.06)
BORDER = 4
INNER = slice(BORDER, -BORDER)


@dataclass(frozen=True, slots=True)
class Push:
    """How far the board lies from its calibrated place: mm in the board frame, radians, and how well it fits.

    ``misfit`` is the mean robust difference in grey levels after following the push, ``likeness`` the
    correlation (-1 to 1) of what is seen with the bare board: another scene stays below 0.3.
    """

    x_mm: float
    y_mm: float
    turn: float
    misfit: float
    likeness: float

    def then(self, rest: "Push") -> "Push":
        """This push with the rest of it, measured on a picture laid flat with this one."""
        cos, sin = float(np.cos(self.turn)), float(np.sin(self.turn))
        x_mm, y_mm = cos * rest.x_mm - sin * rest.y_mm, sin * rest.x_mm + cos * rest.y_mm
        return replace(rest, x_mm=self.x_mm + x_mm, y_mm=self.y_mm + y_mm, turn=self.turn + rest.turn)


@dataclass(frozen=True, eq=False)
class ScaleLevel:
    """The bare board in one scale, without what varies over more than ``slow`` pixels.

    ``slopes`` are its derivatives by shift across, shift down and turn, shape (3, n), at the ``telling`` places,
    ``told`` is what it shows there; ``limited`` are its inner pixels within `LIKENESS_LIMIT`, ``energy`` their norm.
    """

    detail: Float32Array
    slow: float
    telling: IndexArray
    told: Float32Array
    slopes: Float32Array
    limited: Float32Array
    energy: float


@dataclass(frozen=True, eq=False)
class Landmarks:
    """What the bare board is found again by, in half and in a quarter of its sheet's scale.

    ``step_mm`` is how far apart the pixels of the finer one are.
    """

    fine: ScaleLevel
    coarse: ScaleLevel
    step_mm: float


def landmarks_of(bare: Picture, sheet: Sheet) -> Landmarks:
    """The landmarks of a bare board, (rows, columns, 3) BGR, laid flat on a sheet."""
    half = _half(_grey(bare))
    return Landmarks(_level(half, FINE_SLOW), _level(_half(half), COARSE_SLOW), 2 * sheet.step_mm)


def find_push(flat: Picture, landmarks: Landmarks) -> Push:
    """Compare a flat picture, (rows, columns, 3) BGR in the light of the bare board and on its sheet, with it.

    What only one of them shows (checkers, hands) is left out by robust weights.
    """
    half, fine = _half(_grey(flat)), landmarks.fine
    now = _detail(half, fine.slow)
    nearby = _refine(now, fine, np.zeros(3), FINE_STEPS)
    near = _push(now, landmarks, nearby)
    if near.likeness >= UNMOVED_LIKENESS and _hardly_moved(near):
        return near
    coarsely = _detail(_half(half), landmarks.coarse.slow)
    found = _search(coarsely, landmarks.coarse.detail, 2 * landmarks.step_mm)
    afar = _refine(coarsely, landmarks.coarse, found, COARSE_STEPS) * (2, 2, 1)
    if (np.abs(afar - nearby) < SAME).all():
        return near
    far = _push(now, landmarks, _refine(now, fine, afar, FINE_STEPS))
    return far if far.misfit < near.misfit * WORTHWHILE else near


def _hardly_moved(push: Push) -> bool:
    return bool(np.hypot(push.x_mm, push.y_mm) < UNMOVED_MM and abs(push.turn) < UNMOVED_TURN)


def fine_push(flat: Picture, landmarks: Landmarks) -> Push:
    """The same for a picture that is known to be off by very little."""
    now = _detail(_half(_grey(flat)), landmarks.fine.slow)
    return _push(now, landmarks, _refine(now, landmarks.fine, np.zeros(3), FINE_STEPS))


def _push(now: Float32Array, landmarks: Landmarks, pose: FloatArray) -> Push:
    pulled, step_mm = _pull_back(now, pose), landmarks.step_mm
    misfit, likeness = _robust(pulled, landmarks.fine.detail), _likeness(pulled, landmarks.fine)
    return Push(float(pose[0] * step_mm), float(pose[1] * step_mm), float(pose[2]), misfit, likeness)


def _search(now: Float32Array, then: Float32Array, step_mm: float) -> FloatArray:
    """The best of all shifts and turns within reach, on a coarse grid."""
    reach = int(FURTHEST_MM / step_mm)
    inner = _limit(then[reach:-reach, reach:-reach])
    best, pose = -np.inf, np.zeros(3)
    for turn in TURNS:
        turned = _limit(_pull_back(now, np.array([0.0, 0.0, turn])))
        match = cv2.matchTemplate(turned, inner, cv2.TM_CCORR_NORMED)
        _, score, _, at = cv2.minMaxLoc(match)
        if score > best:
            # The shift was found in the picture turned back: bring it forward.
            x, y = at[0] - reach, at[1] - reach
            cos, sin = np.cos(turn), np.sin(turn)
            best, pose = score, np.array([cos * x - sin * y, sin * x + cos * y, turn])
    return pose


def _grey(flat: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def _half(grey: Picture | Float32Array) -> Float32Array:
    """The means of four neighbours each."""
    columns, rows = grey.shape[1] // 2, grey.shape[0] // 2
    even = grey[: 2 * rows, : 2 * columns].astype(np.float32)
    return np.asarray(cv2.resize(even, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)


def _level(bare: Float32Array, slow: float) -> ScaleLevel:
    detail = _detail(bare, slow)
    rows, columns = detail.shape
    down = cv2.Sobel(detail, cv2.CV_32F, 0, 1, scale=0.125)
    across = cv2.Sobel(detail, cv2.CV_32F, 1, 0, scale=0.125)
    steep = np.hypot(across, down)
    steep[:BORDER] = steep[-BORDER:] = 0
    steep[:, :BORDER] = steep[:, -BORDER:] = 0
    flat = steep.ravel()
    telling = np.flatnonzero(flat > np.quantile(flat[:: max(1, flat.size // 4000)], 1 - TELLING))
    y, x = np.divmod(telling, columns)
    a, d = across.ravel()[telling], down.ravel()[telling]
    slopes = np.stack([a, d, (x - (columns - 1) / 2) * d - (y - (rows - 1) / 2) * a]).astype(np.float32)
    limited = _limit(detail[INNER, INNER]).ravel()
    energy = float(np.linalg.norm(limited))
    return ScaleLevel(detail, slow, telling, detail.ravel()[telling], slopes, limited, energy)


def _detail(grey: Float32Array, slow: float) -> Float32Array:
    """A picture without its slow changes of brightness."""
    size = int(2 * slow) | 1
    smooth = cv2.blur(cv2.blur(grey, (size, size)), (size, size))
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8) - smooth, np.float32)


def _robust(now: Float32Array, then: Float32Array) -> float:
    gap = np.minimum(cv2.absdiff(now, then), np.float32(OUTLIER))
    return float(gap[INNER, INNER].mean())


def _likeness(now: Float32Array, level: ScaleLevel) -> float:
    seen = _limit(now[INNER, INNER]).ravel()
    return float(seen @ level.limited) / (float(np.linalg.norm(seen)) * level.energy + 1e-9)


def _limit(detail: Float32Array) -> Float32Array:
    return np.clip(detail, np.float32(-LIKENESS_LIMIT), np.float32(LIKENESS_LIMIT))


def _refine(now: Float32Array, level: ScaleLevel, start: FloatArray, steps: int) -> FloatArray:
    """Robust Gauss-Newton over shift and turn about the middle; returns the best pose on the way."""
    pose = start.astype(float)
    best, least = pose, np.inf
    for _ in range(steps):
        gap = np.take(_pull_back(now, pose), level.telling) - level.told
        misfit = float(np.minimum(np.abs(gap), np.float32(OUTLIER)).mean())
        if misfit < least:
            best, least = pose, misfit
        weighted = level.slopes / (1 + (gap / np.float32(0.5 * OUTLIER)) ** 2) ** 2
        step = np.linalg.solve(weighted @ level.slopes.T + np.eye(3), weighted @ gap)
        pose = pose - step
        if np.hypot(step[0], step[1]) + now.shape[1] * abs(step[2]) < STILL:
            break
    return best


def _pull_back(now: Float32Array, pose: FloatArray) -> Float32Array:
    """The picture with a push undone."""
    rows, columns = now.shape
    x, y, turn = pose
    cos, sin = np.cos(turn), np.sin(turn)
    cx, cy = (columns - 1) / 2, (rows - 1) / 2
    there = np.array([[cos, -sin, x + cx - cos * cx + sin * cy], [sin, cos, y + cy - sin * cx - cos * cy]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(now, there, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
