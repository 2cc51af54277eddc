"""A button that is pressed twice in one go, as hasty fingers do, counts once and opens nothing else."""

from typing import TYPE_CHECKING

import pytest

from controller.referee import Phase
from controller.web.table_service import DeviceShown
from tests.browser import browser
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse
from tests.web.test_dragging import DESK, PHONE, page_at

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
BOTH = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
PRESS_AT_ONCE = """() => {
  const watch = new MutationObserver(() => {
    if (!document.body.innerText.includes("do you take?")) {
      watch.disconnect();
      window.pressed = true;
      document.querySelector("details.more > summary").click();
    }
  });
  watch.observe(document.getElementById("talk"), { childList: true, subtree: true, characterData: true });
}"""
"""Has the page press what is seldom wanted the moment that something else is offered."""
SETTLED_MS = 350
"""A button that has just come takes no press."""
PORT = "/dev/serial/by-id/usb-Arduino__www.arduino.cc__0043_85734323430351D0F1A2-if00"


def press_twice(page: "Page", number: int, buttons: str = ".choices:not(.always) > button") -> None:
    page.wait_for_timeout(SETTLED_MS)
    page.locator(buttons).nth(number).dblclick(delay=20)
    page.wait_for_timeout(SETTLED_MS)


@BOTH
def test_an_answer_that_is_pressed_twice_is_told_once(browser: "Browser", size: tuple[int, int]) -> None:
    house = TableHouse(SCENES[Phase.RESIGNATION_OFFERED]())
    with page_at(browser, house, "/", size) as page:
        # The table's news come late: the page still offers what was answered.
        page.route_web_socket("**/api/v1/live*", lambda _: None)
        page.reload()
        button = page.get_by_role("button", name="Play on")
        page.wait_for_timeout(SETTLED_MS)
        with page.expect_response("**/api/v1/commands"):
            button.click()
        button.click()
        page.wait_for_timeout(SETTLED_MS)
        assert [said["what"] for said, *_ in house.asked] == ["refuse"]
        assert page.locator(".notice").inner_text() == ""


@BOTH
@pytest.mark.parametrize("number", [0, 1], ids=["take", "pass"])
def test_an_answer_that_is_asked_back_is_not_given_by_a_second_press(
    browser: "Browser", size: tuple[int, int], number: int
) -> None:
    house = TableHouse(SCENES[Phase.CUBE_OFFERED]())
    with page_at(browser, house, "/", size) as page:
        page.get_by_role("button", name="Pass").wait_for()
        press_twice(page, number)
        assert page.locator(".sure").count() == 1
        assert house.asked == []


def test_what_comes_under_a_finger_is_not_opened_by_its_second_press(browser: "Browser") -> None:
    house = TableHouse(SCENES[Phase.CUBE_OFFERED]())
    with page_at(browser, house, "/", PHONE) as page:
        menu = page.locator("details.more")
        page.get_by_role("button", name="Pass").wait_for()
        page.wait_for_timeout(SETTLED_MS)
        # Pressed by the page itself as soon as it is told: no test is as quick as a finger on its way.
        page.evaluate(PRESS_AT_ONCE)
        house.ask({"what": "take", "side": "light"}, "light").result()
        page.get_by_text("to roll").first.wait_for()
        page.wait_for_timeout(SETTLED_MS)
        assert page.evaluate("() => window.pressed")
        assert menu.get_attribute("open") is None
        menu.locator("summary").click()
        assert menu.get_attribute("open") is not None


def test_the_name_of_a_port_that_is_one_long_word_stays_inside_a_phone(browser: "Browser") -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    house.devices = (DeviceShown("board", True, lambda _: f"The board at {PORT} answers."),)
    with page_at(browser, house, "/", PHONE) as page:
        page.locator("details.status summary").first.click()
        words = page.locator(".devices .status > span")
        words.wait_for()
        assert words.evaluate("(words) => words.getBoundingClientRect().right <= innerWidth - 20")
