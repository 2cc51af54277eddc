"""What is printed of a tournament: nothing is cut off, and names and scores do not lie on each other."""

import random
import re
from typing import TYPE_CHECKING

import pytest

from controller.tournament.catalogue import load_format
from controller.tournament.changes import EntryWish, begin, enter
from controller.tournament.sheets.drawing import SMALLEST, bracket_svg
from controller.tournament.sheets.page import tournament_html
from controller.tournament.tournament import Tournament, fold
from tests.tournament.evenings import play_on

if TYPE_CHECKING:
    from playwright.sync_api import Browser

A4_WIDTH = 703
"""Of what is printed on, in CSS pixels: 210 mm less the margins."""
LONG = ("Wolfeschlegelsteinhausenbergerdorff Hubert Blaine von Waldsee", "Žofia Szentgyörgyi-Vámosújváry")
OUTSIDE = """() => [...document.querySelectorAll(".scroll")].flatMap((part) =>
  [part, ...part.querySelectorAll("td, th")].filter((each) =>
    each.getBoundingClientRect().right > document.body.clientWidth + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent.slice(0, 60)))"""
LYING_ON = """() => {
  const texts = [...document.querySelectorAll("svg text")];
  const boxes = texts.map((each) => [each.textContent, each.getBoundingClientRect()]);
  return boxes.flatMap(([text, a], place) => boxes.slice(place + 1, place + 4).filter(([, b]) =>
    a.left < b.right && b.left < a.right && Math.abs(a.top + a.bottom - b.top - b.bottom) < a.height)
    .map(([other]) => `${text} / ${other}`));
}"""


def played(chosen: str, players: int) -> Tournament:
    """A tournament to its end, with two long names and many that begin alike."""
    wishes = [EntryWish(each[:60]) for each in LONG]
    wishes += [EntryWish(f"Katalin Horváth-{chr(65 + each)}") for each in range(players - len(LONG))]
    begun = [begin("Cup", load_format(chosen), "1")]
    return fold(play_on([*begun, *enter(begun, wishes)], random.Random(4)))


@pytest.mark.parametrize("chosen", ["single-elimination", "swiss"])
def test_no_table_of_the_printed_page_goes_beyond_the_paper(browser: "Browser", chosen: str) -> None:
    page = browser.new_page(viewport={"width": A4_WIDTH, "height": 1000})
    page.emulate_media(media="print")
    page.set_content(tournament_html(played(chosen, 19)))
    assert page.evaluate(OUTSIDE) == []
    page.close()


def test_the_working_of_tie_breaks_has_the_width_of_the_paper(browser: "Browser") -> None:
    page = browser.new_page(viewport={"width": A4_WIDTH, "height": 1000})
    page.emulate_media(media="print")
    page.set_content(tournament_html(played("swiss", 19)))
    widths = page.eval_on_selector_all("td.work", "all => all.map((each) => each.clientWidth)")
    assert widths
    assert min(widths) > A4_WIDTH / 2
    page.close()


def test_names_of_a_large_bracket_stay_clear_of_the_scores(browser: "Browser") -> None:
    page = browser.new_page(viewport={"width": 1600, "height": 1200})
    page.set_content(bracket_svg(played("single-elimination", 28)))
    assert page.evaluate(LYING_ON) == []
    page.close()


def test_a_name_that_does_not_fit_is_set_smaller_before_it_is_cut() -> None:
    drawn = bracket_svg(played("single-elimination", 28))
    texts = re.findall(r'font-size="([\d.]+)"[^>]*>([^<]*)</text>', drawn)
    names = {text for _, text in texts}
    assert {f"Katalin Horváth-{chr(65 + each)}" for each in range(26)} <= names
    assert f"{LONG[0][:60]}" not in names
    assert min(float(size) for size, text in texts if not text.isdigit()) >= SMALLEST
