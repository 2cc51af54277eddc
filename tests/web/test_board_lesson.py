"""A lesson of the course set up on the real board from the page, and answered there."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.analysis.lessons.lesson import lesson_named
from controller.analysis.lessons.progress import ProgressFile
from controller.devices import Signal
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.match.corrections import after_play
from controller.rules import START, Position, Side
from controller.web.table_service import DeviceShown
from tests.browser import browser
from tests.web.browsers import opened
from tests.web.served_table import TableHouse
from tests.web.test_board_question import read, watched
from tests.web.test_dragging import PHONE, page_at
from tests.web.test_learning import lesson_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]
BOARD = "/api/v1/learn/course/board"
CUTTABLE = """() => {
  const ask = window.fetch;
  window.fetch = (...given) => (window.cut ? Promise.reject(new TypeError("cut")) : ask(...given));
}"""
"""Has a page's line to the table cut where `cut` is set."""
OTHER = Position.from_compact("b....D.D...eE...c.e....B..")


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ProgressFile:
    """What was learned lies in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return ProgressFile()


def looked(house: TableHouse, query: str = "") -> dict[str, Any]:
    with opened(house) as hall:
        said: dict[str, Any] = hall.player(Side.LIGHT).get(f"{BOARD}?name=opening_31{query}").json()
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_differs_is_told_and_lit(language: str) -> None:
    house = watched(read(OTHER))
    said = looked(house, f"&language={language}")
    assert not said["set_up"]
    assert "6" in " ".join(said["words"])
    assert "8" in " ".join(said["words"])
    assert (house.lit[-1][8], house.lit[-1][6]) == (Signal.TAKE, Signal.PUT)


def test_a_point_that_is_not_certain_is_to_be_looked_at_and_a_hand_is_waited_for() -> None:
    house = watched(read(unsure=frozenset({13})))
    assert not looked(house)["set_up"]
    assert house.lit[-1][13] is Signal.UNSURE
    covered = looked(watched(read(hand=True)))
    assert "Something covers" in covered["words"][0]
    assert covered["position"] is None


def test_a_lesson_that_lies_there_is_told_to() -> None:
    said = looked(watched(read()))
    assert (said["set_up"], said["words"], said["position"]) == (
        True,
        ["The position is set up."],
        START.compact(),
    )


def test_the_lights_of_a_match_are_left_alone() -> None:
    house = watched(read(OTHER), lesson_house())
    assert "match is on" in looked(house)["detail"]
    assert house.lit == []


def test_a_camera_that_is_gone_is_told_and_its_last_picture_counts_for_nothing() -> None:
    house = watched(read())
    house.devices = (DeviceShown("camera", False, lambda _: "The camera is gone."),)
    assert looked(house) == {"detail": "The camera is gone."}
    with opened(house) as hall:
        assert hall.player(Side.LIGHT).get("/api/v1/learn/board").json() == {"detail": "The camera is gone."}


@pytest.mark.parametrize("language", LANGUAGES)
def test_while_something_moves_the_lights_stay_as_they_are_and_nothing_is_known(language: str) -> None:
    house = watched(read())
    house.moving = True
    said = looked(house, f"&language={language}")
    moving = catalogue(language).text("question", "moving")
    assert (said["waits"], said["words"], said["doubts"], said["position"]) == (
        True,
        [moving],
        [moving],
        None,
    )
    assert house.lit == []


def test_checkers_that_are_carried_do_not_end_the_setting_up(browser: "Browser") -> None:
    house = watched(read(OTHER))
    with page_at(browser, house, "/learn#course/opening_31") as page:
        page.get_by_role("button", name="Set it up on the board").click()
        page.get_by_text("Put a checker here: 6.").wait_for()
        house.moving = True
        with page.expect_response(lambda answer: BOARD in answer.url and answer.json()["waits"]):
            pass
        assert page.get_by_text("Put a checker here: 6.").is_visible()
        house.reading, house.moving = read(), False
        page.get_by_text("The position is set up.").wait_for()


def test_a_line_that_is_cut_for_a_moment_does_not_end_the_setting_up(browser: "Browser") -> None:
    house = watched(read(OTHER))
    with page_at(browser, house, "/learn#course/opening_31") as page:
        page.evaluate(CUTTABLE)
        page.get_by_role("button", name="Set it up on the board").click()
        page.get_by_text("Put a checker here: 6.").wait_for()
        page.evaluate("() => { window.cut = true; }")
        page.get_by_text("It could not be sent.").wait_for()
        house.reading = read()
        page.evaluate("() => { window.cut = false; }")
        page.get_by_text("The position is set up.").wait_for()


@pytest.mark.parametrize("hindered", ["moving", "hand"])
def test_a_play_under_a_hand_is_not_answered_with_what_lay_there_before(
    browser: "Browser", own: ProgressFile, hindered: str
) -> None:
    house = watched(read())
    with page_at(browser, house, "/learn#course/opening_31") as page:
        page.get_by_role("button", name="Set it up on the board").click()
        page.get_by_text("The position is set up.").wait_for()
        house.moving, house.reading = hindered == "moving", read(hand=hindered == "hand")
        page.get_by_role("button", name="Take my play from the board").click()
        page.get_by_text("ask again").wait_for()
        assert page.locator(".lesson-mark").count() == 0
        house.moving, house.reading = False, read(after_play(START, Side.LIGHT, "8/5 6/5"))
        page.get_by_role("button", name="Take my play from the board").click()
        page.get_by_text("Right.").wait_for()
    assert own.load().of("me")["opening_31"].tries == 1


def test_a_lesson_that_is_left_is_set_up_no_more_until_somebody_comes_back(browser: "Browser") -> None:
    house = watched(read(OTHER))
    with page_at(browser, house, "/learn#course/opening_31") as page:
        page.get_by_role("button", name="Set it up on the board").click()
        page.get_by_text("Put a checker here: 6.").wait_for()
        for elsewhere in ("#course", "#exercise/board"):
            page.evaluate("(where) => { location.hash = where; }", elsewhere)
            page.wait_for_timeout(500)  # a look that was on its way may still come
            before = len(house.lit)
            page.wait_for_timeout(2000)
            assert len(house.lit) == before
            page.evaluate("() => { location.hash = '#course/opening_31'; }")
            page.locator(".lesson-title").wait_for()
            if elsewhere == "#course":
                page.get_by_role("button", name="Set it up on the board").click()
            page.get_by_text("Put a checker here: 6.").wait_for()
        house.reading = read()
        page.get_by_text("The position is set up.").wait_for()


def test_a_lesson_is_set_up_played_and_answered_on_the_board(browser: "Browser", own: ProgressFile) -> None:
    house = watched(read(OTHER))
    with page_at(browser, house, "/learn#course/opening_31", PHONE) as page:
        page.get_by_role("button", name="Set it up on the board").click()
        page.locator(".real-board li").first.wait_for()
        house.reading = read()
        page.get_by_text("The position is set up.").wait_for()
        house.reading = read(after_play(START, Side.LIGHT, "8/5 6/5"))
        page.get_by_role("button", name="Take my play from the board").click()
        page.get_by_text("Right.").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert own.load().of("me")["opening_31"].last


def test_a_word_answers_a_lesson_about_the_cube_that_lies_on_the_board(
    browser: "Browser", own: ProgressFile
) -> None:
    house = watched(read(lesson_named("last_take").position))
    with page_at(browser, house, "/learn#course/last_take") as page:
        page.get_by_role("button", name="Set it up on the board").press("Enter")
        page.get_by_text("The position is set up.").wait_for()
        page.get_by_role("button", name="Take", exact=True).press("Enter")
        page.get_by_text("Right.").wait_for()
    assert own.load().of("me")["last_take"].last
