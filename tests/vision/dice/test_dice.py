"""Dice: painted ones are read, and nothing else is taken for one."""

from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from controller.arrays import Float32Array, Picture
from controller.rules.position import START
from controller.simulation.boards.faces import DieStyle, die_face
from controller.simulation.painting.box import Box, DistantLight, paint_box, resting, upright
from controller.vision.board.board import Board
from controller.vision.board.drift import settle
from controller.vision.dice import dice
from controller.vision.dice.dice import CLOSE_LOOK, beside_ground, find_dice
from controller.vision.dice.patches import Sight
from controller.vision.dice.spots import draw_map, look_closely
from controller.vision.dice.views import DIE_VIEW, die_picture
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.reading import CubeSeen, DieSeen
from tests.amounts import pairs
from tests.rows import each_row
from tests.vision.boards import learned, picture

IVORY = DieStyle(
    body=(225.0, 240.0, 245.0),
    pips=(20.0, 20.0, 20.0),
    vein=(0.0, 0.0, 0.0),
    pip_radius=0.1,
    one_radius=0.1,
    spread=0.26,
    drilled=False,
    marble=0.0,
    clear=0.0,
    rounding=0.1,
    gloss=0.2,
    seed=1,
)
BLACK = replace(IVORY, body=(30.0, 28.0, 26.0), pips=(240.0, 240.0, 240.0))
RED = replace(IVORY, body=(30.0, 25.0, 190.0), pips=(240.0, 240.0, 240.0))
LAMP = DistantLight((0.3, 0.2, 0.93), 0.15, 0.5)
SIDE_MM = 15.0


drawn_face = cache(die_face)
"""Faces are drawn once: nobody changes them."""


def throw(
    image: Picture,
    board: Board,
    style: DieStyle,
    value: int,
    x: float,
    y: float,
    angle: float,
    *,
    side_mm: float = SIDE_MM,
) -> None:
    """Paint a die that lies on the surface at (x, y) mm."""
    others = [face for face in range(1, 7) if face not in (value, 7 - value)]
    faces = [drawn_face(style, v) for v in (*others, value, 7 - value)]
    turn = upright(angle)
    centre = resting(x, y, 0.0, side_mm, turn)
    box = Box((centre[0], centre[1], centre[2]), turn, side_mm, style.rounding, faces, style.gloss)
    paint_box(image, board.camera, box, LAMP, blur=0.5)


def read(image: Picture, board: Board, cube: CubeSeen | None = None) -> tuple[DieSeen, ...]:
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    stands = settle(image, board, grid, bare)
    return find_dice(stands.lit, stands.camera, board.geometry, board.appearance, START.points, cube)[0]


@each_row("name, style", pairs(["board1", "board3"], [IVORY, BLACK, RED]))
def test_painted_dice_are_read_with_their_places(name: str, style: DieStyle) -> None:
    board, rng = learned(name), np.random.default_rng(3)
    right = total = 0
    for first in range(1, 7):
        image = picture(f"{name}_start").copy()
        thrown = {}
        for value, x in ((first, -140.0), (1 + first % 6, 140.0)):
            y = rng.uniform(-25, 25)
            throw(image, board, style, value, x, y, rng.uniform(0, 6))
            thrown[value] = board.camera.project(np.array([x, y, SIDE_MM]))
        for die in read(image, board):
            total += 1
            if die.value in thrown:
                place = thrown[die.value]
                right += bool(np.hypot(die.x - place[0], die.y - place[1]) < 4)
                assert not die.cocked
    assert total == 12
    assert right >= 11


@pytest.mark.parametrize("name", ["board1_start", "board3_start", "board6_start"])
def test_no_die_is_seen_where_there_is_none(name: str) -> None:
    assert read(picture(name), learned(name.removesuffix("_start"))) == ()


def test_looks_from_beside_tell_more_of_dice_whose_place_a_mirrored_lamp_draws_away() -> None:
    board, rng = learned("board1"), np.random.default_rng(5)
    without: list[float] = []
    beside: list[float] = []
    for style in (IVORY, BLACK, RED):
        for value in range(1, 7):
            image, x, y = picture("board1_start").copy(), 100.0, rng.uniform(-25, 25)
            throw(image, board, style, value, x, y, rng.uniform(0, 6))
            way = rng.uniform(0, 6)
            spot = (x + 5 * float(np.cos(way)), y + 5 * float(np.sin(way)))
            column, row = np.rint(board.camera.project(np.array([*spot, SIDE_MM]))).astype(int).tolist()
            cv2.circle(image, (column, row), 2, (255, 255, 255), cv2.FILLED, cv2.LINE_AA)
            blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)
            for how, shares in ((replace(CLOSE_LOOK, shift_mm=0.0), without), (CLOSE_LOOK, beside)):
                chances = look_closely(how, Sight(blurred, board.camera), [spot])[spot].chances
                assert chances.argmax() == value
                shares.append(float(chances[value]))
    assert np.mean(beside) > np.mean(without) + 0.02


def test_a_mirror_tells_of_a_doubtful_number_and_nothing_of_whether_it_is_a_die() -> None:
    board, image = learned("board1"), picture("board1_start").copy()
    throw(image, board, IVORY, 2, 100.0, 10.0, 0.4)
    middle = board.camera.to_board(board.camera.project(np.array([100.0, 10.0, SIDE_MM])), DIE_VIEW.height_mm)
    spot = (float(middle[0]), float(middle[1]))
    size = board.camera.width // 4, board.camera.height // 4
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    turned = replace(CLOSE_LOOK, shift_mm=0.0, behind_mm=())
    for sight, differs in (
        (Sight(image, board.camera), False),
        (Sight(small, board.camera.resized(*size)), True),
    ):
        both = look_closely(turned, sight, [spot])[spot].chances
        plain = look_closely(replace(turned, mirrored=False), sight, [spot])[spot].chances
        assert both[0] == pytest.approx(plain[0], abs=1e-6)
        assert both.sum() == pytest.approx(1)
        assert (np.abs(both - plain).max() > 1e-3) == differs


@each_row("value", range(1, 7))
@each_row("x", [100.0, -140.0])
def test_a_die_is_found_behind_its_side_when_the_camera_is_slanted(x: float, value: int) -> None:
    board = learned("board3")
    image = picture("board3_start").copy()
    throw(image, board, IVORY, value, x, 10.0, 0.4)
    top = board.camera.to_board(board.camera.project(np.array([x, 10.0, SIDE_MM])), DIE_VIEW.height_mm)
    towards = board.camera.centre_mm[:2] - top
    side = top + 9 * towards / np.hypot(*towards)
    spot = (float(side[0]), float(side[1]))
    before = look_closely(replace(CLOSE_LOOK, behind_mm=()), Sight(image, board.camera), [spot])[spot]
    after = look_closely(CLOSE_LOOK, Sight(image, board.camera), [spot])[spot]
    assert before.chances.argmax() == 0
    assert after.chances.argmax() == value
    assert np.hypot(*np.subtract(after.middle, top)) < 2
    # Beside the die's own spot the one on its side tells nothing new.
    own = (float(top[0]), float(top[1]))
    both = look_closely(CLOSE_LOOK, Sight(image, board.camera), [own, spot])
    assert [one.chances.argmax() for one in both.values()] == [value, 0]


@each_row("name", ["board1", "board3"])
def test_nothing_is_found_behind_where_there_is_nothing(name: str) -> None:
    board, image, rng = learned(name), picture(f"{name}_start"), np.random.default_rng(4)
    spots = [(float(x), float(y)) for x, y in rng.uniform((-180, -120), (180, 120), (60, 2))]
    told = look_closely(CLOSE_LOOK, Sight(image, board.camera), spots)
    assert sum(one.chances.argmax() > 0 for one in told.values()) <= 1


def test_dice_of_two_kinds_tell_whose_they_are() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 2, 100.0, 0.0, 0.3)
    throw(image, board, BLACK, 5, -100.0, 0.0, 0.3)
    assert {die.value: die.owner for die in read(image, board)} == {2: "light", 5: "dark"}


def test_dice_of_one_kind_do_not_tell_whose_they_are() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, RED, 2, 100.0, 0.0, 0.3)
    throw(image, board, RED, 5, -100.0, 0.0, 0.3)
    assert {die.value: die.owner for die in read(image, board)} == {2: None, 5: None}


def test_what_is_the_cube_is_no_die() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 2, 100.0, 0.0, 0.3)
    throw(image, board, IVORY, 5, 140.0, 0.0, 0.3)
    x, y = board.camera.project(np.array([140.0, 0.0, SIDE_MM]))
    cube = CubeSeen(1, "center", 0.9, 64, float(x), float(y))
    assert sorted(die.value for die in read(image, board)) == [2, 5]
    assert [die.value for die in read(image, board, cube)] == [2]


def test_two_dice_that_touch_are_two() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 2, 100.0, 0.0, 0.0)
    throw(image, board, IVORY, 5, 100.0 + SIDE_MM + 0.5, 3.0, 0.0)
    assert sorted(die.value for die in read(image, board)) == [2, 5]


@each_row("numbers", [(6, 6), (1, 2), (3, 5), (4, 4)])
def test_two_large_dice_that_touch_one_before_the_other_are_two(numbers: tuple[int, int]) -> None:
    board = learned("board3")
    image = picture("board3_start").copy()
    for value, y in zip(numbers, (10.0, -9.2), strict=True):
        throw(image, board, IVORY, value, 100.0, y, 0.05, side_mm=19.0)
    assert sorted(die.value for die in read(image, board)) == sorted(numbers)


@each_row("numbers", [(6, 6), (1, 2), (3, 5), (4, 4), (2, 6), (1, 1)])
def test_two_small_dice_that_touch_are_two(numbers: tuple[int, int]) -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    for value, x in zip(numbers, (100.0, 110.2), strict=True):
        throw(image, board, BLACK, value, x, 3.0, 0.0, side_mm=10.0)
    assert len(read(image, board)) == 2


@each_row("value", range(1, 7))
def test_the_side_of_a_large_die_is_no_second_one(value: int) -> None:
    board = learned("board3")
    image = picture("board3_start").copy()
    throw(image, board, IVORY, value, 100.0, 10.0, 0.05, side_mm=19.0)
    throw(image, board, IVORY, 3, -140.0, 10.0, 0.4, side_mm=19.0)
    assert len(read(image, board)) == 2


def test_a_die_tells_how_probable_each_number_is() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 2, 100.0, 0.0, 0.3)
    throw(image, board, IVORY, 5, -100.0, 0.0, 0.3)
    for die in read(image, board):
        assert sum(die.shares) == pytest.approx(1.0)
        assert max(die.shares) == die.shares[die.value - 1] >= die.confidence


def test_dice_on_the_bar_are_seen() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, BLACK, 4, 0.0, 100.0, 0.5)
    throw(image, board, IVORY, 3, 0.0, -120.0, 0.2)
    assert sorted(die.value for die in read(image, board)) == [3, 4]


def test_the_fellow_of_a_die_is_found_where_the_map_hardly_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 4, 100.0, 0.0, 0.5)
    throw(image, board, IVORY, 3, -100.0, 0.0, 0.2)
    faint = {"left": 0.35, "right": 1.0}

    def dim(*args: Any) -> Float32Array:
        heat = draw_map(*args)
        middle = heat.shape[1] // 2
        heat[:, :middle] *= faint["left"]
        heat[:, middle:] *= faint["right"]
        return heat

    monkeypatch.setattr(dice, "draw_map", dim)
    assert sorted(die.value for die in read(image, board)) == [3, 4]
    faint["right"] = 0.35
    assert read(image, board) == ()


def test_dice_beside_the_board_do_not_count() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    beyond = board.geometry.surface_width_mm / 2 + 25
    throw(image, board, IVORY, 4, -beyond, 20.0, 0.5)
    assert read(image, board) == ()


def test_no_more_dice_are_told_than_a_game_has() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    for k in range(6):
        throw(image, board, IVORY, 1 + k, -200.0 + 75 * k, 10.0, 0.3 * k)
    dice = read(image, board)
    assert len(dice) == 4
    assert list(dice) == sorted(dice, key=lambda die: -die.confidence)


def test_a_die_of_which_half_is_hidden_is_left_out() -> None:
    board = learned("board1")
    image = picture("board1_start").copy()
    throw(image, board, IVORY, 6, 100.0, 0.0, 0.0)
    left, top = board.camera.project(np.array([100.0, 20.0, SIDE_MM])).astype(int)
    right, bottom = board.camera.project(np.array([130.0, -20.0, SIDE_MM])).astype(int)
    corner, other = (min(left, right), min(top, bottom)), (max(left, right), max(top, bottom))
    cv2.rectangle(image, tuple(map(int, corner)), tuple(map(int, other)), (90, 120, 180), -1)
    assert read(image, board) == ()


def test_the_map_is_drawn_of_what_its_network_learned_from() -> None:
    board = learned("board1")
    grid = surface_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    image = picture("board1_start")
    flat = grid.flatten(image, board.camera, DIE_VIEW.height_mm)
    ground = grid.lift(bare, grid, board.camera, DIE_VIEW.height_mm)
    assert (beside_ground(flat, ground) == die_picture(image, board.camera, grid, bare)).all()
