"""Finds round things in a picture and matches them with the checkers of a known position.

A checker seen from the side is an ellipse. Rather than look for ellipses, the picture is turned as if the
camera looked straight down on the table, for a few guesses of the slant; there checkers are circles.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fit import usual_geometry
from controller.arrays import FloatArray, IntArray, Picture
from controller.vision import Home
from controller.vision.fitted.fitted import fitted
from controller.vision.geometry.geometry import FLAT_ROW, NOMINAL_PITCH_MM

WORKING_WIDTH = 960
USUAL_FOCAL_IN_WIDTHS = 0.85
SLANTS_DEG = (30.0, 45.0)
# Most slanted cameras stand in front of the board: the far side is up in the picture.
DIRECTIONS_DEG = (270.0, 225.0, 315.0, 90.0, 180.0, 0.0, 135.0, 45.0)
SMALLEST_RADIUS = 7
LARGEST_RADIUS = 42
# Noise and grain make circles everywhere, and the search for them slow; rims are still seen when it is smoothed away.
SOFTENING = 1.3
# A picture with more circles than that is full of texture: then only well supported ones are taken.
MOST_DISCS = 300
SUPPORTS = (0.55, 0.7, 0.85)
# Share of edge pixels; boards on patterned cloths stay below a tenth, noise is far above.
MOST_EDGES = 0.25
# The same of the edges that circles are searched among, in a picture as it is.
(NOISE_EDGES,) = fitted("pattern", "noise_edges")
# Edges steeper than this are followed by those that are half as steep.
STEEP = 120

BEST_KEPT = 16
LEAST_SUPPORT = 0.25
NEAR = 0.55
CLOSE = 0.33


@dataclass(frozen=True)
class TopView:
    """The picture as a camera would see it that looks straight down, if the slant was guessed right.

    ``to_view`` is the 3x3 homography from pixels of the original picture to pixels of ``picture``.
    """

    picture: Picture
    to_view: FloatArray

    def to_original(self, points: FloatArray) -> FloatArray:
        """Pixels of the original picture, shape (n, 2), for pixels of the view."""
        back = cv2.perspectiveTransform(np.asarray(points, float)[None], np.linalg.inv(self.to_view))
        return np.asarray(back[0], float)


def views(picture: Picture) -> Iterator[TopView]:
    """The picture as it is, then turned for each guess of the slant; most likely guesses first."""
    yield _view(picture, 0.0, 0.0)
    for slant in SLANTS_DEG:
        for direction in DIRECTIONS_DEG:
            yield _view(picture, slant, direction)


def is_noise(view: TopView) -> bool:
    """Whether there are edges everywhere, more than in a picture of any board: circles would be searched for long."""
    grey = _soften(view)
    across, down = (cv2.Scharr(grey, cv2.CV_16S, *way) for way in ((1, 0), (0, 1)))
    return bool(np.count_nonzero(cv2.Canny(across, down, STEEP / 2, STEEP)) > NOISE_EDGES * grey.size)


def _soften(view: TopView) -> Picture:
    """A view in grey, without its finest noise."""
    grey = cv2.cvtColor(view.picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFTENING), np.uint8)


def find_discs(view: TopView) -> FloatArray:
    """Circles in a view: rows of centre x, centre y, radius in pixels of the view, shape (n, 3)."""
    grey = _soften(view)
    if np.count_nonzero(cv2.Canny(grey, 60, 120)) > MOST_EDGES * grey.size:
        return np.zeros((0, 3))
    for support in SUPPORTS:
        rows = _circles(grey, support)
        if len(rows) <= MOST_DISCS:
            break
    return rows[:MOST_DISCS]


def _circles(grey: Picture, support: float) -> FloatArray:
    """Circles of which at least a share ``support`` is seen as an edge: rows of x, y, radius, shape (n, 3)."""
    found = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT_ALT,
        dp=1.5,
        minDist=SMALLEST_RADIUS,
        param1=STEEP,
        param2=support,
        minRadius=SMALLEST_RADIUS,
        maxRadius=LARGEST_RADIUS,
    )
    if found is None:
        return np.zeros((0, 3))
    rows = np.asarray(found, float).reshape(-1, np.asarray(found).shape[-1])
    return np.asarray(rows[:, :3], float)


def _view(picture: Picture, slant_deg: float, direction_deg: float) -> TopView:
    height, width = picture.shape[:2]
    focal = USUAL_FOCAL_IN_WIDTHS * width
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    lens = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    direction = np.radians(direction_deg)
    axis = np.array([-np.sin(direction), np.cos(direction), 0]) * np.radians(slant_deg)
    turn = lens @ np.asarray(cv2.Rodrigues(axis)[0], float) @ np.linalg.inv(lens)
    scale = WORKING_WIDTH / max(width, 1.2 * height) / _scale_at(turn, middle)
    grow = np.diag([scale, scale, 1.0]) @ turn
    edge = np.array([[x, y] for x in (0, width / 2, width - 1) for y in (0, height / 2, height - 1)], float)
    spread = np.asarray(cv2.perspectiveTransform(edge[None], grow), float)[0]
    centre = np.asarray(cv2.perspectiveTransform(middle[None, None], grow), float)[0, 0]
    reach = np.array([width, height]) * WORKING_WIDTH / max(width, 1.2 * height)
    low = np.maximum(spread.min(0), centre - reach)
    high = np.minimum(spread.max(0), centre + reach)
    to_view = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ grow
    size = (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)
    source = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.7 else picture
    turned = cv2.warpPerspective(
        source, to_view, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return TopView(np.asarray(turned, np.uint8), to_view)


def _scale_at(homography: FloatArray, point: FloatArray) -> float:
    """How much lengths grow at a point under a homography."""
    spots = point + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    moved = np.asarray(cv2.perspectiveTransform(spots[None], homography), float)[0]
    return float(np.sqrt(abs(np.linalg.det(np.stack([moved[1] - moved[0], moved[2] - moved[0]])))))


@dataclass(frozen=True)
class Pattern:
    """Where the checkers of a position lie on a usual board, in pitches of the points.

    ``slots`` holds (point, place) pairs; ``places`` their coordinates, shape (n, 2), x to the right and
    y *down* (as in pictures) seen from light's seat.
    """

    home: Home
    slots: tuple[tuple[int, int], ...]
    places: FloatArray


@dataclass(frozen=True)
class PatternMatch:
    """Discs that fit a pattern: for each slot the row of its disc, or -1; ``score`` counts what fits."""

    pattern: Pattern
    discs: IntArray
    score: float


def slots_of(points: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The (point, place) pairs that hold a checker in the lowest layer of a position."""
    return tuple(
        (index + 1, place) for index, count in enumerate(points) for place in range(min(abs(count), FLAT_ROW))
    )


def pattern_of(points: Sequence[int], home: Home, bar: float) -> Pattern:
    """The pattern of a position: 24 signed counts in light's numbering. Piles count as their bottom row.

    ``bar`` is the width of the bar in pitches of the points.
    """
    geometry = usual_geometry(home, bar)
    slots = slots_of(points)
    places = np.array([geometry.slot(*slot)[:2] * [1, -1] for slot in slots]) / NOMINAL_PITCH_MM
    return Pattern(home, slots, places)


def match_pattern(discs: FloatArray, pattern: Pattern) -> PatternMatch | None:
    """The best match of discs (rows x, y, r) with a pattern seen from straight above, turned any way.

    Guesses come from rows of touching discs; each good guess is then widened disc by disc, so that some
    perspective and a board of other proportions do not matter. ``None`` if nothing fits.
    """
    if len(discs) < 8:
        return None
    guesses = _similarities(discs, pattern)
    if not len(guesses):
        return None
    scores = _support(discs, pattern, guesses)
    promising = _promising(guesses, scores, LEAST_SUPPORT * len(pattern.slots))
    matches = [match for guess in promising if (match := _widen(discs, pattern, guess))]
    return max(matches, key=lambda match: match.score, default=None)


def _rows_of_three(discs: FloatArray) -> IntArray:
    """Index triples of discs that lie in a straight row and touch, shape (n, 3)."""
    centres, radii = discs[:, :2], discs[:, 2]
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    mean = (radii[:, None] + radii[None]) / 2
    alike = np.abs(np.log(radii[:, None] / radii[None])) < 0.35
    touching = (gaps > 1.5 * mean) & (gaps < 2.8 * mean) & alike
    triples = []
    for a, b in np.argwhere(touching):
        ahead = 2 * centres[b] - centres[a]
        near = np.flatnonzero(touching[b])
        off = np.linalg.norm(centres[near] - ahead, axis=1)
        triples += [(a, b, c) for c in near[off < 0.6 * mean[a, b]] if c != a]
    return np.array(triples, int).reshape(-1, 3)


def _similarities(discs: FloatArray, pattern: Pattern) -> FloatArray:
    """Guesses (scale*cos, scale*sin, shift x, shift y) from each row of three, shape (n, 4)."""
    triples = _rows_of_three(discs)
    index = {slot: k for k, slot in enumerate(pattern.slots)}
    rows = [(index[p, k], index[p, k + 2]) for p, k in pattern.slots if (p, k + 2) in index]
    if not len(triples) or not rows:
        return np.zeros((0, 4))
    here = pattern.places[:, 0] + 1j * pattern.places[:, 1]
    there = discs[:, 0] + 1j * discs[:, 1]
    first, last = np.array(rows).T
    turn = (there[triples[:, 2]] - there[triples[:, 0]])[:, None] / (here[last] - here[first])[None]
    shift = there[triples[:, 1]][:, None] - turn * ((here[first] + here[last]) / 2)[None]
    return np.stack([turn.real, turn.imag, shift.real, shift.imag], axis=-1).reshape(-1, 4)


def _support(discs: FloatArray, pattern: Pattern, guesses: FloatArray) -> FloatArray:
    """How many slots have a disc nearby under each guess, near ones counting more; shape (n,)."""
    low = discs[:, :2].min(0) - 20
    size = np.ceil((discs[:, :2].max(0) + 20 - low) / 2).astype(int) + 1
    empty = np.full((size[1], size[0]), 255, np.uint8)
    cells = np.round((discs[:, :2] - low) / 2).astype(int)
    empty[cells[:, 1], cells[:, 0]] = 0
    far = np.asarray(cv2.distanceTransform(empty, cv2.DIST_L2, 5), float) * 2
    turn = guesses[:, 0] + 1j * guesses[:, 1]
    shift = guesses[:, 2] + 1j * guesses[:, 3]
    here = pattern.places[:, 0] + 1j * pattern.places[:, 1]
    spots = turn[:, None] * here[None] + shift[:, None]
    x = np.round((spots.real - low[0]) / 2).astype(int)
    y = np.round((spots.imag - low[1]) / 2).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < size[0]) & (y < size[1])
    gap = np.where(inside, far[np.clip(y, 0, size[1] - 1), np.clip(x, 0, size[0] - 1)], 1e9)
    gap = gap / np.abs(turn)[:, None]
    return np.asarray(np.clip(1 - gap / NEAR, 0, 1).sum(1), float)


def _promising(guesses: FloatArray, scores: FloatArray, least: float) -> list[FloatArray]:
    """The best guesses that differ from one another by more than a place or so."""
    kept: list[FloatArray] = []
    for k in np.argsort(-scores):
        if scores[k] < least or len(kept) == BEST_KEPT:
            break
        scale = np.hypot(guesses[k, 0], guesses[k, 1])
        weights = np.array([10.0, 10.0, 2.0, 2.0]) / scale
        if all(np.abs((guesses[k] - other) * weights).max() > 1.0 for other in kept):
            kept.append(guesses[k])
    return kept


def _widen(discs: FloatArray, pattern: Pattern, guess: FloatArray) -> PatternMatch | None:
    """Take in more slots step by step with ever freer maps: similarity, affine, then homography."""
    a, b, x, y = guess
    mapping = np.array([[a, -b, x], [b, a, y], [0, 0, 1]])
    scale = float(np.hypot(a, b))
    for step, tolerance in enumerate((NEAR, NEAR, 0.45, 0.4, CLOSE, CLOSE)):
        spots = np.asarray(cv2.perspectiveTransform(pattern.places[None], mapping), float)[0]
        chosen = _assign(discs, spots, scale, tolerance)
        taken = chosen >= 0
        if taken.sum() < 7:
            return None
        source, target = pattern.places[taken], discs[chosen[taken], :2]
        if step < 2 or taken.sum() < 10:
            affine, _ = cv2.estimateAffine2D(source, target, method=cv2.LMEDS)
            if affine is None:
                return None
            mapping = np.vstack([affine, [0, 0, 1]])
        else:
            homography, _ = cv2.findHomography(source, target, cv2.RANSAC, 0.25 * scale)
            if homography is None:
                return None
            mapping = np.asarray(homography, float)
        scale = float(np.sqrt(abs(np.linalg.det(mapping[:2, :2]))))
        if np.linalg.det(mapping[:2, :2]) <= 0:
            return None
    radii = discs[chosen[taken], 2]
    even = float(np.median(np.abs(np.log(radii / np.median(radii)))))
    spots = np.asarray(cv2.perspectiveTransform(pattern.places[None], mapping), float)[0]
    gaps = np.linalg.norm(discs[chosen[taken], :2] - spots[taken], axis=1) / scale
    score = float(np.clip(1 - gaps / NEAR, 0, 1).sum() - 10 * even)
    return PatternMatch(pattern, chosen, score)


def _assign(discs: FloatArray, spots: FloatArray, scale: float, tolerance: float) -> IntArray:
    """For each spot the nearest disc of fitting size, each disc once; -1 where there is none."""
    gaps = np.linalg.norm(spots[:, None] - discs[None, :, :2], axis=-1) / scale
    size = np.abs(np.log(discs[:, 2] / (0.46 * scale)))
    cost = gaps + 0.5 * np.clip(size - 0.15, 0, None)[None]
    cost[gaps > tolerance] = np.inf
    cost[:, size > 0.6] = np.inf
    chosen = np.full(len(spots), -1)
    taken = np.zeros(len(discs), bool)
    spot_of, disc_of = np.nonzero(np.isfinite(cost))
    order = np.argsort(cost[spot_of, disc_of])
    for spot, disc in zip(spot_of[order], disc_of[order], strict=True):
        if chosen[spot] < 0 and not taken[disc]:
            chosen[spot], taken[disc] = disc, True
    return chosen
