"""A person who knows nothing gets from no board to a finished match by the pages alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from controller.demo.preparing import Prepared
from controller.devices import Button
from controller.referee.actions import Phase
from controller.rules.position import START, Side
from controller.web.table_service import RoomState
from tests.demo.seated import STILL, moved
from tests.web.walk.evening import Evening, evening
from tests.web.walk.visitor import DESK, PHONE, Device, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LIGHT, DARK, PIN = "Anna Kovács", "Béla Szabó", "482913"

PAGES: Final = {
    "/": "#talk button",
    "/watch?size=fit": "#board svg",
    "/watch?size=hall": "#board svg",
    "/overlay": ".strip",
    "/learn": "#list a",
    "/login": "#pin",
}
"""With what each of them shows once it is drawn."""
PAGES_OF_DIRECTOR: Final = {"/see": "#points button", "/pins": "ul.pins"}


def _set_up(visitor: Visitor) -> None:
    """From no board to a match that begins."""

    def press(name: str) -> None:
        visitor.press(visitor.words("page", "setup", name))

    def heading(step: str) -> None:
        visitor.sees(visitor.words("page", "setup", "heading", step))

    visitor.open("/")
    visitor.look("no-board")
    visitor.follow(visitor.words("page", "table", "to_setup"))
    visitor.button(visitor.words("page", "setup", "go_on")).wait_for()
    visitor.look("set-up-camera")
    press("go_on")
    heading("aim")
    press("find")
    visitor.button(visitor.words("page", "setup", "outline_right")).wait_for()
    visitor.page.locator("#straight").wait_for()
    visitor.look("set-up-aim")
    press("outline_right")
    heading("checkers")
    visitor.page.locator("#main-button:enabled").wait_for()
    visitor.look("set-up-checkers")
    press("checkers_right")
    heading("devices")
    visitor.look("set-up-devices")
    press("go_on")
    heading("players")
    visitor.page.fill("#light", LIGHT)
    visitor.page.fill("#dark", DARK)
    visitor.page.select_option("#length", "3")
    visitor.look("set-up-players")
    press("start")
    visitor.page.wait_for_url(f"{visitor.address}/")
    visitor.sees(LIGHT)


def _begin(table: Evening, visitor: Visitor) -> None:
    """The first play, and an illegal one that is put right."""
    seated = table.seated
    visitor.look("table-opening")
    table.roll(visitor, 3, 1, "opening_roll")
    table.lay(visitor, moved(START, Side.LIGHT, (8, 5), (6, 5)))
    visitor.sees("8/5 6/5")
    visitor.look("table")
    table.roll(visitor, 6, 1)
    before = seated.known.position
    table.lay(visitor, moved(before, Side.DARK, (13, 7), (13, 9)))
    seated.until_phase(Phase.PUT_RIGHT)
    visitor.sees(visitor.words("page", "table", "put_back"))
    visitor.look("illegal")
    assert visitor.words("verdict", "stands") not in visitor.page.inner_text("body")
    seated.table.move(Side.DARK, before)
    seated.until_phase(Phase.MOVING)
    table.lay(visitor, moved(before, Side.DARK, (13, 7), (8, 7)))
    visitor.sees("13/7 8/7")


def _double(table: Evening, visitor: Visitor) -> None:
    """A double that is taken, and a cube that lies as nobody agreed until it is turned."""
    visitor.choose("double", value=2)
    visitor.button(visitor.words("live", "choice", "take")).wait_for()
    visitor.look("double")
    visitor.choose("take")
    visitor.page.locator(".sure").get_by_role("button").last.click()
    table.seated.until_phase(Phase.TO_ROLL)
    table.turn_cube(Side.DARK, 2)


def _answer(table: Evening, visitor: Visitor) -> None:
    """A second roll, which the opponent allows."""
    seated = table.seated
    table.roll(visitor, 2, 1)
    seated.table.press(Side.LIGHT, Button.ROLL)
    visitor.page.locator(".asked").wait_for()
    visitor.look("question")
    first = seated.known.thrown
    visitor.press(visitor.words("live", "choice", "allow_second"))
    seated.until(lambda: seated.known.thrown is not None and seated.known.thrown.again is None)
    assert seated.known.thrown != first


def _rule(table: Evening, player: Visitor, director: Visitor) -> None:
    """A player calls the director, who sets his PIN at the table and rules a position."""
    # What is offered has just changed: the first press may not count.
    player.until(lambda: table.seated.known.phase is Phase.DISPUTE, lambda: player.choose("dispute"))
    director.open("/director")
    director.page.fill("#pin", PIN)
    director.page.keyboard.press("Enter")
    director.page.locator(".matter").wait_for()
    director.look("director")
    director.follow(director.words("page", "director", "another_ruling"))
    director.press(director.words("page", "director", "rule_now"))
    director.look("director-ruling")
    director.page.locator(".sure button[type=submit]").click()
    # The checkers lie as ruled, so play goes on at once.
    table.seated.until_phase(Phase.TO_ROLL)


def _resign(table: Evening, visitor: Visitor) -> None:
    """The match is resigned and over; before that nothing is final."""
    gammon = visitor.button(visitor.words("live", "choice", "resign_2"))
    seldom = visitor.page.locator(".more").get_by_role("button").first

    def look_for_it() -> None:
        """What is offered may just have changed: then a press does not count."""
        if seldom.is_visible():
            seldom.click()
        else:
            visitor.page.locator(".more summary").click()

    visitor.until(gammon.is_visible, look_for_it)
    visitor.press(visitor.words("live", "choice", "resign_2"))
    visitor.page.locator(".sure").get_by_role("button").last.click()
    table.seated.until_phase(Phase.RESIGNATION_OFFERED)
    visitor.button(visitor.words("live", "choice", "accept")).wait_for()
    visitor.look("resignation")
    visitor.choose("accept")
    visitor.page.locator(".sure").get_by_role("button").last.click()
    table.seated.until(lambda: table.seated.room.view().state is RoomState.OVER)
    visitor.sees(visitor.words("page", "table", "next_match"))
    visitor.look("over")


def test_a_whole_evening_goes_by_the_pages_alone(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, knows_board=False, manners=STILL) as table,
        visiting(browser, table.address, DESK) as visitor,
        visiting(browser, table.address, DESK) as director,
    ):
        _set_up(visitor)
        _begin(table, visitor)
        _double(table, visitor)
        _answer(table, visitor)
        _rule(table, visitor, director)
        _resign(table, visitor)
        director.open("/director#files")
        with director.page.expect_download() as download:
            director.follow(director.words("page", "director", "file", "mat"))
        text = Path(download.value.path()).read_text(encoding="utf-8")
        assert "8/5 6/5" in text
        assert LIGHT in text


def test_a_phone_in_another_language_sets_a_dark_page_up_and_sees_a_play_put_right(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, knows_board=False, manners=STILL) as table,
        visiting(browser, table.address, PHONE) as visitor,
    ):
        _set_up(visitor)
        _begin(table, visitor)


def _open_drawn(visitor: Visitor, path: str, drawn: str) -> None:
    """Open a page, and wait until it shows what a script draws there last, and all pictures have come."""
    visitor.open(path)
    visitor.page.locator(drawn).first.wait_for(state="attached")
    visitor.page.wait_for_function("() => [...document.images].every(each => each.complete)")


@pytest.mark.parametrize(
    "device",
    [
        Device(390, 844, "en", "light", touch=True),
        Device(1440, 900, "hu", "dark"),
        Device(1024, 768, "et", "light"),
        Device(1024, 768, "sk", "dark"),
    ],
    ids=lambda device: device.name,
)
def test_every_page_fits_and_can_be_used_by_everybody(
    browser: "Browser", table_with_a_play: Evening, device: Device
) -> None:
    with visiting(browser, table_with_a_play.address, device) as visitor:
        for path, drawn in PAGES.items():
            _open_drawn(visitor, path, drawn)
            visitor.look(path.strip("/").replace("?size=", "-") or "table")
        visitor.open("/login?next=/director")
        visitor.page.fill("#pin", PIN)
        visitor.page.keyboard.press("Enter")
        visitor.page.locator("#list a").first.wait_for()
        for view in ("table", "plays", "rule", "score", "files"):
            _open_drawn(visitor, f"/director#{view}", f'#list a[href="#{view}"][aria-current=true]')
            visitor.look(f"director-{view}")
        for path, drawn in PAGES_OF_DIRECTOR.items():
            _open_drawn(visitor, path, drawn)
            visitor.look(path.strip("/"))
