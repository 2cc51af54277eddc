"""A whole evening in a browser, on a big screen and on a phone, with forty tables."""

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
SCREEN = Device(1920, 1080)
PHONE = Device(390, 844, "hu", "dark", touch=True)


@pytest.mark.parametrize(
    ("device", "players", "rounds"), [(SCREEN, 13, 3), (PHONE, 9, 2)], ids=["screen", "phone"]
)
def test_a_director_runs_an_evening_from_entries_to_files(
    browser: "Browser", tmp_path: Path, device: Device, players: int, rounds: int
) -> None:
    with desk_hall(tmp_path, tables=40) as running:
        EveningWalk(browser, running, device, players, rounds).walk()
