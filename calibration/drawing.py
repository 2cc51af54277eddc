"""Draws what was found over the picture, for people to look at."""

import math

import cv2
import numpy as np

from calibration.finder import Found
from calibration.fit import AROUND, RIM_SEEN
from calibration.home import paler_home_place
from controller.arrays import FloatArray, Picture
from controller.vision import Board, BoardGeometry, CameraModel, Reading
from controller.vision.geometry.board_grid import moved
from controller.vision.geometry.geometry import FLAT_ROW

GREEN, RED, BLUE, YELLOW, BLACK = (0, 200, 0), (0, 0, 230), (230, 120, 0), (0, 220, 255), (0, 0, 0)
FONT = cv2.FONT_HERSHEY_SIMPLEX
# A capital of the font at scale 1, and how tall those of the labels are at least and at most, in pixels.
CAPITAL_PIXELS, LEAST_TALL, MOST_TALL = 22, 16.0, 60.0
OWNERS = {"center": "", "light": " L", "dark": " D"}
SIGNS_X, SIGNS_Y = np.array([-1, 1, 1, -1]), np.array([-1, -1, 1, 1])


def draw_found(picture: Picture, found: Found | None) -> Picture:
    """The picture with the surface in blue and the checkers in green where a rim was seen, else in red.

    It says where the home board of the paler checkers lies.
    What was ``found`` may be told in a picture of another size.
    """
    canvas = picture.copy()
    if found is None:
        return canvas
    found = found.resized(picture.shape[1], picture.shape[0])
    camera, geometry = found.fit.camera, found.fit.geometry
    _outline(canvas, camera.project(geometry.corners()), BLUE)
    for slot, rim in zip(found.slots, found.refined.rims, strict=True):
        around = camera.project_circle(geometry.slot(*slot), geometry.checker_diameter_mm / 2, AROUND)
        _outline(canvas, around, GREEN if rim.strength > RIM_SEEN else RED)
    _label(canvas, "home of the paler checkers", paler_home_place(found), LEAST_TALL, GREEN)
    return canvas


def draw_reading(picture: Picture, board: Board, reading: Reading) -> Picture:
    """The picture with an outline and a count for every point, checkers, bar, dice and cube; yellow where unsure."""
    canvas = picture.copy()
    camera, geometry = _camera(board, reading), board.geometry
    diameter = geometry.checker_diameter_mm
    across = camera.project(np.array([[-diameter / 2, 0, 0], [diameter / 2, 0, 0]]))
    tall = float(np.clip(0.45 * np.hypot(*(across[1] - across[0])), LEAST_TALL, MOST_TALL))
    _outline(canvas, camera.project(geometry.corners()), BLUE)
    for point, count in enumerate(reading.points, start=1):
        colour = YELLOW if point in reading.unsure else GREEN
        _outline(canvas, camera.project(_triangle(geometry, point)), BLUE)
        for number in range(abs(count)):
            spot = geometry.slot(point, number % FLAT_ROW, number // FLAT_ROW)
            _outline(canvas, camera.project_circle(spot, diameter / 2, AROUND), colour)
        spot = geometry.slot(point, 0) * [1, 1, 0]
        spot[1] += geometry.side_of(point) * 0.9 * diameter
        text = _checkers(count) + ("?" if point in reading.unsure else "")
        _label(canvas, text, camera.project(spot), tall, colour)
    bar = geometry.bar_mm / 2 * SIGNS_X, geometry.surface_height_mm / 2 * SIGNS_Y, np.zeros(4)
    _outline(canvas, camera.project(np.stack(bar, axis=1)), BLUE)
    on_bar = f"{_checkers(reading.bar.light or 0)} {_checkers(-(reading.bar.dark or 0))}".strip()
    middle = np.array([0.0, -geometry.surface_height_mm / 4, geometry.checker_thickness_mm])
    _label(canvas, on_bar and f"bar {on_bar}", camera.project(middle), tall, GREEN)
    for die in reading.dice:
        cv2.circle(canvas, (round(die.x), round(die.y)), round(0.5 * tall), GREEN, 2, cv2.LINE_AA)
        text = f"{die.value}{' cocked' if die.cocked else ''}"
        _label(canvas, text, np.array([die.x, die.y - 1.3 * tall]), tall, GREEN)
    if reading.cube is not None:
        text = f"cube {reading.cube.value}{OWNERS[reading.cube.owner]}"
        _label(canvas, text, np.array([reading.cube.x, reading.cube.y - 1.8 * tall]), tall, GREEN)
    return canvas


def _camera(board: Board, reading: Reading) -> CameraModel:
    """The camera as it stands to the board in this picture, pushed or not."""
    if reading.drift is None:
        return board.camera
    drift = reading.drift
    return moved(board.camera, drift.x_mm, drift.y_mm, math.radians(drift.turn_deg))


def _triangle(geometry: BoardGeometry, point: int) -> FloatArray:
    """A point of the board as it is printed, (3, 3) in mm: its corners at the edge, and its tip five checkers in."""
    x, side = geometry.column_x(point), geometry.side_of(point)
    edge = geometry.surface_height_mm / 2
    half, tip = geometry.pitch_mm / 2, edge - FLAT_ROW * geometry.row_pitch_mm
    return np.array([[x - half, side * edge, 0], [x + half, side * edge, 0], [x, side * tip, 0]])


def _checkers(count: int) -> str:
    return "" if count == 0 else f"{abs(count)}{'L' if count > 0 else 'D'}"


def _outline(canvas: Picture, pixels: FloatArray, colour: tuple[int, int, int]) -> None:
    if np.isfinite(pixels).all():
        cv2.polylines(canvas, [np.round(pixels).astype(np.int32)], True, colour, 1, cv2.LINE_AA)


def _label(canvas: Picture, text: str, middle: FloatArray, tall: float, colour: tuple[int, int, int]) -> None:
    """Write a text in capitals of this height (pixels) around a place, as far inside the picture as it fits."""
    if not text or not np.isfinite(middle).all():
        return
    scale, thick = tall / CAPITAL_PIXELS, max(2, round(tall / 10))
    (width, height), _ = cv2.getTextSize(text, FONT, scale, thick)
    x = int(np.clip(middle[0] - width / 2, 0, max(0, canvas.shape[1] - width)))
    y = int(np.clip(middle[1] + height / 2, height, canvas.shape[0] - 1))
    cv2.putText(canvas, text, (x, y), FONT, scale, BLACK, thick + 4, cv2.LINE_AA)
    cv2.putText(canvas, text, (x, y), FONT, scale, colour, thick, cv2.LINE_AA)
