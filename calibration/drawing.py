"""Draws what was found over the picture, for people to look at."""

import cv2
import numpy as np

from calibration.finder import Found
from calibration.refine import AROUND, RIM_SEEN
from controller.arrays import FloatArray, Picture
from controller.vision.board import Board
from controller.vision.reading import Reading

GREEN, RED, BLUE, YELLOW, BLACK = (0, 200, 0), (0, 0, 230), (230, 120, 0), (0, 220, 255), (0, 0, 0)


def draw_found(picture: Picture, found: Found | None) -> Picture:
    """The picture with the surface in blue and the checkers in green where a rim was seen, else in red."""
    canvas = picture.copy()
    if found is None:
        return canvas
    camera, geometry = found.fit.camera, found.fit.geometry
    _outline(canvas, camera.project(geometry.corners()), BLUE)
    for slot, rim in zip(found.slots, found.refined.rims, strict=True):
        around = camera.project_circle(geometry.slot(*slot), geometry.checker_diameter_mm / 2, AROUND)
        _outline(canvas, around, GREEN if rim.strength > RIM_SEEN else RED)
    return canvas


def draw_reading(picture: Picture, board: Board, reading: Reading) -> Picture:
    """The picture with the count on every point (yellow where unsure) and a box around each die."""
    canvas = picture.copy()
    camera, geometry = board.camera, board.geometry
    _outline(canvas, camera.project(geometry.corners()), BLUE)
    for point, count in enumerate(reading.points, start=1):
        spot = geometry.slot(point, 0) * [1, 1, 0]
        spot[1] += geometry.side_of(point) * 0.9 * geometry.checker_diameter_mm
        x, y = camera.project(spot)
        text = "" if count == 0 else f"{abs(count)}{'L' if count > 0 else 'D'}"
        _label(canvas, text + ("?" if point in reading.unsure else ""), x, y, point in reading.unsure)
    for die in reading.dice:
        _label(canvas, str(die.value), die.x, die.y - 14, False)
        cv2.circle(canvas, (round(die.x), round(die.y)), 10, GREEN, 1)
    return canvas


def _outline(canvas: Picture, pixels: FloatArray, colour: tuple[int, int, int]) -> None:
    if np.isfinite(pixels).all():
        cv2.polylines(canvas, [np.round(pixels).astype(np.int32)], True, colour, 1, cv2.LINE_AA)


def _label(canvas: Picture, text: str, x: float, y: float, doubt: bool) -> None:
    if not text or not np.isfinite([x, y]).all():
        return
    place = (round(x) - 10, round(y) + 5)
    cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, BLACK, 3, cv2.LINE_AA)
    cv2.putText(
        canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, YELLOW if doubt else GREEN, 1, cv2.LINE_AA
    )
