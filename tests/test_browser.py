import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import browser as tried

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_page_on_the_disk_runs_its_script_without_a_network(browser: "Browser", tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><p>dark</p><script>document.querySelector('p').append(', too')</script>")
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto(path.as_uri())
        assert page.locator("p").inner_text() == "dark, too"


def test_other_loops_run_while_the_browser_is_put_aside(chromium: "tried.Kept", browser: "Browser") -> None:
    chromium.put_aside()
    assert asyncio.run(asyncio.sleep(0, "slept")) == "slept"
    chromium.take_up()
    with browser.new_context(offline=True) as context:
        assert context.new_page().evaluate("1 + 1") == 2


def test_a_missing_browser_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="apt-get install chromium"), tried.open_browser():
        pass
