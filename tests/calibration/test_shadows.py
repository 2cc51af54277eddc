"""A board of which one side lies in shadow."""

import numpy as np
import pytest

from calibration.check import shaded_side
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import start_scene
from controller.simulation.painting.painter import Painter


@pytest.mark.parametrize("seed", [3, 6])
def test_the_darker_side_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (640, 360))
    picture = Painter(setting).paint(start_scene(setting, rng), rng).picture
    middle = int(setting.camera.project(np.zeros(3))[0])
    dim = picture.copy()
    dim[:, :middle] = (0.4 * dim[:, :middle]).astype(np.uint8)
    assert shaded_side(dim, setting.camera, setting.geometry) == "left"
    dim = picture.copy()
    dim[:, middle:] = (0.4 * dim[:, middle:]).astype(np.uint8)
    assert shaded_side(dim, setting.camera, setting.geometry) == "right"


def test_an_evenly_lit_board_has_no_shaded_side() -> None:
    rng = np.random.default_rng(3)
    setting = random_setting(rng, (640, 360))
    even = np.full((360, 640, 3), 120, np.uint8)
    assert shaded_side(even, setting.camera, setting.geometry) is None
