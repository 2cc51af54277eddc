"""Somebody with a foot switch has it end their turns, by the set-up page alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.app.pages import open_pages
from controller.config.config import load_config
from controller.config.sections import WebSection
from tests.app.test_live import Scene
from tests.app.test_room import Staying
from tests.devices.input_devices import InputFolder
from tests.web.walk.visitor import DESK, PHONE, Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def plugs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InputFolder]:
    folder = tmp_path / "input"
    folder.mkdir()
    inputs = InputFolder(folder, monkeypatch)
    yield inputs
    inputs.close()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=lambda device: device.name)
def test_the_key_of_a_foot_switch_is_learned_on_the_set_up_page_and_stays(
    browser: "Browser", tmp_path: Path, plugs: InputFolder, device: Device
) -> None:
    file = tmp_path / "pointsman.toml"
    file.write_text("[board]\nport = 'none'\n")
    foot = plugs.plug()
    with (
        Staying(load_config(file), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", device) as visitor,
    ):
        page = visitor.page
        visitor.open("/setup#devices")
        visitor.unfold(visitor.words("page", "setup", "keys_label"))
        page.select_option("#keys-button", "done")
        visitor.press(visitor.words("page", "setup", "keys_learn"))
        done = visitor.words("page", "setup", "keys_of", "done")
        visitor.sees(visitor.words("page", "setup", "keys_listening", button=done))
        foot.press("KEY_B")
        visitor.sees(visitor.words("program", "keys_kept", file=file))
        page.locator("#forget-key:enabled").wait_for()
        assert "B (Foot Switch)" in page.locator("#keys-button option:checked").inner_text()
        page.check("#keys-grab")
        visitor.sees(visitor.words("program", "keys_kept", file=file))
        visitor.look("set-up-keys")
        visitor.until(lambda: bool(foot.holders))
        plugs.pull(foot)
        visitor.sees(visitor.words("keys", "reason", "away", name="Foot Switch"))
    kept = load_config(file).keys
    assert (kept.done, kept.grab) == ("KEY_B 0c45:7403 Foot Switch", True)
