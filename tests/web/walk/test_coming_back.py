"""A page whose table was away, or that slept, comes back to how things stand."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.demo.floor import Manner
from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.rules.position import START, Position, Side
from controller.web.table_service import RoomState
from tests.demo.seated import STILL, moved
from tests.web.walk.evening import Evening, evening
from tests.web.walk.visitor import DESK, Device, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOUR_MS = 3_600_000
TWO_SIDES = dict.fromkeys(Side, Manner.FOLLOWS)
RACE = Position.from_counts([2, 2, 2, *[0] * 18, -2, -2, -2])
SMALL = Device(390, 844, "en", "light", touch=True)


@pytest.fixture
def table(prepared: Prepared, tmp_path: Path) -> Iterator[Evening]:
    with evening(prepared, tmp_path, length=7, manners=STILL) as opened:
        opened.seated.roll_opening()
        opened.seated.until_phase(Phase.MOVING)
        yield opened


def _clocks(visitor: Visitor) -> list[str]:
    """The time that both have left; not the delay before it runs."""
    return [text.split()[-1] for text in visitor.page.locator(".clock").all_inner_texts()]


def test_an_hour_without_the_server_stops_the_clocks_and_then_the_page_is_right_again(
    browser: "Browser", table: Evening
) -> None:
    with visiting(browser, table.address, DESK) as visitor:
        visitor.page.clock.install()
        visitor.open("/")
        visitor.page.clock.run_for(2500)
        visitor.page.locator(".clock").first.wait_for()
        before = _clocks(visitor)
        table.close_pages()
        visitor.page.wait_for_timeout(500)
        visitor.page.clock.run_for(6000)
        visitor.page.clock.fast_forward(HOUR_MS)
        visitor.page.clock.run_for(1000)
        visitor.page.get_by_text("Last heard 36").first.wait_for()
        assert _clocks(visitor) == before
        table.seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
        table.open_pages_again()
        visitor.until(
            lambda: "8/5 6/5" in visitor.page.inner_text("body"), lambda: visitor.page.clock.run_for(2000)
        )
        assert "Last heard" not in visitor.page.inner_text("body")


def test_a_page_that_slept_in_a_hidden_tab_shows_what_has_happened_meanwhile(
    browser: "Browser", table: Evening
) -> None:
    with visiting(browser, table.address, DESK) as visitor:
        visitor.open("/")
        visitor.page.locator(".clock").first.wait_for()
        talk = visitor.page.context.new_cdp_session(visitor.page)
        talk.send("Page.enable")
        talk.send("Page.setWebLifecycleState", {"state": "frozen"})
        table.seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
        talk.send("Page.setWebLifecycleState", {"state": "active"})
        visitor.sees("8/5 6/5")
        visitor.look("after-sleep")


def test_what_is_said_to_a_question_that_is_gone_is_not_done(browser: "Browser", table: Evening) -> None:
    with visiting(browser, table.address, DESK) as visitor:
        visitor.open("/")
        visitor.page.locator(".clock").first.wait_for()
        run, seq = visitor.page.evaluate(
            "fetch('/api/v1/state').then((told) => told.json()).then(({run, seq}) => [run, seq])"
        )
        table.seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
        visitor.sees("8/5 6/5")
        answer = visitor.page.evaluate(
            """([run, seen]) => fetch("/api/v1/commands", {method: "POST", headers: {"Content-Type":
            "application/json"}, body: JSON.stringify({id: "late-command-1", what: "roll_void", side: "light",
            run, seen})}).then((told) => told.json())""",
            [run, seq],
        )
        assert answer["answer"] == "stale"


def test_two_players_play_a_match_to_its_end_by_the_page_of_a_phone(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, manners=TWO_SIDES) as table,
        visiting(browser, table.address, SMALL) as visitor,
    ):
        seated = table.seated
        seated.until_phase(Phase.OPENING_ROLL)
        visitor.open("/")

        table.roll(visitor, 3, 1, "opening_roll")
        table.say_played(visitor, "8/5 6/5")
        seated.until_turn(Side.DARK)
        visitor.sees("8/5 6/5")
        # The rest of the game would take the test too long: it is ruled to be a race.
        seated.ask("ruling", position=RACE.compact(), on_roll="light")
        seated.until_lies(RACE)
        for side, first, second, text in (
            (Side.LIGHT, 6, 6, "3/off(2) 2/off(2)"),
            (Side.DARK, 2, 1, "2/off 1/off"),
            (Side.LIGHT, 5, 5, "1/off(2)"),
        ):
            seated.until_turn(side)
            table.roll(visitor, first, second)
            table.say_played(visitor, text)
        seated.until(lambda: seated.room.view().state is RoomState.OVER)
        visitor.sees(visitor.words("page", "table", "next_match"))
        visitor.look("phone-over")
        assert visitor.wrong == []
