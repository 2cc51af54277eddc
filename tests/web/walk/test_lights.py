"""Somebody whose lights are a WLED, and whose board has no firmware yet, does it all on the set-up page."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.app import set_up
from controller.app.pages import open_pages
from controller.config.config import load_config
from controller.config.sections import LightsAt, WebSection
from controller.devices.firmware.image import released_image
from tests.app.test_live import Scene
from tests.app.test_room import Staying
from tests.devices.boot_loader import BootLoader, hex_bytes
from tests.devices.simulated_wled import SimulatedWled
from tests.web.walk.visitor import DESK, PHONE, Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("device", [DESK, PHONE], ids=lambda device: device.name)
def test_a_wled_is_chosen_and_the_firmware_written_on_the_set_up_page(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: Device
) -> None:
    file = tmp_path / "pointsman.toml"
    file.write_text("[board]\nport = 'none'\n")
    with (
        SimulatedWled(50, "Lamps") as wled,
        BootLoader(57_600) as chip,
        Staying(load_config(file), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", device) as visitor,
    ):
        monkeypatch.setattr(set_up, "likely_ports", lambda: (chip.port,))
        page = visitor.page
        visitor.open("/setup#devices")
        visitor.unfold(visitor.words("page", "setup", "lights_label"))
        page.select_option("#lamps-source", "wled")
        page.fill("#lamps-address", wled.address)
        visitor.press(visitor.words("page", "setup", "use_lights"))
        visitor.sees(visitor.words("program", "lights_kept", file=file))
        ready = {"title": "Lamps", "version": "0.15.0", "pixels": "50"}
        visitor.sees(visitor.words("lights", "reason", "ready", **ready))
        page.locator("#find-lamps:enabled").wait_for()
        visitor.press(visitor.words("page", "setup", "try_lights"))
        visitor.sees(visitor.words("page", "setup", "lights_running"))
        visitor.unfold(visitor.words("page", "setup", "firmware_label"))
        visitor.press(visitor.words("page", "setup", "write_firmware"))
        visitor.sees(visitor.words("flash", "text", "done", version=released_image().version))
        visitor.look("set-up-lights")
    assert wled.pictures > 0
    kept = load_config(file).lights
    assert (kept.source, kept.address) == (LightsAt.WLED, wled.address)
    wanted = hex_bytes(released_image().path)
    assert bytes(chip.flash[: len(wanted)]) == wanted
