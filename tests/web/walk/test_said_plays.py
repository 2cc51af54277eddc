"""Two people play by the page alone: what they enter is judged as what a camera sees, and can be taken back."""

from pathlib import Path
from typing import TYPE_CHECKING

from controller.demo.floor import Manner
from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.rules.position import START, Side
from tests.demo.seated import moved
from tests.web.walk.evening import evening
from tests.web.walk.visitor import DESK, Device, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TWO_SIDES = dict.fromkeys(Side, Manner.FOLLOWS)
SMALL = Device(390, 844, "hu", "light", touch=True)


def _enter(visitor: Visitor, text: str) -> None:
    """Enter a play; what is offered may just have changed, then a press does not count."""
    field = visitor.page.locator("#play-field")
    visitor.until(field.is_visible, lambda: visitor.choose("played"))
    field.fill(text)
    visitor.press(visitor.words("page", "table", "send"))


def _press_seldom(visitor: Visitor, name: str) -> None:
    """Press a button that lies under "More"."""
    button = visitor.button(name)
    visitor.until(button.is_visible, lambda: visitor.page.locator(".more summary").click())
    visitor.press(name)


def test_an_illegal_play_that_is_entered_does_not_stand_and_another_one_can_be_entered(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, length=3, manners=TWO_SIDES) as table,
        visiting(browser, table.address, DESK) as visitor,
    ):
        seated = table.seated
        seated.until_phase(Phase.OPENING_ROLL)
        visitor.open("/")
        table.roll(visitor, 6, 4, "opening_roll")
        _enter(visitor, "24/13")
        seated.until_told("Anna, 6-4: 24/13 is not legal.")
        seated.until_phase(Phase.MOVING)
        visitor.sees("24/13 is not legal.")
        visitor.look("entered-illegal")
        assert visitor.words("verdict", "stands") not in visitor.page.inner_text("body")
        assert seated.known.position == START
        _enter(visitor, "24/14")
        seated.until_turn(Side.DARK)
        visitor.sees("24/14")
        assert visitor.wrong == []


def test_two_players_take_a_play_back_by_the_page_of_a_phone(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, length=3, manners=TWO_SIDES) as table,
        visiting(browser, table.address, SMALL) as visitor,
    ):
        seated = table.seated
        seated.until_phase(Phase.OPENING_ROLL)
        visitor.open("/")
        table.roll(visitor, 3, 1, "opening_roll")
        _enter(visitor, "24/23 13/10")
        after = moved(START, Side.LIGHT, (24, 23), (13, 10))
        seated.until_turn(Side.DARK)
        seated.until_lies(after)
        _press_seldom(visitor, visitor.words("live", "choice", "undo"))
        visitor.button(visitor.words("live", "choice", "undo_agree")).wait_for()
        visitor.look("undo-asked")
        assert seated.known.position == after
        visitor.choose("undo_agree")
        seated.until_lies(START)
        seated.until_phase(Phase.MOVING)
        assert (seated.known.ply, seated.known.position) == (0, START)
        _enter(visitor, "8/5 6/5")
        seated.until_turn(Side.DARK)
        visitor.sees("8/5 6/5")
        visitor.look("undo-played-again")
        assert "13/10" not in visitor.page.inner_text("body")
