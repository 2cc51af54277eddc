"""Which sides of a board have a tray."""

import numpy as np

from calibration.trays import find_trays
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import start_scene
from controller.simulation.painting.painter import Painter
from tests.amounts import amount
from tests.rows import each_row


@each_row("seed", amount(range(3000, 3003), range(3000, 3006)))
def test_trays_are_found_by_how_far_the_rails_go(seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (960, 540))
    picture = Painter(setting).paint(start_scene(setting, rng), rng).picture
    found = find_trays(picture, setting.camera, setting.geometry)
    assert set(found) == set(setting.geometry.trays)
    assert not found or setting.geometry.home not in found or found[0] == setting.geometry.home


def test_a_rail_that_cannot_be_told_from_the_table_tells_nothing() -> None:
    rng = np.random.default_rng(3000)
    setting = random_setting(rng, (640, 360))
    even = np.full((360, 640, 3), 120, np.uint8)
    assert find_trays(even, setting.camera, setting.geometry) == ()
