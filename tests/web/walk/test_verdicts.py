"""What the pages say of plays that are not legal: no sentence has a hole, and nobody is said to be unable to move."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from controller.referee import Phase
from controller.web.server.application import serve
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse
from tests.web.walk.visitor import DESK, Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LANGUAGES = ("en", "hu", "et", "sk")


@pytest.fixture
def house() -> TableHouse:
    """Light plays 3-1."""
    return TableHouse(SCENES[Phase.MOVING]())


@pytest.fixture
def server(house: TableHouse) -> Iterator[WebServer]:
    with serve(house, WebSettings()) as opened:
        yield opened


def test_an_illegal_play_that_was_typed_is_named_in_its_verdict(
    browser: "Browser", server: WebServer
) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        visitor.choose("played")
        visitor.page.fill("#play-field", "24/13")
        visitor.press(visitor.words("page", "table", "send"))
        visitor.sees("Anna, 3-1: 24/13")
        said = visitor.page.inner_text("body")
        assert visitor.words("play", "dance") not in said
        assert ":  " not in said
        visitor.look("typed-illegal")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_in_which_nothing_was_moved_is_told_as_that_and_not_as_a_dance(
    browser: "Browser", server: WebServer, house: TableHouse, language: str
) -> None:
    with visiting(browser, server.address, Device(1440, 900, language)) as visitor:
        visitor.open("/")
        visitor.sees("Anna Kovács")
        lies = house.evening.table.position.compact()
        house.ask({"what": "played", "side": "light", "position": lies}, "light").result(30)
        visitor.sees(visitor.words("table", "nothing_moved", side="Anna"))
        said = visitor.page.inner_text("body")
        assert visitor.words("play", "dance") not in said
        assert ":  " not in said
        assert ": ." not in said
