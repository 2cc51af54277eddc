"""Many more requests that a machine thinks up than the everyday tests send."""

import pytest

from controller.referee import Phase
from controller.rules import Side
from tests.referee.table.scenes import SCENES
from tests.web.attacks import attack
from tests.web.browsers import opened
from tests.web.served_table import TableHouse

EXAMPLES = 300


@pytest.mark.parametrize("phase", [Phase.MOVING, Phase.CUBE_OFFERED, Phase.DISPUTE])
def test_no_request_ends_in_a_fault_whoever_sends_it(phase: Phase) -> None:
    with opened(TableHouse(SCENES[phase]())) as hall:
        for browser in (hall.browser(), hall.player(Side.LIGHT), hall.director()):
            assert attack(hall, browser, EXAMPLES)
