"""A phone brings a table up to date from its set-up page, and takes it back again.

    python -m tests.install.phone_updates CONSOLE BEGAN NOW NEWER [PICTURES]

CONSOLE and BEGAN are as in `phone_sets_up`; NOW is the version that runs, NEWER the one that a source of apt has.
What is expected and does not come is told, with status 1.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.messages.catalogue import catalogue
from tests.browser import open_browser
from tests.install.phone_sets_up import LANGUAGE, PIN, Walk, becomes_director, phone, until
from tests.install.photographed import square_on_console

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

GONE: Final = ("Failed to load resource", "net::ERR")
"""What a browser says while the table starts anew."""


def main(console: str, began: str, now: str, newer: str, pictures: str | None = None) -> None:
    """Become the director, update, and go back."""
    walk = Walk(float(began), None if pictures is None else Path(pictures))
    screen = Path(console)
    with open_browser("--no-sandbox") as browser:
        found = until(
            lambda: square_on_console(screen.read_text(errors="replace")),
            "the machine's screen shows no square",
        )
        updates(walk, browser, found, now, newer)
    wrong = [line for line in walk.wrong if not any(part in line for part in GONE)]
    if wrong:
        sys.exit(f"phone_updates.py: the browser complains: {wrong}")


def updates(walk: Walk, browser: "Browser", found: str, now: str, newer: str) -> None:
    """There, and back again."""
    with phone(walk, browser) as page:
        becomes_director(walk, page, found)
        page.goto(f"{page.url.partition('#')[0]}#updates")
        sees(page, "text", "version", version=now)
        walk.press(page, walk.words("setup", "update_check"))
        sees(page, "text", "new_number", new=newer)
        walk.tell(f"version {newer} is found", page)
        walk.press(page, walk.words("setup", "update_now"))
        comes_back(walk, page)
        sees(page, "text", "version", version=newer)
        sees(page, "outcome", "updated")
        walk.tell(f"version {newer} runs", page)
        walk.press(page, walk.words("setup", "update_back"))
        comes_back(walk, page)
        sees(page, "text", "version", version=now)
        sees(page, "outcome", "gone_back")
        walk.tell(f"version {now} runs again", page)


def sees(page: "Page", *path: str, **arguments: str) -> None:
    """Wait for a sentence about updates."""
    page.locator("#updates-text", has_text=catalogue(LANGUAGE).text("update", *path, **arguments)).wait_for()


def comes_back(walk: Walk, page: "Page") -> None:
    """The table starts anew, and asks the director for the PIN."""
    page.wait_for_url("**/login?next=*")
    walk.tell("the table has started anew", page)
    walk.type(page, "#pin", PIN)
    walk.press(page, catalogue(LANGUAGE).text("page", "login", "enter"))


if __name__ == "__main__":
    main(*sys.argv[1:])
