"""Whether a board that was learned reads its own pictures, and what may be the cause where it does not."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.agreement import Agreement
from calibration.fit import Fit
from controller.arrays import Picture
from controller.vision import Board, BoardGeometry, CameraModel, Reading, read_board

# This many points that are read wrongly, but known to be unsure, are no fault where rims show that the fit is right.
FORGIVEN_POINTS = 2
# This many points on one side of the picture are no accident.
LEAST_ON_A_SIDE = 3
# Places along each side of the board at which it is looked at.
SAMPLES = 60
# A side with less than this share of the other's grey level is in shadow.
SHADED = 0.62
# A camera that looks down less steeply than this (sideways per height) may have a rail between itself and the board.
SLANTED = 0.25
# This many points by the near rail that lack their outermost checker are no accident.
LEAST_HIDDEN = 3
# Checkers whose colours differ less than this from those of the other side, compared with their own, look alike.
LEAST_CONTRAST = 0.35


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """How a picture was read: ``wrong`` are points with the count read, ``forgiven`` those that count as no fault,
    ``unsure`` points that are read rightly but would not be sworn to."""

    wrong: tuple[tuple[int, int], ...]
    forgiven: tuple[int, ...]
    unsure: tuple[int, ...]


def check_picture_of(
    picture: Picture, points: Sequence[int], board: Board, agreement: Agreement
) -> SelfCheck:
    """Read a picture, (h, w, 3), of known points (24 signed counts) and compare; the surest mistakes come first."""
    reading = read_board(picture, board)
    wrong = [(p, reading.points[p - 1]) for p in range(1, 25) if reading.points[p - 1] != points[p - 1]]
    right_but_unsure = tuple(sorted(reading.unsure - {point for point, _ in wrong}))
    if len(wrong) <= FORGIVEN_POINTS and all(_is_harmless(point, reading, agreement) for point, _ in wrong):
        return SelfCheck((), tuple(point for point, _ in wrong), right_but_unsure)
    wrong.sort(key=lambda one: one[0] in reading.unsure)
    return SelfCheck(tuple(wrong), (), right_but_unsure)


def _is_harmless(point: int, reading: Reading, agreement: Agreement) -> bool:
    """Whether a wrong count is known to be unsure, and says nothing against the fit: the rims there are in place."""
    return point in reading.unsure and point not in (*agreement.astray, *agreement.unseen)


def outside_of(fit: Fit) -> tuple[int, ...]:
    """The points whose outermost checkers lie outside of the picture."""
    spots = np.nan_to_num(
        fit.camera.project(np.array([fit.geometry.slot(point, 0) for point in range(1, 25)])), nan=-1.0
    )
    return tuple(int(number) + 1 for number in np.flatnonzero(~fit.camera.shows(spots)))


def hides_row(board: Board, points: Sequence[int], wrong: Sequence[tuple[int, int]]) -> bool:
    """Whether what is read wrongly is that the points by the rail nearest to the camera have a checker too few."""
    _, y, height = board.camera.centre_mm
    if abs(y) < SLANTED * height:
        return False
    near = -1 if y < 0 else 1
    lacking = [
        point
        for point, count in wrong
        if board.geometry.side_of(point) == near
        and abs(points[point - 1]) == abs(count) + 1
        and count * points[point - 1] >= 0
    ]
    return len(lacking) >= LEAST_HIDDEN and len(lacking) == len(wrong)


def side_of(points: Sequence[int], board: Board) -> str | None:
    """The side of the board, as the picture shows it, on which all of several points lie."""
    if len(points) < LEAST_ON_A_SIDE:
        return None
    middle = board.camera.project(np.zeros(3))
    spots = np.array([board.camera.project(board.geometry.slot(point, 2)) for point in points]) - middle
    for name, axis, sign in (("left", 0, -1), ("right", 0, 1), ("upper side", 1, -1), ("lower side", 1, 1)):
        if (sign * spots[:, axis] > 0).all():
            return name
    return None


def shaded_side(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> str | None:
    """``left``, ``right``, ``upper side`` or ``lower side`` of the picture if that side of the board is in shadow."""
    x = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_width_mm
    y = np.linspace(-0.47, 0.47, SAMPLES) * geometry.surface_height_mm
    mesh_x, mesh_y = np.meshgrid(x, y)
    spots = camera.project(np.stack([mesh_x, mesh_y, np.zeros_like(mesh_x)], axis=-1)).reshape(-1, 2)
    spots = spots[camera.shows(spots)]
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    levels = grey[np.round(spots[:, 1]).astype(int), np.round(spots[:, 0]).astype(int)].astype(float)
    middle = camera.project(np.zeros(3))
    for axis, (low, high) in enumerate((("left", "right"), ("upper side", "lower side"))):
        first = spots[:, axis] < middle[axis]
        one, two = (float(np.median(levels[half])) for half in (first, ~first))
        if min(one, two) < SHADED * max(one, two):
            return low if one < two else high
    return None
