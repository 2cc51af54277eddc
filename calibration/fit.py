"""Fits camera, lens and board measures to checkers whose places on the board are known.

The checkers of a known position are a calibration target: each is a disc at a known slot. The measures that
a single picture cannot separate (the true size, the thickness of a checker, the focal length seen from
straight above) are held near usual values by weak priors, in proportion to the pitch of the points. The edges
around the checkers' upper faces sharpen their places to a fraction of a pixel.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.least_squares import least_squares
from controller.arrays import Float32Array, FloatArray, Picture, triple
from controller.vision import BoardGeometry, CameraModel, Home
from controller.vision.geometry.camera import through_lens
from controller.vision.geometry.geometry import NOMINAL_PITCH_MM

# Usual boards: ratios to the pitch of the points, with how far boards stray from them.
BAR_WIDTH = (1.15, 0.25)
# Widths of the bar, in pitches of the points, that boards are looked for with: usual ones, mere hinges, none at all.
BARS = (BAR_WIDTH[0], 0.75, 0.35, 0.0)
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

AROUND = 72
SCALES = np.linspace(0.86, 1.14, 9)
# Rims measured 1.1 to 2.2 on boards of all kinds, places without a checker mostly less than 1.3.
RIM_SEEN = 1.12
AROUND_RADII = 1.3
LEAST_SIGHTINGS, LEAST_POINTS = 8, 3
ROUNDS = ((0.5, 4.0), (0.35, 2.0), (0.25, 1.0), (0.25, 1.0))


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
    bar: float = BAR_WIDTH[0],
) -> Fit:
    """Fit camera and measures to sightings from one camera position.

    ``size`` is (width, height) of the picture in pixels; ``slack_px`` is the usual error of a sighting; ``bar`` is
    about how wide the bar is, in pitches of the points. ``corners``, shape (4, 2), are pixels of the surface's
    corners by light's 1-, 12-, 13- and 24-point, if they are known. Without corners at least six sightings on three
    points are needed, else ``ValueError``.
    """
    if corners is None and (len(sightings) < 6 or len({s.point for s in sightings}) < LEAST_POINTS):
        raise ValueError("too few checkers to fit a board to")
    seen = np.array([(s.x, s.y) for s in sightings]).reshape(-1, 2)
    known = seen if corners is None else np.concatenate([seen, corners])
    good_to = np.full((len(known), 1), slack_px)
    good_to[len(seen) :] = CORNER_SLACK_PX
    middle = (np.array(size) - 1) / 2
    layout = _SlotLayout.from_sightings(sightings, home)
    scale = float(np.hypot(*size))

    def unpack(values: FloatArray) -> tuple[CameraModel, BoardGeometry]:
        geometry = _geometry(home, _measures(values[:4]))
        camera = CameraModel(
            *size,
            float(np.exp(values[4]) * scale),
            float(values[5]),
            float(values[6]),
            triple(values[7:10]),
            (float(values[10]) * 1000, float(values[11]) * 1000, float(np.exp(values[12])) * 1000),
        )
        return camera, geometry

    priors = np.array(
        [(bar, BAR_WIDTH[1]), SURFACE_HEIGHT, ROW_PITCH, THICKNESS, LOG_FOCAL, RADIAL, SECOND_RADIAL]
    )

    def misfit(values: FloatArray) -> FloatArray:
        measures = _measures(values[..., :4])
        spots = layout.spots(measures)
        if corners is not None:
            spots = np.concatenate([spots, layout.corners(measures)], axis=-2)
        log_focal, k1, k2 = (values[..., place, None, None] for place in (4, 5, 6))
        flat = through_lens(_before_camera(spots, values[..., 7:]), k1, k2)
        off = np.nan_to_num((np.exp(log_focal) * scale * flat + middle - known) / good_to, nan=1e3)
        strange = (values[..., :7] - priors[:, 0]) / priors[:, 1]
        return np.concatenate([off.reshape(*values.shape[:-1], -1), strange], axis=-1)

    if guess is None:
        usual = _usual_measures(bar)
        place, pixels = (layout.spots, seen) if corners is None else (layout.corners, corners)
        guess = pose_guess(place(usual), pixels, size)
    x, y, away = guess.translation
    pose = [*guess.rotation, x / 1000, y / 1000, np.log(max(away, 1.0) / 1000)]
    start = np.array([*priors[:, 0], *pose], float)
    start[4] = np.log(guess.focal / scale)
    best = least_squares(misfit, start)
    best_camera, best_geometry = unpack(best)
    gaps = best_camera.project(layout.spots(_measures(best[:4]))) - seen
    return Fit(best_camera, best_geometry, np.hypot(gaps[:, 0], gaps[:, 1]))


def usual_geometry(home: Home, bar: float = BAR_WIDTH[0]) -> BoardGeometry:
    """A board of usual proportions, to start from; ``bar`` is the width of the bar in pitches."""
    return _geometry(home, _usual_measures(bar))


def _usual_measures(bar: float) -> FloatArray:
    return _measures(np.array([bar, SURFACE_HEIGHT[0], ROW_PITCH[0], THICKNESS[0]]))


def _measures(ratios: FloatArray) -> FloatArray:
    """Bar, height, row pitch and thickness (mm), shape (..., 4), from their ratios to the pitch of the points."""
    measures = ratios * NOMINAL_PITCH_MM
    # Noise may make the halves of a board without a bar overlap a little.
    measures[..., 0] = np.maximum(measures[..., 0], 0.0)
    return np.asarray(measures, float)


def _before_camera(spots: FloatArray, poses: FloatArray) -> FloatArray:
    """Board points, shape (..., n, 3), in coordinates of cameras in these ``poses`` as they are fitted, (..., 6)."""
    turns = np.array([cv2.Rodrigues(turn)[0] for turn in poses[..., :3].reshape(-1, 3)])
    x, y, log_away = poses[..., 3], poses[..., 4], poses[..., 5]
    shift = np.stack([x, y, np.exp(log_away)], axis=-1) * 1000
    return np.asarray(
        spots @ turns.reshape(*poses.shape[:-1], 3, 3).swapaxes(-1, -2) + shift[..., None, :], float
    )


def _geometry(home: Home, measures: FloatArray) -> BoardGeometry:
    """The board whose bar, height, row pitch and thickness are these (mm)."""
    bar, height, row, thickness = (float(each) for each in measures)
    return BoardGeometry(
        home,
        NOMINAL_PITCH_MM,
        bar,
        surface_height_mm=height,
        row_pitch_mm=row,
        checker_diameter_mm=row * DIAMETER_IN_ROW_PITCHES,
        checker_thickness_mm=thickness,
    )


@dataclass(frozen=True, eq=False)
class _SlotLayout:
    """Where sightings lie on a board, whatever its measures: what `BoardGeometry.slot` says for all of them at once.

    Its measures are the bar's width, the surface's height, the row pitch and the thickness (mm), shape (..., 4):
    those of one board, or of many.

    ``columns`` are distances of the columns from the bar's nearer edge, in pitches and to the right, ``halves`` the
    sides of the bar they are on, ``edges`` those of the board, -1 or 1; ``places`` and ``layers`` are counted from 0.
    ``way`` is 1 where home is to the right, and -1 where it is to the left.
    """

    columns: FloatArray
    halves: FloatArray
    edges: FloatArray
    places: FloatArray
    layers: FloatArray
    way: int

    @classmethod
    def from_sightings(cls, sightings: Sequence[Sighting], home: Home) -> "_SlotLayout":
        """That of sightings on a board whose home is on this side."""
        points = np.array([s.point for s in sightings], float)
        column = np.where(points <= 12, points, 25 - points)
        way = 1 if home == "right" else -1
        return cls(
            way * (6.5 - column),
            way * np.where(column <= 6, 1.0, -1.0),
            np.where(points <= 12, -1.0, 1.0),
            np.array([s.place for s in sightings], float),
            np.array([s.layer for s in sightings], float),
            way,
        )

    def spots(self, measures: FloatArray) -> FloatArray:
        """The centres of the upper faces (mm), shape (..., n, 3)."""
        bar, height, row, thickness = (measures[..., which, None] for which in range(4))
        inward = height / 2 - (self.places + 0.5) * row
        x = NOMINAL_PITCH_MM * self.columns + bar / 2 * self.halves
        z = thickness * (self.layers + 1)
        return np.stack([x, self.edges * inward, z], axis=-1)

    def corners(self, measures: FloatArray) -> FloatArray:
        """See `BoardGeometry.corners`: shape (..., 4, 3)."""
        x = self.way * (12 * NOMINAL_PITCH_MM + measures[..., 0, None]) / 2 * [1, -1, -1, 1]
        y = measures[..., 1, None] / 2 * [-1, -1, 1, 1]
        return np.stack([x, y, np.zeros_like(x)], axis=-1)


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


@dataclass(frozen=True, slots=True)
class Rim:
    """A checker's rim as found: centre in pixels, size relative to the expected one, and edge strength.

    ``edge`` is the mean edge across the rim (root of grey levels a pixel); ``strength`` compares it with
    the mean gradient around: below about 1.1 there is no rim.
    """

    x: float
    y: float
    scale: float
    strength: float
    edge: float


@dataclass(frozen=True)
class Refined:
    """A fit and the rims it rests on, in the order of the slots given."""

    fit: Fit
    rims: tuple[Rim, ...]

    @property
    def seen(self) -> int:
        """How many of the checkers show a rim where the fit has one."""
        return sum(r.strength > RIM_SEEN for r in self.rims)


def edge_field(picture: Picture) -> Float32Array:
    """Colour gradient of a picture, shape (h, w, 2): of the channel that changes most at each pixel."""
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    across, down, steepest = (np.zeros(picture.shape[:2], np.float32) for _ in range(3))
    for channel in cv2.split(soft):
        x, y = (np.asarray(cv2.Scharr(channel, cv2.CV_32F, *way, scale=1 / 32)) for way in ((1, 0), (0, 1)))
        steep = x * x + y * y
        more = steep > steepest
        for best, this in ((across, x), (down, y), (steepest, steep)):
            np.copyto(best, this, where=more)
    # A square root keeps one hard edge (a glint, a printed line) from outweighing a whole faint rim.
    calm = np.sqrt(np.sqrt(steepest) + 1)
    return np.stack([across / calm, down / calm], axis=-1)


@dataclass(frozen=True, eq=False)
class EdgedPicture:
    """A picture, (h, w, 3) BGR uint8, with its `edge_field`, which takes longer to make than to use."""

    picture: Picture
    field: Float32Array

    @classmethod
    def from_picture(cls, picture: Picture) -> "EdgedPicture":
        """That of a picture."""
        return cls(picture, edge_field(picture))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.picture.shape[1], self.picture.shape[0]


def refine_board(
    edged: EdgedPicture, slots: Sequence[tuple[int, int]], fit: Fit, corners: FloatArray | None = None
) -> Refined:
    """Alternate between finding rims near where the fit expects them and fitting anew.

    ``slots`` are the (point, place) pairs that are known to hold a
    checker in the lowest layer; ``corners`` of the surface (pixels, shape (4, 2)), if given, keep holding the fit.
    """
    rims: tuple[Rim, ...] = ()
    for reach, slack in ROUNDS:
        rims = tuple(find_rim(edged.field, fit.camera, fit.geometry, slot, reach) for slot in slots)
        good = sightings_of(slots, rims)
        if not enough(good):
            break
        geometry = fit.geometry
        bar = geometry.bar_mm / geometry.pitch_mm
        fit = _resize(
            fit_board(
                good, geometry.home, edged.size, guess=fit.camera, slack_px=slack, corners=corners, bar=bar
            ),
            rims,
        )
    return Refined(fit, rims)


def enough(sightings: Sequence[Sighting]) -> bool:
    """Whether these are enough to fit a board well."""
    return len(sightings) >= LEAST_SIGHTINGS and len({s.point for s in sightings}) >= LEAST_POINTS


def sightings_of(slots: Sequence[tuple[int, int]], rims: Sequence[Rim]) -> list[Sighting]:
    """The checkers whose rim was seen, each at the slot it was looked for at."""
    return [
        Sighting(point, place, rim.x, rim.y)
        for (point, place), rim in zip(slots, rims, strict=True)
        if rim.strength > RIM_SEEN
    ]


def find_rim(
    field: Float32Array, camera: CameraModel, geometry: BoardGeometry, slot: tuple[int, int], reach: float
) -> Rim:
    """Look for the rim of one checker within ``reach`` radii of its slot, by edges across the rim."""
    centre = geometry.slot(*slot)
    middle = camera.project(centre)
    rim = camera.project_circle(centre, geometry.checker_diameter_mm / 2, AROUND)
    if not np.isfinite(rim).all():
        return Rim(float(middle[0]), float(middle[1]), 1.0, 0.0, 0.0)
    spokes = rim - middle
    normals = _normals(rim)
    radius = float(np.mean(np.linalg.norm(spokes, axis=1)))
    step = max(0.5, radius / 24)
    count = int(np.floor(reach * radius / step))
    # Every other shift, size and spoke first: rims are a few steps wide, so the best one is not missed.
    near, size, _ = _best(
        field, middle, (spokes[::2], normals[::2]), _steps(2 * step, count // 2), SCALES[::2]
    )
    close = SCALES[np.abs(SCALES - size) < 1.5 * (SCALES[1] - SCALES[0])]
    found, size, edge = _best(field, near, (spokes, normals), _steps(step, min(2, count)), close)
    usual = _usual_edge(field, found, AROUND_RADII * radius)
    return Rim(float(found[0]), float(found[1]), size, edge / usual, edge)


def _steps(step: float, count: int) -> FloatArray:
    """Shifts to one side and the other, and none: ``count`` steps each way, shape (2 count + 1,)."""
    return np.asarray(np.arange(-count, count + 1) * step, float)


def _best(
    field: Float32Array,
    middle: FloatArray,
    rim: tuple[FloatArray, FloatArray],
    shifts: FloatArray,
    scales: FloatArray,
) -> tuple[FloatArray, float, float]:
    """Centre, size and edge strength of the best placing of a rim (spokes and normals, each (n, 2)).

    Each of the ``shifts`` to the right is tried with each of them down.
    """
    spokes, normals = rim
    # The spokes come first: sums over them are then sums of long rows, which NumPy's loops do several at a time.
    x, y = ((middle[axis] + spokes[:, axis, None, None] * scales) + shifts[:, None] for axis in range(2))
    strength = _across(field, x, y, normals)
    right, down, size = np.unravel_index(np.argmax(strength), strength.shape)
    return (
        middle + np.array([shifts[right], shifts[down]]),
        float(scales[size]),
        float(strength[right, down, size]),
    )


def _usual_edge(field: Float32Array, middle: FloatArray, reach: float) -> float:
    """Mean size of the gradient in a square of half width ``reach`` pixels."""
    left, top = np.maximum(np.round(middle - reach).astype(int), 0)
    right, bottom = np.round(middle + reach).astype(int) + 1
    patch = field[top:bottom, left:right]
    return float(np.linalg.norm(patch, axis=-1).mean()) + 1e-6 if patch.size else 1.0


def _normals(rim: FloatArray) -> FloatArray:
    along = np.concatenate([rim[1:], rim[:1]]) - np.concatenate([rim[-1:], rim[:-1]])
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1)
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True), float)


def _across(field: Float32Array, x: FloatArray, y: FloatArray, normals: FloatArray) -> FloatArray:
    """Mean edge strength across the rim for many placings of it, shape (shifts, shifts, sizes).

    ``x`` are the columns of its pixels for each shift to the right, (n, shifts, sizes), and ``y`` the rows for each
    shift down.
    """
    height, width = field.shape[:2]
    column, row = (
        np.minimum(np.maximum(np.rint(each), 0), most - 1).astype(np.intp)
        for each, most in ((x, width), (y, height))
    )
    # One number for both parts of a gradient, so that they are looked up at once.
    there = field.reshape(-1).view(np.complex64).take(column[:, :, None] + (row * width)[:, None])
    nx, ny = (normals[:, axis].astype(np.float32)[:, None, None, None] for axis in range(2))
    edges = there.real * nx
    edges += there.imag * ny
    np.abs(edges, out=edges)
    # The weakest part of a rim counts too: a straight edge nearby lights up only a part of the circle.
    quarters = edges.reshape(4, -1, *edges.shape[1:]).mean(axis=1)
    return np.asarray(0.5 * quarters.mean(axis=0) + 0.5 * _mean_of_weakest(quarters), float)


def _mean_of_weakest(quarters: Float32Array) -> Float32Array:
    """The mean of the least two of four, the first axis."""
    # Written out: to sort four numbers takes NumPy twice as long.
    first, second, third, fourth = quarters
    low, lower = np.minimum(first, second), np.minimum(third, fourth)
    high, higher = np.maximum(first, second), np.maximum(third, fourth)
    least, next_one = np.minimum(low, lower), np.minimum(np.maximum(low, lower), np.minimum(high, higher))
    return np.asarray((least + next_one) / 2, np.float32)


def _resize(fit: Fit, rims: Sequence[Rim]) -> Fit:
    """The fit with the checkers' diameter as the rims show it."""
    scales = [r.scale for r in rims if r.strength > RIM_SEEN]
    if not scales:
        return fit
    old = fit.geometry
    diameter = old.checker_diameter_mm * float(np.median(scales))
    diameter = float(np.clip(diameter, 0.85 * old.row_pitch_mm, 1.0 * old.row_pitch_mm))
    return replace(fit, geometry=replace(old, checker_diameter_mm=diameter))
