"""Pages of the hub that hear nothing say so and come back; a stream does not show an old score without a word."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from controller.referee import Phase
from tests.browser import browser
from tests.hub.desk_hall import desk_hall
from tests.web.walk.forwarder import Forwarder
from tests.web.walk.visitor import DESK, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


def test_a_stream_says_that_its_table_is_away_until_it_is_there_again(
    browser: "Browser", tmp_path: Path
) -> None:
    with desk_hall(tmp_path, 1) as of, visiting(browser, of.address, DESK) as visitor:
        away = f"Table 1: {visitor.words('page', 'hall', 'away')}"
        of.hall.show("table-1", Phase.TO_ROLL)
        visitor.open("/overlay?table=1")
        visitor.sees("Anna Kovács")
        assert away not in visitor.page.inner_text("body")
        of.hall.change("table-1", up=False)
        visitor.sees(away)
        of.hall.change("table-1", up=True)
        visitor.until(lambda: away not in visitor.page.inner_text("body"))


def test_pages_of_the_hall_whose_line_is_dead_without_a_word_say_so_and_dial_anew(
    browser: "Browser", tmp_path: Path
) -> None:
    with desk_hall(tmp_path, 1) as of, ExitStack() as stack:
        of.hall.show("table-1", Phase.TO_ROLL)
        line = stack.enter_context(Forwarder(urlsplit(of.address).port or 0))
        stream, hall = (
            stack.enter_context(visiting(browser, f"http://127.0.0.1:{line.port}", DESK)) for _ in range(2)
        )
        stream.open("/overlay?table=1")
        hall.open("/")
        for visitor in (stream, hall):
            visitor.sees("Anna Kovács")
        line.lose()
        of.hall.show("table-1", Phase.TO_ROLL, match={"light": "Cecília Nagy"})
        stream.sees(stream.words("page", "table", "not_connected"))
        hall.sees(hall.words("page", "hall", "hub_silent"))
        for visitor in (stream, hall):
            visitor.sees("Cecília Nagy")
        stream.until(
            lambda: stream.words("page", "table", "not_connected") not in stream.page.inner_text("body")
        )
        hall.until(lambda: hall.words("page", "hall", "hub_silent") not in hall.page.inner_text("body"))
