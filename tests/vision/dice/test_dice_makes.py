"""Dice of makes that no lesson showed: their sixes have rows that are nearer than the corners of a four."""

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.simulation.boards.makes import DieMake, die_of, kept_back_makes
from controller.simulation.painting.box import Box, DistantLight, paint_box, resting, upright
from controller.vision.board.board import Board
from controller.vision.reading import DieSeen
from tests.amounts import amount
from tests.rows import each_row
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import drawn_face, read

Random = np.random.Generator

LAMP = DistantLight((0.3, 0.2, 0.93), 0.2, 0.5)
# Dice whose faces are smaller in the picture are not asked for.
LEAST_PX = 13.0
NEAR_PX = 8.0
SURE = 0.9


def _throw(
    image: Picture, board: Board, make: DieMake, value: int, place: FloatArray, rng: Random
) -> FloatArray:
    """Paint a die of a make that lies level; returns the pixel of its upper face's middle."""
    style = die_of(make, rng)
    others = [face for face in range(1, 7) if face not in (value, 7 - value)]
    faces = [drawn_face(style, one) for one in (*others, value, 7 - value)]
    turn = upright(float(rng.uniform(0, 2 * np.pi)))
    x, y, z = resting(float(place[0]), float(place[1]), 0.0, make.side_mm, turn)
    box = Box((x, y, z), turn, make.side_mm, style.rounding, faces, style.gloss, style.clear)
    paint_box(image, board.camera, box, LAMP, blur=0.4)
    return np.asarray(board.camera.project(np.array([x, y, z + make.side_mm / 2])), float)


def _width_px(board: Board, make: DieMake, place: FloatArray) -> float:
    ends = [[place[0] + share * make.side_mm, place[1], make.side_mm] for share in (-0.5, 0.5)]
    left, right = board.camera.project(np.array(ends))
    return float(np.hypot(*(right - left)))


def _told(dice: tuple[DieSeen, ...], place: FloatArray) -> DieSeen | None:
    near = [die for die in dice if np.hypot(die.x - place[0], die.y - place[1]) < NEAR_PX]
    return near[0] if near else None


def _thrown(name: str, values: tuple[int, int], seed: int) -> list[tuple[int, DieSeen | None]]:
    """What is told of each of two dice of every make on a board, with its true value."""
    board, rng, answers = learned(name), np.random.default_rng(seed), []
    for make in kept_back_makes():
        image = picture(f"{name}_start").copy()
        middles = [np.array([side, 0.0]) + rng.uniform(-30, 30, 2) for side in (-140.0, 140.0)]
        seen = [
            _throw(image, board, make, value, middle, rng)
            for value, middle in zip(values, middles, strict=True)
        ]
        dice = read(image, board)
        answers += [
            (value, _told(dice, place))
            for value, middle, place in zip(values, middles, seen, strict=True)
            if _width_px(board, make, middle) >= LEAST_PX
        ]
    return answers


@each_row("values", amount([(6, 6)], [(6, 6), (4, 6)]))
def test_sixes_of_makes_that_no_lesson_showed_are_read(values: tuple[int, int]) -> None:
    answers = [one for name in ("board1", "board3") for one in _thrown(name, values, 7)]
    assert len(answers) > 20
    right = sum(die is not None and die.value == value for value, die in answers)
    assert right >= 0.97 * len(answers)
    assert not [
        (value, die)
        for value, die in answers
        if die is not None and die.value != value and die.confidence >= SURE
    ]


def test_the_other_numbers_of_these_makes_are_read() -> None:
    answers = [one for values in ((1, 2), (3, 5)) for one in _thrown("board3", values, 8)]
    right = sum(die is not None and die.value == value for value, die in answers)
    assert right >= 0.95 * len(answers)
