"""What trays tell of borne-off checkers, and how much that weighs."""

from dataclasses import astuple, replace
from functools import cache

import numpy as np
import pytest

from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import START, start_scene
from controller.simulation.painting.painter import Painter
from controller.vision.counting.appearance import Appearance, learn_appearance
from controller.vision.counting.counts import FIFTEEN, CheckerSet
from controller.vision.counting.trays import (
    ALL_TRAYS,
    BEARING_OFF,
    UNDER_WAY,
    Colour,
    Odds,
    Off,
    odds_of,
    off_likelihoods,
    tray_profile,
)
from tests.amounts import amount
from tests.rows import each_row
from tests.vision.boards import learned

COLOURS: tuple[Colour, ...] = ("light", "dark")
# Nothing a tray shows weighs more than this (nats): a point that is plainly seen can overrule it.
MOST = 8.0
SEEDS = amount(range(4000, 4003), range(4000, 4004))
POSITIONS: tuple[Position, ...] = (START, Position.from_counts([5, 2] + [0] * 20 + [-2, -3]))


@cache
def learned_table(seed: int) -> tuple[Painter, Appearance]:
    """A table whose board has trays, and how it looks."""
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (960, 540))
    while not setting.geometry.trays:
        setting = random_setting(rng, (960, 540))
    painter = Painter(setting)
    starts = [painter.paint(start_scene(setting, rng), rng).picture for _ in range(amount(1, 2))]
    return painter, learn_appearance(starts, setting.camera, setting.geometry, START.points)


@cache
def seen(seed: int, position: Position) -> dict[Colour, Off]:
    (painter, look), rng = learned_table(seed), np.random.default_rng(seed)
    setting = painter.setting
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


@each_row("seed", SEEDS)
@each_row("position", POSITIONS)
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


def odds(position: Position, checkers: CheckerSet = FIFTEEN) -> list[Odds]:
    """Light's and dark's where everything is plainly seen, as nearly as they can be told."""
    return [odds_of(*plain(position), colour, checkers) for colour in COLOURS]


def nearly(expected: Odds) -> object:
    return pytest.approx(astuple(expected), abs=0.15)


def test_a_side_with_a_checker_outside_or_on_the_bar_is_not_bearing_off() -> None:
    home = Position.from_counts([5, 2] + [0] * 16 + [-2, -3] + [0] * 4)
    outside = Position.from_counts([5, 2] + [0] * 15 + [-2, -3] + [0] * 5)
    hit = Position.from_counts([5, 2] + [0] * 16 + [-2, -3] + [0] * 4, 1, 0)
    for position, light, dark in (
        (home, BEARING_OFF, BEARING_OFF),
        (outside, BEARING_OFF, UNDER_WAY),
        (hit, UNDER_WAY, BEARING_OFF),
    ):
        assert [astuple(one) for one in odds(position)] == [nearly(light), nearly(dark)]


def test_where_both_sides_go_the_same_way_dark_bears_off_from_another_home() -> None:
    parallel = CheckerSet(dark_home=frozenset(range(13, 19)))
    there = Position.from_counts([5, 2] + [0] * 10 + [-2, -3] + [0] * 10)
    assert astuple(odds(there)[1]) == nearly(UNDER_WAY)
    assert astuple(odds(there, parallel)[1]) == nearly(BEARING_OFF)


def test_it_is_as_doubtful_whether_a_side_bears_off_as_whether_it_has_a_checker_outside() -> None:
    points, bar = plain(Position.from_counts([5, 2] + [0] * 20 + [-2, -3]))
    points[10] = {0: 0.0, 1: -0.5}
    light, dark = (odds_of(points, bar, colour, FIFTEEN) for colour in COLOURS)
    assert astuple(dark) == nearly(BEARING_OFF)
    assert BEARING_OFF.unseen + 0.3 < light.unseen < UNDER_WAY.unseen - 1


def test_that_many_are_off_while_one_is_outside_is_less_likely_than_that_one_is() -> None:
    board, profiles = learned("board1"), dict.fromkeys(ALL_TRAYS, np.zeros(100))
    geometry = replace(board.geometry, trays=())
    light = off_likelihoods(profiles, board.camera, geometry, "light", UNDER_WAY)
    assert light.assumed
    assert (np.diff(light.scores) <= 0).all()
    assert light.scores[10] < light.scores[1] - 1
    bearing = off_likelihoods(profiles, board.camera, geometry, "light", BEARING_OFF)
    assert (np.diff(bearing.scores[1:]) == 0).all()
