"""What lies on a board besides checkers in a calibration picture: it shall not be learned as a part of the board."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision import Board, Reading, read_board
from controller.vision.counting.appearance import Obstacle, clear_ground, plain_appearance
from controller.vision.dice.cube import BESIDE_BAR_MM, BY_RAIL_MM, cube_spot
from controller.vision.dice.views import CUBE_VIEW, DIE_VIEW
from controller.vision.geometry.board_grid import STEP_MM
from controller.vision.reading import CubeSeen, DieSeen

# Dice and cubes that are less certain are none: without them in the learned board, patterns look like them at times.
SURE = 0.9
# A cup or a hand differs by this many grey levels from the bare board, in a square so wide at least.
STRANGE, LARGE_MM = 25, 24.0
# What a die or a cube and its shadow hide, around its middle.
DIE_REACH_MM, CUBE_REACH_MM = 16.0, 26.0


@dataclass(frozen=True, slots=True)
class Things:
    """What lies there: ``dice``, the ``cube`` if it lies among the points, and whether something large covers part of
    the board, such as a cup or a hand.
    """

    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    cover: bool = False

    def __bool__(self) -> bool:
        """Whether anything lies there."""
        return bool(self.dice) or self.cube is not None or self.cover


def find_things(picture: Picture, board: Board) -> Things:
    """Look for things in a picture, (h, w, 3), that a board was learned from.

    They are part of what was learned, so the picture is compared with a board whose points of one colour all look
    alike: they do not all have a die on them.
    """
    plain = replace(board, appearance=plain_appearance(board.appearance, board.geometry))
    reading = read_board(picture, plain)
    dice = tuple(die for die in reading.dice if die.confidence >= SURE)
    cover = reading.hand and _has_large_patch(board.appearance.bare, plain.appearance.bare)
    return Things(dice, _cube_among_points(reading, board), cover)


def clear_things(board: Board, things: Sequence[Things]) -> Board:
    """The board learned without the dice and cubes that were found on it: there it looks like its other points."""

    def standing(one: DieSeen | CubeSeen, height_mm: float, reach_mm: float) -> Obstacle:
        x, y = board.camera.to_board(np.array([one.x, one.y]), height_mm).tolist()
        return Obstacle(x, y, height_mm, reach_mm)

    dice = [die for lying in things for die in lying.dice]
    cubes = [lying.cube for lying in things if lying.cube is not None]
    spots = [
        *(standing(die, DIE_VIEW.height_mm, DIE_REACH_MM) for die in dice),
        *(standing(cube, CUBE_VIEW.height_mm, CUBE_REACH_MM) for cube in cubes),
    ]
    if not spots:
        return board
    return replace(board, appearance=clear_ground(board.appearance, board.camera, board.geometry, spots))


def _has_large_patch(bare: Picture, usual: Picture) -> bool:
    """Whether somewhere on the bare board all of a large square is plainly unlike other points of its colour."""
    strange = np.asarray(cv2.absdiff(bare, usual).max(axis=2) > STRANGE, np.uint8)
    size = round(LARGE_MM / STEP_MM)
    return bool(cv2.erode(strange, np.ones((size, size), np.uint8), borderValue=0).any())


def _cube_among_points(reading: Reading, board: Board) -> CubeSeen | None:
    """The cube if it is seen on the surface, away from the bar and the rails."""
    cube = reading.cube
    if cube is None or cube.confidence < SURE:
        return None
    geometry = board.geometry
    x, y = np.abs(cube_spot(board.camera, cube))
    beside = geometry.bar_mm / 2 + 2 * BESIDE_BAR_MM
    within = beside < x < geometry.surface_width_mm / 2 - BESIDE_BAR_MM
    return cube if within and y < geometry.surface_height_mm / 2 - BY_RAIL_MM else None
