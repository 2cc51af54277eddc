"""The page of the table as learners use it, in a real browser: tapped, by keyboard, and as axe sees it."""

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from controller.web.server.thread import serve
from controller.web.table_service import Role
from tests.web.browsers import SETTINGS
from tests.web.served_table import TableHouse
from tests.web.shown_states import STATES, state_in
from tests.web.test_hints import lesson
from tests.web.windows import fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_checker_is_tapped_and_more_is_asked_for_by_keyboard(browser: "Browser") -> None:
    house = TableHouse(lesson(1))
    with serve(house, SETTINGS) as server, browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(server.address)
        assert page.locator("#board .hint").count() == 4
        page.get_by_role("combobox", name="Hints").focus()
        page.keyboard.press("ArrowDown")
        page.locator("#talk .lift button").first.wait_for()
        assert house.evening.table.hint == 2
        page.locator("#board .tap").nth(7).click()
        assert page.locator("#board .hint").count() == 3
        assert page.get_by_text("From 8: it may land on 7, 5, 4.").is_visible()
        page.get_by_role("button", name="13", exact=True).press("Enter")
        assert page.get_by_text("From 13: it may land on").is_visible()


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_of_learners(browser: "Browser", ground: Any) -> None:
    with serve(STATES["hints"]().house, SETTINGS) as server:
        for name in ("hints", "engine"):
            with fed_page(browser, server.address, color_scheme=ground) as feed:
                feed.show(state_in(STATES[name](), "en", Role.PLAYER))
                feed.page.evaluate(AXE_SCRIPT)
                found = feed.page.evaluate("axe.run({resultTypes: ['violations']})")
                assert [each["id"] for each in found["violations"]] == []
