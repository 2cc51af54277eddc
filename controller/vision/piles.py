"""Checkers on top of a full row: found by their rims, which stand a little off the rims below."""

import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.rims import LOOKS_AROUND, Edges, RimLook

FloatArray = NDArray[np.float64]

# Upper checkers lie this far to the side of the line of the point at most.
SIDEWAYS_MM = 9.0
SIDEWAYS_SPREAD_MM = 4.0
STEP_MM = 2.25
# Upper checkers need so much room along the row, in diameters.
ROOM = 0.9
MOST = 5
# Places along a row, in row pitches from the edge: the first, and how finely they are tried.
FIRST, FINE, STEPS = 0.3, 20, 94
# Middles of the innermost two checkers of a row of five, where upper ones are rare, as steps; give or take.
INNER = (round((3.5 - FIRST) * FINE), round((4.5 - FIRST) * FINE))
REACH = 6
# A rim that explains this much more than usual says nothing; what more is worth, and no more than that.
USUAL_GAIN = 8.0
WORTH = 0.2
AGAINST, FOR = 1.5, 3.5
# Rims of upper checkers are seen against faces of the same colour: weak edges say little against them.
WEAKEST = -1.0


def upper_checkers(
    edges: Edges,
    rims: RimLook,
    lower: FloatArray,
    point: int,
    camera: Camera,
    geometry: BoardGeometry,
) -> FloatArray:
    """Log-likelihoods of 0..``MOST`` checkers on top of a full row, against none: shape (MOST + 1,).

    ``lower`` are the centres (mm, shape (5, 2)) of the row's checkers as seen at the height of one layer.
    Faces have rings and dents of their own, so what counts is how much more an upper rim explains near the
    edge, where upper checkers usually lie, than it seems to explain further in.
    """
    table = np.maximum(rims.table, WEAKEST)
    radius = geometry.checker_diameter_mm / 2
    lower = _settle(edges, table, lower, radius)
    scale, foot = rise(camera, geometry, 1)
    offsets = np.arange(-SIDEWAYS_MM, SIDEWAYS_MM + 0.1, STEP_MM)
    inner = geometry.surface_height_mm / 2 - geometry.row_pitch_mm * (FIRST + np.arange(STEPS) / FINE)
    x, y = np.meshgrid(geometry.column_x(point) + offsets, geometry.side_of(point) * inner)
    seen = foot + scale * (np.stack([x, y], axis=-1) - foot)
    own = table[edges.around(seen[..., 0], seen[..., 1], scale * radius)].sum(axis=-1)
    below = _circles(lower, radius)
    below_score = table[edges.around(lower[:, 0], lower[:, 1], radius)].ravel()
    distance = np.hypot(seen[..., None, 0] - below[:, 0], seen[..., None, 1] - below[:, 1])
    hidden = distance < scale * radius + 5
    lost = (hidden * below_score).sum(axis=-1)
    price = 0.5 * (offsets / SIDEWAYS_SPREAD_MM) ** 2
    gain = (own - lost - price).max(axis=1)
    totals = _chain(gain, geometry)
    usual = np.mean([gain[place - REACH : place + REACH + 1].max() for place in INNER])
    each = np.clip(WORTH * (np.diff(totals) - usual - USUAL_GAIN), -AGAINST, FOR)
    return np.asarray(np.concatenate([[0.0], np.cumsum(each)]), float)


def _settle(edges: Edges, table: NDArray[np.float32], centres: FloatArray, radius: float) -> FloatArray:
    """Each circle moved a little to where its rim is best seen."""
    offsets = np.arange(-4, 4.1, 1.0)
    dx, dy = (grid.ravel() for grid in np.meshgrid(offsets, offsets))
    x, y = centres[:, :1] + dx, centres[:, 1:] + dy
    score = table[edges.around(x, y, radius)].sum(axis=-1) - 0.5 * (np.hypot(dx, dy) / 3.0) ** 2
    pick = score.argmax(axis=1)
    return np.asarray(centres + np.stack([dx[pick], dy[pick]], axis=-1), float)


def rise(camera: Camera, geometry: BoardGeometry, layers: int) -> tuple[float, FloatArray]:
    """How things ``layers`` above the first one appear on its sheet: scaled about a foot point."""
    height = float(camera.centre_mm[2])
    thickness = geometry.checker_thickness_mm
    return (height - thickness) / (height - (1 + layers) * thickness), camera.centre_mm[:2]


def _circles(centres: FloatArray, radius: float) -> FloatArray:
    angles = 2 * np.pi * np.arange(LOOKS_AROUND) / LOOKS_AROUND
    ring = radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray((centres[:, None] + ring).reshape(-1, 2), float)


def _chain(gain: FloatArray, geometry: BoardGeometry) -> FloatArray:
    """The best sums of 0..``MOST`` gains along a row, each far enough from the next."""
    room = round(ROOM * geometry.checker_diameter_mm / (geometry.row_pitch_mm / FINE))
    totals = np.zeros(MOST + 1)
    best = gain.copy()
    for count in range(1, MOST + 1):
        if not len(best):
            totals[count:] = -1e3
            break
        totals[count] = best.max()
        if len(best) <= room:
            totals[count + 1 :] = -1e3
            break
        before = np.maximum.accumulate(best)[:-room]
        best = np.concatenate([np.full(room, -1e3), before + gain[room:]])
    return totals
