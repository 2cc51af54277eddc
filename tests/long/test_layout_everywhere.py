"""Every page in every state, size and language: see tests/web/test_layout.py."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.messages.catalogue import LANGUAGES
from tests.web.layout_walk import walk_director, walk_setup, walk_table
from tests.web.windows import SIZES

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", ["/", "/watch?size=fit", "/watch?size=hall"])
def test_the_table_fits(browser: "Browser", path: str, language: str) -> None:
    assert walk_table(browser, path, [language], SIZES)[1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_set_up_fits(browser: "Browser", language: str, tmp_path: Path) -> None:
    assert walk_setup(browser, tmp_path, [language], SIZES)[1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_director_has_a_matter_in_one_window(browser: "Browser", language: str) -> None:
    assert walk_director(browser, [language], SIZES)[1] == []
