"""Counts the checkers on the bar."""

import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import Appearance
from controller.vision.camera import Camera
from controller.vision.evidence import Map, gather
from controller.vision.geometry import BoardGeometry
from controller.vision.rims import find_edges
from controller.vision.sheet import STEP_MM, Picture, Sheet, surface_sheet

# Checkers lie about the middle line of the bar, off it by no more than this.
SIDEWAYS_MM = 9.0
MOST = 6
# Beside a checker's face so much is looked at, for its rim.
BESIDE_MM = 6.0
# A face is worth this many independent looks.
LOOKS = 2.6
# Log odds against a checker anywhere on the bar: mostly it is empty.
RARE = 2.0
# Looks around a face, and how many of the weakest must still speak for a checker, give or take.
LOOKS_AROUND = 12
WEAKEST = 3
SLACK = 1.0


def bar_likelihoods(
    lit: Picture, camera: Camera, geometry: BoardGeometry, look: Appearance
) -> dict[tuple[int, int], float]:
    """Log-likelihoods of (light, dark) checkers on the bar, the best 0.

    ``lit`` is in the light of the appearance, ``camera`` as it stands to the board now.
    """
    sheet = _bar_sheet(geometry)
    top = sheet.flatten(lit, camera, geometry.checker_thickness_mm)
    evidence = gather(top, find_edges(top, sheet), camera, geometry, sheet, look)
    columns = np.flatnonzero(np.abs(sheet.x_mm) <= min(SIDEWAYS_MM, geometry.bar_mm / 3))
    light = _round(evidence.light, evidence.light_spots, columns, geometry, sheet)
    dark = _round(evidence.dark, evidence.dark_spots, columns, geometry, sheet)
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


def _bar_sheet(geometry: BoardGeometry) -> Sheet:
    """The part of the surface's sheet that checkers on the bar reach."""
    whole = surface_sheet(geometry)
    half = geometry.checker_diameter_mm / 2 + SIDEWAYS_MM + BESIDE_MM
    first, last = round(whole.column(-half)), round(whole.column(half))
    left = whole.left_mm + first * STEP_MM
    return Sheet(left, whole.near_mm, whole.rows, last - first + 1)


def _round(
    faces: Map, spots: Map, columns: NDArray[np.intp], geometry: BoardGeometry, sheet: Sheet
) -> NDArray[np.float64]:
    """Log odds along the bar that a round face lies there: a cube or a die leaves its rim bare."""
    radius = 0.8 * geometry.checker_diameter_mm / 2 / sheet.step_mm
    angles = 2 * np.pi * np.arange(LOOKS_AROUND) / LOOKS_AROUND
    padded = np.pad(spots, int(radius) + 1, mode="edge")
    looks = []
    for angle in angles:
        down = int(radius) + 1 + round(radius * np.sin(angle))
        across = int(radius) + 1 + round(radius * np.cos(angle))
        looks.append(padded[down : down + len(spots)][:, columns + across])
    weakest = np.sort(np.array(looks), axis=0)[:WEAKEST].mean(axis=0)
    score = np.minimum(faces[:, columns], weakest + SLACK) * LOOKS
    return np.asarray(score.max(axis=1) - RARE, float)
