"""Pages on paper: dark ink whatever the screen shows, nothing cut apart or off, and nothing to press."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from controller.hub.server.hall_pages import HALL_STATIC
from controller.web.server.site import STATIC

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

A4_WIDTH = 703
"""Of what is printed on, in CSS pixels: 210 mm less margins."""
PART = "() => getComputedStyle(document.querySelector('.part')).breakInside"
INK = "() => getComputedStyle(document.documentElement).getPropertyValue('--ink')"


@pytest.fixture
def paper(browser: "Browser") -> Iterator["Page"]:
    """A page as it is printed from a screen that is dark."""
    page = browser.new_page(viewport={"width": A4_WIDTH, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    yield page
    page.close()


def styled(body: str, *sheets: str) -> str:
    """A page with some of the style sheets."""
    folders = {"hub": HALL_STATIC, "web": STATIC}
    styles = [
        (folders[place] / name).read_text("utf-8") for place, name in (each.split("/") for each in sheets)
    ]
    return f"<!DOCTYPE html><meta charset='utf-8'><style>{''.join(styles)}</style>{body}"


def test_what_is_printed_from_a_dark_screen_has_the_ink_of_a_light_one(paper: "Page") -> None:
    paper.set_content(styled("<p>PIN</p>", "web/tokens.css"))
    printed = paper.evaluate(INK)
    paper.emulate_media(media="screen", color_scheme="light")
    assert printed == paper.evaluate(INK)
    paper.emulate_media(media="screen", color_scheme="dark")
    assert printed != paper.evaluate(INK)


@pytest.mark.parametrize(
    ("body", "sheet"),
    [
        ("<ul class='pins'><li class='part'>a code to scan</li></ul>", "web/login.css"),
        ("<ul class='slips'><li class='part'>a PIN to cut out</li></ul>", "web/login.css"),
        ("<body class='hall'><main><div class='tile part'>a board</div></main>", "hub/hall.css"),
    ],
)
def test_no_sheet_ends_in_the_middle_of_a_code_or_a_board(paper: "Page", body: str, sheet: str) -> None:
    paper.set_content(styled(body, "web/tokens.css", sheet))
    assert paper.evaluate(PART) == "avoid"


def test_the_standings_of_a_tournament_keep_to_the_paper_without_what_is_to_be_pressed(paper: "Page") -> None:
    working = "Buchholz 15 = Ľubomíra Šimek 3 + Jaak Kovács 3 + László Nagy 4 + Zsófia Szentgyörgyi-Vámos 5"
    cells = "".join(f"<td>{each}</td>" for each in (1, "Gábor Szentgyörgyi-Vámos", 5, "430.00", 4, 1, 0))
    body = (
        "<body class='tournament'><header id='head'><nav class='pages'><a>Wall</a></nav></header><main id='main'>"
        "<nav class='tabs'><a>Players</a></nav><form><button>Draw</button></form>"
        f"<section class='standing'><div class='scroll'><table><tr>{cells}<td class='notes'>{working}</td></tr>"
        "</table></div></section></main>"
    )
    paper.set_content(
        styled(body, "web/tokens.css", "web/page.css", "web/director.css", "hub/tournament.css")
    )
    right = paper.evaluate("() => document.querySelector('.notes').getBoundingClientRect().right")
    assert right <= A4_WIDTH
    hidden = "() => ['.pages', '.tabs', 'form'].filter((one) => document.querySelector(one).offsetHeight > 0)"
    assert paper.evaluate(hidden) == []
