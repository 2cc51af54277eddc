"""The director's page and the page to learn from in a browser, at the table's own machine and on a phone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from controller.referee import Phase
from controller.rules import Position, Side
from controller.web.server.application import serve
from controller.web.table_service import Role
from tests.browser import browser
from tests.referee.table.evening import Evening
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_family import PINNING, standing
from tests.referee.table.test_turns import GOOD
from tests.web.browsers import PIN, SETTINGS
from tests.web.served_table import TableHouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
SIZES = {"phone": (390, 844), "desk": (1440, 900)}


@contextmanager
def page_of(browser: "Browser", phase: Phase, size: str = "desk") -> Iterator[tuple["Page", TableHouse, str]]:
    """A page of a table in that state, opened by a director at the table itself."""
    width, height = SIZES[size]
    house, faults = TableHouse(SCENES[phase]()), []
    with serve(house, replace(SETTINGS, at_table=Role.DIRECTOR)) as server:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.on("pageerror", lambda error: faults.append(str(error)))
        try:
            yield page, house, server.address
        finally:
            page.close()
    assert not faults


def test_the_director_logs_in_by_a_form_as_browsers_send_it(browser: "Browser") -> None:
    with serve(TableHouse(SCENES[Phase.TO_ROLL]()), SETTINGS) as server:
        page = browser.new_page()
        page.goto(f"{server.address}/director")
        page.locator("input[name=pin]").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url("**/director")
        page.locator("#list .none").wait_for()
        page.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_play_is_ruled_after_one_more_question_and_no_is_the_safe_answer(
    browser: "Browser", size: str
) -> None:
    with page_of(browser, Phase.PUT_RIGHT, size) as (page, house, address):
        page.goto(f"{address}/director")
        page.locator(".needs a").first.click()
        page.locator(".ruling").nth(1).click()
        assert page.evaluate("document.activeElement.id") == "safe"
        page.keyboard.press("Enter")
        assert not house.asked
        page.locator(".ruling").nth(1).click()
        page.locator(".sure button[type=submit]").click()
        page.locator(".needs").wait_for(state="detached")
        (saying, by, _), *_ = house.asked
        assert (saying["what"], saying["position"], by) == ("ruling", GOOD.compact(), "director")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_of_two_directors_the_second_sees_what_has_happened_and_is_asked_again(browser: "Browser") -> None:
    with page_of(browser, Phase.PUT_RIGHT) as (page, house, address):
        page.goto(f"{address}/director#rule")
        page.locator("#main button.main").click()
        page.locator(".sure").wait_for()
        page.request.post(f"{address}/api/v1/commands", data={"id": "another-director", "what": "let_stand"})
        page.locator(".sure button[type=submit]").click()
        page.locator(".news li").first.wait_for()
        assert [saying["what"] for saying, _, _ in house.asked] == ["let_stand"]
        page.locator(".sure button[type=submit]").click()
        page.locator(".sure").wait_for(state="detached")
        assert [saying["what"] for saying, _, _ in house.asked] == ["let_stand", "ruling"]


def test_a_position_is_put_together_by_taps_and_by_the_keyboard_alone(browser: "Browser") -> None:
    with page_of(browser, Phase.TO_ROLL) as (page, house, address):
        page.goto(f"{address}/director#rule")
        page.locator("input[name=tool][value=none]").check()
        page.locator(".tap").nth(5).click()
        page.locator("input[name=tool][value=light]").check()
        page.locator("select").nth(0).select_option("7")
        page.locator("select").nth(1).select_option("1")
        page.locator("#main button.main").press("Enter")
        page.locator(".sure button[type=submit]").press("Enter")
        page.locator(".sure").wait_for(state="detached")
        told = str(house.asked[0][0]["position"])
        assert (told[5], told[6]) == ("C", "A")


@contextmanager
def editor_of(browser: "Browser", evening: Evening) -> Iterator[tuple["Page", TableHouse]]:
    """The director's editor at a table in this state."""
    house, faults = TableHouse(evening), []
    with serve(house, replace(SETTINGS, at_table=Role.DIRECTOR)) as server:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.on("pageerror", lambda error: faults.append(str(error)))
        try:
            page.goto(f"{server.address}/director#rule")
            page.locator("#main button.main").wait_for()
            yield page, house
        finally:
            page.close()
    assert not faults


def ruled(page: "Page", house: TableHouse) -> Position:
    """What the editor rules, once it was confirmed."""
    page.locator("#main button.main").click()
    page.locator(".sure button[type=submit]").click()
    page.locator(".sure").wait_for(state="detached")
    return Position.from_compact(str(house.asked[0][0]["position"]))


def test_a_pin_is_taken_away_and_put_elsewhere(browser: "Browser") -> None:
    with editor_of(browser, standing("plakoto", PINNING, Side.LIGHT)) as (page, house):
        place, box = page.locator("select").nth(0), page.locator(".check input")
        place.select_option("1")
        assert box.is_disabled()
        place.select_option("8")
        box.click()  # All of Béla's checkers are about: there is none to pin.
        assert not box.is_checked()
        place.select_option("6")
        assert box.is_checked()
        box.click()
        place.select_option("8")
        box.click()
        told = ruled(page, house)
        assert (told.pinned, told.open_board()) == ((8,), PINNING.open_board())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_checkers_are_taken_from_a_hand(browser: "Browser") -> None:
    entered = Position.from_counts([-2, 0, -1] + [0] * 15 + [2, 0, 1, 0, 0, 2]).with_hidden((), 10, 12)
    with editor_of(browser, standing("acey-deucey", entered, Side.LIGHT)) as (page, house):
        hands = page.locator("select")
        hands.nth(2).select_option("9")
        hands.nth(0).select_option("24")
        hands.nth(1).select_option("3")
        told = ruled(page, house)
        assert (told.hand(Side.LIGHT), told.hand(Side.DARK), told.checkers(Side.LIGHT, 24)) == (9, 12, 3)


def test_an_exercise_is_played_on_the_page_and_compared(browser: "Browser") -> None:
    with page_of(browser, Phase.MATCH_OVER) as (page, _, address):
        page.goto(f"{address}/learn#exercise")
        page.locator("#main input").first.fill("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")
        page.locator("#main button[type=submit]").first.click()
        page.locator(".talk-side input:not([readonly])").fill("8/5 6/5")
        page.locator("#main button.main").click()
        page.locator(".candidates button").first.wait_for()
        assert "8/5 6/5" in page.locator(".candidates button").first.inner_text()


def test_where_aids_are_forbidden_the_page_to_learn_from_says_so(browser: "Browser") -> None:
    with page_of(browser, Phase.TO_ROLL) as (page, _, address):
        page.goto(f"{address}/learn#exercise")
        page.locator(".verdict").wait_for()
        assert page.locator("#main input").count() == 0
