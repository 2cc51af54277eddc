"""The page of the table as learners use it, in a real browser: tapped, by keyboard, and as axe sees it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.web.server.application import serve
from controller.web.setup.set_up import MatchPlan
from controller.web.table_service import Role
from tests.calibration.pictures import picture
from tests.web.axe import violations
from tests.web.browsers import SEAT, SETTINGS, TABLE
from tests.web.served_table import TableHouse
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.shown_states import STATES, state_in
from tests.web.test_hints import lesson
from tests.web.windows import fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

READS_MS = 350
"""A button that has just changed takes no press; people take longer to read it."""


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


def test_from_the_last_step_of_set_up_two_presses_lead_to_hints(browser: "Browser", tmp_path: Path) -> None:
    setup = StillSetUp(picture("game"), tmp_path)
    setup.match = MatchPlan("Light", "Dark")
    setup.board_file.touch()
    with SetUpHall(setup) as hall, browser.new_context(extra_http_headers={SEAT: TABLE}) as context:
        page = context.new_page()
        page.goto(f"{hall.server.address}/setup#players")
        page.wait_for_function("() => document.getElementById('light').value === 'Light'")
        page.get_by_label("We are learning").check()
        page.locator("summary", has_text="Who plays").click()
        assert page.get_by_label("How strong the engine plays").is_hidden()
        page.get_by_label("Who plays").select_option("dark")
        assert page.get_by_label("Dark plays").input_value() == "Computer"
        page.get_by_label("How strong the engine plays").select_option("2")
        page.wait_for_timeout(READS_MS)
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_url(f"{hall.server.address}/")
    (plan,) = setup.started
    assert (plan.learning, plan.engine, plan.dark, plan.level) == (True, "dark", "Computer", 2)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_of_learners(browser: "Browser", ground: Any) -> None:
    with serve(STATES["hints"]().house, SETTINGS) as server:
        for name in ("hints", "engine"):
            with fed_page(browser, server.address, color_scheme=ground) as feed:
                feed.show(state_in(STATES[name](), "en", Role.PLAYER))
                assert [each["id"] for each in violations(feed.page)] == []
