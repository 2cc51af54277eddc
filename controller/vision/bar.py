"""Counts the checkers on the bar."""

import numpy as np

from controller.vision.checkers import LOOKS
from controller.vision.evidence import Evidence
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Sheet

# Checkers lie about the middle line of the bar, off it by no more than this.
SIDEWAYS_MM = 9.0
MOST = 6
# Log odds against a checker anywhere on the bar: mostly it is empty.
RARE = 2.0


def bar_likelihoods(
    evidence: Evidence, geometry: BoardGeometry, sheet: Sheet
) -> dict[tuple[int, int], float]:
    """Log-likelihoods of (light, dark) checkers on the bar, the best 0."""
    columns = np.flatnonzero(np.abs(sheet.x_mm) <= min(SIDEWAYS_MM, geometry.bar_mm / 3))
    light = evidence.light[:, columns].max(axis=1) * LOOKS - RARE
    dark = evidence.dark[:, columns].max(axis=1) * LOOKS - RARE
    either = np.maximum(light, dark)
    inside = np.abs(sheet.y_mm) < geometry.surface_height_mm / 2 - geometry.checker_diameter_mm / 2
    either[~inside] = -np.inf
    found: dict[tuple[int, int], float] = {(0, 0): 0.0}
    for _ in range(MOST):
        row = int(either.argmax())
        if not np.isfinite(either[row]) or either[row] < -8:
            break
        options = ((0, 0, 0.0), (1, 0, float(light[row])), (0, 1, float(dark[row])))
        merged: dict[tuple[int, int], float] = {}
        for (a, b), score in found.items():
            for more_light, more_dark, gain in options:
                key = (a + more_light, b + more_dark)
                merged[key] = max(merged.get(key, -np.inf), score + gain)
        found = merged
        near = np.abs(sheet.y_mm - sheet.y_mm[row]) < 0.85 * geometry.checker_diameter_mm
        either[near] = -np.inf
    best = max(found.values())
    return {key: score - best for key, score in found.items() if score - best > -25}
