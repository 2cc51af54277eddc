"""What lies on a board besides checkers is named, and not learned as a part of it."""

from dataclasses import replace
from functools import cache

import numpy as np

from calibration.calibrate import Calibration, CalibrationPicture, DoubtKind, calibrate
from calibration.things import find_things
from controller.arrays import Picture
from controller.rules import START
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scene import Cup, Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.painter import Painter
from controller.vision.reader import read_board
from tests.amounts import amount

SEED = 70001


@cache
def setting() -> Setting:
    """A board, made when a test needs it."""
    return random_setting(np.random.default_rng(SEED), amount((960, 540), (1280, 720)))


@cache
def painter() -> Painter:
    return Painter(setting())


def learned(scene: Scene) -> tuple[Calibration, Picture]:
    picture = painter().paint(scene, np.random.default_rng(SEED)).picture
    corners = setting().camera.project(setting().geometry.corners())
    return calibrate([CalibrationPicture("painted", picture, START.points)], corners=corners), picture


def test_dice_are_named_and_not_learned() -> None:
    scene = arrange(
        setting(), START, np.random.default_rng(SEED), dice=[("light", 1), ("light", 2)], sloppiness=0.6
    )
    found, picture = learned(scene)
    (doubt,) = found.doubts
    assert doubt.kind is DoubtKind.THINGS_LIE
    assert "something on the board that is no checker: dice that show" in doubt.sentence
    assert "take it away" in doubt.sentence
    assert sorted(die.value for die in read_board(picture, found.board).dice) == [1, 2]


def test_a_cup_is_noticed() -> None:
    scene = arrange(setting(), START, np.random.default_rng(SEED), sloppiness=0.6)
    x = setting().geometry.bar_mm / 2 + 3 * setting().geometry.pitch_mm
    cup = Cup(-x, 0.0, 0.0, 32.0, 90.0, (40.0, 60.0, 120.0), (20.0, 20.0, 20.0))
    found, _ = learned(replace(scene, cups=(cup,)))
    assert "a cup, a hand or a lamp's reflection" in found.doubts[0].sentence


def test_of_a_board_with_checkers_only_nothing_is_said() -> None:
    scene = arrange(setting(), START, np.random.default_rng(SEED), sloppiness=0.6)
    found, picture = learned(scene)
    assert not find_things(picture, found.board)
    assert not found.doubts
