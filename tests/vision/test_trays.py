"""What trays tell of borne-off checkers, and how much that weighs."""

from functools import cache

import numpy as np
import pytest

from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import START, start_scene
from controller.simulation.painting.painter import Painter
from controller.vision.appearance import learn_appearance
from controller.vision.trays import (
    ALL_TRAYS,
    BEARING_OFF,
    UNDER_WAY,
    Colour,
    Off,
    odds_of,
    off_likelihoods,
    tray_profile,
)

COLOURS: tuple[Colour, ...] = ("light", "dark")
# Nothing a tray shows weighs more than this (nats): a point that is plainly seen can overrule it.
MOST = 8.0
SEEDS = range(4000, 4004)
POSITIONS: tuple[Position, ...] = (START, Position.of([5, 2] + [0] * 20 + [-2, -3]))


@cache
def seen(seed: int, position: Position) -> dict[Colour, Off]:
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (960, 540))
    while not setting.geometry.trays:
        setting = random_setting(rng, (960, 540))
    painter = Painter(setting)
    starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(2)]
    look = learn_appearance(starts, setting.camera, setting.geometry, START.points)
    picture = painter.paint(arrange(setting, position, rng), rng).picture
    profiles = {
        tray: tray_profile(picture, setting.camera, setting.geometry, look, tray) for tray in ALL_TRAYS
    }
    odds = UNDER_WAY if position is START else BEARING_OFF
    return {
        colour: off_likelihoods(profiles, setting.camera, setting.geometry, colour, odds)
        for colour in COLOURS
    }


def plain(position: Position) -> tuple[list[dict[int, float]], dict[tuple[int, int], float]]:
    """Log-likelihoods of points and bar as where everything is plainly seen."""
    points = [{count: 0.0, 0 if count else 1: -9.0} for count in position.points]
    return points, {(position.bar(Side.LIGHT), position.bar(Side.DARK)): 0.0, (3, 3): -9.0}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("position", POSITIONS)
def test_trays_favour_some_number_but_never_rule_one_out(seed: int, position: Position) -> None:
    for off in seen(seed, position).values():
        assert off.scores.max() == 0
        assert off.scores.min() > -MOST


def test_most_trays_tell_whether_anything_was_borne_off() -> None:
    right = [
        (off.scores.argmax() > 0) == (position is not START)
        for seed in SEEDS
        for position in POSITIONS
        for off in seen(seed, position).values()
    ]
    assert np.mean(right) > 0.7


def test_a_side_with_a_checker_outside_or_on_the_bar_is_not_bearing_off() -> None:
    home = Position.of([5, 2] + [0] * 16 + [-2, -3] + [0] * 4)
    outside = Position.of([5, 2] + [0] * 15 + [-2, -3] + [0] * 5)
    hit = Position.of([5, 2] + [0] * 16 + [-2, -3] + [0] * 4, 1, 0)
    assert [odds_of(*plain(home), colour) for colour in COLOURS] == [BEARING_OFF, BEARING_OFF]
    assert [odds_of(*plain(outside), colour) for colour in COLOURS] == [BEARING_OFF, UNDER_WAY]
    assert [odds_of(*plain(hit), colour) for colour in COLOURS] == [UNDER_WAY, BEARING_OFF]
