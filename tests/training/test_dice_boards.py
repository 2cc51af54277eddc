"""Painted boards with dice to learn from."""

import numpy as np
import pytest

from calibration.training.dice.dice_boards import painted_scenes
from calibration.training.dice.dice_scenes import DiceScene
from controller.vision.board.board import Board
from tests.amounts import amount


@pytest.fixture(scope="module")
def made() -> tuple[Board, list[DiceScene]]:
    return painted_scenes(3, amount(2, 4))


def test_boards_are_the_same_for_the_same_seed(made: tuple[Board, list[DiceScene]]) -> None:
    again = painted_scenes(3, 1)[1][0]
    assert again.things == made[1][0].things
    assert np.array_equal(again.picture, made[1][0].picture)
    assert painted_scenes(4, 1)[1][0].things != again.things


def test_dice_lie_on_the_board_and_not_in_one_another(made: tuple[Board, list[DiceScene]]) -> None:
    board, scenes = made
    geometry = board.geometry
    seen = 0
    for scene in scenes:
        dice = [thing for thing in scene.things if thing.kind == "die"]
        spots = [board.camera.to_board(np.array([die.x, die.y]), 15.0) for die in dice]
        seen += len(dice)
        for number, (x, y) in enumerate(spots):
            assert abs(x) < geometry.surface_width_mm / 2 + 12
            assert abs(y) < geometry.surface_height_mm / 2 + 12
            assert all(np.hypot(x - a, y - b) > 6 for a, b in spots[:number])
    assert seen >= 2 * len(scenes)


def test_what_is_seen_lies_in_the_picture(made: tuple[Board, list[DiceScene]]) -> None:
    for scene in made[1]:
        rows, columns, _ = scene.picture.shape
        for thing in scene.things:
            assert 0 <= thing.visible <= 1
            if thing.visible > 0.5:
                assert -0.5 <= thing.x < columns
                assert -0.5 <= thing.y < rows
        assert scene.checkers
