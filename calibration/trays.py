"""Which sides of a board have a tray for borne-off checkers."""

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from controller.arrays import Picture
from controller.vision import BoardGeometry, CameraModel, Home

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
# Lines must agree on where a rail ends, within this, and this many of them must.
AGREE_MM = 7.0
LEAST_LINES = 5


def find_trays(picture: Picture, camera: CameraModel, geometry: BoardGeometry) -> tuple[Home, ...]:
    """The sides of a board, its home side first, that have a tray; a side that cannot be found out has none.

    Whatever a board is made of, its rails by light's and dark's edge run past the playing surface as far as the
    board itself: by the width of a rail where there is no tray, by that of a divider and a tray more where there is.
    """
    away: Home = "left" if geometry.home == "right" else "right"
    lab = np.asarray(cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.uint8)
    ends: dict[Home, list[float]] = {"right": [], "left": []}
    for edge in (-1, 1):
        for out in np.arange(*LINES_MM, RAIL_STEP_MM):
            y = edge * (geometry.surface_height_mm / 2 + float(out))
            for side in ends:
                end = _end_of_line(lab, camera, geometry, y, side)
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
    lab: Picture, camera: CameraModel, geometry: BoardGeometry, y: float, side: Home
) -> float | None:
    """How far past the surface (mm) a line beside it keeps its colour; ``None`` if it does not end in sight."""
    sign = 1 if side == "right" else -1
    half = geometry.surface_width_mm / 2
    x = np.arange(half - 3 * geometry.pitch_mm, half + REACH_MM, RAIL_STEP_MM)
    spots = camera.project(np.stack([sign * x, np.full_like(x, y), np.zeros_like(x)], axis=-1))
    in_sight = int(np.argmin(np.append(camera.shows(spots), False)))
    x, spots = x[:in_sight], spots[:in_sight]
    if not len(x) or x[-1] < half + HOLD_MM:
        return None
    rows, columns = np.round(spots[:, 1]).astype(int), np.round(spots[:, 0]).astype(int)
    colours = lab[rows, columns].astype(float)
    first, hold = int(np.searchsorted(x, half)), round(HOLD_MM / RAIL_STEP_MM)
    before = min(round(BEFORE_MM / RAIL_STEP_MM), first)
    places = np.arange(first, len(x) - hold)
    # All places at once; the last axis is that of what lies before a place, or from it on.
    known = sliding_window_view(colours, before, axis=0)[places - before]
    usual = np.median(known, axis=-1, keepdims=True)
    spread = np.median(np.linalg.norm(known - usual, axis=1), axis=-1)
    change = np.linalg.norm(sliding_window_view(colours, hold, axis=0)[places] - usual, axis=1).min(axis=-1)
    left = np.flatnonzero(change > np.maximum(LEAST_CHANGE, DEVIATIONS * spread))
    return float(x[places[left[0]]] - half) if len(left) else None
