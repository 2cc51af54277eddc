"""A real browser for tests of pages: Debian's Chromium without its windows, driven by Playwright.

It is the same browser in all that a page can tell, and saves the processor time for tabs, menus and extensions that
nobody sees: three new pages with a heading cost 0.5 s where the whole program takes 2.8 (version 156).

`browser` is a fixture of every test: `browser.new_page(viewport={"width": 390, "height": 844})` is a page on a phone;
`browser.new_context(offline=True)` has no network. Playwright keeps an event loop in the test's thread, so a module
that uses the fixture cannot call `asyncio.run` in its tests. Others can: between modules the browser stays open, and
the loop is put aside.
"""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Debian's names, and the one on older Raspberry Pi OS; the first that is there."""
PATIENCE_MS: Final = 120_000
"""What a test waits for on a page may come so late: Playwright's own half a minute is little on a busy machine."""
REMEDY: Final = "no Chromium is installed: run `make setup`, or `sudo apt-get install chromium`"


def find_chromium() -> Path | None:
    """Where Chromium lies, if it is installed."""
    return next((Path(path) for path in map(shutil.which, PROGRAMS) if path), None)


@contextmanager
def open_browser(*arguments: str) -> Iterator["Browser"]:
    """Start Chromium without a window, with these arguments, and end it.

    Raises:
        RuntimeError: if it is not installed.
    """
    from playwright.sync_api import sync_playwright  # takes a while to load, and few tests need it

    program = find_chromium()
    if program is None:
        raise RuntimeError(REMEDY)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(arguments))
        browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
        try:
            yield browser
        finally:
            browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Kept"]:
    """The browser of a worker: a start takes half a second of processor time, and nearly forty modules show pages."""
    if find_chromium() is None:
        pytest.fail(REMEDY)
    with open_browser() as opened:
        kept = Kept(opened, asyncio.get_running_loop())
        kept.put_aside()
        yield kept
        kept.take_up()


@pytest.fixture(scope="module")
def browser(chromium: "Kept") -> Iterator["Browser"]:
    """Chromium without a window; see the module. Nothing that a module has opened stays open."""
    chromium.take_up()
    yield chromium.browser
    for context in chromium.browser.contexts:
        context.close()
    chromium.put_aside()


@dataclass(frozen=True, slots=True)
class Kept:
    """A browser, and the event loop that Playwright stopped in the middle of: asyncio takes it for the thread's."""

    browser: "Browser"
    loop: asyncio.AbstractEventLoop

    def take_up(self) -> None:
        """Before the browser is used."""
        asyncio._set_running_loop(self.loop)

    def put_aside(self) -> None:
        """Before other loops run in the thread."""
        asyncio._set_running_loop(None)
