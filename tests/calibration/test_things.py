"""What lies on a board besides checkers is named, and not learned as a part of it."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibrate import CalibrationError, CalibrationFault, CalibrationPicture, calibrate
from controller.rules import START
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scene import Cup, Scene
from controller.simulation.painting.painter import Painter

SEED = 70001
SETTING = random_setting(np.random.default_rng(SEED), (1280, 720))
PAINTER = Painter(SETTING)


def refusal(scene: Scene) -> CalibrationError:
    picture = PAINTER.paint(scene, np.random.default_rng(SEED)).picture
    corners = SETTING.camera.project(SETTING.geometry.corners())
    with pytest.raises(CalibrationError, match="something on the board that is no checker") as refused:
        calibrate([CalibrationPicture("painted", picture, START.points)], corners=corners)
    return refused.value


def test_dice_are_named() -> None:
    scene = arrange(
        SETTING, START, np.random.default_rng(SEED), dice=[("light", 1), ("light", 2)], sloppiness=0.6
    )
    error = refusal(scene)
    assert error.fault is CalibrationFault.DICE_LIE
    assert "dice that show" in str(error)
    assert "take it away" in str(error)


def test_a_cup_is_noticed() -> None:
    scene = arrange(SETTING, START, np.random.default_rng(SEED), sloppiness=0.6)
    x = SETTING.geometry.bar_mm / 2 + 3 * SETTING.geometry.pitch_mm
    cup = Cup(-x, 0.0, 0.0, 32.0, 90.0, (40.0, 60.0, 120.0), (20.0, 20.0, 20.0))
    assert refusal(replace(scene, cups=(cup,))).fault is CalibrationFault.COVERED
