"""Coming in with a real browser: by the form, and by the square of a phone."""

from typing import TYPE_CHECKING

from controller.referee import Phase
from controller.rules import Side
from tests.referee.table.scenes import SCENES
from tests.web.browsers import PIN, opened
from tests.web.served_table import TableHouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


def test_the_form_lets_the_director_in_and_names_a_wrong_pin(browser: "Browser") -> None:
    with opened(house()) as hall:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{hall.server.address}/login")
        page.get_by_label("PIN").fill("1111")
        page.get_by_role("button", name="Enter").click()
        assert page.get_by_role("alert").inner_text() == "This PIN is not right."
        page.get_by_label("PIN").fill(PIN)
        page.get_by_role("button", name="Enter").click()
        page.wait_for_url(f"{hall.server.address}/")
        answer = page.request.get(f"{hall.server.address}/api/v1/state")
        assert answer.json()["state"]["viewer"]["role"] == "director"
        page.close()


def test_a_phone_that_reads_the_square_is_in_and_its_address_shows_no_pin(browser: "Browser") -> None:
    with opened(house()) as hall:
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.goto(f"{hall.server.address}/login#{hall.site.access.pin_of('m1', Side.DARK)}")
        page.wait_for_url(f"{hall.server.address}/")
        answer = page.request.get(f"{hall.server.address}/api/v1/state")
        assert answer.json()["state"]["viewer"] == {"role": "player", "side": "dark"}
        page.close()
