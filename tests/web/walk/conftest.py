"""The painted table that people of these tests come to."""

from collections.abc import Iterator

import pytest

from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.rules.position import START, Side
from tests.demo.conftest import prepared
from tests.demo.seated import STILL, moved
from tests.web.walk.evening import Evening, evening

__all__ = ["prepared"]


@pytest.fixture(scope="module")
def table_with_a_play(prepared: Prepared, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """A match that has begun."""
    with evening(prepared, tmp_path_factory.mktemp("evening"), length=7, manners=STILL) as table:
        seated = table.seated
        seated.roll_opening()
        seated.until_phase(Phase.MOVING)
        seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
        seated.ask("roll", "dark", dice=[6, 4])
        seated.until_phase(Phase.MOVING)
        yield table
