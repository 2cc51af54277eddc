"""A picture of a board drawn straight, as seen from above, lying and proportioned as the pages draw it."""

from typing import Final

import cv2
import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.board.board import Board, PointSegments, board_part, point_segments

SIZE: Final = (805, 600)
"""Width and height: half of what a board measures in the pages' drawing, so that both can lie side by side."""
EDGE: Final = (75.0, 25.0)
"""From the left and the upper edge to the playing surface: trays and rim."""
COLUMN: Final = 50.0
BAR: Final = 55.0
DEPTH: Final = 550.0


def clockwise(segments: PointSegments) -> bool:
    """Whether light's 1-, 12-, 13- and 24-point follow each other clockwise in the picture."""
    x, y = np.array([segments[point - 1][:2] for point in (1, 12, 13, 24)], float).T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) > 0


def straighten(picture: Picture, segments: PointSegments, light_home: str) -> Picture:
    """The board in a picture that is cut to it, (600, 805, 3), with light's home where ``light_home`` says.

    ``segments`` says where its points lie in the picture; ``light_home`` is ``bottom-right`` or the like. A board is
    never mirrored: where that place would ask for it, light's home lies at the other end of the same long side.
    """
    front_is_light = light_home.startswith("bottom")
    home_right = clockwise(segments) == front_is_light
    wanted = np.array([_rim(point, front_is_light, home_right) for point in range(1, 25)])
    size = np.array([picture.shape[1], picture.shape[0]])
    seen = np.array([place[:2] for place in segments], float) / 1000 * size
    there, _ = cv2.findHomography(seen, wanted)
    return np.asarray(cv2.warpPerspective(picture, there, SIZE, flags=cv2.INTER_AREA), np.uint8)


def straight_board(picture: Picture, board: Board, light_home: str) -> Picture:
    """The board in a camera's picture, as `straighten` draws it; the whole picture where nobody knows its points."""
    segments = point_segments(board)
    return picture if segments is None else straighten(board_part(picture, board), segments, light_home)


def _rim(point: int, front_is_light: bool, home_right: bool) -> FloatArray:
    """Where the middle of a point meets the rim."""
    own = point if front_is_light else 25 - point
    from_left = 12 - own if own <= 12 else own - 13
    column = from_left if home_right else 11 - from_left
    x = EDGE[0] + (column + 0.5) * COLUMN + (BAR if column >= 6 else 0.0)
    return np.array([x, EDGE[1] + (DEPTH if own <= 12 else 0.0)])
