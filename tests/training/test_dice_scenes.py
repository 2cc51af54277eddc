"""What dice and cubes are learned from."""

import numpy as np
import pytest

from calibration.training.dice.dice_cuts import KEPT, Lesson, cut
from calibration.training.dice.dice_scenes import DiceScene, Stock, compose, draw_stock, things_of
from controller.simulation.boards.faces import CUBE_VALUES
from tests.vision.boards import learned, picture


@pytest.fixture(scope="module")
def stock() -> Stock:
    return draw_stock(np.random.default_rng(1), 4, 3)


def lesson(stock: Stock, seed: int) -> tuple[DiceScene, Lesson]:
    rng = np.random.default_rng(seed)
    board = learned("board1")
    scene = compose(DiceScene(picture("board1_start"), ()), board, stock, rng)
    return scene, cut(scene, board, rng)


def test_a_scene_is_the_same_for_the_same_seed(stock: Stock) -> None:
    one, other, different = lesson(stock, 1)[0], lesson(stock, 1)[0], lesson(stock, 2)[0]
    assert one.things == other.things
    assert np.array_equal(one.picture, other.picture)
    assert one.things != different.things


def test_every_painted_die_is_shown_with_its_number(stock: Stock) -> None:
    for seed in range(3):
        scene, cuts = lesson(stock, seed)
        dice = [thing for thing in scene.things if thing.kind == "die" and thing.visible]
        assert dice
        assert [patch.value for patch in cuts.dice][: len(dice)] == [thing.value for thing in dice]
        assert len(cuts.dice_map.spots) == len(dice)
        assert all(patch.picture.shape == (KEPT, KEPT, 3) for patch in cuts.dice + cuts.cubes)


def test_cubes_show_faces_a_cube_has(stock: Stock) -> None:
    cuts = [lesson(stock, seed)[1] for seed in range(3)]
    values = {patch.value for one in cuts for patch in one.cubes}
    assert values - {0}
    assert values <= {0, 1, *CUBE_VALUES}


def test_what_is_hidden_is_no_die_to_learn() -> None:
    truth = {
        "dice": [
            {"value": 3, "x": 400.0, "y": 300.0, "visible": 0.2},
            {"value": 5, "x": 600.0, "y": 300.0, "visible": 0.6},
            {"value": 6, "x": 500.0, "y": 330.0, "visible": 1.0},
        ],
        "cube": None,
    }
    scene = DiceScene(picture("board1_start"), things_of(truth))
    cuts = cut(scene, learned("board1"), np.random.default_rng(0))
    assert [patch.value for patch in cuts.dice][:2] == [0, 6]
    assert cuts.dice_map.spots[:, 2].tolist() == [0, 0, 1]
