"""Finds a board in a picture of a known position and says how it lies there.

Printed ArUco markers 0, 1, 2 and 3 of the dictionary DICT_4X4_50 may stand on the corners of the frame by light's
1-, 12-, 13- and 24-point, turned any way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import cv2
import numpy as np

from calibration.agreement import Agreement, agreement_of, regrow
from calibration.fit import (
    BARS,
    EdgedPicture,
    Fit,
    Refined,
    Sighting,
    find_rim,
    fit_board,
    refine_board,
    sightings_of,
)
from calibration.pattern import PatternMatch, find_discs, is_noise, match_pattern, pattern_of, slots_of, views
from controller.arrays import FloatArray, Mask, Picture
from controller.vision import Home
from controller.vision.geometry.board_grid import moved
from controller.vision.geometry.geometry import HOMES
from controller.vision.reduction import move_pixels

Quadrant = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
QUADRANTS: Mapping[Quadrant, tuple[int, int]] = {
    "bottom-right": (1, 1),
    "bottom-left": (-1, 1),
    "top-right": (1, -1),
    "top-left": (-1, -1),
}
# A match this good is tried before further slants are looked at, as a share of the checkers; of others the best. So
# many are tried in all.
GOOD_MATCH = 0.5
MOST_TRIED = 6
# Places by which the near rows and the far ones may have been matched wrongly at a time, how many times at most, and
# how much better the rims and colours must then be.
SLIPS = tuple((near, far) for near in (0, -1, 1) for far in (0, -1, 1) if near or far)
MOST_SLIPPED, BETTER = 3, 1.01
# Rows that slipped by a place have about three of four checkers where others are: with more than that, none slipped.
PLAINLY = 0.95
LEAST_MATCH = 0.3
LEAST_ALIKE = 0.8

# So far (radii) from where corners put a checker its rim is looked for.
CORNER_REACH = 0.5
# Of a checker's face so much, from its middle, tells its colour.
INNER_PART = 0.6
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
    """A board found in a picture; ``corners`` are those it was pinned to, pixels (4, 2), if it was."""

    refined: Refined
    slots: tuple[tuple[int, int], ...]
    sides: Sides
    agreement: Agreement
    corners: FloatArray | None = None

    @property
    def fit(self) -> Fit:
        """Camera and board measures."""
        return self.refined.fit

    def resized(self, width: int, height: int) -> "Found":
        """The same in a picture made larger or smaller to this many pixels."""
        camera = self.fit.camera
        before, size = (camera.width, camera.height), (width, height)
        fit = replace(
            self.fit, camera=camera.resized(*size), residuals=self.fit.residuals * width / camera.width
        )
        centres = move_pixels(np.array([(rim.x, rim.y) for rim in self.refined.rims]), before, size).tolist()
        rims = [replace(rim, x=x, y=y) for rim, (x, y) in zip(self.refined.rims, centres, strict=True)]
        return replace(self, refined=Refined(fit, tuple(rims)))


def find_board(
    edged: EdgedPicture,
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
    marks = markers or {}
    found: list[Found] = []
    for sightings, home, bar in islice(_candidates(edged.picture, points, marks, pause), MOST_TRIED):
        pause()
        fit = fit_unslipped(edged, points, sightings, home, bar)
        if fit is None:
            continue
        one = _refine_and_measure(edged, points, fit)
        if one.agreement.trusted and not _is_plain(one.agreement):
            # Looking closer may have made a good fit of rows that slipped.
            near = one.agreement.sightings
            fit = fit_unslipped(edged, points, near, home, fit.geometry.bar_mm / fit.geometry.pitch_mm)
            one = one if fit is None else _refine_and_measure(edged, points, fit)
        # Such a position may as well be numbered from the other seat.
        found += [one, _from_other_seat(one, edged.picture, points)] if is_alike(points) else [one]
        if one.agreement.trusted and one.sides.alike >= LEAST_ALIKE:
            break
    plain = [one for one in found if one.agreement.trusted or one.sides.alike >= LEAST_ALIKE]
    return max(plain, key=lambda one: _worth(one, light_home, marks), default=None)


def _worth(
    found: Found, light_home: Quadrant | None, markers: Mapping[int, FloatArray]
) -> tuple[bool, bool, float]:
    """By what the best of several boards that were found is chosen."""
    told = found.sides.contrast + _as_told(found, light_home, markers)
    return found.sides.alike >= LEAST_ALIKE, found.agreement.trusted, told


def board_at_corners(edged: EdgedPicture, points: Sequence[int], corners: FloatArray) -> Found:
    """The board whose playing surface has these corners, with the width of the bar that the checkers show.

    ``corners`` are pixels, shape (4, 2), by light's 1-, 12-, 13- and 24-point.
    Raises ``ValueError`` if no board seen from above can have such corners.
    """
    ahead, across = corners[3] - corners[0], corners[1] - corners[0]
    home: Home = "right" if ahead[0] * across[1] - ahead[1] * across[0] < 0 else "left"
    slots = slots_of(points)
    tries = [
        _try_fit(
            edged,
            slots,
            points,
            fit_board([], home, edged.size, guess=None, slack_px=4.0, corners=corners, bar=bar),
            CORNER_REACH,
        )
        for bar in BARS
    ]
    best = max(tries, key=lambda one: one.worth)
    return _refine_and_measure(edged, points, best.fit, corners)


def is_alike(points: Sequence[int]) -> bool:
    """Whether a position looks the same from both seats but for the colours."""
    return all(own == -other for own, other in zip(points, reversed(points), strict=True))


def _from_other_seat(found: Found, picture: Picture, points: Sequence[int]) -> Found:
    """The same board, a position on it that is alike from both seats, numbered from the other one."""
    geometry, slots = found.fit.geometry, found.slots
    home: Home = "left" if geometry.home == "right" else "right"
    camera = moved(found.fit.camera, 0.0, 0.0, np.pi)
    fit = replace(found.fit, camera=camera, geometry=replace(geometry, home=home))
    rims = dict(zip(slots, found.refined.rims, strict=True))
    turned = tuple(rims[25 - point, place] for point, place in slots)
    sides = sides_of(picture, fit, slots, points)
    return Found(Refined(fit, turned), slots, sides, found.agreement.from_other_seat())


def _candidates(
    picture: Picture,
    points: Sequence[int],
    markers: Mapping[int, FloatArray],
    pause: Callable[[], None],
) -> Iterator[tuple[list[Sighting], Home, float]]:
    """Checkers that may be those of the position, the most likely first, with how home and bar would then lie.

    The picture is looked at from ever further slants as long as more are asked for. Of a position that is alike from
    both seats only one way is looked for.
    """
    count = len(slots_of(points))
    homes = HOMES[:1] if is_alike(points) else HOMES
    patterns = [(bar, pattern_of(points, home, bar)) for home in homes for bar in BARS]
    kept: list[tuple[float, list[Sighting], Home, float]] = []
    for number, view in enumerate(views(picture)):
        pause()
        if number == 0 and is_noise(view):
            return
        discs = find_discs(view)
        if len(discs):
            discs = discs[inside(markers, view.to_original(discs[:, :2]))]
        best: dict[Home, tuple[float, list[Sighting], Home, float]] = {}
        for bar, pattern in patterns:
            match = match_pattern(discs, pattern)
            if match and match.score > max(LEAST_MATCH * count, best.get(pattern.home, (0.0,))[0]):
                seen = _sightings(match, view.to_original(discs[:, :2]))
                best[pattern.home] = match.score, seen, pattern.home, bar
        for one in sorted(best.values(), key=lambda one: -one[0]):
            if one[0] > GOOD_MATCH * count:
                yield one[1:]
            else:
                kept.append(one)
    for one in sorted(kept, key=lambda one: -one[0]):
        yield one[1:]


@dataclass(frozen=True)
class _Try:
    """A fit, its worth by rims and colours, and the checkers seen where it has them."""

    fit: Fit
    worth: float
    sightings: Sequence[Sighting]


def fit_unslipped(
    edged: EdgedPicture,
    points: Sequence[int],
    sightings: Sequence[Sighting],
    home: Home,
    bar: float = BARS[0],
) -> Fit | None:
    """The fit after trying whether all rows of an edge were matched some places too far in or out.

    ``sightings`` are checkers taken for those of slots of the position, ``bar`` is about how wide the bar is, in
    pitches of the points; ``None`` if no fit explains them.
    """
    slots = slots_of(points)

    def fit_slipped(seen: Sequence[Sighting], near: int, far: int) -> _Try | None:
        slipped = [replace(s, place=s.place + (near if s.point <= 12 else far)) for s in seen]
        try:
            known = [s for s in slipped if (s.point, s.place) in slots]
            fit = _fit_without_strays(known, home, edged.size, bar)
        except ValueError:
            return None
        return _try_fit(edged, slots, points, fit, 0.25)

    best = fit_slipped(sightings, 0, 0)
    if best and _is_plain(agreement_of(edged, best.fit, points)):
        return best.fit
    for _ in range(MOST_SLIPPED):
        seen = sightings if best is None else best.sightings
        others = [fit_slipped(seen, near, far) for near, far in SLIPS]
        better = max((one for one in others if one), key=lambda one: one.worth, default=None)
        if better is None or (best is not None and better.worth <= BETTER * best.worth):
            break
        best = better
    return best.fit if best else None


def _is_plain(agreement: Agreement) -> bool:
    """Whether nearly all checkers are where a fit has them."""
    return agreement.near >= PLAINLY * agreement.count


def _try_fit(
    edged: EdgedPicture, slots: Sequence[tuple[int, int]], points: Sequence[int], fit: Fit, reach: float
) -> _Try:
    """What a fit is worth: how clear rims are within ``reach`` radii of its slots, and how unlike the sides."""
    rims = [find_rim(edged.field, fit.camera, fit.geometry, slot, reach) for slot in slots]
    contrast = sides_of(edged.picture, fit, slots, points).contrast
    worth = float(np.mean([rim.edge for rim in rims])) * (1 + contrast)
    return _Try(fit, worth, sightings_of(slots, rims))


def _fit_without_strays(sightings: Sequence[Sighting], home: Home, size: tuple[int, int], bar: float) -> Fit:
    """A fit to sightings of which a few may be no checkers at all."""
    fit = fit_board(sightings, home, size, guess=None, slack_px=4.0, corners=None, bar=bar)
    near = fit.residuals < max(6.0, 3 * float(np.median(fit.residuals)))
    if near.all():
        return fit
    kept = [s for s, ok in zip(sightings, near, strict=True) if ok]
    return fit_board(kept, home, size, guess=fit.camera, slack_px=4.0, corners=None, bar=bar)


def _sightings(match: PatternMatch, centres: FloatArray) -> list[Sighting]:
    return [
        Sighting(point, place, float(centres[k, 0]), float(centres[k, 1]))
        for (point, place), k in zip(match.pattern.slots, match.discs, strict=True)
        if k >= 0
    ]


def _refine_and_measure(
    edged: EdgedPicture, points: Sequence[int], fit: Fit, corners: FloatArray | None = None
) -> Found:
    """Refine a fit and look at the checkers' colours."""
    slots = slots_of(points)
    refined = refine_board(edged, slots, fit, corners)
    agreement = agreement_of(edged, refined.fit, points)
    if not agreement.trusted:
        refined = refine_board(edged, slots, regrow(edged, refined.fit, points), corners)
        agreement = agreement_of(edged, refined.fit, points)
    return Found(refined, slots, sides_of(edged.picture, refined.fit, slots, points), agreement, corners)


def sides_of(picture: Picture, fit: Fit, slots: Sequence[tuple[int, int]], points: Sequence[int]) -> Sides:
    """How the colours at the slots of a position fall into the two sides."""
    colours = _colours(picture, fit, slots)
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


def _colours(picture: Picture, fit: Fit, slots: Sequence[tuple[int, int]]) -> FloatArray:
    """Median colours (CIE L*a*b*) of the inner parts of the checkers' upper faces, shape (n, 3)."""
    radius = INNER_PART * fit.geometry.checker_diameter_mm / 2
    rings = np.array([[r * np.cos(a), r * np.sin(a), 0] for r in radius * RINGS for a in SPOKES])
    centres = np.array([fit.geometry.slot(*slot) for slot in slots])
    pixels = np.nan_to_num(fit.camera.project(centres[:, None] + rings))
    x = np.clip(np.round(pixels[..., 0]).astype(int), 0, picture.shape[1] - 1)
    y = np.clip(np.round(pixels[..., 1]).astype(int), 0, picture.shape[0] - 1)
    seen = cv2.cvtColor(picture[y, x].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    return np.asarray(np.median(seen, axis=1), float)


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
