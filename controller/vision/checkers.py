"""Counts the checkers on the points from the evidence along each of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision.evidence import Evidence
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Sheet

Profile = NDArray[np.float32]

# A row may be off its line by this much to either side, at a price that grows with the square.
SIDEWAYS_MM = 7.5
SIDEWAYS_SPREAD_MM = 4.0
# Neighbours in a row stand this far apart, in usual row pitches; gaps wider than usual cost.
NEAREST, FURTHEST = 0.93, 1.3
GAP_SPREAD = 0.12
# The first checker touches the edge, give or take.
FIRST_NEAREST, FIRST_FURTHEST = 0.3, 0.85
LONGEST_ROW = 6
# A face is worth this many independent looks.
LOOKS = 3.0
# Checkers on top of a full row: rare, the more so the more.
PILE_PRICE = 1.0
PILE_STEP = 0.7
# Nothing on a point is more improbable than this: there is always something nobody thought of.
WORST = 14.0


@dataclass(frozen=True)
class Rows:
    """Scores of rows of 0..``LONGEST_ROW`` checkers lying flat on each point, in nats against an empty point.

    ``light`` and ``dark``: shape (24, LONGEST_ROW + 1).
    """

    light: NDArray[np.float64]
    dark: NDArray[np.float64]


def flat_rows(evidence: Evidence, geometry: BoardGeometry, sheet: Sheet) -> Rows:
    """Score rows of each length and colour on every point."""
    return Rows(
        _score_rows(profiles(evidence.light, geometry, sheet), geometry, sheet),
        _score_rows(profiles(evidence.dark, geometry, sheet), geometry, sheet),
    )


def profiles(scores: Profile, geometry: BoardGeometry, sheet: Sheet) -> Profile:
    """The best score along each point's line, shape (24, steps), step 0 at the edge, running inwards."""
    reach = int(SIDEWAYS_MM / sheet.step_mm)
    offsets = np.arange(-reach, reach + 1)
    price = 0.5 * (offsets * sheet.step_mm / SIDEWAYS_SPREAD_MM) ** 2 / LOOKS
    steps = int((LONGEST_ROW + 0.8) * geometry.row_pitch_mm / sheet.step_mm)
    inwards = geometry.surface_height_mm / 2 - sheet.step_mm * np.arange(steps)
    out = np.empty((24, steps), np.float32)
    for point in range(1, 25):
        rows = np.rint(sheet.row(geometry.side_of(point) * inwards)).astype(int)
        column = round(sheet.column(geometry.column_x(point)))
        out[point - 1] = (scores[np.ix_(rows, column + offsets)] - price).max(axis=1)
    return out


def _score_rows(profile: Profile, geometry: BoardGeometry, sheet: Sheet) -> NDArray[np.float64]:
    pitch = geometry.row_pitch_mm / sheet.step_mm
    steps = profile.shape[1]
    gaps = np.arange(int(NEAREST * pitch), int(FURTHEST * pitch) + 1)
    gap_price = 0.5 * (np.maximum(gaps / pitch - 1, 0) / GAP_SPREAD) ** 2 / LOOKS
    nothing = np.float32(-1e6)
    first = np.full(profile.shape, nothing)
    start = slice(int(FIRST_NEAREST * pitch), int(FIRST_FURTHEST * pitch) + 1)
    away = np.maximum(np.arange(steps) / pitch - 0.5, 0) / GAP_SPREAD
    first[:, start] = (profile - 0.5 * away**2 / LOOKS)[:, start]
    scores = np.zeros((24, LONGEST_ROW + 1))
    best = first
    for count in range(1, LONGEST_ROW + 1):
        scores[:, count] = best.max(axis=1)
        reached = np.full(profile.shape, nothing)
        for gap, price in zip(gaps, gap_price, strict=True):
            reached[:, gap:] = np.maximum(reached[:, gap:], best[:, :-gap] - np.float32(price))
        best = reached + profile
    return scores * LOOKS


def point_likelihoods(
    evidence: Evidence, geometry: BoardGeometry, sheet: Sheet
) -> tuple[dict[int, float], ...]:
    """For each point the log-likelihood of every signed count in question, the best 0."""
    rows = flat_rows(evidence, geometry, sheet)
    return tuple(_signed(rows.light[k], rows.dark[k]) for k in range(24))


def _signed(light: NDArray[np.float64], dark: NDArray[np.float64]) -> dict[int, float]:
    scores = {0: 0.0}
    for sign, row in ((1, light), (-1, dark)):
        for count in range(1, LONGEST_ROW + 1):
            scores[sign * count] = float(row[count])
        for count in range(6, 16):
            pile = float(row[5]) - PILE_PRICE - PILE_STEP * (count - 6)
            scores[sign * count] = max(scores.get(sign * count, -np.inf), pile)
    best = max(scores.values())
    return {count: max(score - best, -WORST) for count, score in scores.items()}
