"""A phone as the camera: pictures a second at the reader, how long one takes there, how soon a cut line is back.

The phone is Chromium on the same machine, whose camera is a drawn scene that tells the time of each picture.
ROUNDS in the environment says how often the line is cut; 5 if it is not set.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.browser import open_browser
from tests.web.phone.phone_table import SHUTTER, PhoneTable, phone_table, taken_at
from tests.web.walk.forwarder import Forwarder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROUNDS: Final = int(os.environ.get("ROUNDS", "5"))
CUTS_S: Final = (1.0, 3.0, 10.0, 30.0)
"""How long the line is cut, one after the other."""
WATCHED_S: Final = 10.0
SETTLED_MS: Final = 4000
RATE, DELAY_MS, BACK_S = 8.0, 250.0, 2.0
PATIENCE_S: Final = 60.0
FLAGS: Final = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def run() -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    with open_browser(*FLAGS) as browser:
        return [*_speed(browser), _cuts(browser)]


def _speed(browser: "Browser") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for size, moves in (((1280, 720), True), ((1920, 1080), False)):
        with tempfile.TemporaryDirectory() as folder, phone_table(Path(folder)) as table:
            page = _phone(browser, table)
            table.room.camera.phone.wanted = size
            page.evaluate(f"window.moves = {str(moves).lower()}")
            page.wait_for_timeout(SETTLED_MS)
            seen = table.watch(WATCHED_S)
            page.context.close()
        delay = statistics.median(1000 * (at - taken_at(glimpse.picture)) for at, glimpse in seen)
        name = f"of {size[0]}x{size[1]} from a phone"
        rows += [
            {"name": f"pictures {name}", "value": len(seen) / WATCHED_S, "unit": "a second", "target": RATE},
            {"name": f"shutter to reader {name}", "value": delay, "unit": "ms median", "target": DELAY_MS},
        ]
    return rows


def _cuts(browser: "Browser") -> dict[str, Any]:
    back = list[float]()
    with (
        tempfile.TemporaryDirectory() as folder,
        phone_table(Path(folder)) as table,
        Forwarder(table.pages.port) as line,
    ):
        page = _phone(browser, table, line.port)
        for number in range(ROUNDS):
            line.cut()
            page.wait_for_timeout(1000 * CUTS_S[number % len(CUTS_S)])
            line.mend()
            back.append(_seconds_until_fresh(page, table))
            page.wait_for_timeout(1000)
        page.context.close()
    return {"name": "a cut line is back, at worst", "value": max(back), "unit": "s", "target": BACK_S}


def _seconds_until_fresh(page: "Page", table: PhoneTable) -> float:
    """How long it takes until the reader has a picture that was taken from now on."""
    began = time.time()
    while time.time() - began < PATIENCE_S:
        glimpse = table.room.glimpse()
        if glimpse is not None and taken_at(glimpse.picture) > began:
            return time.time() - began
        page.wait_for_timeout(20)
    return PATIENCE_S


def _phone(browser: "Browser", table: PhoneTable, port: int | None = None) -> "Page":
    context = browser.new_context(ignore_https_errors=True, permissions=["camera"])
    context.add_init_script(SHUTTER)
    page = context.new_page()
    page.goto(table.address(port))
    page.get_by_text("The table sees through this phone.").wait_for(timeout=1000 * PATIENCE_S)
    return page


if __name__ == "__main__":
    for row in run():
        print(row)
