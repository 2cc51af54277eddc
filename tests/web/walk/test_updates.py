"""The program is updated from the set-up page: what is new, how far it is, how it went."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.app.fitting.updating import REQUEST, UpdateErrand
from controller.app.pages import open_pages
from controller.config.sections import WebSection
from tests.ports import free_port
from tests.web.walk.visitor import DESK, PHONE, Device, visiting
from tests.web.welcome.new_table import ELSEWHERE, new_table

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize(
    "device", [DESK, Device(360, 640, "sk", "dark", touch=True)], ids=lambda one: one.name
)
def test_an_update_is_asked_for_and_followed_on_the_page(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: Device
) -> None:
    state, request = tmp_path / "update.json", tmp_path / REQUEST
    monkeypatch.setattr("controller.app.set_up.UpdateErrand", partial(UpdateErrand, state=state))

    def tell(**values: str) -> None:
        request.unlink(missing_ok=True)
        part = tmp_path / "part"
        part.write_text(json.dumps({"version": "1.0.0", "step": "", **values}))
        part.replace(state)

    with (
        new_table(tmp_path) as table,
        visiting(browser, f"http://127.0.0.1:{table.pages.port}", device) as visitor,
    ):
        visitor.open("/setup#devices")
        visitor.page.locator("#updates").wait_for(state="hidden")
        tell()
        visitor.unfold(visitor.words("page", "setup", "updates_label"))
        visitor.press(visitor.words("page", "setup", "update_check"))
        visitor.until(request.exists)
        visitor.sees(visitor.words("update", "step", "asked"))
        tell(outcome="checked", new="1.1.0", news="A table is set up by phone.")
        visitor.sees(visitor.words("update", "text", "new", new="1.1.0", news="A table is set up by phone."))
        visitor.look("update-new")
        visitor.press(visitor.words("page", "setup", "update_now"))
        visitor.until(request.exists)
        assert request.read_text() == "update"
        tell(step="installing")
        visitor.sees(visitor.words("update", "step", "installing"))
        tell(outcome="updated", before="1.0.0")
        visitor.sees(visitor.words("update", "outcome", "updated"))
        visitor.button(visitor.words("page", "setup", "update_back")).wait_for()


def test_the_page_comes_back_by_itself_after_the_table_has_started_anew(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "update.json"
    monkeypatch.setattr("controller.app.set_up.UpdateErrand", partial(UpdateErrand, state=state))
    monkeypatch.setattr("controller.app.pages.own_address", lambda: "127.0.0.1")
    state.write_text(json.dumps({"version": "1.0.0", "step": "installing"}))
    port = free_port()
    with (
        new_table(tmp_path, WebSection(port=port)) as table,
        visiting(browser, f"http://127.0.0.1:{port}") as screen,
        visiting(browser, f"https://127.0.0.1:{port}", PHONE, headers=ELSEWHERE) as phone,
    ):
        phone.open(f"/welcome#{table.code()}")
        phone.page.fill("#pin", "482913")
        phone.page.keyboard.press("Enter")
        phone.page.wait_for_url("**/setup")
        for visitor in (screen, phone):
            visitor.open("/setup#devices")
            visitor.unfold(visitor.words("page", "setup", "updates_label"))
            visitor.sees(visitor.words("update", "step", "installing"))
        table.pages.close()
        state.write_text(json.dumps({"version": "1.1.0", "step": "", "outcome": "updated"}))
        with open_pages(table.room, WebSection(port=port, open=True), table.file):
            screen.sees(screen.words("update", "outcome", "updated"))
            phone.page.wait_for_url("**/login?next=*")
            phone.page.fill("#pin", "482913")
            phone.page.keyboard.press("Enter")
            phone.sees(phone.words("update", "outcome", "updated"))
