"""A phone in the table's own Wi-Fi: Chromium reads comitup's pages and has the table join ``Home``.

    python -m tests.install.phone_in_wifi FOLDER [FOLDER for pictures]

FOLDER is the root of the machine that runs; see wifi_root.sh. A wrong name, a wrong password and the right one follow
each other; what is expected and does not come is told, with status 1.
"""

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.browser import open_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ADDRESS: Final = "http://127.0.0.1/"
PATIENCE_S: Final = 120.0
SIZES: Final = ((360, 640), (1024, 600), (1440, 900))
TITLES: Final = {
    "en": "Wi-Fi for the table",
    "hu": "Wi-Fi az asztalnak",
    "et": "Laua WiFi",
    "sk": "Wi-Fi pre stôl",
}


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds; end with a sentence if it never does."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"phone_in_wifi.py: {what}")
        time.sleep(0.5)


def opens(page: "Page") -> bool:
    """Whether the page of the table's own Wi-Fi answers; it goes and comes with that."""
    from playwright.sync_api import Error

    try:
        answer = page.goto(ADDRESS)
    except Error:
        return False
    return answer is not None and answer.ok


def complaints(page: "Page") -> list[str]:
    """What keeps people out of the page, and what is wider than the window."""
    from axe_playwright_python.sync_playwright import Axe

    found = [f"{each['id']}: {each['help']}" for each in Axe().run(page).response["violations"]]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the window")
    small = page.evaluate(
        "[...document.querySelectorAll('a, button, input:not([type=hidden])')]"
        ".filter(each => each.getBoundingClientRect().height < 44).map(each => each.textContent)"
    )
    return [*found, *(f"too small to touch: {each}" for each in small)]


def look(page: "Page", name: str, pictures: Path | None) -> None:
    """Look at a page in all sizes."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found = complaints(page)
        if pictures is not None:
            page.screenshot(path=pictures / f"wifi_{name}_{width}.png")
        if found:
            sys.exit(f"phone_in_wifi.py: {name} at {width}x{height}: {found}")


def join(page: "Page", name: str, password: str, pictures: Path | None = None) -> None:
    """Choose a Wi-Fi by its name, type its password, and press Join."""
    until(lambda: opens(page), "the table's own Wi-Fi has no page")
    page.fill("#another", name)
    page.click("button")
    if pictures is not None:
        look(page, "password", pictures)
    page.fill("#password", password)
    page.click("button")
    where, code = page.locator(".address").all_inner_texts()
    if ".local:8080/" not in where or not re.fullmatch("[A-Z0-9]{8}", code.strip()):
        sys.exit(
            f"phone_in_wifi.py: the page says of where the table will be, and of its code: {where}, {code}"
        )
    if pictures is not None:
        look(page, "joining", pictures)


def told_why(page: "Page", sentence: str) -> None:
    """Wait until the page is back and says why a network was not joined."""
    until(
        lambda: opens(page) and sentence in page.inner_text("main"),
        f"the page does not say: {sentence} It says: {page.inner_text('main')}",
    )


def walk(browser: "Browser", root: Path, pictures: Path | None) -> None:
    """Go the way of somebody who mistypes twice."""
    for language, title in TITLES.items():
        page = browser.new_context(locale=language).new_page()
        until(lambda page=page: opens(page), "the table's own Wi-Fi has no page")  # type: ignore[misc]
        if page.inner_text("h1") != title or page.locator(".result").count():
            sys.exit(f"phone_in_wifi.py: in {language} the page says: {page.inner_text('main')}")
    page = browser.new_context(locale="en").new_page()
    until(lambda: opens(page), "the table's own Wi-Fi has no page")
    listed = page.locator("a.network").all_inner_texts()
    if "Home" not in listed:
        sys.exit(f"phone_in_wifi.py: the page lists {listed}")
    look(page, "choose", pictures)
    join(page, "Hom", "right-password", pictures)
    told_why(page, "it was not found here")
    join(page, "Home", "wrong-password")
    told_why(page, "the password is wrong")
    look(page, "wrong", pictures)
    join(page, "Home", "right-password")
    log = root / "var" / "log" / "comitup.log"
    until(lambda: "Setting state to CONNECTED" in log.read_text(), "the table never joins")
    until(lambda: not (root / "run/pointsman-wifi/result").exists(), "what went wrong before is still told")
    until(lambda: not (root / "run/pointsman-wifi/screen").exists(), "the square is still on the screen")
    sys.stdout.write("A wrong name and a wrong password were told, and the right one was joined.\n")


def main(root: str, pictures: str | None = None) -> None:
    """Start Chromium and go."""
    with open_browser("--no-sandbox") as browser:
        walk(browser, Path(root), None if pictures is None else Path(pictures))


if __name__ == "__main__":
    main(*sys.argv[1:])
