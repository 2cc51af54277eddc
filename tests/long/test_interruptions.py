"""Fifty interruptions of each kind of a table at work, at random moments."""

from pathlib import Path
from random import Random

import pytest

from tests.cli.interrupting import WAYS, interrupt, is_sound
from tests.cli.test_run import table

__all__ = ["table"]
TIMES = 50


@pytest.mark.parametrize("way", WAYS)
def test_fifty_interruptions_leave_nothing_hanging_and_lose_nothing(table: Path, way: str) -> None:
    rng, events = Random(WAYS.index(way)), 0
    for _ in range(TIMES):
        found = interrupt(table, way, rng)
        assert is_sound(found, events), (found, events)
        events = found.events
    assert events > 5
