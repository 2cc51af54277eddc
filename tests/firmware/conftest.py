"""What holds for the chip holds for the real firmware in its simulator and for the program that stands in for it."""

from functools import partial

import pytest

from controller.simulation.electronics.chip import Chip
from controller.simulation.electronics.twin import Twin
from tests.firmware.making import Make

KINDS: dict[str, Make] = {"firmware": Chip, "mega": partial(Chip, chip="atmega2560"), "twin": Twin}


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Make:
    return KINDS[request.param]
