"""What a board looks like: its bare surface and the two kinds of checkers, learned from a known position.

How much each place in a picture looks like them is told by `densities` and `bare_densities`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike

from controller.arrays import Float32Array, FloatArray, IndexArray, Mask, Picture, triple
from controller.vision.geometry.board_grid import BoardGrid, ground_grid, surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry

SHADES = 10
# Colours are judged in 8-bit CIE LAB; a learned shade is never narrower than this.
SHADE_FLOOR = (7.0, 4.0, 4.0)
# Share of a checker's face that looks like nothing seen before (a lamp's reflection, a print).
STRANGE = 0.1
# Log density of a colour about which nothing is known: uniform over 8-bit LAB.
NOTHING_KNOWN = float(-3 * np.log(255.0))
BINS = 32
# Checkers are laid by hand: rows are off their lines by a few millimetres.
SLOPPY_MM = 6.0
# A centred cube lies about the middle of the bar; it differs by this many levels from bare bar.
BAR_MIDDLE_MM = 32.0
BAR_STRANGE = 25.0
# Half a large cube; and how many columns further on the points have the same colours.
CUBE_HALF_MM = 18.0
ALIKE_COLUMNS = (2, 4)
# What a point looks like is taken from the duller of its kind (rank, 0 to 1): bright ones have reflections.
DULL = 0.4
# Grey levels by which an inferred place may be wrong.
INFERRED_DOUBT = 6.0
VEIL_DOUBT = 0.5
# Pictures of the same surface differ by this many grey levels anyway.
USUAL_CHANGE = 10.0
# Light on the bare board is carried over to hidden places from this far, the nearest first.
LIGHT_REACH_MM = (15.0, 40.0)
# So close to a checker the surface is in its shadow.
SHADOW_MM = 7.5
# Levels that tell nothing of the light; the logarithms of all, a little added since the darkest are mostly noise.
BURNT_OUT = 248
LOG_LEVELS = np.log(np.arange(256) + 2.0).astype(np.float32)
# What the bare board may differ by from its learned picture, in 8-bit LAB: noise, slightly wrong places.
BARE_SPREAD = (9.0, 5.0, 5.0)
# Share of the bare board that looks strange (a shadow, a reflection, a die).
BARE_STRANGE = 0.012
BARE_FLOOR = float(np.log(BARE_STRANGE) + NOTHING_KNOWN)
# What the squared differences of the three channels count for.
SQUARED = np.array([[1 / spread**2 for spread in BARE_SPREAD]], np.float32)
# By doubt (grey levels): how much wider the bell is, and with it the log density at its peak and how steeply
# that falls with the square of the difference, in spreads.
WIDER = np.sqrt(1 + (np.arange(256) / BARE_SPREAD[0]) ** 2)
PEAKS = (-np.log(np.prod(BARE_SPREAD)) - 1.5 * np.log(2 * np.pi) - 3 * np.log(WIDER)).astype(np.float32)
SLOPES = (-0.5 / WIDER**2).astype(np.float32)
# A colour's place in a table of shades, from the steps of its channels.
STEP = 256 // BINS
PLACE = np.array([[BINS**2, BINS, 1]], np.float32)


@dataclass(frozen=True)
class Shades:
    """The colours of one kind of checker as a mixture of normal shades in 8-bit LAB.

    ``weights`` (n,), ``means`` and ``spreads`` (n, 3) as nested tuples.
    """

    weights: tuple[float, ...]
    means: tuple[tuple[float, float, float], ...]
    spreads: tuple[tuple[float, float, float], ...]

    @cached_property
    def table(self) -> Float32Array:
        """Log density for every colour, on a grid of ``BINS`` a channel; shape (BINS ** 3,)."""
        axis = (np.arange(BINS) + 0.5) * 256 / BINS
        density = np.full((BINS, BINS, BINS), STRANGE * np.exp(NOTHING_KNOWN))
        for weight, mean, spread in zip(self.weights, self.means, self.spreads, strict=True):
            bell = [
                np.exp(-0.5 * ((axis - m) / s) ** 2) / (s * np.sqrt(2 * np.pi))
                for m, s in zip(mean, spread, strict=True)
            ]
            density += (1 - STRANGE) * weight * np.einsum("i,j,k->ijk", *bell)
        return np.asarray(np.log(density).astype(np.float32).ravel())


@dataclass(frozen=True)
class Appearance:
    """A bare board and its checkers' colours.

    ``bare_jpeg`` is an encoded picture of the bare surface, laid flat on the ground grid at height 0;
    ``doubt_jpeg`` one of how many grey levels it may be wrong by at each place.
    """

    bare_jpeg: bytes
    doubt_jpeg: bytes
    light: Shades
    dark: Shades

    @cached_property
    def bare(self) -> Picture:
        """The bare surface, (rows, columns, 3) BGR."""
        return _decode(self.bare_jpeg, cv2.IMREAD_COLOR)

    @cached_property
    def doubt(self) -> Picture:
        """How wrong the bare surface may be, (rows, columns) grey levels."""
        return _decode(self.doubt_jpeg, cv2.IMREAD_GRAYSCALE)

    def bare_surface(self, geometry: BoardGeometry) -> Picture:
        """The bare board on the grid over its playing surface alone, (rows, columns, 3) BGR."""
        return surface_grid(geometry).crop(self.bare, ground_grid(geometry))


def _decode(jpeg: bytes, flags: int) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), flags), np.uint8)


def encode(flat: Picture) -> bytes:
    """A small JPEG of a flat picture, its colours at full resolution."""
    options = [cv2.IMWRITE_JPEG_QUALITY, 93, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111]
    return bytes(cv2.imencode(".jpg", flat, options)[1].tobytes())


def learn_appearance(
    images: Sequence[Picture], camera: CameraModel, geometry: BoardGeometry, points: Sequence[int]
) -> Appearance:
    """Learn from pictures, each (h, w, 3) BGR uint8, of one known position.

    ``points`` are 24 signed counts in light's numbering (positive light). The pictures may differ in light
    but not in camera; the first one says what usual light is. Raises ``ValueError`` without pictures or
    without a checker of either side on the points.
    """
    if not images:
        raise ValueError("there is no picture to learn from")
    if not any(count > 0 for count in points) or not any(count < 0 for count in points):
        raise ValueError("a board is learned from a position with checkers of both sides on its points")
    grid = ground_grid(geometry)
    covered = covered_ground(grid, camera, geometry, points)
    flats = [grid.flatten(image, camera, 0.0) for image in images]
    gains = [light_gain(flat, flats[0], ~covered) for flat in flats]
    levelled = [_relight(flat, gain) for flat, gain in zip(flats, gains, strict=True)]
    bare = _fill(np.mean(np.stack(levelled), axis=0).astype(np.uint8), covered, grid, geometry)
    doubt = _doubt(levelled, covered, bare, _pattern(bare, covered, grid, geometry)[0])
    bare = _clear_bar(bare, grid, geometry)
    light, dark = [], []
    for image, gain in zip(images, gains, strict=True):
        lab = to_lab(_relight(grid.flatten(image, camera, geometry.checker_thickness_mm), gain))
        light.append(_samples(lab, grid, geometry, points, 1))
        dark.append(_samples(lab, grid, geometry, points, -1))
    return Appearance(encode(bare), encode(doubt), _shades(light), _shades(dark))


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A thing that stands on a board: where (mm), how high, and how far it and its shadow reach around its middle."""

    x_mm: float
    y_mm: float
    height_mm: float
    reach_mm: float


def plain_appearance(look: Appearance, geometry: BoardGeometry) -> Appearance:
    """What a board would look like if nothing lay on it and no point differed from the others of its colour."""
    return replace(look, bare_jpeg=encode(_plain_ground(look, geometry)))


def clear_ground(
    look: Appearance, camera: CameraModel, geometry: BoardGeometry, things: Sequence[Obstacle]
) -> Appearance:
    """The board without things that were learned with it: there it looks like its other points."""
    grid = ground_grid(geometry)
    hidden = np.zeros((grid.rows, grid.columns), bool)
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    for thing in things:
        for height in np.linspace(0, thing.height_mm, 4):
            away = eye / (eye - height)
            x, y = (foot + away * (np.array([thing.x_mm, thing.y_mm]) - foot)).tolist()
            _cover(hidden, grid, (x, y), float(away) * thing.reach_mm)
    bare = np.where(hidden[..., None], _plain_ground(look, geometry), look.bare)
    doubt = np.where(hidden, np.maximum(look.doubt, np.uint8(INFERRED_DOUBT)), look.doubt)
    return replace(
        look, bare_jpeg=encode(np.asarray(bare, np.uint8)), doubt_jpeg=encode(np.asarray(doubt, np.uint8))
    )


def _plain_ground(look: Appearance, geometry: BoardGeometry) -> Picture:
    """The bare surface, every point as the others of its colour are."""
    grid = ground_grid(geometry)
    nowhere = np.zeros((grid.rows, grid.columns), bool)
    pattern, _ = _pattern(look.bare, nowhere, grid, geometry)
    return np.asarray(np.clip(pattern, 0, 255), np.uint8)


def to_lab(flat: Picture) -> Picture:
    """8-bit LAB of an 8-bit BGR picture."""
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), np.uint8)


def strongest(flat: MatLike) -> MatLike:
    """The largest of the three channels at each place: NumPy takes several times as long for it."""
    blue, green, red = cv2.split(flat)
    return cv2.max(cv2.max(blue, green), red)


def light_gain(flat: Picture, reference: Picture, where: Mask) -> FloatArray:
    """Factor for each channel, shape (3,), that brings ``flat`` to the light of ``reference``."""
    now, then = flat[::3, ::3], reference[::3, ::3]
    clear = where[::3, ::3] & (strongest(cv2.max(now, then)) < BURNT_OUT)
    if not clear.any():
        return np.ones(3)
    ratio = np.take(LOG_LEVELS, then[clear].T) - np.take(LOG_LEVELS, now[clear].T)
    place = ratio.shape[1] // 2
    middle = np.partition(ratio, place, axis=1)[:, place]
    return np.asarray(np.exp(middle), float)


def covered_ground(
    grid: BoardGrid, camera: CameraModel, geometry: BoardGeometry, points: Sequence[int]
) -> Mask:
    """Where the checkers of a known position hide the surface from the camera, on the grid at height 0."""
    covered = np.zeros((grid.rows, grid.columns), bool)
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    reach = geometry.checker_diameter_mm / 2 + SLOPPY_MM
    for point, count in enumerate(points, start=1):
        layers = (abs(count) + 4) // 5
        for place in range(min(abs(count), 5)):
            centre = geometry.slot(point, place)[:2]
            for height in np.linspace(0, layers * geometry.checker_thickness_mm, 2 * layers + 1):
                # A level disc hides a disc of the ground: it is thrown there from the camera.
                away = eye / (eye - height)
                x, y = foot + away * (centre - foot)
                _cover(covered, grid, (float(x), float(y)), away * reach)
    return covered


def _cover(covered: Mask, grid: BoardGrid, centre: tuple[float, float], reach: float) -> None:
    """Mark a disc (mm) on a grid."""
    left, right = np.searchsorted(grid.x_mm, (centre[0] - reach, centre[0] + reach))
    near, far = np.searchsorted(grid.y_mm, (centre[1] - reach, centre[1] + reach))
    x, y = grid.x_mm[left:right] - centre[0], grid.y_mm[near:far] - centre[1]
    covered[near:far, left:right] |= np.hypot(x[None], y[:, None]) < reach


def _relight(flat: Picture, gain: FloatArray) -> Picture:
    return np.clip(flat * gain, 0, 255).astype(np.uint8)


def _doubt(levelled: Sequence[Picture], covered: Mask, bare: Picture, pattern: Float32Array) -> Picture:
    """Where and how much the bare picture may be wrong, in grey levels, shape (rows, columns).

    Where the pictures differ, where checkers stood, and where a reflection veils the surface: glossy
    checkers will show more of it than the surface does.
    """
    veil = cv2.GaussianBlur((bare.astype(np.float32) - pattern).min(axis=2), (0, 0), 6)
    gap = np.zeros(covered.shape, np.float32)
    for flat in levelled[1:]:
        change = np.abs(flat.astype(np.float32) - levelled[0]).max(axis=2) - USUAL_CHANGE
        gap = np.maximum(gap, change)
    gap[covered] = 0
    seen = cv2.GaussianBlur((~covered).astype(np.float32), (0, 0), 6)
    spread = cv2.GaussianBlur(gap, (0, 0), 6) / np.maximum(seen, 0.05)
    levels = spread + INFERRED_DOUBT * covered + VEIL_DOUBT * np.maximum(veil - 8, 0)
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


def _fill(flat: Picture, covered: Mask, grid: BoardGrid, geometry: BoardGeometry) -> Picture:
    """The surface under the checkers: the pattern of points of the same colour, in the light of this place.

    Light and reflections vary slowly: what the pattern lacks round about is carried over to what is hidden.
    """
    size = 2 * round(SHADOW_MM / grid.step_mm) + 1
    shaded = cv2.dilate(covered.astype(np.uint8), np.ones((size, size), np.uint8)).astype(bool)
    pattern, known = _pattern(flat, shaded, grid, geometry)
    bare_pattern, bare_known = _pattern(flat, covered, grid, geometry)
    pattern = np.where(known[..., None], pattern, bare_pattern)
    known |= bare_known
    gap = np.where(known[..., None] & ~shaded[..., None], flat - pattern, 0).astype(np.float32)
    weight = (known & ~shaded).astype(np.float32)
    carried = np.zeros_like(gap)
    done = np.zeros(weight.shape, np.float32)
    for reach_mm in LIGHT_REACH_MM:
        sigma = reach_mm / grid.step_mm
        share = cv2.GaussianBlur(weight, (0, 0), sigma)
        blurred = cv2.GaussianBlur(gap, (0, 0), sigma) / np.maximum(share, 1e-6)[..., None]
        trust = np.clip(share / 0.15, 0, 1) * (1 - done)
        carried += trust[..., None] * blurred
        done += trust
    filled = flat.copy()
    use = covered & known
    filled[use] = np.clip(pattern + carried, 0, 255).astype(np.uint8)[use]
    left = covered & ~known
    if left.any():
        filled = np.asarray(cv2.inpaint(filled, left.astype(np.uint8), 5, cv2.INPAINT_TELEA), np.uint8)
    return filled


def _clear_bar(flat: Picture, grid: BoardGrid, geometry: BoardGeometry) -> Picture:
    """The bar without what lies on its middle (a centred cube): as it is a little further along.

    Of a bar narrower than a cube, or none, the points beside it are cleared too: as others of their colours are.
    """
    columns = np.flatnonzero(np.abs(grid.x_mm) < max(geometry.bar_mm / 2, CUBE_HALF_MM))
    middle = np.flatnonzero(np.abs(grid.y_mm) < BAR_MIDDLE_MM)
    usual = np.repeat(_beside_middle(flat, grid, columns)[None], len(middle), axis=0)
    for sign in (-1, 1):
        beyond = sign * grid.x_mm[columns] >= geometry.bar_mm / 2
        shifts = [round(sign * count * geometry.pitch_mm / grid.step_mm) for count in ALIKE_COLUMNS]
        alike = [flat[np.ix_(middle, columns[beyond] + shift)] for shift in shifts]
        usual[:, beyond] = np.median(alike, axis=0)
    patch = flat[np.ix_(middle, columns)]
    strange = (np.abs(patch - usual).max(axis=2) > BAR_STRANGE).astype(np.uint8)
    strange = cv2.dilate(strange, np.ones((5, 5), np.uint8)).astype(bool)
    cleared = flat.copy()
    cleared[np.ix_(middle, columns)] = np.where(strange[..., None], usual, patch).astype(np.uint8)
    return cleared


def _beside_middle(flat: Picture, grid: BoardGrid, columns: IndexArray) -> FloatArray:
    """The usual colours of some columns, (columns, 3), a little further along than the middle."""
    beside = np.flatnonzero(np.abs(np.abs(grid.y_mm) - 1.7 * BAR_MIDDLE_MM) < 0.7 * BAR_MIDDLE_MM)
    return np.asarray(np.median(flat[np.ix_(beside, columns)], axis=0), float)


def _pattern(
    flat: Picture, covered: Mask, grid: BoardGrid, geometry: BoardGeometry
) -> tuple[Float32Array, Mask]:
    """For each pixel of a point what other points of its colour show there (the duller ones), and where any does."""
    pattern = flat.astype(np.float32)
    known = np.zeros(covered.shape, bool)
    half = geometry.pitch_mm / 2 + grid.step_mm
    for point in (*range(2, 25, 2), *range(1, 25, 2)):
        x, first = geometry.column_x(point), 1 if point <= 12 else 13
        columns = np.flatnonzero(np.abs(grid.x_mm - x) <= half)
        rows = np.flatnonzero(np.sign(grid.y_mm) == geometry.side_of(point))
        alike = [other for other in range(first, first + 12) if other != point and (other - point) % 2 == 0]
        shifts = [round((geometry.column_x(other) - x) / grid.step_mm) for other in alike]
        blocks = [np.ix_(rows, np.clip(columns + shift, 0, grid.columns - 1)) for shift in shifts]
        stack = np.array([flat[block] for block in blocks])
        patch, some = _dull(stack, np.array([~covered[block] for block in blocks]))
        block = np.ix_(rows, columns)
        pattern[block] = np.where(some[..., None], patch, pattern[block])
        known[block] = some
    return pattern, known


def _dull(stack: Picture, shown: Mask) -> tuple[Float32Array, Mask]:
    """Of the patches (n, h, w, 3) that show a pixel the duller value, and where any (n, h, w) does."""
    values = _sort_few(np.where(shown[..., None], stack, np.uint8(255)))
    rank = np.asarray(DULL * np.maximum(shown.sum(axis=0) - 1, 0), np.intp)
    dull = np.take_along_axis(values, rank[None, :, :, None], axis=0)[0]
    return np.asarray(dull, np.float32), np.asarray(shown.any(axis=0), bool)


def _sort_few(stack: Picture) -> Picture:
    """The values of each pixel of a few patches in order, first axis."""
    # Neighbours are exchanged, whole patches at once: NumPy's sort takes the pixels one after the other.
    for step in range(len(stack)):
        first, second = stack[step % 2 : -1 : 2], stack[step % 2 + 1 :: 2]
        low = np.minimum(first, second)
        np.maximum(first, second, out=second)
        first[:] = low
    return stack


def _samples(
    lab: Picture, grid: BoardGrid, geometry: BoardGeometry, points: Sequence[int], sign: int
) -> Float32Array:
    """Colours, shape (n, 3), on the upper faces of one side's checkers that lie on the surface."""
    found = []
    reach = 0.72 * geometry.checker_diameter_mm / 2
    for point, count in enumerate(points, start=1):
        if np.sign(count) != sign:
            continue
        for place in range(max(0, abs(count) - 5), min(abs(count), 5)):
            x, y, _ = geometry.slot(point, place)
            rows, columns = (np.abs(at - middle) < reach for at, middle in ((grid.y_mm, y), (grid.x_mm, x)))
            inside = np.hypot(grid.x_mm[None, columns] - x, grid.y_mm[rows, None] - y) < reach
            found.append(lab[np.ix_(rows, columns)][inside].astype(np.float32))
    return np.concatenate(found)


def _shades(found: Sequence[Float32Array]) -> Shades:
    samples = np.concatenate(found)
    thinned = np.ascontiguousarray(samples[:: max(1, len(samples) // 12000)])
    cv2.setRNGSeed(7)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.5)
    count = min(SHADES, len(thinned))
    empty = np.empty((0, 1), np.int32)
    _, labels, _ = cv2.kmeans(thinned, count, empty, criteria, 2, cv2.KMEANS_PP_CENTERS)
    weights, means, spreads = [], [], []
    for k in range(count):
        members = thinned[labels.ravel() == k]
        if len(members) == 0:
            continue
        spread = np.maximum(members.std(axis=0), SHADE_FLOOR)
        mean = members.mean(axis=0)
        weights.append(round(len(members) / len(thinned), 5))
        means.append(triple(round(float(v), 2) for v in mean))
        spreads.append(triple(round(float(v), 2) for v in spread))
    return Shades(tuple(weights), tuple(means), tuple(spreads))


def densities(lab: Picture, shades: Shades) -> Float32Array:
    """Log density of each pixel of an 8-bit LAB picture if that kind of checker were seen there."""
    index = cv2.transform((lab // STEP).astype(np.float32), PLACE).astype(np.int32)
    return np.take(shades.table, index)


def bare_densities(lab: Picture, bare: Picture, doubt: Picture) -> Float32Array:
    """Log density of each pixel if the bare board were seen there.

    ``doubt``, shape (rows, columns), is how many grey levels the bare picture may be wrong by.
    """
    gap = cv2.absdiff(lab, bare).astype(np.float32)
    square = cv2.transform(gap * gap, SQUARED)
    normal = cv2.LUT(doubt, PEAKS) + cv2.LUT(doubt, SLOPES) * square
    return np.asarray(cv2.log(cv2.exp(normal - BARE_FLOOR) + 1) + BARE_FLOOR, np.float32)
