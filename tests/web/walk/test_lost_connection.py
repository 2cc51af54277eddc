"""Pages whose table goes away say so and come back by themselves; nobody stops the browser's clock here."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from controller.referee import Phase
from controller.web.server.application import serve
from controller.web.server.thread import WebServer
from tests.ports import free_port
from tests.referee.table.scenes import SCENES
from tests.web.browsers import PIN, SETTINGS
from tests.web.served_table import TableHouse
from tests.web.walk.forwarder import Forwarder
from tests.web.walk.visitor import DESK, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = ("/", "/watch", "/overlay", "/learn", "/director")


@dataclass
class Served:
    """A table, and the server of its pages, which may go and come back."""

    house: TableHouse
    server: WebServer

    def restart(self) -> None:
        """Offer the pages again, at the same address."""
        self.server = serve(self.house, replace(SETTINGS, port=self.server.port))


@pytest.fixture
def table() -> Iterator[Served]:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    served = Served(house, serve(house, replace(SETTINGS, port=free_port())))
    yield served
    served.server.close()


def _enter(visitor: Visitor, path: str) -> None:
    """Open a page, with the director's PIN where it asks for one, and wait until it hears the table."""
    with visitor.page.expect_websocket() as line:
        visitor.open(path)
        if path == "/director":
            visitor.page.fill("#pin", PIN)
            visitor.page.press("#pin", "Enter")
    line.value.wait_for_event("framereceived")


def _is_cut_off(visitor: Visitor) -> bool:
    """Whether the page says so; after some seconds it says instead when it last heard the table."""
    body = visitor.page.inner_text("body")
    last_heard = visitor.words("page", "table", "last_heard", seconds="|").partition("|")[0]
    return visitor.words("page", "table", "not_connected") in body or last_heard in body


def test_every_page_says_that_it_is_not_connected_and_comes_back_by_itself(
    browser: "Browser", table: Served
) -> None:
    with ExitStack() as stack:
        visitors = [stack.enter_context(visiting(browser, table.server.address, DESK)) for _ in PAGES]
        for visitor, path in zip(visitors, PAGES, strict=True):
            _enter(visitor, path)
        table.server.close()
        for visitor in visitors:
            visitor.until(lambda visitor=visitor: _is_cut_off(visitor))
        table.house.play(lambda evening: evening.roll(5, 2))
        table.restart()
        for visitor, path in zip(visitors, PAGES, strict=True):
            if path == "/director":
                # The program that knew the session is gone: the page leads to where one enters the PIN again.
                visitor.page.locator("#pin").wait_for()
                continue
            visitor.until(lambda visitor=visitor: not _is_cut_off(visitor))
            if path != "/learn":
                rolled = visitor.words("page", "table", "dice_read", dice="5-2")
                visitor.page.get_by_text(rolled).first.wait_for(state="attached")
            assert not [text for text in visitor.wrong if "TypeError" in text]


def test_a_page_whose_line_is_dead_without_a_word_dials_anew(browser: "Browser", table: Served) -> None:
    with (
        Forwarder(table.server.port) as line,
        visiting(browser, f"http://127.0.0.1:{line.port}", DESK) as visitor,
    ):
        visitor.open("/")
        visitor.page.get_by_text("Kovács").first.wait_for()
        line.lose()
        table.house.play(lambda evening: evening.roll(5, 2))
        visitor.page.get_by_text("Last heard").first.wait_for()
        visitor.page.get_by_text(visitor.words("page", "table", "dice_read", dice="5-2")).first.wait_for(
            state="attached"
        )
        assert "Last heard" not in visitor.page.inner_text("body")


def test_the_strip_for_streams_lies_where_it_is_wanted_and_its_words_beside_it(
    browser: "Browser", table: Served
) -> None:
    with ExitStack() as stack:
        above, below = (stack.enter_context(visiting(browser, table.server.address, DESK)) for _ in range(2))
        above.open("/overlay?place=top")
        below.open("/overlay")
        for visitor in (above, below):
            visitor.page.get_by_text("Kovács").first.wait_for()
        table.server.close()
        for visitor in (above, below):
            visitor.page.locator(".tab.lost").wait_for()
            box = visitor.page.locator(".tab.lost").bounding_box()
            assert box is not None
            assert 0 <= box["y"] < box["y"] + box["height"] <= DESK.height
        for visitor, is_above in ((above, True), (below, False)):
            strip = visitor.page.locator(".strip").bounding_box()
            assert strip is not None
            assert (strip["y"] < DESK.height / 2) is is_above
