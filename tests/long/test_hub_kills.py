"""The broker and the hub killed twenty times each, while tables play."""

from pathlib import Path

import pytest

from tests.hub.hubs import HubProcess
from tests.hub.test_kills import kill_and_compare

KILLS = 20


@pytest.mark.parametrize("what", ["broker", "hub"])
def test_nothing_is_lost_or_doubled_by_twenty_kills(tmp_path: Path, what: str) -> None:
    hub = HubProcess(tmp_path / "hub")
    try:
        assert kill_and_compare(hub, what, KILLS, seed=41) > KILLS
    finally:
        hub.kill()
