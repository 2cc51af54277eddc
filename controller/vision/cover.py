"""Hands, sleeves and cups over the board: whether there are any, and which points they hide."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.vision.geometry import FLAT_ROW, BoardGeometry
from controller.vision.sheet import Picture, Sheet
from controller.vision.strays import Strays

# The least of a hand that is taken for one: more than two checkers that were not read as such (nominal mm2).
LEAST_AREA_MM2 = 2800.0
# A palm, a wrist or a cup is at least this broad; dice, their shadows and streaks of light are not.
BROAD_MM = 30.0
# A point is hidden when so much of where its checkers lie is.
HIDDEN_SHARE = 0.15
# Between fingers, and over the checkers they hold, the hand goes on.
CLOSE_MM = 24.0


@dataclass(frozen=True, slots=True)
class Cover:
    """Whether something large hides a part of the board, and the points (1..24) it hides."""

    hand: bool
    points: frozenset[int]


def find_cover(strays: Strays, geometry: BoardGeometry, sheet: Sheet) -> Cover:
    """Find large things among the strays on a sheet; glare alone is none."""
    broad = cv2.morphologyEx(strays.mask & (1 - strays.glare), cv2.MORPH_OPEN, _brush(BROAD_MM, sheet))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.asarray(broad, np.uint8), connectivity=8)
    areas = stats[1:count, cv2.CC_STAT_AREA] * sheet.step_mm**2
    large = np.flatnonzero(areas > LEAST_AREA_MM2) + 1
    if not len(large):
        return Cover(False, frozenset())
    hand = np.isin(labels, large).astype(np.uint8)
    hand = np.asarray(cv2.morphologyEx(hand, cv2.MORPH_CLOSE, _brush(CLOSE_MM, sheet)), np.uint8)
    hidden = (p for p in range(1, 25) if _share(hand, geometry, sheet, p) > HIDDEN_SHARE)
    return Cover(True, frozenset(hidden))


def _brush(size_mm: float, sheet: Sheet) -> Picture:
    size = round(size_mm / sheet.step_mm) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _share(hand: Picture, geometry: BoardGeometry, sheet: Sheet, point: int) -> float:
    """Share of where a point's checkers lie that is hidden."""
    x, side = geometry.column_x(point), geometry.side_of(point)
    half = geometry.checker_diameter_mm / 2
    outer = side * geometry.surface_height_mm / 2
    inner = outer - side * FLAT_ROW * geometry.row_pitch_mm
    rows = sorted((round(sheet.row(outer)), round(sheet.row(inner))))
    columns = round(sheet.column(x - half)), round(sheet.column(x + half))
    patch = hand[max(rows[0], 0) : rows[1], max(columns[0], 0) : columns[1]]
    return float(patch.mean()) if patch.size else 0.0
