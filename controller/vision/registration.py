"""Finds by how much the board was pushed since its calibration, from what is still seen of its surface."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.sheet import Picture, Sheet

FloatArray = NDArray[np.float64]
Grey = NDArray[np.float32]

# Further than this is not a nudge: the board has to be calibrated anew.
FURTHEST_MM = 25.0
# Grey levels beyond which a difference is taken for a checker, a hand, a die.
OUTLIER = 12.0
LIKENESS_LIMIT = 40.0
ITERATIONS = 12
# A push is believed only if it explains the picture so much better than none.
WORTHWHILE = 0.98


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


def find_push(flat: Picture, bare: Picture, sheet: Sheet) -> Push:
    """Compare a flat picture with the bare board, both (rows, columns, 3) BGR in the same light.

    What only one of them shows (checkers, hands) is left out by robust weights.
    """
    now, then = _detail(flat), _detail(bare)
    still = _robust(now, then)
    (x, y), _ = cv2.phaseCorrelate(then, now, cv2.createHanningWindow(now.shape[::-1], cv2.CV_32F))
    starts = [np.zeros(3)]
    if np.hypot(x, y) * 2 * sheet.step_mm < FURTHEST_MM:
        starts.append(np.array([x, y, 0.0]))
    best, least = min((_refine(now, then, start) for start in starts), key=lambda found: found[1])
    step = 2 * sheet.step_mm
    if least > still * WORTHWHILE or np.hypot(best[0], best[1]) * step > FURTHEST_MM:
        best, least = np.zeros(3), still
    likeness = _likeness(_pulled(now, best), then)
    return Push(float(best[0] * step), float(best[1] * step), float(best[2]), float(least), likeness)


def _detail(flat: Picture) -> Grey:
    """Half-size grey picture without its slow changes of brightness."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (flat.shape[1] // 2, flat.shape[0] // 2), interpolation=cv2.INTER_AREA)
    small = small.astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8) - cv2.GaussianBlur(small, (0, 0), 12), np.float32)


def _robust(now: Grey, then: Grey) -> float:
    gap = np.minimum(np.abs(now - then), OUTLIER)
    return float(gap[4:-4, 4:-4].mean())


def _likeness(now: Grey, then: Grey) -> float:
    a, b = (np.clip(grey[4:-4, 4:-4], -LIKENESS_LIMIT, LIKENESS_LIMIT) for grey in (now, then))
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))


def _refine(now: Grey, then: Grey, start: FloatArray) -> tuple[FloatArray, float]:
    """Robust Gauss-Newton over shift and turn about the middle; returns them with the misfit left."""
    rows, columns = now.shape
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    x -= (columns - 1) / 2
    y -= (rows - 1) / 2
    down = cv2.Sobel(then, cv2.CV_32F, 0, 1, scale=0.125)
    across = cv2.Sobel(then, cv2.CV_32F, 1, 0, scale=0.125)
    slopes = np.stack([across, down, x * down - y * across], axis=-1)[4:-4, 4:-4].reshape(-1, 3)
    pose = start.astype(float)
    best, least = pose, np.inf
    for _ in range(ITERATIONS):
        moved = _pulled(now, pose)
        misfit = _robust(moved, then)
        if misfit < least:
            best, least = pose, misfit
        gap = (moved - then)[4:-4, 4:-4].ravel()
        weight = 1.0 / (1.0 + (gap / (0.5 * OUTLIER)) ** 2) ** 2
        normal = slopes.T @ (slopes * weight[:, None]) + np.diag([1.0, 1.0, 1.0])
        step = np.linalg.solve(normal, slopes.T @ (weight * gap))
        pose = pose - step
        if np.hypot(step[0], step[1]) + columns * abs(step[2]) < 0.02:
            break
    return best, least


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
