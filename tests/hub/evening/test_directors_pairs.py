"""In a browser: the director makes pairs, notes who came late, has a place played for, and sees the prizes."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.tournament.tournament import Progress, Tournament
from tests.browser import browser
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.web.walk.visitor import Device, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]


def tournament_of(running: DeskHall) -> Tournament:
    made = running.evening.tournament()
    assert made is not None
    return made


def begin(director: Visitor) -> None:
    page = director.page
    director.open("/director")
    page.locator("input[name=pin]").fill(PIN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/director")
    page.locator(".needs.calm a").first.wait_for()
    director.open("/tournament")
    page.locator("#field-name").fill("Thursday")
    page.locator("#field-format").select_option("free")
    page.locator("#field-fee").fill("20")
    page.locator("#field-shares").fill("50,30,20")
    director.look("pot")
    page.locator("form.fields button.main").click()
    page.locator("#field-players").fill("name,head_start\nAnn,0\nBob,0\nCid,0\nDan,1")
    page.locator("form.stack button.main").click()
    page.locator("ol.players li").nth(3).wait_for()


def pair(director: Visitor, running: DeskHall, one: str, other: str) -> int:
    """Have two play; the number of their match."""
    page, before = director.page, len(tournament_of(running).matches)
    director.open("/tournament#matches")
    page.locator("#field-one").select_option(label=one)
    page.locator("#field-other").select_option(label=other)
    director.look("pair")
    director.press(director.words("page", "tournament", "pair_now"))
    director.until(lambda: len(tournament_of(running).matches) == before + 1)
    return before + 1


def enter_result(director: Visitor, running: DeskHall, match: int, score: tuple[int, int]) -> None:
    page = director.page
    page.locator(f"#match-{match} .match-row > button").last.click()
    for seat in (0, 1):
        page.locator(f"#points-{seat}").fill(str(score[seat]))
    page.locator(".edit form button.main").click()
    director.until(lambda: match in tournament_of(running).results)


@pytest.mark.parametrize("device", [Device(1920, 1080), Device(390, 844, "hu", "dark", touch=True)], ids=str)
def test_a_free_evening_from_its_pot_to_its_prizes(
    browser: "Browser", tmp_path: Path, device: Device
) -> None:
    with desk_hall(tmp_path, tables=2) as running, visiting(browser, running.address, device) as director:
        begin(director)
        page = director.page

        # Who comes late gives a point, and a match that does not begin at 0-0 is not for a table.
        first = pair(director, running, "Ann", "Bob")
        page.locator(f"#match-{first} .match-row > button").last.click()
        page.locator("#field-late").select_option(label="Bob")
        page.locator("#field-minutes").fill("7")
        director.look("late")
        director.press(director.words("page", "tournament", "late_now"))
        director.until(lambda: first in tournament_of(running).lateness)
        director.sees("1-0")
        enter_result(director, running, first, (5, 3))

        # Who beats whom goes round: three share the first place.
        enter_result(director, running, pair(director, running, "Bob", "Cid"), (5, 3))
        enter_result(director, running, pair(director, running, "Cid", "Ann"), (5, 3))
        ahead = pair(director, running, "Ann", "Dan")
        director.sees("0-1")
        enter_result(director, running, ahead, (5, 4))
        enter_result(director, running, pair(director, running, "Bob", "Dan"), (5, 4))
        enter_result(director, running, pair(director, running, "Cid", "Dan"), (5, 4))

        director.open("/tournament#matches")
        page.locator("details", has=page.locator("#field-play_off")).locator("summary").click()
        page.locator("#field-play_off").select_option(index=0)
        page.locator("#field-play_off_length").fill("3")
        director.look("play-off")
        director.press(director.words("page", "tournament", "play_off_now"))
        director.until(lambda: len(tournament_of(running).play_offs()) == 1)
        (state,) = tournament_of(running).play_offs()
        assert (state.progress, state.match.length) == (Progress.OPEN, 3)
        enter_result(director, running, state.match.number, (3, 0))

        director.open("/tournament#standings")
        prize = director.words("page", "tournament", "column", "prize")
        page.locator(".standing th", has_text=prize).wait_for()
        head = page.locator(".standing th").all_inner_texts()
        column = head.index(prize)
        prizes = [row.split("\t")[column] for row in page.locator(".standing tbody tr").all_inner_texts()]
        assert prizes == ["40.00", "24.00", "16.00", ""]
        director.look("prizes")
