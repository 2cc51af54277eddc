"""From an empty folder to the first roll: a phone scans a new table's code; nothing is typed at the machine."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.app.pages import RoomPages
from controller.config import load_config
from controller.config.config import NAME
from controller.demo.preparing import Prepared
from controller.rules.position import START, Side
from tests.demo.seated import STILL, Seated, moved, sitting_in
from tests.web.walk.evening import Evening
from tests.web.walk.visitor import PHONE, Visitor, visiting
from tests.web.welcome.new_table import ELSEWHERE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LIGHT, DARK, PIN = "Anna Kovács", "Béla Szabó", "482913"


def test_a_phone_that_scans_the_code_sets_a_new_table_up_and_the_first_roll_is_played(
    browser: "Browser", prepared: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.app.pages.own_address", lambda: "127.0.0.1")
    sitting = sitting_in(tmp_path, port=0, knows_board=False, manners=STILL)
    with (
        Seated(prepared, sitting) as seated,
        RoomPages(seated.room, seated.room.config.web, tmp_path / NAME) as pages,
    ):
        pages.open()
        address = f"https://127.0.0.1:{pages.port}"
        with visiting(browser, f"http://127.0.0.1:{pages.port}") as screen:
            screen.open("/")
            screen.page.locator("#square").wait_for()
            screen.look("welcome-screen")
            with visiting(browser, address, PHONE, headers=ELSEWHERE) as phone:
                _become_director(phone, pages.new_code())
                _set_up(phone, tmp_path / NAME)
                table = Evening(seated, pages)
                table.roll(phone, 3, 1, "opening_roll")
                table.lay(phone, moved(START, Side.LIGHT, (8, 5), (6, 5)))
                phone.sees("8/5 6/5")
            screen.page.wait_for_url(f"{screen.address}/")
    kept = load_config(tmp_path / NAME)
    assert (kept.web.open, kept.table.languages, kept.match.table) == (True, ("hu",), "4")
    assert (kept.match.light, kept.match.dark) == (LIGHT, DARK)


def _become_director(phone: Visitor, scanned: str) -> None:
    """The code stands behind the # of the address that was scanned."""
    phone.open(f"/welcome#{scanned.partition('#')[2]}")
    phone.page.locator("#pin").fill(PIN)
    phone.look("welcome-phone")
    phone.press(phone.words("page", "welcome", "enter"))
    phone.page.wait_for_url(f"{phone.address}/setup*")


def _set_up(phone: Visitor, file: Path) -> None:
    def press(name: str) -> None:
        phone.press(phone.words("page", "setup", name))

    press("go_on")
    press("find")
    phone.button(phone.words("page", "setup", "outline_right")).wait_for()
    press("outline_right")
    phone.page.locator("#main-button:enabled").wait_for()
    press("checkers_right")
    phone.sees(phone.words("page", "setup", "heading", "devices"))
    phone.unfold(phone.words("page", "setup", "table_label"))
    phone.page.fill("#key-table", "4")
    phone.look("set-up-table")
    phone.page.locator("#key-table").press("Enter")
    phone.sees(phone.words("program", "settings_kept", file=str(file)))
    phone.page.select_option("#key-care", "lenient")
    phone.look("set-up-turns")
    press("go_on")
    phone.page.fill("#light", LIGHT)
    phone.page.fill("#dark", DARK)
    press("start")
    phone.page.wait_for_url(f"{phone.address}/")
    phone.sees(LIGHT)
