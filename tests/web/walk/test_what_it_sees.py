"""The page "What I see" says from which moment its words are, and what happened in the last minute."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.rules.position import START, Side
from tests.demo.seated import STILL, moved
from tests.web.walk.evening import evening
from tests.web.walk.visitor import DESK, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PIN = "482913"


def test_a_hand_over_the_board_is_told_although_no_picture_is_read_while_it_moves(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, length=7, manners=STILL) as table,
        visiting(browser, table.address, DESK) as visitor,
    ):
        seated = table.seated
        seated.roll_opening()
        seated.until_phase(Phase.MOVING)
        visitor.open("/login?next=/see")
        visitor.page.fill("#pin", PIN)
        visitor.page.press("#pin", "Enter")
        visitor.page.locator("#about", has_text=re.compile(r"read [\d.]+ s ago")).wait_for()
        seated.table.move(Side.LIGHT, moved(START, Side.LIGHT, (8, 5), (6, 5)))
        visitor.page.locator("#minute .hand").first.wait_for(state="attached")
        seated.until(lambda: seated.table.at_rest)
        visitor.look("what-it-sees")
