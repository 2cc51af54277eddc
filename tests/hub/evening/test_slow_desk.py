"""The desk and the tournament over a slow line: no press is lost or counts twice, and what is typed stays."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import browser
from tests.hub.desk_hall import DeskHall, desk_hall
from tests.hub.evening.test_directors_pairs import begin, tournament_of
from tests.web.held_line import HeldLine
from tests.web.walk.visitor import DESK, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


@pytest.fixture
def running(tmp_path: Path) -> Iterator[DeskHall]:
    with desk_hall(tmp_path, tables=2) as hall:
        yield hall


@pytest.fixture
def director(browser: "Browser", running: DeskHall) -> Iterator[Visitor]:
    """Four people are entered."""
    with visiting(browser, running.address, DESK) as somebody:
        begin(somebody)
        yield somebody


def test_what_is_pressed_while_something_else_is_sent_is_done_too_and_what_is_typed_stays(
    director: Visitor, running: DeskHall
) -> None:
    page, line = director.page, HeldLine(director.page)
    page.reload()
    names = page.locator("#field-players")
    names.fill("Eve")
    line.hold("^POST")
    page.locator("form.stack button.main").click()
    line.wait()
    names.fill("Fay")
    page.evaluate("location.hash = 'matches'")
    page.locator("#field-one").select_option(label="Ann")
    page.locator("#field-other").select_option(label="Bob")
    director.press(director.words("page", "tournament", "pair_now"))
    director.until(lambda: len(tournament_of(running).matches) == 1)
    line.wait(2)
    line.let_go(first=True)
    director.sees(director.words("page", "tournament", "tournament_done"))
    page.evaluate("location.hash = 'players'")
    assert names.input_value() == "Fay"


def test_a_message_is_sent_once_however_often_it_is_pressed_and_the_next_one_can_be_typed(
    director: Visitor, running: DeskHall
) -> None:
    page, line = director.page, HeldLine(director.page)
    director.open("/director")
    page.locator(".needs.calm a").first.click()
    field = page.locator("#message")
    field.fill("Tea is ready.")
    line.hold("^POST")
    for _ in range(2):
        page.locator("form.line button").click()
    line.wait()
    field.fill("And cake.")
    line.let_go(first=True)
    page.locator("#main .notice-line").wait_for()
    assert field.input_value() == "And cake."
    assert [body["text"] for _, body, _ in running.hall.asked if body["what"] == "message"] == [
        "Tea is ready."
    ]
