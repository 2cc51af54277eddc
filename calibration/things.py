"""What lies on a board besides checkers in a calibration picture: it would be learned as a part of the board."""

from dataclasses import dataclass, replace

import numpy as np

from controller.arrays import Picture
from controller.vision import Board, Reading, read_board
from controller.vision.appearance import plain_appearance
from controller.vision.cube import BESIDE_BAR_MM, BY_RAIL_MM
from controller.vision.views import CUBE_VIEW

# Dice and cubes that are less certain are none: without them in the learned board, patterns look like them at times.
SURE = 0.9


@dataclass(frozen=True, slots=True)
class Things:
    """What lies there: the numbers of ``dice``, whether the ``cube`` lies among the points, and whether something
    large covers part of the board, such as a cup or a hand.
    """

    dice: tuple[int, ...] = ()
    cube: bool = False
    cover: bool = False


def find_things(picture: Picture, board: Board) -> Things:
    """Look for things in a picture, (h, w, 3), that a board was learned from.

    They are part of what was learned, so the picture is compared with a board whose points of one colour all look
    alike: they do not all have a die on them.
    """
    plain = replace(board, appearance=plain_appearance(board.appearance, board.geometry))
    reading = read_board(picture, plain)
    dice = tuple(die.value for die in reading.dice if die.confidence >= SURE)
    return Things(dice, _cube_lies_among_points(reading, board), reading.hand)


def _cube_lies_among_points(reading: Reading, board: Board) -> bool:
    """Whether the cube is seen on the surface, away from the bar and the rails."""
    cube = reading.cube
    if cube is None or cube.confidence < SURE:
        return False
    geometry = board.geometry
    x, y = np.abs(board.camera.to_board(np.array([cube.x, cube.y]), CUBE_VIEW.height_mm))
    beside = geometry.bar_mm / 2 + 2 * BESIDE_BAR_MM
    within = beside < x < geometry.surface_width_mm / 2 - BESIDE_BAR_MM
    return bool(within and y < geometry.surface_height_mm / 2 - BY_RAIL_MM)
