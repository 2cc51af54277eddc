"""Every page fits its window: what is needed of it is inside without scrolling, uncovered, and large enough to touch.

All states, sizes and languages are walked in tests/long/test_layout_everywhere.py; here the windows that leave least
room, in the language whose words are longest.
"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.messages.catalogue import LANGUAGES
from controller.web.table_service import Role
from tests.web.layout_walk import walk_director, walk_setup, walk_table
from tests.web.shown_states import MATTERS, STATES, state_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LONGEST = "hu"
TIGHT = ((360, 640), (640, 360), (1024, 600), (1440, 900))


def test_the_table_fits_in_every_state(browser: "Browser") -> None:
    looked, faults = walk_table(browser, "/", [LONGEST], TIGHT)
    assert faults == []
    assert looked == len(STATES) * len(TIGHT)


@pytest.mark.parametrize("size", ["fit", "hall"])
def test_the_spectators_page_fits_from_near_and_from_afar(browser: "Browser", size: str) -> None:
    _, faults = walk_table(browser, f"/watch?size={size}", [LONGEST], [(1920, 1080), (390, 844)])
    assert faults == []


def test_no_step_of_set_up_hides_what_leads_on(browser: "Browser", tmp_path: Path) -> None:
    _, faults = walk_setup(browser, tmp_path, [LONGEST], [(360, 640), (1024, 600)])
    assert faults == []


def test_the_director_sees_a_matter_whole_in_a_window_of_1280_by_720(browser: "Browser") -> None:
    looked, faults = walk_director(browser, [LONGEST], [(1280, 720), (360, 640)])
    assert faults == []
    assert looked == len(MATTERS) * 2


def test_the_longest_words_are_those_of_the_language_that_is_walked() -> None:
    """Of the buttons and headings of all states together."""
    staged = [make() for make in STATES.values()]

    def letters(language: str) -> int:
        told: list[dict[str, Any]] = [state_in(replace(each), language, Role.PLAYER) for each in staged]
        return sum(
            len(state["headline"]) + sum(len(choice["text"]) for choice in state["allowed"]) for state in told
        )

    assert max(LANGUAGES, key=letters) == LONGEST
