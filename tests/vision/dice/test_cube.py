"""The cube: its number and whose it is."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from controller.arrays import Picture
from controller.simulation.boards.faces import CUBE_VALUES, CubeStyle, cube_face
from controller.simulation.boards.numerals import HERSHEY, Lettering
from controller.simulation.painting.box import Box, DistantLight, paint_box, resting, upright
from controller.vision.board.board import Board
from controller.vision.board.drift import settle
from controller.vision.dice.cube import find_cube, judge_cube
from controller.vision.dice.spots import SpotTold
from controller.vision.dice.views import CUBE_CLASSES
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.reading import CubeSeen
from tests.amounts import pairs
from tests.rows import each_row
from tests.vision.boards import learned, picture

PLAIN = Lettering(len(HERSHEY), 0.14, 0.3, 0.6, 0.0, 0.12, serif=False, open_four=False)
WHITE = CubeStyle(
    body=(235.0, 238.0, 240.0),
    ink=(20.0, 20.0, 20.0),
    trim=(0.0, 0.0, 0.0),
    frame="none",
    lettering=PLAIN,
    height=0.55,
    engraved=False,
    logo=False,
    marble=0.0,
    rounding=0.08,
    gloss=0.2,
    seed=1,
)
BLACK = replace(WHITE, body=(25.0, 25.0, 25.0), ink=(235.0, 235.0, 235.0))
LAMP = DistantLight((0.2, 0.2, 0.96), 0.15, 0.5)
SIDE_MM = 28.0


drawn_face = cache(cube_face)
"""Faces are drawn once: nobody changes them."""


def put(image: Picture, board: Board, style: CubeStyle, value: int, x: float, y: float, angle: float) -> None:
    """Paint a cube at (x, y) mm with ``value`` up."""
    others = [face for face in CUBE_VALUES if face != value]
    faces = [drawn_face(style, v) for v in (*others[:4], value, others[4])]
    turn = upright(angle)
    centre = resting(x, y, 0.0, SIDE_MM, turn)
    box = Box((centre[0], centre[1], centre[2]), turn, SIDE_MM, style.rounding, faces, style.gloss)
    paint_box(image, board.camera, box, LAMP, blur=0.5)


def read(image: Picture, board: Board) -> CubeSeen | None:
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    stands = settle(image, board, grid, bare)
    return find_cube(stands.lit, stands.camera, board.geometry)[0]


def without_cube(name: str) -> Picture:
    """A start picture whose cube, in the middle of the bar, is hidden by a piece of bar."""
    board, image = learned(name), picture(f"{name}_start").copy()
    camera = board.camera
    around = np.array([[x, y, 0.0] for x in (-24.0, 24.0) for y in (-32.0, 32.0)])
    pixels = np.rint(camera.project(around)).astype(int)
    left, top = pixels.min(axis=0)
    right, bottom = pixels.max(axis=0)
    beside = np.rint(camera.project(np.array([0.0, 70.0, 0.0]))).astype(int)
    image[top : bottom + 1, left : right + 1] = image[beside[1], beside[0]]
    return image


@each_row("style, angle", pairs([WHITE, BLACK], [0.1, 1.6, 3.2, 4.8]))
def test_the_number_and_the_side_are_read_in_every_turn(style: CubeStyle, angle: float) -> None:
    board, right = learned("board1"), 0
    for k, value in enumerate(CUBE_VALUES):
        image = without_cube("board1")
        side = 1 if k % 2 else -1
        put(image, board, style, value, 0.0, side * 190.0, angle)
        seen = read(image, board)
        assert seen is not None
        assert seen.owner == ("dark" if side > 0 else "light")
        right += seen.value == value
    assert right >= 5


@pytest.mark.parametrize("value", [2, 64])
def test_in_the_middle_it_is_worth_one_whatever_it_shows(value: int) -> None:
    board, image = learned("board1"), without_cube("board1")
    put(image, board, WHITE, value, 0.0, 4.0, 0.2)
    seen = read(image, board)
    assert seen is not None
    assert (seen.value, seen.owner, seen.face) == (1, "center", value)


@pytest.mark.parametrize("name", ["board1", "board3"])
def test_the_cube_of_a_start_position_is_centred(name: str) -> None:
    seen = read(picture(f"{name}_start"), learned(name))
    assert seen is not None
    assert (seen.value, seen.owner) == (1, "center")


def test_a_cube_beside_the_board_belongs_to_the_nearer_player() -> None:
    board, image = learned("board1"), without_cube("board1")
    put(image, board, WHITE, 8, -(board.geometry.surface_width_mm / 2 + 45), 150.0, 1.0)
    seen = read(image, board)
    assert seen is not None
    assert (seen.value, seen.owner) == (8, "dark")


def face(middle: tuple[float, float], nothing: float, two: float) -> SpotTold:
    """What a close look tells of a spot (mm): the chances of nothing and of a 2; other numbers share the rest."""
    rest = (1 - nothing - two) / (len(CUBE_CLASSES) - 1)
    return SpotTold(np.array([nothing, two, *[rest] * (len(CUBE_CLASSES) - 1)]), 0.0, middle)


def judge(middle: tuple[float, float], nothing: float, two: float) -> CubeSeen | None:
    board = learned("board1")
    return judge_cube([face(middle, nothing, two)], board.camera, board.geometry)


def test_a_number_that_is_doubtful_is_told_with_its_doubt() -> None:
    by_the_rail = (0.0, 0.97 * learned("board1").geometry.surface_height_mm / 2)
    seen = judge(by_the_rail, nothing=0.3, two=0.45)
    assert seen is not None
    assert (seen.value, seen.owner) == (2, "dark")
    assert seen.confidence < 0.6
    assert judge(by_the_rail, nothing=0.55, two=0.4) is None


def test_what_hardly_looks_like_a_cube_is_none_halfway_along_the_bar() -> None:
    halfway = (0.0, 0.55 * learned("board1").geometry.surface_height_mm / 2)
    assert judge(halfway, nothing=0.3, two=0.65) is None
    clear = judge(halfway, nothing=0.01, two=0.98)
    assert clear is not None
    assert clear.confidence > 0.85
    assert judge((0.0, 0.0), nothing=0.3, two=0.65) is not None


def test_without_a_cube_none_is_told() -> None:
    assert read(without_cube("board1"), learned("board1")) is None


def test_the_map_speaks_for_a_cube_that_the_close_look_hardly_sees() -> None:
    board = learned("board1")
    shares = np.array([0.52, 0.02, 0.02, 0.02, 0.02, 0.02, 0.36, 0.02])
    lying = [SpotTold(shares, 0.0, (0.0, 0.0), peak) for peak in (0.5, 0.8)]
    low, high = (judge_cube([one], board.camera, board.geometry) for one in lying)
    assert low is None
    assert high is not None
    assert (high.value, high.owner) == (1, "center")


def test_what_looks_like_a_cube_on_a_corner_of_the_frame_is_less_likely_than_one_in_its_place() -> None:
    board = learned("board1")
    corner = board.geometry.surface_width_mm / 2 + 20, board.geometry.surface_height_mm / 2 + 20
    fitting = SpotTold(np.array([0.05, 0, 0, 0, 0, 0, 0.95, 0]), 0.0, corner, 0.6)
    cube = SpotTold(np.array([0.25, 0, 0, 0, 0, 0, 0.75, 0]), 0.0, (0.0, 0.0), 0.6)
    told = judge_cube([fitting, cube], board.camera, board.geometry)
    assert told is not None
    assert told.owner == "center"
