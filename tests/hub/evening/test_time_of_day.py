"""In a browser: when something happened is told by the clock on the wall, not in UTC."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from controller.hub.server.deeds import DeedSent, carry_out
from tests.browser import browser
from tests.hub.desk_hall import PIN, desk_hall

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


def test_what_happened_in_a_tournament_has_the_time_of_where_the_director_is(
    browser: "Browser", tmp_path: Path
) -> None:
    with desk_hall(tmp_path, tables=1) as running:
        carry_out(running.evening, DeedSent(what="begin", name="Thursday", format="swiss"))
        carry_out(running.evening, DeedSent(what="enter", players="Ann\nBob"))
        log = running.evening.log()
        assert log is not None
        written = [datetime.fromisoformat(str(each["utc"])) for each in log.file.records]
        context = browser.new_context(timezone_id="Asia/Kolkata", locale="en-GB")
        page = context.new_page()
        page.goto(f"{running.address}/login")
        page.locator("input[name=pin]").fill(PIN)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: "login" not in url)
        page.goto(f"{running.address}/tournament#log")
        page.locator("ol.log li").first.wait_for()
        shown = [each.split(" ")[0] for each in page.locator("ol.log li .small").all_inner_texts()]
        ahead = timedelta(hours=5, minutes=30)
        assert sorted(shown) == sorted((each + ahead).strftime("%H:%M") for each in written)
        context.close()
