"""Fits camera, lens and board measures to checkers whose places on the board are known.

The checkers of a known position are a calibration target: each is a disc at a known slot. The measures that
a single picture cannot separate (the true size, the thickness of a checker, the focal length seen from
straight above) are held near usual values by weak priors, in proportion to the pitch of the points.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import least_squares

from controller.arrays import FloatArray, triple
from controller.vision.camera import CameraModel
from controller.vision.geometry import NOMINAL_PITCH_MM, BoardGeometry, Home

# Usual boards: ratios to the pitch of the points, with how far boards stray from them.
BAR_WIDTH = (1.15, 0.25)
SURFACE_HEIGHT = (10.6, 0.5)
ROW_PITCH = (0.945, 0.035)
# Neighbours in a row leave a small gap between them.
DIAMETER_IN_ROW_PITCHES = 0.98
THICKNESS = (0.27, 0.03)
# log(focal length / picture diagonal); 60 degrees across gives about 0.75.
LOG_FOCAL = (-0.32, 0.25)
RADIAL = (-0.03, 0.06)
SECOND_RADIAL = (0.0, 0.02)
# Corners given by hand or hidden behind a rail are good to a few pixels.
CORNER_SLACK_PX = 4.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """The centre of a checker's upper face, in pixels, and the slot it lies in (place 0 is at the edge)."""

    point: int
    place: int
    x: float
    y: float
    layer: int = 0


@dataclass(frozen=True)
class Fit:
    """Camera and board that explain the sightings; ``residuals`` are distances in pixels, one a sighting."""

    camera: CameraModel
    geometry: BoardGeometry
    residuals: FloatArray


def fit_board(
    sightings: Sequence[Sighting],
    home: Home,
    size: tuple[int, int],
    guess: CameraModel | None = None,
    slack_px: float = 1.0,
    corners: FloatArray | None = None,
) -> Fit:
    """Fit camera and measures to sightings from one camera position.

    ``size`` is (width, height) of the picture in pixels; ``slack_px`` is the usual error of a sighting.
    ``corners``, shape (4, 2), are pixels of the surface's corners by light's 1-, 12-, 13- and 24-point, if
    they are known. Without corners at least six sightings on three points are needed, else ``ValueError``.
    """
    if corners is None and (len(sightings) < 6 or len({s.point for s in sightings}) < 3):
        raise ValueError("too few checkers to fit a board to")
    seen = np.array([(s.x, s.y) for s in sightings]).reshape(-1, 2)
    scale = float(np.hypot(*size))

    def unpack(values: FloatArray) -> tuple[CameraModel, BoardGeometry]:
        geometry = _geometry(home, values[:4])
        camera = CameraModel(
            *size,
            float(np.exp(values[4]) * scale),
            float(values[5]),
            float(values[6]),
            triple(values[7:10]),
            (float(values[10]) * 1000, float(values[11]) * 1000, float(np.exp(values[12])) * 1000),
        )
        return camera, geometry

    priors = np.array([BAR_WIDTH, SURFACE_HEIGHT, ROW_PITCH, THICKNESS, LOG_FOCAL, RADIAL, SECOND_RADIAL])

    def misfit(values: FloatArray) -> FloatArray:
        camera, geometry = unpack(values)
        expected = camera.project(_slots(geometry, sightings))
        off = np.nan_to_num((expected - seen) / slack_px, nan=1e3)
        parts = [off.ravel(), (values[:7] - priors[:, 0]) / priors[:, 1]]
        if corners is not None:
            gaps = camera.project(geometry.corners()) - corners
            parts.append(np.nan_to_num(gaps / CORNER_SLACK_PX, nan=1e3).ravel())
        return np.concatenate(parts)

    if guess is None:
        usual = usual_geometry(home)
        spots, pixels = (_slots(usual, sightings), seen) if corners is None else (usual.corners(), corners)
        guess = pose_guess(spots, pixels, size)
    x, y, away = guess.translation
    pose = [*guess.rotation, x / 1000, y / 1000, np.log(max(away, 1.0) / 1000)]
    start = np.array([*priors[:, 0], *pose], float)
    start[4] = np.log(guess.focal / scale)
    found = least_squares(misfit, start, loss="soft_l1", x_scale="jac", max_nfev=200)
    best_camera, best_geometry = unpack(found.x)
    gaps = best_camera.project(_slots(best_geometry, sightings)) - seen
    return Fit(best_camera, best_geometry, np.hypot(gaps[:, 0], gaps[:, 1]))


def usual_geometry(home: Home, bar: float = BAR_WIDTH[0]) -> BoardGeometry:
    """A board of usual proportions, to start from; ``bar`` is the width of the bar in pitches."""
    return _geometry(home, np.array([bar, SURFACE_HEIGHT[0], ROW_PITCH[0], THICKNESS[0]]))


def _geometry(home: Home, ratios: FloatArray) -> BoardGeometry:
    """The board whose bar, height, row pitch and thickness are so many pitches of the points."""
    bar, height, row, thickness = (float(r) for r in ratios * NOMINAL_PITCH_MM)
    return BoardGeometry(home, NOMINAL_PITCH_MM, bar, height, row, row * DIAMETER_IN_ROW_PITCHES, thickness)


def _slots(geometry: BoardGeometry, sightings: Sequence[Sighting]) -> FloatArray:
    return np.array([geometry.slot(s.point, s.place, s.layer) for s in sightings]).reshape(-1, 3)


def pose_guess(spots: FloatArray, pixels: FloatArray, size: tuple[int, int]) -> CameraModel:
    """A first pose, with a usual lens, from spots of one height (mm, shape (n, 3)) and their pixels.

    Raises ``ValueError`` if no camera above the board would see the spots there.
    """
    focal = float(np.exp(LOG_FOCAL[0]) * np.hypot(*size))
    matrix = np.array([[focal, 0, (size[0] - 1) / 2], [0, focal, (size[1] - 1) / 2], [0, 0, 1]])
    height = float(np.mean(spots[:, 2]))
    flat = spots - [0, 0, height]
    candidates = []
    _, rotations, translations, _ = cv2.solvePnPGeneric(
        flat, np.asarray(pixels, float), matrix, np.zeros(4), flags=cv2.SOLVEPNP_IPPE
    )
    for turn, shift in zip(rotations, translations, strict=True):
        down = height * np.asarray(cv2.Rodrigues(turn)[0], float)[:, 2]
        camera = CameraModel(*size, focal, 0.0, 0.0, triple(turn.ravel()), triple(shift.ravel() - down))
        gap = np.nan_to_num(camera.project(spots) - pixels, nan=1e3)
        if camera.centre_mm[2] > 0:
            candidates.append((float(np.median(np.hypot(gap[:, 0], gap[:, 1]))), camera))
    if not candidates:
        raise ValueError("these places cannot be a board seen from above")
    return min(candidates, key=lambda c: c[0])[1]
