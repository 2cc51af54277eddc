"""Finds a board in a picture of a known position and says how it lies there.

Printed ArUco markers 0, 1, 2 and 3 of the dictionary DICT_4X4_50 may stand on the corners of the frame by light's
1-, 12-, 13- and 24-point, turned any way.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from calibration.fit import (
    Fit,
    Refined,
    Sighting,
    edge_field,
    find_rim,
    fit_board,
    refine_board,
    sightings_of,
)
from calibration.pattern import PatternMatch, find_discs, match_pattern, pattern_of, slots_of, views
from controller.arrays import FloatArray, Mask, Picture
from controller.vision import Home
from controller.vision.geometry import HOMES

Quadrant = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
QUADRANTS: Mapping[Quadrant, tuple[int, int]] = {
    "bottom-right": (1, 1),
    "bottom-left": (-1, 1),
    "top-right": (1, -1),
    "top-left": (-1, -1),
}
# Widths of the bar, in pitches of the points, that boards are looked for with: a usual one, and mere hinges.
BARS = (1.15, 0.75)

# A match this good needs no look at further slants, as a share of the checkers.
GOOD_MATCH = 0.7
# Places by which the near rows and the far ones may have been matched wrongly at a time, how many times at most, and
# how much better the rims and colours must then be.
SLIPS = tuple((near, far) for near in (0, -1, 1) for far in (0, -1, 1) if near or far)
MOST_SLIPPED, BETTER = 3, 1.01
LEAST_MATCH = 0.3
LEAST_ALIKE = 0.8

RINGS = np.array([0.35, 0.7, 1.0])
SPOKES = np.linspace(0, 2 * np.pi, 16, endpoint=False)


@dataclass(frozen=True)
class Sides:
    """How well the colours at the slots of a position fall into two kinds.

    ``alike`` is the share of the checkers whose colour is nearer to the others of their side, ``contrast``
    how much nearer it is on average (0: not at all, 1: the sides are even in colour);
    ``lightness`` is how much lighter (CIE L*, 0..100) light's checkers are than dark's.
    """

    alike: float
    contrast: float
    lightness: float


@dataclass(frozen=True)
class Found:
    """A board found in a picture."""

    refined: Refined
    slots: tuple[tuple[int, int], ...]
    sides: Sides

    @property
    def fit(self) -> Fit:
        """Camera and board measures."""
        return self.refined.fit


def find_board(
    picture: Picture,
    points: Sequence[int],
    light_home: Quadrant | None = None,
    markers: Mapping[int, FloatArray] | None = None,
    pause: Callable[[], None] = lambda: None,
) -> Found | None:
    """Find a board on which a known position lies; ``None`` if there is none to be seen.

    ``points`` are 24 signed counts in light's numbering. The start position looks the same from both
    seats but for the colours: there ``light_home``, the markers, or else the lightness of the checkers
    tells the sides apart. ``pause`` is called now and then; it may raise to have the search ended.
    """
    candidates: list[Found] = []
    for sightings, home in _candidates(picture, points, markers or {}, pause):
        pause()
        fit = fit_unslipped(picture, points, sightings, home)
        if fit is not None:
            candidates.append(_look(picture, points, fit))
    good = [c for c in candidates if c.sides.alike >= LEAST_ALIKE]
    return max(good, key=lambda c: c.sides.contrast + _as_told(c, light_home, markers or {}), default=None)


def board_at_corners(picture: Picture, points: Sequence[int], corners: FloatArray) -> Found:
    """The board whose playing surface has these corners.

    ``corners`` are pixels, shape (4, 2), by light's 1-, 12-, 13- and 24-point.
    Raises ``ValueError`` if no board seen from above can have such corners.
    """
    ahead, across = corners[3] - corners[0], corners[1] - corners[0]
    home: Home = "right" if ahead[0] * across[1] - ahead[1] * across[0] < 0 else "left"
    size = (picture.shape[1], picture.shape[0])
    fit = fit_board([], home, size, None, 4.0, corners)
    return _look(picture, points, fit, corners)


def _candidates(
    picture: Picture,
    points: Sequence[int],
    markers: Mapping[int, FloatArray],
    pause: Callable[[], None],
) -> list[tuple[list[Sighting], Home]]:
    """For each way home may lie, the checkers of the best match over all slants."""
    count = len(slots_of(points))
    alike = all(own == -other for own, other in zip(points, reversed(points), strict=True))
    patterns = [
        pattern_of(points, home, bar) for home in HOMES if home == "right" or not alike for bar in BARS
    ]
    best: dict[Home, tuple[float, list[Sighting]]] = {}
    for view in views(picture):
        pause()
        discs = find_discs(view)
        if len(discs):
            discs = discs[inside(markers, view.to_original(discs[:, :2]))]
        for pattern in patterns:
            match = match_pattern(discs, pattern)
            if match and match.score > best.get(pattern.home, (LEAST_MATCH * count, []))[0]:
                best[pattern.home] = (match.score, _sightings(match, view.to_original(discs[:, :2])))
        if max((score for score, _ in best.values()), default=0.0) > GOOD_MATCH * count:
            break
    found = [(sightings, home) for home, (_, sightings) in best.items()]
    # A position that is alike from both seats may as well be numbered from the other one.
    other_seat = [[replace(s, point=25 - s.point) for s in sightings] for sightings, _ in found if alike]
    return found + [(sightings, "left") for sightings in other_seat]


@dataclass(frozen=True)
class _Try:
    """A fit, its worth by rims and colours, and the checkers seen where it has them."""

    fit: Fit
    worth: float
    sightings: Sequence[Sighting]


def fit_unslipped(
    picture: Picture, points: Sequence[int], sightings: Sequence[Sighting], home: Home
) -> Fit | None:
    """The fit after trying whether all rows of an edge were matched some places too far in or out.

    ``sightings`` are checkers taken for those of slots of the position; ``None`` if no fit explains them.
    """
    field, lab = edge_field(picture), lab_of(picture)
    slots = slots_of(points)

    def fit_slipped(seen: Sequence[Sighting], near: int, far: int) -> _Try | None:
        moved = [replace(s, place=s.place + (near if s.point <= 12 else far)) for s in seen]
        try:
            size = (picture.shape[1], picture.shape[0])
            fit = _fit_without_strays([s for s in moved if (s.point, s.place) in slots], home, size)
        except ValueError:
            return None
        rims = [find_rim(field, fit.camera, fit.geometry, slot, 0.25) for slot in slots]
        worth = float(np.mean([r.edge for r in rims])) * (1 + sides_of(lab, fit, slots, points).contrast)
        return _Try(fit, worth, sightings_of(slots, rims))

    best = fit_slipped(sightings, 0, 0)
    for _ in range(MOST_SLIPPED):
        seen = sightings if best is None else best.sightings
        others = [fit_slipped(seen, near, far) for near, far in SLIPS]
        better = max((one for one in others if one), key=lambda one: one.worth, default=None)
        if better is None or (best is not None and better.worth <= BETTER * best.worth):
            break
        best = better
    return best.fit if best else None


def _fit_without_strays(sightings: Sequence[Sighting], home: Home, size: tuple[int, int]) -> Fit:
    """A fit to sightings of which a few may be no checkers at all."""
    fit = fit_board(sightings, home, size, None, 4.0)
    near = fit.residuals < max(6.0, 3 * float(np.median(fit.residuals)))
    if near.all():
        return fit
    kept = [s for s, ok in zip(sightings, near, strict=True) if ok]
    return fit_board(kept, home, size, fit.camera, 4.0)


def _sightings(match: PatternMatch, centres: FloatArray) -> list[Sighting]:
    return [
        Sighting(point, place, float(centres[k, 0]), float(centres[k, 1]))
        for (point, place), k in zip(match.pattern.slots, match.discs, strict=True)
        if k >= 0
    ]


def _look(picture: Picture, points: Sequence[int], fit: Fit, corners: FloatArray | None = None) -> Found:
    """Refine a fit and look at the checkers' colours."""
    slots = slots_of(points)
    refined = refine_board(picture, slots, fit, corners)
    return Found(refined, slots, sides_of(lab_of(picture), refined.fit, slots, points))


def lab_of(picture: Picture) -> FloatArray:
    """The picture in CIE L*a*b*, shape (h, w, 3)."""
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), float)


def sides_of(lab: FloatArray, fit: Fit, slots: Sequence[tuple[int, int]], points: Sequence[int]) -> Sides:
    """How the colours at the slots of a position fall into the two sides."""
    radius = fit.geometry.checker_diameter_mm / 2
    colours = np.array([_colour(lab, fit, slot, 0.6 * radius) for slot in slots])
    light = np.array([points[point - 1] > 0 for point, _ in slots])
    if light.all() or not light.any():
        return Sides(1.0, 1.0, 0.0)
    gap_light = np.linalg.norm(colours - np.median(colours[light], axis=0), axis=1)
    gap_dark = np.linalg.norm(colours - np.median(colours[~light], axis=0), axis=1)
    own, other = np.where(light, gap_light, gap_dark), np.where(light, gap_dark, gap_light)
    alike = float(np.mean(own < other))
    contrast = float(np.mean((other - own) / (other + own + 1e-6)))
    lightness = float(np.median(colours[light, 0]) - np.median(colours[~light, 0]))
    return Sides(alike, contrast, lightness)


def _colour(lab: FloatArray, fit: Fit, slot: tuple[int, int], radius_mm: float) -> FloatArray:
    """Median colour (L*, a*, b*) of the inner part of a checker's upper face."""
    centre = fit.geometry.slot(*slot)
    rings = np.array([[r * np.cos(a), r * np.sin(a), 0] for r in radius_mm * RINGS for a in SPOKES])
    pixels = np.nan_to_num(fit.camera.project(centre + rings))
    x = np.clip(np.round(pixels[:, 0]).astype(int), 0, lab.shape[1] - 1)
    y = np.clip(np.round(pixels[:, 1]).astype(int), 0, lab.shape[0] - 1)
    return np.asarray(np.median(lab[y, x], axis=0), float)


def _as_told(found: Found, light_home: Quadrant | None, markers: Mapping[int, FloatArray]) -> float:
    """How well a board lies as the user or else the markers say, -1..1; with neither, light is lighter."""
    camera, geometry = found.fit.camera, found.fit.geometry
    corners = camera.project(geometry.corners())
    if light_home is not None:
        x = geometry.column_x(3) / 2 + geometry.column_x(4) / 2
        home = camera.project(np.array([x, -geometry.surface_height_mm / 4, 0.0])) - corners.mean(0)
        return float(home @ np.array(QUADRANTS[light_home]) / (np.linalg.norm(home) * np.sqrt(2)))
    if len(markers) >= 2:
        return 1.0 if agrees(markers, corners) else -1.0
    return 0.5 if found.sides.lightness > 0 else -0.5


def find_markers(picture: Picture) -> dict[int, FloatArray]:
    """Centres in pixels, shape (2,), of the corner markers seen, by their number 0..3."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
    if ids is None:
        return {}
    found: dict[int, list[FloatArray]] = {}
    for corner, number in zip(corners, np.asarray(ids).ravel(), strict=True):
        found.setdefault(int(number), []).append(np.asarray(corner, float).reshape(4, 2).mean(0))
    # A number seen twice cannot be trusted: one of the two is a misreading.
    return {number: spots[0] for number, spots in found.items() if number < 4 and len(spots) == 1}


def inside(markers: Mapping[int, FloatArray], spots: FloatArray) -> Mask:
    """Which pixels, shape (n, 2), lie between the markers; all of them unless all four are seen."""
    if len(markers) < 4:
        return np.ones(len(spots), bool)
    hull = np.asarray(cv2.convexHull(np.array([markers[k] for k in range(4)], np.float32)), np.float32)
    return np.array([cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in spots], bool)


def agrees(markers: Mapping[int, FloatArray], corners: FloatArray) -> bool:
    """Whether corners of the surface, shape (4, 2) in the markers' order, lie each nearest to its marker."""
    return all(
        int(np.argmin(np.linalg.norm(corners - spot, axis=1))) == number for number, spot in markers.items()
    )
