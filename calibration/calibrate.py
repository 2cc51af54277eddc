"""From pictures of a known position to a board that can be read, or to a reason why not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

import cv2
import numpy as np

from calibration.finder import (
    LEAST_ALIKE,
    Found,
    Quadrant,
    board_at_corners,
    find_board,
    find_markers,
    lab_of,
    sides_of,
)
from calibration.fit import Fit, edge_field, find_rim, fit_board, sightings_of
from calibration.pattern import slots_of
from controller.arrays import Float32Array, FloatArray, Picture
from controller.errors import UserError
from controller.vision import Board, BoardGeometry, CameraModel, Home, learn_appearance, read_board
from controller.vision.counts import FIFTEEN, CheckerSet

MarkerUse = Literal["auto", "none"]

LEAST_RIMS = 0.4
# A camera that was moved between two pictures shifts every rim: more than this many radii away is another place.
SAME_PLACE_REACH = 0.35
FORGIVEN_POINTS = 2
# A lamp's reflection in one of two pictures spoils some points of that picture only.
FORGIVEN_IN_GLARE = 6
# So many points on one side of the picture are no accident.
LEAST_ON_A_SIDE = 3

# Places along each side of the board at which it is looked at.
SAMPLES = 60
# A side with less than this share of the other's grey level is in shadow.
SHADED = 0.62

# Places along a rail that are looked at are so far apart, and so are the lines.
RAIL_STEP_MM = 2.0
# Lines along the rail are looked at from just outside of the surface to this far out.
LINES_MM = (3.0, 42.0)
# How far past the surface a rail is followed.
REACH_MM = 150.0
# Without a tray boards end sooner, with one later than this past the surface.
TRAY_FROM_MM, TRAY_TO_MM = 54.0, 140.0
# A rail is left where its colour differs from what it was shortly before by this (Lab) and this many deviations.
LEAST_CHANGE = 9.0
DEVIATIONS = 4.0
BEFORE_MM = 60.0
# The change must hold on for this long, or it is a knot, a screw or a hinge.
HOLD_MM = 8.0
# Lines must agree on where a rail ends, within this, and so many of them must.
AGREE_MM = 7.0
LEAST_LINES = 5


class CalibrationStep(StrEnum):
    """How far a calibration has come, in the order of the work."""

    FINDING = "finding"
    """The board is looked for."""
    FITTING = "fitting"
    """Camera and board are measured."""
    LEARNING = "learning"
    """The colours of checkers and points are learned."""
    CHECKING = "checking"
    """The pictures are read again and compared with what is known to lie there."""


Follow = Callable[[CalibrationStep], None]
"""Is told of the step that begins, and of the same step again while it goes on; it may raise to have it ended."""


class CalibrationFault(StrEnum):
    """Why no board was learned; with the arguments that its words need."""

    SIZES_DIFFER = "sizes_differ"
    BAD_CORNERS = "bad_corners"
    NO_BOARD = "no_board"
    FEW_CHECKERS = "few_checkers"
    """``seen`` of ``count`` checkers are where the position wants them."""
    MOVED = "moved"
    """The board or the camera was moved between two pictures."""
    MISREAD = "misread"
    """``points`` are read as something else than what is known to lie there."""
    SHADED = "shaded"
    """The same, and one side of the board is in shadow."""


class CalibrationError(UserError):
    """Pictures that no trustworthy board file can be made from.

    ``view`` is the picture that was at fault; ``found`` the board as far as it was made out there; ``fault`` and
    ``arguments`` say the same as the sentence for those who put it into words of their own.
    """

    def __init__(
        self,
        sentence: str,
        view: "CalibrationPicture",
        fault: CalibrationFault,
        found: Found | None = None,
        **arguments: object,
    ) -> None:
        super().__init__(sentence)
        self.view = view
        self.fault = fault
        self.found = found
        self.arguments: Mapping[str, object] = arguments


@dataclass(frozen=True)
class CalibrationPicture:
    """A picture (h, w, 3) BGR uint8 with the name messages call it and what is known to lie on the board.

    ``points`` are 24 signed counts in light's numbering.
    """

    name: str
    picture: Picture
    points: tuple[int, ...]


@dataclass(frozen=True)
class Calibration:
    """A board that read its own pictures rightly.

    ``found`` is how the board lies in ``view``, the first picture it was well seen in. ``doubts`` are sentences
    about pictures that read wrongly in a few places while another picture of the same board reads rightly.
    """

    board: Board
    view: CalibrationPicture
    found: Found
    doubts: tuple[str, ...]


def calibrate(
    views: Sequence[CalibrationPicture],
    light_home: Quadrant | None = None,
    corners: FloatArray | None = None,
    markers: MarkerUse = "auto",
    follow: Follow = lambda _: None,
    checkers: CheckerSet = FIFTEEN,
) -> Calibration:
    """Calibrate from pictures by one camera that was not moved between them.

    ``corners`` are pixels, shape (4, 2), of the playing surface by light's 1-, 12-, 13- and 24-point; with them
    nothing is searched for. ``follow`` hears of the steps; ``checkers`` are those of the set.
    Raises ``CalibrationError`` with the reason rather than return a doubtful board.
    """
    first = views[0]
    for view in views:
        if view.picture.shape != first.picture.shape:
            raise CalibrationError(
                f"{view.name} and {first.name} differ in size; give pictures taken by one camera in one setting.",
                view,
                CalibrationFault.SIZES_DIFFER,
            )
    views, found = _find_in_any(views, light_home, corners, markers, follow)
    first = views[0]
    follow(CalibrationStep.FITTING)
    fit = _fit_all(views, found, corners)
    follow(CalibrationStep.LEARNING)
    same = [view.picture for view in views if view.points == first.points]
    geometry = replace(fit.geometry, trays=find_trays(first.picture, fit.camera, fit.geometry))
    appearance = learn_appearance(same, fit.camera, geometry, first.points)
    board = Board(fit.camera, geometry, appearance, checkers=checkers)
    follow(CalibrationStep.CHECKING)
    return Calibration(board, first, found, _self_check(views, board, found))


def _find_in_any(
    views: Sequence[CalibrationPicture],
    light_home: Quadrant | None,
    corners: FloatArray | None,
    markers: MarkerUse,
    follow: Follow,
) -> tuple[Sequence[CalibrationPicture], Found]:
    """The board in the first picture that shows it well, and the pictures with that one in front."""
    faults: list[CalibrationError] = []
    for number, view in enumerate(views):
        try:
            found = _find(view, light_home, corners, markers, follow)
        except CalibrationError as error:
            faults.append(error)
            continue
        return [view, *views[:number], *views[number + 1 :]], found
    raise faults[0]


def _find(
    view: CalibrationPicture,
    light_home: Quadrant | None,
    corners: FloatArray | None,
    markers: MarkerUse,
    follow: Follow,
) -> Found:
    follow(CalibrationStep.FINDING)
    if corners is not None:
        try:
            return board_at_corners(view.picture, view.points, corners)
        except ValueError as error:
            raise CalibrationError(
                f"the corners given for {view.name} do not make a board ({error}); give the pixels by light's "
                "1-, 12-, 13- and 24-point in this order.",
                view,
                CalibrationFault.BAD_CORNERS,
            ) from None
    marks = find_markers(view.picture) if markers == "auto" else {}
    found = find_board(view.picture, view.points, light_home, marks, lambda: follow(CalibrationStep.FINDING))
    if found is None:
        raise CalibrationError(
            f"{view.name}: no board with this position is to be seen; show the whole board from above with "
            "the checkers set up, or give --corners.",
            view,
            CalibrationFault.NO_BOARD,
        )
    if found.refined.seen < LEAST_RIMS * len(found.slots):
        raise CalibrationError(
            f"{view.name}: only {found.refined.seen} of {len(found.slots)} checkers are where the position wants "
            "them; set the board up anew, give more light, or give --corners.",
            view,
            CalibrationFault.FEW_CHECKERS,
            found,
            seen=found.refined.seen,
            count=len(found.slots),
        )
    return found


def _fit_all(views: Sequence[CalibrationPicture], found: Found, corners: FloatArray | None) -> Fit:
    """One fit to the checkers of all pictures: rows are laid a little differently each time."""
    fit = found.fit
    sightings = sightings_of(found.slots, found.refined.rims)
    for view in views[1:]:
        slots = slots_of(view.points)
        field = edge_field(view.picture)
        rims = [find_rim(field, fit.camera, fit.geometry, slot, SAME_PLACE_REACH) for slot in slots]
        seen = sightings_of(slots, rims)
        alike = sides_of(lab_of(view.picture), fit, slots, view.points).alike
        if len(seen) < LEAST_RIMS * len(slots) or alike < LEAST_ALIKE:
            raise CalibrationError(
                f"{view.name} does not show the board in the same place as {views[0].name}; take both pictures "
                "without moving the board or the camera.",
                view,
                CalibrationFault.MOVED,
            )
        sightings += seen
    if len(sightings) < 8:
        return fit
    size = (views[0].picture.shape[1], views[0].picture.shape[0])
    joint = fit_board(sightings, fit.geometry.home, size, fit.camera, 1.0, corners)
    # The rims told the diameter; the rows alone cannot.
    diameter = found.fit.geometry.checker_diameter_mm
    return replace(joint, geometry=replace(joint.geometry, checker_diameter_mm=diameter))


def _self_check(views: Sequence[CalibrationPicture], board: Board, found: Found) -> tuple[str, ...]:
    """Re-read every picture; what went wrong in pictures beside one that reads rightly."""
    faults = [_misreadings(view, board) for view in views]
    worst = max(range(len(views)), key=lambda number: len(faults[number]))
    if any(len(fault) > FORGIVEN_IN_GLARE for fault in faults) or all(faults):
        view = views[worst]
        shade = shaded_side(view.picture, board.camera, board.geometry)
        raise CalibrationError(
            _complaint(view, board, faults[worst], shade),
            view,
            CalibrationFault.MISREAD if shade is None else CalibrationFault.SHADED,
            found,
            points=sorted(point for point, _ in faults[worst]),
        )
    return tuple(
        f"{view.name} reads wrongly on point{'s' if len(fault) > 1 else ''} "
        f"{', '.join(str(point) for point, _ in fault)}: is there glare or shadow?"
        for view, fault in zip(views, faults, strict=True)
        if fault
    )


def _misreadings(view: CalibrationPicture, board: Board) -> list[tuple[int, int]]:
    """Points of a picture that are read wrongly, with the count read; none if it is few and known to be unsure."""
    reading = read_board(view.picture, board)
    wrong = [(p, reading.points[p - 1]) for p in range(1, 25) if reading.points[p - 1] != view.points[p - 1]]
    sure = [(p, saw) for p, saw in wrong if p not in reading.unsure]
    return sure + [w for w in wrong if w not in sure] if sure or len(wrong) > FORGIVEN_POINTS else []


def _complaint(
    view: CalibrationPicture, board: Board, faults: Sequence[tuple[int, int]], shade: str | None
) -> str:
    """What went wrong in a picture, in one sentence: where, what was seen instead, and what to do about it."""
    point, saw = faults[0]
    read = list(view.points)
    for number, count in faults:
        read[number - 1] = count
    parts = [
        f"{view.name}: the self-check failed on {len(faults)} of 24 points: on point {point} I see {_words(saw)} "
        f"where the position has {_words(view.points[point - 1])}"
    ]
    for side, sign in (("light", 1), ("dark", -1)):
        want, have = (
            sum(sign * count for count in counts if sign * count > 0) for counts in (view.points, read)
        )
        if want != have:
            parts.append(f"I count {have} {side} checkers instead of {want}")
    where = _side_of([number for number, _ in faults], board)
    if shade is not None:
        parts.append(f"the {shade} of the board is in shadow")
    elif where is not None:
        parts.append(f"all of them are on the {where} of the picture: is there a reflection or a shadow?")
    advice = "check that the position is set up as given and evenly lit, or give --light-home or --corners."
    return "; ".join([*parts, advice])


def _side_of(points: Sequence[int], board: Board) -> str | None:
    """The side of the board, as the picture shows it, on which all of several points lie."""
    if len(points) < LEAST_ON_A_SIDE:
        return None
    middle = board.camera.project(np.zeros(3))
    spots = np.array([board.camera.project(board.geometry.slot(point, 2)) for point in points]) - middle
    for name, axis, sign in (("left", 0, -1), ("right", 0, 1), ("upper side", 1, -1), ("lower side", 1, 1)):
        if (sign * spots[:, axis] > 0).all():
            return name
    return None


def _words(count: int) -> str:
    if count == 0:
        return "no checker"
    return f"{abs(count)} {'light' if count > 0 else 'dark'}"


def shaded_side(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> str | None:
    """``left``, ``right``, ``upper side`` or ``lower side`` of the picture if that side of the board is in shadow."""
    x = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_width_mm
    y = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_height_mm
    mesh_x, mesh_y = np.meshgrid(x, y)
    spots = camera.project(np.stack([mesh_x, mesh_y, np.zeros_like(mesh_x)], axis=-1)).reshape(-1, 2)
    height, width = picture.shape[:2]
    inside = ((spots >= 0) & (spots <= [width - 1, height - 1])).all(-1)
    spots = spots[inside]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    levels = grey[np.round(spots[:, 1]).astype(int), np.round(spots[:, 0]).astype(int)].astype(float)
    middle = camera.project(np.zeros(3))
    for axis, (low, high) in enumerate((("left", "right"), ("upper side", "lower side"))):
        first = spots[:, axis] < middle[axis]
        one, two = (float(np.median(levels[half])) for half in (first, ~first))
        if min(one, two) < SHADED * max(one, two):
            return low if one < two else high
    return None


def find_trays(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> tuple[Home, ...]:
    """The sides of a board, its home side first, that have a tray; a side that cannot be told has none.

    Whatever a board is made of, its rails by light's and dark's edge run past the playing surface as far as the
    board itself: by the width of a rail where there is no tray, by that of a divider and a tray more where there is.
    """
    away: Home = "left" if geometry.home == "right" else "right"
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB)
    ends: dict[Home, list[float]] = {"right": [], "left": []}
    for edge in (-1, 1):
        for out in np.arange(*LINES_MM, RAIL_STEP_MM):
            y = edge * (geometry.surface_height_mm / 2 + float(out))
            for side in ends:
                end = _end_of_line(np.asarray(lab, np.float32), camera, geometry, y, side)
                if end is not None:
                    ends[side].append(end)
    return tuple(side for side in (geometry.home, away) if _is_tray(ends[side]))


def _is_tray(ends: list[float]) -> bool:
    """Whether the place on which most lines agree is that of a board with a tray."""
    if len(ends) < LEAST_LINES:
        return False
    places = np.array(ends)
    support = (np.abs(places[:, None] - places[None]) < AGREE_MM).sum(1)
    best = int(support.argmax())
    return bool(support[best] >= LEAST_LINES and TRAY_FROM_MM <= places[best] <= TRAY_TO_MM)


def _end_of_line(
    lab: Float32Array, camera: CameraModel, geometry: BoardGeometry, y: float, side: Home
) -> float | None:
    """How far past the surface (mm) a line beside it keeps its colour; ``None`` if it does not end in sight."""
    sign = 1 if side == "right" else -1
    half = geometry.surface_width_mm / 2
    x = np.arange(half - 3 * geometry.pitch_mm, half + REACH_MM, RAIL_STEP_MM)
    spots = camera.project(np.stack([sign * x, np.full_like(x, y), np.zeros_like(x)], axis=-1))
    height, width = lab.shape[:2]
    inside = ((spots >= 0) & (spots <= [width - 1, height - 1])).all(-1)
    in_sight = int(np.argmin(np.append(inside, False)))
    x, spots = x[:in_sight], spots[:in_sight]
    if not len(x) or x[-1] < half + HOLD_MM:
        return None
    rows, columns = np.round(spots[:, 1]).astype(int), np.round(spots[:, 0]).astype(int)
    colours = lab[rows, columns].astype(float)
    before, hold = round(BEFORE_MM / RAIL_STEP_MM), round(HOLD_MM / RAIL_STEP_MM)
    for k in range(int(np.searchsorted(x, half)), len(x) - hold):
        known = colours[max(0, k - before) : k]
        usual = np.median(known, axis=0)
        spread = float(np.median(np.linalg.norm(known - usual, axis=1)))
        change = np.linalg.norm(colours[k : k + hold] - usual, axis=1)
        if change.min() > max(LEAST_CHANGE, DEVIATIONS * spread):
            return float(x[k] - half)
    return None
