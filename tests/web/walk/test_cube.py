"""A double that is taken at the page: people have time to turn the cube, and are told where it belongs."""

from pathlib import Path
from typing import TYPE_CHECKING

from controller.demo.floor import Manner
from controller.demo.preparing import Prepared
from controller.referee.actions import Phase
from controller.referee.seeing.cube_watch import Shown
from controller.rules.position import START, Side
from tests.demo.seated import STILL, moved
from tests.web.walk.evening import Evening, evening
from tests.web.walk.visitor import DESK, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _double_and_take(table: Evening, visitor: Visitor) -> None:
    """Light has opened, Dark doubles, Light takes; all of it but the play at the page."""
    seated = table.seated
    seated.roll_opening()
    seated.until_phase(Phase.MOVING)
    seated.lay(moved(START, Side.LIGHT, (8, 5), (6, 5)))
    seated.until_turn(Side.DARK)
    visitor.open("/")
    visitor.choose("double", value=2)
    visitor.choose("take")
    visitor.page.locator(".sure").get_by_role("button").last.click()
    seated.until_phase(Phase.TO_ROLL)


def test_a_cube_taken_at_the_page_may_be_turned_in_peace_and_is_asked_for_until_it_lies_right(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, length=7, manners=STILL) as table,
        visiting(browser, table.address, DESK) as visitor,
    ):
        seated = table.seated
        _double_and_take(table, visitor)
        taken_t = seated.known.t
        question = visitor.page.locator(".question-cube, .asked")
        shown = seated.room.view().match
        assert shown is not None
        due = visitor.words("table", "cube_due", value=2, owner=shown.names[Side.LIGHT])
        visitor.sees(visitor.words("live", "headline", "to_roll", side=shown.names[Side.DARK]))
        assert question.count() == 0
        table.roll(visitor, 6, 4)
        seated.until(lambda: seated.room.view().t_s > taken_t + seated.known.caution.cube_turn_s)
        # A hand brings new pictures, in which the cube lies in the middle yet.
        seated.table.move(Side.DARK, moved(seated.known.position, Side.DARK, (24, 14)))
        visitor.sees(due)
        visitor.look("cube-due")
        assert visitor.words("table", "cube_moved_center", value=1) not in visitor.page.inner_text("body")
        table.turn_cube(Side.LIGHT, 2)
        visitor.until(lambda: question.count() == 0)


def test_hands_that_follow_what_is_said_at_the_page_turn_the_cube_too(
    browser: "Browser", prepared: Prepared, tmp_path: Path
) -> None:
    with (
        evening(prepared, tmp_path, length=7, manners=STILL) as table,
        visiting(browser, table.address, DESK) as visitor,
    ):
        seated = table.seated
        _double_and_take(table, visitor)
        for side in Side:
            seated.table.let(side, Manner.FOLLOWS)
        seated.until(lambda: seated.known.cube.shown == Shown("light", 2))
        assert visitor.page.locator(".asked").count() == 0
