"""Corners on the set-up page: pulled by a mouse or the arrow keys, seen larger meanwhile, and looked between."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser import browser
from tests.calibration.pictures import corners, picture
from tests.web.browsers import SEAT, TABLE
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.walk.visitor import READS_MS
from tests.web.windows import fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

__all__ = ["browser"]
SHOWN: Final = """() => [...document.querySelectorAll("#corners button")].map(
  (button) => [parseFloat(button.style.left), parseFloat(button.style.top)])"""
FOUND: Final = "#corners button >> nth=3"
PULLED: Final = (60.0, 35.0)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SetUpHall]:
    """A table whose board was found."""
    setup = StillSetUp(picture("game"), tmp_path_factory.mktemp("table"))
    assert setup.board.find(corners("game"), None).done
    with SetUpHall(setup) as hall:
        yield hall


@pytest.fixture
def page(browser: "Browser", hall: SetUpHall) -> Iterator["Page"]:
    """The page with the corners that were found."""
    address = f"{hall.server.address}/setup#aim"
    with fed_page(browser, address, extra_http_headers={SEAT: TABLE}) as feed:
        feed.page.locator(FOUND).wait_for()
        feed.page.locator("#no-picture").wait_for(state="hidden")
        yield feed.page


def in_picture(page: "Page", number: int) -> tuple[float, float]:
    """Where a corner lies, in pixels of the camera's picture."""
    height, width = picture("game").shape[:2]
    left, top = page.evaluate(SHOWN)[number]
    return width * left / 100, height * top / 100


def middle_of(corner: "Locator") -> tuple[float, float]:
    box = corner.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_corner_that_is_pulled_is_seen_larger_and_the_board_is_looked_for_there(page: "Page") -> None:
    asked = list[Any]()

    def answer(route: "Route") -> None:
        asked.append(route.request.post_data_json)
        known = route.fetch(url=route.request.url.removesuffix("/find"), method="GET", post_data="")
        route.fulfill(json={"answer": "done", "text": "", "state": known.json()})

    page.route("**/api/v1/setup/find", answer)
    others = page.evaluate(SHOWN)[:3]
    begin, corner = in_picture(page, 3), page.locator(FOUND)
    assert page.locator("#magnifier").is_hidden()
    x, y = middle_of(corner)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - PULLED[0], y - PULLED[1])
    assert page.locator("#magnifier").is_visible()
    drawn = page.evaluate(
        "() => new Set(document.getElementById('magnifier').getContext('2d').getImageData(0, 0, 180, 180).data).size"
    )
    assert drawn > 10
    page.mouse.up()
    assert page.locator("#magnifier").is_hidden()
    scale = picture("game").shape[1] / page.evaluate("document.getElementById('picture').clientWidth")
    now = in_picture(page, 3)
    assert now == pytest.approx((begin[0] - PULLED[0] * scale, begin[1] - PULLED[1] * scale), abs=1.5 * scale)
    assert page.evaluate(SHOWN)[:3] == others
    page.wait_for_timeout(READS_MS)
    with page.expect_response("**/find"):
        page.locator("#main-button").click()
    assert asked[0]["corners"][3] == pytest.approx(now, abs=0.5)


def test_arrow_keys_move_a_corner_by_a_pixel_and_with_shift_by_twelve(page: "Page") -> None:
    x, y = in_picture(page, 3)
    page.locator(FOUND).focus()
    for keys in ("ArrowRight", "ArrowUp", "Shift+ArrowLeft", "Shift+ArrowUp"):
        page.keyboard.press(keys)
    assert in_picture(page, 3) == pytest.approx((x + 1 - 12, y - 1 - 12), abs=0.2)
    assert page.locator("#magnifier").is_visible()


def test_a_corner_stays_inside_the_picture(page: "Page") -> None:
    x, y = middle_of(page.locator(FOUND))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 5000, y + 5000)
    page.mouse.up()
    height, width = picture("game").shape[:2]
    assert in_picture(page, 3) == pytest.approx((width - 1, height - 1), abs=0.5)


def test_the_glass_goes_with_the_corners_where_another_step_is_gone_to(page: "Page") -> None:
    page.locator(FOUND).focus()
    page.keyboard.press("ArrowUp")
    page.locator("#magnifier").wait_for()
    page.evaluate("location.hash = 'checkers'")
    page.locator(FOUND).wait_for(state="detached")
    page.wait_for_timeout(READS_MS)
    assert page.locator("#magnifier").is_hidden()
