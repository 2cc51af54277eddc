"""A table to play on: a board drawn at random, painted, and calibrated by the product itself."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.errors import UserError
from controller.rules.position import START
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.painter import Painter
from controller.vision.board import Board

SIZE: Final = (1280, 720)
TRIES: Final = 12
BRIGHTNESS: Final = (1.0, 0.85)
"""Of the two pictures of the start position."""


class PreparingError(UserError):
    """No table could be prepared."""


@dataclass(frozen=True)
class Prepared:
    """A board in front of its camera, with what the product learnt of it from two pictures."""

    setting: Setting
    painter: Painter
    board: Board


def random_table(seed: int) -> Setting:
    """Some board, table, light and camera."""
    return random_setting(np.random.default_rng(seed), SIZE)


def prepare(seed: int) -> Prepared:
    """A table whose start position the calibration reads rightly; boards that it refuses are passed over.

    Raises:
        PreparingError: none of a dozen boards could be calibrated.
    """
    for number in range(TRIES):
        setting = random_table(seed * TRIES + number)
        painter = Painter(setting)
        rng = np.random.default_rng((seed, number))
        views = [_view(painter, k, brightness, rng) for k, brightness in enumerate(BRIGHTNESS, start=1)]
        try:
            board = calibrate(views).board
        except CalibrationError:
            continue
        if board.geometry.home == setting.geometry.home:
            return Prepared(setting, painter, board)
    raise PreparingError("None of the painted boards could be calibrated; give another --seed.")


def _view(painter: Painter, number: int, brightness: float, rng: np.random.Generator) -> CalibrationPicture:
    scene = replace(arrange(painter.setting, START, rng, sloppiness=0.6), brightness=brightness)
    return CalibrationPicture(f"start picture {number}", painter.paint(scene, rng).picture, START.points)
