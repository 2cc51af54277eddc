"""Counts the checkers on the points from the evidence along each of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import Appearance
from controller.vision.camera import Camera
from controller.vision.evidence import Evidence
from controller.vision.geometry import FLAT_ROW, BoardGeometry
from controller.vision.piles import MOST, upper_checkers
from controller.vision.rims import Edges
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
# Rows whose score is so near the best are looked at for checkers on top.
NEARLY = 6.0
# A face is worth this many independent looks.
LOOKS = 2.6
# Checkers on top of a full row: rare, the more so the more.
PILE_PRICE = 1.0
PILE_STEP = 0.7
# Nothing on a point is more improbable than this: there is always something nobody thought of.
WORST = 9.0
# Looks at one point are not independent: scores are worth this share of their sum.
TEMPER = 0.75


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
    return np.stack([_along(scores, point, geometry, sheet)[0] for point in range(1, 25)])


def _along(
    scores: Profile, point: int, geometry: BoardGeometry, sheet: Sheet
) -> tuple[Profile, NDArray[np.intp]]:
    """The best score at each step of one point's line, and the sheet column it was found in."""
    reach = int(SIDEWAYS_MM / sheet.step_mm)
    offsets = np.arange(-reach, reach + 1)
    price = 0.5 * (offsets * sheet.step_mm / SIDEWAYS_SPREAD_MM) ** 2 / LOOKS
    steps = int((LONGEST_ROW + 0.8) * geometry.row_pitch_mm / sheet.step_mm)
    inwards = geometry.surface_height_mm / 2 - sheet.step_mm * np.arange(steps)
    rows = np.rint((geometry.side_of(point) * inwards - sheet.near_mm) / sheet.step_mm).astype(int)
    columns = round(sheet.column(geometry.column_x(point))) + offsets
    block = scores[np.ix_(rows, columns)] - price
    pick = block.argmax(axis=1)
    return np.asarray(block.max(axis=1), np.float32), columns[pick]


def row_places(
    scores: Profile, point: int, count: int, geometry: BoardGeometry, sheet: Sheet
) -> NDArray[np.float64]:
    """Centres (mm, shape (count, 2)) of the best row of so many checkers on a point, at one layer's height."""
    profile, columns = _along(scores, point, geometry, sheet)
    steps = trace_row(profile, count, geometry, sheet)
    y = geometry.side_of(point) * (geometry.surface_height_mm / 2 - sheet.step_mm * np.array(steps))
    return np.stack([sheet.x_mm[columns[steps]], y], axis=-1)


def _score_rows(profile: Profile, geometry: BoardGeometry, sheet: Sheet) -> NDArray[np.float64]:
    """The best row of each length for profiles of shape (n, steps): shape (n, LONGEST_ROW + 1)."""
    stages = _stages(profile, geometry, sheet)
    scores = np.stack([np.zeros(len(profile)), *(stage.max(axis=1) for stage in stages)], axis=1)
    return np.asarray(scores * LOOKS, float)


def trace_row(profile: Profile, count: int, geometry: BoardGeometry, sheet: Sheet) -> list[int]:
    """Steps (outermost first) of the checkers of the best row of ``count`` along one profile."""
    stages = _stages(profile[None], geometry, sheet)[:count]
    pitch = geometry.row_pitch_mm / sheet.step_mm
    step = int(stages[-1][0].argmax())
    trail = [step]
    for stage in reversed(stages[:-1]):
        gaps = np.arange(int(NEAREST * pitch), int(FURTHEST * pitch) + 1)
        gaps = gaps[gaps <= step]
        price = 0.5 * (np.maximum(gaps / pitch - 1, 0) / GAP_SPREAD) ** 2 / LOOKS
        step = step - int(gaps[(stage[0][step - gaps] - price).argmax()])
        trail.append(step)
    return trail[::-1]


def _stages(profile: Profile, geometry: BoardGeometry, sheet: Sheet) -> list[Profile]:
    """For rows of 1, 2, ... checkers the best score of one whose innermost checker is at each step."""
    pitch = geometry.row_pitch_mm / sheet.step_mm
    steps = profile.shape[1]
    gaps = np.arange(int(NEAREST * pitch), int(FURTHEST * pitch) + 1)
    gap_price = 0.5 * (np.maximum(gaps / pitch - 1, 0) / GAP_SPREAD) ** 2 / LOOKS
    nothing = np.float32(-1e6)
    best = np.full(profile.shape, nothing)
    start = slice(int(FIRST_NEAREST * pitch), int(FIRST_FURTHEST * pitch) + 1)
    away = np.maximum(np.arange(steps) / pitch - 0.5, 0) / GAP_SPREAD
    best[:, start] = (profile - 0.5 * away**2 / LOOKS)[:, start]
    stages = [best]
    for _ in range(1, LONGEST_ROW):
        reached = np.full(profile.shape, nothing)
        for gap, price in zip(gaps, gap_price, strict=True):
            reached[:, gap:] = np.maximum(reached[:, gap:], best[:, :-gap] - np.float32(price))
        best = np.asarray(reached + profile, np.float32)
        stages.append(best)
    return stages


def point_likelihoods(
    evidence: Evidence, edges: Edges, look: Appearance, camera: Camera, geometry: BoardGeometry, sheet: Sheet
) -> tuple[dict[int, float], ...]:
    """For each point the log-likelihood of every signed count in question, the best 0."""
    rows = flat_rows(evidence, geometry, sheet)
    found = []
    for point in range(1, 25):
        scores = {0: 0.0}
        for sign, row, faces, rims in (
            (1, rows.light[point - 1], evidence.light, look.light_rims),
            (-1, rows.dark[point - 1], evidence.dark, look.dark_rims),
        ):
            upper = np.zeros(MOST + 1)
            if row[FLAT_ROW] > row.max() - NEARLY:
                lower = row_places(faces, point, FLAT_ROW, geometry, sheet)
                upper = upper_checkers(edges, rims, lower, point, camera, geometry)
            scores |= {sign * n: score for n, score in _counts(row, upper).items()}
        best = max(scores.values())
        found.append({count: max(TEMPER * (score - best), -WORST) for count, score in scores.items()})
    return tuple(found)


def _counts(row: NDArray[np.float64], upper: NDArray[np.float64]) -> dict[int, float]:
    """Scores of 1..15 checkers of one colour from its flat rows and what lies on top of a full one."""
    scores = {count: float(row[count]) for count in range(1, LONGEST_ROW + 1)}
    for count in range(FLAT_ROW + 1, 16):
        on_top = count - FLAT_ROW
        price = PILE_PRICE + PILE_STEP * (on_top - 1)
        pile = float(row[FLAT_ROW] + upper[min(on_top, MOST)]) - price
        scores[count] = max(scores.get(count, -np.inf), pile)
    return scores
