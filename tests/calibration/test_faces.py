"""Dice and cube that were shown to the table."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from calibration.faces import (
    CUBE_FACES,
    NUMBERS,
    FaceError,
    FaceFault,
    FacesSeen,
    FacesShown,
    learn_faces,
    look_at_faces,
)
from controller.arrays import Picture
from controller.vision import Board, read_board
from controller.vision.fitted.last_layer import LastLayer
from tests.amounts import amount
from tests.vision.boards import learned, picture
from tests.vision.dice.test_cube import WHITE, put, without_cube
from tests.vision.dice.test_dice import IVORY, throw

# Dice with small pips close to each other, in pictures that are 2.4 times as narrow: some numbers are misread.
TIGHT = replace(IVORY, spread=0.17, pip_radius=0.07)
SMALL = 2.4
PLAIN = 1.5


def small_board(smaller: float = SMALL) -> Board:
    board = learned("board1")
    size = int(board.camera.width / smaller), int(board.camera.height / smaller)
    return replace(board, camera=board.camera.resized(*size))


def dice(values: Sequence[int], seed: int, smaller: float = SMALL, ground: Picture | None = None) -> Picture:
    """A small picture of dice that lie somewhere in the two halves of the board, or of its picture ``ground``."""
    board, random = learned("board1"), np.random.default_rng(seed)
    image = (picture("board1_start") if ground is None else ground).copy()
    for value, x in zip(values, (-140.0, 140.0, -60.0), strict=False):
        throw(
            image,
            board,
            TIGHT,
            value,
            x + random.uniform(-30, 30),
            random.uniform(-30, 30),
            random.uniform(0, 6),
        )
    size = int(board.camera.width / smaller), int(board.camera.height / smaller)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


@cache
def shown(seed: int) -> tuple[FacesSeen, ...]:
    """A round of numbers, each in a picture of two dice."""
    return tuple(seen(number, (number, number), seed + number) for number in NUMBERS)


def seen(
    number: int, values: Sequence[int], seed: int, smaller: float = SMALL, *, sure: bool = False
) -> FacesSeen:
    """What is seen in a picture that is to show a number."""
    picture = dice(values, seed, smaller)
    return look_at_faces(FacesShown(f"the {number}", picture, number, sure=sure), small_board(smaller))


@cache
def plain(seed: int) -> tuple[FacesSeen, ...]:
    """A round in which every die is large enough for the network as it ships."""
    return tuple(seen(number, (number, number), seed + number, PLAIN) for number in NUMBERS)


def right(board: Board) -> int:
    """How many dice are read right that were not shown."""
    count = 0
    for seed in amount(range(4, 12), range(18)):
        values = 1 + seed % 6, 1 + (seed * 5 + 2) % 6
        told = sorted(die.value for die in read_board(dice(values, 100 + seed), board).dice)
        count += sum(value in told for value in values)
    return count


def test_dice_that_were_shown_are_read_better() -> None:
    board = small_board()
    rounds = amount((0,), (0, 20))
    faces = learn_faces([one for seed in rounds for one in shown(seed)], board)
    assert faces.dice == 2
    assert faces.read.shown == 12 * len(rounds)
    assert faces.cube is None
    assert faces.board.cube is None
    before, after = right(board), right(faces.board)
    assert after > before + 2


def test_what_belongs_to_another_network_is_passed_over() -> None:
    board, image = small_board(), dice((3, 5), 1)
    assert learned("board1").dice is None
    nonsense = LastLayer.from_weights("another", np.random.default_rng(1).normal(size=(7, 65)))
    assert read_board(image, replace(board, dice=nonsense)).dice == read_board(image, board).dice


def test_dice_that_are_tiny_in_the_pictures_teach_nothing() -> None:
    with pytest.raises(FaceError, match=r"only 5\.0 pixels wide .* move the camera closer") as caught:
        seen(1, (1, 1), 1, smaller=3.0)
    assert (caught.value.fault, caught.value.arguments) == (FaceFault.TINY, {"pixels": 5})


def test_a_number_that_nobody_showed_is_asked_for() -> None:
    with pytest.raises(FaceError, match="with the 4; give one"):
        learn_faces([one for one in shown(0) if one.number != 4], small_board())


def test_a_picture_with_fewer_dice_than_the_others_is_named() -> None:
    with pytest.raises(FaceError, match="the 3 shows 1 dice, the other pictures 2"):
        learn_faces([*shown(0)[:2], seen(3, (3,), 3), *shown(0)[3:]], small_board())


def test_a_picture_without_the_board_is_named() -> None:
    bare = np.full_like(dice((6, 6), 1), 90)
    with pytest.raises(FaceError, match="the 6 ") as caught:
        look_at_faces(FacesShown("the 6", bare, 6), small_board())
    assert caught.value.fault in {FaceFault.NO_BOARD, FaceFault.MOVED}


def test_one_die_with_another_number_than_was_said_is_left_out_and_named() -> None:
    muddled = [*plain(0)[:1], seen(2, (2, 5), 2, PLAIN), *plain(0)[2:]]
    faces = learn_faces(muddled, small_board(PLAIN))
    assert faces.left_out == (("the 2", 2, 5),)
    assert (faces.read.shown, faces.read.after) == (11, 11)
    told = read_board(dice((5, 2), 50, PLAIN), faces.board).dice
    assert sorted(die.value for die in told) == [2, 5]


def test_who_says_again_what_a_die_shows_is_believed() -> None:
    said = [*plain(0)[:1], seen(2, (2, 5), 2, PLAIN, sure=True), *plain(0)[2:]]
    assert learn_faces(said, small_board(PLAIN)).left_out == ()


def test_a_number_that_was_never_shown_though_it_was_said_is_named() -> None:
    muddled = [*plain(0)[:1], seen(2, (5, 5), 2, PLAIN), *plain(0)[2:]]
    with pytest.raises(FaceError, match="the 2 seems to show the 5, not the 2") as caught:
        learn_faces(muddled, small_board(PLAIN))
    assert caught.value.arguments == {"number": 2, "told": 5}


def test_dice_whose_numbers_are_all_mixed_up_teach_nothing() -> None:
    pairs = ((4, 6), (5, 1), (1, 2), (6, 3), (2, 4), (3, 5))
    mixed = [
        seen(number, pair, number, PLAIN, sure=True) for number, pair in zip(NUMBERS, pairs, strict=True)
    ]
    with pytest.raises(FaceError, match="nothing was learned") as caught:
        learn_faces(mixed, small_board(PLAIN))
    assert caught.value.fault is FaceFault.WORSE


def with_cube(face: int, y: float, angle: float) -> Picture:
    """The board with a cube on its bar."""
    image = without_cube("board1")
    put(image, learned("board1"), WHITE, face, 0.0, y, angle)
    return image


@cache
def cube_seen(number: int, face: int, angle: float) -> FacesSeen:
    """What is seen in a picture that is to show a number, and the cube with its face, but shows another ``face``."""
    image = dice((number,) * amount(1, 2), number, PLAIN, with_cube(face, 0, angle))
    shown = FacesShown(f"the {number}", image, number, CUBE_FACES[number], sure=True)
    return look_at_faces(shown, small_board(PLAIN))


def test_a_cube_whose_faces_are_mixed_up_teaches_nothing_but_the_dice_do() -> None:
    board = replace(small_board(PLAIN), cube=LastLayer.from_weights("another", np.zeros((8, 65))))
    right = [cube_seen(number, CUBE_FACES[number], 0.1) for number in NUMBERS]
    # The same looks, said to be another face.
    mixed = [
        replace(one, cube=other.cube and replace(other.cube, kind=one.cube.kind))
        for one, other in zip(right, [*right[1:], right[0]], strict=True)
        if one.cube is not None
    ]
    faces = learn_faces([*right, *mixed], board)
    assert faces.cube is not None
    assert faces.cube.worse
    assert faces.cube.after < faces.cube.before
    assert faces.board.cube == board.cube
    assert faces.board.dice is not None


def test_the_faces_of_a_cube_that_was_shown_are_read_however_it_lies() -> None:
    board = small_board(PLAIN)
    faces = learn_faces([cube_seen(number, CUBE_FACES[number], 0.1) for number in NUMBERS], board)
    assert faces.cube is not None
    assert (faces.cube.shown, faces.cube.after, faces.cube.worse) == (6, 6, False)
    assert faces.board.cube is not None
    for face, angle in ((4, 1.6), (16, 3.2), (64, 4.7)):
        cube = read_board(dice((), 1, PLAIN, with_cube(face, -190.0, angle)), faces.board).cube
        assert cube is not None
        assert (cube.value, cube.owner) == (face, "light")


def test_a_cube_that_was_to_be_shown_and_is_not_seen_is_asked_for() -> None:
    shown = FacesShown("the 1", dice((1, 1), 1, PLAIN, without_cube("board1")), 1, cube=2)
    with pytest.raises(FaceError, match="the 1 shows no cube") as caught:
        look_at_faces(shown, small_board(PLAIN))
    assert caught.value.fault is FaceFault.NO_CUBE
