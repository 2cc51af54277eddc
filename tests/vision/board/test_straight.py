"""Pictures of a board drawn straight, the way round that the pages draw it."""

import cv2
import numpy as np
import pytest

from controller.app.room import home_in_picture
from controller.vision.board.board import board_part, point_segments
from controller.vision.board.straight import SIZE, straighten
from controller.vision.geometry.geometry import Home
from tests.record.evidence.test_dispute_page import board_seen

CORNERS = {1: (0, 0, 255), 12: (0, 255, 0), 13: (255, 0, 0), 24: (0, 255, 255)}
"""By the point beside it, the colour of a patch at the rim."""
OUTSIDE = 40


@pytest.mark.parametrize("home", ["left", "right"])
@pytest.mark.parametrize("quarters", range(4))
def test_a_board_comes_to_lie_as_it_is_drawn_however_the_camera_is_turned_and_is_never_mirrored(
    home: Home, quarters: int
) -> None:
    board = board_seen(home, quarters)
    seen = np.full((1280, 1280, 3), 90, np.uint8)
    for (x, y), colour in zip(board.camera.project(board.geometry.corners()), CORNERS.values(), strict=True):
        cv2.circle(seen, (round(x), round(y)), 14, colour, -1)
    segments = point_segments(board)
    assert segments is not None
    light_home = home_in_picture(board)
    flat = straighten(board_part(seen, board), segments, light_home)
    assert (flat.shape[1], flat.shape[0]) == SIZE
    down, across = light_home.split("-")
    for point, colour in CORNERS.items():
        at_home = point in (1, 24)
        right = at_home == (across == "right")
        bottom = (point in (1, 12)) == (down == "bottom")
        x, y = (730 if right else 75), (575 if bottom else 25)
        part = flat[max(0, y - OUTSIDE) : y + OUTSIDE, max(0, x - OUTSIDE) : x + OUTSIDE].reshape(-1, 3)
        assert (np.abs(part.astype(int) - colour).sum(axis=1) < 60).any(), (point, light_home)
