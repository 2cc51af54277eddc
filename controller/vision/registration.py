"""Finds by how much the board was pushed since its calibration, from what is still seen of its surface."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.sheet import Picture, Sheet

FloatArray = NDArray[np.float64]
Grey = NDArray[np.float32]

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
# Of the places where the surface has edges only the clearest tell where it lies: this share of all.
TELLING = 0.35
# What varies over more than so many pixels is light, not the board.
COARSE_SLOW, FINE_SLOW = 6.0, 12.0
# Turns (radians) that are tried.
TURNS = (-0.06, -0.03, 0.0, 0.03, 0.06)
BORDER = 4


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


@dataclass(frozen=True, eq=False)
class _Level:
    """Two pictures of equal scale without their slow changes of brightness, and where the second has edges.

    ``slopes`` are its derivatives by shift across, shift down and turn, shape (n, 3), at the ``telling`` places.
    """

    now: Grey
    then: Grey
    telling: NDArray[np.intp]
    slopes: FloatArray


def find_push(flat: Picture, bare: Picture, sheet: Sheet) -> Push:
    """Compare a flat picture with the bare board, both (rows, columns, 3) BGR in the same light.

    What only one of them shows (checkers, hands) is left out by robust weights.
    """
    half_now, half_then = _half(_grey(flat)), _half(_grey(bare))
    step = 2 * sheet.step_mm
    fine = _level(half_now, half_then, FINE_SLOW)
    near = _push(fine, _refine(fine, np.zeros(3), FINE_STEPS), step)
    if near.likeness >= UNMOVED_LIKENESS and _hardly_moved(near):
        return near
    coarse = _level(_half(half_now), _half(half_then), COARSE_SLOW)
    afar = _refine(coarse, _search(coarse, 2 * step), COARSE_STEPS) * (2, 2, 1)
    far = _push(fine, _refine(fine, afar, FINE_STEPS), step)
    return far if far.misfit < near.misfit * WORTHWHILE else near


def _hardly_moved(push: Push) -> bool:
    return bool(np.hypot(push.x_mm, push.y_mm) < UNMOVED_MM and abs(push.turn) < UNMOVED_TURN)


def fine_push(flat: Picture, bare: Picture, sheet: Sheet) -> Push:
    """The same for a picture that is known to be off by very little."""
    fine = _level(_half(_grey(flat)), _half(_grey(bare)), FINE_SLOW)
    return _push(fine, _refine(fine, np.zeros(3), FINE_STEPS), 2 * sheet.step_mm)


def _push(level: _Level, pose: FloatArray, step_mm: float) -> Push:
    pulled = _pulled(level.now, pose)
    misfit, likeness = _robust(pulled, level.then), _likeness(pulled, level.then)
    return Push(float(pose[0] * step_mm), float(pose[1] * step_mm), float(pose[2]), misfit, likeness)


def _search(level: _Level, step_mm: float) -> FloatArray:
    """The best of all shifts and turns within reach, on a coarse grid."""
    reach = int(FURTHEST_MM / step_mm)
    then = np.clip(level.then, -LIKENESS_LIMIT, LIKENESS_LIMIT)[reach:-reach, reach:-reach]
    best, pose = -np.inf, np.zeros(3)
    for turn in TURNS:
        now = np.clip(_pulled(level.now, np.array([0.0, 0.0, turn])), -LIKENESS_LIMIT, LIKENESS_LIMIT)
        match = cv2.matchTemplate(now, then, cv2.TM_CCORR_NORMED)
        _, score, _, at = cv2.minMaxLoc(match)
        if score > best:
            # The shift was found in the picture turned back: bring it forward.
            x, y = at[0] - reach, at[1] - reach
            cos, sin = np.cos(turn), np.sin(turn)
            best, pose = score, np.array([cos * x - sin * y, sin * x + cos * y, turn])
    return pose


def _grey(flat: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)


def _half(grey: Picture | Grey) -> Grey:
    size = grey.shape[1] // 2, grey.shape[0] // 2
    return np.asarray(cv2.resize(grey.astype(np.float32), size, interpolation=cv2.INTER_AREA), np.float32)


def _level(now: Grey, then: Grey, slow: float) -> _Level:
    now, then = _detail(now, slow), _detail(then, slow)
    rows, columns = now.shape
    down = cv2.Sobel(then, cv2.CV_32F, 0, 1, scale=0.125)
    across = cv2.Sobel(then, cv2.CV_32F, 1, 0, scale=0.125)
    steep = np.hypot(across, down)
    steep[:BORDER] = steep[-BORDER:] = 0
    steep[:, :BORDER] = steep[:, -BORDER:] = 0
    flat = steep.ravel()
    telling = np.flatnonzero(flat > np.quantile(flat[:: max(1, flat.size // 4000)], 1 - TELLING))
    y, x = np.divmod(telling, columns)
    a, d = across.ravel()[telling].astype(float), down.ravel()[telling].astype(float)
    slopes = np.stack([a, d, (x - (columns - 1) / 2) * d - (y - (rows - 1) / 2) * a], axis=-1)
    return _Level(now, then, telling, slopes)


def _detail(grey: Grey, slow: float) -> Grey:
    """A picture without its slow changes of brightness."""
    size = int(2 * slow) | 1
    smooth = cv2.blur(cv2.blur(grey, (size, size)), (size, size))
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8) - smooth, np.float32)


def _robust(now: Grey, then: Grey) -> float:
    gap = np.minimum(cv2.absdiff(now, then), OUTLIER)
    return float(gap[BORDER:-BORDER, BORDER:-BORDER].mean())


def _likeness(now: Grey, then: Grey) -> float:
    inner = slice(BORDER, -BORDER)
    a, b = (np.clip(grey[inner, inner], -LIKENESS_LIMIT, LIKENESS_LIMIT) for grey in (now, then))
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))


def _refine(level: _Level, start: FloatArray, steps: int) -> FloatArray:
    """Robust Gauss-Newton over shift and turn about the middle; returns the best pose on the way."""
    then = level.then.ravel()[level.telling]
    pose = start.astype(float)
    best, least = pose, np.inf
    for _ in range(steps):
        gap = (_pulled(level.now, pose).ravel()[level.telling] - then).astype(float)
        misfit = float(np.minimum(np.abs(gap), OUTLIER).mean())
        if misfit < least:
            best, least = pose, misfit
        weight = 1.0 / (1.0 + (gap / (0.5 * OUTLIER)) ** 2) ** 2
        normal = level.slopes.T @ (level.slopes * weight[:, None]) + np.eye(3)
        step = np.linalg.solve(normal, level.slopes.T @ (weight * gap))
        pose = pose - step
        if np.hypot(step[0], step[1]) + level.now.shape[1] * abs(step[2]) < 0.02:
            break
    return best


def _pulled(now: Grey, pose: FloatArray) -> Grey:
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
