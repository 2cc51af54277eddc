"""Pages over a slow line: what is told late belongs to what it was asked about, and each press counts once."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from controller.referee import Phase
from controller.referee.events import DeviceChanged, Disputed
from controller.web.table_service import Role
from tests.browser import browser
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD
from tests.web.held_line import HeldLine
from tests.web.served_table import TableHouse
from tests.web.test_dragging import drag, hands_house, page_at, until_asked
from tests.web.test_learning import THREE_ONE, lesson_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import Page, Route

__all__ = ["browser"]
STALE: Final = "Something has happened meanwhile. Please look again."
REFUSE: Final = """() => {
  const ask = window.fetch;
  window.fetch = async (address, how) => how?.method === "POST"
    ? new Response(JSON.stringify({ detail: "No play." }), { status: 409 }) : ask(address, how);
}"""
SETTLE_MS: Final = 350
"""A button that has just come takes no press."""


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What was learned lies in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def held_line(page: "Page") -> HeldLine:
    """The line of a page that is open; nothing is held yet."""
    line = HeldLine(page)
    page.reload()
    page.wait_for_timeout(SETTLE_MS)
    return line


# --- the table -----------------------------------------------------------------------------------------------


def test_that_something_has_happened_stays_to_be_read_until_something_else_does(browser: "Chromium") -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    with page_at(browser, house, "/") as page:
        line = held_line(page)
        line.hold("^live")
        house.play(lambda evening: evening.roll(6, 4))
        line.wait()
        page.get_by_role("button", name="Pause").first.click()
        page.get_by_text(STALE).wait_for()
        line.release()
        page.get_by_text("Béla to play").first.wait_for()
        assert page.locator("#talk .notice").inner_text() == STALE
        house.tell(Disputed(house.evening.t))
        page.get_by_text(STALE).wait_for(state="detached")


def test_a_yes_is_for_what_lay_there_when_it_was_asked(browser: "Chromium") -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    with page_at(browser, house, "/") as page:
        held_line(page)
        page.locator("summary", has_text="More").click()
        page.get_by_role("button", name="Resign").last.click()
        page.get_by_role("button", name="Resign a single game").click()
        page.locator(".sure").wait_for()
        house.play(lambda evening: evening.roll(6, 4))
        page.get_by_text("Béla to play").first.wait_for()
        page.locator(".sure button").last.click()
        page.get_by_text(STALE).wait_for()
    assert not house.asked


def test_what_hands_were_told_comes_before_the_button_that_was_pressed_next(browser: "Chromium") -> None:
    house = hands_house(Phase.MOVING)
    with page_at(browser, house, "/") as page:
        line = held_line(page)
        line.hold("^asks POST")
        drag(page, 8, 5)
        line.wait()
        line.hold("")
        page.get_by_role("button", name="Played").click()
        page.locator("#talk button[aria-disabled]").first.wait_for()
        page.evaluate("new Promise((done) => setTimeout(done, 100))")
        line.let_go()
        until_asked(page, house, 2)
    assert [said.get("button") for said, _, _ in house.asked] == [None, "done"]


# --- the page to learn from ------------------------------------------------------------------------------------


def test_an_exercise_is_told_nothing_of_the_one_before(browser: "Chromium") -> None:
    with page_at(browser, lesson_house(), "/learn#exercise") as page:
        line = held_line(page)
        page.get_by_label("A position as XGID").fill(THREE_ONE)
        page.get_by_role("button", name="Show it").click()
        page.locator(".talk-side input:not([readonly])").fill("8/5 6/5")
        line.hold("^POST /api/v1/learn/answer")
        page.locator(".talk-side button.main").click()
        line.wait()
        page.locator("details.another summary").last.click()
        page.get_by_role("button", name="An opening roll").click()
        page.wait_for_function(
            "() => document.querySelector('.talk-side input:not([readonly])').value === ''"
        )
        line.let_go()
        assert page.locator(".candidates").count() == 0
        assert page.locator(".talk-side input:not([readonly])").count() == 1


def test_why_a_play_was_refused_is_not_wiped_out_by_what_was_asked_while_it_was_typed(
    browser: "Chromium",
) -> None:
    with page_at(browser, lesson_house(), "/learn#exercise") as page:
        line = held_line(page)
        page.get_by_label("A position as XGID").fill(THREE_ONE)
        page.get_by_role("button", name="Show it").click()
        field = page.locator(".talk-side input:not([readonly])")
        field.wait_for()
        line.hold("^GET /api/v1/learn/landings")
        field.fill("8/5 6/5")
        line.wait()
        page.evaluate(REFUSE)
        page.locator(".talk-side button.main").click()
        page.get_by_text("No play.").wait_for()
        line.let_go()
        assert page.locator(".notice").inner_text() == "No play."


def test_hints_are_those_that_were_asked_for_last(browser: "Chromium") -> None:
    house, told = lesson_house(), list[str]()

    def tell(route: "Route") -> None:
        told.append(f"Hint {len(told)}")
        route.fulfill(json={"allowed": True, "level": 1, "points": [], "text": [told[-1]]})

    with page_at(browser, house, "/learn#hints") as page:
        line = held_line(page)
        page.route("**/api/v1/learn", tell)
        line.hold("^GET /api/v1/learn$")
        for count, ready in ((1, False), (2, True)):
            house.tell(DeviceChanged(house.evening.t, "board", ready, "lost"))
            line.wait(count)
        line.let_go(newest=True)
        page.get_by_text(told[-1]).wait_for()
        assert page.locator(".lamps li").all_inner_texts() == [told[-1]]


@pytest.mark.parametrize(
    ("path", "choose", "chosen"),
    [
        ("/", "#hint-level", "() => document.querySelector('#hint-level').value"),
        ("/learn#hints", "[name=level]", "() => document.querySelector('[name=level]:checked').value"),
    ],
    ids=["the table", "what there is to learn"],
)
def test_help_that_was_refused_is_not_shown_as_chosen(
    browser: "Chromium", path: str, choose: str, chosen: str
) -> None:
    with page_at(browser, lesson_house(), path) as page:
        line = held_line(page)
        known = page.evaluate(chosen)
        other = "2" if known != "2" else "3"
        refused = {"answer": "refused", "text": "No help."}
        page.route("**/api/v1/commands", lambda route: route.fulfill(json=refused))
        line.hold("^POST")
        if path == "/":
            page.select_option(choose, other)
        else:
            page.check(f"{choose}[value='{other}']")
        line.wait()
        assert page.evaluate(chosen) == other
        line.let_go()
        page.wait_for_function(f"() => ({chosen})() === '{known}'")


def test_an_answer_to_a_lesson_counts_once_however_often_it_is_pressed(browser: "Chromium") -> None:
    sent = list[str]()
    with page_at(browser, lesson_house(), "/learn#course/last_pass") as page:
        line = held_line(page)
        page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
        line.hold("^POST")
        for _ in range(2):
            page.get_by_role("button", name="Take", exact=True).click()
        line.wait()
        line.release()
        page.get_by_text("Better is to pass.").wait_for()
    assert len(sent) == 1


def test_a_lesson_is_told_nothing_of_the_one_before(browser: "Chromium") -> None:
    with page_at(browser, lesson_house(), "/learn#course/last_pass") as page:
        line = held_line(page)
        line.hold("^POST")
        page.get_by_role("button", name="Take", exact=True).click()
        line.wait()
        page.evaluate("location.hash = 'course/last_take'")
        page.get_by_role("heading", name="Take with a quarter").wait_for()  # both ask whether to take or pass
        line.let_go()
        assert page.locator(".lesson-mark").count() == 0


# --- the director ----------------------------------------------------------------------------------------------


def test_a_director_who_was_too_late_is_told_of_what_has_happened_once_it_is_heard(
    browser: "Chromium",
) -> None:
    house = TableHouse(SCENES[Phase.PUT_RIGHT]())
    with page_at(browser, house, "/director#rule", role=Role.DIRECTOR) as page:
        line = held_line(page)
        page.locator("#main button.main").click()
        page.locator(".sure").wait_for()
        line.hold("^live")
        page.request.post(
            f"{page.url.partition('/director')[0]}/api/v1/commands",
            data={"id": "another-director", "what": "let_stand"},
        )
        line.wait()
        page.locator(".sure button[type=submit]").click()
        page.locator(".news").wait_for(state="attached")
        line.release()
        page.locator(".news li").first.wait_for()
        page.locator(".sure button[type=submit]").click()
        page.locator(".sure").wait_for(state="detached")
    assert [saying["what"] for saying, _, _ in house.asked] == ["let_stand", "ruling"]


def test_a_question_that_was_asked_meanwhile_still_waits_for_its_answer(browser: "Chromium") -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    with page_at(browser, house, "/director#rule", role=Role.DIRECTOR) as page:
        line = held_line(page)
        page.locator("#main button.main").click()
        line.hold("^POST")
        page.locator(".sure button[type=submit]").click()
        line.wait()
        page.evaluate("location.hash = 'score'")
        page.get_by_role("button", name="Change").first.click()
        page.locator(".sure").wait_for()
        line.let_go()
        page.locator(".notice", has_text="Done").wait_for()
        assert page.locator(".sure").count() == 1


def test_a_play_that_is_being_corrected_stays_open_while_the_next_one_is_told(browser: "Chromium") -> None:
    house = TableHouse(SCENES[Phase.MOVING]())
    turn = {"ply": 0, "player": "light", "dice": [3, 1], "words": "8/5 6/5", "move": "8/5 6/5", "legal": True}
    told = json.dumps({"plies": [turn], "games": 1, "pictures": []})
    with page_at(browser, house, "/director", role=Role.DIRECTOR) as page:
        line = held_line(page)
        for what in ("**/plies?*", "**/turns/*/*"):
            page.route(what, lambda route: route.fulfill(body=told))
        page.evaluate("location.hash = 'plays/1/0'")
        field = page.locator(".ply-open input").first
        field.fill("13/10 6/5")
        line.hold("^GET .*/plies")
        house.play(lambda evening: (evening.move(GOOD), evening.done()))
        line.wait()
        assert field.is_visible()
        assert field.evaluate("(input) => input === document.activeElement")
        line.release()
