"""Checkers are dragged on the board of a page, with mouse, finger and keys, wherever something is entered on it."""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from controller.record.journal.journal import Json
from controller.referee import Phase
from controller.rules import Position, Side
from controller.web.server.application import serve
from controller.web.table_service import DemoShown, HandsShown, Reply, Role, RoomView, StillHolds
from tests.browser import PATIENCE_MS, browser
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD
from tests.web.axe import grave_violations
from tests.web.browsers import SETTINGS
from tests.web.served_table import TableHouse
from tests.web.test_learning import THREE_ONE, lesson_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

__all__ = ["browser"]
DESK, PHONE = (1440, 900), (360, 640)


@contextmanager
def page_at(
    browser: "Browser", house: TableHouse, path: str, size: tuple[int, int] = DESK, role: Role = Role.PLAYER
) -> Iterator["Page"]:
    """A page of a table, opened at the table itself; nothing in it may fail."""
    width, height = size
    faults: list[str] = []
    with serve(house, replace(SETTINGS, at_table=role)) as server:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=size == PHONE)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        try:
            page.goto(f"{server.address}{path}")
            yield page
        finally:
            context.close()
    assert not faults


def area(page: "Page", place: int) -> "Locator":
    """A place of the board, as the rim counts."""
    return page.locator(f'.tap[data-place="{place}"]').first


def middle(page: "Page", place: int, side: str | None = None) -> tuple[float, float]:
    """Where to take hold of a place: its uppermost checker, or the middle of the place."""
    found = page.locator(f'.checker[data-pile="{side}-{place}"]').last if side else area(page, place)
    box = found.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: "Page", start: int, end: int, side: str = "light") -> None:
    """With the mouse, from place to place."""
    page.mouse.move(*middle(page, start, side))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=4)
    page.locator(".in-hand").wait_for()
    page.mouse.up()
    page.locator(".in-hand").wait_for(state="detached")


def drag_by_finger(page: "Page", start: int, end: int) -> None:
    """With a finger, from place to place."""
    touch = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle(page, start, "light"), middle(page, end)

    def tell(kind: str, *points: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]}
        )

    tell("touchStart", (x, y))
    for step in range(1, 5):
        tell("touchMove", (x + (to_x - x) * step / 4, y + (to_y - y) * step / 4))
    page.locator(".in-hand").wait_for()
    tell("touchEnd")
    page.locator(".in-hand").wait_for(state="detached")


def open_play(page: "Page") -> "Locator":
    """The field of a play, opened by its button."""
    page.wait_for_timeout(350)  # a button that has just come takes no press
    page.get_by_role("button", name="Enter the play").first.click()
    field = page.locator("#play-field")
    field.wait_for()
    return field


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_play_that_is_dragged_is_written_shown_and_sent(browser: "Browser", size: tuple[int, int]) -> None:
    carry = drag if size == DESK else drag_by_finger
    house = TableHouse(SCENES[Phase.MOVING]())
    with page_at(browser, house, "/", size) as page:
        field = open_play(page)
        carry(page, 8, 5)
        assert field.input_value() == "8/5"
        assert page.locator('.checker[data-pile="light-5"]').count() == 1
        carry(page, 6, 5)
        assert page.locator('.checker[data-pile="light-5"]').count() == 2
        page.get_by_role("button", name="Send").click()
        page.locator("#play-field").wait_for(state="detached")
    assert house.evening.table.position == GOOD


def test_taps_of_a_finger_enter_a_play_as_before(browser: "Browser") -> None:
    with page_at(browser, TableHouse(SCENES[Phase.MOVING]()), "/", PHONE) as page:
        field = open_play(page)
        area(page, 24).tap()
        area(page, 23).tap()
        assert field.input_value() == "24/23"


def test_a_checker_in_the_hand_is_let_go_of_where_the_table_goes_on_meanwhile(browser: "Browser") -> None:
    house = hands_house(Phase.MOVING)
    with page_at(browser, house, "/") as page:
        area(page, 8).wait_for()
        page.mouse.move(*middle(page, 8, "light"))
        page.mouse.down()
        page.mouse.move(*middle(page, 5), steps=4)
        page.locator(".in-hand").wait_for()
        house.demo = DemoShown()
        house.say()
        page.locator(".in-hand").wait_for(state="detached")
        page.mouse.up()
    assert not house.asked


def test_half_a_play_is_taken_back_by_a_key_and_by_dragging_it_back(browser: "Browser") -> None:
    with page_at(browser, TableHouse(SCENES[Phase.MOVING]()), "/") as page:
        field = open_play(page)
        drag(page, 8, 5)
        drag(page, 6, 5)
        area(page, 24).focus()
        page.keyboard.press("Backspace")
        assert field.input_value() == "8/5"
        drag(page, 5, 8)
        assert field.input_value() == ""
        assert page.locator('.checker[data-pile="light-8"]').count() == 3


def test_a_checker_that_is_let_go_beside_the_board_or_is_of_the_other_side_goes_nowhere(
    browser: "Browser",
) -> None:
    with page_at(browser, TableHouse(SCENES[Phase.MOVING]()), "/") as page:
        field = open_play(page)
        page.mouse.move(*middle(page, 8, "light"))
        page.mouse.down()
        page.mouse.move(2, 2, steps=4)
        page.mouse.up()
        page.mouse.move(*middle(page, 6, "dark"))
        page.mouse.down()
        page.mouse.move(*middle(page, 18), steps=4)
        assert page.locator(".in-hand").count() == 0
        page.mouse.up()
        assert field.input_value() == ""


def test_the_keyboard_alone_enters_a_play_on_the_board(browser: "Browser") -> None:
    house = TableHouse(SCENES[Phase.MOVING]())
    with page_at(browser, house, "/") as page:
        field = open_play(page)
        stops = page.locator('.tap[tabindex="0"]')
        assert stops.count() == 1
        area(page, 8).focus()
        assert "8" in (area(page, 8).get_attribute("aria-label") or "")
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")  # the bar lies between
        for _ in range(8):
            if page.evaluate("document.activeElement.dataset.place") == "5":
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press(" ")
        assert field.input_value() == "8/5"
        assert not house.asked


def test_an_exercise_shows_where_the_checker_may_land_and_what_remains_of_the_roll(
    browser: "Browser",
) -> None:
    with page_at(browser, lesson_house(), "/learn") as page:
        page.locator(".one-form input").first.fill(THREE_ONE)
        page.locator(".one-form button[type=submit]").first.click()
        area(page, 8).click()
        page.locator(".tap.landing").first.wait_for()
        assert {each.get_attribute("data-place") for each in page.locator(".tap.landing").all()} == {
            "7",
            "5",
            "4",
        }
        area(page, 5).click()
        area(page, 6).click()
        page.locator(".tap.landing").first.wait_for()
        assert [each.get_attribute("data-place") for each in page.locator(".tap.landing").all()] == ["5"]


def test_the_director_drags_a_checker_to_where_it_lies(browser: "Browser") -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    with page_at(browser, house, "/director#rule", role=Role.DIRECTOR) as page:
        page.locator(".editing .tap").first.wait_for()
        drag(page, 6, 7)
        page.locator("#main button.main").click()
        page.locator(".sure button[type=submit]").click()
        page.locator(".sure").wait_for(state="detached")
    told = str(house.asked[0][0]["position"])
    assert (told[5], told[6]) == ("C", "A")


def until_asked(page: "Page", house: TableHouse, number: int) -> None:
    """Wait until the page has said so much to its table."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while len(house.asked) < number:
        assert time.monotonic() < end, house.asked
        page.wait_for_timeout(20)


@dataclass
class HandsHouse(TableHouse):
    """A simulated table whose hands follow the page."""

    demo: DemoShown | None = None

    def view(self) -> RoomView:
        return replace(super().view(), demo=self.demo)

    def ask(
        self, saying: Mapping[str, Json], by: str, command: str = "", holds: StillHolds | None = None
    ) -> "Future[Reply]":
        if saying["what"] != "hands":
            return super().ask(saying, by, command, holds)
        answer: Future[Reply] = Future()
        self.asked.append((dict(saying), by, command))
        answer.set_result(Reply(True))
        return answer


def hands_house(phase: Phase, lies: Position | None = None) -> HandsHouse:
    """A table at which hands of whoever is on turn follow the page; the checkers lie so."""
    evening = SCENES[phase]()
    side = evening.table.on_turn or Side.LIGHT
    shown = HandsShown(lies or evening.table.position, side)
    return HandsHouse(evening, demo=DemoShown(lambda _: "Drag a checker.", shown))


def test_at_a_simulated_table_the_hands_carry_what_is_dragged_as_its_side_counts(browser: "Browser") -> None:
    house = hands_house(Phase.MOVING)
    with page_at(browser, house, "/") as page:
        page.get_by_text("Drag a checker.").wait_for()
        drag(page, 8, 5)
        page.mouse.move(*middle(page, 6, "dark"))
        page.mouse.down()
        page.mouse.move(*middle(page, 21), steps=4)
        page.mouse.up()
        area(page, 13).focus()
        page.keyboard.press("Enter")
        area(page, 11).focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.querySelector('.tap.chosen') === null")
        page.get_by_role("button", name="Played").click()
        until_asked(page, house, 4)
    told = [{key: each for key, each in said.items() if key != "what"} for said, _, _ in house.asked]
    assert told == [
        {"side": "light", "from": 8, "to": 5},
        {"side": "dark", "from": 6, "to": 4},
        {"side": "light", "from": 13, "to": 11},
        {"side": "light", "button": "done"},
    ]


def test_what_is_still_to_be_put_back_is_marked_as_the_hands_leave_the_board(browser: "Browser") -> None:
    house = hands_house(Phase.PUT_RIGHT)
    flagged = house.evening.table.flagged
    assert flagged is not None
    house.demo = DemoShown(None, HandsShown(flagged.after, flagged.side))
    with page_at(browser, house, "/") as page:
        wrong = page.locator(".checker.wrong")
        wrong.first.wait_for()
        count = wrong.count()
        assert count
        house.demo = DemoShown(None, HandsShown(flagged.before, flagged.side))
        house.say()
        wrong.first.wait_for(state="detached")
        assert page.locator(".put").count() == 0


@pytest.mark.parametrize("size", [(1440, 900), (1024, 600), PHONE], ids=["desk", "low", "phone"])
def test_a_board_to_drag_on_keeps_nobody_out_and_its_places_are_large_enough(
    browser: "Browser", size: tuple[int, int]
) -> None:
    with page_at(browser, hands_house(Phase.MOVING), "/", size) as page:
        area(page, 8).wait_for()
        assert [each["id"] for each in grave_violations(page)] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", [(1440, 900), (1024, 600), (800, 480), (390, 844), PHONE], ids=str)
def test_an_open_exercise_is_in_one_window_and_nothing_covers_the_way_back(
    browser: "Browser", size: tuple[int, int]
) -> None:
    with page_at(browser, lesson_house(), "/learn#exercise", size) as page:
        page.locator(".one-form input").first.fill(THREE_ONE)
        page.locator(".one-form button[type=submit]").first.click()
        area(page, 8).wait_for()
        for needed in (".board", ".talk-side .main", ".talk-side input", ".another summary"):
            box = page.locator(needed).first.bounding_box()
            assert box is not None, needed
            assert box["y"] >= 0, needed
            assert box["y"] + box["height"] <= size[1], needed
            assert box["x"] + box["width"] <= size[0], needed
        back = page.locator(".back a")
        if back.is_visible():
            back.click()
            page.locator("#list .tools").first.wait_for()


def test_on_a_board_without_trays_a_checker_is_borne_off_over_the_edge_of_its_home(
    browser: "Browser",
) -> None:
    house = hands_house(Phase.MOVING)
    with page_at(browser, house, "/", PHONE) as page:
        area(page, 8).wait_for()
        board = page.locator("#board .board").bounding_box()
        assert board is not None
        x, y = middle(page, 6, "light")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(board["x"] - 8, y + 8, steps=4)
        page.mouse.up()
        page.locator(".in-hand").wait_for(state="detached")
        until_asked(page, house, 1)
    assert [(said["from"], said["to"]) for said, _, _ in house.asked] == [(6, 0)]
