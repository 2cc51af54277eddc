"""A long evening in a browser: forty tables, eighty players, five rounds."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import browser
from tests.hub.desk_hall import desk_hall
from tests.hub.evening.whole_evening import EveningWalk
from tests.web.walk.visitor import Device

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


@pytest.mark.parametrize(
    "device",
    [Device(1920, 1080), Device(390, 844, "sk", "light", touch=True)],
    ids=lambda device: device.name,
)
def test_forty_tables_and_eighty_players(browser: "Browser", tmp_path: Path, device: Device) -> None:
    with desk_hall(tmp_path, tables=40) as running:
        EveningWalk(browser, running, device, players=80, rounds=5).walk()
