"""What holds for the chip holds for the real firmware in its simulator and for the program that stands in for it."""

import pytest

from controller.simulation.electronics.chip import Chip
from controller.simulation.electronics.twin import Twin
from tests.firmware.making import Make


@pytest.fixture(params=[Chip, Twin], ids=["firmware", "twin"])
def make(request: pytest.FixtureRequest) -> Make:
    kind: Make = request.param
    return kind
