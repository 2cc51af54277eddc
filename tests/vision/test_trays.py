"""What trays tell of borne-off checkers, and how much that weighs."""

import numpy as np
import pytest

from controller.simulation.arranging import arrange
from controller.simulation.chance import random_setting
from controller.simulation.painter import Painter
from controller.simulation.positions import Position
from controller.simulation.scenes import START, start_scene
from controller.vision.appearance import learn_appearance
from controller.vision.trays import Colour, Off, off_likelihoods

# Nothing a tray shows weighs more than this (nats): a point that is plainly seen can overrule it.
MOST = 6.0
BEARING_OFF: tuple[Position, ...] = (START, Position.of([5, 2] + [0] * 20 + [-2, -3]))


def seen(seed: int, position: Position) -> dict[Colour, Off]:
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (960, 540))
    while not setting.geometry.trays:
        setting = random_setting(rng, (960, 540))
    painter = Painter(setting)
    starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(2)]
    look = learn_appearance(starts, setting.camera, setting.geometry, START.points)
    picture = painter.paint(arrange(setting, position, rng), rng).picture
    colours: tuple[Colour, ...] = ("light", "dark")
    return {
        colour: off_likelihoods(picture, setting.camera, setting.geometry, look, colour) for colour in colours
    }


@pytest.mark.parametrize("seed", range(4000, 4004))
@pytest.mark.parametrize("position", BEARING_OFF)
def test_trays_favour_some_number_but_never_rule_one_out(seed: int, position: Position) -> None:
    for off in seen(seed, position).values():
        assert off.scores.max() == 0
        assert off.scores.min() > -MOST


def test_most_trays_tell_whether_anything_was_borne_off() -> None:
    right = [
        (off.scores.argmax() > 0) == (position is not START)
        for seed in range(4000, 4006)
        for position in BEARING_OFF
        for off in seen(seed, position).values()
    ]
    assert np.mean(right) > 0.7
