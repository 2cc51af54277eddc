"""Every network has a card on the page, with what is known of it."""

import re

from calibration.training.recipes import RECIPES
from tests.training.cards import PAGE, written


def test_the_table_of_the_page_is_that_of_the_cards() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page), "run `make pages`"


def test_every_network_has_a_section_that_says_what_it_is_for_and_where_it_errs() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([\w ]+)\n(.*?)(?=^## |\Z)", page, re.M | re.S))
    for name in RECIPES:
        found = [text for title, text in sections.items() if name in title.split(" and ")]
        assert len(found) == 1, f"no section on {name}"
        assert all(f"| {row} |" in found[0] for row in ("for", "not for", "learned from", "errs"))
