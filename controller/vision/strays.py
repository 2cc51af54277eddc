"""What lies on the board that is neither board nor checker: dice, the cube, hands, cups.

Both are looked for where the picture differs from the bare board, on the plane of a die's upper face.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from controller.vision.camera import Camera
from controller.vision.geometry import FLAT_ROW, BoardGeometry
from controller.vision.sheet import Picture, Sheet

# Nominal millimetres (the points are 44 apart).
FACE_HEIGHT_MM = 15.0
CHECKER_RIM_MM = 3.0
RAIL_MM = 5.0
# Grey levels by which the strongest channel of a die differs from the board under it.
CHANGE = 26
DOUBT_WEIGHT = 2
# Brighter than this in every channel, a lamp's reflection cannot be told from something white.
GLARE = 232


@dataclass(frozen=True)
class Strays:
    """Where there are strays, and where glare may feign them: 1, else 0; both of the shape of the sheet."""

    mask: Picture
    glare: Picture


def find_strays(
    lit: Picture,
    camera: Camera,
    geometry: BoardGeometry,
    sheet: Sheet,
    bare: Picture,
    doubt: Picture,
    points: Sequence[int],
) -> Strays:
    """Find what lies on the open surface and is no checker.

    ``lit`` is the picture in the light of the bare board; ``bare`` and ``doubt`` are the bare board on ``sheet``
    and how many grey levels it may be wrong by; ``points`` are the 24 signed counts that were read. The bar
    and the foot of the rails are left out.
    """
    flat = cv2.GaussianBlur(sheet.flatten(lit, camera, FACE_HEIGHT_MM), (0, 0), 0.8)
    ground = cv2.GaussianBlur(sheet.lift(bare, sheet, camera, FACE_HEIGHT_MM), (0, 0), 0.8)
    gap = np.asarray(cv2.absdiff(flat, ground), np.uint8).max(axis=2).astype(np.int16)
    least = CHANGE + DOUBT_WEIGHT * sheet.lift(doubt, sheet, camera, FACE_HEIGHT_MM).astype(np.int16)
    mask = (gap > least).astype(np.uint8)
    mask[_checkers(camera, geometry, sheet, points) > 0] = 0
    mask &= open_ground(geometry, sheet)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    round_brush = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    closed = np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, round_brush), np.uint8)
    glare = np.asarray(np.asarray(flat).min(axis=2) > GLARE, np.uint8)
    return Strays(closed, np.asarray(cv2.dilate(glare, round_brush, iterations=3), np.uint8))


def open_ground(geometry: BoardGeometry, sheet: Sheet) -> Picture:
    """Where dice may lie: 1 on both halves of the surface, 0 on the bar and by the rails, which cast shadows."""
    x, y = np.abs(sheet.x_mm), np.abs(sheet.y_mm)
    across = (x > geometry.bar_mm / 2 + RAIL_MM) & (x < geometry.surface_width_mm / 2 - RAIL_MM)
    along = y < geometry.surface_height_mm / 2 - RAIL_MM
    return np.asarray(along[:, None] & across[None], np.uint8)


def _checkers(camera: Camera, geometry: BoardGeometry, sheet: Sheet, points: Sequence[int]) -> Picture:
    """Where checkers hide the board on the plane of a die's face: 255, else 0; shape of the sheet."""
    hidden = np.zeros((sheet.rows, sheet.columns), np.uint8)
    radius = round((geometry.checker_diameter_mm / 2 + CHECKER_RIM_MM) / sheet.step_mm)
    foot, eye = camera.centre_mm[:2], float(camera.centre_mm[2])
    for point, count in enumerate(points, start=1):
        for place in range(min(abs(count), FLAT_ROW + 1)):
            layers = 1 + (abs(count) - 1 - place) // FLAT_ROW
            for height in (0.0, layers * geometry.checker_thickness_mm):
                spot = geometry.slot(point, place)[:2]
                # Seen along the ray that meets the plane of the faces instead of the height it lies at.
                shown = foot + (eye - FACE_HEIGHT_MM) / (eye - height) * (spot - foot)
                centre = (round(sheet.column(float(shown[0]))), round(sheet.row(float(shown[1]))))
                cv2.circle(hidden, centre, radius, 255, -1)
    return hidden
