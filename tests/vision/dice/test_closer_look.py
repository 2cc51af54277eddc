"""What a closer look at dice tells beside the looks before it."""

from functools import cache

import numpy as np
import pytest

from controller.vision.dice.spots import SpotTold
from controller.vision.looks import dice_told, with_dice_told
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from tests.rows import each_row
from tests.vision.boards import learned, picture

PLACE = (10.0, 20.0)


@cache
def scene() -> Reading:
    return read_board(picture("board1_002"), learned("board1"))


def look(*chances: float) -> Reading:
    """A reading of the same scene that tells a one, a two ... of one die with these chances."""
    return with_dice_told(scene(), {PLACE: SpotTold(np.array(chances), 0.0, PLACE)})


@each_row(
    ("before", "closer", "beside", "expected"),
    [
        ((0.6, 0.4), (0.1, 0.9), False, (0.1, 0.9)),
        ((0.6, 0.4), (0.2, 0.8), True, (0.4, 0.6)),
        ((0.99, 0.01), (0.01, 0.99), False, (0.5, 0.5)),
        ((0.01, 0.99), (0.005, 0.995), False, (0.005, 0.995)),
    ],
)
def test_a_closer_look_tells_alone_unless_it_is_one_beside_others_or_contradicts_what_they_are_sure_of(
    before: tuple[float, float], closer: tuple[float, float], beside: bool, expected: tuple[float, float]
) -> None:
    (told,) = dice_told([look(*before)], look(*closer), beside=beside).values()
    assert tuple(told.chances / told.chances.sum()) == pytest.approx(expected, abs=0.1)


def test_a_die_that_only_the_closer_look_found_is_as_it_tells() -> None:
    told = dice_told([with_dice_told(scene(), {})], look(0.2, 0.8), beside=True)
    assert tuple(told[PLACE].chances) == (0.2, 0.8)
