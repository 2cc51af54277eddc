"""What belongs together in a sentence stays on one line, however large somebody has set the letters."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.web import __file__ as web
from tests.browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser"]
STATIC = Path(web).parent / "static"
SHOW = """
;window.show = (text) => {
  sync(document.body, [element("p", { key: "p" }, text)]);
  const lines = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  return [...document.querySelectorAll(".whole")].map((each) => [each.textContent, lines(each)]);
};
"""


@pytest.fixture
def page(browser: "Browser") -> "Page":
    page = browser.new_page(viewport={"width": 360, "height": 640})
    page.set_content("<body></body>")
    page.add_style_tag(content="html { font-size: 200% } body { width: 4.2em; margin: 0 }")
    page.add_style_tag(path=STATIC / "tokens.css")
    script = (STATIC / "elements.js").read_text().replace("export function", "function")
    page.add_script_tag(content=script + SHOW, type="module")
    return page


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Anna rolled 3-1.", ["3-1."]),
        ("Béla plays bar/22* 6/off.", ["bar/22*", "6/off."]),
        ("Score 10\u201312, play 24/18", ["10\u201312,", "24/18"]),
    ],
)
def test_no_roll_score_or_move_is_broken_over_two_lines(page: "Page", text: str, whole: list[str]) -> None:
    found = page.evaluate("(text) => show(text)", text)
    assert found == [[each, 1] for each in whole]
    assert page.locator("p").inner_text().split() == text.split()


def test_a_sentence_without_them_is_a_text_as_before(page: "Page") -> None:
    assert page.evaluate("show('The match goes on.')") == []
    assert page.evaluate("document.querySelector('p').innerHTML") == "The match goes on."
