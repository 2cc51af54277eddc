"""Set-up over a slow line: nothing that was told late takes back what people have done meanwhile."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from controller.app.pages import open_pages
from controller.config.config import load_config
from controller.config.sections import WebSection
from tests.app.test_live import Scene
from tests.app.test_room import Staying
from tests.web.held_line import HeldLine
from tests.web.walk.visitor import DESK, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

STATE = "^GET /api/v1/setup$"
CHANGED = "^POST /api/v1/setup/"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    kept = tmp_path / "pointsman.toml"
    kept.write_text("[board]\nport = 'none'\n[dice]\nsource = 'text'\nport = '/dev/none'\nbaud = 1200\n")
    return kept


@pytest.fixture
def visitor(browser: "Browser", file: Path) -> Iterator[Visitor]:
    with (
        Staying(load_config(file), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", DESK) as somebody,
    ):
        yield somebody


@pytest.fixture
def line(visitor: Visitor) -> HeldLine:
    """All forms lie open at the same time; nothing is held yet."""
    held = HeldLine(visitor.page)
    visitor.open("/setup#devices")
    visitor.page.locator("#main[aria-busy]").wait_for(state="detached")
    visitor.page.evaluate(
        "document.querySelectorAll('details').forEach((each) => { each.name = ''; each.open = true; })"
    )
    return held


def test_what_was_asked_before_something_was_chosen_does_not_take_that_back(
    visitor: Visitor, line: HeldLine, file: Path
) -> None:
    line.hold(STATE)
    line.wait()
    visitor.page.fill("#unit-baud", "9600")
    visitor.press(visitor.words("page", "setup", "use_dice"))
    visitor.sees(visitor.words("program", "dice_kept", file=file))
    line.let_go()
    line.wait()  # it was heard, and the table is asked anew
    assert visitor.page.input_value("#unit-baud") == "9600"


def test_a_button_that_is_pressed_again_before_the_answer_counts_once(
    visitor: Visitor, line: HeldLine, file: Path
) -> None:
    sent = list[str]()
    visitor.page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    line.hold(CHANGED)
    for _ in range(3):
        visitor.press(visitor.words("page", "setup", "use_dice"))
    line.wait()
    line.release()
    visitor.sees(visitor.words("program", "dice_kept", file=file))
    assert len(sent) == 1
    visitor.press(visitor.words("page", "setup", "use_dice"))
    visitor.until(lambda: len(sent) == 2)


def test_that_a_press_was_lost_stays_to_be_read_and_is_not_called_done(
    visitor: Visitor, line: HeldLine, file: Path
) -> None:
    visitor.press(visitor.words("page", "setup", "use_dice"))
    visitor.sees(visitor.words("program", "dice_kept", file=file))
    visitor.page.route("**/api/v1/setup/dice", lambda route: route.abort("connectionreset"))
    visitor.press(visitor.words("page", "setup", "try_dice"))
    lost = visitor.words("page", "setup", "refused")
    visitor.sees(lost)
    line.hold(STATE)
    line.wait()
    line.let_go()
    line.wait()
    assert visitor.page.inner_text("#answer") == lost


def test_what_is_typed_into_one_form_stays_while_another_one_is_kept(
    visitor: Visitor, line: HeldLine, file: Path
) -> None:
    page = visitor.page
    line.hold(CHANGED)
    page.fill("#key-table", "7")
    page.locator("form.settings", has=page.locator("#key-table")).locator("button").click()
    line.wait()
    page.fill("#key-limit", "900")
    line.release()
    visitor.until(lambda: load_config(file).match.table == "7")
    visitor.until(lambda: page.locator("form.settings .kept").first.inner_text() != "")
    assert page.input_value("#key-limit") == "900"


def test_what_is_typed_into_a_form_stays_while_the_same_one_is_kept(
    visitor: Visitor, line: HeldLine, file: Path
) -> None:
    page = visitor.page
    line.hold(CHANGED)
    page.fill("#unit-baud", "9600")
    visitor.press(visitor.words("page", "setup", "use_dice"))
    line.wait()
    page.fill("#unit-pattern", "roll {a}{b}")
    line.release()
    visitor.sees(visitor.words("program", "dice_kept", file=file))
    assert load_config(file).dice.baud == 9600
    assert page.input_value("#unit-pattern") == "roll {a}{b}"


def test_a_code_is_asked_for_once_and_the_one_that_is_shown_counts(visitor: Visitor, line: HeldLine) -> None:
    page = visitor.page
    codes = list[str]()
    page.on(
        "response", lambda answer: answer.url.endswith("/partner") and codes.append(answer.json()["code"])
    )
    page.evaluate("location.hash = '#players'")
    page.select_option("#engine", "away-dark")
    visitor.until(lambda: page.inner_text("#own-table-code") != "")
    line.hold("^POST /api/v1/setup/partner$")
    for _ in range(3):
        page.evaluate("document.getElementById('show-table-code').click()")
    line.wait()
    line.release()
    visitor.until(lambda: page.inner_text("#own-table-code") == codes[-1])
    assert len(codes) == 2


@pytest.mark.usefixtures("line")
def test_a_match_whose_beginning_was_told_but_not_heard_is_shown(visitor: Visitor) -> None:
    page = visitor.page

    def lose_answer(route: "Route") -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route("**/api/v1/setup/start", lose_answer)
    page.evaluate("location.hash = '#players'")
    page.fill("#light", "Anna")
    page.fill("#dark", "Bruno")
    visitor.press(visitor.words("page", "setup", "start"))
    page.wait_for_url(lambda url: not urlsplit(url).path.startswith("/setup"))


@pytest.mark.usefixtures("line")
def test_a_press_on_a_button_that_has_just_changed_was_meant_for_what_it_did_before(visitor: Visitor) -> None:
    page = visitor.page
    sent = list[str]()
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    page.evaluate(
        """() => {
          const button = document.getElementById("learn-key");
          new MutationObserver(() => button.click()).observe(button, { childList: true });
        }"""
    )
    visitor.press(visitor.words("page", "setup", "keys_learn"))
    visitor.until(lambda: page.inner_text("#learn-key") == visitor.words("page", "setup", "keys_stop"))
    assert [url.rsplit("/", 1)[1] for url in sent] == ["learn"]
