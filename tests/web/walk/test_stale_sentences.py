"""What the page says is about now: a sentence goes with what it was about, and green stands beside nothing wrong."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from controller.messages.table_words import message_words
from controller.referee import Phase
from controller.referee.actions import Message
from controller.referee.events import DeviceChanged, Disputed, GoOn
from controller.rules import Side
from controller.web.server.application import serve
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from tests.demo.seated import moved
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG
from tests.web.served_table import TableHouse
from tests.web.walk.visitor import DESK, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def house() -> TableHouse:
    """Both are to roll for the first move."""
    return TableHouse(SCENES[Phase.OPENING_ROLL]())


@pytest.fixture
def server(house: TableHouse) -> Iterator[WebServer]:
    with serve(house, WebSettings()) as opened:
        yield opened


def _said(visitor: Visitor) -> str:
    return visitor.page.inner_text("#talk")


def _starts() -> str:
    return message_words(Message.STARTS, {"side": "light", "dice": [3, 1]}, names={Side.LIGHT: "Anna"})


def test_who_starts_is_said_until_the_first_play_is_over(
    browser: "Browser", server: WebServer, house: TableHouse
) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        visitor.sees("Anna Kovács")
        house.play(lambda evening: evening.roll(3, 1))
        visitor.sees(_starts())
        house.play(lambda evening: (evening.move(GOOD), evening.done()))
        visitor.sees("Béla to roll")
        assert _starts() not in _said(visitor)
        house.play(lambda evening: evening.roll(6, 4))
        visitor.sees("Béla to play")
        assert _starts() not in _said(visitor)


def test_that_a_play_is_to_be_corrected_is_not_said_beside_the_legal_play(
    browser: "Browser", server: WebServer, house: TableHouse
) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        visitor.sees("Anna Kovács")
        house.play(lambda evening: evening.roll(3, 1))
        house.play(lambda evening: (evening.move(WRONG), evening.done()))
        correct = message_words(Message.PUT_BACK, {"side": "light"}, names={Side.LIGHT: "Anna"})
        visitor.sees(correct)
        assert visitor.page.locator("#head .status .well").count() == 0
        visitor.look("illegal-status")
        house.play(lambda evening: (evening.move(GOOD), evening.look()))
        visitor.sees("8/5 6/5 is legal")
        visitor.sees("Béla to roll")
        assert correct not in _said(visitor)
        assert visitor.page.locator("#head .status .well").count() > 0


def test_that_a_device_is_back_is_not_said_for_turns(
    browser: "Browser", server: WebServer, house: TableHouse
) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        house.play(lambda evening: evening.roll(3, 1))
        for ready in (False, True):
            house.tell(DeviceChanged(house.evening.t, "board", ready, "lost"))
        back = message_words(Message.DEVICE_BACK, {"device": "board"})
        visitor.sees(back)
        house.play(lambda evening: (evening.move(GOOD), evening.done()))
        visitor.sees("Béla to roll")
        assert back not in _said(visitor)


def test_a_dispute_is_not_in_order(browser: "Browser", server: WebServer, house: TableHouse) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        house.play(lambda evening: evening.roll(3, 1))
        visitor.sees("Anna to play")
        house.tell(Disputed(house.evening.t))
        visitor.sees(visitor.words("table", "dispute"))
        assert visitor.page.locator("#head .status .well").count() == 0
        visitor.look("dispute-status")
        house.tell(GoOn(house.evening.t))
        visitor.sees("Anna to play")
        assert visitor.page.locator("#head .status .well").count() > 0


def test_checkers_that_are_back_in_their_place_are_not_asked_for_any_more(
    browser: "Browser", server: WebServer, house: TableHouse
) -> None:
    with visiting(browser, server.address, DESK) as visitor:
        visitor.open("/")
        house.play(lambda evening: evening.roll(3, 1))
        house.play(lambda evening: (evening.move(GOOD), evening.done()))
        house.play(lambda evening: evening.move(moved(GOOD, Side.DARK, (13, 12)), pictures=4))
        asked = message_words(Message.MOVED_OUT_OF_TURN, {})
        visitor.sees(asked)
        house.play(lambda evening: evening.move(GOOD, pictures=4))
        visitor.sees("Béla to roll")
        visitor.until(lambda: asked not in _said(visitor))
