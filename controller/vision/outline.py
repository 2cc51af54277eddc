"""Where the whole board lies in the picture."""

import numpy as np

from controller.arrays import Picture
from controller.vision.board import Board

MARGIN = 0.04
"""Of the board's size in the picture, left free on each side for the frame of the board and high piles."""


def board_part(picture: Picture, board: Board) -> Picture:
    """The part of a picture, (h, w, 3), that shows the board, as a view."""
    height, width = picture.shape[:2]
    left, top, right, bottom = board_box(board, width, height)
    return picture[top:bottom, left:right]


def board_box(board: Board, width: int, height: int) -> tuple[int, int, int, int]:
    """The box around playing surface and trays in a picture of that size: left, top, right, bottom in pixels.

    The right and bottom ends are not in it. The whole picture if the board does not lie in it.
    """
    geometry = board.geometry
    half_x = geometry.surface_width_mm / 2
    half_y = geometry.surface_height_mm / 2
    tray = geometry.tray_gap_mm + geometry.tray_width_mm
    left = -half_x - (tray if "left" in geometry.trays else 0.0)
    right = half_x + (tray if "right" in geometry.trays else 0.0)
    corners = np.array([[x, y, 0.0] for x in (left, right) for y in (-half_y, half_y)])
    pixels = board.camera.project(corners)
    if not np.isfinite(pixels).all():
        return (0, 0, width, height)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    free = MARGIN * (high - low)
    (x0, y0), (x1, y1) = np.floor(low - free).astype(int), np.ceil(high + free).astype(int)
    box = (max(int(x0), 0), max(int(y0), 0), min(int(x1) + 1, width), min(int(y1) + 1, height))
    return box if box[0] < box[2] and box[1] < box[3] else (0, 0, width, height)
